"""Random games over clear dealers in which seats leave, are lost or bring the game to a stop, at any state."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from frp2p.cards import CardId
from frp2p.games.fantasy_realms import GAME, Options
from frp2p.games.fantasy_realms.moves import UseItem
from frp2p.games.fantasy_realms.state import State
from frp2p.games.game import Deal, Decide, Known, Move
from frp2p.games.verbs import Drop, Leave, Recover, Seat
from frp2p.players.quick import QuickCroupier
from frp2p.players.random_bot import Random

How: TypeAlias = Literal["leave", "recover", "stop"]
"""A seat takes its key with it, the others do without it, or the game is counted as it stands."""

STATES_MAX = 6_000
"""States of the longest game here; more is a game that never ends."""


@dataclass(frozen=True)
class Departure:
    """At the state of this number; seats count from the seat in turn (or from 0), of those who are here."""

    at: int
    how: How
    nearest: tuple[int, ...] = (0,)

    def in_person(self) -> Departure:
        """The same, but the seat takes its own key off."""
        return Departure(self.at, "leave" if self.how == "recover" else self.how, self.nearest)


@dataclass
class Played:
    """All states of a game, what every seat knew in each, and at which of them seats had just gone."""

    options: Options
    seats: int
    states: list[State] = field(default_factory=list)
    knowledge: list[tuple[Known, ...]] = field(default_factory=list)
    departures: list[int] = field(default_factory=list)

    def moments(self) -> Iterator[tuple[State, tuple[Known, ...]]]:
        return zip(self.states, self.knowledge, strict=True)

    @property
    def last(self) -> State:
        return self.states[-1]


def play(options: Options, seats: int, seed: int, departures: tuple[Departure, ...]) -> Played:
    """A whole game. An item is used every other time that it can be."""
    table = Table(options, seats, seed)
    for _count in range(STATES_MAX):
        table.note()
        number = len(table.played.states) - 1
        for departure in departures:
            if departure.at == number and len(table.state.live()) > 1:
                table.depart(departure)
                table.note()
                table.played.departures.append(len(table.played.states) - 1)
        if not table.go_on():
            return table.played
    raise AssertionError("no end")


class Table:
    def __init__(self, options: Options, seats: int, seed: int) -> None:
        self.played = Played(options, seats)
        self._croupier = QuickCroupier(GAME.decks(options), seats, seed, recovery=seats > 2)
        self._players = [Random(seed * 10 + seat) for seat in range(seats)]
        self.state: State = GAME.start(options, seats)

    def note(self) -> None:
        known = tuple(dict(self._croupier.known(seat)) for seat in range(self.played.seats))
        self.played.states.append(self.state)
        self.played.knowledge.append(known)

    def go_on(self) -> bool:
        """Whether there was anything to do."""
        match GAME.need(self.state):
            case Decide(seats=seats):
                self.state = GAME.apply(self.state, {seat: self._choose(seat) for seat in seats})
            case Deal(verbs=verbs):
                self.state = GAME.dealt(self.state, self._croupier.carry_out(verbs))
            case _over:
                return False
        return True

    def _choose(self, seat: Seat) -> Move:
        legal = GAME.legal(GAME.view(self.state, seat, self._croupier.known(seat)))
        uses = [move for move in legal if isinstance(move, UseItem)]
        return self._players[seat].choose(None, (*legal, *uses * len(legal)))

    def depart(self, departure: Departure) -> None:
        """What the referee does: a batch that is under way is dropped, the dealer lets the seats go, then the game."""
        live = self.state.live()
        start = self.state.seat_in_turn if self.state.seat_in_turn in live else live[0]
        around = (*live[live.index(start) :], *live[: live.index(start)])
        gone = tuple(sorted({around[near % len(live)] for near in departure.nearest}))[: len(live) - 1]
        need = GAME.need(self.state)
        if isinstance(need, Deal):
            self._croupier.interrupt(need.verbs)
        if departure.how == "stop":
            self._croupier.carry_out((Drop(seats=gone),))
            self.state = GAME.stop(self.state, gone)
            return
        for seat in gone:
            if len(self.state.live()) > 2:
                self._croupier.carry_out((Leave(seat=seat) if departure.how == "leave" else Recover(seat=seat),))
            self.state = GAME.out(self.state, (seat,))


def all_cards(options: Options) -> tuple[CardId, ...]:
    return GAME.decks(options)[GAME.name]
