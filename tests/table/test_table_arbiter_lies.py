"""An arbiter who lies: it decides nothing alone, what it signs twice convicts it, and the table goes on."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from table_kit import DEALERS, TINY, Bet, resigned, signer, with_cheat
from vote_kit import ARBITER, AWAY, TWO, VoteRig, all_play_until, hows

from frp2p.ledger.codec import encode
from frp2p.ledger.evidence import judge, read_evidence
from frp2p.ledger.records import Ack, Part, read_ack_body, read_part_body, sign_ack
from frp2p.ledger.votes import Accept, AcceptBody, Keep, Out, PrepareBody, Promise, PromiseBody, read_vote, sign_vote
from frp2p.table.events import Convicted, VoteBegan
from frp2p.table.messages import AnyMessage, Final
from frp2p.testing.watching import loop_of

pytestmark = pytest.mark.usefixtures("computed_once")


def lying(rig: VoteRig, tamper: Any) -> None:
    rig.statements.liars.add(rig.seats)
    rig.watch.liars.add(rig.keys[rig.seats])
    with_cheat(rig, rig.seats, tamper)


def judged(rig: VoteRig, place: int) -> set[tuple[int, str, bytes]]:
    events = [event for event in rig.events(place) if isinstance(event, Convicted)]
    verdicts = [judge(read_evidence(event.evidence), {"tiny": TINY}, DEALERS) for event in events]
    return {(verdict.seat, verdict.name, verdict.key) for verdict in verdicts}


def twice(seats: int, kind: type) -> Any:
    """Of each vote of this kind, another one before it."""

    def tamper(_key: bytes, message: AnyMessage) -> list[AnyMessage]:
        if not isinstance(message, kind):
            return [message]
        body = read_vote(message)  # type: ignore[arg-type]
        if body.seat != seats:
            return [message]
        if isinstance(body, PromiseBody):
            other = msgspec.structs.replace(body, accused=() if body.accused else (0,))
        else:
            value = Out((0,), "stop") if isinstance(body.value, Keep) else Keep(b"\1" * 32, b"\2" * 32)
            other = msgspec.structs.replace(body, value=value)
        return [sign_vote(signer(seats), other), message]

    return tamper


@pytest.mark.parametrize("kind", [Accept, Promise])
@pytest.mark.parametrize("seats", [3, 4])
def test_an_arbiter_who_says_two_things_is_convicted_and_the_table_goes_on(kind: type, seats: int) -> None:
    rig = VoteRig(seats, arbiter=True, recovery=True)
    assert all_play_until(rig, 7)
    lying(rig, twice(seats, kind))
    rig.kill(2)
    if seats == 3:  # two of four: nobody counts what it says any more, so the table waits until the seat is back
        rig.run(lambda: rig.ended() or (bool(judged(rig, 0)) and bool(judged(rig, 1))), seconds=6 * AWAY)
        if not rig.ended() and not rig.run(seconds=6 * AWAY):
            rig.revive(2)
    assert rig.run(seconds=600)
    rig.check_end(convicted=frozenset({seats}))
    assert judged(rig, 0) == {(seats, "Dmitri" if seats == 3 else "Emeka", rig.keys[seats])}


def test_of_two_seats_none_is_lost_by_an_arbiter_who_is_convicted() -> None:
    """From then on it is as if there were none: who is away is waited for."""
    rig = VoteRig(TWO, arbiter=True)
    assert all_play_until(rig, 7)
    lying(rig, twice(TWO, Promise))
    rig.kill(1)
    rig.run(lambda: bool(judged(rig, 0)), seconds=6 * AWAY)
    assert judged(rig, 0) == {(ARBITER, "Chiara", rig.keys[ARBITER])}
    if not rig.outs(0):
        assert not rig.run(seconds=6 * AWAY)
        assert rig.peers[0].status().stuck == (1,)
        rig.revive(1)
        assert rig.run(seconds=600)
        assert rig.check_end(convicted=frozenset({ARBITER})).attested == TWO


def test_a_conviction_of_the_arbiter_before_the_game_does_not_end_the_table() -> None:
    rig = VoteRig(TWO, arbiter=True)
    rig.open()
    rig.run(lambda: rig.step() >= 1)
    loop = loop_of(rig.peers[0])
    for number in (1, 2):
        body = AcceptBody(loop.referee.digest, loop.height + 1, bytes(32), ARBITER, 1, Out((number - 1,), "stop"))
        loop.take(sign_vote(signer(ARBITER), body), rig.now)
    assert judged(rig, 0) == set()  # the events are drained with the next input
    assert rig.run()
    assert {event.seat for event in rig.events(0) if isinstance(event, Convicted)} == {ARBITER}
    assert rig.check_end([0, 1], convicted=frozenset({ARBITER})).attested == TWO
    assert rig.peers[ARBITER].status().phase == "stopped"  # it is shown what it signed


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_an_arbiter_alone_cannot_vote_anybody_out(seats: int) -> None:
    rig = VoteRig(seats, arbiter=True)
    assert all_play_until(rig, 5)

    def accuse(_key: bytes, message: AnyMessage) -> list[AnyMessage]:
        course = loop_of(rig.peers[seats]).course
        if isinstance(message, Final) or course.over:
            return [message]
        about = course.place.game, course.place.step, course.place.head, seats
        everybody = tuple(range(seats))
        bodies: tuple[Any, ...] = (
            PrepareBody(*about, 7, everybody),
            PromiseBody(*about, 9, None, None, everybody),
            AcceptBody(*about, 9, Out((0,), "last" if seats == TWO else "stop")),
        )
        return [*(sign_vote(signer(seats), body) for body in bodies), message]

    lying(rig, accuse)
    assert rig.run(seconds=600)
    report = rig.check_end(list(range(seats)), convicted=frozenset({seats}))
    assert report.attested == seats
    assert not any(hows(rig, place) for place in range(seats))


# -- a seat who lies to the arbiter ------------------------------------------------------------------------------------


def seat_lying(rig: VoteRig, tamper: Any) -> None:
    rig.statements.liars.add(1)
    rig.watch.liars.add(rig.keys[1])
    with_cheat(rig, 1, tamper)


@pytest.mark.parametrize("acks", ["of the true part", "of each its own"])
def test_a_seat_that_shows_the_arbiter_another_part_is_convicted_and_out(acks: str) -> None:
    """The other seat acks what it was shown, and the step is final without the arbiter, which has to follow that."""
    rig = VoteRig(TWO, arbiter=True, rounds=3)
    assert all_play_until(rig, 4)

    def tamper(key: bytes, message: AnyMessage) -> list[AnyMessage]:
        if key != rig.keys[ARBITER] or not isinstance(message, Part | Ack):
            return [message]
        if isinstance(message, Ack):
            body = read_ack_body(message.body)
            lie = sign_ack(signer(1), msgspec.structs.replace(body, step_digest=b"\7" * 32))
            return [lie] if acks == "of each its own" and body.seat == 1 else [message]
        said = read_part_body(message.body)
        if said.seat != 1 or said.kind != "move":
            return [message]
        return [resigned(message, signer(1), payload=encode(Bet(7)))]

    seat_lying(rig, tamper)
    assert rig.run(seconds=300)
    report = rig.check_end([0, ARBITER], convicted=frozenset({1}))
    assert [seat.seat for seat in report.seats if seat.out is not None] == [1]
    for place in (0, ARBITER):
        assert {(seat, name) for seat, name, _key in judged(rig, place)} == {(1, "Bruno")}


def test_of_two_that_come_to_different_states_the_arbiter_knows_which_is_right() -> None:
    """Two alone would have to stop."""
    rig = VoteRig(TWO, arbiter=True)
    assert all_play_until(rig, 5)

    def tamper(_key: bytes, message: AnyMessage) -> list[AnyMessage]:
        if not isinstance(message, Ack) or read_ack_body(message.body).seat != 1:
            return [] if isinstance(message, Final) else [message]
        body = read_ack_body(message.body)
        return [sign_ack(signer(1), msgspec.structs.replace(body, state_digest=b"\7" * 32))]

    seat_lying(rig, tamper)
    assert rig.run(lambda: rig.peers[0].ended and rig.peers[ARBITER].ended, seconds=300)
    rig.check_end([0, ARBITER])
    kept = [event for event in rig.events(0) if isinstance(event, VoteBegan)]
    assert len(kept) > 3  # its acks count for nothing, and are not needed
