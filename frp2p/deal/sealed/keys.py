"""The keys of a table: public ones of all seats, and the secrets of mine."""

from __future__ import annotations

from dataclasses import dataclass, field

from frp2p.deal.fields import hash_fields
from frp2p.deal.group import Group, Point
from frp2p.games.verbs import TABLE, Seat


@dataclass(frozen=True)
class Secrets:
    """One seat's secrets of one game: x with H = x g, w with W = w g. Made for this game only, never shown."""

    deck: int = field(repr=False)
    view: int = field(repr=False)


@dataclass(frozen=True)
class Roster:
    """All seats in order: Ed25519 identity, deck key H and viewing key W of each."""

    identities: tuple[bytes, ...]
    deck_keys: tuple[Point, ...]
    view_keys: tuple[Point, ...]

    def digest(self) -> bytes:
        """roster_hash: 64 bytes."""
        return hash_fields(
            "roster", ("identity", self.identities), ("deck-key", self.deck_keys), ("view-key", self.view_keys)
        )

    def joint(self, group: Group) -> Point:
        """J, the sum of all deck keys."""
        total = self.deck_keys[0]
        for key in self.deck_keys[1:]:
            total = group.add(total, key)
        return total


@dataclass(frozen=True)
class Locks:
    """The key behind every lock."""

    joint: Point
    roster: Roster

    def __getitem__(self, lock: Seat) -> Point:
        """J for TABLE, H_i for seat i."""
        return self.joint if lock == TABLE else self.roster.deck_keys[lock]
