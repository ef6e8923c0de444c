"""Lines to stdout, written by a thread of their own: a reader that is slow, or reads no more, stops neither the event
loop nor a signal."""

from __future__ import annotations

import asyncio
import contextlib
import os
import queue
import threading
import time
from collections.abc import Callable

from frp2p.errors import LocalError

MAX_WAITING = 16 << 20
"""Bytes that may wait for their reader: a thousand views. Who has left so many unread reads no more."""
LAST_SECONDS = 3.0
"""How long the reader may take nothing at the end, while lines are left."""
_CHUNK = 8 * 1024
_PAUSE = 0.02
"""Seconds until a pipe that somebody made non-blocking is tried again."""


class StdoutLines:
    """`write` never waits; what it is given after a failure is lost. `open` gives an async context manager, which calls
    `on_deaf` in the event loop once nobody takes the lines any more, and at its end waits until they are taken. Then
    OSError as the system gave it, or LocalError `lines-unread`.
    """

    def __init__(self, *, handle: int = 1) -> None:
        self._handle = handle
        self._lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._given = self._taken = 0
        """Bytes; each is counted up by one thread only."""
        self._failure: Exception | None = None
        self._on_deaf: Callable[[], None] = lambda: None
        self._thread = threading.Thread(target=self._work, name="stdout", daemon=True)  # nothing can end a write

    def write(self, line: bytes) -> None:
        """A line, without its end."""
        if self._failure is not None:
            return
        if self._given - self._taken > MAX_WAITING:
            self._fail(_unread())
            return
        self._given += len(line) + 1
        self._lines.put(line + b"\n")

    def open(self, on_deaf: Callable[[], None]) -> StdoutLines:
        """Begin to write, what was given before included."""
        self._on_deaf = on_deaf
        self._loop = asyncio.get_running_loop()
        return self

    async def __aenter__(self) -> StdoutLines:
        self._thread.start()
        return self

    async def __aexit__(self, kind: object, *_error: object) -> None:
        self._lines.put(None)
        before = -1
        while self._thread.is_alive() and before != self._taken:
            before = self._taken
            await asyncio.to_thread(self._thread.join, LAST_SECONDS)
        failure = self._failure or (_unread() if self._thread.is_alive() else None)
        if failure is not None and kind is None:
            raise failure

    def _work(self) -> None:
        try:
            while (line := self._lines.get()) is not None:
                left = memoryview(line)
                while left:
                    left = left[self._some(left[:_CHUNK]) :]
        except OSError as error:
            with contextlib.suppress(RuntimeError):  # the loop is closed: nobody is interested any more
                self._loop.call_soon_threadsafe(self._fail, error)

    def _some(self, data: memoryview) -> int:
        try:
            count = os.write(self._handle, data)
        except BlockingIOError:
            time.sleep(_PAUSE)
            return 0
        self._taken += count
        return count

    def _fail(self, error: Exception) -> None:
        if self._failure is None:
            self._failure = error
            self._on_deaf()


def _unread() -> LocalError:
    return LocalError("Nobody reads the lines of this program.", code="lines-unread")
