"""The verifier: what a third person needs to believe a game, and nothing else.

One pass over the records of a transcript, without the peer of the table: signatures, the chain, the acks of all seats
on equal digests, every rule and every proof (by a referee without a seat), the end of the game, and the attestation of
all seats. It holds one step in memory, opens no file and writes none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

import msgspec

from frp2p.deal.dealer import DealerKind
from frp2p.errors import PeerFault
from frp2p.games.game import Game
from frp2p.games.verbs import Seat
from frp2p.ledger import limits
from frp2p.ledger.chain import step_digest
from frp2p.ledger.charter import Charter, check_charter, table_code
from frp2p.ledger.fingerprint import fingerprint
from frp2p.ledger.records import Ack, Part, open_ack, open_part, read_ack_body, read_part_body
from frp2p.ledger.referee import Referee
from frp2p.ledger.transcript import Record, Source, read_records


class TranscriptFault(PeerFault):
    """A transcript does not hold.

    `check` is what failed, `step` where (None: before the first step), `seat` whose record it is (None: nobody's).
    """

    def __init__(self, fault: PeerFault, step: int | None, seat: Seat | None) -> None:
        self.step = step
        super().__init__(fault.check, fault.message, seat=seat if fault.seat is None else fault.seat)


class SeatReport(msgspec.Struct, frozen=True):
    """One seat of a verified game; `total` and `rank` are None where the game has none."""

    seat: Seat
    name: str
    key: bytes
    fingerprint: str
    total: int | None
    rank: int | None


class Report(msgspec.Struct, frozen=True):
    """A transcript that holds. `digest` is the head that all seats attested; `attested` counts them."""

    game: str
    options: Any
    dealer: str
    code: str
    digest: bytes
    steps: int
    seats: tuple[SeatReport, ...]
    attested: int


def verify(source: Source, games: Mapping[str, Game], dealers: Mapping[str, DealerKind]) -> Report:
    """The report on a whole transcript; TranscriptFault with check, step and seat if anything about it is not right.

    A game or dealer that is not in the mappings is refused: whoever must not believe a clear dealer leaves it out.
    """
    replay = Replay(source, games, dealers)
    referee = replay.run()
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
        seats=tuple(_seat_report(charter, seat, view) for seat in range(len(charter.seats))),
        attested=len(charter.seats),
    )


def replay(source: Source, games: Mapping[str, Game], dealers: Mapping[str, DealerKind]) -> Referee:
    """The referee after a transcript that may still be open; TranscriptFault as `verify`."""
    return Replay(source, games, dealers).run()


class Replay:
    """One pass over one source."""

    def __init__(self, source: Source, games: Mapping[str, Game], dealers: Mapping[str, DealerKind]) -> None:
        self._records = read_records(source)
        self._games = games
        self._dealers = dealers
        self._step: int | None = None
        self._seat: Seat | None = None

    def run(self) -> Referee:
        """Check everything that is there; it must end between two steps."""
        try:
            referee = self._open()
            self._step = 0
            while (first := next(self._records, None)) is not None:
                self._take_step(referee, first)
                self._step, self._seat = referee.step, None
            return referee
        except PeerFault as fault:
            raise TranscriptFault(fault, self._step, self._seat) from fault

    def _open(self) -> Referee:
        charter = next(self._records, None)
        if not isinstance(charter, Charter):
            raise PeerFault("transcript-order", "A transcript begins with its charter.")
        game = check_charter(charter, self._games)
        dealer = self._dealers.get(charter.dealer)
        if dealer is None:
            raise PeerFault("charter-dealer", "A dealer that is not believed here.")
        return Referee(charter, game, dealer)

    def _take_step(self, referee: Referee, first: Record) -> None:
        expect = referee.expect()
        if not expect.speakers:
            raise PeerFault("transcript-trailing", "More records than the game has steps.")
        if referee.step >= limits.MAX_STEPS:
            raise PeerFault("transcript-steps", f"More than {limits.MAX_STEPS} steps.")
        records = chain((first,), self._records)
        bodies, payloads = [], {}
        for seat in expect.speakers:
            self._seat = seat
            part = self._next(records, Part)
            if read_part_body(part.body).seat != seat:
                raise PeerFault("transcript-order", f"The part of seat {seat} should stand here.")
            body = open_part(part, referee.charter.keys)
            referee.check_body(body)
            bodies.append(part.body)
            payloads[seat] = body.payload
        digest = step_digest(referee.digest, referee.step, referee.head, tuple(bodies))
        step = referee.step
        self._seat = None
        referee.close(payloads, digest)
        self._take_acks(referee, records, step, digest)

    def _take_acks(self, referee: Referee, records: Iterator[Record], step: int, digest: bytes) -> None:
        state = referee.state_digest()
        for seat in range(len(referee.charter.seats)):
            self._seat = seat
            ack = self._next(records, Ack)
            if read_ack_body(ack.body).seat != seat:
                raise PeerFault("transcript-order", f"The ack of seat {seat} should stand here.")
            body = open_ack(ack, referee.charter.keys)
            if body.game != referee.digest:
                raise PeerFault("ack-game", "An ack of another ledger.")
            if body.step != step:
                raise PeerFault("ack-step", f"An ack of step {body.step} in step {step}.")
            if body.step_digest != digest:
                raise PeerFault("ack-step-digest", "An ack of other parts.")
            if body.state_digest != state:
                raise PeerFault("ack-state-digest", "An ack of another state.")

    def _next(self, records: Iterator[Record], kind: type[Part] | type[Ack]) -> Any:
        record = next(records, None)
        if record is None:
            raise PeerFault("transcript-truncated", "The file ends within a step.")
        if not isinstance(record, kind):
            raise PeerFault("transcript-order", "A record of another kind should stand here.")
        return record


def _seat_report(charter: Charter, seat: Seat, view: Any) -> SeatReport:
    entry = charter.seats[seat]
    [shown] = [shown for shown in view.seats if shown.seat == seat]
    return SeatReport(seat, entry.name, entry.key, fingerprint(entry.key), shown.total, shown.rank)
