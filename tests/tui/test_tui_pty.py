"""The program in a real terminal: a game against a bot process, played by keys; and the terminal afterwards."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pyte
import pytest

if sys.platform == "win32":
    pytest.skip("no pseudo terminals", allow_module_level=True)

import termios

import pexpect

ENTERED, LEFT = "\x1b[?1049h", "\x1b[?1049l"
MOUSE_OFF, PASTE_OFF, CURSOR_ON = "\x1b[?1000l", "\x1b[?2004l", "\x1b[?25h"

GAME_SECONDS = 120.0
"""A game of two takes 20 s on one free core."""


class Terminal:
    """`frp2p play --bots 1` on a pseudo terminal of 80x24."""

    def __init__(self, home: Path, *extra: str) -> None:
        keep = {name: value for name, value in os.environ.items() if name in ("PATH", "LD_LIBRARY_PATH", "SYSTEMROOT")}
        env = {**keep, "FRP2P_HOME": str(home), "HOME": str(home), "TERM": "xterm-256color", "LANG": "C.UTF-8"}
        command = ["-m", "frp2p", "play", "--bots", "1", *extra]
        self.child = pexpect.spawn(
            sys.executable, command, dimensions=(24, 80), env=env, encoding="utf-8", codec_errors="replace"
        )
        self._modes = termios.tcgetattr(self.child.child_fd)[:4]
        self.raw = ""
        self._screen = pyte.Screen(80, 24)
        self._stream = pyte.Stream(self._screen)

    def pump(self, seconds: float = 0.2) -> bool:
        """Read what comes; False once the program has closed its side."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                text = self.child.read_nonblocking(65536, timeout=0.05)
            except pexpect.TIMEOUT:
                continue
            except pexpect.EOF:
                return False
            self.raw += text
            self._stream.feed(text)
        return True

    def text(self) -> str:
        return "\n".join(line.rstrip() for line in self._screen.display)

    def until(self, done: Callable[[str], bool], step: Callable[[str], None] | None = None) -> str:
        """Pump (and act) until the screen is as wanted."""
        end = time.monotonic() + GAME_SECONDS
        while time.monotonic() < end:
            alive = self.pump()
            if done(self.text()):
                return self.text()
            if not alive:
                break
            if step is not None:
                step(self.text())
        raise AssertionError(f"it did not come to that:\n{self.text()}\n{self.raw[-500:]}")

    def end(self) -> int:
        """Read to the end; the exit code as a shell sees it."""
        stop = time.monotonic() + 30
        while self.pump() and time.monotonic() < stop:
            pass
        self.child.wait()
        if self.child.signalstatus is not None:
            return 128 + int(self.child.signalstatus)
        return int(self.child.exitstatus)

    def restored(self) -> bool:
        """Everything that was switched on was switched off after the screen was last entered."""
        after = self.raw[self.raw.rindex(ENTERED) :]
        written = all(sequence in after for sequence in (LEFT, MOUSE_OFF, PASTE_OFF, CURSOR_ON))
        return written and termios.tcgetattr(self.child.child_fd)[:4] == self._modes

    def press(self, keys: str) -> None:
        self.child.send(keys)


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    running = Terminal(tmp_path)
    yield running
    if running.child.isalive():
        running.child.kill(signal.SIGKILL)
        running.child.wait()


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
    assert terminal.restored()
    assert "Traceback" not in terminal.raw


@pytest.mark.slow
def test_an_interrupt_asks_first(terminal: Terminal) -> None:
    terminal.until(lambda text: "Table code" in text or "Your hand" in text)
    terminal.child.kill(signal.SIGINT)
    terminal.until(lambda text: "Leave?" in text)
    assert terminal.child.isalive()
    terminal.child.kill(signal.SIGINT)
    terminal.end()
    assert terminal.restored()
    assert "Traceback" not in terminal.raw
