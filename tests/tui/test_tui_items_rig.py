"""Whole games with cursed items, played by keys alone on a screen in memory."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from random import Random

import pytest
from items_kit import ITEMS, PROMPTS, peeked, shot, table
from msgspec.structs import replace
from screen_rig import Rig, rig
from tui_kit import Table

from frp2p import locale
from frp2p.games.fantasy_realms.moves import DrawDeck, UseItem
from frp2p.games.fantasy_realms.options import Options
from frp2p.tui.state import HAND_KEYS

DECISIONS_MAX = 250
"""Questions that one seat answers in a game with items, popups counted too."""

UP = "\x1b[A"


@asynccontextmanager
async def playing(played: Table):  # type: ignore[no-untyped-def]
    """The game runs beside the client."""
    task = asyncio.create_task(played.run())
    try:
        yield task
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def play_by_keys(running: Rig, played: Table, met: set[str], chance: Random) -> None:
    """The whole game: at random the item is used, swapped or left, a card drawn or taken."""
    for _number in range(DECISIONS_MAX):
        await running.rest()
        asked = played.human.asked
        if asked is None:
            if played.snapshot().status.phase == "over":
                return
            continue
        if running.client.ui.overlay == "items":
            met.add("shown")
            await running.keys("i")
            continue
        shown, legal = asked
        met.add(shown.prompt.what if shown.prompt is not None else shown.phase)
        uses = any(isinstance(move, UseItem) for move in legal)
        if uses and shown.phase in ("draw", "discard") and chance.random() < 0.4:
            await running.keys("i", "\r", "\r")
        elif shown.phase == "finish" and chance.random() < 0.7:
            await running.keys("i", UP, "y")
        elif shown.phase == "draw":
            take = shown.discards and (chance.random() < 0.6 or DrawDeck() not in legal)
            await running.keys(*(("1", "y") if take else ("d",)))
        elif shown.phase == "discard":
            await running.keys(chance.choice(HAND_KEYS[:8]), "y")
        elif shown.phase == "finish":
            await running.keys("\r")
        else:
            await running.keys("\r", "\r")
    raise AssertionError("the game does not end")


GAMES = (
    (2, 1, ITEMS),
    (2, 8, ITEMS),
    (3, 2, ITEMS),
    (4, 4, ITEMS),
    (2, 5, Options(mode="duel", cursed_items=True)),
    (3, 6, Options(extra_suits=True, cursed_items=True)),
)


async def test_whole_games_with_items_are_played_by_keys() -> None:
    met: set[str] = set()
    for count, seed, options in GAMES:
        played = Table(count, seed=seed, options=options)
        async with rig(played, played.human) as running, playing(played):
            await play_by_keys(running, played, met, Random(seed))
            await running.rest()
            assert f"verified by {count} of {count}" in running.text()
    assert {"draw", "keep", "discard", "finish", "choices", "shown"} <= met
    assert len(met & set(PROMPTS)) >= 6, met


async def test_what_an_item_shows_opens_by_itself_once() -> None:
    played = Table(4, seed=1, options=ITEMS)
    played.show(shot(table()))
    async with rig(played, played.human) as running:
        played.show(shot(peeked()))
        await running.rest()
        assert "You know in the hand of Eve" in running.text()
        await running.keys("\x1b")
        assert "Discard area" in running.text()
        played.show(shot(peeked()))
        await running.rest()
        assert "Discard area" in running.text()


async def test_what_everybody_saw_does_not_open_anything() -> None:
    played = Table(4, seed=1, options=ITEMS)
    played.show(shot(table()))
    async with rig(played, played.human) as running:
        seen = table(discards=peeked().discards[1:])
        played.show(shot(replace(seen, seen=peeked().seen)))
        await running.rest()
        assert running.client.ui.overlay == ""


@pytest.mark.parametrize("language", locale.LANGUAGES)
async def test_items_in_plain_ascii_and_without_colour(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    locale.use(language)
    monkeypatch.setenv("NO_COLOR", "1")
    for shown in (peeked(), PROMPTS["bury"], PROMPTS["return"], PROMPTS["steal"]):
        played = Table(4, seed=1, options=ITEMS)
        played.show(shot(shown))
        async with rig(played, played.human, ascii=True) as running:
            await running.keys("i")
            assert running.text().isascii()
            await running.keys("i")
            assert running.text().isascii()
