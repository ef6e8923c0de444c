"""Programs that are killed in mid-game, and what they do when they are started again."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from e2e_kit import Program, ended, free_port, journals, kill, run, started, until


def first(legal: list[object]) -> object:
    """Draws the deck and discards: ten turns."""
    return legal[0]


class Table:
    """Two programs on this machine: `ana` hosts and waits for orders, a bot plays for `bob`. It is at ana's first turn,
    and nothing happens before she moves.
    """

    def __init__(self, folder: Path, exits: ExitStack) -> None:
        self.folder = folder
        self.exits = exits
        port = str(free_port())
        host = ("headless", "host", "--seats", "2", "--no-discovery", "--port", port, "--name", "ana")
        join = ("join", f"127.0.0.1:{port}", "--auto", "--json", "--port", str(free_port()), "--name", "bob")
        self.ana = exits.enter_context(started(folder / "ana", *host))
        self.program = Program(self.ana, first)
        self.program.play("hello")
        self.bob = exits.enter_context(started(folder / "bob", *join))
        self.program.play("your-move")

    def resume(self, name: str) -> subprocess.Popen[str]:
        return self.exits.enter_context(started(self.folder / name, "resume", "--auto", "--json"))

    def check(self, *results: Any) -> None:
        """All say that the same game was verified by both, and so does somebody else; nothing is left to go on with."""
        assert all(result["ok"] and result["verified"] == 2 for result in results), results
        assert len({result["digest"] for result in results}) == 1
        for name in ("ana", "bob"):
            assert journals(self.folder / name) == []
        verified = run(self.folder / "nobody", "verify", results[0]["transcript"])
        assert verified.returncode == 0, verified.stdout


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    with ExitStack() as exits:
        yield Table(tmp_path, exits)


def test_a_killed_host_comes_back_and_the_game_is_verified(table: Table, tmp_path: Path) -> None:
    refused = run(tmp_path / "ana", "resume", "--auto")
    assert refused.returncode == 2  # it is still there
    kill(table.ana)
    ana = table.resume("ana")
    table.check(*(json.loads(ended(program)[0]) for program in (ana, table.bob)))


def test_a_killed_guest_comes_back_and_the_game_is_verified(table: Table) -> None:
    kill(table.bob)
    bob = table.resume("bob")
    table.program.say({"type": "move", "move": first(table.program.lines[-1]["legal"])})
    end = table.program.play()
    ended(table.ana)
    table.check(json.loads(ended(bob)[0]), end)


def test_a_game_of_which_all_programs_were_killed_goes_on(table: Table) -> None:
    kill(table.ana)
    kill(table.bob)
    table.check(*(json.loads(ended(program)[0]) for program in (table.resume("ana"), table.resume("bob"))))


def broken_off(home: Path) -> None:
    """A game with a bot, killed at the first turn of its player."""
    with started(home, "headless", "play", "--bots", "1") as process:
        Program(process, first).play("your-move")
        kill(process)


def test_a_game_with_bots_loses_nothing_by_a_kill(tmp_path: Path) -> None:
    broken_off(tmp_path)
    [line] = run(tmp_path, "resume", "--list").stdout.splitlines()
    [table] = json.loads(run(tmp_path, "resume", "--list", "--json").stdout)["tables"]
    assert table.keys() == {"code", "name", "others", "in_use", "check", "problem", "file"}
    assert f"{table['code']}, {table['name']} with {', '.join(table['others'])}" in line
    assert (table["in_use"], table["problem"], table["file"]) == (False, "", str(journals(tmp_path)[0]))
    resumed = run(tmp_path, "resume", "--auto", "--json")
    assert resumed.returncode == 0, resumed.stderr
    assert json.loads(resumed.stdout)["verified"] == 2
    assert journals(tmp_path) == []
    assert list((tmp_path / "bots").iterdir()) == []
    assert run(tmp_path, "resume").returncode == 2


def test_two_programs_can_not_go_on_with_one_table(table: Table, tmp_path: Path) -> None:
    """The first of them waits for bob, who does not come."""
    kill(table.ana)
    kill(table.bob)
    [journal] = journals(tmp_path / "ana")
    with started(tmp_path / "ana", "resume", "--auto", "--json"):
        until(lambda: "open in another program" in run(tmp_path / "ana", "resume", "--list").stdout)
        for wanted in ((), (journal.name[:16],)):
            second = run(tmp_path / "ana", "resume", *wanted, "--auto")
            assert second.returncode == 2
            assert "another program" in second.stderr


def test_a_seat_can_be_given_up_for_good(tmp_path: Path) -> None:
    broken_off(tmp_path)
    until(lambda: run(tmp_path, "resume", "--forget").returncode == 0)
    assert journals(tmp_path) == []
    assert run(tmp_path, "resume").returncode == 2
    assert list((tmp_path / "bots").iterdir()) == []


def test_a_program_at_a_seat_goes_on_where_it_was(tmp_path: Path) -> None:
    with started(tmp_path, "headless", "play", "--bots", "1") as process:
        before = Program(process, first)
        before.play("your-move")
        kill(process)
    with started(tmp_path, "headless", "resume") as process:
        again = Program(process, first)
        again.play("your-move")
        assert again.lines[-1] == before.lines[-1]
        again.say({"type": "move", "move": first(again.lines[-1]["legal"])})
        assert again.play()["verified"] == 2


def test_a_table_whose_bots_are_gone_says_so(tmp_path: Path) -> None:
    broken_off(tmp_path)
    for bot in (tmp_path / "bots").iterdir():
        shutil.rmtree(bot)
    with started(tmp_path, "resume", "--auto") as process:
        if process.stderr is None:
            raise TypeError
        said = [process.stderr.readline() for _line in range(2)]
        kill(process)
    assert "No bots of this table are here" in said[1]
