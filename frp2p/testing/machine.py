"""The computer that a seat plays on: it may sleep, have a clock that runs wrong, a full disk, and it may die.

It stands between the network and the peer, as the driver does: while it sleeps or its disk is full nothing is carried
out and no input is given; what arrives meanwhile waits.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from frp2p.games.game import Move
from frp2p.table.outputs import Output, Persist
from frp2p.table.peer import Peer

_ROUNDING = 1e-6
"""Seconds by which a timer may be early because of the arithmetic between two clocks."""


class Machine:
    """A network node around a peer. `rate`: seconds of its clock in a second of the world."""

    def __init__(self, peer: Peer, rate: float = 1.0, ahead: float = 0.0) -> None:
        """`ahead`: what its clock shows at the beginning of the world, in seconds."""
        self.peer = peer
        self.asleep = False
        self.full = False
        """Whether the disk takes nothing at the moment."""
        self.stuck = False
        """Whether outputs wait for the disk."""
        self.after: Callable[[], None] = lambda: None
        """Called after every input that reached the peer."""
        self._rate = rate
        self._ahead = ahead
        self._waiting: list[Callable[[float], None]] = []
        """Inputs that came while nothing could be done."""
        self._outputs: list[Output] = []
        """Outputs that wait for the disk; the first is a Persist."""

    @property
    def idle(self) -> bool:
        """Whether nothing is done at the moment, whatever comes."""
        return self.asleep or self.stuck

    def local(self, now: float) -> float:
        """What its clock shows at this moment of the world."""
        return self._ahead + now * self._rate

    # -- what the network calls ----------------------------------------------------------------------------------------

    def connected(self, link: int, key: bytes, channel: bytes, now: float) -> None:
        self._input(partial(self.peer.connected, link, key, channel), now)

    def disconnected(self, link: int, now: float) -> None:
        self._input(partial(self.peer.disconnected, link), now)

    def receive(self, link: int, frame: bytes, now: float) -> None:
        self._input(partial(self.peer.receive, link, frame), now)

    def tick(self, now: float) -> None:
        if not self.idle:
            wake = self.peer.wake_at()
            local = self.local(now)
            early = wake is not None and local < wake < local + _ROUNDING
            self.peer.tick(wake if early and wake is not None else local)
            self.after()

    def wake_at(self) -> float | None:
        wake = None if self.idle else self.peer.wake_at()
        return None if wake is None else (wake - self._ahead) / self._rate

    def outputs(self) -> list[Output]:
        """Up to the first Persist that the disk does not take."""
        pending = self._outputs + self.peer.outputs()
        self._outputs = []
        if self.asleep:
            pending, self._outputs = [], pending
        elif self.full:
            at = next((at for at, output in enumerate(pending) if isinstance(output, Persist)), len(pending))
            pending, self._outputs = pending[:at], pending[at:]
            self.stuck = bool(self._outputs)
        return pending

    def act(self, move: Move, now: float) -> None:
        """The player's move."""
        self.peer.act(move, self.local(now))

    # -- what may happen to it; the network has to settle after these --------------------------------------------------

    def sleep(self) -> None:
        """The lid is closed."""
        self.asleep = True

    def wake(self, lost: float, now: float) -> None:
        """The lid is opened; `lost`: seconds that its clock did not count (a monotonic clock may stand meanwhile)."""
        self.asleep = False
        self._ahead -= lost * self._rate
        self._catch_up(now)

    def jump(self, seconds: float) -> None:
        """Its clock goes forward at once."""
        self._ahead += seconds

    def make_room(self, now: float) -> None:
        """There is room on the disk again."""
        self.full = self.stuck = False
        self._catch_up(now)

    def restart(self, peer: Peer) -> None:
        """It was dead, and here is a new process."""
        self.peer = peer
        self.asleep = self.full = self.stuck = False
        self._waiting, self._outputs = [], []

    # -- inside --------------------------------------------------------------------------------------------------------

    def _input(self, action: Callable[[float], None], now: float) -> None:
        if self.idle:
            self._waiting.append(action)
        else:
            action(self.local(now))
            self.after()

    def _catch_up(self, now: float) -> None:
        """Whatever came meanwhile comes now."""
        if self.idle:
            return
        waiting, self._waiting = self._waiting, []
        for action in waiting:
            action(self.local(now))
        self.after()
