"""Ed25519 identities: signing with a domain, verifying, and which public keys are refused.

A signature is over `"frp2p/1/<kind>\\0" || body`, so that no statement can be passed off as one of another kind.
`cryptography` checks the equation without the cofactor and refuses S >= L, but it accepts every public key; keys of
small order (for which one signature fits any message) and keys with more than one encoding are refused here.
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from frp2p.errors import PeerFault

KEY_SIZE = 32
"""Bytes of a public key, and of the secret seed of a private one."""

SIGNATURE_SIZE = 64
"""Bytes of a signature."""

_KEYS_KEPT = 64
"""Public keys that are kept unpacked: the seats of a few tables, each of which signs some records in every step."""

_GOOD_KEPT = 1 << 15
"""Good signatures that are remembered: those of some thousand steps, 4 MiB. Every record is read again before the whole
is attested, and a signature is by far the most expensive thing about it."""

_good: set[bytes] = set()
"""SHA-256 of key, signature and what was signed, each of those that were good."""

_P = 2**255 - 19
_D = -121665 * pow(121666, -1, _P) % _P
_ORDER_8 = int.from_bytes(bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"), "little")
_SMALL_ORDER = frozenset({0, 1, _P - 1, _ORDER_8, _P - _ORDER_8})
"""The y coordinates of the eight points of order 1, 2, 4 and 8 (the sign of x does not change the order)."""


class Signer:
    """One private key. The key itself never leaves this object."""

    def __init__(self, seed: bytes) -> None:
        """`seed`: 32 secret bytes (RFC 8032, 5.1.5)."""
        self._key = Ed25519PrivateKey.from_private_bytes(seed)
        self.public_key = self._key.public_key().public_bytes_raw()

    def sign(self, kind: str, body: bytes) -> bytes:
        """64 bytes over the body as a statement of this kind."""
        return self._key.sign(signed_bytes(kind, body))


def signed_bytes(kind: str, body: bytes) -> bytes:
    """What is signed for a body of this kind (`kind` holds no zero byte, so the split is unambiguous)."""
    return b"frp2p/1/" + kind.encode("ascii") + b"\0" + body


def verify(key: bytes, kind: str, body: bytes, signature: bytes) -> bool:
    """Whether the owner of the (acceptable) public key signed this body as this kind."""
    if len(key) != KEY_SIZE or len(signature) != SIGNATURE_SIZE:
        return False
    signed = signed_bytes(kind, body)
    name = sha256(key + signature + signed).digest()
    if name in _good:
        return True
    try:
        _public(key).verify(signature, signed)
    except (InvalidSignature, ValueError):
        return False
    if len(_good) >= _GOOD_KEPT:
        _good.clear()
    _good.add(name)
    return True


@lru_cache(maxsize=_KEYS_KEPT)
def _public(key: bytes) -> Ed25519PublicKey:
    return Ed25519PublicKey.from_public_bytes(key)


def check_key(key: bytes, *, seat: int | None = None) -> None:
    """PeerFault unless this is the one encoding of a point of the curve that is not of small order.

    Checks: `key-size`, `key-canonical` (y >= p), `key-small-order`, `key-curve` (no such point).
    """
    problem = _problem_with(key)
    if problem is not None:
        raise PeerFault(*problem, seat=seat)


@lru_cache(maxsize=_KEYS_KEPT)
def _problem_with(key: bytes) -> tuple[str, str] | None:
    """Check and message of what is wrong with a key; the same few are looked at in every Hello and charter."""
    if len(key) != KEY_SIZE:
        return "key-size", "A public key has 32 bytes."
    y = int.from_bytes(key, "little") & (2**255 - 1)
    if y >= _P:
        return "key-canonical", "This public key has a second encoding."
    if y in _SMALL_ORDER:
        return "key-small-order", "This public key fits signatures of anybody."
    x_squared = (y * y - 1) * pow(_D * y * y + 1, -1, _P) % _P
    if pow(x_squared, (_P - 1) // 2, _P) != 1:
        return "key-curve", "This public key is not a point of the curve."
    return None
