"""Items that draw in another way: turned round, two at once, a new hand, three to choose from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import msgspec

from frp2p.games.fantasy_realms.items.asking import AskItem
from frp2p.games.fantasy_realms.items.hands import shuffle_hands
from frp2p.games.fantasy_realms.items.prompt import Prompt
from frp2p.games.fantasy_realms.moves import Arrange, PickSlots
from frp2p.games.fantasy_realms.opening import ShuffleDeck
from frp2p.games.fantasy_realms.outcome import slots_of
from frp2p.games.fantasy_realms.task import Dealing, OfTurn
from frp2p.games.fantasy_realms.turn import AskDiscard, DrawTop, own_shuffle
from frp2p.games.game import Move
from frp2p.games.verbs import Draw, Outcome, PutBack, Seat, Shuffle, SlotId, Verb

if TYPE_CHECKING:
    from frp2p.games.fantasy_realms.state import State


class DrawCards(OfTurn, Dealing, frozen=True):
    """Several cards from the top of the deck join the hand, known to its owner alone."""

    count: int

    def owed(self) -> int:
        return -self.count

    def verbs(self, state: State) -> tuple[Verb, ...]:
        return (Draw(slots=state.deck[: self.count], seat=state.turn_seat()),)

    def dealt(self, state: State, outcomes: tuple[Outcome, ...]) -> State:
        slots = slots_of(outcomes[0], self.count)
        return msgspec.structs.replace(state, deck=state.deck[self.count :]).drawn_by(state.turn_seat(), slots)


class AskUnder(AskItem, frozen=True):
    """Staff of Transmutation: which hand cards go under the deck? As many are drawn."""

    least: int
    most: int

    def prompt(self, state: State, seat: Seat) -> Prompt:
        hand = state.hands[seat]
        most = min(self.most, len(hand))
        return Prompt(item=self.item, what="put-under", kind="slots", least=self.least, most=most, slots=hand)

    def apply(self, state: State, moves: Mapping[Seat, Move]) -> State:
        seat = state.turn_seat()
        move = moves[seat]
        if not isinstance(move, PickSlots):
            raise LookupError("checked before")
        count = len(move.slots)
        return state.put(PutUnder(slots=move.slots), DrawCards(count=count), *shuffle_hands(state, (seat,)))


class PutUnder(OfTurn, Dealing, frozen=True):
    """Hand cards go under the deck unseen, the last one undermost.

    Of the cards that everybody knew in this hand only those are still known whose place could be named: the others may
    be among those that went.
    """

    slots: tuple[SlotId, ...]

    def owed(self) -> int:
        return len(self.slots)

    def verbs(self, state: State) -> tuple[Verb, ...]:
        return (PutBack(slots=self.slots, seat=state.turn_seat()),)

    def dealt(self, state: State, outcomes: tuple[Outcome, ...]) -> State:
        seat = state.turn_seat()
        slots = slots_of(outcomes[0], len(self.slots))
        names = dict(state.named)
        kept = tuple(slot for slot in state.hands[seat] if slot not in self.slots)
        moved = tuple((new, names[old]) for old, new in zip(self.slots, slots, strict=True) if old in names)
        state = state.with_hand(seat, kept).with_held(seat, tuple(names[slot] for slot in kept if slot in names))
        state = state.unnamed(self.slots)
        return msgspec.structs.replace(state, deck=(*state.deck, *slots), named=(*state.named, *moved))


class MixTop(OfTurn, Dealing, frozen=True):
    """The seat in turn, who has looked at these top cards, mixes them: only it knows now which is which."""

    count: int

    def verbs(self, state: State) -> tuple[Verb, ...]:
        return (Shuffle(slots=state.deck[: self.count], by=state.turn_seat()),)

    def dealt(self, state: State, outcomes: tuple[Outcome, ...]) -> State:
        slots = slots_of(outcomes[0], self.count)
        state = state.unnamed(state.deck[: self.count])
        return msgspec.structs.replace(state, deck=(*slots, *state.deck[self.count :]))


def mixed_anew(state: State) -> State:
    """The seat that mixed cards of the deck has left before it was done: now all seats shuffle it, unless it is
    closed."""
    return state if state.stopped else state.put(ShuffleDeck())


class AskReturn(AskItem, frozen=True):
    """Cauldron: which of the top cards is kept, and where do the others go? Then the hand is one card too large."""

    count: int

    def without(self, state: State, gone: frozenset[Seat]) -> State:
        return mixed_anew(state) if self.falls(state, gone) else state.put(self)

    def prompt(self, state: State, seat: Seat) -> Prompt:
        return Prompt(item=self.item, what="return", kind="arrange", slots=state.deck[: self.count])

    def apply(self, state: State, moves: Mapping[Seat, Move]) -> State:
        seat = state.turn_seat()
        move = moves[seat]
        if not isinstance(move, Arrange):
            raise LookupError("checked before")
        deck = (move.keep, *move.top, *state.deck[self.count :], *move.bottom)
        state = msgspec.structs.replace(state, deck=deck)
        return state.put(DrawTop(), *own_shuffle(state, seat), AskDiscard())
