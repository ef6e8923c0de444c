"""Whole games as users start them, and everything that can end one early."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from e2e_kit import DEADLINE, Program, children, ended, run, runs, started, until

POSIX = pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")


def first(legal: list[object]) -> object:
    """Draws the deck and discards: ten turns."""
    return legal[0]


def test_a_game_against_a_bot_is_verified_by_a_third_person(tmp_path: Path) -> None:
    played = run(tmp_path, "play", "--auto", "--bots", "1", "--json")
    assert played.returncode == 0, played.stderr
    result = json.loads(played.stdout)
    assert result.keys() == {"ok", "mode", "rounds", "stopped", "seats", "steps", "transcript", "digest", "verified"}
    assert (result["ok"], result["mode"], result["rounds"], result["verified"]) == (True, "duel", 1, 2)
    assert len(played.stdout.splitlines()) == 1
    assert "Traceback" not in played.stderr

    transcript = Path(result["transcript"])
    verified = run(tmp_path / "nobody", "verify", str(transcript), "--json")
    assert verified.returncode == 0, verified.stdout
    report = json.loads(verified.stdout)
    assert report["digest"] == result["digest"]
    assert report["steps"] == result["steps"]
    assert [(seat["name"], seat["score"], seat["rank"]) for seat in report["seats"]] == [
        (seat["name"], seat["score"], seat["rank"]) for seat in result["seats"]
    ]

    content = bytearray(transcript.read_bytes())
    content[len(content) // 2] ^= 1
    changed = tmp_path / "changed.frp2p"
    changed.write_bytes(content)
    refused = run(tmp_path / "nobody", "verify", str(changed), "--json")
    assert refused.returncode == 1
    assert json.loads(refused.stdout)["ok"] is False


def test_a_match_is_one_record(tmp_path: Path) -> None:
    terms = ("--mode", "standard", "--rounds", "2", "--extra-suits", "--level", "random")
    played = run(tmp_path, "play", "--auto", "--bots", "1", "--json", *terms)
    assert played.returncode == 0, played.stderr
    result = json.loads(played.stdout)
    assert (result["ok"], result["mode"], result["rounds"], result["verified"]) == (True, "standard", 2, 2)
    report = json.loads(run(tmp_path / "nobody", "verify", result["transcript"], "--json").stdout)
    assert (report["ok"], report["digest"]) == (True, result["digest"])
    assert [(seat["score"], seat["rank"]) for seat in report["seats"]] == [
        (seat["score"], seat["rank"]) for seat in result["seats"]
    ]


def test_four_seats_without_a_terminal_tell_every_hand(tmp_path: Path) -> None:
    played = run(tmp_path, "play", "--name", "Ana")
    assert played.returncode == 0, played.stderr
    assert "Ana: " in played.stdout
    assert "Verified by 4 of 4: digest " in played.stdout
    assert "Transcript: " in played.stdout
    assert played.stdout.count("Total") >= 4
    assert list((tmp_path / "tmp").iterdir()) == [], "the homes of the bots are gone"


def test_a_program_joins_a_host_by_address(tmp_path: Path) -> None:
    with started(tmp_path / "ana", "host", "--seats", "2", "--auto", "--json", "--no-discovery", "--port", "0") as host:
        assert host.stderr is not None
        lines = [host.stderr.readline() for _line in range(2)]
        port = lines[1].rpartition(":")[2].strip()
        with started(tmp_path / "ben", "headless", "join", f"127.0.0.1:{port}", "--name", "Ben") as guest:
            program = Program(guest, first)
            end = program.play()
            ended(guest)
            assert guest.returncode == 0
        out, _err = ended(host)
        assert host.returncode == 0
    result = json.loads(out)
    assert (end["ok"], end["digest"], end["seats"]) == (True, result["digest"], result["seats"])
    assert program.lines[0]["type"] == "hello"
    assert (program.lines[0]["version"], program.lines[0]["name"]) == (1, "Ben")
    assert {"hello", "event", "view", "your-move", "end"} == program.types() - {"lobby"}


def test_bad_lines_are_answered_and_the_game_goes_on(tmp_path: Path) -> None:
    with started(tmp_path, "headless", "play", "--bots", "1") as process:
        program = Program(process, first)
        program.say({"type": "move", "index": 0})
        assert program.play("error")["code"] == "not-asked"
        program.play("your-move")
        bad = [
            "garbage",
            "{",
            "[]",
            '{"type": "dance"}',
            '{"type": "move"}',
            '{"type": "move", "index": 0, "move": []}',
        ]
        bad += ['{"type": "move", "move": ["Win"]}', '{"type": "move", "move": {"a": 1}}', "[" * 5000, "x" * 70_000]
        for line in bad:
            program.say(line)
            assert program.play("error")["code"] in ("bad-line", "line-too-long"), line[:80]
        program.say({"type": "move", "index": 99})
        assert program.play("error")["code"] == "illegal-move"
        program.say({"type": "move", "move": ["Pass"]})
        assert program.play("error")["code"] == "illegal-move"
        program.play("your-move")
        program.say({"type": "move", "index": 0})
        program.play("your-move")
        program.say({"type": "quit"})
        end = program.play("end")
        assert (end["ok"], end["transcript"]) == (False, None)
        ended(process)
        assert process.returncode == 1


def test_a_program_that_goes_away_leaves_the_table(tmp_path: Path) -> None:
    with started(tmp_path, "headless", "play", "--bots", "1") as process:
        Program(process, first).play("your-move")
        bots = children(process.pid)
        assert len(bots) == 1
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(DEADLINE) == 1
        assert not any(map(runs, bots))


@POSIX
def test_a_signal_in_mid_game_ends_everything(tmp_path: Path) -> None:
    with started(tmp_path, "headless", "play", "--bots", "2") as process:
        program = Program(process, first)
        program.play("your-move")
        bots = children(process.pid)
        assert len(bots) == 2
        process.send_signal(signal.SIGTERM)
        assert program.play("end")["ok"] is False
        _out, err = ended(process)
        assert process.returncode == 128 + signal.SIGTERM
        assert "Traceback" not in err
        assert not any(map(runs, bots))


def hang_up(process: subprocess.Popen[str]) -> None:
    """Close the pipe that is read, and no other."""
    assert process.stdout is not None
    process.stdout.close()


@POSIX
@pytest.mark.parametrize(
    "way",
    [
        pytest.param(hang_up, id="stdout-closed"),
        pytest.param(lambda process: process.send_signal(signal.SIGTERM), id="SIGTERM"),
        pytest.param(lambda process: process.send_signal(signal.SIGINT), id="SIGINT"),
        pytest.param(lambda process: process.stdin.close(), id="stdin-closed"),
    ],
)
def test_a_program_that_reads_no_more_can_be_ended_and_comes_back(
    way: Callable[[subprocess.Popen[str]], None], tmp_path: Path
) -> None:
    """More than both pipes hold is written to it, and answered."""
    with started(tmp_path, "headless", "play", "--bots", "1") as process:
        program = Program(process, first)
        program.play("your-move")
        bots = children(process.pid)
        for _number in range(6000):
            program.say('{"type": "move", "index": 12345}')
        way(process)
        assert process.wait(DEADLINE) == 1
        assert process.stderr is not None
        said = process.stderr.read()
        assert ("lines-unread" in said) == (way is not hang_up)
        assert len(said.splitlines()) <= 1
        assert not any(map(runs, bots))
    assert not (tmp_path / "crash.log").exists()
    assert run(tmp_path, "resume", "--auto").returncode == 0


@POSIX
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_in_the_lobby_ends_a_host(tmp_path: Path, number: signal.Signals) -> None:
    with started(tmp_path, "host", "--auto", "--no-discovery", "--port", "0") as process:
        assert process.stderr is not None
        process.stderr.readline()
        process.send_signal(number)
        out, err = ended(process)
        assert process.returncode == 128 + number
        assert out == ""
        assert "Traceback" not in err


@POSIX
def test_bots_do_not_outlive_a_killed_parent(tmp_path: Path) -> None:
    with started(tmp_path, "headless", "play", "--bots", "2") as process:
        Program(process, first).play("your-move")
        bots = children(process.pid)
        assert len(bots) == 2
        process.kill()
        process.wait()
        until(lambda: not any(map(runs, bots)), 20)


@POSIX
def test_a_killed_bot_is_missed_and_hangs_nobody(tmp_path: Path) -> None:
    with started(tmp_path, "headless", "play", "--bots", "2", "--away-seconds", "5", "--on-loss", "adjourn") as process:
        program = Program(process, first)
        program.play("your-move")
        bots = children(process.pid)
        os.kill(bots[0], signal.SIGKILL)
        while program.play("event")["event"]["type"] != "LinkDown":
            pass
        out = program.play("end")
        assert out["ok"] is False
        assert out["problem"]
        ended(process)
        assert process.returncode == 1
        assert not any(map(runs, bots))


def test_a_bot_needs_a_table(tmp_path: Path) -> None:
    missed = run(tmp_path, "bot", "127.0.0.1:1")
    assert missed.returncode == 2
    assert missed.stderr.count("\n") == 1
    assert "127.0.0.1:1" in missed.stderr
