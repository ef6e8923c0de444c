"""The full mesh: which seats are linked, and when the others are dialled again."""

from __future__ import annotations

from frp2p.games.verbs import Seat
from frp2p.table import limits
from frp2p.table.desk import Desk
from frp2p.table.events import LinkDown, LinkUp
from frp2p.table.links import Link


class Mesh:
    """Of two seats the one with the lower key dials. The other waits a little and then tries too: perhaps only it can
    get through, or the first one has stopped and has something to tell. An arbiter is linked like one more seat.
    """

    def __init__(
        self, desk: Desk, keys: tuple[bytes, ...], addresses: tuple[tuple[str, ...], ...], me: Seat, now: float
    ) -> None:
        self._desk = desk
        self._keys = keys
        self._addresses = addresses
        self._me = me
        self._due: dict[Seat, float] = {}
        self._interval: dict[Seat, float] = {}
        for seat in self.others():
            if not self.connected(seat):
                self._plan(seat, now, 0.0)

    def others(self) -> tuple[Seat, ...]:
        """All seats but mine."""
        return tuple(seat for seat in range(len(self._keys)) if seat != self._me)

    def has(self, key: bytes) -> bool:
        """Whether somebody with this key has a seat."""
        return key in self._keys

    def seat(self, key: bytes) -> Seat:
        """The seat with this key, which has one."""
        return self._keys.index(key)

    def link(self, seat: Seat) -> Link | None:
        """The link to a seat."""
        return self._desk.links.of(self._keys[seat])

    def connected(self, seat: Seat) -> bool:
        return seat == self._me or self.link(seat) is not None

    def up(self, seat: Seat) -> None:
        """There is a link to this seat."""
        self._due.pop(seat, None)
        self._interval.pop(seat, None)
        self._desk.notice(LinkUp(seat))

    def down(self, seat: Seat, now: float) -> None:
        """The link to this seat is gone."""
        self._desk.notice(LinkDown(seat))
        self._plan(seat, now, limits.DIAL_FIRST)

    def tick(self, now: float) -> None:
        """Dial whoever is due, later and later."""
        for seat in [seat for seat, due in self._due.items() if due <= now]:
            self._desk.outbox.dial(self._keys[seat], self._addresses[seat])
            interval = self._interval.get(seat, limits.DIAL_FIRST)
            self._due[seat] = now + interval + self._jitter(interval)
            self._interval[seat] = min(2 * interval, limits.DIAL_LAST)

    def wake_at(self) -> float | None:
        return min(self._due.values(), default=None)

    def hurry(self, now: float) -> None:
        """Dial everybody now: this seat was away, and the others may not have noticed."""
        for seat in self.others():
            if self._addresses[seat]:
                self._due[seat] = now

    def forget(self) -> None:
        """Nobody needs to be dialled any more."""
        self._due.clear()

    def _plan(self, seat: Seat, now: float, wait: float) -> None:
        mine, theirs = self._addresses[self._me], self._addresses[seat]
        if theirs:
            first = self._keys[self._me] < self._keys[seat] or not mine
            self._due[seat] = now + wait + (0.0 if first else limits.DIAL_SECOND)

    def _jitter(self, interval: float) -> float:
        """Up to a quarter of the interval, so that peers that lost each other together do not knock together."""
        return interval * self._desk.entropy(1)[0] / 1024
