"""The real client on a screen in memory, driven by keys and clicks."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import re
import sys
from pathlib import Path

import msgspec
import pytest
from screen_rig import Rig, rig
from tui_kit import Table, cards, snapshot, status, stopped, text, view

from frp2p import locale
from frp2p.errors import LocalError, UserError
from frp2p.games.fantasy_realms.game import GAME
from frp2p.tui import client as client_module
from frp2p.tui import run
from frp2p.tui import worker as worker_module
from frp2p.tui.compose import Frame
from frp2p.tui.terminal import speaks_unicode

LEFT_ALTERNATE = "\x1b[?1049l"
MOUSE_OFF = "\x1b[?1000l"
TURNS_MAX = 60
"""Decisions of one seat in a game; the default players end it well before."""


@contextlib.asynccontextmanager
async def playing(table: Table):  # type: ignore[no-untyped-def]
    """The game runs beside the client."""
    task = asyncio.create_task(table.run())
    try:
        yield task
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def play_by_keys(running: Rig, table: Table) -> None:
    """The whole game with keys alone: draw or take, discard, pick, choose."""
    for number in range(TURNS_MAX):
        await running.rest()
        asked = table.human.asked
        if asked is None:
            if table.snapshot().status.phase == "over":
                return
            continue
        phase = asked[0].phase
        if phase == "draw" and number % 2 and asked[0].discards:
            await running.keys("1", "\r", "\r")
        elif phase == "draw":
            await running.keys("d")
        elif phase == "discard":
            await running.keys("c", "y")
        else:
            await running.keys("\r", "\r")
    raise AssertionError("the game does not end")


async def test_a_whole_game_is_played_by_keys() -> None:
    table = Table(3, seed=11)
    async with rig(table, table.human) as running, playing(table):
        await play_by_keys(running, table)
        await running.rest()
        assert "verified by 3 of 3" in running.text()
        assert "Total" in running.text() or "lines 1" in running.text()
        await running.keys("\t")
        assert "The hand of Ana" in running.text()
        await running.keys("q")
        assert running.task.done()
    assert table.left


async def test_the_terminal_shows_exactly_the_frame() -> None:
    table = Table(4, seed=2)
    async with rig(table, table.human, 120, 40) as running, playing(table):
        await running.rest()
        assert running.text() == text(running.client.stage())
        running.resize(80, 24)
        await running.rest()
        assert running.text() == text(running.client.stage())
        assert len(running.lines()) == 24


async def test_a_discard_needs_a_second_key_and_escape_takes_the_first_back() -> None:
    table = Table(4, seed=2)
    async with rig(table, table.human) as running, playing(table):
        while table.human.asked is None:  # noqa: ASYNC110 - the table has no event for tests
            await asyncio.sleep(0.01)
        await running.keys("d")
        await running.keys("b", "\r")
        assert "Enter or y: yes" in running.text()
        await running.keys("\x1b")
        assert "Enter or y: yes" not in running.text()
        assert table.human.asked is not None
        hand = len(running.client.stage().hand)
        await running.keys("\r", "\r")
        assert len(running.client.stage().hand) == hand - 1


async def test_the_new_card_is_marked_and_under_the_cursor() -> None:
    table = Table(4, seed=2)
    async with rig(table, table.human) as running, playing(table):
        while table.human.asked is None:  # noqa: ASYNC110 - the table has no event for tests
            await asyncio.sleep(0.01)
        held = set(running.client.stage().hand)
        await running.keys("d")
        shown = running.client.stage()
        assert shown.fresh is not None
        assert {shown.fresh} == set(shown.hand) - held
        assert shown.cursor == shown.fresh
        assert " *" in running.text()


async def test_escape_answers_fast() -> None:
    table = Table(4, seed=2)
    async with rig(table, table.human) as running:
        await running.keys("?")
        assert "Keys" in running.text()
        running.press("\x1b")
        await asyncio.sleep(0.2)
        assert "Keys" not in running.text()


async def test_a_click_selects_and_commits_nothing() -> None:
    table = Table(4, seed=2)
    table.show(snapshot(status(4, view(cards(1, 2, 3, 4, 5, 6, 7), cards(20, 21, 22)))))
    async with rig(table, table.human) as running:
        row = next(number for number, line in enumerate(running.lines()) if "Bell Tower" in line)
        running.press(f"\x1b[<0;8;{row + 1}M\x1b[<0;8;{row + 1}m")
        await running.rest()
        assert running.client.ui.area == "hand"
        assert running.client.ui.index == 2
        assert not running.client.ui.armed
        row = next(number for number, line in enumerate(running.lines()) if "Knights" in line)
        running.press(f"\x1b[<0;8;{row + 1}M\x1b[<0;8;{row + 1}m")
        await running.rest()
        assert (running.client.ui.area, running.client.ui.index) == ("discards", 1)


async def test_the_wheel_scrolls_and_m_lets_the_mouse_go() -> None:
    table = Table(4, seed=2)
    async with rig(table, table.human) as running:
        await running.keys("?", "\x1b[<65;8;8M")
        assert running.client.ui.scroll == 1
        await running.keys("\x1b", "m")
        assert MOUSE_OFF in running.glass.raw
        assert "mouse is off" in running.text()


async def test_the_language_changes_while_it_runs() -> None:
    table = Table(4, seed=2)
    table.show(snapshot(status(4, view(cards(1, 2, 3, 4, 5, 6, 7)))))
    async with rig(table, table.human) as running:
        assert "Your hand" in running.text()
        await running.keys("L")
        assert "Sua mão" in running.text()
        assert "Montanha" in running.text()
        await running.keys("L")
        assert "Mountain" in running.text()


async def test_a_language_that_is_not_installed_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(_language: str) -> None:
        raise FileNotFoundError

    table = Table(4, seed=2)
    async with rig(table, table.human) as running:
        monkeypatch.setattr(locale, "use", missing)
        await running.keys("L")
        assert "pt_BR are not installed" in running.text()
        monkeypatch.undo()


async def test_without_a_terminal_there_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table(2, seed=2)
    with pytest.raises(UserError, match="--auto"):
        await run(table, table.human)
    for stream in (sys.stdin, sys.stdout):
        monkeypatch.setattr(stream, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("TERM", "dumb")
    with pytest.raises(UserError, match="full screen"):
        await run(table, table.human)


@pytest.mark.parametrize(("encoding", "unicode"), [("UTF-8", True), ("utf8", True), ("ascii", False), (None, False)])
def test_the_encoding_decides_about_the_signs(encoding: str | None, unicode: bool) -> None:
    assert speaks_unicode(encoding) is unicode


async def test_ctrl_c_asks_and_a_second_one_leaves() -> None:
    table = Table(4, seed=2)
    async with rig(table, table.human) as running:
        await running.keys("\x03")
        assert "Leave the table?" in running.text()
        assert not running.task.done()
        await running.keys("n")
        assert "Leave the table?" not in running.text()
        await running.keys("\x03", "\x03")
        assert running.task.done()
    assert table.left
    assert not table.left_for_good


async def test_q_asks_before_it_leaves_a_game() -> None:
    table = Table(4, seed=2)
    async with rig(table, table.human) as running:
        await running.keys("q")
        assert not running.task.done()
        await running.keys("y")
        assert running.task.done()


async def test_a_stopped_table_says_who_and_why_and_is_left_at_once() -> None:
    table = Table(4, seed=2)
    table.show(stopped())
    async with rig(table, table.human) as running:
        for words in ("Bob broke the protocol", "shuffle-chain", "frp2p-evidence"):
            assert words in running.text()
        await running.keys("q")
        assert running.task.done()


@pytest.mark.parametrize("how", ["leave", "cancel", "crash"])
async def test_the_terminal_is_given_back(how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table(4, seed=2)
    async with rig(table, table.human) as running:
        assert LEFT_ALTERNATE not in running.glass.raw
        if how == "leave":
            await running.keys("q", "y")
        elif how == "cancel":
            running.task.cancel()
        else:
            monkeypatch.setattr(running.client.app.renderer, "render", lambda *_args, **_named: 1 / 0)
            running.client.app.invalidate()
        await asyncio.wait({running.task}, timeout=5)
        assert running.task.done()
        if how == "crash":
            assert isinstance(running.task.exception(), LocalError | ZeroDivisionError)
    end = running.glass.raw[running.glass.raw.rindex("\x1b[?1049h") :]
    for sequence in (LEFT_ALTERNATE, MOUSE_OFF, "\x1b[?2004l", "\x1b[?25h"):
        assert sequence in end


async def test_a_frame_that_fails_costs_one_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_stage: object) -> Frame:
        raise ZeroDivisionError

    table = Table(4, seed=2)
    async with rig(table, table.human) as running:
        with monkeypatch.context() as patch:
            patch.setattr(client_module, "compose", broken)
            running.client.app.invalidate()
            await running.rest()
            assert "[!]" in running.text()
        running.client.app.invalidate()
        await running.rest()
        assert "[!]" not in running.text()
        assert not running.task.done()


async def test_a_stray_exception_is_told_and_not_printed(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    async def fails() -> None:
        raise ZeroDivisionError

    table = Table(4, seed=2)
    async with rig(table, table.human) as running:
        task = asyncio.create_task(fails())
        await asyncio.sleep(0)
        del task
        gc.collect()
        await running.rest()
        assert "Something went wrong" in running.text()
    assert capfd.readouterr().err == ""
    assert "ZeroDivisionError" in (tmp_path / "crash.log").read_text(encoding="utf-8")


async def test_a_change_that_can_not_be_shown_does_not_reach_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_arguments: object) -> None:
        raise ZeroDivisionError

    table = Table(4, seed=2)
    async with rig(table, table.human) as running:
        with monkeypatch.context() as patch:
            patch.setattr(running.client.worker, "follow", broken)
            table.show(stopped())
        await running.rest()
        assert "Something went wrong" in running.text()
        assert "Bob broke the protocol" in running.text()


async def test_a_hand_that_can_not_be_counted_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_arguments: object) -> None:
        raise ZeroDivisionError

    table = Table(4, seed=2)
    async with rig(table, table.human) as running:
        monkeypatch.setattr(worker_module, "appraise", broken)
        table.show(snapshot(status(4, view(cards(1, 2, 3, 4, 5, 6, 7)))))
        for _try in range(100):
            await asyncio.sleep(0.02)
            if "Something went wrong" in running.text():
                break
        assert "Something went wrong" in running.text()
        assert "Your hand" in running.text()


async def test_a_refused_move_is_told() -> None:
    table = Table(4, seed=2)
    async with rig(table, table.human) as running, playing(table):
        while table.human.asked is None:  # noqa: ASYNC110 - the table has no event for tests
            await asyncio.sleep(0.01)
        await running.rest()
        table.human.answer(GAME.move_type.__args__[2](slot=9))
        await running.rest()
        assert table.human.refusal in running.text()
        assert table.human.refusal


@pytest.mark.parametrize("language", locale.LANGUAGES)
async def test_without_unicode_every_sign_is_ascii(language: str) -> None:
    locale.use(language)
    table = Table(4, seed=2)
    people = msgspec.structs.replace(
        status(4, view(cards(1, 2, 3, 53, 5, 6, 16), cards(7, 10))), code="K7Q2MPX4", waiting_for=(1,)
    )
    table.show(snapshot(people))
    async with rig(table, table.human, ascii=True) as running:
        shown = running.text()
    assert shown.isascii()
    assert "-- " in shown
    assert "Doppelganger" in shown
    assert all(len(line) <= 80 for line in shown.split("\n"))


async def test_no_colour_loses_no_information(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table(4, seed=2)
    table.show(snapshot(status(4, view(cards(1, 2, 3, 53, 5, 6, 16), cards(7, 10)))))
    async with rig(table, table.human) as running:
        coloured, raw = running.text(), running.glass.raw
    monkeypatch.setenv("NO_COLOR", "1")
    async with rig(table, table.human) as running:
        assert running.text() == coloured
        plain = running.glass.raw
    assert "\x1b[0;30;43m" in raw
    assert ";43m" not in plain


def bells(running: Rig) -> int:
    """How often it rang; the same byte also ends a title."""
    return re.sub(r"\x1b\]2;[^\x07]*\x07", "", running.glass.raw).count("\x07")


async def test_my_turn_rings_and_is_in_the_title() -> None:
    table = Table(4, seed=2)
    async with rig(table, table.human) as running, playing(table):
        while table.human.asked is None:  # noqa: ASYNC110 - the table has no event for tests
            await asyncio.sleep(0.01)
        await running.rest()
        assert running.glass.screen.title == "frp2p: your turn"
        assert bells(running) == 1
        await running.keys("d")
        assert running.client.stage().phase == "discard"
        assert bells(running) == 1
        await running.keys("b", "y")
        while table.human.asked is None:  # noqa: ASYNC110 - the table has no event for tests
            await asyncio.sleep(0.01)
        await running.rest()
        assert bells(running) == 2
