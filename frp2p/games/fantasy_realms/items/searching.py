"""Items that search the deck: for the next card of a suit, or for any card."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import msgspec

from frp2p.cards import CARDS, CardId, real_suits
from frp2p.games.fantasy_realms.items.asking import AskItem
from frp2p.games.fantasy_realms.items.drawing import mixed_anew
from frp2p.games.fantasy_realms.items.hands import shuffle_hands
from frp2p.games.fantasy_realms.items.prompt import Prompt
from frp2p.games.fantasy_realms.items.shelf import Shown
from frp2p.games.fantasy_realms.moves import PickSlots, PickSuit
from frp2p.games.fantasy_realms.opening import ShuffleDeck
from frp2p.games.fantasy_realms.outcome import cards_of, slots_of
from frp2p.games.fantasy_realms.task import Automatic, Dealing, OfTurn
from frp2p.games.fantasy_realms.turn import AskDiscard
from frp2p.games.game import IllegalMove, Move
from frp2p.games.verbs import TABLE, Outcome, Reveal, Seal, Seat, SlotId, Verb
from frp2p.locale import _

if TYPE_CHECKING:
    from frp2p.games.fantasy_realms.state import State


class AskHunt(AskItem, frozen=True):
    """Lantern: for which suit? Wild cards have none here."""

    most: int

    def prompt(self, state: State, seat: Seat) -> Prompt:
        suits = tuple(suit.value for suit in real_suits(extra_suits=state.options.extra_suits))
        return Prompt(item=self.item, what="hunt", kind="suit", suits=suits)

    def apply(self, state: State, moves: Mapping[Seat, Move]) -> State:
        move = moves[state.turn_seat()]
        if not isinstance(move, PickSuit):
            raise LookupError("checked before")
        return state.put(HuntTop(suit=move.suit, left=self.most))


class HuntTop(OfTurn, Dealing, frozen=True):
    """The top card of the deck is shown: a hit ends the hunt, and so does the last card that may be drawn."""

    suit: str
    left: int

    def without(self, state: State, gone: frozenset[Seat]) -> State:
        """Without the seeker the shown cards go back into the deck."""
        return CallBack().without(state, gone) if self.falls(state, gone) else state.put(self)

    def verbs(self, state: State) -> tuple[Verb, ...]:
        return (Reveal(slots=state.deck[:1]),)

    def dealt(self, state: State, outcomes: tuple[Outcome, ...]) -> State:
        seat = state.turn_seat()
        (card,) = cards_of(outcomes[0], 1)
        state = msgspec.structs.replace(state.unnamed(state.deck[:1]), deck=state.deck[1:])
        if CARDS[card].suit == self.suit:
            return state.put(KeepHit(card=card), CallBack(), AskOther(), *shuffle_hands(state, (seat,)))
        state = state.with_items(shown=(*state.items.shown, Shown(seat=seat, card=card)))
        if self.left > 1 and state.deck:
            return state.put(HuntTop(suit=self.suit, left=self.left - 1))
        return state.put(CallBack())


class KeepHit(OfTurn, Dealing, frozen=True):
    """The hit joins the hand; everybody has seen it."""

    card: CardId

    def owed(self) -> int:
        return -1

    def without(self, state: State, gone: frozenset[Seat]) -> State:
        return state.laid((self.card,)) if self.falls(state, gone) else state.put(self)

    def verbs(self, state: State) -> tuple[Verb, ...]:
        return (Seal(cards=(self.card,), lock=state.turn_seat()),)

    def dealt(self, state: State, outcomes: tuple[Outcome, ...]) -> State:
        return state.joined(state.turn_seat(), slots_of(outcomes[0], 1), (self.card,))


class CallBack(Automatic, frozen=True):
    """The shown cards go back into the deck, which everybody shuffles; nobody knows any place in it then."""

    def run(self, state: State) -> State:
        return state.put(SealShown(), ShuffleDeck()) if state.items.shown else state


class SealShown(Dealing, frozen=True):
    """Cards that were shown are turned down and lie in the deck."""

    def verbs(self, state: State) -> tuple[Verb, ...]:
        return (Seal(cards=tuple(one.card for one in state.items.shown), lock=TABLE),)

    def dealt(self, state: State, outcomes: tuple[Outcome, ...]) -> State:
        slots = slots_of(outcomes[0], len(state.items.shown))
        return msgspec.structs.replace(state.with_items(shown=()), deck=(*state.deck, *slots))


class AskOther(AskDiscard, frozen=True):
    """The discard after a hit: any card but the hit, which still has the last place in the hand."""

    def hit(self, state: State) -> SlotId:
        return state.hands[state.turn_seat()][-1]

    def check(self, state: State, seat: Seat, move: Move) -> None:
        super().check(state, seat, move)
        if getattr(move, "slot", None) == self.hit(state):
            raise IllegalMove(_("The card that the Lantern has found stays in your hand."))


class AskTop(AskItem, frozen=True):
    """Wishing Ring: which card of the deck, all of which the seat has seen and mixed, goes on top?"""

    def without(self, state: State, gone: frozenset[Seat]) -> State:
        return mixed_anew(state) if self.falls(state, gone) else state.put(self)

    def prompt(self, state: State, seat: Seat) -> Prompt:
        return Prompt(item=self.item, what="top", kind="slots", slots=state.deck)

    def apply(self, state: State, moves: Mapping[Seat, Move]) -> State:
        match moves[state.turn_seat()]:
            case PickSlots(slots=(top,)):
                rest = tuple(slot for slot in state.deck if slot != top)
                return msgspec.structs.replace(state, deck=(top, *rest)).with_items(mix=True)
        raise LookupError("checked before")
