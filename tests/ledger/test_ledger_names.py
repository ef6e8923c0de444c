"""Names of people: what may reach a terminal, and which two names are taken for each other."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from wcwidth import wcswidth

from frp2p.errors import PeerFault
from frp2p.ledger.names import MAX_NAME_BYTES, check_name, looks_like, name_problem

GOOD = (
    "A",
    "Ana",
    "Zoë",
    "João Conceição"[:14],
    "李小龍",
    "Дмитрий",
    "x" * 16,
    "two words",
    "🦊 fox",
    "नमस्ते",
    "O'Neil-2",
    "[b]bold[/b]",
)

HOSTILE = {
    "clear screen": ("\x1b[2J", "name-character"),
    "window title": ("\x1b]0;x\x07", "name-character"),
    "eight-bit escape": ("\x9b2J", "name-character"),
    "bell": ("a\x07", "name-character"),
    "backspace": ("ab\x08c", "name-character"),
    "new line": ("a\nb", "name-character"),
    "tab": ("a\tb", "name-character"),
    "null": ("a\x00", "name-character"),
    "delete": ("a\x7f", "name-character"),
    "right-to-left override": ("a\u202eb", "name-character"),
    "right-to-left isolate": ("\u2067a", "name-character"),
    "zero width space": ("a\u200bb", "name-character"),
    "zero width joiner": ("a\u200db", "name-character"),
    "byte order mark": ("\ufeffa", "name-character"),
    "soft hyphen": ("a\u00adb", "name-character"),
    "line separator": ("a\u2028b", "name-character"),
    "paragraph separator": ("a\u2029b", "name-character"),
    "lone surrogate": ("a\ud800", "name-character"),
    "private use": ("\ue000", "name-character"),
    "unassigned": ("\u0378", "name-character"),
    "tag letters": ("a\U000e0041", "name-character"),
    "empty braille": ("\u2800\u2800", "name-character"),
    "hangul filler": ("\u3164", "name-character"),
    "nothing": ("", "name-empty"),
    "only spaces": ("   ", "name-empty"),
    "only wide spaces": ("\u3000\u3000", "name-empty"),
    "not NFC": ("Zoe\u0308", "name-form"),
    "a leading space": (" Ana", "name-space"),
    "a trailing space": ("Ana ", "name-space"),
    "two spaces": ("A  B", "name-space"),
    "a no-break space": ("A\u00a0B", "name-space"),
    "a pile of marks": ("a" + "\u0315\u0300\u0301\u0302"[:1] + "\u0489" * 6, "name-marks"),
    "17 cells": ("x" * 17, "name-width"),
    "9 wide letters": ("李" * 9, "name-width"),
    "a mark alone": ("\u0489", "name-width"),
}


@pytest.mark.parametrize("name", GOOD)
def test_people_are_called_so(name: str) -> None:
    assert name_problem(name) is None
    check_name(name)


@pytest.mark.parametrize(("name", "problem"), HOSTILE.values(), ids=HOSTILE)
def test_hostile_names_are_refused(name: str, problem: str) -> None:
    assert name_problem(name) == problem
    with pytest.raises(PeerFault) as caught:
        check_name(name, seat=3)
    assert (caught.value.check, caught.value.seat) == (problem, 3)
    assert name not in caught.value.message or not name.strip()


@given(st.text(max_size=20))
@settings(max_examples=500, deadline=None)
def test_what_passes_is_harmless(name: str) -> None:
    if name_problem(name) is None:
        assert name.isprintable()
        assert 1 <= wcswidth(name) <= 16
        assert len(name.encode()) <= MAX_NAME_BYTES
        assert unicodedata.normalize("NFC", name) == name


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("Ana", "ana"), ("Ana", "АNA"), ("Ana", "Ａｎａ"), ("Zoë", "Zoe"), ("Paul", "PauI"), ("Paul", "Pau1"),
        ("Bob", "B0b"), ("Ana B", "AnaB"), ("Marn", "Mam"), ("Straße", "STRASSE"), ("Νina", "Nina"), ("Pavel", "Раvеl"),
    ],
)  # fmt: skip
def test_names_that_look_alike(one: str, two: str) -> None:
    assert one != two
    assert looks_like(one) == looks_like(two)


def test_other_names_stay_apart() -> None:
    names = [*GOOD, "Ana2", "Anna", "Hana", "Bot 1", "Bot 2", "Bot 3"]
    assert len({looks_like(name) for name in names}) == len(names)
