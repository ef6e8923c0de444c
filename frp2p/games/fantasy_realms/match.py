"""From one round of a match to the next: the totals, a pause, all cards together again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import msgspec

from frp2p.cards import CardId
from frp2p.games.fantasy_realms.ending import CallChoices, CountUp, RevealHands
from frp2p.games.fantasy_realms.extras import CallGenie, CallLeprechaun, CallNecromancer
from frp2p.games.fantasy_realms.items.setup import CallPiles, item_tasks
from frp2p.games.fantasy_realms.moves import NextRound
from frp2p.games.fantasy_realms.necromancy import CallBringer
from frp2p.games.fantasy_realms.opening import ShuffleDeck, deal_tasks
from frp2p.games.fantasy_realms.options import Options, deck
from frp2p.games.fantasy_realms.outcome import slots_of
from frp2p.games.fantasy_realms.ranking import sums
from frp2p.games.fantasy_realms.task import Asking, Automatic, Dealing
from frp2p.games.fantasy_realms.trade import trade_tasks
from frp2p.games.fantasy_realms.turn import BeginTurn
from frp2p.games.game import IllegalMove, Move
from frp2p.games.verbs import TABLE, Outcome, Seal, Seat, Verb
from frp2p.locale import _

if TYPE_CHECKING:
    from frp2p.games.fantasy_realms.agenda import AnyTask
    from frp2p.games.fantasy_realms.state import State
    from frp2p.games.fantasy_realms.view import Phase


def decided(state: State) -> bool:
    """Whether no round comes after this counted one."""
    points = sums(state.rounds(), state.seats)
    reached = 0 < state.options.points <= max(points[seat] for seat in state.live())
    return reached or state.stopped or state.round >= state.options.last_round()


class CloseRound(Automatic, frozen=True):
    """The match is over, or goes on."""

    stays = True

    def run(self, state: State) -> State:
        if decided(state):
            return state
        return state.put(AskNext(), GatherCards(), ShuffleDeck(), *round_tasks(state.options, state.live()))


class AskNext(Asking, frozen=True):
    """Everybody looks at the result as long as it takes."""

    def phase(self) -> Phase:
        return "pause"

    def seats(self, state: State) -> tuple[Seat, ...]:
        return state.live()

    def check(self, state: State, seat: Seat, move: Move) -> None:
        if not isinstance(move, NextRound):
            raise IllegalMove(_("The next round has not begun."))

    def apply(self, state: State, moves: Mapping[Seat, Move]) -> State:
        return state


class GatherCards(Dealing, frozen=True):
    """A new round: the open cards are turned down and join what is left of the deck, which nobody has looked into.

    The seats shuffle all of it next, with the keys that they have: every slot becomes a new one then. The first seat
    moves on by one. What a seat took with it when it left nobody has seen: that stays away.
    """

    def cards(self, state: State) -> tuple[CardId, ...]:
        """The cards that are not in the deck's slots, in canonical order."""
        gone = frozenset(state.open_cards()) - {state.searched}
        return tuple(card for card in deck(state.options) if card in gone)

    def verbs(self, state: State) -> tuple[Verb, ...]:
        return (Seal(cards=self.cards(state), lock=TABLE),)

    def dealt(self, state: State, outcomes: tuple[Outcome, ...]) -> State:
        # Only here: a state holds tasks, so this module can't import its module while it loads.
        from frp2p.games.fantasy_realms.state import first_state

        sealed = slots_of(outcomes[0], len(self.cards(state)))
        first = state.following(state.first_seat or 0)
        fresh = first_state(state.options, state.seats, state.agenda)
        return msgspec.structs.replace(
            fresh,
            out=state.out,
            holds=state.holds,
            round=state.round + 1,
            past=state.rounds(),
            deck=(*state.deck, *sealed),
            first_seat=first,
            seat_in_turn=first,
            items=msgspec.structs.replace(state.items, covered=()),
        )


def round_tasks(options: Options, seats: tuple[Seat, ...]) -> tuple[AnyTask, ...]:
    """A round, from the shuffled deck and the seat that begins to the count."""
    chaos = options.mode == "chaos"
    return (
        *deal_tasks(options, seats),
        *item_tasks(options),
        *(trade_tasks() if chaos else (BeginTurn(),)),
        RevealHands(),
        *((CallPiles(),) if options.cursed_items else ()),
        CallLeprechaun(),
        CallGenie(),
        CallBringer() if chaos else CallNecromancer(),
        CallChoices(),
        CountUp(),
        CloseRound(),
    )
