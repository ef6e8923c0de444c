"""The common core of `venc` and `relock`: two secrets in three equations.

H = x g, E = r g, F = x P + r Q for known x and r. Sigma protocol: T1 = a g, T2 = b g, T3 = a P + b Q; sa = a + c x,
sb = b + c r (Maurer 2009 has all proofs of this shape).
"""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from frp2p.deal.dealer import Entropy
from frp2p.deal.group import BASE, ORDER, Group, Point, scalar_bytes
from frp2p.deal.parse import Bytes32, read_scalars
from frp2p.deal.transcript import Nonces, Transcript


class TwofoldProof(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Challenge form (c, sa, sb)."""

    c: Bytes32
    sa: Bytes32
    sb: Bytes32


@dataclass(frozen=True)
class Equations:
    """H = x g, E = r g, F = x P + r Q."""

    group: Group
    h: Point
    e: Point
    f: Point
    p: Point
    q: Point


def prove(equations: Equations, transcript: Transcript, x: int, r: int, entropy: Entropy) -> TwofoldProof:
    """The proof, once the whole statement is absorbed."""
    group = equations.group
    nonces = Nonces(secret=x, entropy=entropy, state=transcript.state())
    a, b = nonces.next(), nonces.next()
    transcript.absorb("T1", group.base(a))
    transcript.absorb("T2", group.base(b))
    transcript.absorb("T3", group.msm((equations.p, equations.q), (a, b)))
    c = transcript.challenge()
    return TwofoldProof(scalar_bytes(c), scalar_bytes((a + c * x) % ORDER), scalar_bytes((b + c * r) % ORDER))


def parse(proof: TwofoldProof) -> tuple[int, int, int]:
    """c, sa and sb, or PeerFault "scalar-range". Before any multiplication: junk shall be cheap to refuse."""
    c, sa, sb = read_scalars(proof.c + proof.sa + proof.sb, 3)
    return c, sa, sb


def holds(equations: Equations, transcript: Transcript, proof: tuple[int, int, int]) -> bool:
    """T1 = sa g - c H, T2 = sb g - c E, T3 = sa P + sb Q - c F, and the challenge over them is c. `proof` is parsed."""
    group = equations.group
    c, sa, sb = proof
    minus = -c % ORDER
    transcript.absorb("T1", group.msm((BASE, equations.h), (sa, minus)))
    transcript.absorb("T2", group.msm((BASE, equations.e), (sb, minus)))
    transcript.absorb("T3", group.msm((equations.p, equations.q, equations.f), (sa, sb, minus)))
    return transcript.challenge() == c
