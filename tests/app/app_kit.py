"""What the tests of sessions share."""

from __future__ import annotations

import asyncio
from typing import Any

from frp2p.app.session import Session
from frp2p.games.game import Move


class Slow:
    """A player who never decides."""

    async def decide(self, view: Any, legal: tuple[Move, ...]) -> Move:
        move: Move = await asyncio.get_running_loop().create_future()
        return move


class Hasty:
    """The first legal move: draws the deck and discards, so that a game takes ten turns only."""

    async def decide(self, view: Any, legal: tuple[Move, ...]) -> Move:
        return legal[0]


async def until(session: Session, condition: Any, seconds: float = 20.0) -> None:
    changed = asyncio.Event()
    unsubscribe = session.subscribe(changed.set)
    try:
        async with asyncio.timeout(seconds):
            while not condition(session.snapshot()):
                changed.clear()
                await changed.wait()
    finally:
        unsubscribe()
