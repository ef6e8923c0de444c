"""The last phase of a table that did not come to its end. All it still does is to tell the others why."""

from __future__ import annotations

import msgspec

from frp2p.games.game import Move
from frp2p.table.desk import Desk
from frp2p.table.links import Link
from frp2p.table.messages import AnyMessage, Evidence, Join
from frp2p.table.phase import NotAsked, Patience, Phase
from frp2p.table.status import Fault, Status


class Stopped:
    """`before` is the phase that ended, `tell` the message by which the other seats can see the fault too."""

    asked = False

    def __init__(self, desk: Desk, before: Phase, fault: Fault, tell: AnyMessage | None) -> None:
        self.desk = desk
        self._before = before
        self.game = before.game
        self.height = before.height
        self._tell = tell
        self._status = msgspec.structs.replace(
            before.status(), phase="stopped", fault=fault, waiting_for=(), asked=False
        )
        if tell is not None:
            desk.broadcast(tell)

    def welcome(self, key: bytes) -> bool:
        return True

    def greeted(self, link: Link, now: float) -> None:
        """Somebody who may not know yet."""
        if self._tell is not None:
            self.desk.send(link, self._tell)

    def lost(self, link: Link, now: float) -> None:
        """Nobody is missed any more."""

    def dismissed(self, link: Link, reason: str, now: float) -> None:
        """Nobody is missed any more."""

    def handle(self, link: Link, message: AnyMessage, now: float) -> None:
        """Too late for anything but to hear who is to blame, where that was not clear."""
        if isinstance(message, Join):
            self.desk.close(link, "host-left", now)
        fault = self._status.fault
        if isinstance(message, Evidence) and fault is not None and fault.seat is None:
            self._before.handle(link, message, now)

    def act(self, move: Move, now: float) -> None:
        raise NotAsked

    def legal(self) -> tuple[Move, ...]:
        return ()

    def patience(self) -> Patience | None:
        return None

    def tick(self, now: float) -> None:
        """Nothing is due."""

    def wake_at(self) -> float | None:
        return None

    def status(self) -> Status:
        return self._status

    def transcript(self) -> bytes | None:
        return None
