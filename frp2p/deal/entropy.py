"""Where randomness comes from. The only file of the product's core that knows the operating system's generator."""

from __future__ import annotations

import secrets

from frp2p.deal.dealer import Entropy
from frp2p.errors import LocalError

_WORD = 8
"""Bytes in one draw: leaves room for every bound below 2**32 with fewer than one retry in 2**32."""


def fresh(length: int) -> bytes:
    """`length` bytes of the operating system's generator: the `Entropy` of the product."""
    return secrets.token_bytes(length)


def below(entropy: Entropy, bound: int) -> int:
    """A uniform integer in 0..bound-1 (bound in 1..2**32), by rejection: no modulo bias."""
    if not 1 <= bound <= 1 << 32:
        raise LocalError(f"bound {bound} is outside 1..2**32")
    limit = (1 << 8 * _WORD) // bound * bound
    while True:
        draw = int.from_bytes(entropy(_WORD), "big")
        if draw < limit:
            return draw % bound


def permutation(entropy: Entropy, length: int) -> list[int]:
    """A uniform permutation of 0..length-1 (Fisher and Yates, Durstenfeld's form)."""
    order = list(range(length))
    for last in range(length - 1, 0, -1):
        chosen = below(entropy, last + 1)
        order[last], order[chosen] = order[chosen], order[last]
    return order
