"""A seat that signs nonsense: every payload of a real game, bent in its structure, is judged and never a crash."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import msgpack
import pytest
from ledger_kit import CLEAR, Rig

from frp2p.deal.sealed import SealedKind
from frp2p.errors import PeerFault
from frp2p.games.registry import games
from frp2p.ledger.chain import step_digest
from frp2p.ledger.codec import encode
from frp2p.ledger.records import PartBody

FILLERS: tuple[Any, ...] = (
    None, True, 0, 1, -1, 2**63, 2**64 - 1, "", "x", "FR01", b"", bytes(31), bytes(32), b"\xff" * 32, bytes(33), [],
    [[]], [b""], 1.5,
)  # fmt: skip


def places(value: Any, path: tuple[int, ...] = ()) -> list[tuple[int, ...]]:
    """The paths of all items, inner ones included."""
    found = []
    if isinstance(value, list):
        for at, item in enumerate(value):
            found += [(*path, at), *places(item, (*path, at))]
    return found


def bend(payload: bytes, chance: random.Random) -> bytes:
    """The payload with one thing wrong somewhere in its structure."""
    value = msgpack.unpackb(payload)
    *outer, at = chance.choice(places(value))
    parent = value
    for step in outer:
        parent = parent[step]
    match chance.randrange(6):
        case 0:
            parent.pop(at)
        case 1:
            parent.insert(at, parent[at])
        case 2:
            parent.reverse()
        case 3 if isinstance(parent[at], bytes) and parent[at]:
            bits = bytearray(parent[at])
            bits[chance.randrange(len(bits))] ^= 1 << chance.randrange(8)
            parent[at] = bytes(bits)
        case 4 if isinstance(parent[at], list):
            parent[at] = parent[at] * 3
        case _:
            parent[at] = chance.choice(FILLERS)
    packed: bytes = msgpack.packb(value)
    return packed


def fault_of(rig: Rig, body: PartBody) -> PeerFault | None:
    """How this body is refused; anything but a coded refusal fails the test."""
    try:
        rig.observer.check_body(body)
    except PeerFault as fault:
        return fault
    return None


@pytest.mark.parametrize(("seats", "sealed", "tries"), [(3, False, 25), (2, True, 12)])
def test_bent_payloads_are_refused_by_name_and_change_nothing(seats: int, sealed: bool, tries: int) -> None:
    rig = Rig(seats, games()["fantasy-realms"], SealedKind() if sealed else CLEAR)
    chance = random.Random(seats)
    checks: Counter[str] = Counter()
    accepted = 0
    while (expect := rig.observer.expect()).speakers:
        before = rig.observer.state_digest()
        for seat in expect.speakers:
            # The payload of the seat itself is made again by `step`; a dealer gives the same one each time.
            honest = rig.payload(seat)
            for _ in range(tries):
                bad = bend(honest, chance)
                body = PartBody(rig.observer.digest, rig.observer.step, rig.observer.head, seat, expect.kind, bad)
                fault = fault_of(rig, body)
                if fault is None:
                    accepted += 1
                else:
                    checks[fault.check] += 1
                    assert fault.seat == seat, fault.check
                    assert fault.message.isprintable()
        assert rig.observer.state_digest() == before
        rig.step()
    assert rig.observer.stage == "closed"
    assert checks["encoding-type"] > 100
    assert checks["illegal-move"] > 0
    assert len(checks) > (8 if sealed else 5)
    assert accepted < sum(checks.values()) / 4


def test_a_checked_part_does_not_lend_its_goodness() -> None:
    """The referee remembers what it judged by seat and bytes, for this step only."""
    rig = Rig(2)
    rig.until("move")
    honest = rig.payload(0)
    rig.observer.check(0, honest)
    with pytest.raises(PeerFault):
        rig.observer.check(0, encode(["Guess", 99]))
    rig.observer.check(0, honest)
    with pytest.raises(PeerFault):
        rig.observer.check(0, honest + b"\0")
    rig.observer.check(1, honest)
    digest = step_digest(rig.observer.digest, rig.observer.step, rig.observer.head, (b"one", b"two"))
    rig.observer.close({0: honest, 1: honest}, digest)
    with pytest.raises(PeerFault) as caught:
        rig.observer.check(0, honest)
    assert caught.value.check == "illegal-move"
