"""Which cards are in the deck under which options."""

from __future__ import annotations

from typing import Literal, TypeAlias

from frp2p.cards.base import BASE, PROMOS
from frp2p.cards.card import CardId
from frp2p.cards.hoard import HOARD
from frp2p.cards.items import ITEMS

PhoenixOption: TypeAlias = Literal["off", "deluxe", "promo"]
"""No Phoenix, the printing of the Deluxe box, or the first promo printing; never both."""

_REPLACED = {new.replaces: new.id for new in HOARD if new.replaces is not None}


def deck(*, extra_suits: bool = False, jester: bool = False, phoenix: PhoenixOption = "off") -> tuple[CardId, ...]:
    """The hand deck in canonical order: base cards (each replacement in the place of the card that it replaces), then
    Jester, Phoenix, then the new cards of the extra suits. 53, 55 with both promos, 68, 70."""
    cards = [_REPLACED.get(card.id, card.id) if extra_suits else card.id for card in BASE]
    if jester:
        cards.append(PROMOS[0].id)
    if phoenix != "off":
        cards.append(PROMOS[1 if phoenix == "deluxe" else 2].id)
    if extra_suits:
        cards += [card.id for card in HOARD if card.replaces is None]
    return tuple(cards)


def items() -> tuple[CardId, ...]:
    """The deck of the 24 cursed items in canonical order."""
    return tuple(item.id for item in ITEMS)
