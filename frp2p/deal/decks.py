"""Which cards there are, and in which deck each one is."""

from __future__ import annotations

from collections.abc import Mapping

from frp2p.cards import CardId
from frp2p.deal.fields import field, fields
from frp2p.deal.limits import MAX_DECKS, MAX_SLOTS
from frp2p.errors import LocalError


class Decks:
    """The decks of a table. Every card is in exactly one of them."""

    def __init__(self, decks: Mapping[str, tuple[CardId, ...]]) -> None:
        if not 1 <= len(decks) <= MAX_DECKS:
            raise LocalError(f"a table has 1 to {MAX_DECKS} decks, not {len(decks)}")
        self.cards = {name: tuple(decks[name]) for name in sorted(decks)}
        self.deck_of: dict[CardId, str] = {}
        for name, cards in self.cards.items():
            if not name or not 1 <= len(cards) <= MAX_SLOTS:
                raise LocalError(f"deck {name!r} needs a name and 1 to {MAX_SLOTS} cards, not {len(cards)}")
            for card in cards:
                if card in self.deck_of:
                    raise LocalError(f"card {card} is there twice")
                self.deck_of[card] = name

    def encode(self) -> bytes:
        """All decks in the order of their names, each card in its order: for hashing."""
        return b"".join(
            field("deck", name.encode()) + fields("card", [card.encode() for card in cards])
            for name, cards in self.cards.items()
        )
