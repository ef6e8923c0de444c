"""Transcripts and the verifier: a whole game holds, and nothing that differs from it does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from io import BytesIO
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ledger_kit import BLANK, CLEAR, DEALERS, GAMES, NAMES, Rig, framed, frames, signers

from frp2p.deal.clear import ClearKind
from frp2p.errors import PeerFault
from frp2p.games.verbs import TABLE
from frp2p.ledger import limits, transcript
from frp2p.ledger.charter import Charter
from frp2p.ledger.codec import decode, encode
from frp2p.ledger.fingerprint import fingerprint
from frp2p.ledger.records import Ack, AckBody, Part, PartBody, read_ack_body, read_part_body, sign_ack, sign_part
from frp2p.ledger.transcript import MAGIC, frame, read_records, write_transcript
from frp2p.ledger.verify import Report, TranscriptFault, replay, verify

replace = msgspec.structs.replace


@cache
def rig() -> Rig:
    """A finished game of two."""
    finished = Rig(2)
    finished.play()
    return finished


GAME = rig().transcript()
BLANK_GAME = Rig(2, BLANK).play()


def check(data: bytes) -> Report:
    return verify(BytesIO(data), GAMES, DEALERS)


def fault_of(data: bytes) -> TranscriptFault:
    with pytest.raises(TranscriptFault) as caught:
        check(data)
    return caught.value


def place(data: bytes) -> tuple[str, int | None, int | None]:
    """Check, step and seat of the fault."""
    fault = fault_of(data)
    return fault.check, fault.step, fault.seat


@pytest.mark.parametrize("seats", [2, 3, 6])
def test_a_whole_game_holds(seats: int) -> None:
    game = Rig(seats)
    report = check(game.play())
    assert (report.game, report.dealer, report.steps) == ("tiny", "clear", len(game.steps))
    assert report.digest == game.observer.record_digest
    assert report.attested == seats
    assert [seat.name for seat in report.seats] == list(NAMES[:seats])
    assert [seat.key for seat in report.seats] == [signer.public_key for signer in signers(seats)]
    assert [seat.fingerprint for seat in report.seats] == [fingerprint(signer.public_key) for signer in signers(seats)]
    assert {seat.total for seat in report.seats} == {game.observer.view(None).seats[0].total}
    assert {seat.rank for seat in report.seats} == {1}


def test_the_same_game_gives_the_same_bytes() -> None:
    assert Rig(2).play() == GAME
    assert Rig(2, salt="other").play() != GAME


def test_every_flipped_byte_is_refused_with_a_check() -> None:
    """There is no byte in a transcript that may be changed: all is magic, length, signed or signature.

    Every byte of the shortest ledger, and every 41st of the game; each time another bit.
    """
    for data, stride in ((BLANK_GAME, 1), (GAME, 41)):
        for at in range(0, len(data), stride):
            flipped = bytearray(data)
            flipped[at] ^= 1 << at % 8
            fault = fault_of(bytes(flipped))
            assert fault.check
            assert fault.step is None or 0 <= fault.step <= len(rig().steps)
            assert fault.seat in (None, 0, 1)


def test_the_step_of_a_flip_is_named() -> None:
    at = 0
    steps = [None, None] + [step for step, closed in enumerate(rig().steps) for _ in closed.records()]
    for step, piece in zip(steps, frames(GAME), strict=True):
        middle = at + len(piece) * 3 // 4
        flipped = bytearray(GAME)
        flipped[middle] ^= 0x10
        fault = fault_of(bytes(flipped))
        # A changed charter shows when the first part names another one; otherwise the step is exact.
        assert fault.step == (step if step is not None else fault.step)
        assert fault.step in (step, 0)
        at += len(piece)


def test_every_truncation_is_refused() -> None:
    pieces = frames(BLANK_GAME)
    ends = {len(b"".join(pieces[:count])) for count in range(len(pieces) + 1)}
    for length in sorted((ends | set(range(0, len(BLANK_GAME), 5))) - {len(BLANK_GAME)}):
        fault = fault_of(BLANK_GAME[:length])
        if length < len(MAGIC):
            assert fault.check == "transcript-magic"
        elif length in ends:
            assert fault.check in {"transcript-order", "transcript-open", "transcript-truncated"}
        else:
            assert fault.check == "transcript-truncated"


def test_whatever_follows_is_refused() -> None:
    last = len(rig().steps)
    assert place(GAME + b"\0")[0] == "transcript-truncated"
    assert place(GAME + framed(rig().steps[0].parts[0])) == ("transcript-trailing", last, None)
    assert place(GAME + frame(rig().charter)) == ("transcript-trailing", last, None)
    assert place(GAME + GAME)[0] == "transcript-length"


def test_any_two_neighbours_swapped_any_one_left_out_any_one_twice() -> None:
    pieces = frames(GAME)
    for at in range(1, len(pieces)):
        if at + 1 < len(pieces):
            swapped = [*pieces[:at], pieces[at + 1], pieces[at], *pieces[at + 2 :]]
            assert fault_of(b"".join(swapped)).check == "transcript-order"
        missing = fault_of(b"".join(pieces[:at] + pieces[at + 1 :])).check
        assert missing == ("transcript-truncated" if at + 1 == len(pieces) else "transcript-order")
        twice = fault_of(b"".join(pieces[: at + 1] + pieces[at:])).check
        assert twice == ("transcript-trailing" if at + 1 == len(pieces) else "transcript-order")


def test_a_record_of_another_game_does_not_fit() -> None:
    """Same people, same keys, same moves; only the nonces differ."""
    other = frames(Rig(2, salt="other").play())
    pieces = frames(GAME)
    for at in range(1, len(pieces)):
        mixed = fault_of(b"".join([*pieces[:at], other[at], *pieces[at + 1 :]]))
        assert mixed.check in {"part-game", "ack-game"}


def test_a_record_of_another_step_does_not_fit() -> None:
    """Every part at the place of every other of its seat: refused before any rule looks at it."""
    pieces, records = frames(GAME), list(read_records(BytesIO(GAME)))
    parts = [(at, read_part_body(record.body)) for at, record in enumerate(records) if isinstance(record, Part)]
    for at, mine in parts:
        for from_at, body in parts:
            if from_at != at and mine.seat == body.seat:
                moved = [*pieces[: at + 1], pieces[from_at + 1], *pieces[at + 2 :]]
                assert place(b"".join(moved)) == ("part-step", mine.step, mine.seat)


def rewritten(step: int, seat: int, change: Callable[[PartBody], PartBody], signer: int | None = None) -> bytes:
    """The game with one part changed and signed anew (by its own seat, if nobody else), all acks left alone."""
    steps = list(rig().steps)
    parts = list(steps[step].parts)
    [at] = [at for at, part in enumerate(parts) if read_part_body(part.body).seat == seat]
    parts[at] = sign_part(rig().signers[seat if signer is None else signer], change(read_part_body(parts[at].body)))
    steps[step] = replace(steps[step], parts=tuple(parts))
    return write_transcript(rig().charter, steps)


def test_a_part_that_its_own_seat_signed_anew() -> None:
    """Whoever changes history with the own key is stopped by the acks of the others."""
    other_guess = encode(["Guess", 9])
    assert place(rewritten(5, 1, lambda body: replace(body, payload=other_guess))) == ("ack-step-digest", 5, 0)
    assert place(rewritten(5, 1, lambda body: body, signer=0)) == ("signature", 5, 1)
    assert place(rewritten(5, 1, lambda body: replace(body, prev=bytes(32)))) == ("part-prev", 5, 1)
    assert place(rewritten(5, 1, lambda body: replace(body, kind="deal"))) == ("part-kind", 5, 1)
    assert place(rewritten(5, 1, lambda body: replace(body, payload=encode(["Guess", 10])))) == ("illegal-move", 5, 1)
    assert place(rewritten(5, 1, lambda body: replace(body, game=bytes(32)))) == ("part-game", 5, 1)


def reacked(number: int, who: int, signer: int | None = None, **changes: Any) -> bytes:
    """The game with one ack of this step changed and signed anew."""
    steps = list(rig().steps)
    acks = list(steps[number].acks)
    body = replace(read_ack_body(acks[who].body), **changes)
    acks[who] = sign_ack(rig().signers[who if signer is None else signer], body)
    steps[number] = replace(steps[number], acks=tuple(acks))
    return write_transcript(rig().charter, steps)


def test_acks_are_of_all_seats_and_of_this_step() -> None:
    for step in (0, 4, len(rig().steps) - 1):
        assert place(reacked(step, 1, signer=0)) == ("signature", step, 1)
        assert place(reacked(step, 1, game=bytes(32))) == ("ack-game", step, 1)
        assert place(reacked(step, 1, step=step + 1)) == ("ack-step", step, 1)
        assert place(reacked(step, 1, step_digest=bytes(32))) == ("ack-step-digest", step, 1)
        assert place(reacked(step, 1, state_digest=bytes(32))) == ("ack-state-digest", step, 1)
        assert place(reacked(step, 1, seat=0)) == ("transcript-order", step, 1)
    assert check(reacked(3, 1, elapsed_ms=1)).digest == check(GAME).digest  # a remark, signed by its seat


def test_the_dealer_is_checked() -> None:
    """A share that its own seat spoiled, with acks of everybody bought: the observer's dealer sees it."""
    data = rewritten(4, 1, lambda body: replace(body, payload=body.payload[:-1] + bytes([body.payload[-1] ^ 1])))
    assert place(data) == ("clear-token", 4, 1)


