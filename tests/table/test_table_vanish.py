"""Seats that vanish at every point of a game, leave it, come back, or are cut off, at tables of every size."""

from __future__ import annotations

import pytest
from vote_kit import AWAY, VoteRig

from frp2p.ledger.events import Moved, SeatsOut
from frp2p.ledger.provisions import Clock, OnLoss
from frp2p.table.events import Adjourned, Stopped, TimeUp
from frp2p.table.limits import COUNT_SECONDS
from frp2p.testing.network import Conditions

pytestmark = pytest.mark.usefixtures("computed_once")


def play_until(rig: VoteRig, step: int) -> bool:
    """Play until this step begins somewhere; whether everybody is in the game by then, and it is not over."""
    rig.open()
    rig.run(lambda: max(map(rig.step, rig.here())) >= step)
    return all(rig.peers[place].status().phase in ("play", "closing") for place in rig.here())


SPREAD = {3: 1, 4: 3, 5: 5, 6: 9, 7: 14}
"""Every so many steps a seat vanishes; a table of seven takes longer and teaches no more."""


@pytest.mark.parametrize("seats", sorted(SPREAD))
@pytest.mark.parametrize("recovery", [False, True])
def test_a_seat_vanishes_at_any_step(seats: int, recovery: bool) -> None:
    """The others find out, decide, and come to an end; the record tells who is missing since when."""
    hows = set()
    for step in range(3, 60, SPREAD[seats]):
        rig = VoteRig(seats, seed=step, recovery=recovery)
        place = step % seats
        if not play_until(rig, step):
            break
        rig.kill(place)
        assert rig.run(seconds=20 * AWAY), [rig.peers[other].status() for other in rig.here()]
        report = rig.check_end()
        assert [seat.seat for seat in report.seats if seat.out is not None] == [place]
        assert report.attested == seats - 1
        hows |= {event.how for event in rig.events(rig.here()[0]) if isinstance(event, SeatsOut)}
    assert hows >= {"recover" if recovery else "stop"}
    assert hows <= {"recover" if recovery else "stop", "end"}


def test_a_vanished_seat_is_out_within_its_allowance_and_ten_seconds() -> None:
    for seats in (3, 5):
        rig = VoteRig(seats, recovery=True)
        rig.held = {1}
        assert play_until(rig, 8)
        rig.run(lambda rig=rig: rig.peers[1].asked)
        rig.kill(1)
        start = rig.now
        assert rig.run(lambda rig=rig: all(rig.outs(place) == [1] for place in rig.here()))
        assert AWAY <= rig.now - start <= AWAY + 10


def test_before_the_game_a_lost_seat_ends_the_table_and_blames_nobody() -> None:
    rig = VoteRig(3)
    rig.open()
    rig.run(lambda: rig.step() >= 1)
    rig.kill(2)
    assert rig.run()
    assert {rig.peers[place].status().fault.code for place in (0, 1)} == {"table-lost"}
    assert [event.seat for event in rig.events(0) if isinstance(event, Stopped)] == [None]


@pytest.mark.parametrize("seats", [2, 4])
def test_a_table_that_cannot_decide_is_adjourned_and_goes_on_when_the_seat_is_back(seats: int) -> None:
    rig = VoteRig(seats, on_loss="adjourn")
    assert play_until(rig, 6)
    rig.kill(1)
    assert not rig.run(seconds=8 * AWAY)
    for place in rig.here():
        assert (rig.peers[place].status().phase, rig.peers[place].status().stuck) == ("play", (1,))
        assert Adjourned((1,)) in rig.events(place)
    rig.revive(1)
    assert rig.run()
    assert rig.check_end().attested == seats


def test_both_halves_of_an_even_split_wait() -> None:
    rig = VoteRig(4)
    assert play_until(rig, 6)
    rig.network.partition(rig.keys[:2], rig.keys[2:])
    assert not rig.run(seconds=6 * AWAY)
    assert all(rig.peers[place].status().stuck for place in range(4))
    assert not any(rig.outs(place) for place in range(4))
    rig.network.heal()
    assert rig.run()
    assert rig.check_end().attested == 4


@pytest.mark.parametrize("recovery", [False, True])
@pytest.mark.parametrize("step", [4, 7, 9])
def test_the_minority_waits_and_adopts_what_the_majority_decided(recovery: bool, step: int) -> None:
    rig = VoteRig(4, seed=step, recovery=recovery)
    assert play_until(rig, step)
    rig.network.partition(rig.keys[:3], rig.keys[3:])
    assert rig.run(lambda: all(rig.outs(place) == [3] for place in range(3)))
    assert rig.outs(3) == []
    rig.run(lambda: False, seconds=3)
    assert rig.peers[3].status().stuck
    rig.network.heal()
    assert rig.run()
    # Whoever is out follows to the end, and has the record too.
    assert rig.check_end().attested == 3
    assert rig.outs(3) == [3]


