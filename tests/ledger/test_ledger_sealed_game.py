"""A whole game of Fantasy Realms with real cryptography: it verifies, and what differs from it does not."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner
from ledger_kit import CLEAR, TINY, Guess, Rig, frames

from frp2p import locale
from frp2p.cards import CardId
from frp2p.cards.notation import shown_name
from frp2p.cli import main
from frp2p.cli.audit import audit_lines, audit_plain
from frp2p.cli.verify import printable
from frp2p.deal.sealed import SealedKind
from frp2p.games.registry import games
from frp2p.games.verbs import TABLE
from frp2p.ledger import limits
from frp2p.ledger.audit import Audit, Hand, Look
from frp2p.ledger.codec import encode
from frp2p.ledger.evidence import BadRecord, Contradiction, write_evidence
from frp2p.ledger.fingerprint import fingerprint
from frp2p.ledger.provisions import provisions
from frp2p.ledger.records import Part, PartBody, read_part_body, sign_part
from frp2p.ledger.transcript import MAGIC, read_records
from frp2p.ledger.verify import TranscriptFault, verify

GAME = games()["fantasy-realms"]
SEALED = SealedKind()
DEALERS: Mapping[str, Any] = {SEALED.name: SEALED}


@cache
def rig() -> Rig:
    """A finished game of two."""
    finished = Rig(2, GAME, SEALED, provided=provisions(2, audit=True))
    finished.play()
    return finished


def transcript() -> bytes:
    return rig().transcript()


def test_the_game_holds() -> None:
    report = verify(BytesIO(transcript()), games(), DEALERS)
    assert report.digest == rig().observer.record_digest
    view = rig().observer.view(None)
    assert [(seat.total, seat.rank) for seat in report.seats] == [(seat.total, seat.rank) for seat in view.seats]
    assert {seat.rank for seat in report.seats} in ({1, 2}, {1})


def test_every_payload_has_room_to_grow() -> None:
    """Half of each cap is enough for two seats; the proof of a shuffle does not depend on how many play."""
    longest: dict[str, int] = {}
    for record in read_records(BytesIO(transcript())):
        if isinstance(record, Part):
            body = read_part_body(record.body)
            longest[body.kind] = max(longest.get(body.kind, 0), len(body.payload))
    assert set(longest) == set(limits.MAX_PAYLOAD)
    assert longest["deal"] > 8000, "no proof of a shuffle in the record"
    assert all(2 * longest[kind] <= limits.MAX_PAYLOAD[kind] for kind in ("setup", "deal", "move"))


def test_flipped_bits_all_over_the_game_are_refused() -> None:
    data = transcript()
    for at in range(3, len(data), len(data) // 16):
        flipped = bytearray(data)
        flipped[at] ^= 1 << at % 8
        with pytest.raises(TranscriptFault) as caught:
            verify(BytesIO(bytes(flipped)), games(), DEALERS)
        assert caught.value.check


def resigned_shuffle(at: int) -> tuple[bytes, int]:
    """The game up to a shuffle in which the shuffler changed one bit and signed it properly; and its step."""
    for step, closed in enumerate(rig().steps):
        body = read_part_body(closed.parts[0].body)
        if len(body.payload) > 8000:
            payload = bytearray(body.payload)
            payload[at % len(payload)] ^= 1
            part = sign_part(rig().signers[body.seat], msgspec.structs.replace(body, payload=bytes(payload)))
            before = sum(len(closed.records()) for closed in rig().steps[:step])
            data = encode(part)
            return b"".join(frames(transcript())[: 2 + before]) + len(data).to_bytes(4, "big") + data, step
    raise AssertionError("no shuffle")


@pytest.mark.parametrize("at", range(17, 12_000, 999))
def test_a_shuffle_with_a_wrong_bit_is_the_shufflers_fault(at: int) -> None:
    data, step = resigned_shuffle(at)
    with pytest.raises(TranscriptFault) as caught:
        verify(BytesIO(data), games(), DEALERS)
    seat = read_part_body(rig().steps[step].parts[0].body).seat
    assert (caught.value.step, caught.value.seat) == (step, seat)
    assert not caught.value.check.startswith(("signature", "part-", "ack-", "transcript-"))


def test_a_wrong_proof_is_evidence(tmp_path: Path) -> None:
    """The bad part with the record before it convicts the shuffler from the command line."""
    data, step = resigned_shuffle(5000)
    with pytest.raises(TranscriptFault) as caught:
        verify(BytesIO(data), games(), DEALERS)
    pieces = frames(data)
    *_before, part = read_records(BytesIO(data))
    assert isinstance(part, Part)
    file = tmp_path / "evidence"
    file.write_bytes(write_evidence(BadRecord(b"".join(pieces[:-1]), part, caught.value.check)))
    code, said = run(file)
    seat = caught.value.seat
    assert seat is not None
    key = rig().signers[seat].public_key
    assert code == 0
    assert said == [
        {
            "file": str(file), "ok": True, "kind": "evidence", "check": caught.value.check, "step": step, "seat": seat,
            "name": rig().charter.seats[seat].name, "key": key.hex(), "fingerprint": fingerprint(key),
        }
    ]  # fmt: skip


# the command


def run(*files: Path) -> tuple[int, list[dict[str, Any]]]:
    """Exit code and objects of `frp2p verify FILE... --json`."""
    result = CliRunner().invoke(main, ["verify", *map(str, files), "--json"])
    return result.exit_code, [json.loads(line) for line in result.stdout.splitlines()]


@pytest.fixture
def good(tmp_path: Path) -> Path:
    file = tmp_path / "good"
    file.write_bytes(transcript())
    return file


@pytest.fixture
def bad(tmp_path: Path) -> Path:
    file = tmp_path / "bad"
    data = bytearray(transcript())
    data[len(data) // 2] ^= 1
    file.write_bytes(data)
    return file


def test_json(good: Path, bad: Path) -> None:
    code, [said, refused] = run(good, bad)
    assert code == 1
    digest = rig().observer.record_digest
    assert digest is not None
    assert (said["ok"], said["digest"], said["steps"], said["verified"]) == (True, digest.hex(), len(rig().steps), 2)
    assert [seat["name"] for seat in said["seats"]] == ["Ana", "Bruno"]
    assert (said["game"], said["mode"]) == ("fantasy-realms", "standard")
    assert refused["ok"] is False
    assert refused["check"] == "signature"
    assert refused["step"] in range(len(rig().steps))
    assert refused["seat"] in (0, 1)
    assert run(good)[0] == 0


def test_text(good: Path, bad: Path) -> None:
    result = CliRunner().invoke(main, ["verify", str(good), str(bad)])
    assert result.exit_code == 1
    lines = result.stdout.splitlines()
    assert lines[0].startswith(f"{good} holds: table ")
    assert lines[1].startswith("Standard game. ")
    assert lines[2] == "If a player is lost, the game waits."
    assert lines[3].startswith("1. ")
    assert lines[5] == "Verified and signed by 2 of 2."
    assert lines[7].startswith(f"{bad} does not hold: ")
    assert "check signature, step " in lines[7]


def test_a_game_that_is_not_over(tmp_path: Path) -> None:
    file = tmp_path / "open"
    file.write_bytes(b"".join(frames(transcript())[:6]))
    result = CliRunner().invoke(main, ["verify", str(file)])
    assert result.exit_code == 1
    said = "The game in this record is not over. (check transcript-open, step 1)"
    assert result.stdout == f"{file} does not hold: {said}\n"


def test_files_that_cannot_be_read(good: Path, tmp_path: Path) -> None:
    for path in (tmp_path / "none", tmp_path, "a\0b"):
        result = CliRunner().invoke(main, ["verify", str(path), str(good), "--json"])
        assert result.exit_code == 2
        refused, read = map(json.loads, result.stdout.splitlines())
        assert (refused["file"], refused["ok"], refused["check"]) == (str(path), False, "file-unreadable")
        assert result.stderr == f"{refused['message']}\n"
        assert read["ok"] is True
    assert CliRunner().invoke(main, ["verify"]).exit_code == 2


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
@pytest.mark.timeout(30)
def test_a_pipe_is_read_and_one_without_a_writer_is_not_waited_for(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    code, [said] = run(pipe)
    assert (code, said["check"]) == (1, "transcript-magic")
    early = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)  # lets the writer open it before the program does
    with pipe.open("wb") as writing, ThreadPoolExecutor() as pool:
        found = pool.submit(run, pipe)
        time.sleep(0.2)
        writing.write(transcript())
        writing.close()
        os.close(early)
        assert found.result()[0] == 0


def test_only_evidence_where_it_is_asked_for(good: Path, tmp_path: Path) -> None:
    file = tmp_path / "evidence"
    file.write_bytes(contradiction())
    for path, code, check in ((file, 0, "two-parts"), (good, 1, "evidence-magic"), (tmp_path, 2, "file-unreadable")):
        result = CliRunner().invoke(main, ["verify", "--evidence", str(path), "--json"])
        assert (result.exit_code, json.loads(result.stdout)["check"]) == (code, check)


def test_what_is_no_transcript(tmp_path: Path) -> None:
    file = tmp_path / "file"
    for data, check in (
        (b"", "transcript-magic"),
        (b"frp2p evidence 1\n", "encoding-form"),
        (MAGIC, "transcript-order"),
    ):
        file.write_bytes(data)
        code, [said] = run(file)
        assert (code, said["ok"], said["check"], said["step"], said["seat"]) == (1, False, check, None, None)


def test_a_clear_game_is_not_believed(tmp_path: Path) -> None:
    file = tmp_path / "clear"
    file.write_bytes(Rig(2, GAME, CLEAR).play())
    code, [said] = run(file)
    assert (code, said["check"]) == (1, "charter-dealer")


def contradiction() -> bytes:
    """Evidence against seat 1."""
    body = PartBody(rig().observer.digest, 3, bytes(32), 1, "move", encode(Guess(3)))
    first, second = (sign_part(rig().signers[1], msgspec.structs.replace(body, payload=at)) for at in (b"", b"x"))
    return write_evidence(Contradiction(rig().charter, first, second))


def test_a_contradiction_in_text(tmp_path: Path) -> None:
    file = tmp_path / "evidence"
    file.write_bytes(contradiction())
    result = CliRunner().invoke(main, ["verify", str(file)])
    assert result.exit_code == 0
    assert f"evidence. Bruno ({fingerprint(rig().signers[1].public_key)}) broke the protocol in step 3: two-parts." in (
        result.stdout
    )


def test_nothing_that_a_terminal_obeys_is_printed(tmp_path: Path) -> None:
    """Neither from the name of a file nor from a message that quotes what stands in it."""
    file = tmp_path / "a\x1b[2Jb"
    data = encode(["\x1b[2J\x9b", b"", b""])
    file.write_bytes(MAGIC + len(data).to_bytes(4, "big") + data)
    for arguments in ([str(file)], [str(file), "--json"], [str(tmp_path / "none\x1b]0;x\x07")]):
        result = CliRunner().invoke(main, ["verify", *arguments])
        assert result.exit_code in (1, 2)
        assert result.output.strip()
        assert not set(result.output) & set(map(chr, [*range(10), *range(11, 32), *range(127, 160)]))
    assert printable("a\x1b\u202eb") == "a��b"


# the open audit


def audit_objects(*files: Path) -> tuple[int, list[dict[str, Any]]]:
    result = CliRunner().invoke(main, ["verify", *map(str, files), "--audit", "--json"])
    return result.exit_code, [json.loads(line) for line in result.stdout.splitlines()]


def test_the_audit_as_an_object(good: Path) -> None:
    code, [said] = audit_objects(good)
    plain = run(good)[1][0]
    found = said.pop("audit")
    assert (code, said) == (0, plain)
    assert found.keys() == {"opened", "hands", "looks", "orders"}
    assert found["opened"] == [0, 1]
    first = next(hand for hand in found["hands"] if hand["seat"] == 0)
    assert first.keys() == {"step", "seat", "deck", "why", "cards"}
    assert first["why"] == ["draw"]
    opening = found["orders"][0]
    assert opening.keys() == {"step", "deck", "cards"}
    assert sorted(opening["cards"]) == sorted(GAME.decks(rig().observer.options)[opening["deck"]])
    assert first["cards"] == [card for card in opening["cards"] if card in first["cards"]]


def test_the_audit_in_text_in_both_languages(good: Path) -> None:
    for language, title, deck in (
        ("en", "Ana held", "Decks after a shuffle, from the top"),
        ("pt_BR", "As cartas de Ana", "Os baralhos depois de embaralhados, de cima para baixo"),
    ):
        result = CliRunner().invoke(main, ["verify", str(good), "--audit", "--lang", language])
        lines = result.stdout.splitlines()
        assert result.exit_code == 0
        assert lines.index(title) < lines.index(deck)
        assert all(len(line) <= 80 for line in lines[6:])
        [order] = audit_objects(good)[1][0]["audit"]["orders"]
        locale.use(language)
        told = " ".join(" ".join(lines[lines.index(deck) + 1 :]).split())
        assert told.endswith(", ".join(shown_name(card) for card in order["cards"]))
    locale.use("en")


def test_a_look_and_an_unread_hand_in_text() -> None:
    report = verify(BytesIO(transcript()), games(), DEALERS)
    card = CardId("FR01")
    looks = (Look(7, 1, TABLE, "x", (card, None)), Look(8, 0, 1, "x", (card,)))
    hand = Hand(9, 0, "x", (), ())
    told = audit_lines(Audit(report, (0,), (hand,), looks, ()))
    assert told == [
        "Open audit: the keys of 1 of 2.",
        "Not opened: Bruno. Those hands stay hidden.",
        "",
        "Ana held",
        "  step 9: nothing hidden",
        "",
        "Looks at hidden cards",
        "  step 7, Bruno, in the deck: Mountain, unknown",
        "  step 8, Ana, at Bruno: Mountain",
    ]
    assert [look["owner"] for look in audit_plain(Audit(report, (0,), (), looks, ()))["looks"]] == [None, 1]


def test_no_audit_without_keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The record holds, and it is said that nobody opened keys; what does not hold says why; evidence has no hands."""
    monkeypatch.setattr("frp2p.games.registry.games", lambda: {TINY.name: TINY})
    file, cut, evidence = tmp_path / "closed", tmp_path / "cut", tmp_path / "evidence"
    closed = Rig(2, TINY, SEALED)
    file.write_bytes(closed.play())
    cut.write_bytes(file.read_bytes()[:-1])
    part = closed.steps[0].parts[0]
    evidence.write_bytes(write_evidence(BadRecord(b"", part, "signature")))
    assert run(file)[0] == 0
    code, said = audit_objects(file, cut, evidence)
    assert code == 1
    assert [one["check"] for one in said] == ["audit-none", "transcript-truncated", "audit-none"]
    result = CliRunner().invoke(main, ["verify", str(file), "--audit"])
    assert result.exit_code == 1
    assert "Nobody opened keys after this game, so nobody can read the hands." in result.stdout
