"""What a cursed item does when it is used, as data."""

from __future__ import annotations

from typing import Literal

import msgspec


class Action(msgspec.Struct, frozen=True, tag=True):
    """What using an item does."""


class NoAction(Action, frozen=True):
    """Nothing: the item only counts at the end."""


class SeeHand(Action, frozen=True):
    """Look at another player's whole hand."""


class SeeTop(Action, frozen=True):
    """Look at this many cards from the top of the deck; they stay there."""

    count: int


class SeeBottom(Action, frozen=True):
    """Look at this many cards from the bottom of the deck; they stay there."""

    count: int


class ShowSuit(Action, frozen=True):
    """Name a suit: every other player shows all hand cards of it."""


class TopToDiscards(Action, frozen=True):
    """This many cards go from the top of the deck to the discard area."""

    count: int


class ReversedTurn(Action, frozen=True):
    """Discard first, then draw from the deck."""


class Market(Action, frozen=True):
    """Show a hand card; each other player may offer up to `offers` cards; swap for one, keep, or discard and draw."""

    offers: int


class SetAside(Action, frozen=True):
    """This many items from the item deck lie face up beside you; your next replacements are taken from them."""

    items: int


class DiscardsToBottom(Action, frozen=True):
    """This many chosen cards of the discard area go to the bottom of the deck; `refill`: as many come from its top."""

    count: int
    refill: bool = False


class Cover(Action, frozen=True):
    """Cover this many cards of the discard area: they still count there, but only you may take them."""

    count: int


class UseOther(Action, frozen=True):
    """Use another item at once: another player's face-up one, or one of the `top` last discarded."""

    source: Literal["seat", "discards"]
    top: int = 0


class Replace(Action, frozen=True):
    """`least` to `most` hand cards go to the bottom of the deck; as many are drawn from its top."""

    least: int
    most: int


class TakeDiscards(Action, frozen=True):
    """Take this many cards of the discard area, then discard as many."""

    count: int


class DrawAndDiscard(Action, frozen=True):
    """Draw this many cards from the deck, then discard as many of the hand."""

    count: int


class DrawAndReturn(Action, frozen=True):
    """Draw `draw` cards, put `back` on the top or bottom of the deck in any split, then discard one."""

    draw: int
    back: int


class CopyOwn(Action, frozen=True):
    """Use an item again that you have played before, none of `but` (English names)."""

    but: tuple[str, ...]


class ExtraTurn(Action, frozen=True):
    """One more turn; the replacement item comes after it."""


class Hunt(Action, frozen=True):
    """Name a suit and draw until a card of it shows, at most `most` cards; keep it and discard another hand card.

    The other drawn cards are shown and shuffled back.
    """

    most: int


class KeepDrawn(Action, frozen=True):
    """Leave out this turn's discard: the hand is one card larger from now on."""


class SearchToTop(Action, frozen=True):
    """Search the deck and put any card on its top; the deck is shuffled when the turn ends."""
