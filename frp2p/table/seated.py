"""The table after the charter: a mesh of equal seats around one ledger. Nobody has a special role any more."""

from __future__ import annotations

from functools import partial
from io import BytesIO
from typing import Any

from frp2p.deal.seeded import SEED_SIZE, SeededEntropy
from frp2p.errors import PeerFault
from frp2p.games.game import Move
from frp2p.games.verbs import TABLE, Draw, Seat, Shuffle
from frp2p.ledger.charter import Charter, charter_digest, check_charter, read_options, table_code
from frp2p.ledger.events import Dealt, Spoke, StepEvent
from frp2p.ledger.evidence import Contradiction, judge, read_evidence
from frp2p.ledger.fingerprint import fingerprint
from frp2p.ledger.records import Ack, Part
from frp2p.ledger.referee import Referee
from frp2p.ledger.verify import replay
from frp2p.ledger.votes import Accept, Farewell, Prepare, Promise, Propose
from frp2p.table import events, limits
from frp2p.table.convictions import Convicted
from frp2p.table.desk import Desk
from frp2p.table.events import Adjourned, Closed, Opened, TimeUp, VoteBegan
from frp2p.table.gallery import Gallery
from frp2p.table.journal import VERSION as JOURNAL_VERSION
from frp2p.table.journal import Memory, Opening, write_entries
from frp2p.table.links import Link
from frp2p.table.loop import StepLoop
from frp2p.table.mesh import Mesh
from frp2p.table.messages import AnyMessage, Evidence, Final, Join, Lobby, Member, Proposal, Pull
from frp2p.table.own import Own
from frp2p.table.phase import Patience
from frp2p.table.repair import Repair
from frp2p.table.status import Phase, SeatStatus, Status, VoteStatus, Wait
from frp2p.table.waits import Waits


def _referee(desk: Desk, charter: Charter, seat: Seat | None, entropy: SeededEntropy) -> Referee:
    return Referee(charter, desk.games[charter.game], desk.dealers[charter.dealer], seat, entropy)


