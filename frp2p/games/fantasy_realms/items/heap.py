"""Items that change the discard area: cards from the top of the deck, cards under the deck, covers, takes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import msgspec

from frp2p.cards import CardId
from frp2p.games.fantasy_realms.items.asking import AskItem
from frp2p.games.fantasy_realms.items.hands import shuffle_hands
from frp2p.games.fantasy_realms.items.prompt import Prompt
from frp2p.games.fantasy_realms.items.shelf import Covered
from frp2p.games.fantasy_realms.moves import PickCards, PickSlots
from frp2p.games.fantasy_realms.outcome import cards_of, slots_of
from frp2p.games.fantasy_realms.task import Dealing, OfTurn
from frp2p.games.game import Move
from frp2p.games.verbs import TABLE, Outcome, Reveal, Seal, Seat, SlotId, Verb

if TYPE_CHECKING:
    from frp2p.games.fantasy_realms.state import State


class OpenTopCards(OfTurn, Dealing, frozen=True):
    """Cards from the top of the deck go straight to the discard area."""

    count: int

    def verbs(self, state: State) -> tuple[Verb, ...]:
        return (Reveal(slots=state.deck[: self.count]),)

    def dealt(self, state: State, outcomes: tuple[Outcome, ...]) -> State:
        cards = cards_of(outcomes[0], self.count)
        state = state.unnamed(state.deck[: self.count])
        return msgspec.structs.replace(state, deck=state.deck[self.count :], discards=(*state.discards, *cards))


class AskCards(AskItem, frozen=True):
    """So many cards of the discard area."""

    count: int

    def pool(self, state: State, seat: Seat) -> tuple[CardId, ...]:
        """The cards that can be picked: those that nobody covers."""
        return state.items.uncovered(state.discards)

    def picked(self, state: State, moves: Mapping[Seat, Move]) -> tuple[CardId, ...]:
        move = moves[state.turn_seat()]
        if not isinstance(move, PickCards):
            raise LookupError("checked before")
        return move.cards


class AskBury(AskCards, frozen=True):
    """Shovel, Gold Mirror: which cards go under the deck? With `refill` as many come from its top."""

    refill: bool

    def prompt(self, state: State, seat: Seat) -> Prompt:
        pool = self.pool(state, seat)
        return Prompt(item=self.item, what="bury", kind="cards", least=self.count, most=self.count, cards=pool)

    def apply(self, state: State, moves: Mapping[Seat, Move]) -> State:
        refill = (OpenTopCards(count=self.count),) if self.refill else ()
        return state.put(BuryCards(cards=self.picked(state, moves)), *refill)


class BuryCards(OfTurn, Dealing, frozen=True):
    """Discards go under the deck, face down, the last one undermost. Until a shuffle everybody can name them."""

    cards: tuple[CardId, ...]

    def verbs(self, state: State) -> tuple[Verb, ...]:
        return (Seal(cards=self.cards, lock=TABLE),)

    def dealt(self, state: State, outcomes: tuple[Outcome, ...]) -> State:
        slots = slots_of(outcomes[0], len(self.cards))
        return msgspec.structs.replace(
            state,
            deck=(*state.deck, *slots),
            discards=tuple(card for card in state.discards if card not in self.cards),
            named=(*state.named, *zip(slots, self.cards, strict=True)),
        )


class AskCover(AskCards, frozen=True):
    """Sealed Vault: which cards are covered? They stay discards in every other respect."""

    def prompt(self, state: State, seat: Seat) -> Prompt:
        pool = self.pool(state, seat)
        return Prompt(item=self.item, what="cover", kind="cards", least=self.count, most=self.count, cards=pool)

    def apply(self, state: State, moves: Mapping[Seat, Move]) -> State:
        seat = state.turn_seat()
        covers = (Covered(card=card, seat=seat) for card in self.picked(state, moves))
        return state.with_items(covered=(*state.items.covered, *covers))


class AskTake(AskCards, frozen=True):
    """Rake: which cards are taken? Those that the seat has covered itself are its to take."""

    def pool(self, state: State, seat: Seat) -> tuple[CardId, ...]:
        return state.takeable(seat)

    def prompt(self, state: State, seat: Seat) -> Prompt:
        pool = self.pool(state, seat)
        return Prompt(item=self.item, what="take", kind="cards", least=self.count, most=self.count, cards=pool)

    def apply(self, state: State, moves: Mapping[Seat, Move]) -> State:
        taken = TakeCards(cards=self.picked(state, moves))
        seats = (state.turn_seat(),)
        return state.put(taken, *shuffle_hands(state, seats), AskLay(item=self.item, count=self.count))


class TakeCards(OfTurn, Dealing, frozen=True):
    """Several discards join the hand."""

    cards: tuple[CardId, ...]

    def owed(self) -> int:
        return -len(self.cards)

    def verbs(self, state: State) -> tuple[Verb, ...]:
        return (Seal(cards=self.cards, lock=state.turn_seat()),)

    def dealt(self, state: State, outcomes: tuple[Outcome, ...]) -> State:
        slots = slots_of(outcomes[0], len(self.cards))
        return state.taken(self.cards).joined(state.turn_seat(), slots, self.cards)


class AskLay(AskItem, frozen=True):
    """Which hand cards are discarded?"""

    count: int

    def owed(self) -> int:
        return self.count

    def prompt(self, state: State, seat: Seat) -> Prompt:
        hand = state.hands[seat]
        return Prompt(item=self.item, what="lay", kind="slots", least=self.count, most=self.count, slots=hand)

    def apply(self, state: State, moves: Mapping[Seat, Move]) -> State:
        move = moves[state.turn_seat()]
        if not isinstance(move, PickSlots):
            raise LookupError("checked before")
        return state.put(LayCards(slots=move.slots))


class LayCards(OfTurn, Dealing, frozen=True):
    """The discarded cards become public and lie in the discard area."""

    slots: tuple[SlotId, ...]

    def owed(self) -> int:
        return len(self.slots)

    def verbs(self, state: State) -> tuple[Verb, ...]:
        return (Reveal(slots=self.slots),)

    def dealt(self, state: State, outcomes: tuple[Outcome, ...]) -> State:
        cards = cards_of(outcomes[0], len(self.slots))
        state = state.shown_from(state.turn_seat(), self.slots, cards)
        return msgspec.structs.replace(state, discards=(*state.discards, *cards))
