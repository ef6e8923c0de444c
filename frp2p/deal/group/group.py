"""The group of the protocol, ristretto255 (RFC 9496), as every back end offers it.

A point is its 32-byte canonical encoding and nothing else, so equality, hashing and sending need no conversion and two
back ends can be compared byte for byte. A `Point` comes only out of a `Group`: out of an operation, or out of `point`,
which checks. Scalars are ints in 0..ORDER-1; `scalar` checks their 32 little-endian bytes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import NewType, Protocol, TypeVar

Point = NewType("Point", bytes)
"""A canonical encoding of a group element."""

ORDER = 2**252 + 27742317777372353535851937790883648493
"""L, the prime order of the group (RFC 9496, 4)."""

SIZE = 32
"""Bytes of a point, and of a scalar."""

IDENTITY = Point(bytes(SIZE))
"""The neutral element: a valid encoding, refused wherever the protocol says so."""

BASE = Point(bytes.fromhex("e2f2ae0a6abc4e71a884a961c500515f58e30b6aa582dd8db6a65945e08d2d76"))
"""g, the base point (RFC 9496, A.1)."""


class NotCanonical(ValueError):
    """These bytes are not the one encoding of a point or scalar."""


T = TypeVar("T")


class Beside(Protocol):
    """Begins a job in another thread, and gives what waits for its result (or raises its exception).

    The core starts no threads itself. A job changes nothing and may be thrown away, unfinished or not.
    """

    def __call__(self, job: Callable[[], T], /) -> Callable[[], T]: ...


class Group(Protocol):
    """Operations on validated points and on scalars in 0..ORDER-1; only `point` accepts unchecked bytes."""

    name: str
    """`sodium` or `pure`."""

    constant_time: bool
    """Whether secret scalars are used in constant time."""

    beside: Beside | None
    """How a job with this group is done beside another one; None where that would win nothing, or nobody said how."""

    def point(self, data: bytes) -> Point:
        """The point with this encoding (the identity included); NotCanonical if it is none."""

    def base(self, scalar: int) -> Point:
        """scalar * g."""

    def mul(self, point: Point, scalar: int) -> Point: ...

    def add(self, left: Point, right: Point) -> Point: ...

    def sub(self, left: Point, right: Point) -> Point: ...

    def msm(self, points: Sequence[Point], scalars: Sequence[int]) -> Point:
        """The sum of scalars[i] * points[i]; the lists have one length. Public or secret scalars."""

    def from_uniform(self, data: bytes) -> Point:
        """The one-way map of RFC 9496, 4.3.4 from 64 uniform bytes."""


def hash_to_group(group: Group, label: str) -> Point:
    """A point of which nobody knows a discrete logarithm: the one-way map of SHA-512(label)."""
    return group.from_uniform(hashlib.sha512(label.encode()).digest())


def scalar(data: bytes) -> int:
    """The scalar with this encoding; NotCanonical unless it is 32 little-endian bytes below ORDER."""
    value = int.from_bytes(data, "little")
    if len(data) != SIZE or value >= ORDER:
        raise NotCanonical("not a canonical scalar")
    return value


def scalar_bytes(value: int) -> bytes:
    """The 32 little-endian bytes of a scalar in 0..ORDER-1."""
    return value.to_bytes(SIZE, "little")


def wide_scalar(digest: bytes) -> int:
    """64 uniform bytes, little-endian, mod ORDER: a uniform scalar up to 2**-252."""
    return int.from_bytes(digest, "little") % ORDER
