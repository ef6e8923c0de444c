"""ristretto255 by libsodium, through rbcl: constant time, and the interpreter's lock is free meanwhile."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

import rbcl
import rbcl.rbcl

from frp2p.deal.group.group import BASE, IDENTITY, SIZE, Beside, NotCanonical, Point


def _remove_copy() -> None:
    """Remove the copy of libsodium that rbcl unpacks at every start and leaves behind (2.8 MB each time).

    POSIX keeps a mapped file usable after its name is gone. Windows refuses while the library is loaded, so there the
    copy stays, and so it does where the name is not what we expect.
    """
    name = getattr(rbcl.rbcl._sodium, "_name", None)
    if sys.platform != "win32" and isinstance(name, str) and Path(name).name.startswith("tmp"):
        try:
            os.unlink(name)
        except FileNotFoundError:
            return


_remove_copy()


class SodiumGroup:
    """The `Group` of libsodium.

    Its multiplication reports a result that is the identity in the same way as an invalid point; every point here was
    validated before, so the report means the identity.
    """

    name = "sodium"
    constant_time = True

    def __init__(self, beside: Beside | None = None) -> None:
        self.beside = beside

    def point(self, data: bytes) -> Point:
        # libsodium 1.0.18, which rbcl bundles, ignores the top bit: every point would have a second encoding.
        if len(data) != SIZE or data[31] & 0x80 or not rbcl.crypto_core_ristretto255_is_valid_point(data):
            raise NotCanonical("not a canonical point")
        return Point(data)

    def base(self, scalar: int) -> Point:
        if scalar == 0:
            return IDENTITY
        return Point(rbcl.crypto_scalarmult_ristretto255_base(scalar.to_bytes(32, "little")))

    def mul(self, point: Point, scalar: int) -> Point:
        if scalar == 0 or point == IDENTITY:
            return IDENTITY
        return Point(rbcl.crypto_scalarmult_ristretto255(scalar.to_bytes(32, "little"), point))

    def add(self, left: Point, right: Point) -> Point:
        return Point(rbcl.crypto_core_ristretto255_add(left, right))

    def sub(self, left: Point, right: Point) -> Point:
        return Point(rbcl.crypto_core_ristretto255_sub(left, right))

    def msm(self, points: Sequence[Point], scalars: Sequence[int]) -> Point:
        total = IDENTITY
        for point, scalar in zip(points, scalars, strict=True):
            term = self.base(scalar) if point == BASE else self.mul(point, scalar)
            total = term if total == IDENTITY else self.add(total, term)
        return total

    def from_uniform(self, data: bytes) -> Point:
        return Point(rbcl.crypto_core_ristretto255_from_hash(data))
