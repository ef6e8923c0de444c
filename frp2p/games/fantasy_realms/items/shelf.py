"""Where the cursed items of a table are: the part of the state that is theirs."""

from __future__ import annotations

import msgspec

from frp2p.cards import CardId
from frp2p.games.verbs import Seat, SlotId


class Covered(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A card of the discard area that only this seat may take (Sealed Vault)."""

    card: CardId
    seat: Seat


class Shown(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A card that lies open on the table for the moment, before the seat that it belongs to (Market Wagon, Lantern)."""

    seat: Seat
    card: CardId


class Shelf(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Everything public about the items; face-down ones appear as slots only. Rows have one entry a seat.

    `deck`: top first. `discards`: oldest first. `face_up`: the item that lies open before each seat. `aside`: those set
    aside by a Backpack. `piles`: used items, face down. `opened`: the piles as they are shown at the end.
    `covered` and `shown` are hand cards. `skip`: the discard of this turn is left out (Portal). `again`: the seat in
    turn has one more turn (Hourglass). `mix`: the deck is shuffled when the turn ends (Wishing Ring).
    """

    face_up: tuple[CardId | None, ...]
    aside: tuple[tuple[CardId, ...], ...]
    piles: tuple[tuple[SlotId, ...], ...]
    opened: tuple[tuple[CardId, ...], ...]
    deck: tuple[SlotId, ...] = ()
    discards: tuple[CardId, ...] = ()
    covered: tuple[Covered, ...] = ()
    shown: tuple[Shown, ...] = ()
    skip: bool = False
    again: bool = False
    mix: bool = False

    def covered_for_others(self, seat: Seat) -> frozenset[CardId]:
        """The discards that this seat may not take."""
        return frozenset(one.card for one in self.covered if one.seat != seat)

    def uncovered(self, discards: tuple[CardId, ...]) -> tuple[CardId, ...]:
        """The discards that nobody has covered."""
        hidden = frozenset(one.card for one in self.covered)
        return tuple(card for card in discards if card not in hidden)


def bare_shelf(seats: int) -> Shelf:
    """No item anywhere."""
    return Shelf(face_up=(None,) * seats, aside=((),) * seats, piles=((),) * seats, opened=((),) * seats)
