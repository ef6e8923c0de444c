"""A person at a seat. A face shows what is asked and hands over the answer."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from frp2p.games.game import IllegalMove, Move


class Human:
    """`asked` is (view, legal moves) while an answer is awaited, else None; subscribers are called when it changes."""

    def __init__(self) -> None:
        self.asked: tuple[Any, tuple[Move, ...]] | None = None
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
        """Decide. IllegalMove if nothing is asked (any more) or the move is not one of the legal ones."""
        if self.asked is None or self._answer is None or self._answer.done() or move not in self.asked[1]:
            raise IllegalMove
        self._answer.set_result(move)

    def subscribe(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Call this after every change of `asked`; returns the function that ends that."""
        self._subscribers.append(callback)
        return lambda: self._subscribers.remove(callback)

    def _change(self, asked: tuple[Any, tuple[Move, ...]] | None) -> None:
        self.asked = asked
        for callback in tuple(self._subscribers):
            callback()
