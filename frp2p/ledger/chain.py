"""The hash chain: what a step digest and a head are made of (protocol/04-encoding.md).

    step digest = SHA-256("frp2p/1/step\\0" || encode([game, step, prev, [body of each part, in seat order]]))
    head        = SHA-256("frp2p/1/head\\0" || encode([step digest, state digest]))

A step that a vote has voided has the digest SHA-256("frp2p/1/verdict\\0" || encode([game, step, prev, value])) instead.

`prev` of step 0 is the digest of the charter, later the head of the step before. Signatures are in neither, so that a
second valid signature over the same body changes nothing.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from frp2p.ledger.codec import encode


def tagged_hash(name: str, value: Any) -> bytes:
    """SHA-256 over the domain `frp2p/1/<name>` and the canonical encoding of the value; 32 bytes."""
    return sha256(b"frp2p/1/" + name.encode("ascii") + b"\0" + encode(value)).digest()


def step_digest(game: bytes, step: int, prev: bytes, bodies: tuple[bytes, ...]) -> bytes:
    """The digest of a step with these part bodies, in seat order."""
    return tagged_hash("step", [game, step, prev, list(bodies)])


def verdict_digest(game: bytes, step: int, prev: bytes, value: Any) -> bytes:
    """The digest of a step about which this value was decided, which voids its parts."""
    return tagged_hash("verdict", [game, step, prev, value])


def head_digest(step: bytes, state: bytes) -> bytes:
    """The head after a step, from its step digest and the state that it led to."""
    return tagged_hash("head", [step, state])
