"""The screen of somebody who watches: the same table without a hand, and no key that could move anything."""

from __future__ import annotations

from functools import cache

import pytest
from msgspec.structs import replace
from tui_kit import Table, by_default, seats, snapshot, stage, status, text

from frp2p.app.snapshot import Snapshot
from frp2p.games.fantasy_realms.game import GAME
from frp2p.games.fantasy_realms.options import Options
from frp2p.table.status import SeatStatus
from frp2p.tui.actions import Commit, press
from frp2p.tui.bindings import every_key
from frp2p.tui.hosting import Admit, Remove
from frp2p.tui.state import Ui

MODES = {"standard": Options(), "items": Options(cursed_items=True), "chaos": Options(mode="chaos")}
SIZES = ((120, 40), (80, 24), (60, 20))


@cache
def watched(mode: str) -> tuple[Snapshot, ...]:
    """A whole game as somebody without a seat sees it."""
    table = Table(3, options=MODES[mode])
    shots = []
    for shot in table.views(by_default):
        view = GAME.view(table.state, None, {}) if shot.status.view is not None else None
        shots.append(replace(shot, status=replace(shot.status, me=None, view=view, asked=False, watching=True)))
    return tuple(shots)


@pytest.mark.parametrize("mode", sorted(MODES))
def test_every_moment_of_a_game_can_be_drawn(mode: str) -> None:
    shots = watched(mode)
    for shot in (*shots[:: max(1, len(shots) // 12)], *shots[-3:]):
        for size in SIZES:
            drawn = text(stage(shot, *size))
            assert "Your hand" not in drawn
            assert "(you)" not in drawn


def test_it_is_said_that_one_watches() -> None:
    shots = watched("standard")
    assert "You are watching" in text(stage(shots[len(shots) // 2]))
    assert "base strength" in text(stage(shots[-1], 120, 40))  # the hands of all, once they are open
    lobby = replace(status(3, phase="lobby", seats=seats(1), code="", step=0), me=None, watching=True)
    drawn = text(stage(snapshot(lobby)))
    assert "You are watching; the game has not begun." in drawn
    assert "has not let you in" not in drawn


@pytest.mark.parametrize("size", SIZES)
def test_an_arbiter_sees_that_it_is_one(size: tuple[int, int]) -> None:
    shots = watched("standard")
    arbiter = SeatStatus(3, "Zoe", bytes(32), "ZZZZ-YYYY-XXXX", connected=True, arbiter=True)
    for shot in (shots[len(shots) // 2], shots[-1]):
        drawn = text(stage(replace(shot, status=replace(shot.status, arbitrating=True, arbiter=arbiter)), *size))
        assert "You are watching" not in drawn
        assert ("You are the arbiter" in drawn) == (shot is not shots[-1])


@pytest.mark.parametrize("mode", sorted(MODES))
def test_no_key_moves_anything(mode: str) -> None:
    shots = watched(mode)
    for shot in shots[:: max(1, len(shots) // 6)]:
        ui = Ui()
        for key in every_key():
            ui, effect = press(stage(shot, ui=ui), key)
            assert not isinstance(effect, Commit | Admit | Remove), (key, effect)
            ui = replace(ui, overlay="")
