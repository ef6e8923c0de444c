"""Numbers out of a public seed: the same at every peer."""

from __future__ import annotations

import hashlib

from frp2p.errors import LocalError

_WORD = 8
"""Bytes of one draw."""

_MAX_WORDS = 1024
"""Draws from one seed. A shuffle of 128 needs 127; a retry has a chance below 2**-32."""


class Stream:
    """SHAKE256(seed) read as big-endian words of 8 bytes."""

    def __init__(self, seed: bytes) -> None:
        self._words = hashlib.shake_256(seed).digest(_WORD * _MAX_WORDS)
        self._next = 0

    def below(self, bound: int) -> int:
        """A uniform integer in 0..bound-1 (bound in 1..2**32): the first word under the largest multiple of `bound`."""
        if not 1 <= bound <= 1 << 32:
            raise LocalError(f"bound {bound} is outside 1..2**32")
        limit = (1 << 8 * _WORD) // bound * bound
        while self._next < _MAX_WORDS:
            word = int.from_bytes(self._words[self._next * _WORD : (self._next + 1) * _WORD], "big")
            self._next += 1
            if word < limit:
                return word % bound
        raise LocalError("a stream has no words left")

    def permutation(self, length: int) -> list[int]:
        """A permutation of 0..length-1 (Fisher and Yates, Durstenfeld's form)."""
        order = list(range(length))
        for last in range(length - 1, 0, -1):
            chosen = self.below(last + 1)
            order[last], order[chosen] = order[chosen], order[last]
        return order
