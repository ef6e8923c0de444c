"""A table whose seats are killed at their writes and come back from what they wrote."""

from __future__ import annotations

from collections.abc import Callable

from table_kit import DEALERS, NAMES, TINY, Options, Rig, signer

from frp2p.ledger.records import Ack, Part, read_ack_body, read_part_body
from frp2p.table.messages import Final, decode
from frp2p.table.peer import Peer
from frp2p.testing.finality import FinalityWatch
from frp2p.testing.network import Disk, MemoryNetwork
from frp2p.testing.table import seeded

AWAY = 2.0
"""Seconds until a killed seat is back."""


class Statements:
    """Sees every frame: what each seat signed for each place. `twice` are the places with two statements.

    It also has a watch that no part of a step is sent before the step before is final.
    """

    def __init__(self, network: MemoryNetwork, peer: Peer) -> None:
        self.first: dict[tuple[str, int, int], bytes] = {}
        self.twice: list[tuple[str, int, int]] = []
        self.finality = FinalityWatch(network, peer)
        self._watch = network.on_send
        network.on_send = self._look

    def _look(self, sender: bytes, receiver: bytes, frame: bytes) -> None:
        if self._watch is not None:
            self._watch(sender, receiver, frame)
        message = decode(frame, greeted=True)
        records = (*message.parts, *message.acks) if isinstance(message, Final) else (message,)
        for record in records:
            if isinstance(record, Part | Ack):
                read = read_part_body if isinstance(record, Part) else read_ack_body
                body = read(record.body)
                place = (type(record).__name__, body.step, body.seat)
                if self.first.setdefault(place, record.body) != record.body:
                    self.twice.append(place)


class CrashRig(Rig):
    """`deaths`: called with place and number of each write, says what the disk does."""

    def __init__(self, seats: int, deaths: Callable[[int, int], Disk], *, seed: int = 0, dealer: str = "clear") -> None:
        super().__init__(seats, seed=seed, dealer=dealer)
        self.seed = seed
        self.statements = Statements(self.network, self.peers[0])
        self.deaths = deaths
        self.writes = [0] * seats
        self.killed = 0
        self.network.on_persist = self._at_write

    def _at_write(self, key: bytes) -> Disk:
        place = self.keys.index(key)
        self.writes[place] += 1
        disk = self.deaths(place, self.writes[place])
        if disk != "fine":
            self.killed += 1
            self.network.later(AWAY, lambda: self.revive(place))
        return disk

    def revive(self, place: int) -> None:
        """A new process of the same seat, with nothing but its journal. Its own generator says other things now."""
        key = self.keys[place]
        peer = Peer(
            signer(place, self.seed),
            NAMES[place],
            games={"tiny": TINY},
            dealers=DEALERS,
            addresses=(f"p{place}:1",),
            entropy=seeded(self.seed, place, "after crash", self.killed),
        )
        records = [record for write in self.network.journals[key] for record in write]
        peer.restore(records, self.now)
        self.peers[place] = peer
        self.network.replace(key, peer)

    def play(self) -> None:
        """From the lobby to the end."""
        self.peers[0].host("tiny", Options(self.rounds), self.seats, self.dealer)
        for place in range(1, self.seats):
            self.peers[place].join(self.keys[0])
            self.network.dial(self.keys[place], "p0:1")
            self.run(lambda place=place: len(self.peers[0].status().seats) > place)
        if not self.run(lambda: self.killed_are_back() and self.ended(), seconds=300):
            raise TimeoutError([peer.status() for peer in self.peers])

    def killed_are_back(self) -> bool:
        return all(self.network.has(key) for key in self.keys)
