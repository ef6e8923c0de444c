"""An arbiter at the table: seats that vanish, an arbiter that does, partitions and crashes."""

from __future__ import annotations

from functools import partial
from io import BytesIO

import pytest
from table_kit import with_cheat
from vote_kit import ARBITER, AWAY, TWO, VoteRig, all_play_until, hows

from frp2p.ledger.records import Ack, Part
from frp2p.ledger.transcript import read_records
from frp2p.ledger.votes import (
    Accept,
    Farewell,
    Keep,
    Prepare,
    Promise,
    Propose,
    read_binding,
    read_vote,
)
from frp2p.table.messages import AnyMessage, Final, decode
from frp2p.testing.network import Conditions, Disk
from frp2p.testing.watching import finals_of, loop_of

pytestmark = pytest.mark.usefixtures("computed_once")


def accepted(rig: VoteRig, place: int) -> set[int]:
    """Who has accepted anything in the record of this peer."""
    records = read_records(BytesIO(rig.peers[place].transcript() or b""))
    return {read_vote(record).seat for record in records if isinstance(record, Accept)}


# -- seats that are lost -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dealer", ["clear", "sealed"])
@pytest.mark.parametrize("victim", [0, 1])
def test_of_two_seats_one_vanishes_at_any_step_and_the_other_ends_the_game(victim: int, dealer: str) -> None:
    found = set()
    for step in range(2, 40, 1 if dealer == "clear" else 3):
        rig = VoteRig(TWO, seed=step, arbiter=True, dealer=dealer, rounds=2)
        if not all_play_until(rig, step):
            continue
        rig.kill(victim)
        assert rig.run(seconds=20 * AWAY), [rig.peers[place].status() for place in rig.here()]
        report = rig.check_end()
        assert report.arbiter is not None
        assert report.arbiter.key == rig.keys[ARBITER]
        if not hows(rig, 1 - victim):
            continue  # all that it had to sign was on its way
        assert [seat.seat for seat in report.seats if seat.out is not None] == [victim]
        assert report.attested == 1
        assert ARBITER in accepted(rig, 1 - victim)
        found |= hows(rig, 1 - victim)
    assert {"last"} <= found <= {"last", "end"}


@pytest.mark.parametrize("victim", [0, 1])
def test_who_vanishes_before_it_has_signed_the_end_is_out_and_the_totals_stand(victim: int) -> None:
    rig = VoteRig(TWO, arbiter=True)
    rig.open()
    rig.run(lambda: any(peer.status().phase == "closing" for peer in rig.peers))
    rig.kill(victim)
    assert rig.run(seconds=20 * AWAY)
    report = rig.check_end()
    assert [seat.total is not None for seat in report.seats] == [True, True]
    assert hows(rig, 1 - victim) == {"end"}


def test_it_takes_no_longer_than_the_allowance_and_ten_seconds() -> None:
    rig = VoteRig(TWO, arbiter=True)
    rig.held = {1}
    assert all_play_until(rig, 8)
    rig.run(lambda: rig.peers[1].asked)
    rig.kill(1)
    start = rig.now
    assert rig.run(lambda: all(rig.outs(place) == [1] for place in rig.here()))
    assert AWAY <= rig.now - start <= AWAY + 10


@pytest.mark.parametrize("seats", [3, 4, 5, 7])
@pytest.mark.parametrize("recovery", [False, True])
def test_at_larger_tables_it_counts_as_one_more(seats: int, recovery: bool) -> None:
    for step in (5, 8):
        rig = VoteRig(seats, seed=step, recovery=recovery, arbiter=True)
        assert all_play_until(rig, step)
        rig.kill(step % seats)
        assert rig.run(seconds=20 * AWAY)
        report = rig.check_end()
        assert report.attested == seats - 1
        assert hows(rig, rig.here()[0]) == {"recover" if recovery else "stop"}


def test_two_of_four_are_lost_and_the_rest_is_a_majority_with_the_arbiter() -> None:
    for arbiter in (False, True):
        rig = VoteRig(4, arbiter=arbiter)
        assert all_play_until(rig, 6)
        rig.kill(1)
        rig.kill(2)
        assert rig.run(seconds=8 * AWAY) == arbiter
        if arbiter:
            assert [seat.seat for seat in rig.check_end().seats if seat.out is not None] == [1, 2]


