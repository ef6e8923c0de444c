"""Evidence: what shows a third person that a seat lied, and what shows nothing."""

from __future__ import annotations

import tracemalloc
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ledger_kit import DEALERS, GAMES, Guess, Rig, frames, make_charter

from frp2p.errors import PeerFault
from frp2p.ledger import limits
from frp2p.ledger.codec import encode
from frp2p.ledger.evidence import (
    MAGIC,
    BadRecord,
    BadStep,
    Contradiction,
    Evidence,
    Verdict,
    judge,
    read_evidence,
    write_evidence,
)
from frp2p.ledger.records import Ack, AckBody, Part, PartBody, sign_ack, sign_part

replace = msgspec.structs.replace


def at_moves() -> Rig:
    rig = Rig(3)
    rig.until("move")
    return rig


RIG = at_moves()
REFEREE = RIG.observer
GOOD = PartBody(REFEREE.digest, REFEREE.step, REFEREE.head, 1, "move", encode(Guess(3)))
ACK = AckBody(REFEREE.digest, 2, 1, b"s" * 32, b"t" * 32, 5)


def part(**changes: Any) -> Part:
    """A part of seat 1, signed by it."""
    return sign_part(RIG.signers[1], replace(GOOD, **changes))


def ack(**changes: Any) -> Ack:
    """An ack of seat 1, signed by it."""
    return sign_ack(RIG.signers[1], replace(ACK, **changes))


def judged(evidence: Evidence) -> Verdict:
    """As somebody else would: from the bytes."""
    return judge(read_evidence(write_evidence(evidence)), GAMES, DEALERS)


def shows_nothing(check: str, evidence: Evidence) -> None:
    with pytest.raises(PeerFault) as caught:
        judged(evidence)
    assert caught.value.check == check


def test_two_parts() -> None:
    verdict = judged(Contradiction(RIG.charter, part(), part(payload=encode(Guess(4)))))
    key = RIG.signers[1].public_key
    assert verdict == Verdict(REFEREE.digest, REFEREE.step, 1, "Bruno", key, "two-parts")


def test_two_acks() -> None:
    verdict = judged(Contradiction(RIG.charter, ack(), ack(elapsed_ms=6)))
    assert (verdict.step, verdict.seat, verdict.check) == (2, 1, "two-acks")


@pytest.mark.parametrize(
    ("first", "second", "check"),
    [
        (part(), part(), "evidence-same"),
        (part(), part(step=5), "evidence-slot"),
        (part(), part(game=bytes(32)), "evidence-slot"),
        (part(game=bytes(32)), part(game=bytes(32), payload=b""), "evidence-slot"),
        (part(), ack(), "evidence-slot"),
        (part(step=2), ack(), "evidence-same"),
        (part(), sign_part(RIG.signers[2], replace(GOOD, seat=2)), "evidence-slot"),
        (part(), sign_part(RIG.signers[2], replace(GOOD, payload=b"")), "signature"),
        (part(), Part(part(payload=b"").body, bytes(64)), "signature"),
        (part(), Part(b"\xc1", part().signature), "encoding-form"),
        (part(), Part(ack().body, ack().signature), "encoding-type"),
        (part(seat=5), part(seat=5, payload=b""), "seat-range"),
    ],
)
def test_two_statements_that_contradict_nothing(first: Part | Ack, second: Part | Ack, check: str) -> None:
    shows_nothing(check, Contradiction(RIG.charter, first, second))


def test_an_honest_seat_cannot_be_accused_with_another_charter() -> None:
    other = make_charter(3, salt="other")
    shows_nothing("evidence-slot", Contradiction(other, part(), part(payload=b"")))
    shows_nothing("charter-version", Contradiction(replace(RIG.charter, version=9), part(), part(payload=b"")))


RECORD = RIG.transcript()


@pytest.mark.parametrize(
    ("bad", "check"),
    [
        (part(payload=encode(Guess(10))), "illegal-move"),
        (part(payload=b""), "encoding-form"),
        (part(kind="deal"), "part-kind"),
    ],
)
def test_a_bad_record(bad: Part, check: str) -> None:
    verdict = judged(BadRecord(RECORD, bad, check))
    assert verdict == Verdict(REFEREE.digest, REFEREE.step, 1, "Bruno", RIG.signers[1].public_key, check)


def test_a_seat_that_was_not_asked() -> None:
    rig = Rig(2)
    rig.until("deal")
    referee = rig.observer
    body = PartBody(referee.digest, referee.step, referee.head, 1, "deal", rig.referees[0].speak())
    bad = sign_part(rig.signers[1], body)
    assert judged(BadRecord(rig.transcript(), bad, "wrong-speaker")).seat == 1


