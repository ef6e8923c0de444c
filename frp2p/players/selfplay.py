"""Whole games in one process, without a ledger and without proofs: for statistics, golden games and tests of rules."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Protocol, TypeAlias

from frp2p.cards import CardId
from frp2p.deal.clear import ClearKind
from frp2p.deal.dealer import Dealer
from frp2p.errors import LocalError
from frp2p.games.game import Deal, Decide, Game, Known, Move
from frp2p.games.verbs import Outcome, Seat, Verb
from frp2p.players.quick import QuickCroupier

Decider: TypeAlias = Callable[[Any, tuple[Move, ...]], Move]
"""Who decides at a seat: view and legal moves in, one move out."""

Watch: TypeAlias = Callable[[Any, tuple[Known, ...], Mapping[Seat, Move]], None]
"""Told each state, what every seat knows in it, and the moves that led to it (empty after the dealer's work)."""

STATES_MAX: Final = 50_000
"""States of one game; Fantasy Realms has at most 20 rounds of 310 turns of six. More is a rule that loops."""


class Croupier(Protocol):
    """Carries out what the rules ask of a dealer, for all seats at once."""

    def carry_out(self, verbs: tuple[Verb, ...]) -> tuple[Outcome, ...]: ...

    def known(self, seat: Seat) -> Known: ...


class ClearCroupier:
    """One clear dealer a seat, all in this process; the same seed deals the same cards."""

    def __init__(self, decks: Mapping[str, tuple[CardId, ...]], seats: int, seed: int) -> None:
        source = random.Random(seed)  # noqa: S311 - a simulation hides nothing from anybody
        identities = tuple(source.randbytes(32) for _seat in range(seats))
        setups = [
            ClearKind().setup(
                charter_digest=bytes(32),
                params_digest=bytes(32),
                identities=identities,
                decks=decks,
                me=seat,
                entropy=source.randbytes,
            )
            for seat in range(seats)
        ]
        _rounds(setups)
        self._dealers: list[Dealer] = [setup.finish() for setup in setups]

    def carry_out(self, verbs: tuple[Verb, ...]) -> tuple[Outcome, ...]:
        for dealer in self._dealers:
            dealer.begin(verbs, bytes(32))
        _rounds(self._dealers)
        outcomes = [dealer.finish() for dealer in self._dealers]
        if any(outcome != outcomes[0] for outcome in outcomes):
            raise LocalError("the dealers do not agree")
        return outcomes[0]

    def known(self, seat: Seat) -> Known:
        return self._dealers[seat].known()


def _rounds(sides: Sequence[Any]) -> None:
    """All rounds of a batch or a set-up; `sides` are the dealers (or set-ups) of the seats, in order."""
    while speakers := sides[0].speakers():
        said = {seat: sides[seat].speak() for seat in speakers}
        for side in sides:
            for seat, contribution in said.items():
                side.check(seat, contribution)
            side.close(said)


def run_clear(game: Game, options: Any, deciders: Sequence[Decider], seed: int, watch: Watch | None = None) -> Any:
    """The last state of a game that the deciders (one a seat) play with cards dealt from `seed`."""
    croupier = ClearCroupier(game.decks(options), len(deciders), seed)
    return run(game, options, deciders, croupier, watch)


def run_quick(game: Game, options: Any, deciders: Sequence[Decider], seed: int, watch: Watch | None = None) -> Any:
    """As `run_clear`, several times as fast: with one dealer for all seats. The cards are others than there."""
    return run(game, options, deciders, QuickCroupier(game.decks(options), len(deciders), seed), watch)


def run(
    game: Game,
    options: Any,
    deciders: Sequence[Decider],
    croupier: Croupier,
    watch: Watch | None = None,
    state: Any = None,
) -> Any:
    """The last state of a game dealt by this croupier, from this state on (None: from the start); LocalError if it
    does not end."""
    state = game.start(options, len(deciders)) if state is None else state
    moves: dict[Seat, Move] = {}
    for _count in range(STATES_MAX):
        if watch is not None:
            watch(state, tuple(croupier.known(seat) for seat in range(len(deciders))), moves)
        match game.need(state):
            case Decide(seats=seats):
                views = {seat: game.view(state, seat, croupier.known(seat)) for seat in seats}
                moves = {seat: deciders[seat](view, game.legal(view)) for seat, view in views.items()}
                state = game.apply(state, moves)
            case Deal(verbs=verbs):
                moves = {}
                state = game.dealt(state, croupier.carry_out(verbs))
            case _over:
                return state
    raise LocalError(f"no end after {STATES_MAX} states")
