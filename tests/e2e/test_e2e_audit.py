"""An open audit as people do it: what the record tells afterwards is what every program at the table saw."""

from __future__ import annotations

import json
import random
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from e2e_kit import Program, ended, free_port, run, started

DECK = "fantasy-realms"


def hands_seen(lines: list[dict[str, Any]], seat: int) -> list[frozenset[str]]:
    """The hands that a program saw in its own seat, face down and complete, one after the other."""
    found: list[frozenset[str]] = []
    for line in lines:
        if line["type"] != "view" or not line["view"]:
            continue
        [mine] = [shown for shown in line["view"]["seats"] if shown["seat"] == seat]
        cards = [card["card"] for card in mine["hand"] if card["slot"] is not None]
        if cards and None not in cards and (not found or found[-1] != frozenset(cards)):
            found.append(frozenset(cards))
    return found


def test_the_audit_reads_what_the_seats_saw(tmp_path: Path) -> None:
    """Two programs play; each tells its views. The true hands, in both, are those of the audit."""
    port = str(free_port())
    host = ("headless", "host", "--seats", "2", "--no-discovery", "--port", port, "--name", "Ana", "--open-audit")
    dice = random.Random(4)
    with (
        started(tmp_path / "ana", *host) as one,
        started(tmp_path / "ben", "headless", "join", f"127.0.0.1:{port}", "--name", "Ben") as two,
    ):
        programs = [Program(process, dice.choice) for process in (one, two)]
        with ThreadPoolExecutor() as threads:
            ends = list(threads.map(lambda program: program.play(), programs))
        for process in (one, two):
            ended(process)
    assert all(end["ok"] and end["verified"] == 2 for end in ends)
    audited = run(tmp_path / "nobody", "verify", "--audit", "--json", ends[0]["transcript"])
    assert audited.returncode == 0, audited.stdout
    report = json.loads(audited.stdout)
    assert report["digest"] == ends[0]["digest"]
    assert report["audit"]["opened"] == [0, 1]
    for seat, program in enumerate(programs):
        read = [hand["cards"] for hand in report["audit"]["hands"] if (hand["seat"], hand["deck"]) == (seat, DECK)]
        assert len(hands_seen(program.lines, seat)) > 5
        assert hands_seen(program.lines, seat) == [frozenset(cards) for cards in read if cards]
