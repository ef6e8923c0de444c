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
    """A coin with as many sides as there are players names who begins."""

    def verbs(self, state: State) -> tuple[Verb, ...]:
        return (Coin(sides=len(state.live())),)

    def dealt(self, state: State, outcomes: tuple[Outcome, ...]) -> State:
        live = state.live()
        first = live[number_of(outcomes[0], len(live))]
        return msgspec.structs.replace(state, first_seat=first, seat_in_turn=first)


class DealHands(Dealing, frozen=True):
    """Every seat gets its hand from the top of the deck, one whole hand after the other."""

    def without(self, state: State, gone: frozenset[Seat]) -> State:
        """The deck is shuffled again: it may be known already to whom some of its cards would have gone."""
        return state if self.falls(state, gone) else state.put(ShuffleDeck(), self)

    def verbs(self, state: State) -> tuple[Verb, ...]:
        size = measure(state.options).hand
        starts = enumerate(state.live())
        return tuple(Draw(slots=state.deck[at * size : (at + 1) * size], seat=seat) for at, seat in starts)

    def dealt(self, state: State, outcomes: tuple[Outcome, ...]) -> State:
        size, live = measure(state.options).hand, state.live()
        for seat, outcome in zip(live, outcomes, strict=True):
            state = state.with_hand(seat, slots_of(outcome, size))
        return msgspec.structs.replace(state, deck=state.deck[size * len(live) :])


class ShuffleHands(Dealing, frozen=True):
    """These seats shuffle their own hands; what everybody could name by its place is hidden again."""

    seats: tuple[Seat, ...]

    def without(self, state: State, gone: frozenset[Seat]) -> State:
        seats = tuple(seat for seat in self.seats if seat not in gone)
        return state.put(ShuffleHands(seats=seats)) if seats and not state.stopped else state

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


def deal_tasks(options: Options, seats: tuple[Seat, ...]) -> tuple[DealHands | ShuffleHands, ...]:
    """What is to be done between the shuffle of the deck and the first turn; in a duel nobody is dealt a card."""
    if options.mode == "duel":
        return ()
    return (DealHands(), *((ShuffleHands(seats=seats),) if options.unlinkable_hands else ()))
