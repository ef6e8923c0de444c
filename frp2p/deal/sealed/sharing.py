"""A key in shares, so that all others together can do what its owner would, and nobody ever has the key itself.

Owner i takes a polynomial f of degree t - 1 with f(0) = x_i and gives f(j + 1) to every other seat j; the commitments
F_k = f_k g (F_0 = H_i) let each check its own share (Feldman 1987). Any t holders l make x_i A of the shares f(l + 1) A
by interpolation at 0: x_i A = sum of lambda_l f(l + 1) A. Here t is the number of all other seats, so that a hand is
safe as long as one of them keeps its share for itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from frp2p.deal.fields import fields, u8
from frp2p.deal.group import ORDER, Group, Point
from frp2p.games.verbs import Seat


@dataclass(frozen=True)
class Sharing:
    """The shared keys of all who are present. `mine`: my share of each other seat's key; empty for an observer."""

    commitments: Mapping[Seat, tuple[Point, ...]]
    mine: Mapping[Seat, int] = field(repr=False)

    def keys(self, group: Group, owner: Seat) -> dict[Seat, Point]:
        """The public key f(j + 1) g of every other seat's share of the owner's key."""
        return {seat: share_key(group, self.commitments[owner], seat) for seat in self.commitments if seat != owner}

    def encode(self) -> bytes:
        """What all agree on, for the digest of the state."""
        return fields("sharing", [u8(seat) + b"".join(points) for seat, points in sorted(self.commitments.items())])


def share(polynomial: Sequence[int], holder: Seat) -> int:
    """f(holder + 1)."""
    return sum(factor * pow(holder + 1, power, ORDER) for power, factor in enumerate(polynomial)) % ORDER


def share_key(group: Group, commitments: Sequence[Point], holder: Seat) -> Point:
    """f(holder + 1) g out of the commitments."""
    return group.msm(commitments, [pow(holder + 1, power, ORDER) for power in range(len(commitments))])


def weights(holders: Sequence[Seat]) -> list[int]:
    """Lagrange's lambda_l at 0 for the places l + 1 of these holders: f(0) = sum of lambda_l f(l + 1)."""
    made = []
    for holder in holders:
        above = below = 1
        for other in holders:
            if other != holder:
                above = above * (other + 1) % ORDER
                below = below * (other - holder) % ORDER
        made.append(above * pow(below, -1, ORDER) % ORDER)
    return made
