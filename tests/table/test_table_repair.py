"""What a table does when links break, frames get lost and seats stay away: it waits, says for whom, and goes on."""

from __future__ import annotations

import pytest
from table_kit import Options, Rig, with_cheat

from frp2p.ledger.records import Ack, Part
from frp2p.table import limits
from frp2p.table.events import LinkDown, LinkUp, Refused, Stopped
from frp2p.table.messages import AnyMessage, Final, Pull, decode, encode
from frp2p.table.outputs import Close, Dial, Send
from frp2p.testing.network import Conditions

STEPS = 16
"""Steps of a game of three."""


def check_over(rig: Rig) -> None:
    assert {peer.status().phase for peer in rig.peers} == {"over"}
    assert len({peer.transcript() for peer in rig.peers}) == 1
    for place in range(rig.seats):
        assert not [event for event in rig.events(place) if isinstance(event, Refused | Stopped)]


@pytest.mark.parametrize("away", [0, 1, 2])
@pytest.mark.parametrize("step", range(1, STEPS, 3))
def test_a_seat_that_is_cut_off_at_any_step_is_waited_for_and_comes_back(step: int, away: int) -> None:
    rig = Rig(3)
    rig.open()
    rig.run(lambda: rig.step(away) >= step)
    others = [place for place in range(3) if place != away]
    rig.network.partition([rig.keys[place] for place in others])
    rig.run(lambda: False, seconds=20)
    for place in others:
        status = rig.peers[place].status()
        assert status.waiting_for == (away,) or status.phase == "over"
        assert not status.seats[away].connected
        assert LinkDown(away) in rig.events(place)
    rig.network.heal()
    assert rig.run()
    check_over(rig)


def test_a_game_survives_a_break_of_all_links_at_every_step() -> None:
    rig = Rig(4)
    rig.open()
    for step in range(1, 20):
        rig.run(lambda step=step: rig.step() >= step)
        for key in rig.keys:
            rig.network.cut(key)
    assert rig.run()
    check_over(rig)
    assert sum(isinstance(event, LinkUp) for event in rig.events(0)) > 3 * 10


def test_two_halves_wait_for_each_other_and_then_go_on() -> None:
    rig = Rig(4)
    rig.open()
    rig.run(lambda: rig.step() >= 4)
    rig.network.partition(rig.keys[:2], rig.keys[2:])
    assert not rig.run(seconds=60)
    before = [rig.step(place) for place in range(4)]
    assert max(before) - min(before) <= 1
    rig.network.heal()
    assert rig.run()
    check_over(rig)


@pytest.mark.parametrize("loss", [0.05, 0.3])
def test_lost_and_doubled_frames_are_made_good_by_pulls(loss: float) -> None:
    rig = Rig(4, seed=3, conditions=Conditions(delay=(0.0, 0.2), loss=loss, duplicate=0.2))
    rig.peers[0].host("tiny", Options(), 4, "clear")
    for place in range(1, 4):
        rig.peers[place].join(rig.keys[0])
    for _ in range(40):
        for place in range(1, 4):
            if rig.peers[place].status().phase == "lobby" and not rig.peers[place].status().seats:
                rig.network.dial(rig.keys[place], "p0:1")
        if rig.run(seconds=7):
            break
    check_over(rig)


def test_a_table_goes_on_where_one_pair_of_seats_has_no_link_at_all() -> None:
    """Records come from anybody: seats 1 and 2 never reach each other, and seat 0 relays without knowing it."""
    rig = Rig(3)

    def deaf(key: bytes, message: AnyMessage) -> list[AnyMessage]:
        return [] if key == rig.keys[2] and isinstance(message, Part | Ack | Final | Pull) else [message]

    def deaf_too(key: bytes, message: AnyMessage) -> list[AnyMessage]:
        return [] if key == rig.keys[1] and isinstance(message, Part | Ack | Final | Pull) else [message]

    with_cheat(rig, 1, deaf)
    with_cheat(rig, 2, deaf_too)
    rig.open()
    assert rig.run(seconds=120)
    check_over(rig)


def test_a_seat_that_is_gone_for_good_is_named_and_nothing_else_happens() -> None:
    rig = Rig(3)
    rig.open()
    rig.run(lambda: rig.step() >= 6)
    rig.network.remove(rig.keys[2])
    rig.peers.pop()
    rig.run(seconds=120)
    for peer in rig.peers:
        assert (peer.status().phase, peer.status().waiting_for, peer.status().fault) == ("play", (2,), None)


def test_a_seat_that_goes_is_away() -> None:
    rig = Rig(3)
    rig.open()
    rig.run(lambda: rig.step() >= 6)
    rig.peers[2].go(rig.now)
    rig.run(lambda: False, seconds=20)
    status = rig.peers[2].status()
    assert (status.phase, status.fault and status.fault.code) == ("stopped", "left")
    assert [rig.peers[place].status().waiting_for for place in (0, 1)] == [(2,), (2,)]
    assert not rig.peers[0].status().seats[2].connected


