"""Chaos Realms on the screen: offers, the dialog for a card, what came; everything that can be said has keys."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import lru_cache

import pytest
from msgspec.structs import replace
from screen_rig import PATIENCE_SECONDS, rig
from syrupy.assertion import SnapshotAssertion
from tui_kit import Table, stage, text

from frp2p import locale
from frp2p.app import model_trade
from frp2p.app.snapshot import Snapshot
from frp2p.games.fantasy_realms.game import GAME
from frp2p.games.fantasy_realms.moves import AcceptOffer, OfferCard, RefuseOffer, Wait, WithdrawOffer
from frp2p.games.fantasy_realms.options import Options
from frp2p.games.fantasy_realms.view import View
from frp2p.games.game import Move
from frp2p.players.random_bot import Random
from frp2p.tui.actions import Commit, press
from frp2p.tui.state import HAND_KEYS, Ui, mode

SIZES = ((120, 40), (80, 24), (60, 20))
CHAOS = Options(mode="chaos", seconds=60)


@lru_cache(maxsize=8)
def game(seats: int, seed: int) -> tuple[Snapshot, ...]:
    """Every snapshot of random trade."""
    return tuple(Table(seats, seed, options=CHAOS).views(Random(seed).choose))


def moment(seats: int, fits: Callable[[View], bool]) -> Snapshot:
    for seed in range(10):
        for shot in game(seats, seed):
            if fits(shot.status.view):
                return shot
    raise LookupError


def busy(view: View) -> bool:
    """Offers to seat 0 and of it."""
    givers = model_trade.offering(view)
    return view.phase == "trade" and len(givers) > 1 and any(offer.giver == 0 for offer in view.offers)


SCREENS: dict[str, Callable[[], tuple[Snapshot, Ui]]] = {
    "begin": lambda: (moment(4, lambda view: view.phase == "trade"), Ui()),
    "offers": lambda: (moment(4, busy), Ui(index=2)),
    "seven seats": lambda: (moment(7, busy), Ui(index=1)),
    "dialog": lambda: (moment(4, busy), Ui(index=2, overlay="trade")),
    "dialog of seven": lambda: (moment(7, busy), Ui(index=2, overlay="trade", act=9)),
    "necromancer": lambda: (moment(5, lambda view: view.phase == "extra" and 0 in view.asked), Ui()),
    "set aside": lambda: (moment(5, lambda view: view.phase == "choices" and len(view.discards) > 1), Ui()),
}


@pytest.mark.parametrize("language", locale.LANGUAGES)
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("name", SCREENS)
def test_chaos_screen(name: str, size: tuple[int, int], language: str, snapshot: SnapshotAssertion) -> None:
    shot, ui = SCREENS[name]()
    locale.use(language)
    shown = text(stage(shot, *size, ui))
    assert shown == snapshot
    assert "…" not in shown.split("\n")[-2]


def test_keys_say_everything_that_can_be_said() -> None:
    shot = moment(4, busy)
    said: set[Move] = set()
    for key in HAND_KEYS[:7]:
        ui = press(stage(shot), key)[0]
        ui = press(stage(shot, ui=ui), "enter")[0]
        rows = len(model_trade.acts(shot.status.view, stage(shot, ui=ui).cursor))
        ui = replace(ui, act=0)
        for _row in range(rows):
            assert mode(stage(shot, ui=ui)) == "trade"
            effect = press(stage(shot, ui=ui), "enter")[1]
            if isinstance(effect, Commit):
                said.add(effect.move)
            else:
                assert press(stage(shot, ui=ui), "enter")[0].toast
            ui = press(stage(shot, ui=ui), "down")[0]
        assert ui.act == 0
    assert said == set(GAME.legal(shot.status.view)) - {Wait()}
    assert {type(move) for move in said} == {AcceptOffer, OfferCard, RefuseOffer, WithdrawOffer}


def test_the_rows_never_move_whatever_is_offered() -> None:
    rows = {
        tuple((act.what, act.seat) for act in model_trade.acts(shot.status.view, None))
        for shot in game(4, 1)
        if shot.status.view.phase == "trade"
    }
    assert len(rows) == 1


def test_escape_closes_the_dialog_and_the_bell_does_too() -> None:
    shot = moment(4, busy)
    open_ui = press(stage(shot), "enter")[0]
    assert press(stage(shot, ui=open_ui), "escape")[0].overlay == ""
    after = stage(moment(4, lambda view: view.phase in ("choices", "over")), ui=open_ui)
    assert mode(after) != "trade"


def test_the_log_tells_swaps_and_what_the_necromancer_brings() -> None:
    told = [entry.text for seed in range(10) for entry in stage(game(5, seed)[-1]).entries]
    assert any("swap a card." in line for line in told)
    assert any(line.startswith("The Necromancer brings ") and line.count(",") == 2 for line in told)


async def test_what_is_said_between_two_ticks_is_said_in_the_next() -> None:
    table = Table(3, 5, options=replace(CHAOS, seconds=10))
    async with rig(table, table.human) as running:
        playing = asyncio.create_task(table.run())
        await said(lambda: table.human.asked is not None)
        offer = next(move for move in GAME.legal(table.snapshot().status.view) if isinstance(move, OfferCard))
        table.human.answer(Wait())
        table.human.asked = None  # as it is while the others still speak
        running.client._commit(offer)
        await said(lambda: bool(table.snapshot().status.view.offers))
        assert table.snapshot().status.view.offers[0].slot == offer.slot
        await running.rest()
        assert "Offers" in running.text()
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)


async def said(happened: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not happened():  # noqa: ASYNC110 - a table without an event for it
            await asyncio.sleep(0.01)
