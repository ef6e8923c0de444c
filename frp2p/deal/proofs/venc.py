"""These are my decryption shares, encrypted to a viewer: E1_k = r_k g, E2_k = x A_k + r_k W, with H = x g.

All shares of one message have one proof. The viewer reads x A_k = E2_k - w E1_k.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from frp2p.deal.dealer import Entropy
from frp2p.deal.group import BASE, Point
from frp2p.deal.proofs import twofold
from frp2p.deal.proofs.twofold import Equations, TwofoldProof
from frp2p.deal.scope import Scope
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
    return twofold.prove(_equations(statement), secret, masks, entropy)


def verify(statement: Statement, proof: TwofoldProof) -> None:
    """PeerFault "venc" unless the combined equations hold."""
    parsed = twofold.parse(proof)
    if not twofold.holds(_equations(statement), parsed):
        raise PeerFault("venc")


def _equations(statement: Statement) -> Equations:
    transcript = statement.scope.transcript("venc")
    transcript.absorb("g", BASE)
    transcript.absorb("H", statement.key)
    transcript.absorb("W", statement.viewer)
    for label, points in (("A", statement.a), ("E1", statement.e1), ("E2", statement.e2)):
        transcript.absorb_list(label, points)
    return Equations(
        statement.scope.group,
        transcript,
        statement.key,
        statement.viewer,
        statement.a,
        statement.e1,
        statement.e2,
    )
