"""This ciphertext holds the same card as that one: C' - C = r (g, K) for a known r (a shuffle of one card)."""

from __future__ import annotations

import msgspec

from frp2p.deal.dealer import Entropy
from frp2p.deal.elgamal import Ciphertext
from frp2p.deal.group import BASE, ORDER, Point, scalar_bytes
from frp2p.deal.parse import Bytes32, read_scalars
from frp2p.deal.scope import Scope
from frp2p.deal.transcript import Nonces, Transcript
from frp2p.errors import PeerFault


class RemaskProof(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Challenge form (c, s)."""

    c: Bytes32
    s: Bytes32


def prove(scope: Scope, key: Point, before: Ciphertext, after: Ciphertext, mask: int, entropy: Entropy) -> RemaskProof:
    """Prove after = before + mask (g, key)."""
    transcript = _statement(scope, key, before, after)
    nonce = Nonces(secret=mask, entropy=entropy, state=transcript.state()).next()
    transcript.absorb("Ka", scope.group.base(nonce))
    transcript.absorb("Kb", scope.group.mul(key, nonce))
    c = transcript.challenge()
    return RemaskProof(scalar_bytes(c), scalar_bytes((nonce + c * mask) % ORDER))


def verify(scope: Scope, key: Point, before: Ciphertext, after: Ciphertext, proof: RemaskProof) -> None:
    """PeerFault "remask" unless K = s (g, key) - c (after - before) hashes to c again."""
    c, s = read_scalars(proof.c + proof.s, 2)
    group = scope.group
    transcript = _statement(scope, key, before, after)
    transcript.absorb("Ka", group.msm((BASE, group.sub(after.a, before.a)), (s, -c % ORDER)))
    transcript.absorb("Kb", group.msm((key, group.sub(after.b, before.b)), (s, -c % ORDER)))
    if transcript.challenge() != c:
        raise PeerFault("remask")


def _statement(scope: Scope, key: Point, before: Ciphertext, after: Ciphertext) -> Transcript:
    transcript = scope.transcript("remask")
    transcript.absorb("g", BASE)
    transcript.absorb("K", key)
    transcript.absorb_list("C", before)
    transcript.absorb_list("C'", after)
    return transcript
