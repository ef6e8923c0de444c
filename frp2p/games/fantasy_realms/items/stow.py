"""Using an item: it goes face down onto the own pile, the pile is shuffled, and then it does what it says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from frp2p.cards import CardId
from frp2p.cards import actions as do
from frp2p.cards.catalogue import item as item_of
from frp2p.games.fantasy_realms.items.facts import Facts, Moment, why_not
from frp2p.games.fantasy_realms.outcome import slots_of
from frp2p.games.fantasy_realms.rows import with_entry
from frp2p.games.fantasy_realms.task import Automatic, Dealing, OfSeat, OfTurn
from frp2p.games.game import IllegalMove
from frp2p.games.verbs import Outcome, Seal, Seat, Shuffle, Verb
from frp2p.locale import _

if TYPE_CHECKING:
    from frp2p.games.fantasy_realms.agenda import AnyTask
    from frp2p.games.fantasy_realms.state import State


def facts(state: State, seat: Seat, moment: Moment) -> Facts:
    """What the use of an item by this seat depends on."""
    # Only here: a turn asks for items, so this module is there before it.
    from frp2p.games.fantasy_realms.turn import can_take

    shelf, others = state.items, [other for other in range(state.seats) if other != seat]
    takeable = state.takeable(seat)
    return Facts(
        moment=moment,
        deck=len(state.deck),
        hand=len(state.hands[seat]),
        takeable=len(takeable) if can_take(state.turn, len(takeable)) else 0,
        uncovered=len(shelf.uncovered(state.discards)),
        pile=len(shelf.piles[seat]),
        spare=len(shelf.deck) + len(shelf.discards) + len(shelf.aside[seat]),
        junk=shelf.discards,
        others=tuple(item for other in others if (item := shelf.face_up[other]) is not None),
        hands=sum(bool(state.hands[other]) for other in others),
    )


def check_use(state: State, seat: Seat, item: CardId, moment: Moment) -> None:
    """IllegalMove unless this is the seat's open item and can be used now."""
    if state.items.face_up[seat] != item:
        raise IllegalMove(_("This item does not lie face up before you."))
    reason = why_not(item, facts(state, seat, moment))
    if reason is not None:
        raise IllegalMove(reason)


def use(state: State, seat: Seat, item: CardId, moment: Moment, *then: AnyTask) -> State:
    """The state in which the item is used next, and then these tasks follow."""
    if isinstance(item_of(item).action, do.CopyOwn) and not state.items.piles[seat]:
        from frp2p.games.fantasy_realms.items.setup import Replenish

        return state.put(Replenish(seat=seat), *then)
    state = state.with_items(face_up=with_entry(state.items.face_up, seat, None))
    return state.put(*play(seat, item, moment), *then)


def play(seat: Seat, item: CardId, moment: Moment) -> tuple[AnyTask, ...]:
    """What is to be done for an item that this seat has taken up."""
    return (StowItem(seat=seat, item=item), ShufflePile(seat=seat), Perform(item=item, moment=moment))


class StowItem(OfSeat, Dealing, frozen=True):
    """The item is turned down and lies on the seat's pile."""

    stays = True

    item: CardId

    def without(self, state: State, gone: frozenset[Seat]) -> State:
        if not self.falls(state, gone):
            return state.put(self)
        return state.with_items(discards=(*state.items.discards, self.item))

    def verbs(self, state: State) -> tuple[Verb, ...]:
        return (Seal(cards=(self.item,), lock=self.seat),)

    def dealt(self, state: State, outcomes: tuple[Outcome, ...]) -> State:
        pile = (*state.items.piles[self.seat], *slots_of(outcomes[0], 1))
        return state.with_items(piles=with_entry(state.items.piles, self.seat, pile))


class ShufflePile(OfSeat, Dealing, frozen=True):
    """The seat shuffles its pile: from now on no place in it can be named. (One item alone is masked anew.)"""

    stays = True

    def verbs(self, state: State) -> tuple[Verb, ...]:
        return (Shuffle(slots=state.items.piles[self.seat], by=self.seat),)

    def dealt(self, state: State, outcomes: tuple[Outcome, ...]) -> State:
        pile = slots_of(outcomes[0], len(state.items.piles[self.seat]))
        return state.with_items(piles=with_entry(state.items.piles, self.seat, pile))


class Perform(OfTurn, Automatic, frozen=True):
    """The item does what it says; nothing, if it can't any more (a copy, or what happened since it was chosen)."""

    item: CardId
    moment: Moment

    def run(self, state: State) -> State:
        # Only here: what items do asks for discards and draws, which are parts of a turn.
        from frp2p.games.fantasy_realms.items.perform import perform

        if why_not(self.item, facts(state, state.turn_seat(), self.moment)) is not None:
            return state
        return perform(state, self.item, self.moment)
