"""From the last discard to the ranks: open hands, the Necromancer, the wild cards, the count."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

import msgspec

from frp2p import scoring
from frp2p.cards import CardId
from frp2p.games.fantasy_realms.moves import Choose, PickExtra
from frp2p.games.fantasy_realms.outcome import cards_of
from frp2p.games.fantasy_realms.ranking import ranks
from frp2p.games.fantasy_realms.task import Asking, Automatic, Dealing
from frp2p.games.game import IllegalMove, Move
from frp2p.games.verbs import Outcome, Reveal, Seat, Verb
from frp2p.locale import _
from frp2p.scoring import IllegalChoices, check_choices, choosers, necromancer_may_take

if TYPE_CHECKING:
    from frp2p.games.fantasy_realms.state import State
    from frp2p.games.fantasy_realms.view import Phase


NECROMANCER: Final = CardId("FR28")


def context(discards: tuple[CardId, ...], seats: int) -> scoring.Context:
    """What a count depends on beside the hand."""
    return scoring.Context(players=seats, discard=discards)


class RevealHands(Dealing, frozen=True):
    """All hands become public."""

    def verbs(self, state: State) -> tuple[Verb, ...]:
        return tuple(Reveal(slots=hand) for hand in state.hands)

    def dealt(self, state: State, outcomes: tuple[Outcome, ...]) -> State:
        opened = tuple(cards_of(outcome, len(hand)) for hand, outcome in zip(state.hands, outcomes, strict=True))
        nothing: tuple[tuple[CardId, ...], ...] = ((),) * state.seats
        return msgspec.structs.replace(state, opened=opened, hands=((),) * state.seats, holds=nothing, named=())


def extra_candidates(discards: tuple[CardId, ...]) -> tuple[CardId, ...]:
    """The discards that the Necromancer may take, oldest first."""
    return tuple(card for card in discards if necromancer_may_take(card))


class CallNecromancer(Automatic, frozen=True):
    """Whoever holds the Necromancer is asked, if it has something to take."""

    def run(self, state: State) -> State:
        holders = [seat for seat, hand in enumerate(state.opened) if NECROMANCER in hand]
        if not holders or not extra_candidates(state.discards):
            return state
        return state.put(AskExtra(seat=holders[0]))


class AskExtra(Asking, frozen=True):
    """The Necromancer's holder may take one Army, Leader, Wizard or Beast from the discard area as an extra card."""

    seat: Seat

    def phase(self) -> Phase:
        return "extra"

    def seats(self, state: State) -> tuple[Seat, ...]:
        return (self.seat,)

    def check(self, state: State, seat: Seat, move: Move) -> None:
        picked = _picked(move)
        if picked is not None and picked not in extra_candidates(state.discards):
            raise IllegalMove(_("The Necromancer can't take this card."))

    def apply(self, state: State, moves: Mapping[Seat, Move]) -> State:
        picked = _picked(moves[self.seat])
        left = tuple(card for card in state.discards if card != picked)
        extras = (*state.extras[: self.seat], picked, *state.extras[self.seat + 1 :])
        return msgspec.structs.replace(state, extras=extras, discards=left)


def _picked(move: Move) -> CardId | None:
    if not isinstance(move, PickExtra):
        raise IllegalMove(_("Name the card for the Necromancer, or none."))
    return move.card


class CallChoices(Automatic, frozen=True):
    """Everybody with a card that wants a choice is asked, all at the same time."""

    def run(self, state: State) -> State:
        asked = tuple(seat for seat in range(state.seats) if choosers(state.cards_of(seat)))
        return state.put(AskChoices(choosers=asked)) if asked else state


class AskChoices(Asking, frozen=True):
    """These seats choose for their wild cards, Book of Changes and Island."""

    choosers: tuple[Seat, ...]

    def phase(self) -> Phase:
        return "choices"

    def seats(self, state: State) -> tuple[Seat, ...]:
        return self.choosers

    def check(self, state: State, seat: Seat, move: Move) -> None:
        try:
            check_choices(state.cards_of(seat), _chosen(move), context(state.discards, state.seats))
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
    """The hands are counted and ranked."""

    def run(self, state: State) -> State:
        around = context(state.discards, state.seats)
        scores = [
            scoring.score(state.cards_of(seat), choices or scoring.Choices(), around)
            for seat, choices in enumerate(state.choices)
        ]
        totals = tuple(score.total for score in scores)
        strengths = tuple(score.strength for score in scores)
        return msgspec.structs.replace(state, totals=totals, ranks=ranks(totals, strengths))
