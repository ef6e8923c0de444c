"""What a face shows of a session: one immutable value, made anew after every change."""

from __future__ import annotations

from pathlib import Path

import msgspec

from frp2p.table.events import Event
from frp2p.table.status import Status


class Snapshot(msgspec.Struct, frozen=True):
    """`events`: the last EVENTS_KEPT events, oldest first; `event_count` counts all of them, so a face can tell what
    is new. `address` is where others sit down at the table. `transcript` is the saved file once the table closed,
    `evidence` the saved evidence once there is some: the file, or the folder if there are several. `problem` is a
    sentence about the network or disk, empty if all is well.
    """

    status: Status
    events: tuple[Event, ...]
    event_count: int
    address: str
    transcript: Path | None
    evidence: Path | None
    problem: str
