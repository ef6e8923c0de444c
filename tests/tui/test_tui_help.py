"""The help of the client: every key of this table, and nothing of what is not played at it."""

from __future__ import annotations

import pytest
from tui_kit import Table

from frp2p import locale
from frp2p.games.fantasy_realms.game import GAME
from frp2p.games.fantasy_realms.options import Options
from frp2p.players.random_bot import Random
from frp2p.tui.bindings import TABLE, at_table
from frp2p.tui.compose import help_lines
from frp2p.tui.state import Stage, Ui, mode

TABLES = {
    "plain": Options(),
    "items": Options(cursed_items=True),
    "chaos": Options(mode="chaos", seconds=60),
    "match": Options(rounds=2),
    "all": Options(cursed_items=True, rounds=2, mode="duel"),
}


def told(options: Options) -> str:
    return "\n".join("".join(cell.text for cell in line).rstrip() for line in help_lines(200, options))


@pytest.mark.parametrize("language", locale.LANGUAGES)
@pytest.mark.parametrize("name", TABLES)
def test_the_help_names_every_key_of_the_table_with_its_meaning(name: str, language: str) -> None:
    locale.use(language)
    shown = told(TABLES[name])
    for row in TABLE:
        line = f" {row.shown():<13} {row.help()}"
        known = any((one.shown(), one.help()) == (row.shown(), row.help()) for one in at_table(TABLES[name]))
        assert (line in shown.split("\n")) == known, row.action
    assert "frp2p rules" in shown


def test_every_key_is_in_the_help_of_some_table() -> None:
    assert {row.help() for name in TABLES for row in at_table(TABLES[name])} == {row.help() for row in TABLE}


def test_the_help_tells_nothing_of_what_is_not_played() -> None:
    assert "item" not in told(TABLES["plain"])
    assert "Chaos" not in told(TABLES["plain"])
    assert "round" not in told(TABLES["plain"])
    assert "discard area" not in told(TABLES["chaos"])
    assert "item" in told(TABLES["items"])
    assert "round" in told(TABLES["match"])


@pytest.mark.parametrize("name", TABLES)
def test_no_key_that_does_something_is_missing_in_the_help(name: str) -> None:
    """Through a whole game of random play, whatever mode it comes to."""
    count = 2 if TABLES[name].mode == "duel" else 3
    known = at_table(TABLES[name])
    modes = set()
    for shot in Table(count, 4, options=TABLES[name]).views(Random(4).choose):
        view = shot.status.view
        asked = (view, GAME.legal(view)) if view.me in view.asked else None
        shown = Stage(shot, asked, None, (), Ui(), 80, 24)
        modes.add(mode(shown))
        for row in TABLE:
            if mode(shown) in row.modes and not row.why(shown):
                assert row in known, (mode(shown), row.action)
    assert "scoring" in modes
