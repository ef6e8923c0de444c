"""The lobby of a host: whom to let in and whom to send away. Pure, like every other key."""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from frp2p.app import model_lobby
from frp2p.locale import _
from frp2p.table.status import SeatStatus
from frp2p.tui.state import Stage, Ui

ACTIONS = ("admit", "remove", "up", "down")
"""What is done here; up and down only where there is somebody to point at."""


class Admit(msgspec.Struct, frozen=True):
    """Let this guest in."""

    key: bytes


class Remove(msgspec.Struct, frozen=True):
    """Send this guest away."""

    key: bytes


Effect: TypeAlias = Admit | Remove | None


def pointed(stage: Stage) -> SeatStatus | None:
    """The guest under the cursor."""
    guests = model_lobby.guests(stage.snapshot.status)
    return guests[min(stage.ui.index, len(guests) - 1)] if guests else None


def press(stage: Stage, ui: Ui, action: str) -> tuple[Ui, Effect]:
    """The screen after this key and what the host decided. To send somebody away takes the key twice."""
    guest = pointed(stage)
    if guest is None:
        return ui, None
    guests = model_lobby.guests(stage.snapshot.status)
    at = min(ui.index, len(guests) - 1)
    if action in ("up", "down"):
        moved = min(max(0, at + (1 if action == "down" else -1)), len(guests) - 1)
        return msgspec.structs.replace(ui, index=moved, armed=False), None
    calm = msgspec.structs.replace(ui, armed=False)
    if action == "admit":
        return calm, Admit(guest.key)
    if not ui.armed:
        text = _("x again sends {name} away; this key does not come back to this table.").format(name=guest.name)
        return msgspec.structs.replace(ui, armed=True, index=at, toast=text), None
    return calm, Remove(guest.key)


def why_not_admit(stage: Stage) -> str:
    """Why nobody can be let in now."""
    status = stage.snapshot.status
    if not model_lobby.hosting(status):
        return _("Only the host lets people in.")
    guest = pointed(stage)
    if guest is None or guest not in status.asking:
        return _("Nobody here asks for a seat.") if not status.asking else _("This player sits already.")
    if guest.arbiter:
        return "" if status.lacks_arbiter else _("There is an arbiter already.")
    return "" if len(status.seats) < status.seats_wanted else _("All seats are taken.")


def why_not_remove(stage: Stage) -> str:
    """Why nobody can be sent away now."""
    if not model_lobby.hosting(stage.snapshot.status):
        return _("Only the host sends people away.")
    return "" if pointed(stage) is not None else _("Nobody is here to be sent away.")
