"""The signed records of a vote about a step that does not come to its end, and of a seat that leaves (protocol/09).

A vote decides one value for one step. It goes in ballots; in each a coordinator, fixed by its number, may propose one
value. A seat that waits in vain says so (`Prepare`); when a majority does, each promises (`Promise`) to support nothing
below this ballot any more and says what it has supported; the coordinator proposes what these promises allow
(`Propose`); and a value that a majority has accepted in one ballot (`Accept`) is decided. These accepts are the
certificate that stands in the transcript in place of the missing acks.

An arbiter has a vote and no seat: it signs no part, no ack and no farewell. In a vote its number is that of the seats.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

import msgspec

from frp2p.games.verbs import Seat
from frp2p.ledger import limits
from frp2p.ledger.codec import decode, encode
from frp2p.ledger.records import (
    Ack,
    AckBody,
    Body,
    Digest,
    Part,
    PartBody,
    SeatNumber,
    Signature,
    StepNumber,
    VoterNumber,
    check_signature,
    read_ack_body,
    read_part_body,
)
from frp2p.ledger.signing import Signer

How: TypeAlias = Literal["leave", "recover", "stop", "last", "end"]
"""What becomes of the table without the seats. `leave`: the seat takes its own keys off; `recover`: the others take
them off; `stop`: the game is stopped and scored; `last`: one seat is left; `end`: the game was over, and only a word
missing."""

Ballot: TypeAlias = Annotated[int, msgspec.Meta(ge=1, le=limits.MAX_BALLOT)]
Seats: TypeAlias = Annotated[tuple[SeatNumber, ...], msgspec.Meta(max_length=limits.MAX_SEATS)]


class _Value(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Something that a vote can decide."""


class Keep(_Value, frozen=True, tag="keep"):
    """The step is what its parts say, though acks are missing."""

    step_digest: Digest
    state_digest: Digest


class Out(_Value, frozen=True, tag="out"):
    """The parts of the step are void, and these seats (ascending) are out of the game for good."""

    seats: Annotated[tuple[SeatNumber, ...], msgspec.Meta(min_length=1, max_length=limits.MAX_SEATS)]
    how: How


Value: TypeAlias = Keep | Out