@pytest.mark.parametrize("seats", [2, 3, 4, 6])
@pytest.mark.parametrize("recovery", [False, True])
def test_a_seat_leaves_at_any_step(seats: int, recovery: bool) -> None:
    """No clock is needed for that, and no shared keys."""
    if recovery and seats == 2:
        return
    for step in range(3, 40, 2 if seats < 4 else 3 * seats - 6):
        rig = VoteRig(seats, seed=step, recovery=recovery)
        if not play_until(rig, step):
            break
        place, start = step % seats, rig.now
        rig.peers[place].leave(rig.now)
        assert rig.run(lambda rig=rig, place=place: rig.peers[place].ended, seconds=AWAY), rig.peers[place].status()
        status = rig.peers[place].status()
        assert (status.phase, status.fault and status.fault.code) in (("stopped", "left"), ("over", None))
        rig.gone.add(place)
        assert rig.run(seconds=AWAY)
        assert rig.now - start < AWAY
        report = rig.check_end()
        assert [seat.seat for seat in report.seats if seat.out is not None] == [place]
        hows = {event.how for event in rig.events(rig.here()[0]) if isinstance(event, SeatsOut)}
        assert hows <= {"last", "end"} if seats == 2 else hows <= {"leave", "end"}


def test_two_leave_at_once_and_a_third_vanishes() -> None:
    rig = VoteRig(6, recovery=True)
    assert play_until(rig, 12)
    rig.peers[1].leave(rig.now)
    rig.peers[4].leave(rig.now)
    rig.kill(2)
    assert rig.run(lambda: rig.peers[1].ended and rig.peers[4].ended, seconds=60)
    rig.gone |= {1, 4}
    assert rig.run()
    assert [seat.seat for seat in rig.check_end().seats if seat.out is not None] == [1, 2, 4]


@pytest.mark.parametrize("recovery", [False, True])
@pytest.mark.parametrize("on_loss", ["stop", "adjourn"])
def test_who_leaves_is_killed_before_its_keys_are_off(recovery: bool, on_loss: OnLoss) -> None:
    """Nobody waits for a seat that is out for good, whatever was agreed about those that may come back."""
    rig = VoteRig(4, recovery=recovery, on_loss=on_loss)
    assert play_until(rig, 8)
    rig.peers[2].leave(rig.now)
    rig.run(lambda: any(2 in rig.outs(place) for place in (0, 1, 3)))
    rig.kill(2)
    assert rig.run()
    assert [seat.seat for seat in rig.check_end().seats if seat.out is not None] == [2]


@pytest.mark.parametrize(
    ("seats", "dealer", "steps"), [(3, "clear", 3), (5, "clear", 9), (3, "sealed", 4), (4, "sealed", 7)]
)
@pytest.mark.parametrize("recovery", [False, True])
def test_one_leaves_for_good_while_the_table_waits_for_another(
    seats: int, dealer: str, steps: int, recovery: bool
) -> None:
    """Its keys may need the other, and by the time that one is back it has gone."""
    waited = False
    for step in range(4, 40, steps):
        rig = VoteRig(seats, seed=step, recovery=recovery, on_loss="adjourn", dealer=dealer)
        if not play_until(rig, step):
            continue
        rig.kill(1)
        rig.peers[2].leave(rig.now)
        assert rig.run(lambda rig=rig: rig.peers[2].ended, seconds=60)
        rig.gone.add(2)
        rig.run(seconds=4 * AWAY)
        waited |= bool(rig.peers[0].status().stuck)
        rig.revive(1)
        assert rig.run(), (step, rig.peers[0].status())
        assert 2 in [seat.seat for seat in rig.check_end().seats if seat.out is not None]
    assert waited


@pytest.mark.parametrize("seats", [3, 5])
def test_another_seat_is_lost_while_the_keys_of_one_are_taken_off(seats: int) -> None:
    rig = VoteRig(seats, recovery=True)
    assert play_until(rig, 8)
    rig.kill(1)
    assert rig.run(lambda: bool(rig.outs(0)))
    rig.kill(2)
    if seats == 3:
        assert not rig.run(seconds=4 * AWAY)  # one of two is no majority
        assert rig.peers[0].status().stuck == (2,)
        return
    assert rig.run()
    assert [seat.seat for seat in rig.check_end().seats if seat.out is not None] == [1, 2]


