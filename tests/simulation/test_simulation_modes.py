"""Every mode and option of Fantasy Realms by real peers on bad networks, each record read by somebody else."""

from __future__ import annotations

from io import BytesIO

import pytest

from frp2p.deal.clear.kind import ClearKind
from frp2p.deal.dealer import DealerKind
from frp2p.deal.sealed import SealedKind
from frp2p.games.fantasy_realms.game import GAME
from frp2p.games.fantasy_realms.options import MODES, Options
from frp2p.ledger.verify import verify
from frp2p.table.status import Status
from frp2p.testing.network import Conditions
from frp2p.testing.table import MemoryTable

RADIO = Conditions(delay=(0.0, 0.3), loss=0.05, duplicate=0.05, cut_every=5.0)

TABLES = {
    "duel": (Options(mode="duel"), 2),
    "duel with extra suits": (Options(mode="duel", extra_suits=True), 2),
    "extra suits": (Options(extra_suits=True, jester=True, phoenix="deluxe"), 3),
    "seven seats": (Options(extra_suits=True, unlinkable_hands=False), 7),
    "match": (Options(extra_suits=True, rounds=3, unlinkable_hands=False), 2),
    "chaos": (Options(mode="chaos", seconds=20), 3),
    "chaos with extra suits": (Options(mode="chaos", extra_suits=True, seconds=15), 7),
    "match for points": (Options(phoenix="promo", points=300), 3),
}

SEALED = {
    "chaos": (Options(mode="chaos", seconds=10), 3),
    "duel with extra suits": (Options(mode="duel", extra_suits=True), 2),
    "match with extra suits": (Options(extra_suits=True, rounds=2), 2),
}


def play(options: Options, seats: int, seed: int, dealer: DealerKind) -> Status:
    """One game to its end; the host's last status. Everybody came to the same, and so does a reader of the record."""
    table = MemoryTable(seed, seats, GAME, options, dealer, conditions=RADIO)
    ended = table.play(seconds=4 * 3600.0)
    states = [peer.status() for peer in table.peers]
    assert ended, [(status.phase, status.step, status.waiting_for, status.fault) for status in states]
    assert {status.phase for status in states} == {"over"}, [status.fault for status in states]
    [record] = {peer.transcript() for peer in table.peers}
    report = verify(BytesIO(record or b""), {GAME.name: GAME}, {dealer.name: dealer})
    assert {status.digest for status in states} == {report.digest}
    for status in states:
        assert [(seat.total, seat.rank) for seat in status.view.seats] == [
            (seat.total, seat.rank) for seat in report.seats
        ]
    return states[0]


def check_end(options: Options, status: Status) -> None:
    """The end is one of these options: so many rounds, hands of the right size."""
    view = status.view
    assert view.options == options
    if options.points:
        assert max(seat.total for seat in view.seats) >= options.points
    else:
        assert view.round == options.rounds
    assert all(view.full <= len(seat.hand) + len(seat.extras) <= view.full + 1 for seat in view.seats)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", TABLES)
def test_clear_games_of_every_mode(name: str, seed: int) -> None:
    options, seats = TABLES[name]
    check_end(options, play(options, seats, seed, ClearKind()))


@pytest.mark.slow
@pytest.mark.parametrize("name", SEALED)
def test_sealed_games_of_every_mode(name: str) -> None:
    options, seats = SEALED[name]
    check_end(options, play(options, seats, 5, SealedKind()))


def test_no_mode_is_left_out() -> None:
    for tables in (TABLES, SEALED):
        assert {options.mode for options, _seats in tables.values()} == set(MODES)
        assert any(options.match for options, _seats in tables.values())
