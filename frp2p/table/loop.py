"""The step loop: gather the parts of a step, apply them, gather the acks, and only then go on to the next.

It knows nothing of links. Records come in through `take` from whoever relays them; own records go out through `Own`,
each made once and kept. What the game is at is the `Course`, what is wrong with a part says the `Court`, this seat's
words are the `Speaker`'s, and the vote about a step that does not end is the `Poll`. Rules that hold here:

- a step is final when the parts of all its speakers and equal acks of all seats that are not out are here, or when a
  majority has decided about it in a vote; nothing is shown before;
- the own part of a step is made when the step before is final here, so no secret leaves before it was asked for by all;
- only records of the present step and the one after are kept;
- a seat that signs two statements for one place, or a part that is wrong, is convicted: it is voted out, and where no
  vote is possible the table stops. Both with the evidence.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from frp2p.deal.seeded import SeededEntropy
from frp2p.errors import LocalError, PeerFault
from frp2p.games.game import Move
from frp2p.games.verbs import Seat
from frp2p.ledger.certificate import open_farewell
from frp2p.ledger.chain import verdict_digest
from frp2p.ledger.charter import Charter
from frp2p.ledger.events import StepEvent
from frp2p.ledger.limits import MAX_STEPS
from frp2p.ledger.records import Ack, AckBody, Part
from frp2p.ledger.referee import Referee
from frp2p.ledger.transcript import ClosedStep
from frp2p.ledger.votes import Accept, Farewell, Keep, Out, Vote, read_vote
from frp2p.table.convictions import Convicted, Convictions
from frp2p.table.course import Course
from frp2p.table.court import TWO_STATEMENTS, Court
from frp2p.table.journal import Memory
from frp2p.table.limits import COUNT_SECONDS
from frp2p.table.own import Own
from frp2p.table.phase import NotAsked, TableStop
from frp2p.table.poll import Poll
from frp2p.table.rebuild import NewReferee
from frp2p.table.slots import hold
from frp2p.table.speaker import Speaker
from frp2p.table.vote import Vote as Ballots
from frp2p.table.waits import Waits

Finalised = Callable[[int, str, tuple[StepEvent, ...]], None]
"""Called with number, kind and events of each step that became final."""

Replayed = Callable[[bytes], bytes]
"""The head after this record, by somebody who reads nothing but it; PeerFault if it does not hold."""

HOLD_SECONDS = 3.0
"""How long a seat that knows of one to be voted out holds its own part back, so that this happens before anything else
is said. If it does not happen, others may not know yet."""


class StepLoop:
    """`course` is what has been reached; it changes here only."""

    def __init__(
        self,
        charter: Charter,
        own: Own,
        new_referee: NewReferee,
        entropy: SeededEntropy,
        waits: Waits,
        replayed: Replayed,
        finalised: Finalised,
        convicted: Callable[[Convicted], None],
    ) -> None:
        self.charter = charter
        self.me = own.me
        self.waits = waits
        self.course = Course(charter, own.me, new_referee, entropy)
        self._own = own
        self._court = Court(self.course, convicted)
        self._speaker = Speaker(self.course, own)
        self._poll = Poll(self.course, self._court, waits, self._speaker)
        self._replayed = replayed
        self._finalised = finalised
        self._opened = self._now = 0.0
        self._unread = False

    # -- what is asked -------------------------------------------------------------------------------------------------

    @property
    def referee(self) -> Referee:
        return self.course.referee

    @property
    def steps(self) -> list[ClosedStep]:
        """The final steps."""
        return self.course.steps

    @property
    def height(self) -> int:
        return self.course.height

    @property
    def over(self) -> bool:
        return self.course.over

    @property
    def unfinished(self) -> bool:
        """Whether a step has just become final, and this seat has done nothing for the next one yet: proofs take long,
        and nobody shall wait for them who only waits for what is final. The next input, or a tick, goes on.
        """
        return self._unread and not self.over

    @property
    def convictions(self) -> Convictions:
        """The seats that are proved to have broken the protocol."""
        return self._court.convictions

    @property
    def vote(self) -> Ballots:
        """The vote about the present step."""
        return self._poll.vote

    def legal(self) -> tuple[Move, ...]:
        """What the player may do now; empty if it is not asked."""
        course = self.course
        return tuple(course.referee.game.legal(course.view)) if course.asked else ()

    def deadline(self, seat: Seat) -> float | None:
        """Until when this seat, which is waited for, may take."""
        return self._poll.deadline(seat)

    def stuck(self, now: float) -> tuple[Seat, ...]:
        """The seats that have been waited for too long and about which nothing can be decided here and now."""
        return self._poll.stuck(now)

    def clock(self, now: float) -> float | None:
        """Seconds that the own player has left, None if there is no limit, or nothing is asked."""
        until = self.waits.move_by() if self.course.asked else None
        return None if until is None else max(0.0, until - now)

    def wake_at(self) -> float | None:
        """When the next thing is due that no record brings."""
        if self.unfinished:
            return self._now
        wakes = [*self._poll.wakes(self._now), self._opened + HOLD_SECONDS, self._court.wake_at()]
        if self.course.asked and (until := self.waits.move_by()) is not None:
            wakes += [until, self._now + COUNT_SECONDS]
        return min((wake for wake in wakes if wake is not None and wake > self._now), default=None)

    # -- what comes in -------------------------------------------------------------------------------------------------

    def start(self, now: float) -> None:
        """Open the first step."""
        self._open(now)
        self._go_on(now)

    def restore(self, memory: Memory, now: float) -> None:
        """Open the first step and go as far as this seat was before; LocalError `journal-differs` if it can't be."""
        self._own.remember(memory)
        self.start(now)
        if memory.farewell is not None:
            self.take(memory.farewell, now)
        for record in memory.others:
            self.take(record, now)
        self._catch_up(now)
        self._own.remembered()
        self._go_on(now)

    def act(self, move: Move, now: float) -> None:
        """The player's decision; NotAsked, IllegalMove."""
        self._catch_up(now)
        if not self.course.asked:
            raise NotAsked
        self._move(move)
        self._go_on(now)

    def _move(self, move: Move) -> None:
        self._speaker.speak(self.referee.check_move(self.me, move))

    def leave(self, now: float) -> bool:
        """Say farewell, if that is how to leave at this point."""
        self._catch_up(now)
        course = self.course
        if self.me not in course.live or not course.place.electors or course.losses.how((self.me,), (self.me,)) is None:
            return False
        self._speaker.farewell()
        self._go_on(now)
        return True

    def tick(self, now: float) -> bool:
        """Whatever the time brings: a default for the own player, whose time is up (then True), a vote about others."""
        self._catch_up(now)
        late = self._poll.late(now)
        if late and not self.course.place.electors and not self.over:
            lost = TableStop("table-lost", None, "Somebody is gone, and the game has not begun.")
            raise self._court.held or lost
        if hurried := self.course.asked and self._poll.hurried(now):
            self._move(self.referee.game.default(self.course.view))
        self._go_on(now)
        return hurried

    def take(self, record: Part | Ack | Farewell | Vote, now: float) -> int:
        """A record from anybody; the step that it is of.

        PeerFault: whoever sent it is wrong (not necessarily the seat that it names). TableStop: the table can't go on.
        """
        self._catch_up(now)
        if isinstance(record, Farewell):
            return self._take_farewell(record, now)
        if self._court.refused(record.body):
            return self.height
        present = self.course.present
        taken = self.course.intake.take(record)
        if taken.clash is not None:
            self._prefer(record, taken.body)
            self._court.contradict(taken.clash)
            self._poll.sift()
        if taken.fresh:
            self.waits.alive(taken.seat, now)
            if isinstance(record, Part) and present.parts[taken.seat].record is record:
                self._court.judge(present.parts[taken.seat])
            elif not isinstance(record, Part | Ack):
                self._poll.sift()
        if taken.stray and isinstance(record, Part):
            self._court.judge_stray(record, taken.body)
        if taken.fresh or taken.clash is not None or taken.stray:
            self._go_on(now)
        return taken.step

    def _prefer(self, record: Any, body: Any) -> None:
        """Of two acks of one seat the one that fits counts: with it the step may be final elsewhere."""
        if isinstance(body, AckBody) and body.step == self.height:
            held = hold(record, body)
            if self.course.fits(held):
                self.course.present.acks[body.seat] = held

    def _take_farewell(self, record: Farewell, now: float) -> int:
        body, farewells = read_vote(record), self.course.farewells
        known = farewells.get(body.seat)
        if known is None or known.body != record.body:
            seat = open_farewell(record, self.referee)
            farewells[seat] = record
            self.waits.alive(seat, now)
            self._go_on(now)
        return self.height

    def convict(self, convicted: Convicted, now: float) -> None:
        """Somebody has shown that this seat contradicted itself."""
        self._catch_up(now)
        self._court.convict(convicted, TWO_STATEMENTS)
        self._poll.sift()
        self._go_on(now)

    # -- going on ------------------------------------------------------------------------------------------------------

    def _catch_up(self, now: float) -> None:
        """Begin the present step, if that is still to be done."""
        self._now = now
        while self.unfinished:
            self._go_on(now)

    def _go_on(self, now: float) -> None:
        """As far as the records here allow, but no further than the end of the present step."""
        self._now = now
        course = self.course
        if self._unread:
            self._read()
        while not course.over and not self._unread:
            self._court.review(now)
            self._speaker.begin(hold=self._holds())
            if course.ready:
                self._apply(now)
            course.compare()
            if course.applied is not None and not course.waiting_for():
                self._finish_parts((), now)
            elif not self._settle(now) and not self._poll.say(now):
                return

    def _holds(self) -> bool:
        """Whether a seat is voted out first; whatever is said in this step would be void."""
        return bool(self._court.going()) and self._now < self._opened + HOLD_SECONDS

    def _apply(self, now: float) -> None:
        """All parts are here and right: apply them and sign that, unless a vote has begun for this seat."""
        try:
            value = self.course.apply()
        except PeerFault as fault:
            self._court.judge_together(fault)
            return
        self.waits.complete(now)
        if self.me in self.course.live and self.vote.ballot == 0:
            self._speaker.ack(value, now - self._opened)

    def _settle(self, now: float) -> bool:
        """Close the step as a majority has decided, if it has and what that takes is here; or as all seats have acked
        it, for somebody who acks nothing, to whom other parts may have come first."""
        decided = self._poll.decided()
        if decided is None and (acked := self.course.unanimous()) is not None:
            decided = acked, ()
        if decided is None:
            return False
        value, accepts = decided
        if isinstance(value, Out):
            return self._settle_out(value, accepts, now)
        if self.course.applied != value and not self._switch(value, now):
            return False
        self._finish_parts(accepts, now)
        return True

    def _switch(self, value: Keep, now: float) -> bool:
        """Apply the parts that a majority has decided about; False if they are not here."""
        course = self.course
        parts = course.others(value)
        if parts is None:
            return False
        course.undo()
        course.present.parts = dict(parts)
        for held in parts.values():
            self._court.judge(held)
        if set(course.present.parts) != set(parts):
            raise TableStop("verdict-keep", None, "A majority has decided about parts that are wrong.")
        if self.me in course.present.parts and course.expect.kind != "move":
            course.speak()
        self._apply(now)
        if course.applied != value:
            raise TableStop("state-mismatch", None, "A majority came to another state from the same parts.")
        return True

    def _settle_out(self, value: Out, accepts: tuple[Accept, ...], now: float) -> bool:
        course = self.course
        farewells = tuple(course.farewells[seat] for seat in value.seats if seat in course.farewells)
        if value.how == "leave" and len(farewells) < len(value.seats):
            return False
        try:
            course.losses.check(value, course.farewells)
        except PeerFault as fault:
            raise TableStop(fault.check, None, fault.message) from fault
        course.out(value, verdict_digest(course.place.game, course.place.step, course.place.head, value))
        self._finish(ClosedStep((), (), farewells if value.how == "leave" else (), accepts), "verdict", now)
        return True

    def _finish_parts(self, accepts: tuple[Accept, ...], now: float) -> None:
        """The step is what its parts say: all seats agree, or a majority has decided so."""
        course = self.course
        if course.applied is None:
            raise LocalError("A step ends with its parts.")
        closed = course.present.closed(course.applied)
        self._charge()
        self._finish(ClosedStep(closed.parts, closed.acks, (), accepts), course.expect.kind, now)

    def _charge(self) -> None:
        """The time that a single player took comes out of its bank; who moves together with others pays nothing."""
        expect = self.course.expect
        if expect.kind == "move" and len(expect.speakers) == 1:
            [speaker] = expect.speakers
            acks = self.course.present.acks.items()
            self.waits.charge(speaker, (held.body.elapsed_ms / 1000 for seat, held in acks if seat != speaker))

    def _finish(self, closed: ClosedStep, kind: str, now: float) -> None:
        """The step is final."""
        step = self.height
        self._speaker.keep(closed)
        events = self.course.advance(closed)
        if self.over:
            self._speaker.flush()  # whoever hears that it is over here may go, and take the last acks along
        self._court.open()
        self._poll.renew()
        self._finalised(step, kind, events)
        if not self.over:
            self._open(now)

    def _open(self, now: float) -> None:
        """Everything before is final: remember what was said about this step before."""
        self._opened = now
        self.waits.open(now)
        if self.height >= MAX_STEPS:
            raise TableStop("too-many-steps", None, "The game does not come to an end.")
        self._poll.sift()
        self._speaker.open()
        self._unread = True

    def _read(self) -> None:
        """Judge what came early."""
        self._unread = False
        for held in list(self.course.present.parts.values()):
            self._court.judge(held)
        if self.course.expect.kind == "attest":
            self._verify()

    def _verify(self) -> None:
        """Read my own record as a third person would, before I put my name under it."""
        try:
            head = self._replayed(self.course.transcript())
        except PeerFault as fault:
            raise TableStop("record-wrong", None, f"The own record does not hold: {fault.message}") from fault
        if head != self.referee.head:
            raise TableStop("record-wrong", None, "The own record leads to another state.")