class _Body(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """What `seat` (or the arbiter) says about `step` of the ledger `game`, after the head `prev`."""

    game: Digest
    step: StepNumber
    prev: Digest
    seat: VoterNumber


class PrepareBody(_Body, frozen=True):
    """By my clock it is time to vote, because of these seats (none: not any more). The one with the greatest `number`
    counts; it binds nobody."""

    number: Annotated[int, msgspec.Meta(ge=0, le=limits.MAX_BALLOT)]
    accused: Seats


class Accepted(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A value that was accepted in this ballot."""

    ballot: Ballot
    value: Value


class PromiseBody(_Body, frozen=True):
    """I shall ack nothing of this step that I have not acked (`acked`), and accept nothing below this ballot but what I
    have accepted (`accepted`, the latest). `accused`: the seats that I have waited for too long."""

    ballot: Ballot
    acked: Keep | None
    accepted: Accepted | None
    accused: Seats


class AcceptBody(_Body, frozen=True):
    """I support this value in this ballot."""

    ballot: Ballot
    value: Value


class FarewellBody(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """`seat` leaves the game for good and stays only until its keys are off the deck."""

    game: Digest
    seat: SeatNumber


class _Record(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The canonical bytes of a body and the signature of its seat."""

    body: Body
    signature: Signature


class Prepare(_Record, frozen=True, tag="prepare"):
    """Of a PrepareBody."""


class Promise(_Record, frozen=True, tag="promise"):
    """Of a PromiseBody."""


class ProposeBody(_Body, frozen=True):
    """The coordinator of the ballot proposes this value; these promises allow it."""

    ballot: Ballot
    value: Value
    promises: Annotated[tuple[Promise, ...], msgspec.Meta(max_length=limits.MAX_VOTERS)]


class Propose(_Record, frozen=True, tag="propose"):
    """Of a ProposeBody."""


class Accept(_Record, frozen=True, tag="accept"):
    """Of an AcceptBody."""


class Farewell(_Record, frozen=True, tag="farewell"):
    """Of a FarewellBody."""


Vote: TypeAlias = Prepare | Promise | Propose | Accept
VoteBody: TypeAlias = PrepareBody | PromiseBody | ProposeBody | AcceptBody
Binding: TypeAlias = Part | Ack | Promise | Propose | Accept
"""The records of which a seat makes one for each place; two that exclude each other are evidence."""

_KINDS: dict[type, tuple[str, Any]] = {
    Prepare: ("prepare", PrepareBody),
    Promise: ("promise", PromiseBody),
    Propose: ("propose", ProposeBody),
    Accept: ("accept", AcceptBody),
    Farewell: ("farewell", FarewellBody),
}


def sign_vote(signer: Signer, body: VoteBody | FarewellBody) -> Any:
    """The record with this body."""
    data = encode(body)
    for record, (kind, made) in _KINDS.items():
        if made is type(body):
            return record(data, signer.sign(kind, data))
    raise TypeError(type(body))


def read_vote(record: Vote | Farewell) -> Any:
    """The body, canonical and within its bounds; nothing is known about its truth or signature yet."""
    _kind, body_type = _KINDS[type(record)]
    return decode(record.body, body_type, cap=limits.MAX_VOTE)


def open_vote(record: Vote | Farewell, keys: tuple[bytes, ...]) -> Any:
    """The body of a record whose signature is good for the key of the seat that it names.

    `keys`: the identity keys of the voters in order, of a farewell those of the seats. PeerFault: as `decode`,
    `seat-range`, `signature`.
    """
    body = read_vote(record)
    check_signature(_KINDS[type(record)][0], record, body, keys)
    return body


def open_binding(record: Binding, seats: tuple[bytes, ...], voters: tuple[bytes, ...]) -> Any:
    """As `open_vote`, of a part or an ack too, which only seats make; the keys of these and of the voters."""
    body = read_binding(record)
    check_binding(record, body, seats, voters)
    return body


def check_binding(record: Binding, body: Any, seats: tuple[bytes, ...], voters: tuple[bytes, ...]) -> None:
    """PeerFault `seat-range`, `signature` unless the seat (or arbiter) that it names has signed the record whose body
    this is."""
    if isinstance(record, Part | Ack):
        check_signature("part" if isinstance(record, Part) else "ack", record, body, seats)
    else:
        check_signature(_KINDS[type(record)][0], record, body, voters)


def read_binding(record: Binding) -> Any:
    """As `read_vote`, of a part or an ack too."""
    if isinstance(record, Part):
        return read_part_body(record.body)
    return read_ack_body(record.body) if isinstance(record, Ack) else read_vote(record)


def contradiction(first: Any, second: Any) -> str | None:
    """The check that two bodies of one seat about one step of one ledger fail together, None if both may be.

    `two-parts`, `two-acks`; `two-votes` (two promises, proposals or accepts in one ballot); `ack-or-promise` (a promise
    that does not state the ack, whichever came first); `vote-or-promise` (a promise that does not state what was
    accepted in a lower ballot).
    """
    if first == second:
        return None
    pair = {type(first), type(second)}
    if len(pair) == 1:
        if isinstance(first, PartBody):
            return "two-parts"
        if isinstance(first, AckBody):
            return "two-acks"
        binding = isinstance(first, PromiseBody | ProposeBody | AcceptBody)
        return "two-votes" if binding and first.ballot == second.ballot else None
    if not isinstance(second, PromiseBody):
        first, second = second, first
    if isinstance(second, PromiseBody) and isinstance(first, AckBody):
        acked = Keep(first.step_digest, first.state_digest)
        return None if second.acked == acked else "ack-or-promise"
    if isinstance(second, PromiseBody) and isinstance(first, AcceptBody) and first.ballot < second.ballot:
        stated = second.accepted
        return None if stated is not None and stated.ballot >= first.ballot else "vote-or-promise"
    return None


# -- the rules of a ballot ---------------------------------------------------------------------------------------------


def quorum(electors: tuple[Seat, ...]) -> int:
    """How many are a strict majority of them."""
    return len(electors) // 2 + 1


def coordinator(step: int, ballot: int, electors: tuple[Seat, ...]) -> Seat:
    """Who may propose in this ballot; another seat in each step, so that one that is away costs no time in most."""
    return electors[(step + ballot) % len(electors)]


def bound(promises: tuple[PromiseBody, ...], seats: tuple[Seat, ...]) -> Value | None:
    """The value that these promises of a majority leave as the only one, None if they leave the choice; `seats`: those
    whose acks the step takes.

    What was accepted in the highest ballot may be decided already. If nothing was, and all seats that promise have
    acked the same, all seats may have: then the step may be final somewhere. (An arbiter's promise says nothing about
    that: it never acks. A majority holds at least one seat.)
    """
    accepted = [promise.accepted for promise in promises if promise.accepted is not None]
    if accepted:
        return max(accepted, key=lambda one: one.ballot).value
    acked = {promise.acked for promise in promises if promise.seat in seats}
    return acked.pop() if len(acked) == 1 else None
