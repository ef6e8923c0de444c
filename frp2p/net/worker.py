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
        self._calls: queue.SimpleQueue[Callable[[], Callable[[], None] | None] | None] = queue.SimpleQueue()
        threading.Thread(target=self._run, name="table", daemon=True).start()

    def submit(self, call: Callable[[], T]) -> asyncio.Future[T]:
        """The future result of a call; its callbacks run in the event loop."""
        future: asyncio.Future[T] = self._loop.create_future()

        def settle() -> Callable[[], None]:
            try:
                return partial(_succeed, future, call())
            except Exception as error:
                return partial(_fail, future, error)

        self.post(settle)
        return future

    def post(self, call: Callable[[], Callable[[], None] | None]) -> None:
        """A call that returns what is to be done next in the event loop, if anything. It must not raise."""
        self._calls.put(call)

    def stop(self) -> None:
        """End the thread after what was submitted."""
        self._calls.put(None)

    def _run(self) -> None:
        while (call := self._calls.get()) is not None:
            follow = call()
            if follow is not None:
                with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits any more
                    self._loop.call_soon_threadsafe(follow)


def _succeed(future: asyncio.Future[Any], result: Any) -> None:
    if not future.done():
        future.set_result(result)


def _fail(future: asyncio.Future[Any], error: Exception) -> None:
    if not future.done():
        future.set_exception(error)
