"""The program in a real terminal: a game against a bot process, played by keys; and the terminal afterwards."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("Windows has no pseudo terminals", allow_module_level=True)

from e2e_kit import children, runs, until
from pty_kit import LEFT, Terminal


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    with Terminal(tmp_path, "play", "--bots", "1") as running:
        yield running


def play_on(terminal: Terminal) -> Callable[[str], None]:
    def step(shown: str) -> None:
        if "Your turn" in shown:
            terminal.press("d")
        elif "Discard a card" in shown:
            terminal.press("b")
            terminal.press("y")
        elif "Keep one of the two" in shown or "Enter or y" in shown:
            terminal.press("y")
        elif "Your choices" in shown or "An extra card" in shown:
            terminal.press("\r")

    return step


@pytest.mark.slow
def test_a_game_is_played_by_keys_to_the_verified_end(terminal: Terminal) -> None:
    shown = terminal.until(lambda text: "verified by 2 of 2" in text and "transcript" in text, play_on(terminal))
    assert "digest" in shown
    terminal.press("\t")
    terminal.until(lambda text: "The hand of" in text)
    assert not terminal.raw.count(LEFT)
    terminal.press("q")
    assert terminal.end() == 0
    assert terminal.restored()
    assert "Traceback" not in terminal.raw


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_in_the_middle_gives_the_terminal_back(terminal: Terminal, number: signal.Signals) -> None:
    terminal.until(lambda text: "Your hand" in text)
    terminal.child.kill(number)
    assert terminal.end() == 128 + number
    assert "Your seat stays yours" in terminal.raw
    assert "for good" not in terminal.raw
    assert terminal.restored()
    assert "Traceback" not in terminal.raw


@pytest.mark.slow
def test_a_terminal_that_is_gone_is_a_seat_that_is_left(terminal: Terminal, tmp_path: Path) -> None:
    """The window is closed, or the connection of the shell ends."""
    terminal.until(lambda text: "Your hand" in text)
    pid = terminal.child.pid
    bots = children(pid)
    terminal.child.ptyproc.fileobj.close()
    _pid, status = os.waitpid(pid, 0)
    terminal.child.terminated = terminal.child.ptyproc.terminated = True
    assert os.waitstatus_to_exitcode(status) == 128 + signal.SIGHUP
    until(lambda: not any(map(runs, bots)))
    assert not list(tmp_path.rglob("crash.log"))
    assert len(list(tmp_path.glob("tables/*.journal"))) == 1


@pytest.mark.slow
def test_an_interrupt_asks_first(terminal: Terminal) -> None:
    terminal.until(lambda text: "Table code" in text or "Your hand" in text)
    terminal.child.kill(signal.SIGINT)
    terminal.until(lambda text: "Leave the table?" in text or "Leave?" in text)
    assert terminal.child.isalive()
    terminal.child.kill(signal.SIGINT)
    terminal.end()
    assert terminal.restored()
    assert "Traceback" not in terminal.raw
