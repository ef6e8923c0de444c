"""What keys do while cards are traded in Chaos Realms. Pure.

The list of what can be done with a card never moves while it is open, and when the hand changes it closes: no key may
do something else than what was on the screen when the finger went down.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec

from frp2p.app import model_trade
from frp2p.games.game import Move
from frp2p.tui.prompting import END
from frp2p.tui.state import Stage, Ui, mode

ACTIONS: Final[Mapping[str, frozenset[str]]] = {
    "trading": frozenset({"commit", "yes"}),
    "trade": frozenset({"commit", "yes", "up", "down", "first", "last"}),
}
"""The actions that are answered here, by mode."""


def shown(stage: Stage) -> int:
    """The marked row: the one that was moved to, at first the first one that can be done."""
    rows = model_trade.acts(stage.view, stage.cursor)
    if stage.ui.act >= 0:
        return max(0, min(stage.ui.act, len(rows) - 1))
    return next((number for number, row in enumerate(rows) if not row.why), 0)


def press(stage: Stage, ui: Ui, action: str) -> tuple[Ui, Move | None]:
    """The screen after this action of `ACTIONS`, and the move that it makes."""
    if mode(stage) == "trading":
        first = shown(msgspec.structs.replace(stage, ui=msgspec.structs.replace(ui, act=-1)))
        return msgspec.structs.replace(ui, overlay="trade", area="hand", act=first), None
    rows, at = model_trade.acts(stage.view, stage.cursor), shown(stage)
    if not rows:
        return msgspec.structs.replace(ui, overlay=""), None
    if action in ("commit", "yes"):
        row = rows[at]
        if row.why:
            return msgspec.structs.replace(ui, toast=row.why), None
        return msgspec.structs.replace(ui, overlay="", act=-1), row.move
    to = {"up": (at - 1) % len(rows), "down": (at + 1) % len(rows), "first": 0}.get(action, END)
    return msgspec.structs.replace(ui, act=min(to, len(rows) - 1)), None
