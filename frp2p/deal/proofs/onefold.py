"""What `pop`, `dleq`, `dleq_batch` and `remask` send: a Sigma protocol about one secret, in challenge form."""

from __future__ import annotations

import msgspec

from frp2p.deal.group import ORDER, scalar_bytes
from frp2p.deal.parse import Bytes32, read_scalars


class OnefoldProof(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """s = k + c x for the nonce k; the verifier computes the commitments from c and s, and hashes them to c again."""

    c: Bytes32
    s: Bytes32


def respond(c: int, nonce: int, secret: int) -> OnefoldProof:
    """The proof with s = nonce + c secret."""
    return OnefoldProof(scalar_bytes(c), scalar_bytes((nonce + c * secret) % ORDER))


def parse(proof: OnefoldProof) -> tuple[int, int]:
    """c and s, or PeerFault "scalar-range". Before any multiplication: junk shall be cheap to refuse."""
    c, s = read_scalars(proof.c + proof.s, 2)
    return c, s
