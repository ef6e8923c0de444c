"""These ciphertexts hold the same cards as those, one for one: C'_k - C_k = r_k (g, K) for known r_k.

Proved at once for all by a random combination (weights of 128 bits from the transcript, after all ciphertexts).
"""

from __future__ import annotations

from collections.abc import Sequence

from frp2p.deal.dealer import Entropy
from frp2p.deal.elgamal import Ciphertext
from frp2p.deal.group import BASE, ORDER, Point
from frp2p.deal.proofs.onefold import OnefoldProof, parse, respond
from frp2p.deal.scope import Scope
from frp2p.deal.transcript import Nonces, Transcript
from frp2p.errors import PeerFault


def prove(
    scope: Scope,
    key: Point,
    before: Sequence[Ciphertext],
    after: Sequence[Ciphertext],
    masks: Sequence[int],
    entropy: Entropy,
) -> OnefoldProof:
    """Prove after[k] = before[k] + masks[k] (g, key) for every k."""
    transcript = _statement(scope, key, before, after)
    weights = transcript.weights(len(before))
    mask = sum(z * r for z, r in zip(weights, masks, strict=True)) % ORDER
    nonce = Nonces(secret=mask, entropy=entropy, state=transcript.state()).next()
    transcript.absorb("Ka", scope.group.base(nonce))
    transcript.absorb("Kb", scope.group.mul(key, nonce))
    c = transcript.challenge()
    return respond(c, nonce, mask)


def verify(
    scope: Scope, key: Point, before: Sequence[Ciphertext], after: Sequence[Ciphertext], proof: OnefoldProof
) -> None:
    """PeerFault "remask" unless K = s (g, key) - c sum z_k (after_k - before_k) hashes to c again."""
    c, s = parse(proof)
    transcript = _statement(scope, key, before, after)
    minus = [-c * z % ORDER for z in transcript.weights(len(before))]
    plus = [-k % ORDER for k in minus]
    for label, base, part in (("Ka", BASE, 0), ("Kb", key, 1)):
        points = [base, *(value[part] for value in after), *(value[part] for value in before)]
        transcript.absorb(label, scope.group.msm(points, (s, *minus, *plus)))
    if transcript.challenge() != c:
        raise PeerFault("remask")


def _statement(scope: Scope, key: Point, before: Sequence[Ciphertext], after: Sequence[Ciphertext]) -> Transcript:
    transcript = scope.transcript("remask")
    transcript.absorb("g", BASE)
    transcript.absorb("K", key)
    for label, values in (("C", before), ("C'", after)):
        transcript.absorb_list(label, [point for value in values for point in value])
    return transcript
