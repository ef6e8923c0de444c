"""The keys of a table: public ones of all seats, and the secrets of mine."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from frp2p.deal.context import Epoch
from frp2p.deal.fields import hash_fields
from frp2p.deal.group import IDENTITY, Group, Point
from frp2p.errors import LocalError
from frp2p.games.verbs import TABLE, Seat


@dataclass(frozen=True)
class Secrets:
    """One seat's secrets of one game: x with H = x g, w with W = w g. Made for this game only, and shown to nobody
    unless all agreed to an open audit: then to everybody, once the game is over."""

    deck: int = field(repr=False)
    view: int = field(repr=False)


@dataclass(frozen=True)
class Roster:
    """All seats in order: Ed25519 identity, deck key H and viewing key W of each; and who has left.

    A seat keeps its number when others leave, so the keys of those who left stay in their places.
    """

    identities: tuple[bytes, ...]
    deck_keys: tuple[Point, ...]
    view_keys: tuple[Point, ...]
    gone: frozenset[Seat] = frozenset()

    @property
    def present(self) -> tuple[Seat, ...]:
        """Who has not left, ascending."""
        return tuple(seat for seat in range(len(self.identities)) if seat not in self.gone)

    def without(self, seats: frozenset[Seat]) -> Roster:
        """The roster once these have left."""
        return replace(self, gone=self.gone | seats)

    def digest(self) -> bytes:
        """roster_hash: 64 bytes over those who are present."""
        present = self.present
        return hash_fields(
            "roster",
            ("identity", [self.identities[seat] for seat in present]),
            ("deck-key", [self.deck_keys[seat] for seat in present]),
            ("view-key", [self.view_keys[seat] for seat in present]),
        )

    def joint(self, group: Group) -> Point:
        """J, the sum of the deck keys of those who are present."""
        first, *others = (self.deck_keys[seat] for seat in self.present)
        for key in others:
            first = group.add(first, key)
        if first == IDENTITY:
            raise LocalError("the joint key is the identity", code="deal-joint-key")
        return first


@dataclass(frozen=True)
class Locks:
    """The key behind every lock, as long as the same seats are here."""

    group: Group
    epoch: Epoch
    roster: Roster
    joint: Point
    ctx: bytes
    """What every proof of this epoch is bound to."""

    @classmethod
    def of(cls, group: Group, epoch: Epoch, roster: Roster) -> Locks:
        return cls(group, epoch, roster, roster.joint(group), epoch.context(roster.digest()))

    def without(self, seats: frozenset[Seat]) -> Locks:
        """A new epoch: J without these keys, and another ctx, so that nothing said before holds from there on."""
        return Locks.of(self.group, self.epoch.next(), self.roster.without(seats))

    def __getitem__(self, lock: Seat) -> Point:
        """J for TABLE, H_i for seat i."""
        return self.joint if lock == TABLE else self.roster.deck_keys[lock]
