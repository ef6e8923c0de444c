"""Text on a screen: always as wide as asked, and nothing in a peer's words steers the terminal."""

from __future__ import annotations

import unicodedata

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tui_kit import cards, seats, snapshot, stage, status, text, view
from wcwidth import wcwidth

from frp2p.app.model_log import LogBook
from frp2p.app.model_table import names
from frp2p.app.model_text import Cell, clean, clip, fit, line_width, pad, right, spread, width, wrap
from frp2p.table.events import Joined, Refused, Stopped
from frp2p.table.status import Fault
from frp2p.tui.compose import compose
from frp2p.tui.paint import ascii_only

quick = settings(deadline=None, max_examples=60)
words = st.text(max_size=80)
NASTY = "aé漢\x1b[31m\x07\x9b\u202e\u2066\u200b\u200d\ufe0f\u0301\u20dd\t\n\r\u2028 \x00\x7f"
EMOJI = "\U0001f469\U0001f3fd\U0001f680"
nasty = st.text(alphabet=st.sampled_from(NASTY + EMOJI), max_size=40)


def harmless(shown: str) -> bool:
    return all(
        char == "\n" or (unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Co", "Cn", "Mn", "Me")) for char in shown
    )


@quick
@given(st.one_of(words, nasty))
def test_clean_leaves_nothing_that_steers(dirty: str) -> None:
    shown = clean(dirty)
    assert harmless(shown)
    assert "\n" not in shown
    assert all(wcwidth(char) > 0 for char in shown)
    assert clean(shown) == shown


def test_clean_keeps_what_people_are_called() -> None:
    for name in ("Ana", "João Conceição", "Łukasz", "Σωκράτης", "山田 太郎", "O'Neill-Smith"):
        assert clean(name) == name
    assert clean("Joa\u0303o") == "João"
    assert clean("A\u202enA") == "AnA"


@quick
@given(words, st.integers(0, 40))
def test_pad_and_right_are_exactly_as_wide(shown: str, columns: int) -> None:
    shown = clean(shown)
    assert width(pad(shown, columns)) == columns
    assert width(right(shown, columns)) == columns
    assert width(clip(shown, columns)) <= columns


@quick
@given(st.lists(words, max_size=5), st.lists(words, max_size=2), st.integers(0, 60))
def test_lines_are_exactly_as_wide(start: list[str], end: list[str], columns: int) -> None:
    line = tuple(Cell(clean(part)) for part in start)
    assert line_width(fit(line, columns)) == columns
    assert line_width(spread(line, tuple(Cell(clean(part)) for part in end), columns)) == columns


@quick
@given(words, st.integers(1, 40))
def test_wrapped_rows_fit_and_lose_nothing(shown: str, columns: int) -> None:
    shown = clean(shown)
    rows = wrap(shown, max(2, columns))
    assert all(width(row) <= max(2, columns) for row in rows)
    assert "".join(rows).replace(" ", "") == shown.replace(" ", "")


@quick
@given(words)
def test_ascii_is_as_wide(shown: str) -> None:
    shown = clean(shown)
    assert ascii_only(shown).isascii()
    assert width(ascii_only(shown)) == width(shown)


@settings(deadline=None, max_examples=25)
@given(st.lists(nasty, min_size=4, max_size=4), nasty, st.sampled_from(["lobby", "play", "stopped", "over"]))
def test_no_word_of_a_peer_reaches_the_screen_raw(called: list[str], other: str, phase: str) -> None:
    shown = view(cards(1, 2, 3, 4, 5, 6, 7), cards(8), asked=(1,)) if phase in ("play", "over") else None
    people = tuple(
        msgspec.structs.replace(seat, name=name, fingerprint=other) for seat, name in zip(seats(4), called, strict=True)
    )
    fault = Fault(other, 2, other) if phase == "stopped" else None
    state = status(4, shown, phase=phase, seats=people, fault=fault, code=other)
    events = (Joined(other), Refused(1, other), Refused(None, other), Stopped(None, other, b""))
    for columns, rows in ((80, 24), (60, 20), (120, 40)):
        frame = compose(stage(snapshot(state, events, problem=other), columns, rows))
        for line in frame.lines:
            assert line_width(line) == columns
            assert all(harmless(cell.text) for cell in line)


def test_two_players_of_one_name_are_told_apart() -> None:
    people = tuple(msgspec.structs.replace(seat, name="Ana\u200b" if seat.seat else "Ana") for seat in seats(3))
    assert names(status(3, seats=people)) == ("Ana", "Ana#2", "Ana#3")
    nobody = tuple(msgspec.structs.replace(seat, name="\u200b") for seat in seats(2))
    assert names(status(2, seats=nobody)) == ("seat 1", "seat 2")


@pytest.mark.parametrize("kept", [3, 500])
def test_the_log_book_misses_nothing_and_doubles_nothing(kept: int) -> None:
    book = LogBook()
    events = tuple(Joined(f"p{number}") for number in range(9))
    for count in (1, 1, 2, 4, 4, 6, 9):
        shot = snapshot(status(2), events[max(0, count - kept) : count], event_count=count)
        book.feed(shot)
    assert [entry.text for entry in book.entries(())] == [f"p{number} sat down." for number in range(9)]


def test_the_screen_of_a_table_names_everybody() -> None:
    shown = text(stage(snapshot(status(4, view(cards(1, 2, 3, 4, 5, 6, 7))))))
    assert all(name in shown for name in ("Rui", "Ana", "Bob", "Eve"))
