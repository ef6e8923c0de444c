"""A thread for a computation whose result will be wanted next."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

T = TypeVar("T")


def in_thread(job: Callable[[], T], /) -> Callable[[], T]:
    """Begin the job (`deal.group.Beside`). Its exception is raised by the result, and unseen if nobody asks for that.

    The thread is a daemon: a program that ends does not wait for it.
    """
    outcome: Future[T] = Future()

    def run() -> None:
        try:
            outcome.set_result(job())
        except Exception as error:
            outcome.set_exception(error)

    threading.Thread(target=run, name="beside", daemon=True).start()
    return outcome.result
