"""The course of the game as this seat has it: the final steps, the present one, and what its parts lead to.

Nothing is said, sent or waited for here. The referee stands before the present step until its parts are applied, and
after it from then on; `expect`, `losses` and `place` are always those of the present step.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from frp2p.deal.seeded import SeededEntropy
from frp2p.errors import PeerFault
from frp2p.games.verbs import Seat
from frp2p.ledger.certificate import Place, place_of
from frp2p.ledger.chain import step_digest
from frp2p.ledger.charter import Charter
from frp2p.ledger.events import StepEvent
from frp2p.ledger.losses import Losses
from frp2p.ledger.referee import Expect
from frp2p.ledger.transcript import ClosedStep, write_transcript
from frp2p.ledger.votes import Farewell, How, Keep, Out, quorum
from frp2p.table.intake import Intake
from frp2p.table.phase import TableStop
from frp2p.table.rebuild import NewReferee, rebuild, speak_again
from frp2p.table.slots import HeldAck, HeldPart, Slots, mask


class Course:
    """`height` steps are final here; the step of that number is the present one (none once `over`)."""

    def __init__(self, charter: Charter, me: Seat, new_referee: NewReferee, entropy: SeededEntropy) -> None:
        self.charter = charter
        self.me = me
        self.seated = me if me < len(charter.seats) else None
        """The same, None for the arbiter: it makes no parts and sees what everybody sees."""
        self.referee = new_referee(entropy)
        self.view: Any = None
        """What this seat sees, as the last final step left it."""
        self.farewells: dict[Seat, Farewell] = {}
        """Of the seats that leave, or have left."""
        self.intake = Intake(charter, self.referee.digest)
        self.expect: Expect = self.referee.expect()
        """Kind and speakers of the present step."""
        self.losses: Losses = self.referee.losses()
        self.place: Place = place_of(self.referee)
        self.applied: Keep | None = None
        """What the present step does, once its parts are applied."""
        self.spoiled = False
        """Whether the parts of the present step are all here, each right, and can't be applied together."""
        self.events: tuple[StepEvent, ...] = ()
        self._new_referee = new_referee
        self._entropy = entropy
        self._judged: dict[Keep, bool] = {}
        """What other parts of the present step lead to that value; as few as there are choices of parts."""

    # -- what is asked -------------------------------------------------------------------------------------------------

    @property
    def steps(self) -> list[ClosedStep]:
        """The final steps."""
        return self.intake.steps

    @property
    def height(self) -> int:
        return self.intake.height

    @property
    def over(self) -> bool:
        return self.intake.over

    @property
    def present(self) -> Slots:
        """What has been gathered of the present step."""
        return self.intake.present

    @property
    def live(self) -> tuple[Seat, ...]:
        """The seats that are not out."""
        return self.losses.live

    @property
    def ready(self) -> bool:
        """Whether the parts of all speakers are here and wait to be applied."""
        return self.applied is None and not self.spoiled and set(self.present.parts).issuperset(self.expect.speakers)

    @property
    def asked(self) -> bool:
        """Whether the player of this seat has to decide."""
        mine = self.expect.kind == "move" and self.me in self.expect.speakers and not self.over
        return mine and self.me not in self.present.parts and self.me not in self.farewells

    @property
    def left(self) -> bool:
        """Whether this seat is out and nothing is needed from it any more."""
        return self.me not in self.referee.live and (self.over or self.me not in self.losses.parting)

    def waiting_for(self) -> tuple[Seat, ...]:
        """The seats whose part is missing, or once all parts are here, those whose ack is missing or does not fit."""
        if self.over:
            return ()
        if self.applied is None:
            return tuple(seat for seat in self.expect.speakers if seat not in self.present.parts)
        return tuple(seat for seat in self.live if not self.agrees(seat))

    def attested(self) -> tuple[Seat, ...]:
        """The seats that have verified the record and said so."""
        if self.over:
            return self.referee.live
        return tuple(sorted(self.present.parts)) if self.expect.kind == "attest" else ()

    def how(self, seats: Collection[Seat]) -> How | None:
        """What would become of the table without these seats; None if nothing can be decided about them."""
        return self.losses.how(seats, self.farewells)

    def allowed(self, out: Out) -> bool:
        """Whether this may be decided, and what it takes is here."""
        try:
            self.losses.check(out, self.farewells)
        except PeerFault:
            return False
        return out.how != "leave" or set(out.seats) <= set(self.farewells)

    def transcript(self) -> bytes:
        """The record up to the last final step."""
        return write_transcript(self.charter, self.steps)

    # -- for those who lack something ----------------------------------------------------------------------------------

    @property
    def fork(self) -> bool:
        """Whether somebody acked, or supports in a vote, other parts than those here, which have to be shown then."""
        mine, present = self.applied, self.present
        if mine is None:
            return False
        acked = any(held.value.step_digest != mine.step_digest for held in present.acks.values())
        return acked or any(value.step_digest != mine.step_digest for value in present.box.keeps())

    def masks(self) -> tuple[int, int]:
        """The seats whose part and whose ack of the present step are here; none after a fork, to see all there is."""
        return (0, 0) if self.fork else (mask(self.present.parts), mask(self.present.acks))

    def seen(self) -> tuple[int, int, int, int]:
        """Changes whenever there is news."""
        return (self.height, *self.masks(), self.present.box.news)

    def missing(self, part_mask: int, ack_mask: int) -> tuple[Any, ...]:
        """What somebody with these masks lacks of the present step, the votes included."""
        present = self.present
        return (*self.farewells.values(), *present.missing(part_mask, ack_mask), *present.box.records())

    # -- what the parts lead to ----------------------------------------------------------------------------------------

    def agrees(self, seat: Seat) -> bool:
        """Whether the ack of this seat is here, about the parts that are here and the state that they led to here."""
        held = self.present.acks.get(seat)
        return held is not None and held.value == self.applied

    def differs(self, seat: Seat) -> bool:
        """Whether this seat came to another state from the same parts, as its ack says."""
        held, mine = self.present.acks.get(seat), self.applied
        if held is None or mine is None or held.value == mine:
            return False
        return held.value.step_digest == mine.step_digest

    def fits(self, ack: HeldAck) -> bool:
        """Whether this ack is about what the parts here did; or, at the arbiter or a seat that is out, about what the
        seats that are live agree on without the one that makes it."""
        if ack.value == self.applied or self.me in self.live:
            return ack.value == self.applied
        return self._acked(seat for seat in self.live if seat != ack.body.seat) == {ack.value}

    def unanimous(self) -> Keep | None:
        """What all live seats have acked, for somebody who is none of them; None if they have not, or it is applied."""
        if self.me in self.live or not set(self.present.acks).issuperset(self.live):
            return None
        acked = self._acked(self.live)
        return acked.pop() if len(acked) == 1 and self.applied not in acked else None

    def _acked(self, seats: Iterable[Seat]) -> set[Keep]:
        return {self.present.acks[seat].value for seat in seats if seat in self.present.acks}

    def compare(self) -> None:
        """TableStop if so many came to another state from the same parts that the rest can't go on without them."""
        odd = [seat for seat in self.live if self.differs(seat)]
        everybody = self.place.electors or self.live
        if odd and len(everybody) - len(odd) < quorum(everybody):
            message = "The same parts led to different states: the programs differ, or one of them lies."
            raise TableStop("state-mismatch", None, message, tell=self.present.acks[odd[0]].record)

    def others(self, value: Keep) -> dict[Seat, HeldPart] | None:
        """The parts that a majority may have decided about with this value, as far as they are here."""
        place = (self.place.game, self.place.step, self.place.head, self.expect.speakers)
        return self.present.parts_for(value.step_digest, *place)

    def here(self, value: Keep) -> bool:
        """Whether parts that are here, though not the first ones of their seats, lead to this. Takes as long as reading
        the record; only a seat that made two parts of a step makes anybody ask.
        """
        parts = self.others(value)
        if parts is None or not (self.applied or self.spoiled):
            return False
        if self.applied is not None and value.step_digest == self.applied.step_digest:
            return False
        if value not in self._judged:
            self._judged[value] = self._leads_to(parts, value)
        return self._judged[value]

    def _leads_to(self, parts: dict[Seat, HeldPart], value: Keep) -> bool:
        referee = rebuild(self._new_referee, self.steps, self.me, self._entropy)
        try:
            for held in parts.values():
                referee.check_body(held.body)
            if self.me in parts and self.expect.kind != "move":
                speak_again(referee, self._entropy)
            referee.close({seat: held.body.payload for seat, held in parts.items()}, value.step_digest)
        except PeerFault:
            return False
        return referee.state_digest() == value.state_digest

    def speak(self) -> bytes:
        """What the dealer says for this seat in the present step: after a crash or an undo the same as before."""
        return speak_again(self.referee, self._entropy)

    def apply(self) -> Keep:
        """All parts are here, and each is right: what they do together; PeerFault if together they are not right."""
        parts = [self.present.parts[seat] for seat in self.expect.speakers]
        bodies = tuple(held.record.body for held in parts)
        digest = step_digest(self.referee.digest, self.height, self.referee.head, bodies)
        try:
            self.events = self.referee.close({held.body.seat: held.body.payload for held in parts}, digest)
        except PeerFault:
            self.spoiled = True  # nothing has changed
            raise
        self.applied = Keep(digest, self.referee.state_digest())
        return self.applied

    def undo(self) -> None:
        """Back to the state before the present step."""
        if self.applied is not None:
            self.referee = rebuild(self._new_referee, self.steps, self.me, self._entropy)
            self.applied = None
        self.spoiled = False

    def out(self, value: Out, digest: bytes) -> None:
        """The parts of the present step are void, and these seats are out."""
        self.undo()
        self.events = self.referee.verdict(value, digest)

    def advance(self, closed: ClosedStep) -> tuple[StepEvent, ...]:
        """The present step is final, and the next one is the present one; what happened."""
        events = self.events
        self.intake.advance(closed)
        self.intake.over = self.referee.stage == "closed"
        self.applied, self.events, self.spoiled = None, (), False
        self._judged.clear()
        self.expect = self.referee.expect()
        self.losses, self.place = self.referee.losses(), place_of(self.referee)
        self.view = self.referee.view(self.seated)
        return events
