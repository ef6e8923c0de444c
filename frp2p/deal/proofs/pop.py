"""I know the secret of my public key: Schnorr's proof, bound to table, seat, identity and role.

Statement: H = x g. Without it the last seat could announce H = y g - (sum of the others) and own the joint key alone.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from frp2p.deal.dealer import Entropy
from frp2p.deal.group import BASE, ORDER, Group, Point, scalar_bytes
from frp2p.deal.parse import Bytes32, read_scalars
from frp2p.deal.scope import Scope
from frp2p.deal.transcript import Nonces, Transcript
from frp2p.errors import PeerFault
from frp2p.games.verbs import Seat

Role = Literal["deck", "view"]
"""What the key is for: decrypting cards, or receiving peeks."""


class PossessionProof(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Challenge form (c, s)."""

    c: Bytes32
    s: Bytes32


def prove(
    scope: Scope, seat: Seat, identity: bytes, role: Role, key: Point, secret: int, entropy: Entropy
) -> PossessionProof:
    """Prove knowledge of `secret` with key = secret * g."""
    transcript = _statement(scope, seat, identity, role, key)
    nonce = Nonces(secret=secret, entropy=entropy, state=transcript.state()).next()
    transcript.absorb("T", scope.group.base(nonce))
    c = transcript.challenge()
    return PossessionProof(scalar_bytes(c), scalar_bytes((nonce + c * secret) % ORDER))


def verify(scope: Scope, seat: Seat, identity: bytes, role: Role, key: Point, proof: PossessionProof) -> None:
    """PeerFault "pop-deck" or "pop-view" unless s g - c H hashes to c again."""
    c, s = read_scalars(proof.c + proof.s, 2)
    transcript = _statement(scope, seat, identity, role, key)
    transcript.absorb("T", commitment(scope.group, key, c, s))
    if transcript.challenge() != c:
        raise PeerFault(f"pop-{role}")


def commitment(group: Group, key: Point, c: int, s: int) -> Point:
    """T = s g - c H."""
    return group.msm((BASE, key), (s, -c % ORDER))


def _statement(scope: Scope, seat: Seat, identity: bytes, role: Role, key: Point) -> Transcript:
    transcript = scope.transcript("pop")
    transcript.absorb_int("seat", seat)
    transcript.absorb("identity", identity)
    transcript.absorb("role", role.encode())
    transcript.absorb("H", key)
    return transcript
