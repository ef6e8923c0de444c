"""The common core of `venc` and `relock`: H = x g and, for every k, E_k = r_k g and F_k = x P_k + r_k Q.

The prover knows x and all r_k. All k at once, by a random combination with weights z_k (128 bits, from the transcript
after the whole statement): E = sum z_k E_k and so on, r = sum z_k r_k. Sigma protocol: T1 = a g, T2 = b g,
T3 = a P + b Q; sa = a + c x, sb = b + c r (Maurer 2009 has all proofs of this shape).
"""

from __future__ import annotations

from collections.abc import Sequence
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
    """H, Q, and the lists P, E, F of one length; `transcript` has absorbed the statement that they come from."""

    group: Group
    transcript: Transcript
    h: Point
    q: Point
    p: Sequence[Point]
    e: Sequence[Point]
    f: Sequence[Point]


def prove(equations: Equations, x: int, masks: Sequence[int], entropy: Entropy) -> TwofoldProof:
    """The proof; `masks` are the r_k."""
    group, transcript = equations.group, equations.transcript
    weights = transcript.weights(len(equations.p))
    r = sum(z * mask for z, mask in zip(weights, masks, strict=True)) % ORDER
    nonces = Nonces(secret=x, entropy=entropy, state=transcript.state())
    a, b = nonces.next(), nonces.next()
    transcript.absorb("T1", group.base(a))
    transcript.absorb("T2", group.base(b))
    transcript.absorb("T3", group.msm((group.msm(equations.p, weights), equations.q), (a, b)))
    c = transcript.challenge()
    return TwofoldProof(scalar_bytes(c), scalar_bytes((a + c * x) % ORDER), scalar_bytes((b + c * r) % ORDER))


def parse(proof: TwofoldProof) -> tuple[int, int, int]:
    """c, sa and sb, or PeerFault "scalar-range". Before any multiplication: junk shall be cheap to refuse."""
    c, sa, sb = read_scalars(proof.c + proof.sa + proof.sb, 3)
    return c, sa, sb


def holds(equations: Equations, parsed: tuple[int, int, int]) -> bool:
    """Whether T1 = sa g - c H, T2 = sb g - c E, T3 = sa P + sb Q - c F hash to c again."""
    group, transcript = equations.group, equations.transcript
    c, sa, sb = parsed
    minus = -c % ORDER
    weights = transcript.weights(len(equations.p))
    p, e, f = (group.msm(points, weights) for points in (equations.p, equations.e, equations.f))
    transcript.absorb("T1", group.msm((BASE, equations.h), (sa, minus)))
    transcript.absorb("T2", group.msm((BASE, e), (sb, minus)))
    transcript.absorb("T3", group.msm((p, equations.q, f), (sa, sb, minus)))
    return transcript.challenge() == c
