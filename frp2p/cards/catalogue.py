"""All cards and items by id, and the digest of the whole catalogue."""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec

from frp2p.cards.base import BASE, PROMOS
from frp2p.cards.card import Card, CardId, Item
from frp2p.cards.hoard import HOARD
from frp2p.cards.items import ITEMS
from frp2p.cards.suits import STYLES

CARDS: dict[CardId, Card] = {card.id: card for card in BASE + PROMOS + HOARD}
"""Every card of every hand deck, in catalogue order."""

_ITEMS: dict[CardId, Item] = {item.id: item for item in ITEMS}


def card(card_id: CardId) -> Card:
    """The card with this id; KeyError if there is none (an item is no card)."""
    return CARDS[card_id]


def item(item_id: CardId) -> Item:
    """The cursed item with this id; KeyError if there is none."""
    return _ITEMS[item_id]


def export() -> dict[str, Any]:
    """The catalogue as plain values, as it stands in protocol/cards.json."""
    plain: dict[str, Any] = msgspec.to_builtins(
        {
            "suits": [{"code": suit.value, **msgspec.to_builtins(style)} for suit, style in STYLES.items()],
            "cards": list(CARDS.values()),
            "items": list(ITEMS),
        }
    )
    return plain


_SHOWN_ONLY = ("pt", "aliases", "home")
"""Fields that no rule reads: they may differ between peers."""


def catalogue_digest() -> bytes:
    """SHA-256 (32 bytes) of what the rules read of the catalogue: two peers that agree on it play the same cards.

    Of `export()` it takes the lists `cards` and `items`, leaves out the fields that are only shown (`pt`, `aliases`,
    `home`), and writes them as JSON with sorted keys, without spaces, in UTF-8.
    """
    facts = {
        section: [
            {field: value for field, value in entry.items() if field not in _SHOWN_ONLY} for entry in export()[section]
        ]
        for section in ("cards", "items")
    }
    return hashlib.sha256(msgspec.json.encode(facts, order="sorted")).digest()
