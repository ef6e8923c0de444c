"""What each action of an item puts on the agenda."""

from __future__ import annotations

from typing import TYPE_CHECKING

from frp2p.cards import CardId
from frp2p.cards import actions as do
from frp2p.cards.catalogue import item as item_of
from frp2p.errors import LocalError
from frp2p.games.fantasy_realms.items.drawing import AskReturn, AskUnder, DrawCards, MixTop
from frp2p.games.fantasy_realms.items.facts import Moment
from frp2p.games.fantasy_realms.items.hands import shuffle_hands
from frp2p.games.fantasy_realms.items.heap import AskBury, AskCover, AskLay, AskTake, OpenTopCards
from frp2p.games.fantasy_realms.items.looking import AskLook, AskSuit, PeekAt
from frp2p.games.fantasy_realms.items.market import AskWare
from frp2p.games.fantasy_realms.items.others import AskCopy, AskJunk, AskSteal, CallAside
from frp2p.games.fantasy_realms.items.searching import AskHunt, AskTop
from frp2p.games.fantasy_realms.options import measure
from frp2p.games.fantasy_realms.turn import AskDiscard, AskDraw, DrawTop, own_shuffle

if TYPE_CHECKING:
    from frp2p.games.fantasy_realms.agenda import AnyTask
    from frp2p.games.fantasy_realms.state import State


def perform(state: State, item: CardId, moment: Moment) -> State:
    """The state in which the item, which can be used now, does what it says."""
    entry = item_of(item)
    if entry.timing == "replace":
        state = _instead(state)
    match entry.action:
        case do.KeepDrawn():
            return _keep_drawn(state, moment)
        case do.ExtraTurn():
            return state.with_items(again=True)
    return state.put(*_tasks(state, item, entry.action, moment))


def _instead(state: State) -> State:
    """The turn is used up: nobody is asked for a draw any more."""
    if not isinstance(state.next_task(), AskDraw):
        raise LocalError("an item took the place of a turn that is not to come")
    return state.popped()


def _keep_drawn(state: State, moment: Moment) -> State:
    """Portal: the discard of this turn is left out, unless the hand would then be over its cap."""
    if moment == "draw":
        return state.with_items(skip=True)
    fits = len(state.hands[state.turn_seat()]) <= measure(state.options).cap
    return state.popped() if fits and isinstance(state.next_task(), AskDiscard) else state


def _tasks(state: State, item: CardId, action: do.Action, moment: Moment) -> tuple[AnyTask, ...]:
    seat = state.turn_seat()
    match action:
        case do.SeeHand():
            return (AskLook(item=item),)
        case do.SeeTop(count=count):
            return (PeekAt(slots=state.deck[:count]),)
        case do.SeeBottom(count=count):
            return (PeekAt(slots=state.deck[-count:]),)
        case do.ShowSuit():
            return (AskSuit(item=item),)
        case do.TopToDiscards(count=count):
            return (OpenTopCards(count=count),)
        case do.ReversedTurn():
            return (AskDiscard(), DrawTop(), *own_shuffle(state, seat))
        case do.Market(offers=offers):
            return (AskWare(item=item, offers=offers),)
        case do.DiscardsToBottom(count=count, refill=refill):
            return (AskBury(item=item, count=count, refill=refill),)
        case do.Cover(count=count):
            return (AskCover(item=item, count=count),)
        case do.TakeDiscards(count=count):
            return (AskTake(item=item, count=count),)
    return _more_tasks(state, item, action, moment)


def _more_tasks(state: State, item: CardId, action: do.Action, moment: Moment) -> tuple[AnyTask, ...]:
    seat = state.turn_seat()
    match action:
        case do.Replace(least=least, most=most):
            return (AskUnder(item=item, least=least, most=most),)
        case do.DrawAndDiscard(count=count):
            return (DrawCards(count=count), *shuffle_hands(state, (seat,)), AskLay(item=item, count=count))
        case do.DrawAndReturn(draw=draw):
            return (PeekAt(slots=state.deck[:draw]), MixTop(count=draw), AskReturn(item=item, count=draw))
        case do.Hunt(most=most):
            return (AskHunt(item=item, most=most),)
        case do.SearchToTop():
            whole = len(state.deck)
            return (PeekAt(slots=state.deck), MixTop(count=whole), AskTop(item=item))
        case do.UseOther(source="seat"):
            return (AskSteal(item=item, moment=moment),)
        case do.UseOther(top=top):
            return (AskJunk(item=item, moment=moment, top=top),)
        case do.CopyOwn(but=but):
            return (AskCopy(item=item, moment=moment, but=but),)
        case do.SetAside(items=items):
            return (CallAside(left=items),)
        case do.NoAction():
            return ()
    raise LocalError(f"no task carries out {type(action).__name__}")
