"""Whole games by real peers on bad networks, each from one seed.

To look at a failing seed: `pytest tests/simulation -k "clear and 137"`, or `play(137, ClearKind())` in a shell.
"""

from __future__ import annotations

import random
from io import BytesIO

import pytest

from frp2p.deal.clear.kind import ClearKind
from frp2p.deal.dealer import DealerKind
from frp2p.deal.sealed import SealedKind
from frp2p.games.fantasy_realms.game import GAME
from frp2p.games.fantasy_realms.options import Options
from frp2p.ledger.verify import verify
from frp2p.table.events import Closed, Dealt, Moved, Opened, Refused, Spoke, Stopped
from frp2p.table.status import Status
from frp2p.testing.finality import FinalityWatch
from frp2p.testing.network import Conditions
from frp2p.testing.table import MemoryTable

CLEAR_GAMES = 30
SEALED_GAMES = 10
PER_TEST = 10
"""Games in one test, so that several workers share them."""

VERIFIED = 5
"""Every so many games a reader verifies the file too. (Before they attest, the peers have verified all but its end.)"""

SEATS = (2, 2, 2, 3, 3, 3, 4, 4, 5, 6)
"""By the last digit of the seed; large tables cost more than they teach."""

WEATHER = (
    Conditions(delay=(0.001, 0.02), reorder=False),
    Conditions(delay=(0.0, 0.5)),
    Conditions(delay=(0.01, 0.3), loss=0.05, duplicate=0.05),
    Conditions(delay=(0.0, 0.2), loss=0.2, duplicate=0.1),
    Conditions(delay=(0.001, 0.1), reorder=False, cut_every=3.0),
    Conditions(delay=(0.0, 0.3), loss=0.05, duplicate=0.05, cut_every=5.0),
)
"""From a good cable to a bad radio."""


def play(seed: int, dealer: DealerKind) -> MemoryTable:
    """One game and everything that must hold after it."""
    dice = random.Random(seed)
    seats = SEATS[seed % len(SEATS)]
    options = Options(unlinkable_hands=dice.random() < 0.3)
    table = MemoryTable(seed, seats, GAME, options, dealer, conditions=WEATHER[seed % len(WEATHER)])
    watch = FinalityWatch(table.network, table.peers[0])
    ended = table.play()
    states = [peer.status() for peer in table.peers]
    assert ended, [(status.phase, status.step, status.waiting_for, status.fault) for status in states]
    assert {status.phase for status in states} == {"over"}, [status.fault for status in states]
    [record] = {peer.transcript() for peer in table.peers}
    if seed % VERIFIED == 0:
        report = verify(BytesIO(record or b""), {GAME.name: GAME}, {dealer.name: dealer})
        assert {status.digest for status in states} == {report.digest}
        assert (report.dealer, len(report.seats)) == (dealer.name, seats)
        assert tuple((seat.total, seat.rank) for seat in report.seats) == results(states[0])
    assert len({(status.digest, results(status)) for status in states}) == 1
    assert all(status.shuffled_by == status.verified_by == tuple(range(seats)) for status in states)
    assert watch.parts_seen > states[0].step
    check_events(table)
    return table


def results(status: Status) -> tuple[tuple[int, int], ...]:
    """Total and rank of each seat, as this peer sees them."""
    return tuple((seat.total, seat.rank) for seat in status.view.seats)


def check_events(table: MemoryTable) -> None:
    """Everybody was told the same, in the same order, and nobody was blamed for the weather."""
    stories = []
    for key in table.keys:
        events = table.network.events[key]
        stories.append([event for event in events if isinstance(event, Opened | Spoke | Dealt | Moved | Closed)])
        assert not [event for event in events if isinstance(event, Refused | Stopped)]
    assert all(story == stories[0] for story in stories)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, CLEAR_GAMES, PER_TEST))
def test_clear_games_end_with_one_record(first: int) -> None:
    for seed in range(first, first + PER_TEST):
        try:
            play(seed, ClearKind())
        except BaseException as error:
            error.add_note(f"seed {seed}")
            raise


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1000, 1000 + SEALED_GAMES))
def test_sealed_games_end_with_one_record(seed: int) -> None:
    play(seed, SealedKind())


def test_a_seed_gives_the_same_game_byte_for_byte() -> None:
    first, second = (play(42, ClearKind()) for _ in range(2))
    assert first.peers[0].transcript() == second.peers[0].transcript()
    assert first.network.frames == second.network.frames
    assert first.network.clock.now == second.network.clock.now
