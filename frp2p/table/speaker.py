"""What this seat says in the present step: made once, put where the records of the others are, kept and sent."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from frp2p.errors import LocalError, PeerFault
from frp2p.ledger.limits import MAX_ELAPSED
from frp2p.ledger.records import AckBody, Part, PartBody, open_part
from frp2p.ledger.transcript import ClosedStep
from frp2p.ledger.votes import AcceptBody, Keep, VoteBody, read_vote
from frp2p.table.course import Course
from frp2p.table.own import Own
from frp2p.table.slots import HeldPart, hold


class Speaker:
    """Whatever was said before a crash is said again, and nothing else in its place."""

    def __init__(self, course: Course, own: Own) -> None:
        self._course = course
        self._own = own
        self._spoken = False

    def open(self) -> None:
        """Another step is the present one: what was said about it before a crash counts again."""
        self._spoken = False
        box = self._course.present.box
        for vote in self._own.votes_of(self._course.height):
            box.put(vote, read_vote(vote))
            self._own.again(vote)

    # -- parts ---------------------------------------------------------------------------------------------------------

    def begin(self, *, hold: bool) -> None:
        """Say what I said before a crash, or else what the dealer makes (not while others `hold`); a move waits for the
        player."""
        course = self._course
        if self._spoken or course.applied is not None or course.me not in course.expect.speakers:
            return
        said, automatic = self._own.part_of(course.height), course.expect.kind != "move"
        if said is None and automatic and hold:
            return
        self._spoken = True
        # Also where it was said before: this is how the secrets behind it come back.
        made = course.speak() if automatic else None
        if said is not None:
            self._repeat(said, made)
        elif made is not None:
            self.speak(made)

    def _repeat(self, part: Part, made: bytes | None) -> None:
        """Say the same bytes again; `made` is what the dealer says now, which must be the same."""
        course = self._course
        body = open_part(part, course.charter.keys)
        if made not in (None, body.payload):
            raise LocalError("The journal leads to other words than before.", code="journal-differs")
        try:
            course.referee.check_body(body)
        except PeerFault as fault:
            raise LocalError(f"My part in the journal is refused: {fault.message}", code="journal-differs") from fault
        course.present.parts[course.me] = HeldPart(part, body)
        self._own.again(part)

    def speak(self, payload: bytes) -> None:
        """Make my part of the present step, keep it, and send it."""
        course, referee = self._course, self._course.referee
        body = PartBody(referee.digest, course.height, referee.head, course.me, course.expect.kind, payload)
        try:
            referee.check_body(body)
        except PeerFault as fault:
            raise LocalError(f"My own part would be refused: {fault.message}") from fault
        course.present.parts[course.me] = HeldPart(self._own.part(body), body)

    # -- acks, votes, farewell -----------------------------------------------------------------------------------------

    def ack(self, value: Keep, seconds: float) -> None:
        """Sign that this is what the parts do; they came within this time. Not if others have an ack of mine: then this
        seat has forgotten what it said (its folder was put back to an older state), and a second one would be a lie.
        """
        course = self._course
        said_before = course.present.acks.get(course.me)
        if said_before is not None:
            parts = (held.record for held in course.present.parts.values())
            self._own.note((*parts, said_before.record))
            return
        elapsed = min(int(seconds * 1000), MAX_ELAPSED)
        self._own.note(self._others())
        digests = value.step_digest, value.state_digest
        ack, said = self._own.ack(AckBody(course.referee.digest, course.height, course.me, *digests, elapsed))
        course.present.acks[course.me] = hold(ack, said)

    def vote(self, body: VoteBody) -> None:
        """Sign this statement."""
        if isinstance(body, AcceptBody) and isinstance(body.value, Keep):
            self._own.note(self._others())  # what is promised to support has to be here after a crash
        self._course.present.box.put(self._own.vote(body), body)

    def farewell(self) -> None:
        """Say that this seat leaves for good."""
        self._course.farewells[self._course.me] = self._own.farewell(self._course.referee.digest)

    # -- what others said ----------------------------------------------------------------------------------------------

    def keep(self, closed: ClosedStep) -> None:
        """Have with the next own record on disk how the present step became final."""
        me, mine = self._course.me, self._course.present.acks.get(self._course.me)
        if closed.parts and mine is None:
            self._own.note(self._others())
        self._own.note(farewell for farewell in closed.farewells if read_vote(farewell).seat != me)
        self._own.note(ack for ack in closed.acks if mine is None or ack != mine.record)
        self._own.note(accept for accept in closed.accepts if read_vote(accept).seat != me)

    def flush(self) -> None:
        """Have it on disk now."""
        self._own.flush()

    def _others(self) -> Iterable[Any]:
        """The parts of the others in the present step."""
        parts = sorted(self._course.present.parts.items())
        return [held.record for seat, held in parts if seat != self._course.me]
