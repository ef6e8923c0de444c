"""Real programs that are killed for good, or leave for good: the others finish, and the record says what happened."""

from __future__ import annotations

import contextlib
import json
import os
import signal
from pathlib import Path
from typing import Any

import pytest
from e2e_kit import Program, children, ended, free_port, run, started

POSIX = pytest.mark.skipif(os.name != "posix", reason="signals and ps")


def first(legal: list[Any]) -> Any:
    return legal[0]


def verified(home: Path, transcript: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(run(home, "verify", transcript, "--json").stdout)
    assert found["ok"] is True
    return found


@POSIX
@pytest.mark.parametrize("recovery", [True, False])
def test_a_killed_bot_is_out_and_the_others_finish(tmp_path: Path, *, recovery: bool) -> None:
    extra = ("--recovery",) if recovery else ()
    with started(tmp_path, "headless", "play", "--bots", "3", "--away-seconds", "5", *extra) as process:
        program = Program(process, first)
        program.play("your-move")
        os.kill(children(process.pid)[-1], signal.SIGKILL)
        program.say({"type": "move", "index": 0})
        end = program.play("end")
        ended(process)
    assert (end["ok"], end["verified"], process.returncode) == (True, 3, 0)
    assert sum(seat["out"] for seat in end["seats"]) == 1
    assert end["stopped"] is not recovery
    assert {(seat["rank"], seat["score"]) for seat in end["seats"] if seat["out"]} == {(4, None)}
    report = verified(tmp_path, end["transcript"])
    assert [seat["out"] is not None for seat in report["seats"]] == [seat["out"] for seat in end["seats"]]
    assert report["stopped"] is end["stopped"]


def test_a_player_leaves_for_good_and_the_others_finish_at_once(tmp_path: Path) -> None:
    port = str(free_port())
    with contextlib.ExitStack() as stack:
        arguments = ("host", "--seats", "3", "--no-discovery", "--port", port, "--name", "ana", "--auto", "--json")
        others = [stack.enter_context(started(tmp_path / "ana", *arguments))]
        join = ("join", f"127.0.0.1:{port}", "--port", "0", "--name")
        others.append(stack.enter_context(started(tmp_path / "bob", *join, "bob", "--auto", "--json")))
        eva = Program(stack.enter_context(started(tmp_path / "eva", "headless", *join, "eva")), first)
        eva.play("your-move")
        eva.say({"type": "quit", "for_good": True})
        assert eva.play("end")["ok"] is False
        ends = [json.loads(ended(process)[0]) for process in others]
    for end in ends:
        assert (end["ok"], end["verified"]) == (True, 2)
        assert [seat["name"] for seat in end["seats"] if seat["out"]] == ["eva"]
    assert ends[0]["digest"] == ends[1]["digest"]
    verified(tmp_path / "ana", ends[0]["transcript"])
