"""Whether an item can be used now, and if not, why: from what everybody can count."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from frp2p.cards import CardId
from frp2p.cards import actions as do
from frp2p.cards.catalogue import item as item_of
from frp2p.locale import _, ngettext

Moment: TypeAlias = Literal["draw", "discard", "finish"]
"""Where the turn stands: before a card is drawn or taken, before one is discarded, or done."""


class Facts(msgspec.Struct, frozen=True):
    """What the use of an item depends on, as seen by the seat in turn.

    `deck`, `hand`: cards there. `takeable`: discards that the seat may take; `uncovered`: those that nobody covers.
    `pile`: own face-down items. `spare`: items that can still come (deck, discards, set aside). `junk`: discarded
    items, oldest first. `others`: the face-up items of the other seats. `hands`: other seats that have cards.
    """

    moment: Moment
    deck: int
    hand: int
    takeable: int
    uncovered: int
    pile: int
    spare: int
    junk: tuple[CardId, ...]
    others: tuple[CardId, ...]
    hands: int


def why_not(item: CardId, facts: Facts) -> str | None:
    """The sentence that says why this item can't be used now; None if it can."""
    entry = item_of(item)
    if entry.timing == "replace" and facts.moment != "draw":
        return _("This item is used instead of a turn: before you draw or take a card.")
    if entry.timing == "after" and facts.moment != "finish":
        return _("This item is used after your turn, once you have discarded.")
    return _lacking(entry.action, facts)


def _lacking(action: do.Action, facts: Facts) -> str | None:
    """What is not there that the action needs."""
    match action:
        case do.SeeHand() | do.Market() | do.ShowSuit():
            return None if facts.hands and facts.hand else _("No other player has a card.")
        case do.SeeTop() | do.SeeBottom() | do.ReversedTurn() | do.Hunt() | do.SearchToTop():
            return _deck(1, facts)
        case do.TopToDiscards(count=count) | do.DrawAndDiscard(count=count) | do.DrawAndReturn(draw=count):
            return _deck(count, facts)
        case do.SetAside():
            return None if facts.spare else _("There is no other item left.")
        case do.DiscardsToBottom(count=count) | do.Cover(count=count):
            return _uncovered(count, facts)
        case do.TakeDiscards(count=count):
            return None if facts.takeable >= count else _discards(count)
        case do.Replace(least=least):
            return None if facts.hand >= least else _("You have too few cards for this.")
        case do.KeepDrawn():
            return None if facts.moment != "finish" else _("You have discarded already in this turn.")
    return _lacking_item(action, facts)


def _lacking_item(action: do.Action, facts: Facts) -> str | None:
    """The same for the actions that are about items. No item meets itself, so this comes to an end."""
    match action:
        case do.UseOther(source="seat"):
            if not stealable(facts):
                return _("No other player has an item that you could use now.")
        case do.UseOther(top=top):
            if not reusable(facts, top):
                return _("None of the {count} items discarded last could be used now.").format(count=top)
        case do.CopyOwn():
            if not facts.pile and not facts.spare:
                return _("There is no other item left.")
    return None


def stealable(facts: Facts) -> tuple[CardId, ...]:
    """The face-up items of others that the seat could use now."""
    return tuple(item for item in facts.others if why_not(item, _without(facts, item)) is None)


def reusable(facts: Facts, top: int) -> tuple[CardId, ...]:
    """The items among the `top` discarded last that the seat could use now, oldest first."""
    return tuple(item for item in facts.junk[-top:] if why_not(item, _without(facts, item)) is None)


def _without(facts: Facts, item: CardId) -> Facts:
    """The facts once this item and the one that brought it have been taken up."""
    return msgspec.structs.replace(
        facts,
        pile=facts.pile + 1,
        junk=tuple(other for other in facts.junk if other != item),
        others=tuple(other for other in facts.others if other != item),
    )


def _deck(count: int, facts: Facts) -> str | None:
    if facts.deck >= count:
        return None
    sentence = ngettext("This needs a card in the deck.", "This needs {count} cards in the deck.", count)
    return sentence.format(count=count)


def _uncovered(count: int, facts: Facts) -> str | None:
    return None if facts.uncovered >= count else _discards(count)


def _discards(count: int) -> str:
    sentence = ngettext(
        "This needs an uncovered card in the discard area.",
        "This needs {count} uncovered cards in the discard area.",
        count,
    )
    return sentence.format(count=count)
