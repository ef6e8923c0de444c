"""Many decryption shares of one seat are right: one Chaum-Pedersen proof over a random combination of them.

D_k = x A_k for all k, and H = x g. The weights z_k (128 bits) come from the transcript after all A_k and D_k, so a
single wrong share passes with probability 2**-128 (small exponents test: Bellare, Garay, Rabin 1998).
"""

from __future__ import annotations

from collections.abc import Sequence

from frp2p.deal.dealer import Entropy
from frp2p.deal.group import BASE, Point
from frp2p.deal.proofs.dleq import finish, holds
from frp2p.deal.proofs.onefold import OnefoldProof, parse
from frp2p.deal.scope import Scope
from frp2p.deal.transcript import Nonces, Transcript
from frp2p.errors import PeerFault


def prove(
    scope: Scope, key: Point, a: Sequence[Point], d: Sequence[Point], secret: int, entropy: Entropy
) -> OnefoldProof:
    """Prove key = secret g and d[k] = secret a[k] for every k."""
    transcript = _statement(scope, key, a, d)
    weights = transcript.weights(len(a))
    nonce = Nonces(secret=secret, entropy=entropy, state=transcript.state()).next()
    return finish(scope.group, transcript, scope.group.msm(a, weights), secret, nonce)


def verify(scope: Scope, key: Point, a: Sequence[Point], d: Sequence[Point], proof: OnefoldProof) -> None:
    """PeerFault "dleq-batch" unless the combined shares hold. `a` and `d` have one length (checked when parsed)."""
    parsed = parse(proof)
    transcript = _statement(scope, key, a, d)
    weights = transcript.weights(len(a))
    group = scope.group
    if not holds(group, transcript, key, group.msm(a, weights), group.msm(d, weights), parsed):
        raise PeerFault("dleq-batch")


def _statement(scope: Scope, key: Point, a: Sequence[Point], d: Sequence[Point]) -> Transcript:
    transcript = scope.transcript("dleq-batch")
    transcript.absorb("g", BASE)
    transcript.absorb("H", key)
    transcript.absorb_list("A", a)
    transcript.absorb_list("D", d)
    return transcript
