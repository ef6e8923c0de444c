"""Evidence: signed bytes by which a third person can check that a seat broke the protocol.

Three kinds. A *contradiction* is two statements of one seat about one step that exclude each other (`contradiction` in
`ledger/votes.py`): an honest peer makes one for each place and sends the same bytes ever after. A *bad record* is a
part that the rules refuse: it comes with the record up to its step, whose head the accused put into the part, so that
anybody can judge it. A *bad step* is all parts of a step, each right by itself, that together show that one of their
seats was wrong before: a share of a key of which another seat rightly complains. Silence is never evidence, and neither
is a part that continues another history.
"""

from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO
from typing import Annotated, TypeAlias

import msgspec

from frp2p.deal.dealer import DealerKind
from frp2p.errors import PeerFault
from frp2p.games.game import Game
from frp2p.games.verbs import Seat
from frp2p.ledger import limits
from frp2p.ledger.chain import step_digest
from frp2p.ledger.charter import Charter, charter_digest, check_charter
from frp2p.ledger.codec import decode, encode
from frp2p.ledger.records import Part, PartBody, open_part
from frp2p.ledger.referee import Referee
from frp2p.ledger.verify import replay
from frp2p.ledger.votes import Binding, contradiction, open_binding

MAGIC = b"frp2p evidence 1\n"

MAX_BESIDE = limits.MAX_SEATS * limits.MAX_RECORD
"""Bytes of evidence without the magic line and the record in it: the parts of all seats. A record is one byte string;
anything else may become thirty times as large in memory before its type is known."""

MAX_EVIDENCE = len(MAGIC) + limits.MAX_TRANSCRIPT + MAX_BESIDE
"""Bytes of an evidence file."""

_LENGTH_SIZES = {0xC4: 1, 0xC5: 2, 0xC6: 4}
"""The first byte of a byte string in msgpack, and how many bytes of its length follow."""

_CheckName = Annotated[str, msgspec.Meta(min_length=1, max_length=64, pattern=r"^[a-z0-9-]+\Z")]


class Contradiction(msgspec.Struct, frozen=True, array_like=True, tag="contradiction"):
    """Two statements of one seat about one step of the ledger of this charter that exclude each other."""

    charter: Charter
    first: Binding
    second: Binding


class BadRecord(msgspec.Struct, frozen=True, array_like=True, tag="bad-record"):
    """A part that fails `check` in the step after this (open) transcript."""

    record: Annotated[bytes, msgspec.Meta(max_length=limits.MAX_TRANSCRIPT)]
    part: Part
    check: _CheckName


class BadStep(msgspec.Struct, frozen=True, array_like=True, tag="bad-step"):
    """The parts of all speakers of the step after this (open) transcript; together they fail `check`."""

    record: Annotated[bytes, msgspec.Meta(max_length=limits.MAX_TRANSCRIPT)]
    parts: Annotated[tuple[Part, ...], msgspec.Meta(min_length=1, max_length=limits.MAX_SEATS)]
    check: _CheckName


Evidence: TypeAlias = Contradiction | BadRecord | BadStep


class Verdict(msgspec.Struct, frozen=True):
    """What the evidence shows: the seat (or arbiter) and its key, in which ledger and step, and what it did.

    `check` is one of `contradiction` in `ledger/votes.py`, or the check that its part, or its step, failed.
    """

    game: bytes
    step: int
    seat: Seat
    name: str
    key: bytes
    check: str


def write_evidence(evidence: Evidence) -> bytes:
    """The bytes of an evidence file."""
    return MAGIC + encode(evidence)


def read_evidence(data: bytes) -> Evidence:
    """What the bytes of an evidence file say; PeerFault `evidence-magic`, or as `decode`."""
    if not data.startswith(MAGIC):
        raise PeerFault("evidence-magic", "Not evidence of this version.")
    body = data[len(MAGIC) :]
    if len(body) - _record_size(body) > MAX_BESIDE:
        raise PeerFault("encoding-size", f"More than {MAX_BESIDE} bytes beside a record.")
    evidence: Evidence = decode(body, Evidence, cap=MAX_EVIDENCE - len(MAGIC))
    return evidence