def test_an_open_game_can_be_replayed_but_is_no_result() -> None:
    pieces = frames(GAME)
    cut = b"".join(pieces[: 2 + len(rig().steps[0].records())])
    assert place(cut) == ("transcript-open", 1, None)
    referee = replay(BytesIO(cut), GAMES, DEALERS)
    assert (referee.step, referee.stage) == (1, "setup")
    assert replay(BytesIO(b"".join(pieces[:2])), GAMES, DEALERS).step == 0


def test_a_clear_dealer_is_believed_only_where_it_is_asked_for() -> None:
    with pytest.raises(TranscriptFault) as caught:
        verify(BytesIO(GAME), GAMES, {})
    assert (caught.value.check, caught.value.step, caught.value.seat) == ("charter-dealer", None, None)
    with pytest.raises(TranscriptFault) as caught:
        verify(BytesIO(GAME), {}, DEALERS)
    assert (caught.value.check, caught.value.step, caught.value.seat) == ("charter-game", None, None)


class Endless:
    """A source that never ends and counts what it was asked for."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self.pieces = pieces
        self.held = b""
        self.taken = 0

    def read(self, size: int, /) -> bytes:
        while len(self.held) < size and (piece := next(self.pieces, b"")):
            self.held += piece
        taken, self.held = self.held[:size], self.held[size:]
        self.taken += len(taken)
        return taken


@pytest.mark.parametrize("length", [0, limits.MAX_RECORD + 1, 1 << 31, (1 << 32) - 1])
def test_lengths_are_looked_at_before_anything_is_read(length: int) -> None:
    source = Endless(iter([MAGIC, length.to_bytes(4, "big"), bytes(1 << 20)]))
    with pytest.raises(PeerFault) as caught:
        list(read_records(source))
    assert caught.value.check == "transcript-length"
    assert source.taken == len(MAGIC) + 4


def test_the_longest_record_is_read() -> None:
    largest = Part(bytes(limits.MAX_BODY), bytes(64))
    assert len(encode(largest)) <= limits.MAX_RECORD
    assert list(read_records(BytesIO(MAGIC + framed(largest)))) == [largest]


def test_a_file_without_end_is_left_at_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transcript.limits, "MAX_TRANSCRIPT", 10_000)
    part = framed(Part(bytes(900), bytes(64)))

    def endless() -> Iterator[bytes]:
        yield MAGIC
        while True:
            yield part

    source = Endless(endless())
    with pytest.raises(PeerFault) as caught:
        list(read_records(source))
    assert caught.value.check == "transcript-size"
    assert source.taken <= 10_000 + 4


def test_steps_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_STEPS", 5)
    assert place(GAME) == ("transcript-steps", 5, None)


def test_short_reads_are_no_end() -> None:
    class Trickle(BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            return super().read(min(size or 0, 7))

    assert verify(Trickle(GAME), GAMES, DEALERS) == check(GAME)


@given(st.binary(max_size=300))
@settings(max_examples=300, deadline=None)
def test_noise_is_refused(data: bytes) -> None:
    for start in (b"", MAGIC, b"".join(frames(GAME)[:2]), b"".join(frames(GAME)[:5])):
        assert fault_of(start + data).check


@given(st.integers(0, len(GAME)), st.integers(0, 40), st.binary(max_size=40))
@settings(max_examples=300, deadline=None)
def test_any_piece_replaced_by_any_other_is_refused(at: int, cut: int, new: bytes) -> None:
    changed = GAME[:at] + new + GAME[at + cut :]
    if changed != GAME:
        assert fault_of(changed).check


def test_the_records_are_those_of_the_file() -> None:
    records = list(read_records(BytesIO(GAME)))
    assert isinstance(records[0], Charter)
    assert [type(record) for record in records[1:5]] == [Part, Part, Ack, Ack]
    assert MAGIC + b"".join(frame(record) for record in records) == GAME
    body: AckBody = decode(records[-1].body, AckBody, cap=1000) if isinstance(records[-1], Ack) else None
    assert body.step == len(rig().steps) - 1
    assert TABLE == -1
    assert isinstance(CLEAR, ClearKind)
