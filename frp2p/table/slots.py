"""What one step has gathered: at most one part and one ack of each seat, and the votes."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import TypeAlias

import msgspec

from frp2p.games.verbs import Seat
from frp2p.ledger.chain import step_digest
from frp2p.ledger.records import Ack, AckBody, Part, PartBody
from frp2p.ledger.transcript import ClosedStep
from frp2p.ledger.votes import Keep
from frp2p.table.ballot_box import BallotBox


class HeldPart(msgspec.Struct, frozen=True):
    """A part with a good signature, and what it says."""

    record: Part
    body: PartBody


class HeldAck(msgspec.Struct, frozen=True):
    """An ack with a good signature, what it says, and what it says that the step does."""

    record: Ack
    body: AckBody
    value: Keep


def hold(record: Ack, body: AckBody) -> HeldAck:
    """This ack, whose signature is good."""
    return HeldAck(record, body, Keep(body.step_digest, body.state_digest))


Held: TypeAlias = HeldPart | HeldAck


class Slots:
    """The records of one step that have a good signature; whether they are right is judged in their step."""

    def __init__(self) -> None:
        self.parts: dict[Seat, HeldPart] = {}
        self.others: dict[Seat, HeldPart] = {}
        """The second part of a seat that made two: a majority may have seen that one."""
        self.acks: dict[Seat, HeldAck] = {}
        self.box = BallotBox()

    def missing(self, part_mask: int, ack_mask: int) -> tuple[Part | Ack, ...]:
        """The records here of seats whose bit is not set; acks first, as in `Seated._take_final`."""
        parts = [self.parts[seat].record for seat in sorted(self.parts) if not part_mask >> seat & 1]
        acks = [self.acks[seat].record for seat in sorted(self.acks) if not ack_mask >> seat & 1]
        return (*acks, *parts)

    def parts_for(
        self, digest: bytes, game: bytes, step: int, prev: bytes, speakers: tuple[Seat, ...]
    ) -> dict[Seat, HeldPart] | None:
        """Those of the parts here that have this step digest together, None if there are none."""
        choices = [
            [held for held in (self.parts.get(seat), self.others.get(seat)) if held is not None] for seat in speakers
        ]
        for chosen in product(*choices):
            if step_digest(game, step, prev, tuple(held.record.body for held in chosen)) == digest:
                return {held.body.seat: held for held in chosen}
        return None

    def closed(self, result: Keep) -> ClosedStep:
        """As the ledger keeps it, without acks of anything else than this."""
        acks = [self.acks[seat] for seat in sorted(self.acks)]
        return ClosedStep(
            parts=tuple(self.parts[seat].record for seat in sorted(self.parts)),
            acks=tuple(one.record for one in acks if one.value == result),
        )


def mask(seats: Iterable[Seat]) -> int:
    """One bit a seat."""
    return sum(1 << seat for seat in seats)
