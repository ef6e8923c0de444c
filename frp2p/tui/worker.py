"""Computes what a hand is worth beside the screen: a slow hand never makes a key wait."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from frp2p.app.model_worth import Key, Worth, appraise, key, start
from frp2p.games.fantasy_realms.options import Hints
from frp2p.games.fantasy_realms.view import View


class WorthWorker:
    """`worth` is what is known about the hand of the last `follow`; `changed` is called in the loop when it grows."""

    def __init__(self, loop: asyncio.AbstractEventLoop, changed: Callable[[], None]) -> None:
        self.worth: Worth | None = None
        self._loop = loop
        self._changed = changed
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="frp2p-worth")
        self._key: tuple[Key, Hints] | None = None
        self._stop = threading.Event()

    def follow(self, view: View | None, hints: Hints) -> None:
        """Begin with this view unless its worth is known or under way; what was under way for another is dropped."""
        wanted = (key(view), hints) if view is not None and view.me is not None else None
        if wanted == self._key:
            return
        self._stop.set()
        self._key = wanted
        if view is None or wanted is None:
            self.worth = None
            return
        self.worth = start(view, self.worth)
        self._stop = threading.Event()
        self._pool.submit(self._run, view, hints, self._stop)

    def close(self) -> None:
        """Drop what is under way."""
        self._stop.set()
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _run(self, view: View, hints: Hints, stop: threading.Event) -> None:
        if stop.is_set():
            return
        try:
            for worth in appraise(view, hints):
                if stop.is_set():
                    return
                self._tell(self._grown, worth, stop)
        except Exception as error:  # nobody awaits this thread: whoever hears of stray exceptions hears of this one
            context = {"message": "a hand could not be counted", "exception": error}
            self._tell(self._loop.call_exception_handler, context)

    def _tell(self, callback: Callable[..., object], *arguments: object) -> None:
        with contextlib.suppress(RuntimeError):  # the loop has ended; nobody looks any more
            self._loop.call_soon_threadsafe(callback, *arguments)

    def _grown(self, worth: Worth, stop: threading.Event) -> None:
        if not stop.is_set():
            self.worth = worth
            self._changed()
