"""The part of a list that there is room for, with a line that says so where it is not the whole list."""

from __future__ import annotations

from typing import NamedTuple

from frp2p.app.model_text import Cell, Line, fit, right
from frp2p.locale import _

LEAST = 3
"""Rows below which a list gives none of them to that line: one option to see is worth more."""


class Window(NamedTuple):
    """The entries from `first` up to `last`, not included, of `whole`."""

    first: int
    last: int
    whole: int

    def note(self, columns: int, rows: int) -> list[Line]:
        """The line below the list; none if everything is shown, or in a list that is too small for it."""
        if self.last - self.first >= self.whole or rows < LEAST:
            return []
        text = _("{first} to {last} of {count}").format(first=self.first + 1, last=self.last, count=self.whole)
        return [fit((Cell(right(f"{text} ", columns), "dim"),), columns)]


def window(count: int, at: int, rows: int, across: int = 1) -> Window:
    """The entries around `at` that fit into `rows` rows of `across` entries, the line that says so included."""
    room = max(0, rows) * across
    if count > room and rows >= LEAST:
        room -= across
    first = max(0, min(at - room // 2, count - room))
    return Window(first, min(count, first + room), count)
