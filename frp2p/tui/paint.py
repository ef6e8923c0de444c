"""A frame becomes fragments for prompt_toolkit; for terminals without Unicode every sign gets an ASCII one as wide."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from typing import TypeAlias

from prompt_toolkit.formatted_text import OneStyleAndTextTuple, StyleAndTextTuples
from prompt_toolkit.mouse_events import MouseEvent

from frp2p.app.model_text import Cell, Target, width
from frp2p.tui.compose import Frame

Clicked: TypeAlias = Callable[[Target | None, MouseEvent], object]

_SIGNS = str.maketrans("─│●○▸…·“”’–—", '-|*o>~.""\'--')


def ascii_only(text: str) -> str:
    """The text in ASCII and as wide as before: accents dropped, unknown letters as question marks."""
    plain = text.translate(_SIGNS)
    if plain.isascii():
        return plain
    return "".join(char if char.isascii() else _plain(char) for char in plain)


def _plain(char: str) -> str:
    base = unicodedata.normalize("NFKD", char)[:1]
    size = width(char)
    return base if base.isascii() and size == 1 else "?" * size


def fragments(frame: Frame, clicked: Clicked, *, ascii: bool) -> StyleAndTextTuples:
    """All lines in one list; every cell can be clicked and scrolled over."""
    found: StyleAndTextTuples = []
    for number, line in enumerate(frame.lines):
        if number:
            found.append(("", "\n"))
        found += [_fragment(cell, clicked, ascii=ascii) for cell in line]
    return found


def _fragment(cell: Cell, clicked: Clicked, *, ascii: bool) -> OneStyleAndTextTuple:
    target = cell.target

    def handler(event: MouseEvent) -> object:
        return clicked(target, event)

    style = f"class:{cell.style}" if cell.style else ""
    return (style, ascii_only(cell.text) if ascii else cell.text, handler)
