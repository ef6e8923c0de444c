"""A verifier that follows a ledger while it grows, step by step, and believes nobody it gets the steps from."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping

from frp2p.deal.dealer import DealerKind
from frp2p.errors import PeerFault
from frp2p.games.game import Game
from frp2p.ledger import limits
from frp2p.ledger.charter import Charter
from frp2p.ledger.events import StepEvent
from frp2p.ledger.transcript import ClosedStep, Record, frame, write_transcript
from frp2p.ledger.verify import Replay


class _Feed:
    """The records that are there; more may come after the end."""

    def __init__(self) -> None:
        self.records: deque[Record] = deque()

    def __iter__(self) -> _Feed:
        return self

    def __next__(self) -> Record:
        if not self.records:
            raise StopIteration
        return self.records.popleft()


class Witness:
    """`referee` is a referee without a seat after the steps that were taken; `steps` are those."""

    def __init__(self, charter: Charter, games: Mapping[str, Game], dealers: Mapping[str, DealerKind]) -> None:
        """PeerFault unless this is a charter of a game and dealer that are believed here."""
        self.charter = charter
        self.steps: list[ClosedStep] = []
        self._games = games
        self._dealers = dealers
        self._size = len(frame(charter))
        self._begin()

    def take(self, closed: ClosedStep) -> tuple[StepEvent, ...]:
        """The next step; what happened in it. PeerFault as the verifier if anything about it is not right: then it is
        as if it had not come (at the cost of verifying the steps before once more)."""
        size = sum(len(frame(record)) for record in closed.records())
        if self._size + size > limits.MAX_TRANSCRIPT:
            raise PeerFault("transcript-size", f"More than {limits.MAX_TRANSCRIPT} bytes.")
        try:
            events = self._step(closed)
        except PeerFault:
            self._begin()
            for step in self.steps:
                self._step(step)
            raise
        self.steps.append(closed)
        self._size += size
        return events

    @property
    def over(self) -> bool:
        """Whether the ledger is closed."""
        return self.referee.stage == "closed"

    def transcript(self) -> bytes:
        """The record so far."""
        return write_transcript(self.charter, self.steps)

    def _begin(self) -> None:
        self._feed = _Feed()
        self._feed.records.append(self.charter)
        self._replay = Replay(self._feed, self._games, self._dealers)
        self.referee = self._replay.open()

    def _step(self, closed: ClosedStep) -> tuple[StepEvent, ...]:
        self._feed.records.extend(closed.records())
        events = self._replay.take_step(self.referee)
        if self._feed.records or self._replay.ahead is not None:
            raise PeerFault("transcript-order", "Something follows the records of this step.")
        return events
