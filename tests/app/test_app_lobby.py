"""The lobby says which arithmetic hides the cards, and warns where its timing shows."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec
import pytest

from frp2p.app.model_lobby import lobby, setup
from frp2p.app.model_text import Line
from frp2p.app.snapshot import Snapshot
from frp2p.deal.group.choose import VARIABLE, default_group
from frp2p.table.status import SeatStatus, Status

EMPTY = Status(
    phase="lobby",
    me=0,
    code="",
    game="fantasy-realms",
    options=None,
    seats_wanted=2,
    seats=(SeatStatus(0, "Ana", bytes(32), "K7Q2-M0PX-44RA", connected=True),),
    step=0,
    waiting_for=(),
    asked=False,
    shuffled_by=(),
    verified_by=(),
    digest=None,
    fault=None,
    view=None,
)
SHOT = Snapshot(EMPTY, (), 0, "127.0.0.1:52701", None, None, "")
Screen = Callable[[Snapshot, int], list[Line]]


@pytest.fixture(params=["sodium", "pure"])
def group(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setenv(VARIABLE, request.param)
    default_group.cache_clear()
    yield request.param
    default_group.cache_clear()


@pytest.mark.parametrize("screen", [lobby, setup])
def test_the_back_end_is_named(group: str, screen: Screen) -> None:
    for columns in (60, 100):
        cells = [cell for line in screen(SHOT, columns) for cell in line]
        text = " ".join("".join(cell.text for cell in cells).split())
        assert f"Back end {group}:" in text
        assert ("not in constant time" in text) == (group == "pure")
        assert {cell.style for cell in cells if "Back end" in cell.text} == {"dim" if group == "sodium" else "warn"}


def test_a_lobby_that_the_host_has_not_shown_yet_counts_no_seats() -> None:
    shot = msgspec.structs.replace(SHOT, status=msgspec.structs.replace(EMPTY, seats_wanted=0, seats=(), me=None))
    text = " ".join(cell.text for line in lobby(shot, 80) for cell in line)
    assert "The host has not shown its table yet." in text
    assert "taken" not in text
    assert "It is called at 127.0.0.1:52701." in text
    assert "Others sit down" not in text


@pytest.mark.parametrize("watching", [False, True], ids=["a guest", "who watches"])
def test_a_lobby_whose_host_is_gone_says_so(*, watching: bool) -> None:
    away = SeatStatus(0, "Ana", bytes(32), "K7Q2-M0PX-44RA", connected=False)
    ben = SeatStatus(1, "Ben", bytes(32), "K7Q2-M0PX-44RB", connected=not watching)
    status = msgspec.structs.replace(EMPTY, seats=(away, ben), seats_wanted=3, me=None if watching else 1)
    shot = msgspec.structs.replace(SHOT, status=msgspec.structs.replace(status, watching=watching))
    for columns in (60, 80):
        text = " ".join(" ".join(cell.text for cell in line) for line in lobby(shot, columns))
        assert "No connection to the host" in text
        assert "Waiting for" not in text
    assert "No connection" not in " ".join(cell.text for line in lobby(SHOT, 80) for cell in line)