def test_parts_with_which_nothing_is_wrong() -> None:
    shows_nothing("evidence-right", BadRecord(RECORD, part(), "illegal-move"))
    shows_nothing("evidence-right", BadRecord(RECORD, part(payload=b""), "illegal-move"))
    shows_nothing("evidence-step", BadRecord(RECORD, part(step=1), "part-step"))
    shows_nothing("evidence-step", BadRecord(RECORD, part(prev=bytes(32)), "part-prev"))
    shows_nothing("evidence-step", BadRecord(RECORD, part(game=bytes(32)), "part-game"))
    forged = sign_part(RIG.signers[0], replace(GOOD, payload=b""))
    shows_nothing("signature", BadRecord(RECORD, forged, "encoding-form"))


def test_the_record_in_evidence_must_hold() -> None:
    bad = part(payload=b"")
    shows_nothing("transcript-truncated", BadRecord(RECORD[:-1], bad, "encoding-form"))
    shows_nothing("transcript-magic", BadRecord(b"", bad, "encoding-form"))
    shorter = b"".join(frames(RECORD)[:8])
    shows_nothing("evidence-step", BadRecord(shorter, bad, "encoding-form"))
    flipped = bytearray(RECORD)
    flipped[-1] ^= 1
    shows_nothing("signature", BadRecord(bytes(flipped), bad, "encoding-form"))


@pytest.mark.parametrize(
    ("data", "check"),
    [
        (b"", "evidence-magic"),
        (b"frp2p evidence 2\n", "evidence-magic"),
        (MAGIC, "encoding-form"),
        (MAGIC + encode(RIG.charter), "encoding-type"),
        (MAGIC + encode(BadRecord(b"", part(), "A check")), "encoding-type"),
        (MAGIC + encode(BadRecord(b"", part(), "x" * 65)), "encoding-type"),
    ],
)
def test_files_that_are_no_evidence(data: bytes, check: str) -> None:
    with pytest.raises(PeerFault) as caught:
        read_evidence(data)
    assert caught.value.check == check


def test_evidence_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    from frp2p.ledger import evidence

    monkeypatch.setattr(evidence, "MAX_EVIDENCE", 1000)
    with pytest.raises(PeerFault) as caught:
        read_evidence(MAGIC + bytes(1000))
    assert caught.value.check == "encoding-size"
    assert limits.MAX_TRANSCRIPT < 1 << 27


@pytest.mark.parametrize("size", [0, 255, 256, 65_535, 65_536, 1 << 20])
def test_a_record_of_any_size_may_stand_in_evidence(size: int) -> None:
    heavy = Part(bytes(limits.MAX_BODY), bytes(64))
    for evidence in (
        BadRecord(bytes(size), heavy, "illegal-move"),
        BadStep(bytes(size), (heavy,) * limits.MAX_SEATS, "x" * 64),
    ):
        assert read_evidence(write_evidence(evidence)) == evidence


BOMB = 4 << 20
"""Bytes; a file may be sixteen times as long."""


def small_things(filler: bytes) -> bytes:
    """So many bytes of whatever is small, in arrays as long as they may be."""
    row = b"\xdc\x0f\xff" + filler * 4095
    rows = BOMB // len(row)
    return b"\xdc" + rows.to_bytes(2, "big") + row * rows


@pytest.mark.parametrize("filler", [b"\x01", b"\xcd\x12\x34", b"\xa2ab", b"\xc4\x02ab", b"\x90", b"\x91\x01"])
def test_no_evidence_takes_much_memory(filler: bytes) -> None:
    """Wherever it stands: as the record, after one, among statements, and where nothing is said of it."""
    things, record = small_things(filler), b"\xc4\x01x"
    starts = [encode(kind.__struct_config__.tag) for kind in (Contradiction, BadRecord, BadStep)]
    bombs = [MAGIC + b"\x94" + start + rest for start in starts for rest in (things + b"\1\1", record + things + b"\1")]
    bombs += [MAGIC + things, MAGIC + b"\x95" + starts[1] + record + b"\1\1" + things]
    for bomb in bombs:
        tracemalloc.start()
        try:
            with pytest.raises(PeerFault) as caught:
                read_evidence(bomb)
            assert tracemalloc.get_traced_memory()[1] < 2 * BOMB
        finally:
            tracemalloc.stop()
        assert caught.value.check == "encoding-size"


EVIDENCE = write_evidence(Contradiction(RIG.charter, part(), part(payload=encode(Guess(4)))))


@given(st.integers(0, len(EVIDENCE) - 1), st.integers(1, 255))
@settings(max_examples=300, deadline=None)
def test_no_changed_evidence_shows_anything_else(at: int, mask: int) -> None:
    changed = bytearray(EVIDENCE)
    changed[at] ^= mask
    with pytest.raises(PeerFault):
        judge(read_evidence(bytes(changed)), GAMES, DEALERS)
