"""The state of a table as one value, for every face: who sits here, what it waits for, what went wrong."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import msgspec

from frp2p.games.verbs import Seat
from frp2p.ledger.provisions import Provisions

Phase: TypeAlias = Literal["lobby", "setup", "play", "closing", "over", "stopped"]
"""`setup`: charter, nonces and keys; `play`: from the first shuffle to the last score; `closing`: every seat gives its
keys away if an open audit was agreed, verifies the record and attests its digest; `over`: all have; `stopped`: a fault
ended the table."""


class SeatStatus(msgspec.Struct, frozen=True):
    """One seat. In the lobby the order is the order of joining and may still change."""

    seat: Seat
    name: str
    key: bytes
    fingerprint: str
    connected: bool
    out: bool = False
    """Whether the seat is out of the game for good: it left, was lost, or was convicted."""
    bank: float | None = None
    """Seconds that it has in hand for moves that take longer, by the own clock; None where nobody has to hurry."""
    arbiter: bool = False
    """Whether this is, or (at the door) asks to be, the arbiter."""


class Wait(msgspec.Struct, frozen=True):
    """A seat that the present step waits for. `seconds_left`: until this seat here would vote it out, by the own clock
    and as of the moment of the status; None if it may take as long as it likes."""

    seat: Seat
    connected: bool
    seconds_left: float | None


class VoteStatus(msgspec.Struct, frozen=True):
    """A vote about the present step: who is `accused` of being too slow by anybody, the highest `ballot` (0: none yet),
    how many have promised in it, and how many it takes."""

    accused: tuple[Seat, ...]
    ballot: int
    promised: int
    needed: int


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
    provisions: Provisions | None = None
    """What the charter provides for losses; in the lobby, what the table is going to."""
    waits: tuple[Wait, ...] = ()
    """One for each seat of `waiting_for` but the own."""
    clock: float | None = None
    """Seconds that the own player has left, None if as many as it likes or nothing is asked."""
    vote: VoteStatus | None = None
    stuck: tuple[Seat, ...] = ()
    """Seats that have been waited for too long while nothing can be decided about them here: the table is adjourned."""
    leaving: bool = False
    """Whether this seat has said farewell."""
    watching: bool = False
    """Whether this is somebody who has no seat: who only watches, or the arbiter."""
    arbitrating: bool = False
    """Whether it is the arbiter."""
    arbiter: SeatStatus | None = None
    """Who has a vote without a seat (`seat` is the number of the seats); None where nobody has, or not yet."""
    starting: bool = False
    """Whether all seats are taken and the host's time to send somebody away runs."""

    @property
    def lacks_arbiter(self) -> bool:
        """Whether this is a lobby with a place for an arbiter, and nobody there."""
        provided = self.provisions
        return self.phase == "lobby" and provided is not None and provided.arbiter and self.arbiter is None
