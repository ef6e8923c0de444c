"""A token bucket: how much may pass in how much time."""

from __future__ import annotations


class Bucket:
    """Holds up to `burst` tokens and gains `rate` a second. Taking may overdraw it; `wait` says how long that costs."""

    def __init__(self, rate: float, burst: float, now: float) -> None:
        self._rate = rate
        self._burst = burst
        self._tokens = burst
        self._at = now

    def take(self, amount: float, now: float) -> None:
        """Take tokens, also those that are not there yet."""
        self._refill(now)
        self._tokens -= amount

    def wait(self, now: float) -> float:
        """Seconds until the bucket is no longer overdrawn; 0 if it is not."""
        self._refill(now)
        return max(0.0, -self._tokens / self._rate)

    def _refill(self, now: float) -> None:
        self._tokens = min(self._burst, self._tokens + (now - self._at) * self._rate)
        self._at = now
