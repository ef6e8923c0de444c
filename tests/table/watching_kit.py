"""Tables that are watched."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from io import BytesIO

from table_kit import DEALERS, TINY, Rig, new_peer, signer

from frp2p.errors import PeerFault
from frp2p.ledger.verify import verify
from frp2p.table.events import Closed, Event, Moved, Opened
from frp2p.table.messages import AnyMessage, Bye, Hello, Pull, decode
from frp2p.table.peer import Peer

EYES = 20
"""Places from here on watch."""


class Stands:
    """A table that is played, and people around it."""

    def __init__(self, rig: Rig) -> None:
        self.rig = rig
        self.watchers: list[Peer] = []
        self.said: list[tuple[bytes, bytes, AnyMessage]] = []
        rig.network.on_send = self._note

    def _note(self, sender: bytes, receiver: bytes, frame: bytes) -> None:
        with contextlib.suppress(PeerFault):  # a test may send what nobody can read
            self.said.append((sender, receiver, decode(frame, greeted=True)))

    def watch(self, at: int = 0, *, delay: int = 0) -> Peer:
        place = EYES + len(self.watchers)
        peer = new_peer(0, seed=place, name=f"eye {'abcdefgh'[len(self.watchers)]}", addresses=())
        self.rig.network.add(key_of(place), peer, f"w{place}:1")
        peer.watch(delay, (f"p{at}:1",))
        peer.found(self.rig.keys[at])
        self.rig.network.dial(key_of(place), f"p{at}:1")
        self.watchers.append(peer)
        return peer

    def events(self, number: int = 0) -> list[Event]:
        return self.rig.network.events[key_of(EYES + number)]

    def run(self, until: Callable[[], bool] | None = None, seconds: float = 60.0) -> bool:
        return self.rig.run(until or (lambda: self.rig.ended() and all(peer.ended for peer in self.watchers)), seconds)

    def sent(self, number: int = 0) -> list[AnyMessage]:
        return [message for sender, _to, message in self.said if sender == key_of(EYES + number)]

    def got(self, number: int = 0) -> list[AnyMessage]:
        return [message for _from, to, message in self.said if to == key_of(EYES + number)]


def key_of(place: int) -> bytes:
    return signer(0, place).public_key


def fault(peer: Peer) -> str:
    found = peer.status().fault
    assert found is not None, peer.status().phase
    return found.code


def seen_to_the_end(stands: Stands, number: int = 0) -> None:
    """The watcher has the whole game, verified by itself, and was told what the seats were told."""
    peer, rig = stands.watchers[number], stands.rig
    status, wanted = peer.status(), rig.peers[0].status()
    assert (status.phase, status.me, status.digest) == ("over", None, wanted.digest)
    assert status.verified_by == wanted.verified_by
    record = peer.transcript()
    assert record is not None
    assert verify(BytesIO(record), {"tiny": TINY}, DEALERS).digest == wanted.digest
    told = [event for event in stands.events(number) if isinstance(event, Opened | Moved | Closed)]
    assert told == [event for event in rig.events(0) if isinstance(event, Opened | Moved | Closed)]
    assert {type(message) for message in stands.sent(number)} <= {Hello, Pull, Bye}
