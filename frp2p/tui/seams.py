"""What the client needs of the session that it shows, and of whoever decides by it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from frp2p.app.snapshot import Snapshot
from frp2p.games.game import Move


class TableSession(Protocol):
    """What the client needs of `app.session.Session`."""

    def snapshot(self) -> Snapshot: ...

    def subscribe(self, callback: Callable[[], None]) -> Callable[[], None]: ...

    def leave(self, *, for_good: bool = False) -> None: ...

    async def admit(self, key: bytes) -> None: ...

    async def remove(self, key: bytes) -> None: ...


class Chooser(Protocol):
    """What the client needs of `players.human.Human`."""

    asked: tuple[Any, tuple[Move, ...]] | None
    refusal: str

    def answer(self, move: Move) -> None: ...

    def subscribe(self, callback: Callable[[], None]) -> Callable[[], None]: ...