class Seated:
    """One seat of a running table; or its arbiter, who is linked like a seat, hears what every seat says to all others,
    and says nothing but votes."""

    @classmethod
    def sit_down(cls, desk: Desk, charter: Charter, proposal: Proposal, now: float, *, tell: bool = False) -> None:
        """Go on with this charter, which has been checked: link to all others, and sign it as the first step. The host
        has to `tell` the others; nobody hears of a table that its host could not come back to.
        """
        seed = desk.entropy(SEED_SIZE)
        seated = cls(desk, charter, proposal, seed, now)
        opening = Opening(JOURNAL_VERSION, desk.key, seed, proposal.charter, proposal.addresses)
        desk.outbox.persist(charter_digest(charter), write_entries((opening,)))
        if tell:
            desk.outbox.send((link.number for link in desk.links.greeted() if link.key in charter.voter_keys), proposal)
        desk.phase = seated
        for link in desk.links.besides(frozenset(charter.voter_keys)):
            if not (link.watches and charter.provisions.watched):
                desk.close(link, "table-full", now)
        seated.begin(now)

    @classmethod
    def come_back(cls, desk: Desk, memory: Memory, now: float) -> None:
        """Go on where the journal ends: everything is replayed, nothing that was said is made anew."""
        opening = memory.opening
        seated = cls(desk, memory.charter, Proposal(opening.charter, opening.addresses), opening.seed, now)
        seated._mesh.hurry(now)
        desk.phase = seated
        seated._loop.restore(memory, now)
        seated._repair.progress(now)

    def __init__(self, desk: Desk, charter: Charter, proposal: Proposal, seed: bytes, now: float) -> None:
        check_charter(charter, desk.games)
        me = charter.voter_keys.index(desk.key)
        seat = None if me == charter.arbiter_number else me
        self.desk = desk
        self.game: bytes | None = charter_digest(charter)
        self._charter = charter
        self._proposal = proposal
        self._me = seat
        self._options = read_options(charter, desk.games[charter.game])
        self._fingerprints = tuple(fingerprint(key) for key in charter.voter_keys)
        self._shuffled: set[Seat] = set()
        self._dealt_cards = False
        self._digest: bytes | None = None
        self._mesh = Mesh(desk, charter.voter_keys, proposal.addresses, me, now)
        self._now = now
        self._leave_by: float | None = None
        self._vote_step = -1
        """The last step about which a vote was told of."""
        self._stuck: tuple[Seat, ...] = ()
        self._loop = StepLoop(
            charter,
            Own(me, desk.signer, charter.keys, self._keep, self._say),
            partial(_referee, desk, charter, seat),
            SeededEntropy(seed),
            Waits(charter.provisions.clock, len(charter.voters), me, now),
            self._replayed,
            self._finalised,
            self._convicted,
        )
        self._repair = Repair(desk, self._mesh, self._loop.course, now)
        self._gallery = Gallery(desk, self._loop.course, proposal, allowed=charter.provisions.watched)

    @property
    def height(self) -> int:
        return self._loop.height

    @property
    def asked(self) -> bool:
        return self._loop.course.asked

    @property
    def unfinished(self) -> bool:
        """As in the step loop."""
        return self._loop.unfinished

    def begin(self, now: float) -> None:
        """Sign the charter."""
        for seat in self._mesh.others():
            if self._mesh.connected(seat):
                self._up(seat)
        for link in self.desk.links.besides(frozenset(self._charter.voter_keys)):
            self._gallery.adopt(link, now)
        self._loop.start(now)
        self._repair.progress(now)

    # -- links ---------------------------------------------------------------------------------------------------------

    def welcome(self, key: bytes) -> bool:
        """The seats, and a few who watch; anybody else is too late."""
        return self._mesh.has(key) or self._gallery.welcome(key)

    def greeted(self, link: Link, now: float) -> None:
        """A seat is linked (again), or somebody who watches."""
        if not self._mesh.has(link.key):
            self._gallery.greeted(link, self.game, now)
            return
        if link.game not in (None, self.game):
            raise PeerFault("wrong-game", "Somebody of another table.")
        self._up(self._mesh.seat(link.key))
        for tell in self._loop.convictions.tells():
            self.desk.send(link, tell)
        if link.game is not None:
            self._repair.heard(link, link.height, now)

    def _up(self, seat: Seat) -> None:
        self._mesh.up(seat)
        self._loop.waits.up(seat)

    def lost(self, link: Link, now: float) -> None:
        self._gallery.lost(link)
        if self._mesh.has(link.key):
            seat = self._mesh.seat(link.key)
            self._mesh.down(seat, now)
            self._loop.waits.down(seat, now)

    def dismissed(self, link: Link, reason: str, now: float) -> None:
        """Whatever the reason, the seat is away until there is a link again."""

    # -- messages ------------------------------------------------------------------------------------------------------

    def handle(self, link: Link, message: AnyMessage, now: float) -> None:
        """Records, closed steps, pulls and evidence; and Join of a guest that lacks the charter."""
        if not self._mesh.has(link.key):
            self._gallery.handle(link, message, now)
            return
        match message:
            case Part() | Ack() | Prepare() | Promise() | Propose() | Accept() | Farewell():
                self._repair.heard(link, self._loop.take(message, now), now, said=False)
            case Final():
                self._take_final(message, now)
            case Pull():
                self._repair.answer(link, message, now)
            case Evidence():
                self._take_evidence(message, now)
            case Join():
                self._repeat_lobby(link)
            case _:
                return
        self._after(now)

    def _repeat_lobby(self, link: Link) -> None:
        """To a guest whose link broke while the table filled up: what was agreed (it may have missed that), then the
        charter. Guests believe only their host, but whoever is asked may answer.
        """
        charter, addresses = self._charter, self._proposal.addresses
        seats = len(charter.seats)
        members = tuple(Member(one.key, one.name, at) for one, at in zip(charter.voters, addresses, strict=True))
        terms = (charter.game, charter.options, seats, charter.dealer, charter.provisions)
        self.desk.send(link, Lobby(*terms, members[:seats], members[seats] if charter.arbiter else None))
        self.desk.send(link, self._proposal)

    def _take_final(self, final: Final, now: float) -> None:
        """The records of a closed step, each judged as if its seat had sent it. Acks come first, among them one of this
        seat's, should it have forgotten that (`Speaker.ack`)."""
        records: tuple[Any, ...] = (*final.farewells, *final.acks, *final.parts, *final.accepts)
        for record in records:
            self._loop.take(record, now)

    def _take_evidence(self, message: Evidence, now: float) -> None:
        """Convict the seat of this table that contradicted itself; PeerFault if it shows nothing."""
        evidence = read_evidence(message.proof)
        if not isinstance(evidence, Contradiction) or evidence.charter != self._charter:
            raise PeerFault("evidence-slot", "Evidence about something else than this table.")
        verdict = judge(evidence, self.desk.games, self.desk.dealers)
        self._loop.convict(Convicted(verdict.seat, verdict.check, message.proof, message), now)

    # -- the player ----------------------------------------------------------------------------------------------------

    def act(self, move: Move, now: float) -> None:
        self._loop.act(move, now)
        self._after(now)

    def leave(self, now: float) -> bool:
        """Say farewell, so that the game can go on without this seat; False if that is not how to leave now."""
        if not self._loop.leave(now):
            return False
        self._leave_by = now + limits.LEAVE_SECONDS
        self._after(now)
        return True

    def gone(self, now: float) -> bool:
        """Whether this seat, which has said farewell, has done what the others need, or waited for them long enough."""
        return self._leave_by is not None and (self._loop.course.left or now >= self._leave_by)

    def legal(self) -> tuple[Move, ...]:
        return self._loop.legal()

    def patience(self) -> Patience | None:
        game, view = self._loop.referee.game, self._loop.course.view
        seconds = game.patience(view) if self._loop.course.asked else None
        return Patience(seconds, game.default(view)) if seconds is not None else None

    # -- time ----------------------------------------------------------------------------------------------------------

    def tick(self, now: float) -> None:
        if self.settled():
            self._mesh.forget()
        self._mesh.tick(now)
        if self._loop.tick(now):
            self.desk.notice(TimeUp())
        self._repair.tick(now)
        self._after(now)

    def wake_at(self) -> float | None:
        wakes = [self._mesh.wake_at(), self._repair.wake_at(), self._loop.wake_at(), self._gallery.wake_at()]
        wakes.append(self._leave_by)
        if self.gone(self._now):
            wakes.append(self._now)
        return min((wake for wake in wakes if wake is not None), default=None)

    def _after(self, now: float) -> None:
        """Whatever came in: put off the next pull, and tell of a vote and of a table that is stuck."""
        self._now = now
        self._repair.progress(now)
        self._gallery.progress(now)
        loop = self._loop
        if loop.vote.going_on and not loop.over and self._vote_step != loop.height:
            self._vote_step = loop.height
            self.desk.notice(VoteBegan(loop.height, loop.vote.accused()))
        stuck = loop.stuck(now)
        if stuck and stuck != self._stuck:
            self.desk.notice(Adjourned(stuck))
        self._stuck = stuck

    # -- what it looks like --------------------------------------------------------------------------------------------

    @property
    def over(self) -> bool:
        """Whether the ledger is closed here."""
        return self._loop.over

    def settled(self) -> bool:
        """Whether nobody needs this peer any more: the ledger is closed here and at every other seat."""
        return self._repair.settled()

    def serving(self) -> bool:
        """Whether somebody who watches still lacks something that is final."""
        return self._gallery.serving()

    def transcript(self) -> bytes | None:
        return self._loop.course.transcript() if self._loop.over else None

    def status(self) -> Status:
        loop = self._loop
        return Status(
            phase=self._phase(),
            me=self._me,
            code=table_code(loop.referee.digest),
            game=self._charter.game,
            options=self._options,
            seats_wanted=len(self._charter.seats),
            seats=tuple(self._seat(seat) for seat in range(len(self._charter.seats))),
            step=loop.height,
            waiting_for=loop.course.waiting_for(),
            asked=loop.course.asked,
            shuffled_by=tuple(sorted(self._shuffled)),
            verified_by=loop.course.attested(),
            digest=self._digest,
            fault=None,
            view=loop.course.view,
            provisions=self._charter.provisions,
            waits=self._waits(),
            clock=loop.clock(self._now),
            vote=self._vote(),
            stuck=self._stuck,
            leaving=self._leave_by is not None,
            watching=self._me is None,
            arbitrating=self._me is None,
            arbiter=self._arbiter(),
        )

    def _seat(self, seat: Seat) -> SeatStatus:
        entry, linked = self._charter.seats[seat], self._mesh.connected(seat)
        out = seat not in self._loop.course.live
        bank = self._loop.waits.bank(seat)
        return SeatStatus(seat, entry.name, entry.key, self._fingerprints[seat], linked, out, bank)

    def _arbiter(self) -> SeatStatus | None:
        who, number = self._charter.arbiter, len(self._charter.seats)
        if who is None:
            return None
        linked = self._mesh.connected(number)
        return SeatStatus(number, who.name, who.key, self._fingerprints[number], linked, arbiter=True)

    def _waits(self) -> tuple[Wait, ...]:
        found = []
        for seat in self._loop.course.waiting_for():
            if seat != self._me:
                until = self._loop.deadline(seat)
                left = None if until is None else max(0.0, until - self._now)
                found.append(Wait(seat, self._mesh.connected(seat), left))
        return tuple(found)

    def _vote(self) -> VoteStatus | None:
        vote = self._loop.vote
        if self._loop.over or not (vote.going_on or vote.accused()):
            return None
        return VoteStatus(vote.accused(), *vote.standing(), vote.quorum)

    def _phase(self) -> Phase:
        if self._loop.over:
            return "over"
        kind = self._loop.course.expect.kind
        phases: dict[str, Phase] = {"charter": "setup", "setup": "setup", "open": "closing", "attest": "closing"}
        return phases.get(kind, "play")

    # -- what the loop says --------------------------------------------------------------------------------------------

    def _keep(self, records: tuple[Any, ...]) -> None:
        self.desk.outbox.persist(self.game or b"", write_entries(records))

    def _say(self, record: Any) -> None:
        links = (self._mesh.link(seat) for seat in self._mesh.others())
        self.desk.outbox.send([link.number for link in links if link is not None], record)

    def _finalised(self, step: int, kind: str, events: tuple[StepEvent, ...]) -> None:
        """Tell the faces what a step did, now that nobody can take it back."""
        if kind == "charter":
            self.desk.notice(Opened(tuple(entry.name for entry in self._charter.seats)))
        for event in events:
            self._note_shuffle(event)
            self.desk.notice(event)
        if kind == "attest":
            digest = self._loop.referee.record_digest or b""
            self._digest = digest
            self.desk.notice(Closed(digest))

    def _convicted(self, convicted: Convicted) -> None:
        """Tell the faces, and everybody who is linked; later links are told when they greet."""
        self.desk.notice(events.Convicted(convicted.seat, convicted.check, convicted.evidence))
        links = (self._mesh.link(seat) for seat in self._mesh.others())
        self.desk.outbox.send([link.number for link in links if link is not None], convicted.tell)

    def _replayed(self, record: bytes) -> bytes:
        return replay(BytesIO(record), self.desk.games, self.desk.dealers).head

    def _note_shuffle(self, event: StepEvent) -> None:
        """Until the first card is dealt, a shuffle of the table's slots is the opening one."""
        match event:
            case Spoke(seat=seat, verbs=verbs) if not self._dealt_cards:
                if any(isinstance(verb, Shuffle) and verb.by == TABLE for verb in verbs):
                    self._shuffled.add(seat)
            case Dealt(verb=Draw()):
                self._dealt_cards = True
            case _:
                pass
