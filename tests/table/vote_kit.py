"""Tables at which seats are lost in every way, with short clocks, and what must hold whatever happens."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from io import BytesIO
from typing import Any

from table_kit import DEALERS, NAMES, TINY, Rig, signer

from frp2p.ledger.events import SeatsOut
from frp2p.ledger.provisions import Clock, OnLoss, provisions
from frp2p.ledger.records import Ack, Part
from frp2p.ledger.verify import Report, verify
from frp2p.ledger.votes import Accept, Promise, Propose, read_binding
from frp2p.table.events import Convicted, Refused, Stopped
from frp2p.table.messages import decode
from frp2p.table.outputs import Output
from frp2p.table.peer import Peer
from frp2p.testing.finality import FinalityWatch
from frp2p.testing.network import Conditions, Disk
from frp2p.testing.table import seeded

AWAY = 10
"""Seconds that a seat may be away at these tables."""

BACK = 2.0
"""Seconds until a seat that was killed is back."""


class Skewed:
    """A node whose clock runs at another rate than the network's, from another beginning."""

    def __init__(self, peer: Peer, rate: float, ahead: float) -> None:
        self.peer = peer
        self.rate = rate
        self.ahead = ahead

    def there(self, now: float) -> float:
        return now * self.rate + self.ahead

    def connected(self, link: int, key: bytes, channel: bytes, now: float) -> None:
        self.peer.connected(link, key, channel, self.there(now))

    def disconnected(self, link: int, now: float) -> None:
        self.peer.disconnected(link, self.there(now))

    def receive(self, link: int, frame: bytes, now: float) -> None:
        self.peer.receive(link, frame, self.there(now))

    def tick(self, now: float) -> None:
        self.peer.tick(self.there(now))

    def outputs(self) -> list[Output]:
        return self.peer.outputs()

    def wake_at(self) -> float | None:
        wake = self.peer.wake_at()
        # A hair later than asked for, so that rounding never makes it earlier.
        return None if wake is None else (wake - self.ahead) / self.rate + 1e-6


class OneEach:
    """Sees every frame: each honest seat makes one statement for each place, before and after it died."""

    def __init__(self, rig: VoteRig) -> None:
        self.first: dict[Any, bytes] = {}
        self.liars: set[int] = set()
        self.votes = 0
        self._rig = rig
        self._before = rig.network.on_send
        rig.network.on_send = self._look

    def _look(self, sender: bytes, receiver: bytes, frame: bytes) -> None:
        if self._before is not None:
            self._before(sender, receiver, frame)
        record = decode(frame, greeted=True)
        if isinstance(record, Part | Ack | Promise | Propose | Accept):
            body = read_binding(record)
            place = type(record).__name__, body.step, getattr(body, "ballot", 0), body.seat
            self.votes += not isinstance(record, Part | Ack)
            if body.seat not in self.liars and self.first.setdefault(place, record.body) != record.body:
                raise AssertionError(f"two statements for {place}")