@pytest.mark.parametrize("seats", [2, 3])
def test_a_seat_that_leaves_needs_no_clock(seats: int) -> None:
    rig = VoteRig(seats, arbiter=True)
    assert all_play_until(rig, 6)
    start = rig.now
    rig.peers[1].leave(rig.now)
    assert rig.run(lambda: rig.peers[1].ended, seconds=AWAY)
    rig.gone.add(1)
    assert rig.run(seconds=AWAY)
    assert rig.now - start < AWAY
    assert [seat.seat for seat in rig.check_end().seats if seat.out is not None] == [1]
    assert hows(rig, 0) <= {"last", "leave"}


def test_a_step_that_may_be_final_is_kept_with_the_arbiters_vote() -> None:
    """The seat that is lost has acked, and the other may know that; or it has made its part only."""
    keeps = 0
    for step in range(3, 22):
        rig = VoteRig(TWO, seed=step, arbiter=True)
        rig.open()
        rig.run(lambda rig=rig, step=step: rig.step() >= step)
        rig.run(lambda rig=rig: len(loop_of(rig.peers[0]).course.present.parts) > 0, seconds=5)
        rig.network.cut(rig.keys[0], rig.keys[1])
        rig.kill(1)
        assert rig.run(seconds=20 * AWAY)
        rig.check_end()
        records = read_records(BytesIO(rig.peers[0].transcript() or b""))
        keeps += any(isinstance(read_vote(one).value, Keep) for one in records if isinstance(one, Accept))
    assert keeps


# -- an arbiter that is lost, or stays away ----------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3])
def test_an_arbiter_that_vanishes_is_not_missed(seats: int) -> None:
    for step in (1, 4, 8):
        rig = VoteRig(seats, seed=step, arbiter=True)
        rig.open()
        rig.run(lambda rig=rig, step=step: rig.step() >= step)
        rig.kill(seats)
        start = rig.now
        assert rig.run()
        assert rig.now - start < AWAY
        assert rig.check_end().attested == seats


def test_without_its_arbiter_a_table_of_two_waits_and_with_it_back_decides() -> None:
    rig = VoteRig(TWO, arbiter=True)
    assert all_play_until(rig, 6)
    rig.kill(ARBITER)
    rig.kill(1)
    assert not rig.run(seconds=6 * AWAY)
    assert rig.peers[0].status().stuck == (1,)
    rig.revive(ARBITER)
    assert rig.run(seconds=10 * AWAY)
    assert [seat.seat for seat in rig.check_end().seats if seat.out is not None] == [1]


def test_an_arbiter_comes_back_at_the_end_and_has_the_record() -> None:
    rig = VoteRig(TWO, arbiter=True)
    assert all_play_until(rig, 6)
    rig.kill(ARBITER)
    assert rig.run(lambda: rig.step(0) >= 9)
    rig.revive(ARBITER)
    assert rig.run()
    rig.check_end()
    assert rig.peers[ARBITER].transcript() == rig.peers[0].transcript()


def test_what_is_final_by_acks_stays_for_a_seat_and_the_arbiter() -> None:
    """Both seats ack a step, and one hears of it. The other is then alone with the arbiter, which has acked nothing,
    and they keep the step.
    """
    kept = 0
    for step in range(2, 9):
        rig = VoteRig(TWO, seed=step, arbiter=True)
        assert all_play_until(rig, step)

        def no_acks(_key: bytes, message: AnyMessage) -> list[AnyMessage]:
            return [] if isinstance(message, Ack | Final | Promise | Propose | Accept) else [message]

        rig.watch.liars.add(rig.keys[1])
        with_cheat(rig, 1, no_acks)  # seat 0 hears no ack of seat 1, which hears those of seat 0
        rig.run(lambda rig=rig: rig.step(1) > rig.step(0), seconds=5)
        ahead, before = finals_of(rig.peers[1]), rig.step(0)
        rig.kill(1)
        assert rig.run(seconds=20 * AWAY)
        rig.check_end()
        assert finals_of(rig.peers[0])[: len(ahead)] == ahead
        kept += len(ahead) > before
    assert kept


