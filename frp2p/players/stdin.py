"""Lines from stdin, read by a thread of their own: no event loop can wait for stdin on every system."""

from __future__ import annotations

import asyncio
import contextlib
import os
import threading
from collections.abc import Callable

MAX_LINE = 64 * 1024
"""Bytes of a line; a longer one reaches the callback cut to one byte more, so that it can be refused."""
MAX_WAITING = 64
"""Lines that were read and wait for the event loop; as long as there are so many, nothing more is read."""
_CHUNK = 8 * 1024


class StdinLines:
    """A context manager. In the event loop: `on_line` for each line (without its end), `on_end` when stdin closes."""

    def __init__(self, on_line: Callable[[bytes], None], on_end: Callable[[], None], *, handle: int = 0) -> None:
        self._on_line = on_line
        self._on_end = on_end
        self._handle = handle
        self._loop = asyncio.get_running_loop()
        self._stopped = False
        self._room = threading.Semaphore(MAX_WAITING)

    def __enter__(self) -> StdinLines:
        # A daemon, because nothing can end a read of stdin; os.read holds no lock that the interpreter needs to end.
        threading.Thread(target=self._read, name="stdin", daemon=True).start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._stopped = True

    def _read(self) -> None:
        line = bytearray()
        while not self._stopped and (chunk := self._chunk()):
            first, *others = chunk.split(b"\n")
            line += first[: MAX_LINE + 1 - len(line)]
            for other in others:
                self._call(self._on_line, bytes(line))
                line = bytearray(other[: MAX_LINE + 1])
        self._call(self._on_end)

    def _chunk(self) -> bytes:
        try:
            return os.read(self._handle, _CHUNK)
        except OSError:  # no stdin at all: the same as one that has ended
            return b""

    def _call(self, function: Callable[..., None], *arguments: bytes) -> None:
        def unless_stopped() -> None:
            self._room.release()
            if not self._stopped:
                function(*arguments)

        self._room.acquire()
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody is interested any more
            self._loop.call_soon_threadsafe(unless_stopped)
