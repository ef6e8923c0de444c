"""Cells and lines: what every face draws, with nothing of a terminal in it. Widths are columns, as wcwidth counts."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from wcwidth import wcwidth

NAME_COLUMNS = 16
"""Columns that a peer's name may take on a screen; longer ones are clipped so that nothing beside them moves."""

CLEAN_CHARS = 512
"""Characters of a peer's text that are looked at; no text from a peer that we draw is longer."""

Target: TypeAlias = tuple[str, int]
"""What a click on a cell selects: an area and an index in it, `("hand", 3)`."""


class Cell(NamedTuple):
    """A run of text in one style. `style` is a word with a meaning (`suit-army`, `bad`), never a colour."""

    text: str
    style: str = ""
    target: Target | None = None


Line: TypeAlias = tuple[Cell, ...]

_DROPPED = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Mn", "Me"})
"""Categories that never reach a screen: control, format (bidi, zero width), surrogate, private, combining marks."""


def clean(text: str) -> str:
    """A peer's text without anything that could steer a terminal, reorder or overprint what stands beside it."""
    composed = unicodedata.normalize("NFC", text[:CLEAN_CHARS])
    kept: list[str] = []
    for char in composed:
        category = unicodedata.category(char)
        if category in ("Zs", "Zl", "Zp") or char in "\t\n\r":
            kept.append(" ")
        elif category not in _DROPPED and wcwidth(char) > 0:
            kept.append(char)
    return " ".join("".join(kept).split())


@lru_cache(maxsize=8192)
def width(text: str) -> int:
    """Columns of a text; a character without a width counts as none."""
    return sum(max(0, wcwidth(char)) for char in text)


def clip(text: str, columns: int) -> str:
    """The text in at most `columns` columns; an ellipsis shows that something is missing."""
    if width(text) <= columns:
        return text
    if columns <= 0:
        return ""
    kept, used = [], 0
    for char in text:
        used += max(0, wcwidth(char))
        if used > columns - 1:
            break
        kept.append(char)
    return "".join(kept).rstrip() + "…"


def pad(text: str, columns: int) -> str:
    """The text in exactly `columns` columns, left-aligned."""
    short = clip(text, columns)
    return short + " " * (columns - width(short))


def right(text: str, columns: int) -> str:
    """The text in exactly `columns` columns, right-aligned."""
    short = clip(text, columns)
    return " " * (columns - width(short)) + short


def line_width(line: Line) -> int:
    """Columns of a line."""
    return sum(width(cell.text) for cell in line)


def fit(line: Line, columns: int) -> Line:
    """The line in exactly `columns` columns: clipped with an ellipsis, or padded in the style of its last cell."""
    total = line_width(line)
    if total <= columns:
        style = line[-1].style if line and line[-1].style.startswith("bar") else ""
        return (*line, Cell(" " * (columns - total), style)) if total < columns else line
    cells: list[Cell] = []
    left = columns
    for cell in line:
        size = width(cell.text)
        if size < left:
            cells.append(cell)
            left -= size
            continue
        cells.append(cell._replace(text=pad(clip(cell.text + "…", left), left)))
        break
    return tuple(cells)


def spread(start: Line, end: Line, columns: int, style: str = "") -> Line:
    """`start` at the left, `end` at the right edge; `start` is clipped where both do not fit."""
    room = max(0, columns - line_width(end))
    left = fit(start, room) if line_width(start) > room else (*start, Cell(" " * (room - line_width(start)), style))
    return fit((*left, *end), columns)


def wrap(text: str, columns: int, indent: str = "") -> list[str]:
    """The text broken at spaces into rows of at most `columns`; `indent` starts every row but the first."""
    rows: list[str] = []
    row = ""
    for word in text.split():
        for piece in pieces(word, max(1, columns - width(indent))):
            if row.strip() and width(row) + 1 + width(piece) > columns:
                rows.append(row)
                row = indent + piece
            else:
                row = f"{row} {piece}" if row.strip() else row + piece
    if row.strip():
        rows.append(row)
    return rows


def pieces(word: str, columns: int) -> Iterable[str]:
    """A word cut where it is wider than a whole row."""
    piece, used = "", 0
    for char in word:
        size = max(0, wcwidth(char))
        if piece and used + size > columns:
            yield piece
            piece, used = "", 0
        piece += char
        used += size
    yield piece


def signed(points: int) -> str:
    """`+12`, `-8`, `0`: a difference, with its sign."""
    return f"{points:+d}" if points else "0"
