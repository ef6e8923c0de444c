"""The step loop: gather the parts of a step, apply them, gather the acks, and only then go on to the next.

It knows nothing of links and time is only measured, never waited for. Records come in through `take_part` and
`take_ack` from whoever relays them; own records go out through `say`, each made once and kept. Rules that hold here:

- a step is final when the parts of all its speakers and equal acks of all seats are here; nothing is shown before;
- the own part of a step is made when the step before is final here, so no secret leaves before it was asked for by all;
- only records of the present step and the one after are kept, one of each kind and seat;
- an own record is kept (`keep`) before it is sent; one that was kept before a crash is said again, never made anew;
- two different records of one seat for one place stop the table with evidence, and so does a signed part that is wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from io import BytesIO
from typing import Any, NoReturn

import msgspec

from frp2p.deal.dealer import DealerKind
from frp2p.deal.seeded import SeededEntropy
from frp2p.errors import LocalError, PeerFault
from frp2p.games.game import Game, Move
from frp2p.games.verbs import Seat
from frp2p.ledger.chain import step_digest
from frp2p.ledger.charter import Charter
from frp2p.ledger.events import StepEvent
from frp2p.ledger.evidence import BadRecord, Contradiction, write_evidence
from frp2p.ledger.limits import MAX_ELAPSED, MAX_STEPS
from frp2p.ledger.records import (
    Ack,
    AckBody,
    Part,
    PartBody,
    open_ack,
    open_part,
    read_ack_body,
    read_part_body,
    sign_ack,
    sign_part,
)
from frp2p.ledger.referee import Expect, Referee
from frp2p.ledger.signing import Signer
from frp2p.ledger.transcript import ClosedStep, write_transcript
from frp2p.ledger.verify import replay
from frp2p.table.journal import Memory
from frp2p.table.messages import Evidence
from frp2p.table.phase import NotAsked, TableStop
from frp2p.table.slots import HeldAck, HeldPart, Slots, mask

Say = Callable[[Part | Ack], None]
"""Send an own record to everybody."""

Keep = Callable[[tuple[Part | Ack, ...]], None]
"""Write these records to the journal before anything that is said after this."""

Finalised = Callable[[int, str, tuple[StepEvent, ...]], None]
"""Called with number, kind and events of each step that became final."""


class StepLoop:
    """`height` steps are final here; the step of that number is the present one (none once `over`)."""

    def __init__(
        self,
        charter: Charter,
        me: Seat,
        signer: Signer,
        referee: Referee,
        games: Mapping[str, Game],
        dealers: Mapping[str, DealerKind],
        entropy: SeededEntropy,
        keep: Keep,
        say: Say,
        finalised: Finalised,
    ) -> None:
        self.charter = charter
        self.me = me
        self.referee = referee
        self.height = 0
        self.steps: list[ClosedStep] = []
        self.view: Any = None
        self.over = False
        self._signer = signer
        self._games = games
        self._dealers = dealers
        self._entropy = entropy
        self._keep = keep
        self._say = say
        self._finalised = finalised
        self._keys = charter.keys
        self._present = Slots()
        self._next = Slots()
        self._expect: Expect = referee.expect()
        self._opened = 0.0
        self._applied: AckBody | None = None
        """My own ack of the present step, once its parts are applied."""
        self._events: tuple[StepEvent, ...] = ()
        self._memory: Memory | None = None
        """What was kept before a crash, as long as it is taken in."""
        self._said: dict[int, Part] = {}
        self._acked: dict[int, Ack] = {}
        """Own records from before a crash, by step, until their step comes."""
        self._loose: list[Part | Ack] = []
        """Records of others that are not kept yet. They go with the next own one: until then others have them too."""

    # -- what is asked -------------------------------------------------------------------------------------------------

    @property
    def expect(self) -> Expect:
        """Kind and speakers of the present step."""
        return self._expect

    @property
    def asked(self) -> bool:
        """Whether the player of this seat has to decide."""
        return self._expect.kind == "move" and self.me in self._expect.speakers and self.me not in self._present.parts

    def legal(self) -> tuple[Move, ...]:
        """What the player may do now; empty if it is not asked."""
        return tuple(self.referee.game.legal(self.view)) if self.asked else ()

    def waiting_for(self) -> tuple[Seat, ...]:
        """The seats whose part is missing, or once all parts are here, those whose ack is missing or does not fit."""
        if self.over:
            return ()
        if self._applied is None:
            return tuple(seat for seat in self._expect.speakers if seat not in self._present.parts)
        return tuple(seat for seat in range(len(self._keys)) if not self._agrees(seat))

    @property
    def fork(self) -> bool:
        """Whether somebody acked other parts than the ones here; whoever holds those has to show them."""
        mine = self._applied
        return mine is not None and any(
            held.body.step_digest != mine.step_digest for held in self._present.acks.values()
        )

    def masks(self) -> tuple[int, int]:
        """The seats whose part and whose ack of the present step are here; none after a fork, to see all there is."""
        return (0, 0) if self.fork else (mask(self._present.parts), mask(self._present.acks))

    def missing(self, part_mask: int, ack_mask: int) -> tuple[Part | Ack, ...]:
        """The records of the present step that somebody with these masks lacks."""
        return self._present.missing(part_mask, ack_mask)

    def attested(self) -> tuple[Seat, ...]:
        """The seats that have verified the record and said so."""
        if self.over:
            return tuple(range(len(self._keys)))
        return tuple(sorted(self._present.parts)) if self._expect.kind == "attest" else ()

    # -- what comes in -------------------------------------------------------------------------------------------------

    def start(self, now: float) -> None:
        """Open the first step."""
        self._open(now)
        self._go_on(now)

    def restore(self, memory: Memory, now: float) -> None:
        """Open the first step and go as far as this seat was before; LocalError `journal-differs` if it can't be."""
        self._memory, self._said, self._acked = memory, dict(memory.parts), dict(memory.acks)
        self.start(now)
        for record in memory.others:
            if isinstance(record, Part):
                self.take_part(record, now)
            else:
                self.take_ack(record, now)
        self._memory = None

    def act(self, move: Move, now: float) -> None:
        """The player's decision; NotAsked, IllegalMove."""
        if not self.asked:
            raise NotAsked
        self._speak(self.referee.check_move(self.me, move))
        self._go_on(now)

    def take_part(self, part: Part, now: float) -> int:
        """A part from anybody; the step that it is of.

        PeerFault: whoever sent it is wrong (not necessarily the seat that it names). TableStop: the seat is.
        """
        body = read_part_body(part.body)
        self._own_ledger(body)
        held, slots = self._held_part(body.step, body.seat), self._slots(body.step)
        if held is not None and held.body != part.body:
            open_part(part, self._keys)
            self._contradict(held, part, body.seat)
        if held is None and slots is not None:
            open_part(part, self._keys)
            slots.parts[body.seat] = HeldPart(part, body)
            if slots is self._present:
                self._judge(body, part)
                self._go_on(now)
        return body.step

    def take_ack(self, ack: Ack, now: float) -> int:
        """An ack from anybody; the step that it is of. Faults as `take_part`."""
        body = read_ack_body(ack.body)
        self._own_ledger(body)
        held, slots = self._held_ack(body.step, body.seat), self._slots(body.step)
        if held is not None and held.body != ack.body:
            open_ack(ack, self._keys)
            self._contradict(held, ack, body.seat)
        if held is None and slots is not None:
            open_ack(ack, self._keys)
            slots.acks[body.seat] = HeldAck(ack, body)
            if slots is self._present:
                self._go_on(now)
        return body.step

    def _own_ledger(self, body: PartBody | AckBody) -> None:
        if body.game != self.referee.digest:
            raise PeerFault("wrong-game", "A record of another ledger.")
        if body.seat >= len(self._keys):
            raise PeerFault("seat-range", f"There is no seat {body.seat}.")

    def _slots(self, step: int) -> Slots | None:
        """Where records of this step are gathered; None for any but the present step and the next."""
        if self.over or step not in (self.height, self.height + 1):
            return None
        return self._present if step == self.height else self._next

    def _held_part(self, step: int, seat: Seat) -> Part | None:
        """The part that is here for this place, final ones included."""
        if step < self.height:
            return next((part for part in self.steps[step].parts if read_part_body(part.body).seat == seat), None)
        slots = self._slots(step)
        held = slots.parts.get(seat) if slots is not None else None
        return held.record if held is not None else None

    def _held_ack(self, step: int, seat: Seat) -> Ack | None:
        """The ack that is here for this place, final ones included."""
        if step < self.height:
            return self.steps[step].acks[seat]
        slots = self._slots(step)
        held = slots.acks.get(seat) if slots is not None else None
        return held.record if held is not None else None

    # -- judging -------------------------------------------------------------------------------------------------------

    def _judge(self, body: PartBody, part: Part) -> None:
        """TableStop with evidence if this signed part of the present step is wrong."""
        try:
            self.referee.check_body(body)
        except PeerFault as fault:
            record = write_transcript(self.charter, self.steps)
            evidence = write_evidence(BadRecord(record, part, fault.check))
            raise TableStop(fault.check, body.seat, fault.message, evidence, tell=part) from fault

    def _contradict(self, held: Part | Ack, other: Part | Ack, seat: Seat) -> NoReturn:
        """Stop: this seat signed two statements for one place."""
        check = "two-parts" if isinstance(held, Part) else "two-acks"
        proof = write_evidence(Contradiction(self.charter, held, other))
        raise TableStop(check, seat, "Two different statements were signed.", proof, tell=Evidence(proof))

    def _agrees(self, seat: Seat) -> bool:
        """Whether the ack of this seat is here and is about the parts that are here."""
        held, mine = self._present.acks.get(seat), self._applied
        return held is not None and mine is not None and held.body.step_digest == mine.step_digest

    def _compare(self) -> None:
        """TableStop if somebody came to another state from the same parts."""
        mine = self._applied
        for seat, held in self._present.acks.items():
            if mine is not None and self._agrees(seat) and held.body.state_digest != mine.state_digest:
                message = "The same parts led to different states: the programs differ, or one of them lies."
                raise TableStop("state-mismatch", None, message, tell=held.record)

    # -- going on ------------------------------------------------------------------------------------------------------

    def _go_on(self, now: float) -> None:
        """As far as the records here allow."""
        while not self.over:
            if self._applied is None:
                if not set(self._present.parts).issuperset(self._expect.speakers):
                    return
                self._apply(now)
            self._compare()
            if not all(self._agrees(seat) for seat in range(len(self._keys))):
                return
            self._finish(now)

    def _apply(self, now: float) -> None:
        """All parts are here and right: apply them and sign that."""
        parts = [self._present.parts[seat] for seat in self._expect.speakers]
        bodies = tuple(held.record.body for held in parts)
        digest = step_digest(self.referee.digest, self.height, self.referee.head, bodies)
        try:
            self._events = self.referee.close({held.body.seat: held.body.payload for held in parts}, digest)
        except PeerFault as fault:
            # Every part was right by itself, and together they are not.
            raise TableStop(fault.check, fault.seat, fault.message) from fault
        elapsed = min(int((now - self._opened) * 1000), MAX_ELAPSED)
        body = AckBody(self.referee.digest, self.height, self.me, digest, self.referee.state_digest(), elapsed)
        ack = self._acked.pop(self.height, None)
        if ack is None:
            ack = sign_ack(self._signer, body)
            self._loose += [held.record for held in parts if held.body.seat != self.me]
            self._keep_own(ack)
        else:
            body = self._repeated(ack, body)
        self._applied = body
        self._present.acks[self.me] = HeldAck(ack, body)
        self._say(ack)

    def _repeated(self, ack: Ack, now: AckBody) -> AckBody:
        """What was acked before a crash; it must be about the very state that this is."""
        body = open_ack(ack, self._keys)
        if msgspec.structs.replace(body, elapsed_ms=now.elapsed_ms) != now:
            raise LocalError("The journal leads to another state than before.", code="journal-differs")
        return body

    def _keep_own(self, *records: Part | Ack) -> None:
        """Have these on disk, and what others said before them."""
        kept, self._loose = (*self._loose, *records), []
        if kept:
            self._keep(kept)

    def _finish(self, now: float) -> None:
        """All seats agree: the step is final."""
        step, kind, events = self.height, self._expect.kind, self._events
        self.steps.append(self._present.closed())
        if self._memory is None:
            self._loose += [held.record for seat, held in sorted(self._present.acks.items()) if seat != self.me]
        self.height += 1
        self.over = self.referee.stage == "closed"
        if self.over:
            self._keep_own()  # whoever hears that it is over here may go, and take the last acks along
        self._present, self._next = self._next, Slots()
        self._applied = None
        self._expect = self.referee.expect()
        self.view = self.referee.view(self.me)
        self._finalised(step, kind, events)
        if not self.over:
            self._open(now)

    def _open(self, now: float) -> None:
        """Everything before is final: judge what came early, and say what is mine to say."""
        self._opened = now
        if self.height >= MAX_STEPS:
            raise TableStop("too-many-steps", None, "The game does not come to an end.")
        for held in list(self._present.parts.values()):
            self._judge(held.body, held.record)
        if self._expect.kind == "attest":
            self._verify()
        if self.me in self._expect.speakers:
            self._speak_first()

    def _speak_first(self) -> None:
        """Say what I said before a crash, or else what the dealer makes; a move waits for the player."""
        said = self._said.pop(self.height, None)
        made = None
        if self._expect.kind != "move":
            # Also where it was said before: this is how the secrets behind it come back.
            self._entropy.turn(self.referee.head)
            made = self.referee.speak()
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
        self._present.parts[self.me] = HeldPart(part, body)
        self._say(part)

    def _speak(self, payload: bytes) -> None:
        """Make my part of the present step, keep it, and send it."""
        body = PartBody(self.referee.digest, self.height, self.referee.head, self.me, self._expect.kind, payload)
        try:
            self.referee.check_body(body)
        except PeerFault as fault:
            raise LocalError(f"My own part would be refused: {fault.message}") from fault
        part = sign_part(self._signer, body)
        self._present.parts[self.me] = HeldPart(part, body)
        self._keep_own(part)
        self._say(part)

    def _verify(self) -> None:
        """Read my own record as a third person would, before I put my name under it."""
        try:
            witness = replay(BytesIO(self.transcript()), self._games, self._dealers)
        except PeerFault as fault:
            raise TableStop("record-wrong", None, f"The own record does not hold: {fault.message}") from fault
        if witness.head != self.referee.head:
            raise TableStop("record-wrong", None, "The own record leads to another state.")

    def transcript(self) -> bytes:
        """The record up to the last final step."""
        return write_transcript(self.charter, self.steps)
