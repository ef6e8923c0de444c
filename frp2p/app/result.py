"""How a table came out, as its session says at the end."""

from __future__ import annotations

from pathlib import Path

import msgspec

from frp2p.table.status import Status


class Result(msgspec.Struct, frozen=True):
    """How it came out. `verified`: the game is over, every seat that is not out attested the same record, and it is
    saved. `evidence` as in the snapshot."""

    status: Status
    transcript: Path | None
    evidence: Path | None
    problem: str

    @property
    def verified(self) -> bool:
        seats = sum(not seat.out for seat in self.status.seats)
        return self.status.phase == "over" and len(self.status.verified_by) == seats and self.transcript is not None
