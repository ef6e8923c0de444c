"""Items about items: take another player's, use a discarded one, copy an own one, set some aside."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from frp2p.cards import CardId
from frp2p.cards import actions as do
from frp2p.cards.catalogue import item as item_of
from frp2p.games.fantasy_realms.items.asking import AskItem
from frp2p.games.fantasy_realms.items.facts import Facts, Moment, reusable, why_not
from frp2p.games.fantasy_realms.items.prompt import Prompt
from frp2p.games.fantasy_realms.items.setup import Replenish, SealJunk, ShuffleItems
from frp2p.games.fantasy_realms.items.stow import Perform, ShufflePile, StowItem, facts, play
from frp2p.games.fantasy_realms.moves import PickCards, PickSeat, PickSlots
from frp2p.games.fantasy_realms.outcome import cards_of
from frp2p.games.fantasy_realms.rows import with_entry
from frp2p.games.fantasy_realms.task import Automatic, Dealing, OfTurn
from frp2p.games.game import Move
from frp2p.games.verbs import Outcome, Reveal, Seat, SlotId, Verb

if TYPE_CHECKING:
    from frp2p.games.fantasy_realms.state import State


class AskSteal(AskItem, frozen=True):
    """Larcenous Gloves: whose open item is used, at once? Its owner gets another one before that."""

    moment: Moment

    def falls(self, state: State, gone: frozenset[Seat]) -> bool:
        """Also if nobody is left whose item could be used."""
        return super().falls(state, gone) or not self.prompt(state, state.turn_seat()).seats

    def prompt(self, state: State, seat: Seat) -> Prompt:
        around = facts(state, seat, self.moment)
        others = (other for other in range(state.seats) if other != seat)
        usable = tuple(other for other in others if _can_steal(state.items.face_up[other], around))
        return Prompt(item=self.item, what="steal", kind="seat", seats=usable)

    def apply(self, state: State, moves: Mapping[Seat, Move]) -> State:
        seat = state.turn_seat()
        move = moves[seat]
        stolen = state.items.face_up[move.seat] if isinstance(move, PickSeat) else None
        if not isinstance(move, PickSeat) or stolen is None:
            raise LookupError("checked before")
        state = state.with_items(face_up=with_entry(state.items.face_up, move.seat, None))
        stow, mix, perform = play(seat, stolen, self.moment)
        return state.put(stow, mix, Replenish(seat=move.seat), perform)


def _can_steal(item: CardId | None, around: Facts) -> bool:
    return item is not None and why_not(item, around) is None


class AskJunk(AskItem, frozen=True):
    """Junkyard Map: which of the items discarded last is used, at once?"""

    moment: Moment
    top: int

    def prompt(self, state: State, seat: Seat) -> Prompt:
        usable = reusable(facts(state, seat, self.moment), self.top)
        return Prompt(item=self.item, what="junk", kind="cards", cards=usable)

    def apply(self, state: State, moves: Mapping[Seat, Move]) -> State:
        seat = state.turn_seat()
        match moves[seat]:
            case PickCards(cards=(item,)):
                left = tuple(other for other in state.items.discards if other != item)
                return state.with_items(discards=left).put(*play(seat, item, self.moment))
        raise LookupError("checked before")


class AskCopy(AskItem, frozen=True):
    """Repair Kit: which own face-down item is used again? Which ones lie there only their owner sees."""

    moment: Moment
    but: tuple[str, ...]

    def prompt(self, state: State, seat: Seat) -> Prompt:
        return Prompt(
            item=self.item, what="copy", kind="slots", least=0, slots=state.items.piles[seat], moment=self.moment
        )

    def apply(self, state: State, moves: Mapping[Seat, Move]) -> State:
        match moves[state.turn_seat()]:
            case PickSlots(slots=(slot,)):
                return state.put(OpenCopied(slot=slot, moment=self.moment, but=self.but))
        return state


class OpenCopied(OfTurn, Dealing, frozen=True):
    """The item is shown and turned down again; then it does once more what it says.

    One that may not be copied, or that can't be used now, does nothing: only its owner could have known better.
    """

    slot: SlotId
    moment: Moment
    but: tuple[str, ...]

    def verbs(self, state: State) -> tuple[Verb, ...]:
        return (Reveal(slots=(self.slot,)),)

    def dealt(self, state: State, outcomes: tuple[Outcome, ...]) -> State:
        seat = state.turn_seat()
        (item,) = cards_of(outcomes[0], 1)
        pile = tuple(slot for slot in state.items.piles[seat] if slot != self.slot)
        state = state.with_items(piles=with_entry(state.items.piles, seat, pile))
        again = (Perform(item=item, moment=self.moment),) if can_copy(item, self.but) else ()
        return state.put(StowItem(seat=seat, item=item), ShufflePile(seat=seat), *again)


def can_copy(item: CardId, but: tuple[str, ...]) -> bool:
    """Whether a Repair Kit, itself never, may copy this item."""
    entry = item_of(item)
    return entry.en not in but and not isinstance(entry.action, do.CopyOwn)


class CallAside(OfTurn, Automatic, frozen=True):
    """Backpack: items are opened until so many lie beside the seat, as far as there are any."""

    left: int

    def run(self, state: State) -> State:
        if not self.left:
            return state
        if state.items.deck:
            return state.put(OpenAside(count=min(self.left, len(state.items.deck))), CallMore(left=self.left))
        return state.put(SealJunk(), ShuffleItems(), self) if state.items.discards else state


class CallMore(OfTurn, Automatic, frozen=True):
    """What the deck of items had not enough of comes from the discarded ones."""

    left: int

    def run(self, state: State) -> State:
        missing = self.left - len(state.items.aside[state.turn_seat()])
        return state.put(CallAside(left=missing)) if missing > 0 and state.items.discards else state


class OpenAside(OfTurn, Dealing, frozen=True):
    """Items from the top of their deck lie open beside the seat."""

    count: int

    def verbs(self, state: State) -> tuple[Verb, ...]:
        return (Reveal(slots=state.items.deck[: self.count]),)

    def dealt(self, state: State, outcomes: tuple[Outcome, ...]) -> State:
        seat, shelf = state.turn_seat(), state.items
        items = cards_of(outcomes[0], self.count)
        aside = with_entry(shelf.aside, seat, (*shelf.aside[seat], *items))
        return state.with_items(aside=aside, deck=shelf.deck[self.count :])
