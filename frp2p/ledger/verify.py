"""The verifier: what a third person needs to believe a game, and nothing else.

One pass over the records of a transcript, without the peer of the table: signatures, the chain, for each step the acks
of all seats on equal digests or the votes of a majority, every rule and every proof (by a referee without a seat), the
end of the game, and the attestation of all seats that are not out. It holds one step in memory, opens no file and
writes none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

import msgspec

from frp2p.deal.dealer import DealerKind
from frp2p.errors import PeerFault
from frp2p.games.game import Game
from frp2p.games.verbs import Seat
from frp2p.ledger import limits
from frp2p.ledger.certificate import Place, open_certificate, open_farewell, place_of
from frp2p.ledger.chain import step_digest, verdict_digest
from frp2p.ledger.charter import Charter, check_charter, table_code
from frp2p.ledger.events import StepEvent
from frp2p.ledger.fingerprint import fingerprint
from frp2p.ledger.provisions import Provisions
from frp2p.ledger.records import Ack, Part, open_ack, open_part, read_ack_body, read_part_body
from frp2p.ledger.referee import Referee
from frp2p.ledger.transcript import Record, Source, read_records
from frp2p.ledger.votes import Accept, Farewell, How, Keep, Out, Value, read_vote


class TranscriptFault(PeerFault):
    """A transcript does not hold.

    `check` is what failed, `step` where (None: before the first step), `seat` whose record it is (None: nobody's).
    """

    def __init__(self, fault: PeerFault, step: int | None, seat: Seat | None) -> None:
        self.step = step
        super().__init__(fault.check, fault.message, seat=seat if fault.seat is None else fault.seat)


class SeatReport(msgspec.Struct, frozen=True):
    """One seat of a verified game; `total` and `rank` are None where the game has none. `out`: the step in which a
    majority decided that the seat is out, and `how`; None if it played to the end and signed it."""

    seat: Seat
    name: str
    key: bytes
    fingerprint: str
    total: int | None
    rank: int | None
    out: int | None = None
    how: How | None = None


class ArbiterReport(msgspec.Struct, frozen=True):
    """Who had a vote and no seat."""

    name: str
    key: bytes
    fingerprint: str


class Report(msgspec.Struct, frozen=True):
    """A transcript that holds. `digest` is the head that all seats attested but those that are out; `attested` counts
    them. `stopped`: whether the game was ended early, because of seats that are out. `provisions`: what was agreed."""

    game: str
    options: Any
    dealer: str
    code: str
    digest: bytes
    steps: int
    provisions: Provisions
    seats: tuple[SeatReport, ...]
    attested: int
    stopped: bool = False
    arbiter: ArbiterReport | None = None


def verify(source: Source, games: Mapping[str, Game], dealers: Mapping[str, DealerKind]) -> Report:
    """The report on a whole transcript; TranscriptFault with check, step and seat if anything about it is not right.

    A game or dealer that is not in the mappings is refused: whoever must not believe a clear dealer leaves it out.
    """
    return report_on(replay(source, games, dealers))


def report_on(referee: Referee) -> Report:
    """The report on a ledger that was replayed; TranscriptFault `transcript-open` if it is not closed."""
    if referee.stage != "closed" or referee.record_digest is None:
        raise TranscriptFault(PeerFault("transcript-open", "The game is not over."), referee.step, None)
    charter = referee.charter
    view = referee.view(None)
    return Report(
        game=charter.game,
        options=referee.options,
        dealer=charter.dealer,
        code=table_code(referee.digest),
        digest=referee.record_digest,
        steps=referee.step,
        provisions=charter.provisions,
        seats=tuple(_seat_report(referee, seat, view) for seat in range(len(charter.seats))),
        attested=len(referee.live),
        stopped=bool(getattr(view, "stopped", False)),
        arbiter=_arbiter_report(charter),
    )


def replay(source: Source, games: Mapping[str, Game], dealers: Mapping[str, DealerKind]) -> Referee:
    """The referee after a transcript that may still be open; TranscriptFault as `verify`."""
    return Replay(read_records(source), games, dealers).run()


Watcher: TypeAlias = Callable[[Referee, int, tuple[StepEvent, ...]], None]
"""Gets the referee after each step, the number of that step, and what happened in it."""


class Replay:
    """One pass over records in the order of a transcript. `run` takes them all; `open` and then `take_step` again and
    again follow a ledger that grows (and raise PeerFault)."""

    def __init__(self, records: Iterator[Record], games: Mapping[str, Game], dealers: Mapping[str, DealerKind]) -> None:
        self._records = records
        self.ahead: Record | None = None
        """A record that was read and belongs to what comes next."""
        self._games = games
        self._dealers = dealers
        self._step: int | None = None
        self._seat: Seat | None = None

    def run(self, watcher: Watcher | None = None) -> Referee:
        """Check everything that is there; it must end between two steps."""
        try:
            referee = self.open()
            self._step = 0
            while self._peek() is not None:
                step, events = referee.step, self.take_step(referee)
                if watcher is not None:
                    watcher(referee, step, events)
                self._step, self._seat = referee.step, None
            return referee
        except PeerFault as fault:
            raise TranscriptFault(fault, self._step, self._seat) from fault

    def open(self) -> Referee:
        """The charter, which comes first."""
        charter, self.ahead = self._peek(), None
        if not isinstance(charter, Charter):
            raise PeerFault("transcript-order", "A transcript begins with its charter.")
        game = check_charter(charter, self._games)
        dealer = self._dealers.get(charter.dealer)
        if dealer is None:
            raise PeerFault("charter-dealer", "A dealer that is not believed here.")
        return Referee(charter, game, dealer)

    def take_step(self, referee: Referee) -> tuple[StepEvent, ...]:
        """The records of the next step, with whatever closed it; what happened in it."""
        expect = referee.expect()
        if not expect.speakers:
            raise PeerFault("transcript-trailing", "More records than the game has steps.")
        if referee.step >= limits.MAX_STEPS:
            raise PeerFault("transcript-steps", f"More than {limits.MAX_STEPS} steps.")
        place, keys = place_of(referee), referee.charter.keys
        if isinstance(self._peek(), Farewell | Accept):
            return self._take_verdict(referee, place)
        bodies, payloads = [], {}
        for seat in expect.speakers:
            self._seat = seat
            part = self._next(Part)
            if read_part_body(part.body).seat != seat:
                raise PeerFault("transcript-order", f"The part of seat {seat} should stand here.")
            body = open_part(part, keys)
            referee.check_body(body)
            bodies.append(part.body)
            payloads[seat] = body.payload
        digest = step_digest(referee.digest, referee.step, referee.head, tuple(bodies))
        self._seat = None
        events = referee.close(payloads, digest)
        state = referee.state_digest()
        if not self._take_acks(place, keys, digest, state):
            self._seat = None
            if self._certificate(place) != Keep(digest, state):
                raise PeerFault("verdict-keep", "The majority has decided about other parts, or another state.")
        return events

    def _take_acks(self, place: Place, keys: tuple[bytes, ...], digest: bytes, state: bytes) -> bool:
        """The acks of the live seats as far as they are there; False if some are missing and accepts make up for it."""
        missing, found = None, None
        for seat in place.seats:
            self._seat = seat
            ack = self._peek()
            if not isinstance(ack, Ack) or read_ack_body(ack.body).seat != seat:
                missing = seat if missing is None else missing
                continue
            found, body = seat, open_ack(self._next(Ack), keys)
            if body.game != place.game:
                raise PeerFault("ack-game", "An ack of another ledger.")
            if body.step != place.step:
                raise PeerFault("ack-step", f"An ack of step {body.step} in step {place.step}.")
            if body.step_digest != digest:
                raise PeerFault("ack-step-digest", "An ack of other parts.")
            if body.state_digest != state:
                raise PeerFault("ack-state-digest", "An ack of another state.")
        if missing is not None and not isinstance(self._peek(), Accept):
            self._seat = missing
            if found is None or found < missing:
                self._next(Ack)
            raise PeerFault("transcript-order", f"The ack of seat {missing} should stand here.")
        return missing is None

    def _take_verdict(self, referee: Referee, place: Place) -> tuple[StepEvent, ...]:
        """Seats are out by the decision of a majority; whatever was said in this step is void."""
        leaving = []
        while isinstance(self._peek(), Farewell):
            leaving.append(open_farewell(self._next(Farewell), referee))
        value = self._certificate(place)
        if not isinstance(value, Out):
            raise PeerFault("transcript-order", "The parts of this step are missing.")
        referee.losses().check(value, leaving)
        if leaving != (list(value.seats) if value.how == "leave" else []):
            raise PeerFault("verdict-farewell", "Farewells of other seats than of those that leave.")
        return referee.verdict(value, verdict_digest(place.game, place.step, place.head, value))

    def _certificate(self, place: Place) -> Value:
        """The value that the accepts here have decided. They end where those of the next step begin."""
        accepts: list[Accept] = []
        while len(accepts) < len(place.electors) and isinstance(ahead := self._peek(), Accept):
            if accepts and read_vote(ahead).step != place.step:
                break
            accepts.append(self._next(Accept))
        return open_certificate(accepts, place)

    def _peek(self) -> Record | None:
        """The record that comes next, None at the end."""
        if self.ahead is None:
            self.ahead = next(self._records, None)
        return self.ahead

    def _next(self, kind: type[Part] | type[Ack] | type[Farewell] | type[Accept]) -> Any:
        record, self.ahead = self._peek(), None
        if record is None:
            raise PeerFault("transcript-truncated", "The file ends within a step.")
        if not isinstance(record, kind):
            raise PeerFault("transcript-order", "A record of another kind should stand here.")
        return record


def _arbiter_report(charter: Charter) -> ArbiterReport | None:
    who = charter.arbiter
    return ArbiterReport(who.name, who.key, fingerprint(who.key)) if who is not None else None


def _seat_report(referee: Referee, seat: Seat, view: Any) -> SeatReport:
    entry = referee.charter.seats[seat]
    [shown] = [shown for shown in view.seats if shown.seat == seat]
    out = referee.outs.get(seat)
    return SeatReport(
        seat=seat,
        name=entry.name,
        key=entry.key,
        fingerprint=fingerprint(entry.key),
        total=shown.total,
        rank=shown.rank,
        out=out.step if out is not None else None,
        how=out.how if out is not None else None,
    )
