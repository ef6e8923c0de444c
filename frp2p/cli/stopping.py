"""Signals: from the first child process to the last goodbye, none of them ends this program the hard way."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import signal
import traceback
from collections.abc import Callable, Coroutine
from typing import Any

import click

from frp2p.cli import drop_output
from frp2p.locale import _
from frp2p.store.home import crash_log

SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")
SIGNAL_BASE = 128
"""A program ended by signal n has the exit code 128 + n."""


class Stopping:
    """The first signal calls `gently` where somebody set it; the second one, or the first without it, cancels the main
    task, so that every `finally` on the way is gone through. `signal` is the number of the latest, 0 before any."""

    def __init__(self) -> None:
        self.signal = 0
        self.gently: Callable[[], None] | None = None
        self._task = asyncio.current_task()
        self._loop = asyncio.get_running_loop()
        self._handled: list[int] = []

    def __enter__(self) -> Stopping:
        for name in SIGNALS:
            number = getattr(signal, name, None)
            # Windows has no handlers in the loop; there Ctrl-C cancels the main task, which asyncio does by itself.
            with contextlib.suppress(NotImplementedError):
                if number is not None:
                    self._loop.add_signal_handler(number, self._on_signal, number)
                    self._handled.append(number)
        return self

    def __exit__(self, *_error: object) -> None:
        for number in self._handled:
            self._loop.remove_signal_handler(number)

    def _on_signal(self, number: int) -> None:
        first = not self.signal
        self.signal = number
        if first and self.gently is not None:
            self.gently()
        elif self._task is not None:
            self._task.cancel()


def run(main: Callable[[Stopping], Coroutine[Any, Any, int]]) -> int:
    """Run the main task of a command; its exit code, or that of the signal which ended it."""

    async def guarded() -> int:
        asyncio.get_running_loop().set_exception_handler(_stray)
        with Stopping() as stopping:
            try:
                code = await main(stopping)
            except asyncio.CancelledError:
                if not stopping.signal:
                    raise
                code = 0
            except OSError as error:
                if error.errno != errno.EIO or not stopping.signal:
                    raise
                drop_output()  # the terminal is gone, and that was the signal
                code = 0
            return SIGNAL_BASE + stopping.signal if stopping.signal else code

    return asyncio.run(guarded())


def _stray(_loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """An error that no code of ours waits for: a sentence for the user, the details in a file."""
    error = context.get("exception")
    details = "".join(traceback.format_exception(error)) if isinstance(error, BaseException) else str(context)
    path = crash_log(details)
    click.echo(_("Something went wrong inside. Details: {path}").format(path=path or details), err=True)