def _record_size(body: bytes) -> int:
    """Bytes of the record with which this evidence begins, as its length says; 0 if none stands there."""
    for kind in (BadRecord, BadStep):
        start = b"\x94" + encode(kind.__struct_config__.tag)  # an array of the tag and three fields
        size = _LENGTH_SIZES.get(int.from_bytes(body[len(start) : len(start) + 1], "big"))
        if body.startswith(start) and size is not None:
            return int.from_bytes(body[len(start) + 1 : len(start) + 1 + size], "big")
    return 0


def judge(evidence: Evidence, games: Mapping[str, Game], dealers: Mapping[str, DealerKind]) -> Verdict:
    """The verdict; PeerFault if the evidence shows nothing.

    Checks: those of the charter, records and transcript in it, `evidence-slot` (the two statements are not about one
    seat, step and ledger), `evidence-same` (they do not exclude each other), `evidence-step` (the part does not belong
    into the step after the record, or the parts are not those of its speakers), `evidence-right` (nothing is wrong with
    it, or something else than it says). Those of `check_body` where a part of a bad step is wrong by itself.
    """
    if isinstance(evidence, Contradiction):
        return _judge_contradiction(evidence, games)
    referee = replay(BytesIO(evidence.record), games, dealers)
    return (
        _judge_bad_record(evidence, referee) if isinstance(evidence, BadRecord) else _judge_bad_step(evidence, referee)
    )


def _judge_contradiction(evidence: Contradiction, games: Mapping[str, Game]) -> Verdict:
    charter = evidence.charter
    check_charter(charter, games)
    keys = charter.keys, charter.voter_keys
    first, second = (open_binding(record, *keys) for record in (evidence.first, evidence.second))
    if (first.game, first.step, first.seat) != (second.game, second.step, second.seat):
        raise PeerFault("evidence-slot", "The two statements are about different things.")
    if first.game != charter_digest(charter):
        raise PeerFault("evidence-slot", "The two statements are about another ledger.")
    check = contradiction(first, second)
    if check is None:
        raise PeerFault("evidence-same", "The two statements do not exclude each other.")
    return _verdict(charter, first.game, first.step, first.seat, check)


def _open_next(part: Part, referee: Referee) -> PartBody:
    """The body of a part that its seat signed for the step after the record."""
    body = open_part(part, referee.charter.keys)
    if (body.game, body.step, body.prev) != (referee.digest, referee.step, referee.head):
        raise PeerFault("evidence-step", "The part does not belong after this record.")
    return body


def _judge_bad_step(evidence: BadStep, referee: Referee) -> Verdict:
    bodies = [_open_next(part, referee) for part in evidence.parts]
    speakers = tuple(body.seat for body in bodies)
    if speakers != referee.expect().speakers:
        raise PeerFault("evidence-step", "These are not the parts of the step after this record.")
    for body in bodies:
        referee.check_body(body)
    digest = step_digest(referee.digest, referee.step, referee.head, tuple(part.body for part in evidence.parts))
    step = referee.step
    try:
        referee.close({body.seat: body.payload for body in bodies}, digest)
    except PeerFault as fault:
        if fault.check == evidence.check and fault.seat in speakers:
            return _verdict(referee.charter, referee.digest, step, fault.seat, fault.check)
        raise PeerFault("evidence-right", f"The step fails {fault.check} instead.") from fault
    raise PeerFault("evidence-right", "Nothing is wrong with the step.")


def _judge_bad_record(evidence: BadRecord, referee: Referee) -> Verdict:
    body = _open_next(evidence.part, referee)
    try:
        referee.check_body(body)
    except PeerFault as fault:
        if fault.check == evidence.check:
            return _verdict(referee.charter, body.game, body.step, body.seat, fault.check)
        raise PeerFault("evidence-right", f"The part fails {fault.check} instead.") from fault
    raise PeerFault("evidence-right", "Nothing is wrong with the part.")


def _verdict(charter: Charter, game: bytes, step: int, seat: Seat, check: str) -> Verdict:
    entry = charter.voters[seat]
    return Verdict(game, step, seat, entry.name, entry.key, check)
