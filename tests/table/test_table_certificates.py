"""What a verifier refuses about votes in a record: one thing is wrong in each."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from io import BytesIO
from typing import Any

import msgspec
import pytest
from table_kit import DEALERS, TINY, signer
from vote_kit import VoteRig

from frp2p.ledger import certificate as certificates
from frp2p.ledger.charter import Charter
from frp2p.ledger.records import Ack, Part
from frp2p.ledger.transcript import MAGIC, Record, frame, read_records
from frp2p.ledger.verify import TranscriptFault, verify
from frp2p.ledger.votes import Accept, Farewell, Keep, Out, read_vote, sign_vote

SEATS = 4


pytestmark = pytest.mark.usefixtures("computed_once")


@lru_cache
def record(kind: str) -> tuple[Record, ...]:
    """The records of a game in which seat 2 left, or seat 3 vanished and once at least only its ack was missed; or with
    an arbiter, one of two vanished."""
    if kind == "arbiter":
        return record_with_arbiter()
    rig = VoteRig(SEATS, recovery=kind == "recover", on_loss="stop")
    rig.open()
    steps = {"recover": 8, "stop": 8, "leave": 8, "keep": 12}
    rig.run(lambda: max(map(rig.step, range(SEATS))) >= steps[kind])
    if kind == "leave":
        rig.peers[2].leave(rig.now)
        rig.run(lambda: rig.peers[2].ended)
        rig.gone.add(2)
    else:
        rig.kill(3)
    assert rig.run()
    return tuple(read_records(BytesIO(rig.peers[0].transcript() or b"")))


def record_with_arbiter() -> tuple[Record, ...]:
    rig = VoteRig(2, arbiter=True)
    rig.open()
    rig.run(lambda: min(map(rig.step, range(3))) >= 6)
    rig.kill(1)
    assert rig.run()
    return tuple(read_records(BytesIO(rig.peers[0].transcript() or b"")))


def fault_of(records: tuple[Record, ...]) -> str:
    with pytest.raises(TranscriptFault) as caught:
        verify(BytesIO(b"".join((MAGIC, *map(frame, records)))), {"tiny": TINY}, DEALERS)
    return caught.value.check


def first(records: tuple[Record, ...], kind: type, value: type | None = None) -> int:
    """Where the first record of this kind stands; an accept of this kind of value."""
    return next(
        at
        for at, one in enumerate(records)
        if isinstance(one, kind) and (value is None or isinstance(read_vote(one).value, value))
    )


def resigned(records: tuple[Record, ...], at: int, **changes: Any) -> tuple[Record, ...]:
    """The vote at this place says something else, under a good signature of its seat."""
    body = msgspec.structs.replace(read_vote(records[at]), **changes)  # type: ignore[arg-type]
    return (*records[:at], sign_vote(signer(body.seat), body), *records[at + 1 :])


def certificate(records: tuple[Record, ...], value: type) -> range:
    """The places of the first certificate for such a value."""
    start = end = first(records, Accept, value)
    step = read_vote(records[start]).step  # type: ignore[arg-type]
    while end < len(records) and isinstance(records[end], Accept) and read_vote(records[end]).step == step:  # type: ignore[arg-type]
        end += 1
    return range(start, end)


def with_value(records: tuple[Record, ...], places: range, value: Any) -> tuple[Record, ...]:
    for at in places:
        records = resigned(records, at, value=value)
    return records


@pytest.mark.parametrize("kind", ["recover", "stop", "leave", "keep", "arbiter"])
def test_the_records_hold(kind: str) -> None:
    report = verify(BytesIO(b"".join((MAGIC, *map(frame, record(kind))))), {"tiny": TINY}, DEALERS)
    assert report.attested == (1 if kind == "arbiter" else SEATS - 1)
    assert (report.arbiter is not None) == (kind == "arbiter")
    assert {seat.how for seat in report.seats} == {None, {"arbiter": "last", "keep": "stop"}.get(kind, kind)}
    assert (report.provisions.recovery, report.provisions.arbiter) == (kind == "recover", kind == "arbiter")
    assert all((seat.out is None) == (seat.how is None) for seat in report.seats)


CHANGES: dict[str, tuple[str, Callable[[tuple[Record, ...], range], tuple[Record, ...]]]] = {
    "vote-game": ("vote-game", lambda records, at: resigned(records, at[0], game=b"\1" * 32)),
    "vote-step": ("vote-step", lambda records, at: resigned(records, at[0], step=1)),
    "vote-prev": ("vote-prev", lambda records, at: resigned(records, at[0], prev=b"\1" * 32)),
    "vote-order": ("vote-order", lambda records, at: swapped(records, at[0])),
    "twice": ("vote-order", lambda records, at: (*records[: at[1]], records[at[0]], *records[at[1] :])),
    "vote-split": ("vote-split", lambda records, at: resigned(records, at[1], ballot=77)),
    "other value": ("vote-split", lambda records, at: resigned(records, at[1], value=Keep(b"\1" * 32, b"\2" * 32))),
    "missing": ("vote-quorum", lambda records, at: (*records[: at[1]], *records[at[-1] + 1 :])),
    "forged": ("signature", lambda records, at: forged(records, at[0])),
}


def swapped(records: tuple[Record, ...], at: int) -> tuple[Record, ...]:
    return (*records[:at], records[at + 1], records[at], *records[at + 2 :])


def forged(records: tuple[Record, ...], at: int) -> tuple[Record, ...]:
    bad = msgspec.structs.replace(records[at], signature=b"\5" * 64)  # type: ignore[arg-type]
    return (*records[:at], bad, *records[at + 1 :])


@pytest.mark.parametrize("kind", ["recover", "keep", "arbiter"])
@pytest.mark.parametrize("change", sorted(CHANGES))
def test_a_certificate_with_one_thing_wrong(kind: str, change: str) -> None:
    records = record(kind)
    places = certificate(records, Keep if kind == "keep" else Out)
    check, alter = CHANGES[change]
    found = fault_of(alter(records, places))
    # What does not belong to the step ends its certificate, and is then too few.
    assert found == check or (change in ("vote-step", "missing", "twice") and found in ("vote-quorum", "vote-step"))


VERDICTS: dict[str, tuple[str, str, Any]] = {
    "nobody's seat": ("recover", "verdict-seats", Out((6,), "recover")),
    "not ascending": ("recover", "verdict-seats", Out((3, 2), "stop")),
    "another way": ("recover", "verdict-how", Out((3,), "end")),
    "left without a word": ("recover", "verdict-how", Out((3,), "leave")),
    "recovered without shares": ("stop", "verdict-how", Out((3,), "recover")),
    "a keep without parts": ("stop", "transcript-order", Keep(b"\1" * 32, b"\2" * 32)),
    "other parts": ("keep", "verdict-keep", Keep(b"\1" * 32, b"\2" * 32)),
    "out after its parts": ("keep", "verdict-keep", Out((3,), "stop")),
}


@pytest.mark.parametrize("what", sorted(VERDICTS))
def test_a_verdict_that_may_not_be(what: str) -> None:
    kind, check, value = VERDICTS[what]
    records = record(kind)
    assert fault_of(with_value(records, certificate(records, Keep if kind == "keep" else Out), value)) == check


def test_a_farewell_has_to_be_there_and_of_who_leaves() -> None:
    records = record("leave")
    at = first(records, Farewell)
    assert fault_of((*records[:at], *records[at + 1 :])) == "verdict-how"
    assert fault_of(forged(records, at)) == "signature"
    other = sign_vote(signer(1), msgspec.structs.replace(read_vote(records[at]), seat=1))  # type: ignore[arg-type]
    assert fault_of((*records[:at], other, *records[at:])) == "verdict-farewell"
    elsewhere = sign_vote(signer(2), msgspec.structs.replace(read_vote(records[at]), game=b"\1" * 32))  # type: ignore[arg-type]
    assert fault_of((*records[:at], elsewhere, *records[at + 1 :])) == "vote-game"
    unneeded = record("stop")
    place = certificate(unneeded, Out)[0]
    mine = sign_vote(signer(3), msgspec.structs.replace(read_vote(records[at]), seat=3, game=game_of(unneeded)))  # type: ignore[arg-type]
    assert fault_of((*unneeded[:place], mine, *unneeded[place:])) == "verdict-farewell"


def game_of(records: tuple[Record, ...]) -> bytes:
    game: bytes = read_vote(records[certificate(records, Out)[0]]).game  # type: ignore[arg-type]
    return game


def test_who_is_out_has_no_vote_and_no_ack() -> None:
    records = record("recover")
    places = certificate(records, Out)
    later = next(at for at in range(places[-1] + 1, len(records)) if isinstance(records[at], Ack))
    assert fault_of(resigned_seat(records, places[0], 3)) in ("vote-order", "vote-elector", "vote-quorum")
    assert isinstance(records[0], Charter)
    assert isinstance(records[later], Ack)
    extra = (*records[: later + 3], records[later + 2], *records[later + 3 :])
    assert fault_of(extra) == "transcript-order"


def test_a_vote_of_a_seat_that_is_out_is_all_that_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the second certificate, after those of a majority, and about the same: without this check it would hold."""
    rig = VoteRig(SEATS, recovery=True)
    rig.open()
    rig.run(lambda: rig.step() >= 8)
    rig.kill(3)
    rig.run(lambda: rig.outs(0) == [3])
    rig.kill(2)
    assert rig.run()
    records = tuple(read_records(BytesIO(rig.peers[0].transcript() or b"")))
    last = max(at for at, one in enumerate(records) if isinstance(one, Accept))
    body = read_vote(records[last])  # type: ignore[arg-type]
    assert (body.value.seats, body.seat) == ((2,), 1)
    extra = sign_vote(signer(3), msgspec.structs.replace(body, seat=3))
    whole = (*records[: last + 1], extra, *records[last + 1 :])
    assert fault_of(whole) == "vote-elector"
    monkeypatch.setattr(certificates, "check_place", lambda body, place: None)
    verify(BytesIO(b"".join((MAGIC, *map(frame, whole)))), {"tiny": TINY}, DEALERS)


