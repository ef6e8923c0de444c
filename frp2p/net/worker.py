"""A thread beside the event loop that does the thinking: proofs take seconds, and a screen must not freeze for them."""

from __future__ import annotations

import asyncio
import contextlib
import queue
import threading
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

T = TypeVar("T")


class Worker:
    """Calls are carried out one after the other, in the order in which they were submitted. Made in the event loop.

    The thread is a daemon: a program that ends does not wait for a proof that nobody wants any more.
    """

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._calls: queue.SimpleQueue[tuple[Callable[[], Any], asyncio.Future[Any]] | None] = queue.SimpleQueue()
        threading.Thread(target=self._run, name="table", daemon=True).start()

    def submit(self, call: Callable[[], T]) -> asyncio.Future[T]:
        """The future result of a call; its callbacks run in the event loop."""
        future: asyncio.Future[T] = self._loop.create_future()
        self._calls.put((call, future))
        return future

    def stop(self) -> None:
        """End the thread after what was submitted."""
        self._calls.put(None)

    def _run(self) -> None:
        while (item := self._calls.get()) is not None:
            call, future = item
            try:
                settle = partial(_succeed, future, call())
            except Exception as error:
                settle = partial(_fail, future, error)
            with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits any more
                self._loop.call_soon_threadsafe(settle)


def _succeed(future: asyncio.Future[Any], result: Any) -> None:
    if not future.done():
        future.set_result(result)


def _fail(future: asyncio.Future[Any], error: Exception) -> None:
    if not future.done():
        future.set_exception(error)
