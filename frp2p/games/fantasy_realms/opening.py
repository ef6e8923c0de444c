"""From a box of cards to the first turn."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from frp2p.games.fantasy_realms.options import Options, deck, measure
from frp2p.games.fantasy_realms.outcome import number_of, slots_of
from frp2p.games.fantasy_realms.task import Dealing
from frp2p.games.verbs import TABLE, Coin, Draw, Outcome, Seal, Seat, Shuffle, SlotId, Verb

if TYPE_CHECKING:
    from frp2p.games.fantasy_realms.state import State


class SealDeck(Dealing, frozen=True):
    """The cards become slots, still in the order that everybody knows."""

    def verbs(self, state: State) -> tuple[Verb, ...]:
        return (Seal(cards=deck(state.options), lock=TABLE),)

    def dealt(self, state: State, outcomes: tuple[Outcome, ...]) -> State:
        return msgspec.structs.replace(state, deck=slots_of(outcomes[0], len(deck(state.options))))


class ShuffleDeck(Dealing, frozen=True):
    """Every seat in turn shuffles the deck."""

    def verbs(self, state: State) -> tuple[Verb, ...]:
        return (Shuffle(slots=state.deck, by=TABLE),)

    def dealt(self, state: State, outcomes: tuple[Outcome, ...]) -> State:
        deck = slots_of(outcomes[0], len(state.deck))
        return msgspec.structs.replace(state.unnamed(state.deck), deck=deck)


class TossFirst(Dealing, frozen=True):
    """A coin with as many sides as seats names who begins."""

    def verbs(self, state: State) -> tuple[Verb, ...]:
        return (Coin(sides=state.seats),)

    def dealt(self, state: State, outcomes: tuple[Outcome, ...]) -> State:
        first = number_of(outcomes[0], state.seats)
        return msgspec.structs.replace(state, first_seat=first, seat_in_turn=first)


class DealHands(Dealing, frozen=True):
    """Every seat gets its hand from the top of the deck, one whole hand after the other."""

    def hands(self, state: State) -> tuple[tuple[SlotId, ...], ...]:
        size = measure(state.options).hand
        return tuple(state.deck[seat * size : (seat + 1) * size] for seat in range(state.seats))

    def verbs(self, state: State) -> tuple[Verb, ...]:
        return tuple(Draw(slots=hand, seat=seat) for seat, hand in enumerate(self.hands(state)))

    def dealt(self, state: State, outcomes: tuple[Outcome, ...]) -> State:
        size = measure(state.options).hand
        hands = tuple(slots_of(outcome, size) for outcome in outcomes)
        return msgspec.structs.replace(state, hands=hands, deck=state.deck[size * state.seats :])


class ShuffleHands(Dealing, frozen=True):
    """These seats shuffle their own hands; what everybody could name by its place is hidden again."""

    seats: tuple[Seat, ...]

    def verbs(self, state: State) -> tuple[Verb, ...]:
        return tuple(Shuffle(slots=state.hands[seat], by=seat) for seat in self.seats)

    def dealt(self, state: State, outcomes: tuple[Outcome, ...]) -> State:
        hands = list(state.hands)
        spent: set[SlotId] = set()
        for seat, outcome in zip(self.seats, outcomes, strict=True):
            spent.update(hands[seat])
            hands[seat] = slots_of(outcome, len(hands[seat]))
        named = tuple(pair for pair in state.named if pair[0] not in spent)
        return msgspec.structs.replace(state, hands=tuple(hands), named=named)


def deal_tasks(options: Options, seats: int) -> tuple[DealHands | ShuffleHands, ...]:
    """What is to be done between the shuffle of the deck and the first turn; in a duel nobody is dealt a card."""
    if options.mode == "duel":
        return ()
    return (DealHands(), *((ShuffleHands(seats=tuple(range(seats))),) if options.unlinkable_hands else ()))