def test_without_the_vote_of_its_arbiter_a_table_of_two_has_decided_nothing() -> None:
    """One thing is wrong in each: it is missing, forged, of a seat in its name, or of somebody with its number where
    the charter names nobody."""
    records = record("arbiter")
    places = certificate(records, Out)
    [at] = [place for place in places if read_vote(records[place]).seat == 2]  # type: ignore[arg-type]
    assert len(places) == 2
    assert fault_of((*records[:at], *records[at + 1 :])) == "vote-quorum"
    assert fault_of(forged(records, at)) == "signature"
    body = read_vote(records[at])  # type: ignore[arg-type]
    assert fault_of((*records[:at], sign_vote(signer(0), body), *records[at + 1 :])) == "signature"
    assert fault_of((*records[:at], sign_vote(signer(2), msgspec.structs.replace(body, seat=3)))) == "seat-range"
    charter = records[0]
    assert isinstance(charter, Charter)
    nobody = msgspec.structs.replace(
        charter, arbiter=None, provisions=msgspec.structs.replace(charter.provisions, arbiter=False)
    )
    assert fault_of((nobody, *records[1:])) == "part-game"  # the charter is in every record
    assert fault_of((msgspec.structs.replace(charter, arbiter=None), *records[1:])) == "charter-arbiter"


def resigned_seat(records: tuple[Record, ...], at: int, seat: int) -> tuple[Record, ...]:
    body = msgspec.structs.replace(read_vote(records[at]), seat=seat)  # type: ignore[arg-type]
    return (*records[:at], sign_vote(signer(seat), body), *records[at + 1 :])


@pytest.mark.parametrize("kind", ["recover", "leave", "keep"])
def test_any_record_of_a_vote_flipped_left_out_or_cut(kind: str) -> None:
    records = record(kind)
    votes = [at for at, one in enumerate(records) if isinstance(one, Accept | Farewell)]
    for at in votes[:12]:
        one: Any = records[at]
        flipped = msgspec.structs.replace(one, body=one.body[:-1] + bytes([one.body[-1] ^ 1]))
        assert fault_of((*records[:at], flipped, *records[at + 1 :]))
        assert fault_of(records[:at])
    assert votes
    assert any(isinstance(one, Part) for one in records)
