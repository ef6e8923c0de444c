"""Who decides at a seat, as the session sees it."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

from frp2p.games.game import IllegalMove, Move


class Player(Protocol):
    """Decides for one seat. Only ever sees views."""

    async def decide(self, view: Any, legal: tuple[Move, ...]) -> Move:
        """The move of this seat; `legal` is not empty. May take as long as it likes; cancelled when the table ends."""


@runtime_checkable
class Corrigible(Protocol):
    """A player that may make a move that is not allowed and wants to hear so; `decide` is called again after it."""

    def refused(self, error: IllegalMove) -> None: ...
