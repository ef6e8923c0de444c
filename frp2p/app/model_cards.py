"""Names, marks and texts of cards in the language in use. Items have a name too, but no suit and no strength."""

from __future__ import annotations

from frp2p.cards import CARDS, CardId, Suit, card
from frp2p.cards import mark as suit_mark
from frp2p.cards import suit_name as name_of_suit
from frp2p.cards.catalogue import item
from frp2p.cards.sets import items
from frp2p.cards.text import effect_text
from frp2p.locale import _, language


def name(card_id: CardId) -> str:
    """The name of a card or item; the id itself for one that this program does not know."""
    if card_id in CARDS:
        return CARDS[card_id].name(language())
    return item(card_id).name(language()) if is_item(card_id) else str(card_id)


def is_item(card_id: CardId) -> bool:
    """Whether this is a cursed item."""
    return card_id in items()


def suit(card_id: CardId) -> str:
    """The code of the printed suit."""
    return card(card_id).suit.value


def mark(card_id: CardId) -> str:
    """The two letters of the printed suit."""
    return suit_mark(card(card_id).suit)


def suit_name(code: str) -> str:
    """The name of a suit."""
    return name_of_suit(Suit(code), language())


def strength(card_id: CardId) -> int:
    """The printed base strength."""
    return card(card_id).strength


def rule(card_id: CardId) -> tuple[str, ...]:
    """What the card says: bonus, then penalty; empty for a card without text."""
    printed = card(card_id)
    rows = []
    if printed.bonus:
        rows.append(_("Bonus: {text}").format(text=" ".join(map(effect_text, printed.bonus))))
    if printed.penalty:
        rows.append(_("Penalty: {text}").format(text=" ".join(map(effect_text, printed.penalty))))
    return tuple(rows)
