"""Every mode survives what happens to programs: seats that are killed in mid-game come back and the record is right."""

from __future__ import annotations

import json
import subprocess
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from e2e_kit import Program, ended, free_port, journals, kill, run, started


class Kind(NamedTuple):
    """A table: its options, its guests, and the moves of ours before our program and before a guest's is killed."""

    terms: tuple[str, ...]
    guests: tuple[str, ...]
    first: int
    then: int


KINDS = {
    "duel": Kind(("--mode", "duel", "--extra-suits"), ("bob",), 5, 5),
    "items": Kind(("--mode", "standard", "--items"), ("bob",), 6, 6),
    "chaos": Kind(("--mode", "chaos", "--chaos-seconds", "10"), ("bob", "eve"), 3, 3),
}


def eager(legal: list[Any]) -> Any:
    """Uses an item, takes or makes an offer where that is possible, so that much is going on at the end."""
    for wanted in ("UseItem", "AcceptOffer", "OfferCard"):
        for move in legal:
            if move[0] == wanted:
                return move
    return legal[0]


def moves(program: Program, count: int) -> None:
    """Answer so many questions, the one that is open first, and get the next one."""
    for _move in range(count):
        program.say({"type": "move", "move": eager(program.lines[-1]["legal"])})
        program.play("your-move")


@pytest.mark.slow
@pytest.mark.parametrize("name", KINDS)
def test_killed_seats_come_back_in_mid_game(name: str, tmp_path: Path) -> None:
    """First ours, then a guest's. Each goes on with what it had, and everybody (and a stranger) agrees in the end."""
    kind = KINDS[name]
    port = str(free_port())
    host = ("headless", "host", "--seats", str(1 + len(kind.guests)), "--no-discovery", "--port", port, "--name", "ana")
    with ExitStack() as exits:

        def start(who: str, *words: str) -> subprocess.Popen[str]:
            return exits.enter_context(started(tmp_path / who, *words))

        ana = start("ana", *host, *kind.terms)
        program = Program(ana, eager)
        program.play("hello")
        guests = {
            who: start(who, "join", f"127.0.0.1:{port}", "--auto", "--json", "--port", str(free_port()), "--name", who)
            for who in kind.guests
        }
        program.play("your-move")
        moves(program, kind.first)
        before = program.lines[-1]
        kill(ana)
        ana = start("ana", "headless", "resume")
        program = Program(ana, eager)
        program.play("your-move")
        assert name == "chaos" or program.lines[-1] == before, "the same question, with the same answers"
        moves(program, kind.then)
        kill(guests["bob"])
        guests["bob"] = start("bob", "resume", "--auto", "--json")
        program.say({"type": "move", "move": eager(program.lines[-1]["legal"])})
        results = [program.play(), *(json.loads(ended(guest)[0]) for guest in guests.values())]
        ended(ana)
    count = 1 + len(kind.guests)
    assert all(result["ok"] and result["verified"] == count for result in results), results
    assert len({result["digest"] for result in results}) == 1
    assert not any(journals(tmp_path / who) for who in ("ana", *kind.guests))
    verified = run(tmp_path / "nobody", "verify", results[0]["transcript"], "--json")
    report = json.loads(verified.stdout)
    assert (verified.returncode, report["ok"], report["digest"]) == (0, True, results[0]["digest"])
    assert [(seat["name"], seat["score"]) for seat in report["seats"]] == [
        (seat["name"], seat["score"]) for seat in results[0]["seats"]
    ]
