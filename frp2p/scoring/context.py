"""What scoring must know besides the hand: the deck in use, the table, and how contested rulings are decided."""

from __future__ import annotations

import msgspec

from frp2p.cards import CardId, PhoenixOption, Suit, deck, real_suits


class House(msgspec.Struct, frozen=True, array_like=True):
    """Contested rulings; the defaults are ours, docs/scoring.md gives reasons.

    `forest_each`: Forest scores for each card named Elven Archers, not once.
    `fountain_self`: Fountain of Life may take its own strength.
    `wildfire_wilds`: Wildfire spares cards that are still Wild.
    `wildfire_outsiders`: Wildfire spares Outsiders, as a later printing says.
    `book_wild`: Book of Changes may make a card Wild.
    `phoenix_cleared`: a Deluxe Phoenix whose penalty is cleared lives beside a Flood that blanks Flames.
    """

    forest_each: bool = False
    fountain_self: bool = True
    wildfire_wilds: bool = True
    wildfire_outsiders: bool = False
    book_wild: bool = False
    phoenix_cleared: bool = True


class Context(msgspec.Struct, frozen=True):
    """`discard`: the discard area at the end. `items`: the cursed items face down before the owner of the hand."""

    players: int = 4
    discard: tuple[CardId, ...] = ()
    extra_suits: bool = False
    jester: bool = False
    phoenix: PhoenixOption = "off"
    items: tuple[CardId, ...] = ()
    house: House = House()

    def deck(self) -> tuple[CardId, ...]:
        """The deck in use, in canonical order."""
        return deck(extra_suits=self.extra_suits, jester=self.jester, phoenix=self.phoenix)

    def real_suits(self) -> tuple[Suit, ...]:
        """The suits in play, Wild not among them."""
        return real_suits(extra_suits=self.extra_suits)
