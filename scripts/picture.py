"""Draw docs/client.svg: the real client on a screen in memory, in the middle of a real game, as a picture.

`.venv/bin/python scripts/picture.py` writes it, with `--check` it only says whether it is up to date (exit code 1 if
not). The screen is the one that tests/tui drives with keys.
"""

from __future__ import annotations

import asyncio
import sys
from itertools import groupby
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "tui"))

from screen_rig import rig  # noqa: E402 - the path to it is set above
from tui_kit import Table, by_default  # noqa: E402

from frp2p import locale  # noqa: E402

PICTURE = ROOT / "docs" / "client.svg"
COLUMNS, ROWS = 110, 32
SEED, TURN = 21, 14
"""Which game, and the turn after which the picture is taken."""

CELL_WIDTH, CELL_HEIGHT, FONT_SIZE = 8, 17, 13
"""Pixels of one character cell; letters are stretched to it, so every font gives the same picture."""

GROUND, INK = "#1c1f26", "#d8dee9"
COLOURS = {
    "default": INK, "black": "#15171c", "red": "#c34a54", "green": "#86b972", "brown": "#d3a94f", "blue": "#5b8cc9",
    "magenta": "#a55fa0", "cyan": "#58aebd", "white": "#c7ccd6", "brightblack": "#5f6675", "brightred": "#e0787f",
    "brightgreen": "#a6d493", "brightbrown": "#ecca7a", "brightyellow": "#ecca7a", "brightblue": "#8db4e4",
    "brightmagenta": "#cf93ca", "brightcyan": "#86d0dc", "brightwhite": "#f2f4f8",
}  # fmt: skip


async def screen() -> str:
    """The client when it is my turn to discard, as SVG."""
    table = Table(4, seed=SEED)
    for shot in table.views(by_default):
        view = shot.status.view
        if view.phase == "discard" and 0 in view.asked and view.turn >= TURN:
            break
    task = asyncio.create_task(table.human.decide(view, ()))
    async with rig(table, table.human, COLUMNS, ROWS) as running:
        await running.keys("n")
        drawn = svg(running.glass.screen)
    task.cancel()
    return drawn


def ink(char: Any) -> tuple[str, str, bool]:
    """Letter colour, ground colour (empty: the screen's) and weight of one cell."""
    front, back = (COLOURS[name.replace("bfight", "bright")] for name in (char.fg, char.bg))  # pyte writes it so
    back = "" if char.bg == "default" else back
    if char.reverse:
        front, back = back or GROUND, front
    return front, back, char.bold


def svg(glass: Any) -> str:
    """The screen as SVG: one rectangle and one text for each run of cells that look alike."""
    width, height = COLUMNS * CELL_WIDTH + 16, ROWS * CELL_HEIGHT + 16
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">',
        "<title>The frp2p client: hand, players, discard area, card text and log</title>",
        f'<rect width="{width}" height="{height}" rx="6" fill="{GROUND}"/>',
        f'<g font-family="ui-monospace, Menlo, Consolas, DejaVu Sans Mono, monospace" font-size="{FONT_SIZE}"'
        ' xml:space="preserve">',
    ]
    for row in range(ROWS):
        cells = [(ink(glass.buffer[row][column]), column) for column in range(COLUMNS)]
        for style, run in groupby(cells, key=lambda cell: cell[0]):
            columns = [column for _style, column in run]
            parts += run_svg("".join(glass.buffer[row][column].data for column in columns), columns[0], row, style)
    return "\n".join([*parts, "</g>", "</svg>", ""])


def run_svg(text: str, column: int, row: int, style: tuple[str, str, bool]) -> list[str]:
    """One run of cells."""
    front, back, bold = style
    x, y, size = 8 + column * CELL_WIDTH, 8 + row * CELL_HEIGHT, len(text) * CELL_WIDTH
    parts = []
    if back:
        parts.append(f'<rect x="{x}" y="{y}" width="{size}" height="{CELL_HEIGHT}" fill="{back}"/>')
    if text.strip():
        lead = len(text) - len(text.lstrip())
        text = text.strip()
        weight = ' font-weight="bold"' if bold else ""
        parts.append(
            f'<text x="{x + lead * CELL_WIDTH}" y="{y + FONT_SIZE}" fill="{front}"{weight}'
            f' textLength="{len(text) * CELL_WIDTH}" lengthAdjust="spacingAndGlyphs">{escape(text)}</text>'
        )
    return parts


def picture() -> str:
    """The whole file."""
    locale.use("en")
    return asyncio.run(screen())


def main() -> int:
    drawn = picture()
    if "--check" in sys.argv[1:]:
        return 0 if PICTURE.exists() and PICTURE.read_text(encoding="utf-8") == drawn else 1
    PICTURE.write_text(drawn, encoding="utf-8")
    print(f"{PICTURE.relative_to(ROOT)}: {len(drawn)} characters", file=sys.stderr)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
