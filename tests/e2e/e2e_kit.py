"""The program as people run it: processes, pipes, signals."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

PROGRAM = [sys.executable, "-m", "frp2p"]
DEADLINE = 90.0
"""Seconds for a whole game on a busy machine."""


def environment(home: Path) -> dict[str, str]:
    """Nothing of the machine that could change what is shown; what the program leaves behind is in `home`."""
    temporary = home / "tmp"
    temporary.mkdir(parents=True, exist_ok=True)
    own = {"FRP2P_HOME": str(home), "TMPDIR": str(temporary), "TEMP": str(temporary)}
    return {**os.environ, **own, "LANGUAGE": "en", "LC_ALL": "C.UTF-8", "NO_COLOR": "1"}


def run(home: Path, *arguments: str, text_in: str = "") -> subprocess.CompletedProcess[str]:
    """Run to the end."""
    return subprocess.run(
        [*PROGRAM, *arguments],
        env=environment(home),
        input=text_in,
        capture_output=True,
        encoding="utf-8",
        timeout=DEADLINE,
        check=False,
    )


@contextlib.contextmanager
def started(home: Path, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """Run beside the test; killed at the end if it still runs."""
    process = subprocess.Popen(
        [*PROGRAM, *arguments],
        env=environment(home),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )
    with process:
        try:
            yield process
        finally:
            if process.poll() is None:
                process.kill()


def ended(process: subprocess.Popen[str]) -> tuple[str, str]:
    """What a process said until its end."""
    return process.communicate(timeout=DEADLINE)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port


def journals(home: Path) -> list[Path]:
    return list((home / "tables").glob("*.journal"))


def kill(process: subprocess.Popen[str]) -> None:
    """As `kill -9`; a process of Windows is ended as hard as that by its `kill`."""
    process.kill()
    process.wait()


def children(pid: int) -> list[int]:
    """The processes that this one started and that run."""
    table = subprocess.run(["ps", "-axo", "pid=,ppid=,stat=,args="], capture_output=True, text=True, check=True).stdout
    rows = [line.split(None, 3) for line in table.splitlines()]
    return [int(row[0]) for row in rows if int(row[1]) == pid and not row[2].startswith("Z") and "frp2p" in row[3]]


def runs(pid: int) -> bool:
    state = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False).stdout
    return bool(state.strip()) and not state.strip().startswith("Z")


def until(condition: Callable[[], Any], seconds: float = 30.0) -> Any:
    """Wait for something that must happen; what it returned."""
    deadline = time.monotonic() + seconds
    while not (value := condition()):
        if time.monotonic() > deadline:
            raise TimeoutError
        time.sleep(0.05)
    return value


class Program:
    """A program at a seat that speaks JSON lines. `choose` gets the legal moves and returns one of them."""

    def __init__(self, process: subprocess.Popen[str], choose: Callable[[list[Any]], Any]) -> None:
        self._process = process
        self._choose = choose
        self.lines: list[dict[str, Any]] = []

    def play(self, until_type: str = "end") -> dict[str, Any]:
        """Answer every question until a line of this type comes."""
        if self._process.stdout is None:
            raise TypeError
        for text in self._process.stdout:
            line = json.loads(text)
            self.lines.append(line)
            if line["type"] == until_type:
                return line
            if line["type"] == "your-move":
                self.say({"type": "move", "move": self._choose(line["legal"])})
        raise EOFError(self.lines[-1:])

    def say(self, line: object) -> None:
        if self._process.stdin is None:
            raise TypeError
        self._process.stdin.write((line if isinstance(line, str) else json.dumps(line)) + "\n")
        self._process.stdin.flush()

    def types(self) -> set[str]:
        return {line["type"] for line in self.lines}
