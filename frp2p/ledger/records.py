"""The signed records of the ledger: parts and acks.

Each step has a kind and a fixed set of speakers. Every speaker signs one `Part`; when a peer holds all parts of the
step it signs an `Ack` over what the step did. A step is final for a peer that holds the parts of all speakers and the
acks of all seats. Signed are exact bytes: a record carries the canonical body and the signature beside it.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

import msgspec

from frp2p.errors import PeerFault
from frp2p.ledger import limits
from frp2p.ledger.codec import decode, encode
from frp2p.ledger.signing import Signer, verify

Kind: TypeAlias = Literal["charter", "setup", "deal", "move", "open", "attest"]
"""What a step is about: consent to the charter, the dealer's keys, a dealer's round, moves, the secret keys given away
for an open audit, the closing attestation."""

Digest: TypeAlias = Annotated[bytes, msgspec.Meta(min_length=32, max_length=32)]
"""A SHA-256."""

Key: TypeAlias = Annotated[bytes, msgspec.Meta(min_length=32, max_length=32)]
"""An Ed25519 public key."""

Signature: TypeAlias = Annotated[bytes, msgspec.Meta(min_length=64, max_length=64)]
"""An Ed25519 signature."""

SeatNumber: TypeAlias = Annotated[int, msgspec.Meta(ge=0, lt=limits.MAX_SEATS)]
VoterNumber: TypeAlias = Annotated[int, msgspec.Meta(ge=0, lt=limits.MAX_VOTERS)]
"""A seat, or one more than the last for the arbiter."""

StepNumber: TypeAlias = Annotated[int, msgspec.Meta(ge=0, lt=limits.MAX_STEPS)]
Body: TypeAlias = Annotated[bytes, msgspec.Meta(max_length=limits.MAX_BODY)]


class PartBody(msgspec.Struct, frozen=True, array_like=True):
    """What `seat` says in `step` of the ledger `game` (the digest of its charter), after the head `prev`."""

    game: Digest
    step: StepNumber
    prev: Digest
    seat: SeatNumber
    kind: Kind
    payload: Annotated[bytes, msgspec.Meta(max_length=max(limits.MAX_PAYLOAD.values()))]


class AckBody(msgspec.Struct, frozen=True, array_like=True):
    """`seat` holds exactly these parts of `step`, checked them, and came to this state.

    `elapsed_ms` is how long the step took by the clock of this seat; a remark, no rule depends on it.
    """

    game: Digest
    step: StepNumber
    seat: SeatNumber
    step_digest: Digest
    state_digest: Digest
    elapsed_ms: Annotated[int, msgspec.Meta(ge=0, le=limits.MAX_ELAPSED)]


class Part(msgspec.Struct, frozen=True, array_like=True, tag="part"):
    """The canonical bytes of a PartBody and the signature of its seat."""

    body: Body
    signature: Signature


class Ack(msgspec.Struct, frozen=True, array_like=True, tag="ack"):
    """The canonical bytes of an AckBody and the signature of its seat."""

    body: Body
    signature: Signature


class Consent(msgspec.Struct, frozen=True, array_like=True, tag="consent"):
    """Payload of the charter step. It says nothing more: the body around it names the charter by its digest."""


class Attest(msgspec.Struct, frozen=True, array_like=True, tag="attest"):
    """Payload of the closing step: "I verified the whole record up to this head"."""

    digest: Digest


def sign_part(signer: Signer, body: PartBody) -> Part:
    """The part with this body."""
    data = encode(body)
    return Part(data, signer.sign("part", data))


def sign_ack(signer: Signer, body: AckBody) -> Ack:
    """The ack with this body."""
    data = encode(body)
    return Ack(data, signer.sign("ack", data))


def read_part_body(data: bytes) -> PartBody:
    """The body in these bytes, canonical and within its bounds; nothing is known about its truth or signature yet."""
    body: PartBody = decode(data, PartBody, cap=limits.MAX_BODY)
    if len(body.payload) > limits.MAX_PAYLOAD[body.kind]:
        raise PeerFault("payload-size", f"{len(body.payload)} bytes in a part of kind {body.kind}.", seat=body.seat)
    return body


def read_ack_body(data: bytes) -> AckBody:
    """The body in these bytes, canonical and within its bounds."""
    body: AckBody = decode(data, AckBody, cap=limits.MAX_BODY)
    return body


def open_part(part: Part, keys: tuple[bytes, ...]) -> PartBody:
    """The body of a part whose signature is good for the key of the seat that it names.

    `keys`: the identity keys in seat order. PeerFault: as `decode`, `payload-size`, `seat-range`, `signature`.
    """
    body = read_part_body(part.body)
    check_signature("part", part, body, keys)
    return body


def open_ack(ack: Ack, keys: tuple[bytes, ...]) -> AckBody:
    """The body of an ack whose signature is good for the key of the seat that it names; faults as `open_part`."""
    body = read_ack_body(ack.body)
    check_signature("ack", ack, body, keys)
    return body


def check_signature(kind: str, record: Any, body: Any, keys: tuple[bytes, ...]) -> None:
    """PeerFault `seat-range`, `signature` unless the seat that the body names has signed the record as of this kind."""
    if body.seat >= len(keys):
        raise PeerFault("seat-range", f"There is no seat {body.seat}.")
    if not verify(keys[body.seat], kind, record.body, record.signature):
        # Anybody could have made it, so the seat is not blamed: whoever sent it is.
        raise PeerFault("signature", f"Not signed by seat {body.seat}.")
