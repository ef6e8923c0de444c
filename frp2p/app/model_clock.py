"""Times as people read them, and how much of it each player has left. Every program counts by its own clock alone."""

from __future__ import annotations

from math import ceil

from frp2p.games.verbs import Seat
from frp2p.locale import _
from frp2p.table.status import Status

MINUTE = 60
HOUR = 3600
LONG_SECONDS = 120
"""From so many seconds on a time is told in minutes."""
SHORT_SECONDS = 10
"""Below so many seconds a clock is shown as urgent."""
CLOCK_COLUMNS = 8
"""Columns of a clock: up to `23:59:59`."""


def duration(seconds: float) -> str:
    """`95 s`, `3 min`, `2:30 min`, `2 h`."""
    whole = ceil(seconds)
    if whole < LONG_SECONDS:
        return _("{count} s").format(count=whole)
    if whole % HOUR == 0:
        return _("{count} h").format(count=whole // HOUR)
    minutes, rest = divmod(whole, MINUTE)
    return _("{count} min").format(count=f"{minutes}:{rest:02d}" if rest else minutes)


def face(seconds: float) -> str:
    """`0:42`, `1:05:00`: a clock that runs."""
    minutes, rest = divmod(ceil(seconds), MINUTE)
    hours, minutes = divmod(minutes, MINUTE)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"


def limited(status: Status) -> bool:
    """Whether players have to move in time."""
    return status.provisions is not None and status.provisions.clock.limited


def running(status: Status, seat: Seat) -> float | None:
    """Seconds that a player who has to move has left; None for anybody else, and where nobody has to hurry."""
    if not limited(status):
        return None
    if seat == status.me:
        return status.clock
    asked = getattr(status.view, "asked", ())
    wait = next((wait for wait in status.waits if wait.seat == seat), None)
    return wait.seconds_left if wait is not None and wait.connected and seat in asked else None


def shown(status: Status, seat: Seat) -> str:
    """What is left for this move, else what is in hand for moves that take longer; empty where that says nothing."""
    if not limited(status) or status.seats[seat].out:
        return ""
    left = running(status, seat)
    if left is not None:
        return face(left)
    bank = status.seats[seat].bank
    return face(bank) if bank else ""
