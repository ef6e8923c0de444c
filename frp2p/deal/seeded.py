"""All randomness of one seat at one table, from one secret seed: what was said can be made again, byte for byte.

A seat that comes back after a crash must have the same keys, and must never answer one challenge with two nonces. So
every draw follows from the seed, from the head of the ledger when the step began, and from its number within the step:

    draw = SHAKE256("domain" | "frp2p/v1/seat" | seed | head | number)

The head binds everything that was said before. In the same history a seat therefore repeats itself; in any other one
its draws have nothing to do with those here.
"""

from __future__ import annotations

import hashlib

from frp2p.deal.fields import VERSION, field, u32
from frp2p.errors import LocalError

SEED_SIZE = 32
"""Bytes of a seed."""


class SeededEntropy:
    """An `Entropy`. `turn` before each step; a draw before the first one is a mistake of the program."""

    def __init__(self, seed: bytes) -> None:
        if len(seed) != SEED_SIZE:
            raise LocalError(f"A seed has {SEED_SIZE} bytes, this has {len(seed)}.")
        self._seed = seed
        self._step: bytes | None = None
        self._number = 0

    def turn(self, head: bytes) -> None:
        """Begin the step that continues this head."""
        self._step = field("domain", f"{VERSION}/seat".encode()) + field("seed", self._seed) + field("head", head)
        self._number = 0

    def __call__(self, length: int) -> bytes:
        """The next `length` bytes of this step."""
        if self._step is None:
            raise LocalError("A draw outside of any step.")
        number = field("number", u32(self._number))
        self._number += 1
        return hashlib.shake_256(self._step + number).digest(length)
