"""Who decides at a seat, as the session sees it."""

from __future__ import annotations

from typing import Any, Protocol

from frp2p.games.game import Move


class Player(Protocol):
    """Decides for one seat. Only ever sees views."""

    async def decide(self, view: Any, legal: tuple[Move, ...]) -> Move:
        """The move of this seat; `legal` is not empty. May take as long as it likes; cancelled when the table ends."""
