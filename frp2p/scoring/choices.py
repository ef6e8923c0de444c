"""What the owner of a hand chooses at scoring."""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from frp2p.cards import CardId

Guise: TypeAlias = str
"""What a Mirage or Shapeshifter becomes: the id of a card of the game (its name and suit), or the code of a suit alone,
`weapon`, for a card of that suit without a name."""


class Choices(msgspec.Struct, frozen=True, array_like=True):
    """Each field is None where the card is not in the hand or its ability is not used.

    `mirage` and `shapeshifter` name a card of the game or a plain suit; `doppelganger`, `island` and `angel` a card of
    the hand; `book` a card of the hand and the code of the suit that it gets.
    """

    doppelganger: CardId | None = None
    mirage: Guise | None = None
    shapeshifter: Guise | None = None
    book: tuple[CardId, str] | None = None
    island: CardId | None = None
    angel: CardId | None = None

    def count(self) -> int:
        """How many abilities are used."""
        return sum(
            chosen is not None
            for chosen in (self.doppelganger, self.mirage, self.shapeshifter, self.book, self.island, self.angel)
        )
