"""Whole games of Fantasy Realms in which a seat dies in the middle of a write."""

from __future__ import annotations

import pytest

from frp2p.deal.clear.kind import ClearKind
from frp2p.deal.dealer import DealerKind
from frp2p.deal.sealed import SealedKind
from frp2p.games.fantasy_realms import GAME
from frp2p.games.fantasy_realms.options import Options
from frp2p.table.events import Refused, Stopped
from frp2p.table.peer import Peer
from frp2p.testing.finality import FinalityWatch
from frp2p.testing.network import Disk
from frp2p.testing.table import MemoryTable, seeded

AWAY = 1.5
"""Seconds until a killed seat is back."""


class Mortal:
    """A table at which one seat dies at these of its writes."""

    def __init__(self, seats: int, dealer: DealerKind, victim: int, at: frozenset[int], disk: Disk) -> None:
        mode = "duel" if seats == 2 else "standard"
        self.table = MemoryTable(7, seats, GAME, Options(mode=mode), dealer)
        self.watch = FinalityWatch(self.table.network, self.table.peers[0])
        self.writes = self.killed = 0
        self._dealer, self._victim, self._at, self._disk = dealer, victim, at, disk
        self._signer = self.table.peers[victim]._desk.signer
        self.table.network.on_persist = self._at_write

    def _at_write(self, key: bytes) -> Disk:
        if key != self.table.keys[self._victim]:
            return "fine"
        self.writes += 1
        if self.writes not in self._at:
            return "fine"
        self.killed += 1
        self.table.network.later(AWAY, self._revive)
        return self._disk

    def _revive(self) -> None:
        key, network = self.table.keys[self._victim], self.table.network
        peer = Peer(
            self._signer,
            "somebody",
            games={GAME.name: GAME},
            dealers={self._dealer.name: self._dealer},
            addresses=(),
            entropy=seeded("after", self.writes),
        )
        peer.restore([record for write in network.journals[key] for record in write], network.clock.now)
        self.table.peers[self._victim] = peer
        network.replace(key, peer)

    def play(self) -> None:
        ended = self.table.play(until=lambda: self.table.network.has(self._key()) and self.table.ended())
        assert ended, [peer.status() for peer in self.table.peers]
        assert {peer.status().phase for peer in self.table.peers} == {"over"}
        assert len({peer.transcript() for peer in self.table.peers}) == 1
        assert self.watch.parts_seen > 50
        for key in self.table.keys:
            assert not [event for event in self.table.network.events[key] if isinstance(event, Refused | Stopped)]

    def _key(self) -> bytes:
        return self.table.keys[self._victim]


@pytest.mark.parametrize("disk", ["dies-before", "dies-after"])
@pytest.mark.parametrize("victim", [0, 2])
def test_clear_games_with_deaths_all_over_the_game(victim: int, disk: Disk) -> None:
    for start in (2, 11):
        mortal = Mortal(3, ClearKind(), victim, frozenset(range(start, 400, 17)), disk)
        mortal.play()
        assert mortal.killed > 5


@pytest.mark.parametrize("disk", ["dies-before", "dies-after"])
def test_sealed_games_with_deaths_all_over_the_game(disk: Disk) -> None:
    mortal = Mortal(2, SealedKind(), 1, frozenset(range(3, 400, 23)), disk)
    mortal.play()
    assert mortal.killed > 2
