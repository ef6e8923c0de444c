"""Where records come in: whether a record is new, has a good signature and a place, or contradicts one that is here.

Only records of the present step and the one after are kept, of each seat one of each kind. What a record says is not
judged here.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from frp2p.errors import PeerFault
from frp2p.games.verbs import Seat
from frp2p.ledger.charter import Charter
from frp2p.ledger.records import Ack, Part, read_ack_body, read_part_body
from frp2p.ledger.transcript import ClosedStep
from frp2p.ledger.votes import check_binding, contradiction, read_binding
from frp2p.table.slots import HeldPart, Slots, hold


class Clash(NamedTuple):
    """Two statements of one seat that exclude each other, and the check that they fail."""

    seat: Seat
    first: Any
    second: Any
    check: str


class Taken(NamedTuple):
    """What became of a record. `fresh`: it was put to the others of the present step; `stray`: it is the part of a seat
    that was not asked in a step that is final, after the same history."""

    step: int
    seat: Seat
    body: Any
    fresh: bool = False
    clash: Clash | None = None
    stray: bool = False


class Intake:
    """The final steps, and what is gathered for the next two."""

    def __init__(self, charter: Charter, game: bytes) -> None:
        self._game = game
        self._keys = charter.keys, charter.voter_keys
        """Of those who make parts and acks, and of those who vote."""
        self.steps: list[ClosedStep] = []
        self.present = Slots()
        self.next = Slots()
        self.over = False

    @property
    def height(self) -> int:
        """The number of final steps, and of the present one."""
        return len(self.steps)

    def advance(self, closed: ClosedStep) -> None:
        """The present step is final."""
        self.steps.append(closed)
        self.present, self.next = self.next, Slots()

    def take(self, record: Any) -> Taken:
        """A part, an ack or a vote from anybody. PeerFault: whoever sent it is wrong (not always the seat in it)."""
        body = read_binding(record)
        if body.game != self._game:
            raise PeerFault("wrong-game", "A record of another ledger.")
        if body.seat >= len(self._keys[not isinstance(record, Part | Ack)]):
            raise PeerFault("seat-range", f"There is no seat {body.seat}.")
        slots = self._slots(body.step)
        known = self._known(slots, body)
        nothing = Taken(body.step, body.seat, body)
        if any(type(one) is type(record) and one.body == record.body for one, _ in known):
            return nothing
        if slots is None and not any(type(one) is type(record) for one, _ in known):
            return nothing._replace(stray=self._is_stray(record, body))
        check_binding(record, body, *self._keys)
        clash = next(
            (
                Clash(body.seat, one, record, check)
                for one, said in known
                if (check := contradiction(said, body)) is not None
            ),
            None,
        )
        if slots is None:
            return nothing._replace(clash=clash)
        self._put(slots, record, body)
        return nothing._replace(fresh=slots is self.present, clash=clash)

    def _is_stray(self, record: Any, body: Any) -> bool:
        if not isinstance(record, Part) or body.step >= self.height or not self.steps[body.step].parts:
            return False
        if read_part_body(self.steps[body.step].parts[0].body).prev != body.prev:
            return False
        check_binding(record, body, *self._keys)
        return True

    def _put(self, slots: Slots, record: Any, body: Any) -> None:
        if isinstance(record, Part):
            place = slots.others if body.seat in slots.parts else slots.parts
            place.setdefault(body.seat, HeldPart(record, body))
        elif isinstance(record, Ack):
            slots.acks.setdefault(body.seat, hold(record, body))
        else:
            slots.box.put(record, body)

    def _slots(self, step: int) -> Slots | None:
        """Where records of this step are gathered; None for any but the present step and the next."""
        if self.over or step not in (self.height, self.height + 1):
            return None
        return self.present if step == self.height else self.next

    def _known(self, slots: Slots | None, body: Any) -> list[tuple[Any, Any]]:
        """What is here of this seat for this step, final steps included, each with its body."""
        seat = body.seat
        if slots is not None:
            held: list[Any] = [place[seat] for place in (slots.parts, slots.others, slots.acks) if seat in place]
            return [(one.record, one.body) for one in (*held, *slots.box.of(seat))]
        if body.step >= self.height:
            return []
        closed = self.steps[body.step]
        found: list[tuple[Any, Any]] = [(part, read_part_body(part.body)) for part in closed.parts]
        found += [(ack, read_ack_body(ack.body)) for ack in closed.acks]
        found += [(accept, read_binding(accept)) for accept in closed.accepts]
        return [(record, said) for record, said in found if said.seat == seat]
