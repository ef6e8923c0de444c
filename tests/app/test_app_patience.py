"""A game that does not wait: whoever says nothing in a tick of Chaos Realms is spoken for by its own program."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from frp2p.app.tables import Seat, dealers
from frp2p.games.fantasy_realms import game
from frp2p.games.fantasy_realms.game import GAME
from frp2p.games.fantasy_realms.moves import OfferCard, Wait
from frp2p.games.fantasy_realms.options import Options
from frp2p.games.game import Move
from frp2p.games.registry import games
from frp2p.ledger.verify import verify
from frp2p.net.address import Address
from frp2p.net.interfaces import LOOPBACK
from frp2p.store.home import VARIABLE
from frp2p.store.identity import Identity
from frp2p.table.events import Moved

CHAOS = Options(mode="chaos", seconds=10)


class Silent:
    """Never decides in a tick; everything else by default. `asked` ticks."""

    def __init__(self) -> None:
        self.asked = 0

    async def decide(self, view: Any, legal: tuple[Move, ...]) -> Move:
        if view.phase == "trade":
            self.asked += 1
            await asyncio.Event().wait()
        return GAME.default(view)


class Eager:
    """Offers its first card in every tick, at once."""

    async def decide(self, view: Any, legal: tuple[Move, ...]) -> Move:
        return next((move for move in legal if isinstance(move, OfferCard)), None) or GAME.default(view)


async def test_a_silent_player_delays_a_tick_and_breaks_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    monkeypatch.setattr(game, "TICK_SECONDS", 0.05)
    silent = Silent()
    seats = [
        Seat(Identity(bytes([number]) * 32), name, player, loopback=True)
        for number, (name, player) in enumerate((("Ana", silent), ("Ben", Eager()), ("Cem", Eager())), 1)
    ]
    host = seats[0].host(CHAOS, 3)
    guests = [seat.join((Address(LOOPBACK, seats[0].port),)) for seat in seats[1:]]
    async with asyncio.timeout(60):
        results = await asyncio.gather(*(session.run() for session in (host, *guests)))
    assert all(result.verified for result in results)
    assert silent.asked == CHAOS.seconds
    spoken = [event for event in guests[0].snapshot().events if isinstance(event, Moved)]
    own = results[1].status.me
    said = {seat: [event.move for event in spoken if event.seat == seat] for seat in range(3)}
    assert sum(moves.count(Wait()) == CHAOS.seconds for moves in said.values()) == 1
    assert own is not None
    assert any(isinstance(move, OfferCard) for move in said[own])
    with (results[0].transcript or tmp_path).open("rb") as file:
        assert verify(file, games(), dealers()).options == CHAOS
