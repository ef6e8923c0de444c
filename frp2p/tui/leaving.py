"""What keys do in the question whether to leave. Pure."""

from __future__ import annotations

from typing import Final

import msgspec

from frp2p.app import model_leaving
from frp2p.tui.state import Stage, Ui

ACTIONS: Final = frozenset({"commit", "yes", "forfeit", "up", "down", "interrupt"})
"""The actions that are answered here while the question is open."""


class Leave(msgspec.Struct, frozen=True):
    """The person goes; `for_good`: out of the game, which goes on without this seat."""

    for_good: bool = False


def shown(stage: Stage) -> int:
    """The marked answer, at first the one by which nothing is lost."""
    return max(0, min(stage.ui.act, len(model_leaving.ways(stage.snapshot.status)) - 1))


def press(stage: Stage, ui: Ui, action: str) -> tuple[Ui, Leave | None]:
    """The screen after this action of `ACTIONS`, and whether the person goes. To leave for good is asked once more."""
    status = stage.snapshot.status
    if not model_leaving.asks_how(status):
        return (ui, Leave()) if action in ("yes", "commit", "interrupt") else (ui, None)
    ways, at = model_leaving.ways(status), shown(stage)
    if action in ("up", "down"):
        return msgspec.structs.replace(ui, act=(at + (1 if action == "down" else -1)) % len(ways), armed=False), None
    if action == "interrupt":
        return ui, Leave()
    if action == "forfeit":
        good = next(number for number, way in enumerate(ways) if way.what == "good")
        if at == good and ui.armed:
            return ui, Leave(for_good=True)
        return msgspec.structs.replace(ui, act=good, armed=True), None
    if ways[at].what == "stay":
        return msgspec.structs.replace(ui, overlay="", act=-1, armed=False), None
    if ways[at].what == "away":
        return ui, Leave()
    if ui.armed:
        return ui, Leave(for_good=True)
    return msgspec.structs.replace(ui, act=at, armed=True), None
