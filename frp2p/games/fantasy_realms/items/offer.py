"""What a viewer may do with items, from the view alone."""

from __future__ import annotations

from frp2p.cards import CARDS, CardId
from frp2p.cards.actions import CopyOwn
from frp2p.cards.catalogue import item as item_of
from frp2p.errors import LocalError
from frp2p.games.fantasy_realms.items.facts import Facts, Moment, why_not
from frp2p.games.fantasy_realms.items.others import can_copy
from frp2p.games.fantasy_realms.items.prompt import Prompt, answers
from frp2p.games.fantasy_realms.moves import FantasyMove, KeepItem, PickSlots, SwapItem, UseItem
from frp2p.games.fantasy_realms.turn import can_take
from frp2p.games.fantasy_realms.view import SeatView, View


def facts_seen(view: View, moment: Moment) -> Facts:
    """What the use of an item by the viewer, who is in turn, depends on."""
    mine, others = _me(view), [seat for seat in view.seats if seat.seat != view.me]
    free = takeable(view)
    return Facts(
        moment=moment,
        deck=view.deck_left,
        hand=len(mine.hand),
        takeable=len(free) if can_take(view.turn, len(free)) else 0,
        uncovered=len(view.discards) - len(view.covered),
        pile=len(mine.pile),
        spare=view.items_left + len(view.item_discards) + len(mine.aside),
        junk=view.item_discards,
        others=tuple(seat.item for seat in others if seat.item is not None),
        hands=sum(bool(seat.hand) for seat in others),
    )


def takeable(view: View) -> tuple[CardId, ...]:
    """The discards that the viewer may take: all but those that another seat has covered."""
    barred = frozenset(one.card for one in view.covered if one.seat != view.me)
    return tuple(card for card in view.discards if card not in barred)


def why_not_now(view: View) -> str | None:
    """Why the viewer, who is asked in its own turn, can't use its open item now; None if it can, or has none."""
    item = _me(view).item
    if item is None or view.phase not in ("draw", "discard", "finish"):
        return None
    return why_not(item, facts_seen(view, view.phase))


def uses(view: View) -> tuple[FantasyMove, ...]:
    """The use of the open item, if there is one that can be used now."""
    item = _me(view).item
    return (UseItem(item=item),) if item is not None and why_not_now(view) is None else ()


def at_the_end(view: View) -> tuple[FantasyMove, ...]:
    """Phase `finish`: leave the item, swap it if there is another one, use it if that is possible."""
    swap = (SwapItem(),) if facts_seen(view, "finish").spare else ()
    return (KeepItem(), *swap, *uses(view))


def to_prompt(view: View) -> tuple[FantasyMove, ...]:
    """Phase `item`: the answers to the question. The cards of a suit are named truly, all of them; an item is only
    copied where that does something."""
    prompt = asked(view)
    pairs = tuple(zip(prompt.slots, prompt.faces, strict=True))
    if prompt.what == "show-suit":
        return (PickSlots(slots=tuple(slot for slot, face in pairs if face and CARDS[face].suit in prompt.suits)),)
    if prompt.what == "copy":
        useful = tuple(slot for slot, face in pairs if face is not None and copyable(face, prompt, view))
        return (PickSlots(slots=()), *(PickSlots(slots=(slot,)) for slot in useful))
    return answers(prompt)


def copyable(item: CardId, prompt: Prompt, view: View) -> bool:
    """Whether copying this own item with the one that asks does something now."""
    action = item_of(prompt.item).action
    if not isinstance(action, CopyOwn) or prompt.moment is None or not can_copy(item, action.but):
        return False
    return why_not(item, facts_seen(view, prompt.moment)) is None


def asked(view: View) -> Prompt:
    """The question to the viewer."""
    if view.prompt is None:
        raise LocalError("no item asks this viewer")
    return view.prompt


def _me(view: View) -> SeatView:
    if view.me is None:
        raise LookupError("the public has no items")
    return view.seats[view.me]
