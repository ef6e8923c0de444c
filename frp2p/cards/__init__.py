"""The catalogue: every card as typed data."""

from __future__ import annotations

from frp2p.cards.card import Card, CardId, Item
from frp2p.cards.catalogue import CARDS, card, catalogue_digest, item
from frp2p.cards.sets import PhoenixOption, deck
from frp2p.cards.suits import Suit, colour, mark, real_suits, suit_name

__all__ = [
    "CARDS",
    "Card",
    "CardId",
    "Item",
    "PhoenixOption",
    "Suit",
    "card",
    "catalogue_digest",
    "colour",
    "deck",
    "item",
    "mark",
    "real_suits",
    "suit_name",
]
