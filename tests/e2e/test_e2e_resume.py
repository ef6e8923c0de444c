"""Programs that are killed in mid-game, and what they do when they are started again."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from e2e_kit import ended, run, started, until

MIDDLE = 60_000
"""Bytes of the journal when a seat is killed: the deck is shuffled, the hands are dealt."""


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port


def journals(home: Path) -> list[Path]:
    return list((home / "tables").glob("*.journal"))


def kept(home: Path) -> int:
    """Bytes in the journals of this home."""
    return sum(path.stat().st_size for path in journals(home))


def wait_for_the_middle(home: Path) -> None:
    until(lambda: kept(home) > MIDDLE)


def kill(process: subprocess.Popen[str]) -> None:
    process.send_signal(signal.SIGKILL)
    process.wait()


@pytest.fixture
def table(tmp_path: Path) -> Iterator[tuple[dict[str, subprocess.Popen[str]], ExitStack]]:
    """A table of two on this machine, by name; each with a home of the same name."""
    port = free_port()
    with ExitStack() as exits:
        host = ("host", "--seats", "2", "--auto", "--json", "--no-discovery", "--port", str(port), "--name", "ana")
        join = ("join", f"127.0.0.1:{port}", "--auto", "--json", "--port", str(free_port()), "--name", "bob")
        programs = {"ana": exits.enter_context(started(tmp_path / "ana", *host))}
        programs["bob"] = exits.enter_context(started(tmp_path / "bob", *join))
        yield programs, exits


@pytest.mark.parametrize("victim", ["ana", "bob"])
def test_a_killed_seat_comes_back_and_the_game_is_verified(
    victim: str, table: tuple[dict[str, subprocess.Popen[str]], ExitStack], tmp_path: Path
) -> None:
    programs, exits = table
    wait_for_the_middle(tmp_path / victim)
    assert run(tmp_path / victim, "resume", "--auto").returncode == 2  # it is still there
    kill(programs[victim])
    again = exits.enter_context(started(tmp_path / victim, "resume", "--auto", "--json"))
    programs[victim] = again
    results = {name: json.loads(ended(program)[0]) for name, program in programs.items()}
    assert all(result["ok"] and result["verified"] == 2 for result in results.values())
    assert results["ana"]["digest"] == results["bob"]["digest"]
    for name in programs:
        assert journals(tmp_path / name) == []
    verified = run(tmp_path / "nobody", "verify", results[victim]["transcript"])
    assert verified.returncode == 0, verified.stdout


def test_a_game_of_all_killed_programs_goes_on(
    table: tuple[dict[str, subprocess.Popen[str]], ExitStack], tmp_path: Path
) -> None:
    programs, exits = table
    for name in programs:
        wait_for_the_middle(tmp_path / name)
    for program in programs.values():
        kill(program)
    again = [exits.enter_context(started(tmp_path / name, "resume", "--auto", "--json")) for name in programs]
    results = [json.loads(ended(program)[0]) for program in again]
    assert all(result["ok"] for result in results)
    assert results[0]["digest"] == results[1]["digest"]


def test_a_game_with_bots_loses_nothing_by_a_kill(tmp_path: Path) -> None:
    with started(tmp_path, "play", "--bots", "1", "--auto", "--json") as program:
        wait_for_the_middle(tmp_path)
        kill(program)
    listed = run(tmp_path, "resume", "--list")
    assert len(listed.stdout.splitlines()) == 1
    until(lambda: "open in another program" not in run(tmp_path, "resume", "--list").stdout)
    resumed = run(tmp_path, "resume", "--auto", "--json")
    assert resumed.returncode == 0, resumed.stderr
    assert json.loads(resumed.stdout)["verified"] == 2
    assert journals(tmp_path) == []
    assert list((tmp_path / "bots").iterdir()) == []
    assert run(tmp_path, "resume").returncode == 2


def test_two_programs_can_not_go_on_with_one_table(tmp_path: Path) -> None:
    with started(tmp_path, "play", "--bots", "1", "--auto", "--json") as program:
        wait_for_the_middle(tmp_path)
        kill(program)
    [journal] = journals(tmp_path)
    with started(tmp_path, "resume", "--auto", "--json") as first:
        until(lambda: "open in another program" in run(tmp_path, "resume", "--list").stdout)
        second = run(tmp_path, "resume", journal.name[:16], "--auto")
        assert second.returncode == 2
        assert "another program" in second.stderr
        assert json.loads(ended(first)[0])["ok"]


def test_a_seat_can_be_given_up_for_good(tmp_path: Path) -> None:
    with started(tmp_path, "play", "--bots", "1", "--auto", "--json") as program:
        wait_for_the_middle(tmp_path)
        kill(program)
    until(lambda: run(tmp_path, "resume", "--forget").returncode == 0)
    assert journals(tmp_path) == []
    assert run(tmp_path, "resume").returncode == 2
    assert list((tmp_path / "bots").iterdir()) == []