# -- partitions --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("alone", [0, 1])
@pytest.mark.parametrize("step", [2, 4, 6, 7, 8])
def test_a_seat_alone_waits_and_adopts_what_the_other_decided_with_the_arbiter(alone: int, step: int) -> None:
    rig = VoteRig(TWO, seed=step, arbiter=True)
    assert all_play_until(rig, step)
    other = 1 - alone
    rig.network.partition([rig.keys[alone]], [rig.keys[other], rig.keys[ARBITER]])
    assert rig.run(lambda: all(rig.outs(place) == [alone] for place in (other, ARBITER)))
    assert rig.outs(alone) == []
    rig.run(lambda: False, seconds=3)
    assert rig.peers[alone].status().stuck == (other,)
    rig.network.heal()
    assert rig.run()
    assert rig.check_end().attested == 1
    assert rig.outs(alone) == [alone]


def test_an_arbiter_alone_decides_nothing() -> None:
    rig = VoteRig(TWO, arbiter=True)
    assert all_play_until(rig, 5)
    rig.network.partition([rig.keys[ARBITER]], rig.keys[:TWO])
    rig.held = {0, 1}
    rig.run(lambda: False, seconds=4 * AWAY)
    rig.held = set()
    assert rig.run(lambda: rig.peers[0].ended and rig.peers[1].ended)
    rig.network.heal()
    assert rig.run()
    assert rig.check_end().attested == TWO


@pytest.mark.parametrize("step", range(2, 9, 2))
def test_seats_that_only_reach_the_arbiter_play_on_through_it(step: int) -> None:
    """It passes on what it has, and nobody is out: each signs something new all the time."""
    rig = VoteRig(TWO, seed=step, arbiter=True)
    assert all_play_until(rig, step)
    plain = rig.network._reachable
    pair = {rig.keys[0], rig.keys[1]}
    rig.network._reachable = lambda one, other: {one, other} != pair and plain(one, other)  # type: ignore[method-assign]
    rig.network.cut(rig.keys[0], rig.keys[1])
    assert rig.run(lambda: rig.peers[0].ended and rig.peers[1].ended, seconds=60 * AWAY)
    rig.run(lambda: False, seconds=5)
    assert {rig.peers[place].status().digest for place in range(3)} == {rig.peers[0].status().digest}


# -- crashes -----------------------------------------------------------------------------------------------------------


def test_what_an_arbiter_writes() -> None:
    """Its opening, its votes before they are sent, and the end."""
    rig = VoteRig(TWO, arbiter=True)
    assert all_play_until(rig, 7)
    rig.kill(1)
    assert rig.run()
    said = [one for write in rig.network.journals[rig.keys[ARBITER]] for one in write]
    kinds = [type(decode(record, greeted=True)) for record in said[1:] if record[2:8] != b"journal"]
    assert {Promise, Accept} <= set(kinds)
    mine = [one for record in said[1:] for one in [decode(record, greeted=True)] if not isinstance(one, Farewell)]
    own = [one for one in mine if read_binding(one).seat == ARBITER]  # type: ignore[arg-type]
    assert {type(one) for one in own} <= {Promise, Propose, Accept}


@pytest.mark.parametrize("disk", ["dies-before", "dies-after"])
def test_an_arbiter_dies_at_each_of_its_writes_and_says_the_same_again(disk: Disk) -> None:
    deaths = 0
    for at in range(1 if disk == "dies-after" else 2, 9):
        rig = VoteRig(TWO, seed=at, arbiter=True)
        rig.dying(partial(_at, ARBITER, at, disk))
        rig.held = {0}
        rig.open()
        rig.run(lambda rig=rig: not rig.gone and min(map(rig.step, range(3))) >= 4)
        rig.kill(1)
        rig.held = set()
        assert rig.run(lambda rig=rig: rig.ended() and rig.gone == {1}), rig.peers
        deaths += rig.lives
        assert [seat.seat for seat in rig.check_end().seats if seat.out is not None] == [1]
    assert deaths >= 3


