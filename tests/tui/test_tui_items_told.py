"""Cursed items in the words of the log and of the lobby."""

from __future__ import annotations

import pytest
from items_kit import ITEMS, game
from msgspec.structs import replace
from tui_kit import snapshot, stage, status, text

from frp2p.games.fantasy_realms.options import Options


def test_the_log_tells_items_in_words() -> None:
    told = [entry.text for entry in stage(game(4, 8)[-1]).entries]
    assert any(row.startswith("Items: Rui ") for row in told)
    assert any(" uses " in row for row in told)
    assert any(" gets " in row for row in told)
    assert any(" turns up " in row for row in told)
    assert told.count("The hands lie open.") == 1


@pytest.mark.parametrize("seed", range(6))
def test_the_log_counts_turns_as_the_game_does(seed: int) -> None:
    shots = game(2 + seed % 3, seed)
    entries = stage(shots[-1]).entries
    assert max(entry.turn for entry in entries) == max(one.status.view.turn for one in shots)


@pytest.mark.parametrize("options", [replace(ITEMS, rounds=2), replace(ITEMS, mode="duel", rounds=2)])
def test_the_log_tells_every_round_of_a_match(options: Options) -> None:
    told = [entry.text for entry in stage(game(2, 1, options)[-1]).entries]
    assert told.count("The hands lie open.") == 2
    assert told.count("Round 2 begins.") == 1
    assert sum(row.startswith("Items: ") for row in told) == (2 if options.mode == "standard" else 0)
    ends = [index for index, row in enumerate(told) if row == "The hands lie open."]
    for end in ends:
        assert " turns up " in told[end + 1]
    assert not any("Leprechaun" in row for row in told)


def test_the_lobby_says_that_items_are_played_with() -> None:
    shown = snapshot(status(3, phase="lobby", options=ITEMS))
    assert "With the cursed items." in " ".join(text(stage(shown)).split())
