"""What a table without a screen says while it runs: each thing once, however often the seconds change."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest
from msgspec.structs import replace

from frp2p.app.snapshot import Snapshot
from frp2p.cli import telling
from frp2p.cli.telling import Telling
from frp2p.ledger.provisions import provisions
from frp2p.table.events import SeatsOut
from frp2p.table.status import SeatStatus, Status, Wait


class Fake:
    """A session that shows what it is given."""

    def __init__(self) -> None:
        self.problem = ""
        self._callbacks: list[Callable[[], None]] = []
        seats = tuple(SeatStatus(seat, name, b"", "", True) for seat, name in enumerate(("Ana", "Bob", "Eva")))
        status = Status(
            phase="play", me=0, code="K7Q2MPX4", game="fantasy-realms", options=None, seats_wanted=3, seats=seats,
            step=9, waiting_for=(), asked=False, shuffled_by=(), verified_by=(), digest=None, fault=None, view=None,
            provisions=provisions(3),
        )  # fmt: skip
        self.shot = Snapshot(status, (), 0, "", None, None, "")

    def snapshot(self) -> Snapshot:
        return self.shot

    def subscribe(self, callback: Callable[[], None]) -> Callable[[], None]:
        self._callbacks.append(callback)
        return lambda: self._callbacks.remove(callback)

    def show(self, shot: Snapshot) -> None:
        self.shot = shot
        for callback in self._callbacks:
            callback()


def away(shot: Snapshot, left: float) -> Snapshot:
    """Bob can't be reached, and has so many seconds left."""
    seats = tuple(replace(seat, connected=seat.seat != 1) for seat in shot.status.seats)
    waits = (Wait(1, connected=False, seconds_left=left),)
    return replace(shot, status=replace(shot.status, seats=seats, waiting_for=(1,), waits=waits))


async def test_who_is_away_is_told_once_and_who_is_out_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(telling, "PATIENCE_SECONDS", 0.01)
    session = Fake()
    with Telling(session):  # type: ignore[arg-type]
        for left in (95.0, 94.0, 93.0):
            session.show(away(session.shot, left))
            await asyncio.sleep(0.05)
        out = SeatsOut(10, (1,), "stop")
        seats = tuple(replace(seat, out=seat.seat == 1) for seat in session.shot.status.seats)
        status = replace(session.shot.status, seats=seats, waiting_for=(), waits=())
        session.show(replace(session.shot, status=status, events=(out,), event_count=1))
        session.show(session.shot)
    assert capsys.readouterr().err.splitlines() == [
        "Bob: no connection, 95 s left.",
        "Bob is out: the game is stopped and scored.",
    ]
