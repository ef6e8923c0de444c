"""A person at a seat. A face shows what is asked and hands over the answer."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from frp2p.games.game import IllegalMove, Move
from frp2p.locale import _


class Human:
    """`asked` is (view, legal moves) while an answer is awaited, else None; subscribers are called when it changes.
    `refusal` is a sentence if the last answer was not allowed, until the next one.
    """

    def __init__(self) -> None:
        self.asked: tuple[Any, tuple[Move, ...]] | None = None
        self.refusal = ""
        self._answer: asyncio.Future[Move] | None = None
        self._subscribers: list[Callable[[], None]] = []

    async def decide(self, view: Any, legal: tuple[Move, ...]) -> Move:
        self._answer = asyncio.get_running_loop().create_future()
        self._change((view, legal))
        try:
            return await self._answer
        finally:
            self._answer = None
            self._change(None)

    def answer(self, move: Move) -> None:
        """Decide; IllegalMove if nothing is asked (any more).

        Not all final choices are listed as legal moves, so whether this one is allowed shows only when it is made: if
        not, the question comes back with a `refusal`.
        """
        if self._answer is None or self._answer.done():
            raise IllegalMove(_("It is not your turn."))
        self.refusal = ""
        self._answer.set_result(move)

    def refused(self, error: IllegalMove) -> None:
        """The last answer was not allowed; the session asks again."""
        self.refusal = error.message

    def subscribe(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Call this after every change of `asked`; returns the function that ends that."""
        self._subscribers.append(callback)
        return lambda: self._subscribers.remove(callback)

    def _change(self, asked: tuple[Any, tuple[Move, ...]] | None) -> None:
        self.asked = asked
        for callback in tuple(self._subscribers):
            callback()
