"""The same cards under another lock: (A, R) of mine becomes (A', B') = (r g, M + r K) without showing M = R - x A.

For every slot R_k - B'_k = x A_k - r_k K and A'_k = r_k g, with H = x g.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from frp2p.deal.dealer import Entropy
from frp2p.deal.elgamal import Ciphertext
from frp2p.deal.group import BASE, IDENTITY, ORDER, Group, Point
from frp2p.deal.proofs import twofold
from frp2p.deal.proofs.twofold import Equations, TwofoldProof
from frp2p.deal.scope import Scope
from frp2p.errors import PeerFault


@dataclass(frozen=True)
class Statement:
    """`key` H of the holder, new lock `to` K; `before` under H, `after` under K: lists of one length."""

    scope: Scope
    key: Point
    to: Point
    before: Sequence[Ciphertext]
    after: Sequence[Ciphertext]


def relock(group: Group, to: Point, value: Ciphertext, secret: int, mask: int) -> Ciphertext:
    """The card of `value` (under secret * g) under the lock `to`, masked by `mask`."""
    share = group.msm((value.a, to), (-secret % ORDER, mask))
    return Ciphertext(group.base(mask), group.add(value.b, share))


def prove(statement: Statement, secret: int, masks: Sequence[int], entropy: Entropy) -> TwofoldProof:
    """Prove what `relock` made."""
    return twofold.prove(_equations(statement), secret, masks, entropy)


def verify(statement: Statement, proof: TwofoldProof) -> None:
    """PeerFault "relock" unless the combined equations hold."""
    parsed = twofold.parse(proof)
    if not twofold.holds(_equations(statement), parsed):
        raise PeerFault("relock")


def _equations(statement: Statement) -> Equations:
    scope, group = statement.scope, statement.scope.group
    transcript = scope.transcript("relock")
    transcript.absorb("g", BASE)
    transcript.absorb("H", statement.key)
    transcript.absorb("K", statement.to)
    for label, values in (("C", statement.before), ("C'", statement.after)):
        transcript.absorb_list(label, [point for value in values for point in value])
    return Equations(
        group,
        transcript,
        statement.key,
        group.sub(IDENTITY, statement.to),
        [value.a for value in statement.before],
        [value.a for value in statement.after],
        [group.sub(old.b, new.b) for old, new in zip(statement.before, statement.after, strict=True)],
    )
