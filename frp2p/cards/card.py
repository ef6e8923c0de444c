"""One printed card, and one printed cursed item."""

from __future__ import annotations

from typing import Literal, NewType, TypeAlias

import msgspec

from frp2p.cards.actions import Action
from frp2p.cards.effects import Effect
from frp2p.cards.suits import Suit

CardId = NewType("CardId", str)
"""Stable id of one printed card or item, `FR31`."""

Home: TypeAlias = Literal["base", "promo", "hoard"]
"""The box a card comes from: the base game, a promo, or the suits of the Cursed Hoard."""

Timing: TypeAlias = Literal["any", "replace", "after", "copy"]
"""When an item may be used: at any moment of the own turn, instead of the turn, after it, or as the copied item."""


class Card(msgspec.Struct, frozen=True):
    """One card of the hand deck.

    `en` is its English name and at the same time its name in the sense of the rules: two printings with one `en` have
    the same name. `bonus` and `penalty` are its two texts as data, each line one effect. `aliases` are names on older
    printings and slips that people type. `replaces` is the card that leaves the deck when this one comes in.
    """

    id: CardId
    suit: Suit
    strength: int
    en: str
    pt: str
    bonus: tuple[Effect, ...] = ()
    penalty: tuple[Effect, ...] = ()
    aliases: tuple[str, ...] = ()
    home: Home = "base"
    replaces: CardId | None = None

    def name(self, language: str = "en") -> str:
        """The name in this language; English where we have no other."""
        return self.pt if language.startswith("pt") else self.en

    @property
    def effects(self) -> tuple[Effect, ...]:
        """Bonus, then penalty."""
        return self.bonus + self.penalty


class Item(msgspec.Struct, frozen=True):
    """One cursed item. Its `value` counts at the end of the game if it lies face down.

    `value_of_two` takes the place of `value` when only two play (Spyglass). `extra` points come on top where at least
    `extra_needs` other face-down items lie beside it (Treasure Chest).
    """

    id: CardId
    value: int
    timing: Timing
    en: str
    pt: str
    action: Action
    value_of_two: int | None = None
    extra: int = 0
    extra_needs: int = 0
    aliases: tuple[str, ...] = ()

    def name(self, language: str = "en") -> str:
        """The name in this language; English where we have no other."""
        return self.pt if language.startswith("pt") else self.en
