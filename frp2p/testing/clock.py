"""A clock that moves only when told to."""

from __future__ import annotations


class ManualClock:
    """Seconds since some moment, as `time.monotonic` counts them; never goes back."""

    def __init__(self, now: float = 0.0) -> None:
        self._now = now

    @property
    def now(self) -> float:
        return self._now

    def advance(self, seconds: float) -> float:
        """Move on by this many seconds and return the new time; ValueError if negative."""
        return self.set(self._now + seconds)

    def set(self, now: float) -> float:
        """Move on to this time and return it; ValueError if it lies in the past."""
        if now < self._now:
            raise ValueError(f"a clock that would go back from {self._now} to {now}")
        self._now = now
        return now
