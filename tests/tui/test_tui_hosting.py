"""The lobby of a host: keys that let in and send away, and what everybody else sees."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from tui_kit import seats, snapshot, stage, status, text

from frp2p.app import model_lobby
from frp2p.table.status import SeatStatus, Status
from frp2p.tui.actions import press
from frp2p.tui.bindings import find
from frp2p.tui.hosting import Admit, Remove
from frp2p.tui.state import Ui


def at_door(*names: str) -> tuple[SeatStatus, ...]:
    return tuple(
        SeatStatus(place, name, bytes([100 + place]) * 32, f"ASKED-{place}", True) for place, name in enumerate(names)
    )


def lobby(me: int | None = 0, *, sit: int = 2, wanted: int = 4, asking: tuple[str, ...] = (), **more: object) -> Status:
    empty = status(wanted, phase="lobby", seats=seats(sit), shuffled_by=(), code="", step=0)
    return replace(empty, me=me, asking=at_door(*asking), **more)


def test_the_host_lets_in_who_is_under_the_cursor() -> None:
    here = lobby(asking=("Mallory", "Zoe"))
    shown = text(stage(snapshot(here)))
    assert "ASKED-0" in shown
    assert "> ? Mallory" in shown
    assert "let in" in shown
    ui, effect = press(stage(snapshot(here)), "y")
    assert effect == Admit(bytes([100]) * 32)
    ui, effect = press(stage(snapshot(here), ui=ui), "down")
    assert effect is None
    assert "> ? Zoe" in text(stage(snapshot(here), ui=ui))
    _ui, effect = press(stage(snapshot(here), ui=ui), "y")
    assert effect == Admit(bytes([101]) * 32)


def test_to_send_somebody_away_takes_the_key_twice() -> None:
    here = lobby(sit=3, asking=("Mallory",))
    ui = Ui()
    for _row in range(5):  # the cursor stops at the last one
        ui, _effect = press(stage(snapshot(here), ui=ui), "down")
    ui, effect = press(stage(snapshot(here), ui=ui), "x")
    assert effect is None
    assert here.seats[2].name in ui.toast
    again, effect = press(stage(snapshot(here), ui=ui), "x")
    assert effect == Remove(here.seats[2].key)
    assert not again.armed
    moved, _effect = press(stage(snapshot(here), ui=ui), "up")
    moved, effect = press(stage(snapshot(here), ui=moved), "x")
    assert (effect, here.seats[1].name in moved.toast) == (None, True)


@pytest.mark.parametrize(
    ("here", "key", "why"),
    [
        (lobby(1), "y", "Only the host"),
        (lobby(1), "x", "Only the host"),
        (lobby(None), "x", "Only the host"),
        (lobby(sit=1), "x", "Nobody is here"),
        (lobby(sit=1), "y", "Nobody here asks"),
        (lobby(sit=4, asking=("Zoe",)), "y", "All seats"),
    ],
)
def test_a_key_that_can_do_nothing_says_why(here: Status, key: str, why: str) -> None:
    ui, effect = press(stage(snapshot(here)), key)
    assert effect is None
    assert why in ui.toast
    assert "send away" not in text(stage(snapshot(here))) or model_lobby.guests(here)


def test_who_sits_already_is_not_let_in_once_more() -> None:
    here = lobby(asking=("Zoe",))
    ui, _effect = press(stage(snapshot(here)), "down")
    ui, effect = press(stage(snapshot(here), ui=ui), "y")
    assert (effect, "sits already" in ui.toast) == (None, True)


def test_everybody_reads_what_is_waited_for() -> None:
    assert "The host has not let you in yet." in text(stage(snapshot(lobby(None))))
    assert "begins in a few seconds" in text(stage(snapshot(lobby(sit=4, starting=True))))
    assert "frp2p join 192.168.1.20:47377 --passphrase" in text(
        stage(replace(snapshot(lobby(locked=True)), address="192.168.1.20:47377"))
    )
    assert model_lobby.guests(lobby(1)) == ()


def test_names_at_the_door_are_cleaned_before_they_are_drawn() -> None:
    assert "\x1b" not in text(stage(snapshot(lobby(asking=("\x1b[2J",)))))


def test_the_keys_mean_nothing_of_this_in_a_game() -> None:
    for key, action in (("y", "admit"), ("x", "remove")):
        assert find(key, "lobby") is not None
        row = find(key, "table")
        assert row is None or row.action != action
