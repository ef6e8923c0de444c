"""The step loop: gather the parts of a step, apply them, gather the acks, and only then go on to the next.

It knows nothing of links. Records come in through `take` from whoever relays them; own records go out through `Own`,
each made once and kept. Rules that hold here:

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
from frp2p.ledger.certificate import check_place, open_farewell, place_of
from frp2p.ledger.chain import step_digest, verdict_digest
from frp2p.ledger.charter import Charter
from frp2p.ledger.events import StepEvent
from frp2p.ledger.evidence import BadRecord, Contradiction, write_evidence
from frp2p.ledger.limits import MAX_ELAPSED, MAX_STEPS
from frp2p.ledger.losses import Losses
from frp2p.ledger.records import Ack, AckBody, Part, PartBody, open_part, read_part_body
from frp2p.ledger.referee import Expect
from frp2p.ledger.transcript import ClosedStep, write_transcript
from frp2p.ledger.votes import Accept, AcceptBody, Farewell, Keep, Out, Vote, quorum, read_vote
from frp2p.table.convictions import Convicted, Convictions
from frp2p.table.intake import Clash, Intake
from frp2p.table.journal import Memory
from frp2p.table.messages import Evidence
from frp2p.table.own import Own
from frp2p.table.phase import NotAsked, TableStop
from frp2p.table.rebuild import NewReferee, rebuild, speak_again
from frp2p.table.slots import HeldAck, HeldPart, mask
from frp2p.table.vote import Facts
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
    """`height` steps are final here; the step of that number is the present one (none once `over`)."""

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
        self.referee = new_referee(entropy)
        self.view: Any = None
        self.waits = waits
        self.convictions = Convictions()
        self.farewells: dict[Seat, Farewell] = {}
        """Of the seats that leave, or have left."""
        self._own = own
        self._new_referee = new_referee
        self._entropy = entropy
        self._replayed = replayed
        self._finalised = finalised
        self._convicted = convicted
        self._keys = charter.keys
        self._in = Intake(charter, self.referee.digest)
        self._expect: Expect = self.referee.expect()
        self._losses: Losses = self.referee.losses()
        self._place = place_of(self.referee)
        self._ballots = Ballots(self._place, self.me, self._in.present.box)
        self._opened = self._now = 0.0
        self._applied: Keep | None = None
        """What the present step does, once its parts are applied."""
        self._events: tuple[StepEvent, ...] = ()
        self._spoken = False
        self._judged: dict[Keep, bool] = {}
        """What other parts of the present step lead to that value; as few as there are choices of parts."""
        self._refused: set[bytes] = set()
        """The bodies of parts of the present step that were found wrong."""

    # -- what is asked -------------------------------------------------------------------------------------------------

    @property
    def steps(self) -> list[ClosedStep]:
        """The final steps."""
        return self._in.steps

    @property
    def height(self) -> int:
        return self._in.height

    @property
    def over(self) -> bool:
        return self._in.over

    @property
    def expect(self) -> Expect:
        """Kind and speakers of the present step."""
        return self._expect

    @property
    def live(self) -> tuple[Seat, ...]:
        """The seats that are not out."""
        return self._losses.live

    @property
    def vote(self) -> Ballots:
        """The vote about the present step."""
        return self._ballots

    @property
    def asked(self) -> bool:
        """Whether the player of this seat has to decide."""
        mine = self._expect.kind == "move" and self.me in self._expect.speakers and not self.over
        return mine and self.me not in self._in.present.parts and self.me not in self.farewells

    def legal(self) -> tuple[Move, ...]:
        """What the player may do now; empty if it is not asked."""
        return tuple(self.referee.game.legal(self.view)) if self.asked else ()

    def waiting_for(self) -> tuple[Seat, ...]:
        """The seats whose part is missing, or once all parts are here, those whose ack is missing or does not fit."""
        if self.over:
            return ()
        if self._applied is None:
            return tuple(seat for seat in self._expect.speakers if seat not in self._in.present.parts)
        return tuple(seat for seat in self.live if not self._agrees(seat))

    @property
    def fork(self) -> bool:
        """Whether somebody acked other parts than the ones here; whoever holds those has to show them."""
        mine = self._applied
        acks = self._in.present.acks.values()
        return mine is not None and any(held.body.step_digest != mine.step_digest for held in acks)

    def masks(self) -> tuple[int, int]:
        """The seats whose part and whose ack of the present step are here; none after a fork, to see all there is."""
        return (0, 0) if self.fork else (mask(self._in.present.parts), mask(self._in.present.acks))

    def seen(self) -> tuple[int, int, int, int]:
        """Changes whenever there is news."""
        return (self.height, *self.masks(), self._in.present.box.news)

    def missing(self, part_mask: int, ack_mask: int) -> tuple[Any, ...]:
        """What somebody with these masks lacks of the present step, the votes included."""
        present = self._in.present
        return (*self.farewells.values(), *present.missing(part_mask, ack_mask), *present.box.records())

    def attested(self) -> tuple[Seat, ...]:
        """The seats that have verified the record and said so."""
        if self.over:
            return self.referee.live
        return tuple(sorted(self._in.present.parts)) if self._expect.kind == "attest" else ()

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
        self._own.remembered()
        self._go_on(now)

    def act(self, move: Move, now: float) -> None:
        """The player's decision; NotAsked, IllegalMove."""
        if not self.asked:
            raise NotAsked
        self._speak(self.referee.check_move(self.me, move))
        self._go_on(now)

    def leave(self, now: float) -> bool:
        """Say farewell, if that is how to leave at this point."""
        if self.me not in self._place.electors or self._losses.how((self.me,), (self.me,)) is None:
            return False
        self.farewells[self.me] = self._own.farewell(self.referee.digest)
        self._go_on(now)
        return True

    @property
    def left(self) -> bool:
        """Whether this seat is out and nothing is needed from it any more."""
        return self.me not in self.referee.live and (self.over or self.me not in self._losses.parting)

    def tick(self, now: float) -> None:
        """Whatever the time brings: a default for a player who is too slow, a vote about somebody who is."""
        self._now = now
        late = self._late(now)
        if late and not self._place.electors and not self.over:
            raise TableStop("table-lost", None, "Somebody is gone, and the game has not begun.")
        if self.asked and self._hurried(now):
            self._speak(self.referee.check_move(self.me, self.referee.game.default(self.view)))
        self._go_on(now)

    def take(self, record: Part | Ack | Farewell | Vote, now: float) -> int:
        """A record from anybody; the step that it is of.

        PeerFault: whoever sent it is wrong (not necessarily the seat that it names). TableStop: the table can't go on.
        """
        self._now = now
        if isinstance(record, Farewell):
            return self._take_farewell(record, now)
        if record.body in self._refused:
            return self.height
        taken = self._in.take(record)
        if taken.clash is not None:
            self._prefer(record, taken.body)
            self._contradict(taken.clash)
        if taken.fresh:
            self.waits.alive(taken.seat, now)
            if isinstance(record, Part) and self._in.present.parts[taken.seat].record is record:
                self._judge(self._in.present.parts[taken.seat])
            elif not isinstance(record, Part | Ack):
                self._in.present.box.keep_only(self._about_this)
        if taken.stray and isinstance(record, Part):
            first = self.steps[taken.step].parts[0]
            self._judge_stray(record, taken.body, read_part_body(first.body).kind)
        if taken.fresh or taken.clash is not None or taken.stray:
            self._go_on(now)
        return taken.step

    def _prefer(self, record: Any, body: Any) -> None:
        """Of two acks of one seat the one that fits counts: with it the step may be final elsewhere."""
        fits = isinstance(body, AckBody) and self._applied == Keep(body.step_digest, body.state_digest)
        if fits and body.step == self.height:
            self._in.present.acks[body.seat] = HeldAck(record, body)

    def _take_farewell(self, record: Farewell, now: float) -> int:
        body = read_vote(record)
        known = self.farewells.get(body.seat)
        if known is None or known.body != record.body:
            seat = open_farewell(record, self._place)
            self.farewells[seat] = record
            self.waits.alive(seat, now)
            self._go_on(now)
        return self.height

    def _about_this(self, body: Any) -> bool:
        """Whether a vote is about the present step after this history, of a seat that has a vote."""
        try:
            check_place(body, self._place)
        except PeerFault:
            return False
        return True

    # -- judging -------------------------------------------------------------------------------------------------------

    def _judge(self, held: HeldPart) -> None:
        """Take a signed part of the present step away if it is wrong, and convict its seat."""
        if self._applied is not None:
            # The parts of all speakers are here and applied: this seat was not asked.
            self._refused.add(held.record.body)
            del self._in.present.parts[held.body.seat]
            if held.body.prev == self._place.head:
                self._judge_stray(held.record, held.body, self._expect.kind)
            return
        try:
            self.referee.check_body(held.body)
        except PeerFault as fault:
            self._refused.add(held.record.body)
            del self._in.present.parts[held.body.seat]
            if fault.check == "part-prev":
                # It continues another history: a lie only if its seat also says something in this one.
                self._in.present.others.setdefault(held.body.seat, held)
                return
            proof = write_evidence(BadRecord(write_transcript(self.charter, self.steps), held.record, fault.check))
            self._convict(Convicted(held.body.seat, fault.check, proof, held.record), fault.message)

    def _judge_stray(self, part: Part, body: PartBody, kind: str) -> None:
        """A part of a seat that was not asked in its step, which is applied here or final."""
        check = "wrong-speaker" if body.kind == kind else "part-kind"
        proof = write_evidence(BadRecord(write_transcript(self.charter, self.steps[: body.step]), part, check))
        self._convict(Convicted(body.seat, check, proof, part), f"Seat {body.seat} was not asked.")

    def _contradict(self, clash: Clash) -> None:
        """This seat signed two statements that exclude each other."""
        proof = write_evidence(Contradiction(self.charter, clash.first, clash.second))
        convicted = Convicted(clash.seat, clash.check, proof, Evidence(proof))
        self._convict(convicted, "Two statements were signed that exclude each other.")

    def convict(self, convicted: Convicted, now: float) -> None:
        """Somebody has shown that this seat contradicted itself."""
        self._convict(convicted, "Two statements were signed that exclude each other.")
        self._go_on(now)

    def _convict(self, convicted: Convicted, message: str) -> None:
        """Remember it, and tell; TableStop if the others can't vote this seat out."""
        seat = convicted.seat
        if seat in self.convictions or (seat not in self.live and seat not in self._losses.parting):
            return
        self.convictions.add(convicted)
        liars = self.convictions.seats.intersection(self.live)
        honest = len(self.live) - len(liars)
        votes = self._place.electors and self.me not in liars and honest >= quorum(self._place.electors)
        if not votes or (liars and self._losses.how(sorted(liars), self.farewells) is None):
            raise TableStop(convicted.check, seat, message, convicted.evidence, convicted.tell)
        self._convicted(convicted)

    def _agrees(self, seat: Seat) -> bool:
        """Whether the ack of this seat is here, about the parts that are here and the state that they led to here."""
        held = self._in.present.acks.get(seat)
        return held is not None and self._applied == Keep(held.body.step_digest, held.body.state_digest)

    def _differs(self, seat: Seat) -> bool:
        """Whether this seat came to another state from the same parts, as its ack says."""
        held, mine = self._in.present.acks.get(seat), self._applied
        same = held is not None and mine is not None and held.body.step_digest == mine.step_digest
        return same and not self._agrees(seat)

    def _compare(self) -> None:
        """TableStop if so many came to another state from the same parts that the rest can't go on without them."""
        odd = [seat for seat in self.live if self._differs(seat)]
        if odd and len(self.live) - len(odd) < quorum(self.live):
            message = "The same parts led to different states: the programs differ, or one of them lies."
            raise TableStop("state-mismatch", None, message, tell=self._in.present.acks[odd[0]].record)

    # -- time ----------------------------------------------------------------------------------------------------------

    def deadline(self, seat: Seat) -> float | None:
        """Until when this seat, which is waited for, may take."""
        deciding = self._applied is None and self._expect.kind == "move"
        return self.waits.deadline(seat, deciding=deciding)

    def _late(self, now: float) -> set[Seat]:
        """The seats that have been waited for too long."""
        waited = [(seat, self.deadline(seat)) for seat in self.waiting_for() if seat != self.me]
        return {seat for seat, until in waited if self._differs(seat) or (until is not None and now >= until)}

    def _hurried(self, now: float) -> bool:
        """Whether the own player's time is up: by the own clock, or by those of a majority, which would vote next."""
        until = self.waits.move_by()
        return until is not None and (now >= until or self._ballots.accused_by(self.me) >= self._ballots.quorum)

    def _going(self) -> frozenset[Seat]:
        """The seat that should be voted out at once, if any: it is convicted, or leaves."""
        going = sorted(self.convictions.seats.intersection(self.live))
        if not going and not self._losses.parting:
            going = sorted(set(self.farewells).intersection(self.live))
        # One after the other: the keys of two at once could not be taken off.
        first = frozenset(going[:1])
        return first if self._losses.how(first, self.farewells) is not None else frozenset()

    def _facts(self, now: float) -> Facts:
        going = self._going()
        late = self._late(now) | going.intersection(self.waiting_for())
        if self._applied is None:
            late |= going
            if self._losses.how(late, self.farewells) is None:
                late = set(going)
        acked = self._in.present.acks.get(self.me)
        return Facts(
            overdue=tuple(sorted(late)),
            hurried=going,
            convicted=self.convictions.seats,
            mine=self._applied,
            acked=None if acked is None else Keep(acked.body.step_digest, acked.body.state_digest),
            here=self._here,
            how=lambda seats: self._losses.how(seats, self.farewells),
            allowed=self._allowed,
        )

    def _here(self, value: Keep) -> bool:
        """Whether parts that are here, though not the first ones of their seats, lead to this. Takes as long as reading
        the record; only a seat that made two parts of a step makes anybody ask.
        """
        place = (self._place.game, self._place.step, self._place.head, self._expect.speakers)
        parts = self._in.present.parts_for(value.step_digest, *place)
        if parts is None or self._applied is None or value.step_digest == self._applied.step_digest:
            return False
        if value not in self._judged:
            self._judged[value] = self._leads_to(parts, value)
        return self._judged[value]

    def _leads_to(self, parts: dict[Seat, HeldPart], value: Keep) -> bool:
        referee = rebuild(self._new_referee, self.steps, self.me, self._entropy)
        try:
            for held in parts.values():
                referee.check_body(held.body)
            if self.me in parts and self._expect.kind != "move":
                speak_again(referee, self._entropy)
            referee.close({seat: held.body.payload for seat, held in parts.items()}, value.step_digest)
        except PeerFault:
            return False
        return referee.state_digest() == value.state_digest

    def _allowed(self, out: Out) -> bool:
        try:
            self._losses.check(out, self.farewells)
        except PeerFault:
            return False
        return out.how != "leave" or set(out.seats) <= set(self.farewells)

    def clock(self, now: float) -> float | None:
        """Seconds that the own player has left, None if there is no limit, or nothing is asked."""
        until = self.waits.move_by() if self.asked else None
        return None if until is None else max(0.0, until - now)

    def stuck(self, now: float) -> tuple[Seat, ...]:
        """The seats that have been waited for too long and about which nothing can be decided here and now: the charter
        says so, or there is no majority to vote."""
        late = self._late(now)
        linked = sum(seat == self.me or self.waits.linked(seat) for seat in self._place.electors)
        possible = self._applied is not None or self._losses.how(late, self.farewells) is not None
        if not late or (possible and linked >= self._ballots.quorum):
            return ()
        return tuple(sorted(late))

    def wake_at(self) -> float | None:
        """When the next thing is due that no record brings."""
        wakes = [self.deadline(seat) for seat in self.waiting_for() if seat != self.me]
        wakes += [self._opened + HOLD_SECONDS, self._ballots.wake_at(), self.waits.move_by() if self.asked else None]
        return min((wake for wake in wakes if wake is not None and wake > self._now), default=None)

    # -- going on ------------------------------------------------------------------------------------------------------

    def _go_on(self, now: float) -> None:
        """As far as the records here allow."""
        self._now = now
        while not self.over:
            self._speak_first()
            if self._applied is None and set(self._in.present.parts).issuperset(self._expect.speakers):
                self._apply(now)
            self._compare()
            if self._applied is not None and all(self._agrees(seat) for seat in self.live):
                self._finish_parts((), now)
            elif not self._settle(now) and not self._say_votes(now):
                return

    def _apply(self, now: float) -> None:
        """All parts are here and right: apply them and sign that, unless a vote has begun for this seat."""
        parts = [self._in.present.parts[seat] for seat in self._expect.speakers]
        bodies = tuple(held.record.body for held in parts)
        digest = step_digest(self.referee.digest, self.height, self.referee.head, bodies)
        try:
            self._events = self.referee.close({held.body.seat: held.body.payload for held in parts}, digest)
        except PeerFault as fault:
            # Every part was right by itself, and together they are not.
            raise TableStop(fault.check, fault.seat, fault.message) from fault
        self._applied = Keep(digest, self.referee.state_digest())
        self.waits.complete(now)
        if self.me in self.live and self._ballots.ballot == 0:
            elapsed = min(int((now - self._opened) * 1000), MAX_ELAPSED)
            self._own.note(self._others())
            body = AckBody(self.referee.digest, self.height, self.me, digest, self._applied.state_digest, elapsed)
            ack, said = self._own.ack(body)
            self._in.present.acks[self.me] = HeldAck(ack, said)

    def _others(self) -> list[Part]:
        """The parts of the others in the present step."""
        return [held.record for seat, held in sorted(self._in.present.parts.items()) if seat != self.me]

    def _say_votes(self, now: float) -> bool:
        """Say what is due in the vote about this step; whether there was anything."""
        spoke = False
        while (body := self._ballots.due(now, self._facts(now))) is not None:
            if isinstance(body, AcceptBody) and isinstance(body.value, Keep):
                self._own.note(self._others())  # what is promised to support has to be here after a crash
            self._in.present.box.put(self._own.vote(body), body)
            spoke = True
        return spoke

    def _settle(self, now: float) -> bool:
        """Close the step as a majority has decided, if it has and what that takes is here."""
        decided = self._ballots.decided()
        if decided is None:
            return False
        value, accepts = decided
        if isinstance(value, Out):
            return self._settle_out(value, accepts, now)
        if self._applied != value and not self._switch(value, now):
            return False
        self._finish_parts(accepts, now)
        return True

    def _switch(self, value: Keep, now: float) -> bool:
        """Apply the parts that a majority has decided about; False if they are not here."""
        present = self._in.present
        place = (self._place.game, self._place.step, self._place.head, self._expect.speakers)
        parts = present.parts_for(value.step_digest, *place)
        if parts is None:
            return False
        self._undo()
        present.parts = dict(parts)
        for held in parts.values():
            self._judge(held)
        if set(present.parts) != set(parts):
            raise TableStop("verdict-keep", None, "A majority has decided about parts that are wrong.")
        if self.me in present.parts and self._expect.kind != "move":
            speak_again(self.referee, self._entropy)
        self._apply(now)
        if self._applied != value:
            raise TableStop("state-mismatch", None, "A majority came to another state from the same parts.")
        return True

    def _undo(self) -> None:
        """Back to the state before the present step."""
        if self._applied is not None:
            self.referee = rebuild(self._new_referee, self.steps, self.me, self._entropy)
            self._applied = None

    def _settle_out(self, value: Out, accepts: tuple[Accept, ...], now: float) -> bool:
        farewells = tuple(self.farewells[seat] for seat in value.seats if seat in self.farewells)
        if value.how == "leave" and len(farewells) < len(value.seats):
            return False
        try:
            self._losses.check(value, self.farewells)
        except PeerFault as fault:
            raise TableStop(fault.check, None, fault.message) from fault
        self._undo()
        digest = verdict_digest(self._place.game, self._place.step, self._place.head, value)
        self._events = self.referee.verdict(value, digest)
        closed = ClosedStep((), (), farewells if value.how == "leave" else (), accepts)
        self._own.note(farewell for farewell in closed.farewells if read_vote(farewell).seat != self.me)
        self._own.note(accept for accept in accepts if read_vote(accept).seat != self.me)
        self._finish(closed, "verdict", now)
        return True

    def _finish_parts(self, accepts: tuple[Accept, ...], now: float) -> None:
        """The step is what its parts say: all seats agree, or a majority has decided so."""
        if self._applied is None:
            raise LocalError("A step ends with its parts.")
        closed = self._in.present.closed(self._applied)
        mine = self._in.present.acks.get(self.me)
        if mine is None:
            self._own.note(self._others())
        self._own.note(ack for ack in closed.acks if mine is None or ack != mine.record)
        self._own.note(accept for accept in accepts if read_vote(accept).seat != self.me)
        self._charge()
        self._finish(ClosedStep(closed.parts, closed.acks, (), accepts), self._expect.kind, now)

    def _charge(self) -> None:
        """The time that a single player took comes out of its bank; who moves together with others pays nothing."""
        if self._expect.kind == "move" and len(self._expect.speakers) == 1:
            [speaker] = self._expect.speakers
            acks = self._in.present.acks.items()
            self.waits.charge(speaker, (held.body.elapsed_ms / 1000 for seat, held in acks if seat != speaker))

    def _finish(self, closed: ClosedStep, kind: str, now: float) -> None:
        """The step is final."""
        step, events = self.height, self._events
        self._in.advance(closed)
        self._in.over = self.referee.stage == "closed"
        if self.over:
            self._own.flush()  # whoever hears that it is over here may go, and take the last acks along
        self._applied, self._events, self._spoken = None, (), False
        self._refused.clear()
        self._judged.clear()
        self._expect = self.referee.expect()
        self._losses, self._place = self.referee.losses(), place_of(self.referee)
        self._ballots = Ballots(self._place, self.me, self._in.present.box)
        self.view = self.referee.view(self.me)
        self._finalised(step, kind, events)
        if not self.over:
            self._open(now)

    def _open(self, now: float) -> None:
        """Everything before is final: judge what came early, and remember what was said about this step before."""
        self._opened = now
        self.waits.open(now)
        if self.height >= MAX_STEPS:
            raise TableStop("too-many-steps", None, "The game does not come to an end.")
        box = self._in.present.box
        box.keep_only(self._about_this)
        for vote in self._own.votes_of(self.height):
            box.put(vote, read_vote(vote))
            self._own.again(vote)
        for held in list(self._in.present.parts.values()):
            self._judge(held)
        if self._expect.kind == "attest":
            self._verify()

    def _speak_first(self) -> None:
        """Say what I said before a crash, or else what the dealer makes; a move waits for the player."""
        if self._spoken or self._applied is not None or self.me not in self._expect.speakers:
            return
        said, automatic = self._own.part_of(self.height), self._expect.kind != "move"
        if said is None and automatic and self._going() and self._now < self._opened + HOLD_SECONDS:
            return  # a seat is voted out first; whatever is said in this step would be void
        self._spoken = True
        # Also where it was said before: this is how the secrets behind it come back.
        made = speak_again(self.referee, self._entropy) if automatic else None
        if said is not None:
            self._repeat(said, made)
        elif made is not None:
            self._speak(made)

    def _repeat(self, part: Part, made: bytes | None) -> None:
        """Say the same bytes again; `made` is what the dealer says now, which must be the same."""
        body = open_part(part, self._keys)
        if made not in (None, body.payload):
            raise LocalError("The journal leads to other words than before.", code="journal-differs")
        try:
            self.referee.check_body(body)
        except PeerFault as fault:
            raise LocalError(f"My part in the journal is refused: {fault.message}", code="journal-differs") from fault
        self._in.present.parts[self.me] = HeldPart(part, body)
        self._own.again(part)

    def _speak(self, payload: bytes) -> None:
        """Make my part of the present step, keep it, and send it."""
        body = PartBody(self.referee.digest, self.height, self.referee.head, self.me, self._expect.kind, payload)
        try:
            self.referee.check_body(body)
        except PeerFault as fault:
            raise LocalError(f"My own part would be refused: {fault.message}") from fault
        self._in.present.parts[self.me] = HeldPart(self._own.part(body), body)

    def _verify(self) -> None:
        """Read my own record as a third person would, before I put my name under it."""
        try:
            head = self._replayed(self.transcript())
        except PeerFault as fault:
            raise TableStop("record-wrong", None, f"The own record does not hold: {fault.message}") from fault
        if head != self.referee.head:
            raise TableStop("record-wrong", None, "The own record leads to another state.")

    def transcript(self) -> bytes:
        """The record up to the last final step."""
        return write_transcript(self.charter, self.steps)
