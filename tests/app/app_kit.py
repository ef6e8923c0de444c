"""What the tests of sessions share."""

from __future__ import annotations

import asyncio
from typing import Any

from frp2p.games.game import Move


class Slow:
    """A player who never decides."""

    async def decide(self, view: Any, legal: tuple[Move, ...]) -> Move:
        move: Move = await asyncio.get_running_loop().create_future()
        return move
