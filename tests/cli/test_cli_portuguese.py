"""Whatever is broken, what a person reads with `--lang pt_BR` is Portuguese: nothing of the English of a raise site, of
the system or of a library gets through."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner
from ledger_kit import CLEAR, Guess, Rig, framed, frames

from frp2p import locale
from frp2p.app.faults import SENTENCES, sentence
from frp2p.cli import main
from frp2p.deal.sealed import SealedKind
from frp2p.games.fantasy_realms.moves import Pass
from frp2p.games.registry import games
from frp2p.ledger.codec import decode, encode
from frp2p.ledger.evidence import BadRecord, BadStep, Contradiction, write_evidence
from frp2p.ledger.records import Ack, Part, PartBody, read_ack_body, read_part_body, sign_ack, sign_part
from frp2p.ledger.transcript import MAGIC, write_transcript
from frp2p.store import identity, settings
from frp2p.store.home import VARIABLE
from frp2p.store.journal import TableJournal
from frp2p.table.journal import VERSION, Opening, write_entries

GAME = games()["fantasy-realms"]

ENGLISH = re.compile(
    r"\b(an|and|be|been|can't|could|does|expected|got|has|in|invalid|is|must|not|nothing|object|of|or|such|that|the|this"
    r"|to|was|while|with)\b",
    re.IGNORECASE,
)
"""Words of English sentences that Portuguese does not have."""

replace = msgspec.structs.replace


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv(VARIABLE, str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    yield tmp_path / "home"
    locale.use("en")


def told(*arguments: str, text_in: str | None = None, code: int | None = None) -> str:
    """What a person reads of it in Portuguese; it is something, and not English."""
    return checked(["--lang", "pt_BR", *arguments], text_in, code)


def checked(arguments: Sequence[str], text_in: str | None, code: int | None) -> str:
    result = CliRunner().invoke(main, arguments, input=text_in)
    assert result.exit_code != 0 if code is None else result.exit_code == code, result.output
    assert result.output.strip()
    for line in result.output.replace(str(Path.cwd()), "").splitlines():
        assert not ENGLISH.search(line), line
    return result.output


def test_the_words_are_found_in_english_and_not_in_portuguese() -> None:
    """The test above can fail: nearly every English sentence has one of the words, no Portuguese one has."""
    locale.use("en")
    english = [sentence(code, "") for code in SENTENCES]
    assert sum(bool(ENGLISH.search(text)) for text in english) > 0.85 * len(english)
    locale.use("pt_BR")
    assert not [text for code in SENTENCES if ENGLISH.search(text := sentence(code, ""))]


# records


@cache
def rig() -> Rig:
    """Some way into a game of two; nothing after it is needed to find a fault before it."""
    played = Rig(2, GAME, SealedKind())
    played.until("move")
    played.step()
    played.step()
    return played


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


def statement(**changes: Any) -> Part:
    observer = rig().observer
    return sign_part(
        rig().signers[1], replace(PartBody(observer.digest, 3, bytes(32), 1, "move", encode(Guess(3))), **changes)
    )


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


# journals


def opening(**changes: Any) -> Opening:
    first = rig().signers[0].public_key
    fields = {"version": VERSION, "key": first, "seed": bytes(32), "charter": encode(rig().charter)}
    return Opening(**{**fields, "addresses": (("127.0.0.1:1",), ("127.0.0.1:2",)), **changes})


def journal(*entries: Any) -> Path:
    """A table that was left, with this in its journal; the key that sat there is the user's."""
    if not identity.key_path(1).exists():
        identity.install(sha256(b"signer 0").digest())
    kept = TableJournal(rig().signers[0].public_key)
    for records in entries:
        kept.append(rig().observer.digest, records)
    kept.close()
    assert kept.path is not None
    return kept.path


JOURNALS: dict[str, Any] = {
    "journal-version": lambda: [write_entries([opening(version=VERSION + 1)])],
    "journal-form": lambda: [write_entries([opening()]), write_entries([opening()])],
    "no opening": lambda: [write_entries([statement(seat=0)])],
    "no record": lambda: [(b"\xc1",)],
    "another table": lambda: [write_entries([opening(), statement(seat=0, game=bytes(32))])],
    "two statements": lambda: [write_entries([opening(), statement(seat=0), statement(seat=0, payload=b"")])],
    "another seat": lambda: [write_entries([opening(addresses=())])],
    "no charter": lambda: [write_entries([opening(charter=b"\xc1")])],
    "another game": lambda: [write_entries([opening(charter=encode(replace(rig().charter, game="chess")))])],
    "other words": lambda: [write_entries([opening(), _first_part()])],
}


def _first_part() -> Part:
    """What this seat never said with this seed."""
    [body] = [one for part in rig().steps[0].parts if (one := read_part_body(part.body)).seat == 0]
    return sign_part(rig().signers[0], replace(body, payload=body.payload + b"x"))


