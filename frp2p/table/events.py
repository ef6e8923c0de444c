"""What happened at the table, for logs and screens. Everything here is final and public (or about the own links)."""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from frp2p.games.verbs import Seat
from frp2p.ledger.events import Dealt, Moved, SeatsOut, Spoke


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


class Convicted(msgspec.Struct, frozen=True, tag=True):
    """A seat is proved to have broken the protocol; the others vote it out. `evidence` are signed bytes that a third
    person can check."""

    seat: Seat
    check: str
    evidence: bytes


class TimeUp(msgspec.Struct, frozen=True, tag=True):
    """The own player's time was up: its program has made the game's default move."""


class VoteBegan(msgspec.Struct, frozen=True, tag=True):
    """A majority votes about a step; `seats` are those that this peer has waited for too long."""

    step: int
    seats: tuple[Seat, ...]


class Adjourned(msgspec.Struct, frozen=True, tag=True):
    """These seats have been waited for too long, and nothing can be decided about them: the table waits on, and can be
    taken up again later."""

    seats: tuple[Seat, ...]


class Stopped(msgspec.Struct, frozen=True, tag=True):
    """The table stopped for good; `evidence` are signed bytes that a third person can check (may be empty)."""

    seat: Seat | None
    check: str
    evidence: bytes


class Closed(msgspec.Struct, frozen=True, tag=True):
    """The game is over and every seat that is not out has attested the same digest."""

    digest: bytes


Event: TypeAlias = (
    Asked | Joined | Left | Opened | Spoke | Dealt | Moved | SeatsOut | LinkUp | LinkDown | Refused | Convicted
    | TimeUp | VoteBegan | Adjourned | Stopped | Closed
)  # fmt: skip

__all__ = [
    "Adjourned",
    "Asked",
    "Closed",
    "Convicted",
    "Dealt",
    "Event",
    "Joined",
    "Left",
    "LinkDown",
    "LinkUp",
    "Moved",
    "Opened",
    "Refused",
    "SeatsOut",
    "Spoke",
    "Stopped",
    "TimeUp",
    "VoteBegan",
]
