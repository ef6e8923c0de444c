"""`frp2p doctor` as people and programs call it; on loopback, because this machine may be on any network."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner, Result

from frp2p.cli import main
from frp2p.ledger.charter import VERSION
from frp2p.net.address import listening_socket

LOOPBACK = ("--interface", "127.0.0.1", "--listen", "1")


def doctor(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["doctor", *arguments], standalone_mode=False)


def test_all_is_well_for_people() -> None:
    result = doctor(*LOOPBACK)
    assert result.return_value == 0, result.output
    lines = result.output.splitlines()
    assert lines[-1] == "All is well: tables are found, and addresses work."
    assert all(line[:2] in ("ok", "--", "!!") for line in lines[:-2])


def test_a_report_is_one_object() -> None:
    with listening_socket(0, loopback=True) as closing:
        port = closing.getsockname()[1]
    result = doctor(f"127.0.0.1:{port}", "--json", *LOOPBACK)
    report = json.loads(result.output)
    assert result.return_value == report["exit"] == 2
    assert not report["ok"]
    assert report["verdict"]
    assert all(set(finding) == {"check", "part", "level", "text", "facts"} for finding in report["findings"])
    assert report["findings"][0]["facts"]["protocol"] == VERSION
    assert [finding["check"] for finding in report["findings"] if finding["level"] == "broken"] == ["host-tcp"]


def test_it_speaks_portuguese() -> None:
    assert "Tudo bem" in doctor("--lang", "pt_BR", *LOOPBACK).output
    assert "All is well" in doctor("--lang", "en", *LOOPBACK).output


@pytest.mark.parametrize(
    "wrong",
    [
        ("a b",),
        ("1.2.3.4:99999",),
        ("1.2.3.4:0",),
        ("fe80::1%nope",),
        ("--interface", "nope"),
        ("--listen", "0"),
        ("--listen", "3600"),
        ("--port", "0"),
        ("--nonsense",),
    ],
)
def test_a_wrong_call_is_a_sentence_and_exit_2(wrong: tuple[str, ...]) -> None:
    result = CliRunner().invoke(main, ["doctor", *wrong])
    assert result.exit_code == 2
    assert "Traceback" not in result.output
    assert result.output.strip()
