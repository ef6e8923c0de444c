"""These are my decryption shares, encrypted to a viewer: E1_k = r_k g, E2_k = x A_k + r_k W, with H = x g.

All shares of one message are proved at once by a random combination. The viewer reads x A_k = E2_k - w E1_k.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from frp2p.deal.dealer import Entropy
from frp2p.deal.group import BASE, ORDER, Point
from frp2p.deal.proofs.twofold import Equations, TwofoldProof, holds, parse
from frp2p.deal.proofs.twofold import prove as prove_twofold
from frp2p.deal.scope import Scope
from frp2p.deal.transcript import Transcript
from frp2p.errors import PeerFault


@dataclass(frozen=True)
class Statement:
    """`key` H, `viewer` W, and for every slot its `a` and the encrypted share (`e1`, `e2`); lists of one length."""

    scope: Scope
    key: Point
    viewer: Point
    a: Sequence[Point]
    e1: Sequence[Point]
    e2: Sequence[Point]


def encrypt(
    scope: Scope, viewer: Point, a: Sequence[Point], secret: int, masks: Sequence[int]
) -> tuple[list[Point], list[Point]]:
    """E1 and E2 of the shares secret * a[k], with randomness masks[k]."""
    group = scope.group
    e1 = [group.base(mask) for mask in masks]
    return e1, [group.msm((point, viewer), (secret, mask)) for point, mask in zip(a, masks, strict=True)]


def prove(statement: Statement, secret: int, masks: Sequence[int], entropy: Entropy) -> TwofoldProof:
    """Prove what `encrypt` made."""
    transcript, weights, equations = _begin(statement)
    mask = sum(z * r for z, r in zip(weights, masks, strict=True)) % ORDER
    return prove_twofold(equations, transcript, secret, mask, entropy)


def verify(statement: Statement, proof: TwofoldProof) -> None:
    """PeerFault "venc" unless the combined equations hold."""
    parsed = parse(proof)
    transcript, _, equations = _begin(statement)
    if not holds(equations, transcript, parsed):
        raise PeerFault("venc")


def _begin(statement: Statement) -> tuple[Transcript, list[int], Equations]:
    scope, group = statement.scope, statement.scope.group
    transcript = scope.transcript("venc")
    transcript.absorb("g", BASE)
    transcript.absorb("H", statement.key)
    transcript.absorb("W", statement.viewer)
    for label, points in (("A", statement.a), ("E1", statement.e1), ("E2", statement.e2)):
        transcript.absorb_list(label, points)
    weights = transcript.weights(len(statement.a))
    e, f, p = (group.msm(points, weights) for points in (statement.e1, statement.e2, statement.a))
    return transcript, weights, Equations(group, statement.key, e, f, p, statement.viewer)
