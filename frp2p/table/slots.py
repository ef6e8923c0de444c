"""What one step has gathered: at most one part and one ack of each seat."""

from __future__ import annotations

from collections.abc import Collection
from typing import TypeAlias

import msgspec

from frp2p.games.verbs import Seat
from frp2p.ledger.records import Ack, AckBody, Part, PartBody
from frp2p.ledger.transcript import ClosedStep


class HeldPart(msgspec.Struct, frozen=True):
    """A part with a good signature, and what it says."""

    record: Part
    body: PartBody


class HeldAck(msgspec.Struct, frozen=True):
    """An ack with a good signature, and what it says."""

    record: Ack
    body: AckBody


Held: TypeAlias = HeldPart | HeldAck


class Slots:
    """The records of one step that have a good signature; whether they are right is judged in their step."""

    def __init__(self) -> None:
        self.parts: dict[Seat, HeldPart] = {}
        self.acks: dict[Seat, HeldAck] = {}

    def missing(self, part_mask: int, ack_mask: int) -> tuple[Part | Ack, ...]:
        """The records here of seats whose bit is not set."""
        parts = [self.parts[seat].record for seat in sorted(self.parts) if not part_mask >> seat & 1]
        acks = [self.acks[seat].record for seat in sorted(self.acks) if not ack_mask >> seat & 1]
        return (*parts, *acks)

    def closed(self) -> ClosedStep:
        """As the ledger keeps it."""
        return ClosedStep(
            parts=tuple(self.parts[seat].record for seat in sorted(self.parts)),
            acks=tuple(self.acks[seat].record for seat in sorted(self.acks)),
        )


def mask(seats: Collection[Seat]) -> int:
    """One bit a seat."""
    return sum(1 << seat for seat in seats)
