"""Lists that do not fit say how much of them is not shown; what is under the cursor is always shown."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from items_kit import PROMPTS, shot
from msgspec.structs import replace
from tui_kit import Table, cards, seats, snapshot, stage, status, text, view

from frp2p import locale
from frp2p.app import model_trade
from frp2p.app.model_scores import verdict
from frp2p.app.model_text import line_width
from frp2p.app.model_window import LEAST, window
from frp2p.app.snapshot import Snapshot
from frp2p.games.fantasy_realms.options import Options
from frp2p.games.fantasy_realms.trade import Offer
from frp2p.games.fantasy_realms.view import View
from frp2p.games.verbs import SlotId
from frp2p.players.random_bot import Random
from frp2p.tui.state import Ui

SMALL = ((80, 24), (60, 20))
SEVEN = ("Bartholomew", "Rosalinda", "Maximilian", "Guinevere", "Alexandra", "Christopher", "Wilhelmina")


@settings(deadline=None, max_examples=300)
@given(st.integers(0, 60), st.integers(0, 59), st.integers(0, 20), st.integers(1, 4))
def test_a_window_holds_the_cursor_and_tells_what_is_missing(count: int, at: int, rows: int, across: int) -> None:
    part = window(count, at, rows, across)
    shown = part.last - part.first
    note = part.note(40, rows)
    assert 0 <= part.first <= part.last <= count
    if rows:
        assert part.first <= min(at, count - 1) < part.last or not count
    assert -(-shown // across) + len(note) <= rows
    assert bool(note) == (shown < count and rows >= LEAST)
    if note:
        assert f"{part.first + 1} to {part.last} of {count}" in note[0][0].text


def trading(offers: tuple[tuple[int, int], ...]) -> Snapshot:
    """Seven trade; these offers (giver, receiver) are open."""
    options = Options(mode="chaos", seconds=60)
    begun = next(
        one for one in Table(7, 1, options=options).views(Random(1).choose) if one.status.view.phase == "trade"
    )
    slots = [seat.hand[0].slot or SlotId(0) for seat in begun.status.view.seats]
    open_ = tuple(Offer(giver=giver, to=to, slot=slots[giver]) for giver, to in offers)
    people = seats(7, people=SEVEN)
    return replace(begun, status=replace(begun.status, seats=people, view=replace(begun.status.view, offers=open_)))


ALL = tuple((giver, to) for giver in range(7) for to in range(7) if giver != to)


@pytest.mark.parametrize("language", locale.LANGUAGES)
@pytest.mark.parametrize("size", SMALL)
@pytest.mark.parametrize("count", [0, 1, 6, 7, 8, 20, len(ALL)])
def test_the_board_counts_the_offers_that_it_does_not_show(count: int, size: tuple[int, int], language: str) -> None:
    locale.use(language)
    mine = sorted(ALL, key=lambda pair: (pair[1] != 0, pair[0] != 0))[:count]
    drawn = text(stage(trading(tuple(reversed(mine))), *size))
    told = [row for row in drawn.split("\n") if re.search(r"^  (?!Nobody|Ninguém)\S+ (offers?|(lhe )?oferece) ", row)]
    more = re.search(r"^  (?:and (\d+) more|e mais (\d+))$", drawn, re.MULTILINE)
    assert len(told) + (int(more[1] or more[2]) if more else 0) == count
    assert more is None or count > 7
    for name in SEVEN[1:7] if count > 6 else ():
        assert any(row.startswith(f"  {name} ") for row in told), "who offers the viewer something is always named"


def test_everybody_is_on_the_smallest_table() -> None:
    for shown in (trading(()), snapshot(status(7, view(cards(1, 2), count=7), seats=seats(7, people=SEVEN)))):
        row = text(stage(shown, 60, 20)).split("\n")[1]
        assert row.count("●") == 7
        assert re.fullmatch(r"([ ▸]●\w{2}… 7 ?)+|([ ▸]●\w{2}… \d ?)+", row), row


@pytest.mark.parametrize("size", SMALL)
@pytest.mark.parametrize("wanted", [2, 7])
def test_the_lobby_shows_every_seat_or_how_much_is_missing(size: tuple[int, int], wanted: int) -> None:
    options = Options(extra_suits=True, cursed_items=True, jester=True, phoenix="deluxe", rounds=3)
    lobby = status(wanted, phase="lobby", options=options, seats=seats(wanted, people=SEVEN))
    whole = ""
    for scroll in range(30):
        drawn = text(stage(snapshot(lobby), *size, Ui(scroll=scroll)))
        cut = re.search(r"lines \d+ to (\d+) of (\d+)", drawn)
        whole += drawn
        if cut is None or cut[1] == cut[2]:
            break
    assert all(name in whole for name in SEVEN[:wanted])
    assert "Compare the fingerprints" in whole


def test_a_long_question_says_where_it_is() -> None:
    drawn = text(stage(shot(PROMPTS["top"]), 60, 20, Ui(at=5)))
    assert re.search(r"\d+ to \d+ of 20 *$", drawn, re.MULTILINE)


def test_the_dialog_of_seven_says_where_it_is() -> None:
    shown = trading(())
    rows = len(model_trade.acts(shown.status.view, None))
    for size in SMALL:
        drawn = text(stage(shown, *size, Ui(overlay="trade", act=12)))
        assert re.search(rf"\d+ to \d+ of {rows}$", drawn, re.MULTILINE)


@pytest.mark.parametrize("columns", [60, 80, 120])
@pytest.mark.parametrize(
    "folder",
    ["/tmp/x", "/home/rui/.local/share/frp2p/transcripts", "C:\\Users\\rui\\AppData\\Local\\frp2p\\transcripts",
     "/" + "long" * 40, "/home/" + "/".join(["folder"] * 60), "/家/" + "家" * 70],
)  # fmt: skip
def test_the_path_of_the_transcript_is_whole_or_says_that_it_is_not(folder: str, columns: int) -> None:
    path = f"{folder}/2026-11-30-K7Q2MPX4.frp2p"
    over = snapshot(status(3, phase="over", verified_by=(0, 1, 2)), transcript=path)
    lines = verdict(over, columns)
    assert all(line_width(line) == columns for line in lines)
    rows = ["".join(cell.text for cell in line).strip() for line in lines]
    at = next(number for number, row in enumerate(rows) if row.startswith("transcript"))
    told = rows[at:]
    if told[-1].endswith("…"):
        assert len(path) > 3 * (columns - 2)
        assert path.startswith("".join(told[1:]).rstrip("…"))
        return
    assert "".join(told).removeprefix("transcript").strip() == path
    for row in told[1:-1]:
        assert row[-1] in "/\\" or len(re.split(r"[/\\]", row)[-1]) > 20, "names are not broken"


def test_the_turn_before_the_first_is_the_deal() -> None:
    shown: View = view(cards(1, 2), phase="dealing", asked=(), turn=0, seat_in_turn=2)
    assert "Dealing" in text(stage(snapshot(status(4, shown)))).split("\n")[0]
