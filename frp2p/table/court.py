"""Where parts are judged, and seats that are proved to have broken the protocol are convicted.

A conviction needs evidence that a third person can check. Whoever is convicted has to be voted out; where no vote is
possible the table stops. Both with the evidence.
"""

from __future__ import annotations

from collections.abc import Callable

from frp2p.errors import PeerFault
from frp2p.games.verbs import Seat
from frp2p.ledger.evidence import BadRecord, BadStep, Contradiction, write_evidence
from frp2p.ledger.records import Part, PartBody, read_part_body
from frp2p.ledger.transcript import write_transcript
from frp2p.ledger.votes import quorum
from frp2p.table.convictions import Convicted, Convictions
from frp2p.table.course import Course
from frp2p.table.intake import Clash
from frp2p.table.messages import Evidence, Final
from frp2p.table.phase import TableStop
from frp2p.table.slots import HeldPart

SET_UP = ("charter", "setup")
"""The stages before the game, in which nothing is voted about."""

SETUP_SECONDS = 10.0
"""How long a seat that has acked the last step of the set-up, and then heard of a lie, waits for the acks of the rest,
which may be on their way or have to be asked for, before it takes the table for lost."""

TWO_STATEMENTS = "Two statements were signed that exclude each other."


class Court:
    """`announce` is called with each conviction after which the table can go on."""

    def __init__(self, course: Course, announce: Callable[[Convicted], None]) -> None:
        self.convictions = Convictions()
        self._course = course
        self._announce = announce
        self._refused: set[bytes] = set()
        """The bodies of parts of the present step that were found wrong."""
        self.held: TableStop | None = None
        """What ends the table unless the game has begun elsewhere."""
        self._held_until: float | None = None

    def open(self) -> None:
        """Another step is the present one."""
        self._refused.clear()

    def refused(self, body: bytes) -> bool:
        """Whether a part with this body was found wrong already."""
        return body in self._refused

    def going(self) -> frozenset[Seat]:
        """The seat that should be voted out at once, if any: it is convicted, or leaves."""
        course = self._course
        if not self.convictions.seats and not course.farewells:
            return frozenset()  # as after nearly every record
        going = sorted(self.convictions.seats.intersection(course.live))
        if not going and not course.losses.parting:
            going = sorted(set(course.farewells).intersection(course.live))
        # One after the other: the keys of two at once could not be taken off.
        first = frozenset(going[:1])
        return first if course.how(first) is not None else frozenset()

    # -- judging -------------------------------------------------------------------------------------------------------

    def judge(self, held: HeldPart) -> None:
        """Take a signed part of the present step away if it is wrong, and convict its seat."""
        course, seat = self._course, held.body.seat
        if course.applied is not None:
            # The parts of all speakers are here and applied: this seat was not asked.
            self._refuse(held)
            if held.body.prev == course.place.head:
                self._not_asked(held.record, held.body, course.expect.kind)
            return
        try:
            course.referee.check_body(held.body)
        except PeerFault as fault:
            self._refuse(held)
            if fault.check == "part-prev":
                # It continues another history: a lie only if its seat also says something in this one.
                course.present.others.setdefault(seat, held)
                return
            proof = write_evidence(BadRecord(course.transcript(), held.record, fault.check))
            self.convict(Convicted(seat, fault.check, proof, held.record), fault.message)

    def _refuse(self, held: HeldPart) -> None:
        self._refused.add(held.record.body)
        del self._course.present.parts[held.body.seat]

    def judge_stray(self, part: Part, body: PartBody) -> None:
        """A part of a seat that was not asked in its step, which is final."""
        first = self._course.steps[body.step].parts[0]
        self._not_asked(part, body, read_part_body(first.body).kind)

    def _not_asked(self, part: Part, body: PartBody, kind: str) -> None:
        """`kind`: that of the step, which is applied here or final."""
        check = "wrong-speaker" if body.kind == kind else "part-kind"
        before = write_transcript(self._course.charter, self._course.steps[: body.step])
        proof = write_evidence(BadRecord(before, part, check))
        self.convict(Convicted(body.seat, check, proof, part), f"Seat {body.seat} was not asked.")

    def judge_together(self, fault: PeerFault) -> None:
        """Every part of the present step is right, and together they show that a seat was wrong before."""
        course = self._course
        if fault.seat is None:
            raise TableStop(fault.check, None, fault.message) from fault
        parts = tuple(course.present.parts[seat].record for seat in course.expect.speakers)
        proof = write_evidence(BadStep(course.transcript(), parts, fault.check))
        tell = Final(course.height, parts, (), (), ())
        self.convict(Convicted(fault.seat, fault.check, proof, tell), fault.message)

    def contradict(self, clash: Clash) -> None:
        """This seat signed two statements that exclude each other."""
        proof = write_evidence(Contradiction(self._course.charter, clash.first, clash.second))
        self.convict(Convicted(clash.seat, clash.check, proof, Evidence(proof)), TWO_STATEMENTS)

    # -- convicting ----------------------------------------------------------------------------------------------------

    def convict(self, convicted: Convicted, message: str) -> None:
        """Remember it, and tell; TableStop if the others can't vote this seat out."""
        course, seat = self._course, convicted.seat
        arbiter = seat == course.charter.arbiter_number
        if seat in self.convictions or not (arbiter or seat in course.live or seat in course.losses.parting):
            return
        self.convictions.add(convicted)
        stop = TableStop(convicted.check, seat, message, convicted.evidence, convicted.tell)
        if arbiter and seat != course.me and not self.convictions.seats.intersection(course.live):
            pass  # nobody has to be voted out: the table goes on as if it had no arbiter
        elif self._may_have_begun():
            self.held = self.held or stop
        elif not self._can_go_on():
            raise stop
        self._announce(convicted)

    def review(self, now: float) -> None:
        """TableStop for somebody who was convicted just as the set-up ended, if it is clear now that it did not end, or
        that nobody can vote; `now`: the time at which this is asked."""
        if self.held is None:
            return
        if self._held_until is None:
            self._held_until = now + SETUP_SECONDS
        if self._may_have_begun() and now < self._held_until:
            return
        stop, self.held, self._held_until = self.held, None, None
        if not self._can_go_on():
            raise stop

    def wake_at(self) -> float | None:
        """When to review at the latest."""
        return self._held_until

    def _may_have_begun(self) -> bool:
        """Whether the present step, the last one of the set-up, may be final elsewhere: then the others can vote about
        who lies, and this seat only has to hear of it. Not if anybody honest has acked something else."""
        course = self._course
        last = not course.place.electors and course.applied is not None and course.referee.stage not in SET_UP
        honest = set(course.present.acks) - self.convictions.seats
        return last and all(course.agrees(seat) for seat in honest)

    def _can_go_on(self) -> bool:
        """Whether the others can vote out all who are convicted."""
        course, convicted = self._course, self.convictions.seats
        liars = convicted.intersection(course.live)
        electors = course.place.electors
        votes = electors and course.me not in convicted and len(set(electors) - convicted) >= quorum(electors)
        return bool(votes) and (not liars or course.how(sorted(liars)) is not None)