@pytest.mark.parametrize("kind", JOURNALS)
def test_a_journal_that_leads_nowhere(kind: str) -> None:
    path = journal(*JOURNALS[kind]())
    told("resume", "--list", code=0)
    for wanted in ([path.name[:16]], []):
        assert told("resume", *wanted, code=2)


def test_flipped_bytes_of_a_journal() -> None:
    path = journal(write_entries([opening()]), write_entries([statement(seat=0)]))
    good = path.read_bytes()
    for at in range(0, len(good) - 200, 37):
        flipped = bytearray(good)
        flipped[at] ^= 0x10
        path.write_bytes(flipped)
        assert "não pode ser lido" in told("resume", "--list", code=0)
        told("resume", path.name[:16], code=2)


def test_a_journal_in_json_keeps_the_code_and_the_english_message() -> None:
    journal(*JOURNALS["journal-version"]())
    result = CliRunner().invoke(main, ["--lang", "pt_BR", "resume", "--list", "--json"])
    [table] = json.loads(result.stdout)["tables"]
    assert table["check"] == "journal-version"
    assert table["problem"] == "The journal is of another version of this program."


# what is typed, and what is on the disk


HANDS = (
    "King, Quen",
    "King, Foo",
    "K",
    "King, King",
    "King, Phoenix",
    "King, Unicorn | colour: red",
    "King | discard: Hydra | discard: Hydra",
    "King; King=Queen",
    "King; Mirage=Rainstorm",
    "Mirage; Mirage=Rainstorm; Mirage=Rainstorm",
    "Mirage; Mirage=King",
    "Shapeshifter; Shapeshifter=Rainstorm",
    "Book of Changes, King; Book of Changes=King:Foo",
    "Book of Changes, King; Book of Changes=Book of Changes:Land",
    "Doppelgänger, King; Doppelgänger=Queen",
    "Doppelgänger, King; Doppelgänger=Doppelgänger",
    "Island, King; Island=King",
    "King | players: 99",
    "King; King",
    "King,,Queen",
    ", ".join(["King"] * 30),
    "x" * 5000,
    "Mirage; Mirage=Mountain:Land:Foo",
    "",
)


@pytest.mark.parametrize("hand", HANDS)
def test_a_hand_that_is_none(hand: str) -> None:
    if hand:
        told("score", hand, code=2)
    assert "linha 1: " in told("score", "--stdin", text_in=hand + "\n", code=1)


@pytest.mark.parametrize("hand", HANDS)
def test_a_hand_that_is_none_keeps_its_code_in_json(hand: str) -> None:
    result = CliRunner().invoke(main, ["score", "--stdin", "--json", "--lang", "pt_BR"], input=hand + "\n")
    assert json.loads(result.stdout)["error"]["code"]


@pytest.mark.parametrize(
    "line", ["--house foo=on", "--house book_wild=maybe", "--discard Foo", "--items King", "--best"]
)
def test_options_of_a_hand_that_are_none(line: str) -> None:
    told("score", "Mirage; Mirage=Rainstorm", *line.split(), code=2)


@pytest.mark.parametrize(
    "text",
    [
        b"name = \n",
        b"name = '''",
        b"name = 5",
        b"colour = 'red'",
        b"language = 'xx'",
        b"name = '12345678901234567'",
        b"\xff",
    ],
)
def test_settings_that_are_wrong(text: bytes, own_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANG", "pt_BR.UTF-8")
    own_home.mkdir()
    (own_home / settings.FILE_NAME).write_bytes(text)
    assert re.match("As configurações|O nome", checked(["cards", "King"], None, 2))


LINES: dict[str, Sequence[str]] = {
    "no file": ("verify", "none"),
    "a folder": ("verify", "."),
    "a zero byte": ("verify", "a\0b"),
    "no folder": ("verify", "file/none"),
    "too long": ("verify", "a" * 300),
    "no passphrase": ("host", "--passphrase-file", "none"),
    "no page": ("rules", "nowhere-at-all"),
    "no card": ("cards", "Foo"),
    "no key": ("identity", "import", "xyz"),
    "no address": ("join", "host:port"),
    "no interface": ("watch", "127.0.0.1:1", "--interface", "foo0"),
    "no table": ("resume", "ABCD-EFGH"),
    "no table at all": ("resume",),
    "no match": ("play", "--rounds", "999"),
    "a duel of three": ("play", "--mode", "duel", "--bots", "2", "--auto"),
}


@pytest.mark.parametrize("line", LINES.values(), ids=LINES)
def test_what_is_not_possible(line: Sequence[str]) -> None:
    Path("file").write_bytes(b"")
    told(*line, code=2)
