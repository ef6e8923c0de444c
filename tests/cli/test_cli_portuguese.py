"""Damaged journals, hands, settings and files in Portuguese: nothing of the English of a raise site, of the system
or of a library gets through."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from portuguese_kit import checked, replace, rig, statement, told

from frp2p.cli import main
from frp2p.ledger.codec import encode
from frp2p.ledger.records import Part, read_part_body, sign_part
from frp2p.store import identity, settings
from frp2p.store.journal import TableJournal
from frp2p.table.journal import VERSION, Opening, write_entries

pytestmark = pytest.mark.usefixtures("new_home")


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
def test_settings_that_are_wrong(text: bytes, new_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANG", "pt_BR.UTF-8")
    new_home.mkdir()
    (new_home / settings.FILE_NAME).write_bytes(text)
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
