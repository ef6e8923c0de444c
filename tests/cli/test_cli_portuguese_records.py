"""Broken records and evidence in Portuguese: each check is its sentence, and nothing English gets through."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from ledger_kit import CLEAR, Rig, framed, frames
from portuguese_kit import ENGLISH, GAME, replace, rig, statement, told

from frp2p import locale
from frp2p.app.faults import SENTENCES, sentence
from frp2p.cli import main
from frp2p.games.fantasy_realms.moves import Pass
from frp2p.ledger.codec import decode, encode
from frp2p.ledger.evidence import BadRecord, BadStep, Contradiction, write_evidence
from frp2p.ledger.records import Ack, Part, read_ack_body, read_part_body, sign_ack, sign_part
from frp2p.ledger.transcript import MAGIC, write_transcript

pytestmark = pytest.mark.usefixtures("new_home")


def test_the_words_are_found_in_english_and_not_in_portuguese() -> None:
    """What `told` looks for can be found: nearly every English sentence has one of the words, no Portuguese one has."""
    locale.use("en")
    english = [sentence(code, "") for code in SENTENCES]
    assert sum(bool(ENGLISH.search(text)) for text in english) > 0.85 * len(english)
    locale.use("pt_BR")
    assert not [text for code in SENTENCES if ENGLISH.search(text := sentence(code, ""))]


# records


def refused(content: bytes, *options: str) -> str:
    """The check that the file fails; a person reads its sentence."""
    Path("file").write_bytes(content)
    found = CliRunner().invoke(main, ["--lang", "pt_BR", "verify", "--json", *options, "file"])
    fault = json.loads(found.stdout)
    assert fault["ok"] is False
    check = str(fault["check"])
    assert check in SENTENCES
    text = told("verify", *options, "file", code=1)
    quoted = fault["message"] if "{message}" in SENTENCES[check] else ""
    assert sentence(check, quoted) in text
    assert f"verificação {check}" in text
    return check


def resealed(number: int, **changes: Any) -> bytes:
    """The record with one part changed and signed again."""
    cut = frames(rig().transcript())
    part = decode(cut[number][4:], Part | Ack, cap=1 << 20)
    if isinstance(part, Part):
        body = read_part_body(part.body)
        again: Part | Ack = sign_part(rig().signers[body.seat], replace(body, **changes))
    else:
        said = read_ack_body(part.body)
        again = sign_ack(rig().signers[said.seat], replace(said, **changes))
    return b"".join([*cut[:number], framed(again), *cut[number + 1 :]])


def places(kind: type[Part | Ack], step: int) -> list[int]:
    """Where the parts or acks of a step are among the frames."""
    found = []
    for number, frame in enumerate(frames(rig().transcript())[2:], 2):
        record = decode(frame[4:], Part | Ack, cap=1 << 20)
        body = read_part_body(record.body) if isinstance(record, Part) else read_ack_body(record.body)
        if isinstance(record, kind) and body.step == step:
            found.append(number)
    return found


def test_flipped_bytes_of_a_record() -> None:
    data = rig().transcript()
    start = len(b"".join(frames(data)[:8]))
    checks = set()
    for at in [*range(0, start, max(1, start // 60)), *range(start, len(data), len(data) // 12)]:
        flipped = bytearray(data)
        flipped[at] ^= 1 << at % 8
        checks.add(refused(bytes(flipped)))
    assert len(checks) >= 5, checks


def test_a_record_in_disorder() -> None:
    cut = frames(rig().transcript())
    part, ack = places(Part, 0)[0], places(Ack, 0)[0]
    checks = {
        refused(b""),
        refused(MAGIC),
        refused(b"frp2p evidence 1\n"),
        refused(b"".join(cut)[:-1]),
        refused(b"".join(cut[:-1])),
        refused(b"".join(cut)),
        refused(b"".join(cut) + b"\0\0\0\0"),
        refused(b"".join([*cut[:part], *cut[part + 1 :]])),
        refused(b"".join([*cut[:part], cut[part + 1], cut[part], *cut[part + 2 :]])),
        refused(b"".join([*cut[:ack], *cut[ack + 1 :]])),
        refused(b"".join(cut[:2]) + b"\xff\xff\xff\xff"),
        refused(Rig(2, GAME, CLEAR).transcript()),
        refused(b"".join(cut), "--audit"),
    }
    assert checks >= {"transcript-magic", "transcript-order", "transcript-truncated", "transcript-length"}
    assert checks >= {"transcript-open", "charter-dealer", "encoding-form"}


@pytest.mark.parametrize(
    ("changes", "check"),
    [
        ({"step": 5}, "part-step"),
        ({"game": bytes(32)}, "part-game"),
        ({"prev": bytes(32)}, "part-prev"),
        ({"kind": "move"}, "part-kind"),
        ({"payload": b""}, "encoding-form"),
        ({"payload": encode([1, 2])}, "encoding-type"),
        ({"payload": bytes(1 << 12)}, "payload-size"),
    ],
)
def test_a_part_that_lies(changes: dict[str, Any], check: str) -> None:
    assert refused(resealed(places(Part, 0)[0], **changes)) == check


@pytest.mark.parametrize(
    ("changes", "check"),
    [
        ({"step": 5}, "ack-step"),
        ({"game": bytes(32)}, "ack-game"),
        ({"step_digest": bytes(32)}, "ack-step-digest"),
        ({"state_digest": bytes(32)}, "ack-state-digest"),
    ],
)
def test_an_ack_that_lies(changes: dict[str, Any], check: str) -> None:
    assert refused(resealed(places(Ack, 0)[0], **changes)) == check


def test_a_move_that_the_rules_do_not_allow() -> None:
    step = next(n for n, one in enumerate(rig().steps) if read_part_body(one.parts[0].body).kind == "move")
    assert refused(resealed(places(Part, step)[0], payload=encode(Pass()))) == "illegal-move"
    assert "As regras não permitem esta jogada: " in told("verify", "file")


@pytest.mark.parametrize("field", ["version", "game", "options", "catalogue", "dealer"])
def test_a_charter_that_nobody_should_sign(field: str) -> None:
    charter = rig().charter
    wrong = {"version": 999, "game": "chess", "options": encode({}), "catalogue": bytes(32), "dealer": "nobody"}
    changed = replace(charter, **{field: wrong[field]})
    assert refused(MAGIC + framed(changed)).startswith(("charter-", "encoding-"))


def test_seats_that_nobody_should_sit_with() -> None:
    charter = rig().charter
    first, second = charter.seats
    checks = {
        refused(MAGIC + framed(replace(charter, seats=seats)))
        for seats in (
            (first,),
            (first, first),
            (first, replace(second, name=first.name)),
            (first, replace(second, name="\u202e")),
            (first, replace(second, name="A" * 17)),
            (first, replace(second, key=bytes(32))),
        )
    }
    assert checks >= {"charter-keys", "charter-names", "name-character", "name-width"}


# evidence


def test_evidence_that_shows_nothing() -> None:
    charter, first = rig().charter, statement()
    steps = rig().steps[:2]
    record = write_transcript(charter, steps)
    right = rig().steps[2].parts
    checks = {
        refused(write_evidence(Contradiction(charter, first, first))),
        refused(write_evidence(Contradiction(charter, first, statement(step=4)))),
        refused(
            write_evidence(Contradiction(charter, statement(game=bytes(32)), statement(game=bytes(32), payload=b"")))
        ),
        refused(write_evidence(BadRecord(record, right[0], "signature"))),
        refused(write_evidence(BadRecord(record, first, "signature"))),
        refused(write_evidence(BadRecord(record, statement(seat=6), "signature"))),
        refused(write_evidence(BadStep(record, right, "share-wrong"))),
        refused(write_evidence(BadStep(record, (first,), "share-wrong"))),
        refused(write_evidence(Contradiction(charter, first, first))[:-1]),
        refused(write_evidence(Contradiction(charter, first, first)), "--audit"),
    }
    assert checks >= {
        "evidence-same",
        "evidence-slot",
        "evidence-right",
        "evidence-step",
        "encoding-form",
        "audit-none",
    }


def test_evidence_that_shows_something() -> None:
    charter = rig().charter
    for other in (statement(payload=b"other"), statement(kind="deal")):
        Path("file").write_bytes(write_evidence(Contradiction(charter, statement(), other)))
        assert "violou o protocolo" in told("verify", "file", code=0)


def test_flipped_bytes_of_evidence() -> None:
    data = write_evidence(Contradiction(rig().charter, statement(), statement(payload=b"other")))
    for at in range(3, len(data), len(data) // 40):
        flipped = bytearray(data)
        flipped[at] ^= 1 << at % 8
        refused(bytes(flipped))
