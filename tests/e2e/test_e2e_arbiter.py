"""A table of two with an arbiter, as real programs: one player is killed for good, the other ends a verified game."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from e2e_kit import Program, ended, free_port, journals, kill, run, started, until

AWAY = "5"
"""Seconds that a player may be away at these tables."""


def first(legal: list[Any]) -> Any:
    return legal[0]


class Table:
    """`ana` hosts and waits for orders, a bot plays for `bob`, `zoe` is the arbiter. It is at ana's first turn."""

    def __init__(self, folder: Path, exits: ExitStack) -> None:
        self.folder = folder
        self.exits = exits
        port = str(free_port())
        self.at = f"127.0.0.1:{port}"
        table = ("--seats", "2", "--arbiter", "--away-seconds", AWAY, "--no-discovery", "--port", port)
        self.ana = exits.enter_context(started(folder / "ana", "headless", "host", *table, "--name", "ana"))
        self.program = Program(self.ana, first)
        self.program.play("hello")
        join = ("join", self.at, "--auto", "--json", "--port", str(free_port()), "--name", "bob")
        self.bob = exits.enter_context(started(folder / "bob", *join))
        arbiter = ("arbiter", self.at, "--json", "--port", str(free_port()), "--name", "zoe")
        self.zoe = exits.enter_context(started(folder / "zoe", *arbiter))
        self.program.play("your-move")

    def move(self) -> None:
        self.program.say({"type": "move", "move": first(self.program.lines[-1]["legal"])})

    def end(self) -> dict[str, Any]:
        """Ana's, who has seen bob put out."""
        end = self.program.play("end")
        ended(self.ana)
        assert (end["ok"], end["verified"], self.ana.returncode) == (True, 1, 0)
        assert [(seat["name"], seat["out"]) for seat in end["seats"]] == [("ana", False), ("bob", True)]
        return end


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    with ExitStack() as exits:
        yield Table(tmp_path, exits)


def result(process: subprocess.Popen[str]) -> dict[str, Any]:
    """The result of a program that has ended well."""
    out, err = ended(process)
    assert process.returncode == 0, err
    found: dict[str, Any] = json.loads(out)
    return found


def test_of_two_players_one_is_killed_and_the_other_ends_a_verified_game(table: Table) -> None:
    kill(table.bob)
    table.move()
    end, seen = table.end(), result(table.zoe)
    assert (seen["ok"], seen["verified"], seen["digest"]) == (True, 1, end["digest"])
    assert seen["seats"] == end["seats"]
    for transcript in (end["transcript"], seen["transcript"]):
        verified = json.loads(run(table.folder / "nobody", "verify", transcript, "--json").stdout)
        assert (verified["ok"], verified["arbiter"]["name"], verified["verified"]) == (True, "zoe", 1)
        assert [seat["out"] is not None for seat in verified["seats"]] == [False, True]
    assert "Arbiter" in run(table.folder / "nobody", "verify", end["transcript"]).stdout
    assert journals(table.folder / "ana") == journals(table.folder / "zoe") == []


def test_an_arbiter_that_was_killed_comes_back_and_votes(table: Table) -> None:
    kill(table.zoe)
    assert journals(table.folder / "zoe")
    kill(table.bob)
    table.move()
    listed = json.loads(run(table.folder / "zoe", "resume", "--list", "--json").stdout)
    assert [(one["name"], one["others"]) for one in listed["tables"]] == [("zoe", ["ana", "bob"])]
    zoe = table.exits.enter_context(started(table.folder / "zoe", "resume", "--auto", "--json"))
    end = table.end()
    assert result(zoe)["digest"] == end["digest"]


def test_a_killed_arbiter_is_missed_by_nobody(table: Table) -> None:
    kill(table.zoe)
    table.move()
    end = table.program.play("end")
    ended(table.ana)
    assert (end["ok"], end["verified"]) == (True, 2)
    assert result(table.bob)["digest"] == end["digest"]


def test_an_arbiter_comes_in_by_the_door(tmp_path: Path) -> None:
    """With a passphrase, and after the host said yes."""
    word = tmp_path / "word"
    word.write_text("three green apples\n", encoding="utf-8")
    port = str(free_port())
    at, secret = f"127.0.0.1:{port}", ("--passphrase-file", str(word))
    with ExitStack() as exits:
        opened = ("--seats", "2", "--arbiter", "--ask", "--no-discovery", "--port", port, *secret)
        ana = exits.enter_context(started(tmp_path / "ana", "headless", "host", *opened, "--name", "ana"))
        program = Program(ana, first)
        program.play("hello")
        arbiter = ("arbiter", at, "--json", "--port", "0", "--name", "zoe")
        refused = run(tmp_path / "eve", *arbiter)
        assert refused.returncode == 1
        assert "passphrase" in json.loads(refused.stdout)["problem"]
        zoe = exits.enter_context(started(tmp_path / "zoe", *arbiter, *secret))
        asking = until(lambda: program.play("lobby")["asking"])
        assert [(one["name"], one["arbiter"]) for one in asking] == [("zoe", True)]
        program.say({"type": "admit", "key": asking[0]["key"]})
        assert until(lambda: program.play("lobby")["arbiter"])["name"] == "zoe"
        join = ("join", at, "--auto", "--json", "--port", "0", "--name", "bob", *secret)
        bob = exits.enter_context(started(tmp_path / "bob", *join))
        asking = until(lambda: program.play("lobby")["asking"])
        program.say({"type": "admit", "key": asking[0]["key"]})
        end = program.play("end")
        ended(ana)
        assert end["ok"]
        assert {result(zoe)["digest"], result(bob)["digest"]} == {end["digest"]}


def test_where_there_is_no_place_for_an_arbiter_that_is_said(tmp_path: Path) -> None:
    port = str(free_port())
    with started(tmp_path / "ana", "host", "--seats", "2", "--auto", "--no-discovery", "--port", port) as host:
        assert host.stderr is not None
        host.stderr.readline()
        refused = run(tmp_path / "zoe", "arbiter", f"127.0.0.1:{port}", "--port", "0")
        assert refused.returncode == 1
        assert "no place for an arbiter" in refused.stderr
    both = run(tmp_path, "host", "--seats", "2", "--arbiter", "--on-loss", "adjourn", "--no-discovery", "--port", "0")
    assert both.returncode == 2
    assert "--arbiter" in both.stderr
