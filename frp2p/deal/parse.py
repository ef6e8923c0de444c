"""Points and scalars out of bytes that a peer sent. Every refusal is a PeerFault with a check of its own."""

from __future__ import annotations

from typing import Annotated

import msgspec

from frp2p.deal.group import IDENTITY, SIZE, Group, NotCanonical, Point, scalar, scalar_bytes
from frp2p.errors import PeerFault

Bytes32 = Annotated[bytes, msgspec.Meta(min_length=SIZE, max_length=SIZE)]
"""One point or one scalar on the wire."""


def read_points(group: Group, blob: bytes, count: int) -> list[Point]:
    """Exactly `count` canonical points; the identity passes."""
    return [_point(group, part) for part in _split(blob, count)]


def read_scalars(blob: bytes, count: int) -> list[int]:
    """Exactly `count` scalars below the group's order."""
    try:
        return [scalar(part) for part in _split(blob, count)]
    except NotCanonical:
        raise PeerFault("scalar-range") from None


def read_key(group: Group, data: bytes) -> Point:
    """One canonical point that is not the identity."""
    (point,) = read_points(group, data, 1)
    if point == IDENTITY:
        raise PeerFault("point-identity")
    return point


def write_scalars(values: list[int]) -> bytes:
    return b"".join(map(scalar_bytes, values))


def _point(group: Group, data: bytes) -> Point:
    try:
        return group.point(data)
    except NotCanonical:
        raise PeerFault("point-encoding") from None


def _split(blob: bytes, count: int) -> list[bytes]:
    if len(blob) != SIZE * count:
        raise PeerFault("list-length")
    return [blob[at : at + SIZE] for at in range(0, len(blob), SIZE)]
