"""Pages that are written in Markdown as text for a terminal: headings, paragraphs, lists, tables, examples.

Only what our own pages use is known. Text is wrapped by columns as wcwidth counts them, with ASCII around it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import click

from frp2p.app.model_text import pad, width, wrap

GAP = "  "
"""Between two columns of a table."""

LAST_COLUMN = 32
"""Columns that the last column of a table needs; a table that has less room for it is shown as a list."""

_ITEM = re.compile(r"(- |\d+\. )(.*)")
_LINK = re.compile(r"\[([^\]]+)\]\(([^)]+)\)")
_MARKUP = re.compile(r"\*\*|`")


def plain(text: str) -> str:
    """The text without marks, but for the stars of a stressed word; a link within the page with its part's name."""
    return _MARKUP.sub("", _LINK.sub(_link, text))


def _link(found: re.Match[str]) -> str:
    text, target = found.groups()
    return f"{text} ({target[1:]})" if target.startswith("#") else text


def lines(text: str, columns: int) -> list[str]:
    """The page in lines of at most `columns` columns (but for examples, which are never broken)."""
    shown: list[str] = []
    for block in _blocks(text):
        shown += ["", *_block(block, columns)] if shown else _block(block, columns)
    return shown


def _blocks(text: str) -> Iterator[list[str]]:
    """What stands between empty lines; an example and a heading are always blocks of their own."""
    block: list[str] = []
    fenced = False
    for line in text.splitlines():
        fence = line.startswith("```")
        if fence and not fenced and block:
            yield block
            block = []
        if line.startswith(("<a ", "<!--")) and not fenced:
            continue
        if line.strip() or fenced:
            block.append(line)
        fenced ^= fence
        if block and ((fence and not fenced) or (not line.strip() and not fenced)):
            yield block
            block = []
    if block:
        yield block


def _block(block: list[str], columns: int) -> list[str]:
    first = block[0]
    if first.startswith("```"):
        return [f"    {line}".rstrip() for line in block[1:-1]]
    if first.startswith("#"):
        return _heading(first, columns)
    if first.startswith("|"):
        return _table([_cells(line) for line in block], columns)
    if _ITEM.match(first):
        return _list(block, columns)
    return wrap(plain(" ".join(block)), columns)


def _heading(line: str, columns: int) -> list[str]:
    marks, _space, title = line.partition(" ")
    rows = wrap(plain(title), columns)
    under = {1: "=", 2: "-"}.get(len(marks), "")
    rule = [under * max(map(width, rows))] if under else []
    return [click.style(row, bold=True) for row in [*rows, *rule]]


def _list(block: list[str], columns: int) -> list[str]:
    items: list[tuple[str, str]] = []
    for line in block:
        found = _ITEM.match(line)
        if found:
            items.append((found[1], found[2]))
        else:
            mark, text = items[-1]
            items[-1] = (mark, f"{text} {line.strip()}")
    return [row for mark, text in items for row in wrap(mark + plain(text), columns, " " * len(mark))]


def _cells(line: str) -> list[str]:
    return [plain(cell.strip()) for cell in line.strip().strip("|").split("|")]


def _table(rows: list[list[str]], columns: int) -> list[str]:
    """In columns of which only the last is wrapped, or as a list where that one would become too narrow."""
    heads, _rule, *body = rows
    widths = [max(width(row[at]) for row in [heads, *body]) for at in range(len(heads) - 1)]
    room = columns - sum(widths) - len(GAP) * len(widths)
    longest = max(width(row[-1]) for row in [heads, *body])
    if room < min(longest, LAST_COLUMN):
        return [line for row in body for line in _as_item(heads, row, columns)]
    shown = _row(heads, widths, room)
    shown.append(GAP.join("-" * one for one in [*widths, min(longest, room)]))
    for row in body:
        shown += _row(row, widths, room)
    return shown


def _row(row: list[str], widths: list[int], room: int) -> list[str]:
    first = GAP.join([*(pad(cell, one) for cell, one in zip(row, widths, strict=False)), ""])
    parts = wrap(row[-1], room) or [""]
    return [(first if number == 0 else " " * width(first)) + part for number, part in enumerate(parts)]


def _as_item(heads: list[str], row: list[str], columns: int) -> list[str]:
    """A row whose first cell is its title; the last needs no name when there are only two."""
    shown = wrap(f"- {row[0]}", columns, "  ")
    for head, cell in zip(heads[1:], row[1:], strict=True):
        text = cell if len(heads) == 2 else f"{head}: {cell}"
        shown += [f"    {part}" for part in wrap(text, columns - 4)]
    return shown