@pytest.mark.parametrize("rates", [(0.8, 1.2, 1.2, 1.2), (1.2, 0.8, 0.8, 1.0), (1.0, 0.8, 1.2, 0.9)])
def test_nobody_honest_is_out_for_thinking_however_the_clocks_run(rates: tuple[float, ...]) -> None:
    """Its own program moves for a player whose time is up, at the latest when the others say so."""
    clock = Clock(move_seconds=20, away_seconds=AWAY)
    rig = VoteRig(4, clock=clock, conditions=Conditions(delay=(0.0, 0.4)), rounds=2)
    for place, rate in enumerate(rates):
        rig.skew(place, rate, 1000.0 * place)
    rig.open()
    rig.held = {0}
    start = rig.now
    assert rig.run(seconds=400)
    assert rig.check_end().attested == 4
    assert rig.now - start < 5 * 20 / min(rates) + 10


def test_a_silent_program_is_out_at_the_limit() -> None:
    """It is linked, and its player does not move, nor does it move by itself: no honest program is like that."""
    rig = VoteRig(3, clock=Clock(move_seconds=20, away_seconds=AWAY))
    rig.held = {2}
    rig.open()
    assert rig.run(lambda: rig.peers[2].asked)
    start = rig.now
    rig.network.replace(rig.keys[2], Deaf(rig))
    rig.gone.add(2)
    assert rig.run(lambda: rig.outs(0) == [2])
    assert 20 + AWAY <= rig.now - start <= 20 + AWAY + 5


@pytest.mark.parametrize("clock", [Clock(8, 0, 0, 30), Clock(0, 8, 0, 30), Clock(8, 0, 0, 20)])
@pytest.mark.parametrize("left", [7.0, 3.0, 0.5])
def test_a_seat_that_falls_silent_before_its_time_is_up_has_its_time_to_come_back(clock: Clock, left: float) -> None:
    """That its link is lost shows ten seconds later, when the time for the move is long up."""
    rig = VoteRig(4, clock=clock)
    rig.held = {2}
    rig.open()
    assert rig.run(lambda: rig.peers[2].asked)
    rig.run(lambda: False, seconds=8 - left)
    rig.network.replace(rig.keys[2], Deaf(rig))
    rig.gone.add(2)
    rig.run(lambda: False, seconds=10)
    assert not any(rig.outs(place) for place in rig.here())
    rig.kill(2)
    rig.run(lambda: False, seconds=clock.away_seconds - 10 - left)
    assert not any(rig.outs(place) for place in rig.here())
    rig.revive(2)
    rig.held = set()
    assert rig.run()
    assert rig.check_end().attested == 4


class Deaf:
    """Keeps its links and does nothing."""

    def __init__(self, rig: VoteRig) -> None:
        self.rig = rig

    def connected(self, link: int, key: bytes, channel: bytes, now: float) -> None: ...

    def disconnected(self, link: int, now: float) -> None: ...

    def receive(self, link: int, frame: bytes, now: float) -> None: ...

    def tick(self, now: float) -> None: ...

    def outputs(self) -> list[object]:
        return []

    def wake_at(self) -> float | None:
        return None


@pytest.mark.parametrize("seats", [2, 3, 5])
@pytest.mark.parametrize("clock", [Clock(move_seconds=20), Clock(bank_seconds=20), Clock(5, 15, 2)])
def test_a_clock_that_runs_is_looked_at_each_second_and_moves_once(seats: int, clock: Clock) -> None:
    """Whoever has to move sees the own time run down like that of the others; when it is up one move is made, and told
    at that seat alone."""
    rig = VoteRig(seats, clock=clock)
    rig.held = {0}
    rig.open()
    for turn in range(2):
        assert rig.run(lambda: rig.peers[0].asked)
        step = rig.step(0)

        def looks(step: int = step) -> bool:
            for peer in rig.peers:
                wake = peer.wake_at()
                assert wake is not None
                assert wake - rig.now <= COUNT_SECONDS + 1e-6, peer.status()
            return min(map(rig.step, rig.here())) > step

        assert rig.run(looks)
        assert rig.events(0).count(TimeUp()) == turn + 1
    assert not any(TimeUp() in rig.events(place) for place in range(1, seats))
    moves = [event for event in rig.events(1) if isinstance(event, Moved) and event.seat == 0]
    assert len(moves) == 2


def test_a_bank_is_used_up_and_refilled() -> None:
    clock = Clock(move_seconds=0, bank_seconds=12, increment_seconds=3, away_seconds=AWAY)
    rig = VoteRig(2, clock=clock)
    rig.held = {0}
    rig.open()
    rig.run(lambda: rig.peers[0].asked)
    assert rig.peers[0].status().clock == pytest.approx(12, abs=1)
    [wait] = rig.peers[1].status().waits or [None]
    assert wait is None or wait.seconds_left == pytest.approx(12, abs=2)
    assert rig.run(seconds=100)
    assert rig.check_end().attested == 2
