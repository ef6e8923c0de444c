"""A real table on real sockets, with bad company at the door: the game goes on and is verified."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path
from typing import Any

import pytest
from net_kit import Attacker

from frp2p.app.tables import Seat
from frp2p.errors import PeerFault
from frp2p.games.fantasy_realms.options import Options
from frp2p.games.game import Move
from frp2p.net import frames
from frp2p.net.address import LOOPBACK, Address
from frp2p.store.home import VARIABLE
from frp2p.store.identity import Identity
from frp2p.table.events import Closed, Event, LinkDown, Refused


class Hasty:
    """The first legal move: ten turns."""

    async def decide(self, view: Any, legal: tuple[Move, ...]) -> Move:
        return legal[0]


async def say(address: Address, clear_text: bytes) -> None:
    """Connect, say this without TLS, and be gone."""
    _reader, writer = await asyncio.open_connection(*address)
    try:
        writer.write(clear_text)
        await asyncio.sleep(0.02)
    finally:
        writer.transport.abort()


async def whisper(address: Address, plaintext: bytes) -> None:
    """The same, after a proper handshake."""
    eve = Attacker()
    try:
        await eve.connect(address)
        eve.say(plaintext)
        await asyncio.sleep(0.02)
    finally:
        eve.abort()


JUNK = (b"", b"\x93\xa5hello\x01\x02", b"\xc1" * 4096, b"\x81\xa1a\x01", b"\x91" * 4000)


async def keep_attacking(addresses: list[Address], rounds: list[Address]) -> None:
    """Until cancelled; `rounds` counts."""
    while True:
        for address in addresses:
            with contextlib.suppress(OSError, PeerFault):
                await say(address, bytes(range(256)) * 64)
                await say(address, b"")
                await whisper(address, b"\xff\xff\xff\xff" + bytes(1000))
                for payload in JUNK:
                    await whisper(address, frames.encode(frames.DATA, payload))
                rounds.append(address)


async def test_a_game_does_not_notice_strangers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    seats = [Seat(Identity(bytes([n]) * 32), name, Hasty(), loopback=True) for n, name in ((1, "Ana"), (2, "Ben"))]
    addresses = [Address(LOOPBACK, seat.port) for seat in seats]
    sessions = [seats[0].host(Options(), 2), seats[1].join((addresses[0],))]
    rounds: list[Address] = []
    attacking = asyncio.create_task(keep_attacking(addresses, rounds))
    try:
        results = await asyncio.wait_for(asyncio.gather(*(session.run() for session in sessions)), 60)
    finally:
        attacking.cancel()
        await asyncio.gather(attacking, return_exceptions=True)
        for seat in seats:
            seat.close()
    assert all(result.verified for result in results)
    events: list[Event] = []
    for session in sessions:
        seen = session.snapshot().events
        # Whoever is done first goes first; what counts is that no link was lost while there was a game.
        game = seen[: next(place for place, event in enumerate(seen) if isinstance(event, Closed))]
        assert not [event for event in game if isinstance(event, LinkDown)]
        events += seen
    assert all(event.seat is None for event in events if isinstance(event, Refused))
    assert len(rounds) > 3
