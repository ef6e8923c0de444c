"""What happened at the table, for logs and screens. Everything here is final and public (or about the own links)."""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from frp2p.games.verbs import Seat
from frp2p.ledger.events import Dealt, Moved, Spoke


class Joined(msgspec.Struct, frozen=True, tag=True):
    """Somebody sat down in the lobby."""

    name: str


class Asked(msgspec.Struct, frozen=True, tag=True):
    """Somebody asks this host for a seat."""

    name: str


class Left(msgspec.Struct, frozen=True, tag=True):
    """Somebody left the lobby."""

    name: str


class Opened(msgspec.Struct, frozen=True, tag=True):
    """All seats have signed the charter; seats have numbers from now on."""

    names: tuple[str, ...]


class LinkUp(msgspec.Struct, frozen=True, tag=True):
    """The connection to a seat works (again)."""

    seat: Seat


class LinkDown(msgspec.Struct, frozen=True, tag=True):
    """The connection to a seat is lost; it is dialled again."""

    seat: Seat


class Refused(msgspec.Struct, frozen=True, tag=True):
    """A message was refused; the table goes on. `seat` is None for a stranger."""

    seat: Seat | None
    check: str


class Stopped(msgspec.Struct, frozen=True, tag=True):
    """The table stopped for good; `evidence` are signed bytes that a third person can check (may be empty)."""

    seat: Seat | None
    check: str
    evidence: bytes


class Closed(msgspec.Struct, frozen=True, tag=True):
    """The game is over and every seat has attested the same digest."""

    digest: bytes


Event: TypeAlias = (
    Asked | Joined | Left | Opened | Spoke | Dealt | Moved | LinkUp | LinkDown | Refused | Stopped | Closed
)

__all__ = [
    "Asked",
    "Closed",
    "Dealt",
    "Event",
    "Joined",
    "Left",
    "LinkDown",
    "LinkUp",
    "Moved",
    "Opened",
    "Refused",
    "Spoke",
    "Stopped",
]