def _at(victim: int, at: int, disk: Disk, place: int, number: int) -> Disk:
    return disk if (place, number) == (victim, at) else "fine"


@pytest.mark.parametrize("disk", ["dies-before", "dies-after"])
def test_the_seat_that_is_left_dies_in_the_vote_too(disk: Disk) -> None:
    for nth in (1, 2, 3):
        rig = VoteRig(TWO, seed=nth, arbiter=True)
        assert all_play_until(rig, 7)
        rig.kill(1)
        writes: list[int] = []

        def when(place: int, number: int, rig: VoteRig = rig, nth: int = nth, writes: list[int] = writes) -> Disk:
            if place != 0 or not rig.statements.votes:
                return "fine"
            writes.append(number)
            return disk if len(writes) == nth else "fine"

        rig.dying(when)
        assert rig.run(lambda rig=rig: rig.ended() and rig.gone == {1})
        assert rig.lives == 1
        rig.check_end()


@pytest.mark.parametrize("seed", range(6))
def test_bad_weather_and_skewed_clocks_make_one_end(seed: int) -> None:
    rig = VoteRig(TWO, seed=seed, arbiter=True, rounds=2)
    for place in range(3):
        rig.skew(place, (0.8, 1.2, 1.0)[(place + seed) % 3], 300.0 * place)
    rig.dying(lambda place, number: "dies-after" if place == ARBITER and number in (2, 3) else "fine")
    assert all_play_until(rig, 5 + seed)
    rig.network.conditions = Conditions(delay=(0.0, 0.2), loss=0.1, duplicate=0.1)
    rig.kill(seed % TWO)
    assert rig.run(lambda: rig.ended() and rig.gone == {seed % TWO}, seconds=1500)
    rig.check_end()


# -- what it sees ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dealer", ["clear", "sealed"])
def test_an_arbiter_knows_what_somebody_who_watches_knows(dealer: str) -> None:
    rig = VoteRig(TWO, arbiter=True, dealer=dealer)
    shown = []

    def look() -> bool:
        peer, loop = rig.peers[ARBITER], loop_of(rig.peers[ARBITER])
        assert not peer.asked
        assert peer.legal() == ()
        if loop is not None and loop.course.applied is None and loop.referee.view(None) is not None:
            assert peer.status().view == loop.referee.view(None) or peer.status().view is None
            assert not loop.referee._dealer.known()
            shown.append(loop.height)
        return False

    rig.open()
    rig.run(lambda: look() or rig.ended())
    assert rig.ended()
    assert len(set(shown)) > 5
    rig.check_end()
    status = rig.peers[ARBITER].status()
    assert (status.me, status.watching, status.arbiter and status.arbiter.seat) == (None, True, ARBITER)


def test_an_arbiter_signs_nothing_but_votes() -> None:
    rig = VoteRig(TWO, arbiter=True)
    sent = set()
    before = rig.network.on_send

    def look(sender: bytes, receiver: bytes, frame: bytes) -> None:
        if before is not None:
            before(sender, receiver, frame)
        message = decode(frame, greeted=True)
        if sender == rig.keys[ARBITER] and isinstance(message, Part | Ack | Prepare | Promise | Propose | Accept):
            body = read_vote(message) if isinstance(message, Prepare) else read_binding(message)
            if body.seat == ARBITER:
                sent.add(type(message))

    rig.network.on_send = look
    assert all_play_until(rig, 7)
    rig.kill(1)
    assert rig.run()
    assert {Prepare, Promise, Accept} <= sent <= {Prepare, Promise, Propose, Accept}


def test_an_arbiter_cannot_leave_for_good() -> None:
    rig = VoteRig(TWO, arbiter=True)
    assert all_play_until(rig, 6)
    rig.peers[ARBITER].leave(rig.now)
    rig.network.settle()
    assert rig.peers[ARBITER].status().phase == "stopped"
    rig.gone.add(ARBITER)
    assert rig.run()
    assert rig.check_end().attested == TWO
    assert hows(rig, 0) == set()
