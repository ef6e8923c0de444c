"""What is printed about seats that are out, by whoever played and by whoever verifies the record."""

from __future__ import annotations

import json
from pathlib import Path
from typing import get_args

import pytest
from click.testing import CliRunner

from frp2p import locale
from frp2p.app.result import Result
from frp2p.cli import main
from frp2p.cli import verify as command
from frp2p.cli.outcome import tell_people
from frp2p.games.fantasy_realms.game import GAME
from frp2p.games.fantasy_realms.options import Options
from frp2p.ledger.provisions import Clock, provisions
from frp2p.ledger.verify import Report, SeatReport
from frp2p.ledger.votes import How
from frp2p.table.status import SeatStatus, Status

NAMES = ("Ana", "Bob", "Eva", "Rui")
HOWS = get_args(How)


def report(how: How | None, total: int | None) -> Report:
    """Of four seats Eva is out like this, in step 18; the others have points, if she was not the last but one."""
    out = None if how is None else 18
    points = (None if how == "last" else 90, None if how == "last" else 80, total, 70)
    seats = tuple(
        SeatReport(seat, name, bytes(32), "F-P", points[seat], 1, *((out, how) if seat == 2 else (None, None)))
        for seat, name in enumerate(NAMES)
    )
    provided = provisions(4, Clock(60, 0, 0, 25), recovery=how == "recover")
    return Report(
        game="fantasy-realms", options=Options(), dealer="sealed", code="AAAA-BBBB", digest=bytes(32), steps=40,
        provisions=provided, seats=seats, attested=4 - (out is not None), stopped=how == "stop",
    )  # fmt: skip


@pytest.mark.usefixtures("new_home")
@pytest.mark.parametrize("language", ["en", "pt_BR"])
@pytest.mark.parametrize(("how", "total"), [(None, 60), *((how, None) for how in HOWS), ("end", 60)])
def test_a_verifier_says_how_each_seat_is_out_and_what_was_agreed(
    how: How | None, total: int | None, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = report(how, total)
    monkeypatch.setattr(command, "_judge_file", lambda _file, **_options: told)
    Path("file").write_bytes(b"")
    shown = CliRunner().invoke(main, ["--lang", language, "verify", "file"])
    assert shown.exit_code == 0, shown.output
    assert "None" not in shown.stdout
    assert "{" not in shown.stdout
    assert "25 s" in shown.stdout  # how long one might be away, and the clock
    assert "60 s" in shown.stdout
    [eva] = [line for line in shown.stdout.splitlines() if "Eva" in line]
    assert ("60" in eva) == (total is not None)
    assert ("18" in eva) == (how is not None and total is None)
    found = json.loads(CliRunner().invoke(main, ["verify", "--json", "file"]).stdout)
    assert found["seats"][2]["how"] == how
    assert found["provisions"]["clock"] == {
        "move_seconds": 60, "bank_seconds": 0, "increment_seconds": 0, "away_seconds": 25,
    }  # fmt: skip
    assert (found["provisions"]["recovery"], found["provisions"]["on_loss"]) == (how == "recover", "stop")


def test_the_ways_to_be_out_can_be_told_apart() -> None:
    locale.use("en")
    lines = {how: command._total(report(how, None), report(how, None).seats[2]) for how in HOWS}
    assert len(set(lines.values())) == len(HOWS)


@pytest.mark.parametrize("gone", [(2,), (1, 2), (1, 2, 3)])
def test_nobody_has_points_where_no_card_was_dealt(gone: tuple[int, ...], capsys: pytest.CaptureFixture[str]) -> None:
    """Those who are left are not told that everybody else is out, unless that is so."""
    view = GAME.view(GAME.stop(GAME.start(Options(), 4), gone), None, {})
    seats = tuple(SeatStatus(seat, name, b"", "", True, out=seat in gone) for seat, name in enumerate(NAMES))
    status = Status(
        phase="over", me=0, code="K7Q2MPX4", game="fantasy-realms", options=Options(), seats_wanted=4, seats=seats,
        step=9, waiting_for=(), asked=False, shuffled_by=(), verified_by=(0,), digest=bytes(32), fault=None, view=view,
    )  # fmt: skip
    tell_people(Result(status, None, None, ""))
    shown = capsys.readouterr().out
    alone = len(gone) == 3
    assert ("1. Ana: everybody else is out" in shown, "1. Ana: no card was dealt" in shown) == (alone, not alone)
