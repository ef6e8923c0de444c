"""The program on a pseudo terminal, with its screen."""

from __future__ import annotations

import os
import signal
import sys
import termios
import time
from collections.abc import Callable
from pathlib import Path

import pexpect
import pyte

ENTERED, LEFT = "\x1b[?1049h", "\x1b[?1049l"
MOUSE_OFF, PASTE_OFF, CURSOR_ON = "\x1b[?1000l", "\x1b[?2004l", "\x1b[?25h"

GAME_SECONDS = 120.0
"""A game of two takes 20 s on one free core."""


class Terminal:
    """`frp2p` with these arguments on a pseudo terminal of 80x24; killed at the end of the `with` if it still runs."""

    def __init__(self, home: Path, *arguments: str) -> None:
        keep = {name: value for name, value in os.environ.items() if name in ("PATH", "LD_LIBRARY_PATH", "SYSTEMROOT")}
        env = {**keep, "FRP2P_HOME": str(home), "HOME": str(home), "TERM": "xterm-256color", "LANG": "C.UTF-8"}
        command = ["-m", "frp2p", *arguments]
        self.child = pexpect.spawn(
            sys.executable, command, dimensions=(24, 80), env=env, encoding="utf-8", codec_errors="replace"
        )
        self._modes = termios.tcgetattr(self.child.child_fd)[:4]
        self.raw = ""
        self._screen = pyte.Screen(80, 24)
        self._stream = pyte.Stream(self._screen)

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_error: object) -> None:
        if self.child.isalive():
            self.child.kill(signal.SIGKILL)
            self.child.wait()

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
