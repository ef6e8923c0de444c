"""How long this seat waits for the others, by its own clock alone, and how long its own player may think.

Nobody's clock is a fact for anybody else: what is found here decides how this seat votes and what its screen shows.
"""

from __future__ import annotations

from collections.abc import Iterable
from statistics import median

from frp2p.games.verbs import Seat
from frp2p.ledger.provisions import Clock

SETTLE_SECONDS = 1.0
"""The least time that a seat gets to answer, however long it was away before."""

NOTICE_SECONDS = 12.0
"""A link that was lost without a word (a computer falls asleep, a radio has no reception) is known to be lost in less
than this."""


class Waits:
    """`me`: this seat. Every other one is away until it is `up`. An arbiter counts as one more; nobody waits for it."""

    def __init__(self, clock: Clock, seats: int, me: Seat, now: float) -> None:
        self._clock = clock
        self._me = me
        self._gone: dict[Seat, float | None] = {seat: None if seat == me else now for seat in range(seats)}
        """Since when there is no link to the seat; None while there is one."""
        self._heard = dict.fromkeys(range(seats), now)
        """When something new that the seat signed came, from wherever."""
        self._banks = [float(clock.bank_seconds)] * seats
        self._opened = now
        self._complete: float | None = None

    def open(self, now: float) -> None:
        """A step begins."""
        self._opened, self._complete = now, None

    def complete(self, now: float) -> None:
        """All parts of the step are here; acks are waited for."""
        self._complete = now

    def up(self, seat: Seat) -> None:
        """There is a link to the seat."""
        self._gone[seat] = None

    def down(self, seat: Seat, now: float) -> None:
        """There is none any more."""
        self._gone[seat] = now

    def alive(self, seat: Seat, now: float) -> None:
        """The seat has said something new."""
        self._heard[seat] = now

    def linked(self, seat: Seat) -> bool:
        return self._gone[seat] is None

    def charge(self, seat: Seat, elapsed: Iterable[float]) -> None:
        """The seat made a move; the others say how many seconds it took."""
        said = list(elapsed)
        used = median(said) if said else 0.0
        over = max(0.0, used - self._clock.move_seconds)
        self._banks[seat] = max(0.0, self._banks[seat] - over) + self._clock.increment_seconds

    def bank(self, seat: Seat) -> float | None:
        """Seconds that the seat has in hand for moves that take longer, None if it may take as long as it likes."""
        return self._banks[seat] if self._clock.limited else None

    def budget(self, seat: Seat) -> float | None:
        """Seconds that the seat has for its present move, None if as many as it likes."""
        return self._clock.move_seconds + self._banks[seat] if self._clock.limited else None

    def move_by(self) -> float | None:
        """When the own player's time is up, None if never."""
        budget = self.budget(self._me)
        return None if budget is None else self._opened + budget

    def limit(self, seat: Seat, *, deciding: bool) -> float | None:
        """When this seat is late. Whose time for a move is up may have been lost just before, which shows only after a
        while, and then it has its time to come back: until that can be told it is not late."""
        until = self.deadline(seat, deciding=deciding)
        if until is None or not deciding or not self._clock.limited or not self.linked(seat):
            return until
        return until + min(NOTICE_SECONDS, self._clock.away_seconds)

    def deadline(self, seat: Seat, *, deciding: bool) -> float | None:
        """Until when this seat is waited for, None as long as it takes; `deciding`: its player is asked, otherwise only
        its program."""
        away = self._clock.away_seconds
        gone = self._gone[seat]
        since = self._opened if self._complete is None else self._complete
        if gone is not None:
            gone = max(gone, self._heard[seat])
        if not deciding:
            # Who comes and goes gets no more time than who stays and is silent.
            return max(since + SETTLE_SECONDS, (since if gone is None else min(since, gone)) + away)
        budget = self.budget(seat)
        if budget is not None:
            return since + budget + (0.0 if gone is None else away)
        return None if gone is None else max(since + SETTLE_SECONDS, gone + away)
