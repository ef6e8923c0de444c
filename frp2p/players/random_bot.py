"""A bot that plays anything legal, for tests and as the lowest measure of the others."""

from __future__ import annotations

import random
from typing import Any

from frp2p.games.game import Move


class Random:
    """Every legal move is as likely as any other; the same seed makes the same moves."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)  # noqa: S311 - it chooses moves, it keeps no secrets

    def choose(self, view: Any, legal: tuple[Move, ...]) -> Move:
        return self._random.choice(legal)

    async def decide(self, view: Any, legal: tuple[Move, ...]) -> Move:
        return self.choose(view, legal)
