"""The Fiat-Shamir transcript: what a proof's challenge depends on.

Order: protocol version, proof type, ctx, event, the whole statement, the commitments, then a challenge. A challenge is
the digest read as a little-endian integer mod L; the state goes on from the digest, so that a later challenge depends
on all that came before. Strong form: no part of the statement may be left out (Bernhard, Pereira, Warinschi 2012).
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from frp2p.deal.dealer import Entropy
from frp2p.deal.fields import VERSION, field, fields, hash_fields, u32
from frp2p.deal.group import scalar_bytes, wide_scalar

_COUNTER = field("counter", bytes(4))[:-4]

WEIGHT_SIZE = 16
"""Bytes of a weight in a batched proof: 2**-128 that a wrong batch passes."""


class Transcript:
    """The running hash of one proof."""

    def __init__(self, proof: str, *, ctx: bytes, event: bytes) -> None:
        self._state = hashlib.sha512(field("version", VERSION.encode()) + field("proof", proof.encode()))
        self._state.update(field("ctx", ctx) + field("event", event))

    def absorb(self, label: str, data: bytes) -> None:
        self._state.update(field(label, data))

    def absorb_list(self, label: str, items: Sequence[bytes]) -> None:
        self._state.update(fields(label, items))

    def absorb_int(self, label: str, value: int) -> None:
        """A count or an index, below 2**32."""
        self._state.update(field(label, u32(value)))

    def challenge(self) -> int:
        """One challenge scalar."""
        return wide_scalar(self._rekey())

    def challenges(self, count: int) -> list[int]:
        """`count` challenge scalars: SHA-512(digest | index as u32)."""
        digest = self._rekey()
        return [wide_scalar(hashlib.sha512(digest + u32(at)).digest()) for at in range(count)]

    def weights(self, count: int) -> list[int]:
        """`count` weights of 128 bits: the first 16 bytes of SHA-512(digest | index as u32), little-endian."""
        digest = self._rekey()
        return [
            int.from_bytes(hashlib.sha512(digest + u32(at)).digest()[:WEIGHT_SIZE], "little") for at in range(count)
        ]

    def state(self) -> bytes:
        """The digest of all that was absorbed so far; for nonces."""
        return self._state.digest()

    def _rekey(self) -> bytes:
        digest = self._state.digest()
        self._state = hashlib.sha512(field("rekey", digest))
        return digest


class Nonces:
    """Secret scalars for one proof, hedged: neither a weak generator nor a repeated state alone gives one away.

    k = SHA-512("frp2p/v1/nonce" | secret | 32 fresh bytes | state | counter) mod L. Never stored, never used twice.
    """

    def __init__(self, *, secret: int, entropy: Entropy, state: bytes) -> None:
        self._state = hashlib.sha512(
            field("domain", f"{VERSION}/nonce".encode())
            + field("secret", scalar_bytes(secret))
            + field("fresh", entropy(32))
            + field("state", state)
        )
        self._counter = 0

    def next(self) -> int:
        """A fresh scalar in 1..ORDER-1."""
        while True:
            state = self._state.copy()
            state.update(_COUNTER + u32(self._counter))
            self._counter += 1
            if value := wide_scalar(state.digest()):
                return value

    def take(self, count: int) -> list[int]:
        return [self.next() for _ in range(count)]


def hedged(*, secret: int, entropy: Entropy, state: bytes) -> Entropy:
    """Bytes for other secret choices (a permutation), hedged as `Nonces` are.

    n-th draw = SHAKE256(H("hedged"; secret, 32 fresh bytes, state) | n as u32): the same bytes of a weak or restored
    generator give another stream for another secret or state.
    """
    seed = hash_fields("hedged", ("secret", scalar_bytes(secret)), ("fresh", entropy(32)), ("state", state))
    number = 0

    def draw(length: int) -> bytes:
        nonlocal number
        number += 1
        return hashlib.shake_256(seed + u32(number - 1)).digest(length)

    return draw