class VoteRig(Rig):
    """Watched, with short clocks. `gone` are the places that are not waited for at the end."""

    def __init__(
        self,
        seats: int,
        *,
        seed: int = 0,
        recovery: bool = False,
        on_loss: OnLoss | None = None,
        clock: Clock | None = None,
        conditions: Conditions | None = None,
        dealer: str = "clear",
        rounds: int = 1,
        audit: bool = False,
        arbiter: bool = False,
    ) -> None:
        clock = clock or Clock(away_seconds=AWAY)
        provided = provisions(seats, clock, recovery=recovery, on_loss=on_loss, audit=audit, arbiter=arbiter)
        super().__init__(seats, seed=seed, conditions=conditions, dealer=dealer, rounds=rounds, provided=provided)
        self.seed = seed
        self.watch = FinalityWatch(self.network, self.peers[0])
        self.statements = OneEach(self)
        self.gone: set[int] = set()
        self.lives = 0
        self.rates = [(1.0, 0.0)] * self.places

    def skew(self, place: int, rate: float, ahead: float) -> None:
        """From the beginning this seat has another clock."""
        self.rates[place] = rate, ahead
        self.network.replace(self.keys[place], Skewed(self.peers[place], rate, ahead))

    def kill(self, place: int) -> None:
        """The process is gone for good, without a word."""
        self.gone.add(place)
        self.network.remove(self.keys[place])

    def revive(self, place: int) -> None:
        """A new process of the same seat, with nothing but its journal."""
        self.lives += 1
        key = self.keys[place]
        peer = Peer(
            signer(place, self.seed),
            NAMES[place],
            games={"tiny": TINY},
            dealers=DEALERS,
            addresses=(f"p{place}:1",),
            entropy=seeded(self.seed, place, "after", self.lives),
        )
        rate, ahead = self.rates[place]
        records = [record for write in self.network.journals[key] for record in write]
        peer.restore(records, self.now * rate + ahead)
        self.peers[place] = peer
        self.gone.discard(place)
        self.network.replace(key, Skewed(peer, rate, ahead))

    def dying(self, when: Callable[[int, int], Disk]) -> None:
        """`when` says by place and number of a write what the disk does; who dies is back after a while."""
        writes = [0] * self.places

        def at_write(key: bytes) -> Disk:
            place = self.keys.index(key)
            writes[place] += 1
            disk = when(place, writes[place])
            if disk != "fine":
                self.gone.add(place)
                self.network.later(BACK, partial(self.revive, place))
            return disk

        self.network.on_persist = at_write

    def here(self) -> list[int]:
        """The places that are honest and have to come to the end."""
        return [place for place in range(self.places) if place not in self.gone | self.statements.liars]

    def run(self, until: Callable[[], bool] | None = None, seconds: float = 120.0) -> bool:
        """Play until this holds, or until everybody who is here has come to the end."""

        def watch() -> bool:
            for place in set(range(self.places)) - self.gone:
                peer = self.peers[place]
                if peer.asked and place not in self.held:
                    legal = peer.legal()
                    rate, ahead = self.rates[place]
                    peer.act(legal[min(place, len(legal) - 1)], self.now * rate + ahead)
                    self.network.settle()
            return until() if until else self.ended()

        return self.network.run(watch, seconds)

    def ended(self) -> bool:
        return all(self.peers[place].ended for place in self.here())

    def outs(self, place: int) -> list[int]:
        """The seats that are out, as this peer has it."""
        return [seat.seat for seat in self.peers[place].status().seats if seat.out]

    def check_end(self, honest: list[int] | None = None, *, convicted: frozenset[int] = frozenset()) -> Report:
        """Everybody honest came to one end, blamed nobody but these, and holds a record that others can verify."""
        places = self.here() if honest is None else honest
        reports = []
        for place in places:
            status = self.peers[place].status()
            assert (status.phase, status.fault) == ("over", None), (place, status)
            reports.append(verify(BytesIO(self.peers[place].transcript() or b""), {"tiny": TINY}, DEALERS))
            blamed = [event for event in self.events(place) if isinstance(event, Refused | Stopped | Convicted)]
            assert {event.seat for event in blamed} <= convicted, blamed
        assert len({report.digest for report in reports}) == 1
        assert {self.peers[place].status().digest for place in places} == {reports[0].digest}
        assert len({report.seats for report in reports}) == 1
        assert self.watch.parts_seen > 0
        return reports[0]


TWO = 2
ARBITER = 2
"""The arbiter's place at a table of two."""


def all_play_until(rig: VoteRig, step: int) -> bool:
    """Play until everybody has come to this step; whether all are in the game then, and it is not over."""
    rig.open()
    rig.run(lambda: min(map(rig.step, rig.here())) >= step)
    return all(rig.peers[place].status().phase in ("play", "closing") for place in rig.here())


def hows(rig: VoteRig, place: int) -> set[str]:
    """What has become of the seats that are out, as this peer was told."""
    return {event.how for event in rig.events(place) if isinstance(event, SeatsOut)}
