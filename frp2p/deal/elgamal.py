"""Cards under lock: ElGamal over points, (A, B) = (r g, M + r K) for a lock key K (Barnett and Smart 2003)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from frp2p.deal.group import BASE, SIZE, Group, Point
from frp2p.deal.parse import read_points


class Ciphertext(NamedTuple):
    """A card point M under a lock key K, masked by r: a = r g, b = M + r K."""

    a: Point
    b: Point


def trivial(group: Group, card: Point, key: Point) -> Ciphertext:
    """The masking that everybody computes alone, r = 1: nothing is hidden until somebody shuffles."""
    return Ciphertext(BASE, group.add(card, key))


def remask(group: Group, key: Point, value: Ciphertext, mask: int) -> Ciphertext:
    """The same card with `mask` added to its randomness."""
    return Ciphertext(
        group.add(value.a, group.base(mask)),
        group.add(value.b, group.mul(key, mask)),
    )


def write(values: Sequence[Ciphertext]) -> bytes:
    """64 bytes each: a, b."""
    return b"".join(value.a + value.b for value in values)


def read(group: Group, blob: bytes, count: int) -> list[Ciphertext]:
    """Exactly `count` ciphertexts out of a peer's bytes; PeerFault otherwise."""
    points = read_points(group, blob, 2 * count)
    return [Ciphertext(points[at], points[at + 1]) for at in range(0, len(points), 2)]


SIZE_ON_WIRE = 2 * SIZE
"""Bytes of one ciphertext."""
