"""From the last discard to the ranks of a round: open hands, extra cards, the wild cards, the count."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import msgspec

from frp2p import scoring
from frp2p.games.fantasy_realms.counting import context
from frp2p.games.fantasy_realms.moves import Choose
from frp2p.games.fantasy_realms.outcome import cards_of
from frp2p.games.fantasy_realms.ranking import ranks
from frp2p.games.fantasy_realms.task import Asking, Automatic, Dealing
from frp2p.games.game import IllegalMove, Move
from frp2p.games.verbs import Outcome, Reveal, Seat, Verb
from frp2p.locale import _
from frp2p.scoring import IllegalChoices, check_choices, choosers

if TYPE_CHECKING:
    from frp2p.games.fantasy_realms.state import State
    from frp2p.games.fantasy_realms.view import Phase


class RevealHands(Dealing, frozen=True):
    """All hands become public. (A hand may be empty: a duel can end for want of cards before both have some.)"""

    stays = True

    def verbs(self, state: State) -> tuple[Verb, ...]:
        return tuple(Reveal(slots=hand) for hand in state.hands if hand)

    def dealt(self, state: State, outcomes: tuple[Outcome, ...]) -> State:
        left = list(outcomes)
        opened = tuple(cards_of(left.pop(0), len(hand)) if hand else () for hand in state.hands)
        state = msgspec.structs.replace(state, opened=opened, hands=((),) * state.seats, named=())
        return msgspec.structs.replace(state, holds=state.lost())


class CallChoices(Automatic, frozen=True):
    """Everybody with a card that wants a choice is asked, all at the same time."""

    stays = True

    def run(self, state: State) -> State:
        asked = tuple(seat for seat in state.live() if choosers(state.cards_of(seat)))
        return state.put(AskChoices(choosers=asked)) if asked else state


class AskChoices(Asking, frozen=True):
    """These seats choose for their wild cards, Book of Changes, Island and Angel."""

    choosers: tuple[Seat, ...]

    def without(self, state: State, gone: frozenset[Seat]) -> State:
        choosers = tuple(seat for seat in self.choosers if seat not in gone)
        return state.put(AskChoices(choosers=choosers)) if choosers else state

    def phase(self) -> Phase:
        return "choices"

    def seats(self, state: State) -> tuple[Seat, ...]:
        return self.choosers

    def check(self, state: State, seat: Seat, move: Move) -> None:
        around = context(state.options, state.discards, state.seats)
        try:
            check_choices(state.cards_of(seat), _chosen(move), around)
        except IllegalChoices as error:
            raise IllegalMove(error.message) from error

    def apply(self, state: State, moves: Mapping[Seat, Move]) -> State:
        chosen = {seat: _chosen(move) for seat, move in moves.items()}
        return msgspec.structs.replace(state, choices=tuple(chosen.get(seat) for seat in range(state.seats)))


def _chosen(move: Move) -> scoring.Choices:
    if not isinstance(move, Choose):
        raise IllegalMove(_("Choose for your wild cards."))
    return move.choices


class CountUp(Automatic, frozen=True):
    """The hands are counted and ranked; that of a seat which has left isn't, and comes last."""

    stays = True

    def run(self, state: State) -> State:
        scores = {seat: self.score(state, seat) for seat in state.live()}
        totals = tuple(scores[seat].total if seat in scores else None for seat in range(state.seats))
        strengths = tuple(scores[seat].strength if seat in scores else 0 for seat in range(state.seats))
        return msgspec.structs.replace(state, totals=totals, ranks=ranks(totals, strengths))

    def score(self, state: State, seat: Seat) -> scoring.Score:
        """The hand as chosen, and the items that lay face down."""
        around = context(state.options, state.discards, state.seats, state.items.opened[seat])
        return scoring.score(state.cards_of(seat), state.choices[seat] or scoring.Choices(), around)
