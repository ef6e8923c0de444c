"""What the owner of a hand chooses at scoring."""

from __future__ import annotations

import msgspec

from frp2p.cards import CardId


class Choices(msgspec.Struct, frozen=True, array_like=True):
    """Each field is None where the card is not in the hand or its ability is not used.

    `mirage` and `shapeshifter` name a card of the game; `doppelganger`, `island` and `angel` a card of the hand;
    `book` a card of the hand and the code of the suit that it gets.
    """

    doppelganger: CardId | None = None
    mirage: CardId | None = None
    shapeshifter: CardId | None = None
    book: tuple[CardId, str] | None = None
    island: CardId | None = None
    angel: CardId | None = None
