"""The state of a table as one value, for every face: who sits here, what it waits for, what went wrong."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import msgspec

from frp2p.games.verbs import Seat

Phase: TypeAlias = Literal["lobby", "setup", "play", "closing", "over", "stopped"]
"""`setup`: charter, nonces and keys; `play`: from the first shuffle to the last score; `closing`: every seat verifies
the record and attests its digest; `over`: all have; `stopped`: a fault ended the table."""


class SeatStatus(msgspec.Struct, frozen=True):
    """One seat. In the lobby the order is the order of joining and may still change."""

    seat: Seat
    name: str
    key: bytes
    fingerprint: str
    connected: bool


class Fault(msgspec.Struct, frozen=True):
    """Why the table stopped."""

    code: str
    seat: Seat | None
    message: str


class Status(msgspec.Struct, frozen=True):
    """`waiting_for`: seats whose part or ack the present step lacks (in the lobby: empty). `view` is the game's view
    of this seat, None before the game starts. `code` is the table code to read aloud, empty in the lobby."""

    phase: Phase
    me: Seat | None
    code: str
    game: str
    options: Any
    seats_wanted: int
    seats: tuple[SeatStatus, ...]
    step: int
    waiting_for: tuple[Seat, ...]
    asked: bool
    shuffled_by: tuple[Seat, ...]
    verified_by: tuple[Seat, ...]
    digest: bytes | None
    fault: Fault | None
    view: Any
    asking: tuple[SeatStatus, ...] = ()
    """Those who wait at the door of this host, the first one first (`seat` is their place in this row)."""
    locked: bool = False
    """Whether the lobby has a passphrase."""
    starting: bool = False
    """Whether all seats are taken and the host's time to send somebody away runs."""