def test_leaving_after_the_end_keeps_the_record() -> None:
    rig = Rig(2)
    rig.open()
    rig.run()
    rig.peers[0].leave(rig.now)
    rig.network.settle()
    assert rig.peers[0].status().phase == "over"
    rig.peers[0].connected(77, rig.keys[1], b"c" * 32, rig.now)
    assert rig.peers[0].outputs()[-1] == Close(77, "left")
    assert rig.peers[0].transcript() == rig.peers[1].transcript()


def test_the_newest_link_of_a_seat_replaces_the_older() -> None:
    rig = Rig(2)
    rig.open()
    rig.run(lambda: rig.step() >= 3)
    rig.network.dial(rig.keys[1], "p0:1")
    assert rig.run()
    check_over(rig)
    assert rig.network.closed[rig.keys[0]][0] == "replaced" or rig.network.closed[rig.keys[1]][0] == "replaced"
    assert not [event for event in rig.events(0) if isinstance(event, LinkDown)]


def test_the_last_ack_reaches_everybody_and_then_nobody_is_needed() -> None:
    rig = Rig(3, seed=8, conditions=Conditions(delay=(0.0, 0.3), loss=0.25))
    rig.network.conditions = Conditions(reorder=False)
    rig.open()
    rig.run(lambda: rig.peers[0].status().phase == "closing")
    rig.network.conditions = Conditions(delay=(0.0, 0.3), loss=0.4)
    assert rig.network.run(lambda: all(peer.settled() for peer in rig.peers), 120)
    check_over(rig)
    assert all(peer.wake_at() is None for peer in rig.peers)


def test_a_seat_is_dialled_later_and_later_first_by_the_lower_key() -> None:
    rig = Rig(2)
    rig.open()
    rig.run(lambda: rig.step() >= 2)
    low, high = sorted(range(2), key=lambda place: rig.keys[place])
    rig.network.partition([rig.keys[0]])
    times: dict[int, list[float]] = {low: [], high: []}
    start = rig.now
    while rig.now < start + 30:
        for place, peer in enumerate(rig.peers):
            peer.tick(rig.now)
            dials = [output for output in peer.outputs() if isinstance(output, Dial)]
            assert all(dial.addresses == (f"p{1 - place}:1",) for dial in dials)
            times[place] += [rig.now - start] * len(dials)
        rig.network.clock.advance(0.05)
    assert times[low][0] < 1 < limits.DIAL_SECOND <= times[high][0]
    gaps = [later - sooner for sooner, later in zip(times[low], times[low][1:], strict=False)]
    assert gaps[0] < 1
    assert limits.DIAL_LAST <= max(gaps) <= 1.3 * limits.DIAL_LAST
    assert len(times[low]) < 15


def test_pulls_are_no_amplifier() -> None:
    """A seat that pulls the whole record over and over gets no more than the rate, and nobody else any less."""
    rig = Rig(3)
    cheat = with_cheat(rig, 1, lambda key, message: [message])
    rig.open()
    rig.run(lambda: rig.step() >= 9)
    answered = 0
    rig.held = {0, 1, 2}
    begin = rig.now

    def count(sender: bytes, receiver: bytes, frame: bytes) -> None:
        nonlocal answered
        answered += len(frame) if sender == rig.keys[0] and receiver == rig.keys[1] else 0

    rig.network.on_send = count
    for _ in range(300):
        cheat.say(rig.keys[0], *[encode(Pull(0, 0, 0))] * 5)
        rig.network.run(lambda: False, 0.001)
    assert answered <= limits.PULL_RATE * (rig.now - begin) + limits.PULL_PAGE + limits.FINAL_BYTES
    rig.network.on_send = None
    rig.held = set()
    assert rig.run()
    check_over(rig)


def test_a_long_way_behind_is_made_good_page_by_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "PULL_PAGE", 2000)
    rig = Rig(3)
    rig.open()
    rig.run(lambda: rig.step() >= 12)
    link = rig.peers[0]._desk.links.of(rig.keys[2])
    assert link is not None
    rig.peers[0].receive(link.number, encode(Pull(2, 0, 0)), rig.now)
    sent = [decode(output.frame, greeted=True) for output in rig.peers[0].outputs() if isinstance(output, Send)]
    assert [type(message) for message in sent[-2:]] == [Final, Pull]
    steps = [message.step for message in sent if isinstance(message, Final)]
    assert steps == list(range(2, 2 + len(steps)))
    assert 1 <= len(steps) < 10


def test_records_far_ahead_are_not_kept() -> None:
    rig = Rig(3)
    rig.open()
    assert rig.run()
    early = Rig(3)
    early.held = {0, 1, 2}
    early.open()
    early.run(lambda: early.peers[0].asked)
    loop = early.peers[0]._desk.phase._loop
    assert loop.referee.digest == rig.peers[0]._desk.phase._loop.referee.digest
    height = loop.height
    link = early.peers[0]._desk.links.of(early.keys[1])
    assert link is not None
    for closed in rig.peers[1]._desk.phase._loop.steps[height + 2 :]:
        for record in closed.records():
            early.peers[0].receive(link.number, encode(record), early.now)
    assert len(loop.course.intake.present.parts) == len(loop.course.intake.next.parts) == 0
