"""The curve below ristretto255, with the points of small order that the group hides."""

from __future__ import annotations

from frp2p.deal.group.edwards import NEUTRAL, SQRT_M1, Element, add, double, prepare
from frp2p.deal.group.edwards import P as FIELD

TORSION: Element = (SQRT_M1, 0, 1, 0)
"""A point of order 4 on the curve below ristretto255."""


def times(element: Element, k: int) -> Element:
    """k times a point of the curve, torsion and all."""
    total = NEUTRAL
    for bit in bin(k)[2:]:
        total = double(total)
        if bit == "1":
            total = add(total, prepare(element))
    return total


def affine(element: Element) -> tuple[int, int]:
    x, y, z, _ = element
    inverse = pow(z, -1, FIELD)
    return x * inverse % FIELD, y * inverse % FIELD
