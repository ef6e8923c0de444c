"""A seat that dies at any write comes back from its journal; nobody notices more than a pause."""

from __future__ import annotations

import pytest
from crash_kit import CrashRig

from frp2p.table.events import Refused, Stopped
from frp2p.testing.network import Disk

FIRST = 2
"""The first write is the opening: who dies before it has no seat yet."""


def writes_of_a_game(seats: int, dealer: str = "clear") -> list[int]:
    """How often each seat writes in a game without any crash."""
    rig = CrashRig(seats, lambda _place, _number: "fine", dealer=dealer)
    rig.play()
    return rig.writes


def check(rig: CrashRig, deaths: int) -> None:
    assert rig.killed == deaths
    assert {peer.status().phase for peer in rig.peers} == {"over"}
    assert len({peer.status().digest for peer in rig.peers}) == 1
    assert len({peer.transcript() for peer in rig.peers}) == 1
    assert rig.statements.twice == []
    for place in range(rig.seats):
        assert not [event for event in rig.events(place) if isinstance(event, Refused | Stopped)]


def killed_once(seats: int, victim: int, at: int, disk: Disk, dealer: str = "clear") -> CrashRig:
    rig = CrashRig(seats, lambda place, number: disk if (place, number) == (victim, at) else "fine", dealer=dealer)
    rig.play()
    return rig


@pytest.mark.parametrize("disk", ["dies-before", "dies-after"])
@pytest.mark.parametrize("victim", [0, 1, 2])
def test_a_seat_may_die_at_every_write_of_a_game(victim: int, disk: Disk) -> None:
    writes = writes_of_a_game(3)[victim]
    assert writes > 20
    for at in range(FIRST, writes + 1):
        check(killed_once(3, victim, at, disk), 1)


@pytest.mark.parametrize("victim", [0, 1])
def test_a_sealed_seat_comes_back_with_its_keys(victim: int) -> None:
    writes = writes_of_a_game(2, "sealed")[victim]
    for at in range(FIRST, writes + 1, 3):
        check(killed_once(2, victim, at, "dies-after", "sealed"), 1)
