"""I know the secret of my public key: Schnorr's proof, bound to table, seat, identity and role.

Statement: H = x g. Without it the last seat could announce H = y g - (sum of the others) and own the joint key alone.
"""

from __future__ import annotations

from typing import Literal

from frp2p.deal.dealer import Entropy
from frp2p.deal.group import BASE, ORDER, Group, Point
from frp2p.deal.proofs.onefold import OnefoldProof, parse, respond
from frp2p.deal.scope import Scope
from frp2p.deal.transcript import Nonces, Transcript
from frp2p.errors import PeerFault
from frp2p.games.verbs import Seat

Role = Literal["deck", "view"]
"""What the key is for: decrypting cards, or receiving peeks."""


def prove(
    scope: Scope, seat: Seat, identity: bytes, role: Role, key: Point, secret: int, entropy: Entropy
) -> OnefoldProof:
    """Prove knowledge of `secret` with key = secret * g."""
    transcript = _statement(scope, seat, identity, role, key)
    nonce = Nonces(secret=secret, entropy=entropy, state=transcript.state()).next()
    transcript.absorb("T", scope.group.base(nonce))
    c = transcript.challenge()
    return respond(c, nonce, secret)


def verify(scope: Scope, seat: Seat, identity: bytes, role: Role, key: Point, proof: OnefoldProof) -> None:
    """PeerFault "pop-deck" or "pop-view" unless s g - c H hashes to c again."""
    c, s = parse(proof)
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
