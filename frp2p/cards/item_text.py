"""The rule text of a cursed item, made from its data in the language in use: value, moment, action."""

from __future__ import annotations

from functools import singledispatch

from frp2p.cards import actions as do
from frp2p.cards.card import Item
from frp2p.cards.notation import both
from frp2p.cards.text import points_text, rule_name
from frp2p.errors import LocalError
from frp2p.locale import _, ngettext


def item_value(item: Item) -> str:
    """What it counts at the end of the game, face down."""
    text = _("Counts {points} face down").format(points=points_text(item.value))
    if item.value_of_two is not None:
        text = _("{text} ({points} with two players)").format(text=text, points=points_text(item.value_of_two))
    if item.extra:
        more = _("{text}, and {points} more beside {count} or more other face-down items")
        text = more.format(text=text, points=points_text(item.extra), count=item.extra_needs)
    return _("{text}.").format(text=text)


def item_timing(item: Item) -> str:
    """When it may be used."""
    return {
        "any": _("At any moment of your turn."),
        "replace": _("Instead of your turn."),
        "after": _("After your turn."),
        "copy": _("When the copied item may be used."),
    }[item.timing]


@singledispatch
def action_text(action: do.Action) -> str:
    """What using it does, as one or two sentences."""
    raise LocalError(f"no wording for {type(action).__name__}", code="no-card-text")


@action_text.register
def _no_action(_action: do.NoAction) -> str:
    return _("No action.")


@action_text.register
def _see_hand(_action: do.SeeHand) -> str:
    return _("Look at the whole hand of another player.")


@action_text.register
def _see_top(action: do.SeeTop) -> str:
    sentence = ngettext("Look at the top card of the deck.", "Look at the top {count} cards of the deck.", action.count)
    return sentence.format(count=action.count)


@action_text.register
def _see_bottom(action: do.SeeBottom) -> str:
    sentence = ngettext(
        "Look at the bottom card of the deck.", "Look at the bottom {count} cards of the deck.", action.count
    )
    return sentence.format(count=action.count)


@action_text.register
def _show_suit(_action: do.ShowSuit) -> str:
    return _("Name a suit: every other player shows all their hand cards of it.")


@action_text.register
def _top_to_discards(action: do.TopToDiscards) -> str:
    sentence = ngettext(
        "The top card of the deck goes to the discard area.",
        "The top {count} cards of the deck go to the discard area.",
        action.count,
    )
    return sentence.format(count=action.count)


@action_text.register
def _reversed_turn(_action: do.ReversedTurn) -> str:
    return _("Discard first, then draw from the deck.")


@action_text.register
def _market(action: do.Market) -> str:
    sentence = _(
        "Show a hand card: each other player may offer up to {count} cards. Swap it for one of them, keep it, "
        "or discard it and draw from the deck."
    )
    return sentence.format(count=action.offers)


@action_text.register
def _set_aside(action: do.SetAside) -> str:
    sentence = _("Lay {count} items face up beside you: your next {count} replacement items come from them.")
    return sentence.format(count=action.items)


@action_text.register
def _discards_to_bottom(action: do.DiscardsToBottom) -> str:
    if action.refill:
        sentence = ngettext(
            "Put one card of the discard area at the bottom of the deck, and the top card of the deck in its place.",
            "Put {count} cards of the discard area at the bottom of the deck, and as many from its top in their place.",
            action.count,
        )
    else:
        sentence = ngettext(
            "Put one card of the discard area at the bottom of the deck.",
            "Put {count} cards of the discard area at the bottom of the deck.",
            action.count,
        )
    return sentence.format(count=action.count)


@action_text.register
def _cover(action: do.Cover) -> str:
    sentence = _("Cover {count} cards of the discard area: they still count there, but only you may take them.")
    return sentence.format(count=action.count)


@action_text.register
def _use_other(action: do.UseOther) -> str:
    if action.source == "seat":
        return _("Take the face-up item of another player and use it at once; that player draws a new one.")
    return _("Take one of the top {count} discarded items and use it at once.").format(count=action.top)


@action_text.register
def _replace(action: do.Replace) -> str:
    sentence = _("Put {least} to {most} hand cards at the bottom of the deck and draw as many from its top.")
    return sentence.format(least=action.least, most=action.most)


@action_text.register
def _take_discards(action: do.TakeDiscards) -> str:
    return _("Take {count} cards of the discard area, then discard as many.").format(count=action.count)


@action_text.register
def _draw_and_discard(action: do.DrawAndDiscard) -> str:
    return _("Draw {count} cards from the deck, then discard as many.").format(count=action.count)


@action_text.register
def _draw_and_return(action: do.DrawAndReturn) -> str:
    sentence = _(
        "Draw {draw} cards from the deck, put {back} cards on its top or bottom in any split, then discard one."
    )
    return sentence.format(draw=action.draw, back=action.back)


@action_text.register
def _copy_own(action: do.CopyOwn) -> str:
    names = both(rule_name(name) for name in action.but)
    return _("Use an item again that you have played before, except {names}.").format(names=names)


@action_text.register
def _extra_turn(_action: do.ExtraTurn) -> str:
    return _("Take one more turn; the replacement item comes after it.")


@action_text.register
def _hunt(action: do.Hunt) -> str:
    sentence = _(
        "Name a suit and draw until a card of it shows, {count} cards at most: keep that card, discard another one, "
        "show the rest and shuffle it back. Wild cards have no suit here."
    )
    return sentence.format(count=action.most)


@action_text.register
def _keep_drawn(_action: do.KeepDrawn) -> str:
    return _("Leave out the discard of this turn: your hand is one card larger from now on.")


@action_text.register
def _search_to_top(_action: do.SearchToTop) -> str:
    return _("Search the deck and put any card on its top; the deck is shuffled at the end of your turn.")
