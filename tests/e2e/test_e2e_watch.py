"""Watching a table with the program as people run it: some look on, one is stopped, one is killed, nobody waits."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from e2e_kit import ended, run, started, until

POSIX = pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")


def port_of(host: subprocess.Popen[str]) -> str:
    assert host.stderr is not None
    lines = [host.stderr.readline() for _line in range(2)]
    return lines[1].rpartition(":")[2].strip()


@POSIX
def test_some_watch_and_nobody_waits_for_them(tmp_path: Path) -> None:
    table = ("host", "--seats", "3", "--bots", "1", "--auto", "--json", "--no-discovery", "--port", "0")
    with started(tmp_path / "ana", *table) as host:
        address = f"127.0.0.1:{port_of(host)}"
        watch = ("watch", address, "--json")
        with (
            started(tmp_path / "eye", *watch) as eye,
            started(tmp_path / "late", *watch, "--delay", "20") as late,
            started(tmp_path / "stopped", *watch) as stopped,
            started(tmp_path / "killed", *watch) as killed,
        ):
            for watcher in (eye, late, stopped, killed):
                read_to(watcher, "lobby")
            with started(tmp_path / "ben", "join", address, "--auto", "--json") as guest:
                for watcher in (stopped, killed):
                    read_to(watcher, "view")
                stopped.send_signal(signal.SIGSTOP)
                killed.kill()
                # A program that is not read stands still, and whoever watches is waited for by nobody.
                with ThreadPoolExecutor() as readers:
                    words = list(readers.map(ended, (host, guest, eye, late)))
            results = [json.loads(out) for out, _err in words[:2]]
            assert [result["ok"] for result in results] == [True, True]
            assert (host.returncode, guest.returncode) == (0, 0)
            for watcher, (out, err) in zip((eye, late), words[2:], strict=True):
                assert watcher.returncode == 0, err
                told = [json.loads(line) for line in out.splitlines()]
                end = told[-1]
                assert (end["type"], end["ok"], end["digest"]) == ("end", True, results[0]["digest"])
                assert end["seats"] == results[0]["seats"]
                assert {line["view"]["me"] for line in told if line["type"] == "view"} == {None}
                assert "your-move" not in {line["type"] for line in told}
                verified = run(tmp_path / "nobody", "verify", end["transcript"], "--json")
                assert verified.returncode == 0, verified.stdout
            stopped.send_signal(signal.SIGCONT)
            stopped.kill()


def read_to(process: subprocess.Popen[str], kind: str) -> None:
    """Read up to the first line of this kind."""
    assert process.stdout is not None
    for text in process.stdout:
        if json.loads(text)["type"] == kind:
            return
    raise EOFError(process.stderr.read() if process.stderr is not None else kind)


def test_what_can_not_be_watched_is_said(tmp_path: Path) -> None:
    nobody = run(tmp_path, "watch", "127.0.0.1:1")
    assert nobody.returncode == 2
    assert "Nobody answers" in nobody.stderr
    private = ("host", "--seats", "2", "--auto", "--no-discovery", "--port", "0", "--no-spectators")
    with started(tmp_path / "ana", *private) as host:
        refused = run(tmp_path / "eye", "watch", f"127.0.0.1:{port_of(host)}")
        assert refused.returncode == 1
        assert "not to be watched" in refused.stderr
        assert until(lambda: host.poll() is None)
