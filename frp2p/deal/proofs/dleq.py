"""One decryption share is right: Chaum and Pedersen's proof that D = x A and H = x g have the same x."""

from __future__ import annotations

from frp2p.deal.dealer import Entropy
from frp2p.deal.group import BASE, ORDER, Group, Point
from frp2p.deal.proofs.onefold import OnefoldProof, parse, respond
from frp2p.deal.scope import Scope
from frp2p.deal.transcript import Nonces, Transcript
from frp2p.errors import PeerFault


def prove(scope: Scope, key: Point, a: Point, d: Point, secret: int, entropy: Entropy) -> OnefoldProof:
    """Prove key = secret g and d = secret a."""
    transcript = _statement(scope, key, a, d)
    nonce = Nonces(secret=secret, entropy=entropy, state=transcript.state()).next()
    return finish(scope.group, transcript, a, secret, nonce)


def verify(scope: Scope, key: Point, a: Point, d: Point, proof: OnefoldProof) -> None:
    """PeerFault "dleq" unless the recomputed commitments hash to c again."""
    if not holds(scope.group, _statement(scope, key, a, d), key, a, d, parse(proof)):
        raise PeerFault("dleq")


def finish(group: Group, transcript: Transcript, a: Point, secret: int, nonce: int) -> OnefoldProof:
    """The second half of the proof for the pair (g, a), once the statement is absorbed."""
    transcript.absorb("T1", group.base(nonce))
    transcript.absorb("T2", group.mul(a, nonce))
    c = transcript.challenge()
    return respond(c, nonce, secret)


def holds(group: Group, transcript: Transcript, key: Point, a: Point, d: Point, proof: tuple[int, int]) -> bool:
    """T1 = s g - c H, T2 = s A - c D, and the challenge over both is c. `proof` is parsed."""
    c, s = proof
    transcript.absorb("T1", group.msm((BASE, key), (s, -c % ORDER)))
    transcript.absorb("T2", group.msm((a, d), (s, -c % ORDER)))
    return transcript.challenge() == c


def _statement(scope: Scope, key: Point, a: Point, d: Point) -> Transcript:
    transcript = scope.transcript("dleq")
    transcript.absorb("g", BASE)
    transcript.absorb("H", key)
    transcript.absorb("A", a)
    transcript.absorb("D", d)
    return transcript
