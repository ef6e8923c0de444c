"""Before anything is opened or joined: links may come up, nothing is said on them but Hello."""

from __future__ import annotations

from frp2p.table.links import Link
from frp2p.table.lobby import BeforeCharter
from frp2p.table.messages import AnyMessage
from frp2p.table.status import Status


class Idle(BeforeCharter):
    """The phase of a new peer."""

    def greeted(self, link: Link, now: float) -> None:
        """Nothing to say yet."""

    def lost(self, link: Link, now: float) -> None:
        """Nobody is missed yet."""

    def handle(self, link: Link, message: AnyMessage, now: float) -> None:
        """Dropped: it may be meant for what this peer is about to become."""

    def tick(self, now: float) -> None:
        """Nothing is due."""

    def wake_at(self) -> float | None:
        return None

    def status(self) -> Status:
        return self.lobby_status("", None, 0, ())
