"""Items that look: at a hand, at the deck, at all cards of a suit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from frp2p.cards import CARDS, CardId, Suit, real_suits
from frp2p.games.fantasy_realms.items.asking import AskItem
from frp2p.games.fantasy_realms.items.hands import shuffle_hands
from frp2p.games.fantasy_realms.items.prompt import Prompt
from frp2p.games.fantasy_realms.moves import PickSeat, PickSlots, PickSuit
from frp2p.games.fantasy_realms.options import Options, deck
from frp2p.games.fantasy_realms.outcome import cards_of, slots_of
from frp2p.games.fantasy_realms.task import Dealing, OfTurn
from frp2p.games.game import Move
from frp2p.games.verbs import Exclude, Outcome, Peek, Reveal, Seal, Seat, SlotId, Verb

if TYPE_CHECKING:
    from frp2p.games.fantasy_realms.state import State


class AskLook(AskItem, frozen=True):
    """Spyglass: whose hand?"""

    def prompt(self, state: State, seat: Seat) -> Prompt:
        others = tuple(other for other in range(state.seats) if other != seat and state.hands[other])
        return Prompt(item=self.item, what="look", kind="seat", seats=others)

    def apply(self, state: State, moves: Mapping[Seat, Move]) -> State:
        move = moves[state.turn_seat()]
        if not isinstance(move, PickSeat):
            raise LookupError("checked before")
        return state.put(PeekAt(slots=state.hands[move.seat]))


class PeekAt(OfTurn, Dealing, frozen=True):
    """The seat in turn alone sees these cards; they stay where they are."""

    slots: tuple[SlotId, ...]

    def without(self, state: State, gone: frozenset[Seat]) -> State:
        """Nothing is seen if it was the hand of one who has left."""
        there = {slot for slots in (state.deck, *state.hands) for slot in slots}
        return state if self.falls(state, gone) or not there.issuperset(self.slots) else state.put(self)

    def verbs(self, state: State) -> tuple[Verb, ...]:
        return (Peek(slots=self.slots, viewer=state.turn_seat()),)

    def dealt(self, state: State, outcomes: tuple[Outcome, ...]) -> State:
        slots_of(outcomes[0], len(self.slots))
        return state


class AskSuit(AskItem, frozen=True):
    """Crystal Ball: which suit? Wild is one: three cards have it printed on them."""

    def prompt(self, state: State, seat: Seat) -> Prompt:
        suits = (*real_suits(extra_suits=state.options.extra_suits), Suit.WILD)
        return Prompt(item=self.item, what="name-suit", kind="suit", suits=tuple(suit.value for suit in suits))

    def apply(self, state: State, moves: Mapping[Seat, Move]) -> State:
        move = moves[state.turn_seat()]
        if not isinstance(move, PickSuit):
            raise LookupError("checked before")
        return state.put(AskShow(item=self.item, suit=move.suit))


class AskShow(AskItem, frozen=True):
    """Every other player with cards names those of the suit. Which ones these are only their owner sees, so any would
    do here; that nothing was held back is proved next."""

    suit: str

    def seats(self, state: State) -> tuple[Seat, ...]:
        return tuple(other for other in range(state.seats) if other != state.turn_seat() and state.hands[other])

    def prompt(self, state: State, seat: Seat) -> Prompt:
        hand = state.hands[seat]
        return Prompt(
            item=self.item, what="show-suit", kind="slots", least=0, most=len(hand), suits=(self.suit,), slots=hand
        )

    def apply(self, state: State, moves: Mapping[Seat, Move]) -> State:
        picks = tuple((seat, move.slots) for seat, move in sorted(moves.items()) if isinstance(move, PickSlots))
        return state.put(ShowSuit(suit=self.suit, picks=picks))


class ShowSuit(OfTurn, Dealing, frozen=True):
    """The named cards are shown, and the owner of each hand proves that no other card of it has the suit."""

    suit: str
    picks: tuple[tuple[Seat, tuple[SlotId, ...]], ...]

    def without(self, state: State, gone: frozenset[Seat]) -> State:
        picks = tuple(pick for pick in self.picks if pick[0] not in gone)
        return state if self.falls(state, gone) or not picks else state.put(ShowSuit(suit=self.suit, picks=picks))

    def verbs(self, state: State) -> tuple[Verb, ...]:
        cards = suit_cards(self.suit, state.options)
        verbs: list[Verb] = []
        for seat, shown in self.picks:
            rest = tuple(slot for slot in state.hands[seat] if slot not in shown)
            verbs += [Reveal(slots=shown)] if shown else []
            verbs += [Exclude(slots=rest, cards=cards)] if rest else []
        return tuple(verbs)

    def dealt(self, state: State, outcomes: tuple[Outcome, ...]) -> State:
        left = list(outcomes)
        back: list[tuple[Seat, tuple[CardId, ...]]] = []
        for seat, shown in self.picks:
            rest = tuple(slot for slot in state.hands[seat] if slot not in shown)
            if shown:
                cards = cards_of(left.pop(0), len(shown))
                back.append((seat, cards))
                state = state.shown_from(seat, shown, cards)
            if rest:
                slots_of(left.pop(0), len(rest))
        if not back:
            return state
        return state.put(TakeBack(cards=tuple(back)), *shuffle_hands(state, tuple(seat for seat, _cards in back)))


class TakeBack(Dealing, frozen=True):
    """These open cards join the hands of these seats; everybody knows that they are there."""

    stays = True

    cards: tuple[tuple[Seat, tuple[CardId, ...]], ...]

    def without(self, state: State, gone: frozenset[Seat]) -> State:
        """The cards of who has left go to the discard area."""
        state = state.laid(tuple(card for seat, cards in self.cards if seat in gone for card in cards))
        back = tuple(pair for pair in self.cards if pair[0] not in gone)
        return state.put(TakeBack(cards=back)) if back else state

    def verbs(self, state: State) -> tuple[Verb, ...]:
        return tuple(Seal(cards=cards, lock=seat) for seat, cards in self.cards)

    def dealt(self, state: State, outcomes: tuple[Outcome, ...]) -> State:
        for (seat, cards), outcome in zip(self.cards, outcomes, strict=True):
            state = state.joined(seat, slots_of(outcome, len(cards)), cards)
        return state


def suit_cards(suit: str, options: Options) -> tuple[CardId, ...]:
    """All cards in play that have this suit printed on them."""
    return tuple(card for card in deck(options) if CARDS[card].suit == suit)
