"""Votes under crashes, bad weather and lying electors: one decision, nobody honest blamed, and an end."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec
import pytest
from table_kit import DEALERS, TINY, signer, with_cheat
from vote_kit import VoteRig

from frp2p.ledger.evidence import judge, read_evidence
from frp2p.ledger.records import Ack, Part, read_ack_body, read_part_body
from frp2p.ledger.signing import Signer
from frp2p.ledger.votes import (
    Accept,
    AcceptBody,
    Keep,
    Out,
    Prepare,
    PrepareBody,
    Promise,
    PromiseBody,
    Propose,
    read_vote,
    sign_vote,
)
from frp2p.table.events import Convicted
from frp2p.table.messages import AnyMessage, Final
from frp2p.testing.network import Conditions, Disk

LIAR = 1


pytestmark = pytest.mark.usefixtures("computed_once")


def play_until(rig: VoteRig, step: int) -> None:
    rig.open()
    assert rig.run(lambda: max(map(rig.step, range(rig.seats))) >= step)


def at_vote(rig: VoteRig, victim: int, nth: int, disk: Disk, writes: list[int], place: int, number: int) -> Disk:
    """The victim dies at its nth write after the first vote was sent."""
    if place != victim or not rig.statements.votes:
        return "fine"
    writes.append(number)
    return disk if len(writes) == nth else "fine"


@pytest.mark.parametrize("disk", ["dies-before", "dies-after"])
@pytest.mark.parametrize("victim", [0, 2])
def test_a_seat_dies_at_any_write_of_a_vote_and_says_the_same_again(victim: int, disk: Disk) -> None:
    for nth in range(1, 10, 2):
        rig = VoteRig(4, recovery=nth % 4 == 1)
        play_until(rig, 7)
        rig.kill(3)
        rig.dying(partial(at_vote, rig, victim, nth, disk, []))
        assert rig.run(lambda rig=rig: rig.ended() and rig.gone == {3}), rig.peers
        assert rig.lives == 1
        assert [seat.seat for seat in rig.check_end().seats if seat.out is not None] == [3]


WEATHER = (
    Conditions(delay=(0.0, 0.3)),
    Conditions(delay=(0.0, 0.2), loss=0.1, duplicate=0.1),
    Conditions(delay=(0.001, 0.1), reorder=False, cut_every=4.0),
)


@pytest.mark.parametrize("seed", range(18))
def test_whatever_happens_there_is_one_end(seed: int) -> None:
    """Bad weather, a seat gone for good, others dying and coming back, a partition that heals, clocks that differ."""
    dice = random.Random(seed)
    seats = dice.choice((3, 4, 4, 5))
    rig = VoteRig(seats, seed=seed, recovery=dice.random() < 0.6, rounds=2)
    for place in range(seats):
        rig.skew(place, dice.uniform(0.8, 1.2), dice.uniform(0, 500))
    lost = dice.randrange(seats)
    dead = {(dice.randrange(seats), dice.randrange(15, 60)) for _ in range(3)}
    rig.dying(lambda place, number: "dies-after" if place != lost and (place, number) in dead else "fine")
    rig.open()
    rig.network.conditions = WEATHER[seed % 3]
    rig.run(lambda: max(map(rig.step, rig.here())) >= dice.randrange(4, 12))
    rig.kill(lost)
    if seats > 3 and dice.random() < 0.5:
        rig.network.later(dice.uniform(1, 15), lambda: rig.network.partition(rig.keys[:2], rig.keys[2:]))
        rig.network.later(dice.uniform(20, 40), rig.network.heal)
    done = rig.run(lambda: rig.ended() and rig.gone == {lost}, seconds=1500)
    assert done, [(peer.status().step, peer.status().waits, peer.status().vote) for peer in rig.peers]
    report = rig.check_end()
    assert report.attested >= seats // 2


# -- electors that lie -------------------------------------------------------------------------------------------------


def lying(rig: VoteRig, change: Callable[[bytes, Any], list[AnyMessage]]) -> None:
    """Seat 1 lies from now on; `change` gets who is told and what."""
    rig.statements.liars.add(LIAR)
    rig.watch.liars.add(rig.keys[LIAR])
    with_cheat(rig, LIAR, change)


def other_value(message: Any, liar: Signer) -> Any:
    """This vote for another value, signed again."""
    body = read_vote(message)
    value = Out((0,), "stop") if isinstance(body.value, Keep) else Keep(b"\1" * 32, b"\2" * 32)
    return sign_vote(liar, msgspec.structs.replace(body, value=value))


def judged(rig: VoteRig, place: int) -> set[tuple[int, str]]:
    events = [event for event in rig.events(place) if isinstance(event, Convicted)]
    verdicts = [judge(read_evidence(event.evidence), {"tiny": TINY}, DEALERS) for event in events]
    return {(verdict.seat, verdict.check) for verdict in verdicts}


@pytest.mark.parametrize("kind", [Accept, Propose, Promise])
@pytest.mark.parametrize("seats", [5, 6])
def test_who_votes_twice_in_one_ballot_is_proved_to(kind: type, seats: int) -> None:
    # Whose turn it is to propose changes with the step, and whether it takes an accept of the liar with the dice.
    assert any(votes_twice(kind, seats, seed) for seed in range(seats))


def votes_twice(kind: type, seats: int, seed: int) -> bool:
    """Whether the liar, who says two things to seat 0 whenever it says something of this kind, came to that."""
    rig = VoteRig(seats, seed=seed, recovery=True)
    play_until(rig, 7 + seed)
    rig.kill(3)

    def twice(key: bytes, message: AnyMessage) -> list[AnyMessage]:
        if not isinstance(message, kind) or key != rig.keys[0] or read_vote(message).seat != LIAR:
            return [message]
        liar = signer(LIAR, seed)
        if isinstance(message, Promise):
            body = read_vote(message)
            return [sign_vote(liar, msgspec.structs.replace(body, accused=(0, 2))), message]
        return [other_value(message, liar), message]

    lying(rig, twice)
    assert rig.run(seconds=300)
    rig.check_end(convicted=frozenset({LIAR}))
    told = judged(rig, 0) | judged(rig, 2)
    assert told <= {(LIAR, "two-votes"), (LIAR, "vote-or-promise")}
    return bool(told)


def test_who_acks_and_promises_that_it_did_not_is_proved_to() -> None:
    rig = VoteRig(5, recovery=True)
    play_until(rig, 7)
    rig.kill(3)

    def deny(key: bytes, message: AnyMessage) -> list[AnyMessage]:
        body = read_vote(message) if isinstance(message, Promise) else None
        if body is not None and body.seat == LIAR:
            other = msgspec.structs.replace(body, acked=Keep(b"\1" * 32, b"\2" * 32))
            return [sign_vote(signer(LIAR), other)]
        return [message]

    lying(rig, deny)
    assert rig.run(seconds=300)
    rig.check_end(convicted=frozenset({LIAR}))
    assert judged(rig, 0) <= {(LIAR, "ack-or-promise"), (LIAR, "two-votes"), (LIAR, "vote-or-promise")}


@pytest.mark.parametrize("seats", [3, 4, 7])
def test_one_seat_alone_cannot_vote_anybody_out(seats: int) -> None:
    """It says of everybody that they are late, in every step; the others wait for themselves."""
    rig = VoteRig(seats)
    play_until(rig, 5)

    def accuse(key: bytes, message: AnyMessage) -> list[AnyMessage]:
        if not isinstance(message, Ack):
            return [message]
        body = read_ack_body(message.body)
        loop = rig.peers[LIAR]._desk.phase._loop  # type: ignore[union-attr]
        about = loop.course.place
        if about.step != body.step:
            return [message]
        others = tuple(seat for seat in range(seats) if seat != LIAR)
        prepare = sign_vote(signer(LIAR), PrepareBody(about.game, about.step, about.head, LIAR, 7, others))
        promise = sign_vote(signer(LIAR), PromiseBody(about.game, about.step, about.head, LIAR, 9, None, None, others))
        out = sign_vote(signer(LIAR), AcceptBody(about.game, about.step, about.head, LIAR, 9, Out((0,), "stop")))
        return [prepare, promise, out, message]

    lying(rig, accuse)
    assert rig.run(seconds=600)
    report = rig.check_end(convicted=frozenset({LIAR}))
    assert {seat.seat for seat in report.seats if seat.out is not None} <= {LIAR}


@pytest.mark.parametrize("what", ["acks", "shares", "votes"])
@pytest.mark.parametrize("seats", [3, 5])
def test_who_withholds_is_out_or_not_needed(what: str, seats: int) -> None:
    rig = VoteRig(seats, recovery=True)
    play_until(rig, 5)

    def withhold(key: bytes, message: AnyMessage) -> list[AnyMessage]:
        mine = isinstance(message, Part) and read_part_body(message.body).seat == LIAR
        if what == "acks" and isinstance(message, Ack | Final | Promise | Accept | Prepare):
            return []
        if what == "shares" and mine and read_part_body(message.body).kind == "deal":
            return []
        if what == "votes" and isinstance(message, Promise | Accept | Prepare | Propose):
            return []
        return [message]

    lying(rig, withhold)
    assert rig.run(seconds=1500)
    report = rig.check_end()
    assert {seat.seat for seat in report.seats if seat.out is not None} <= {LIAR}
    assert (report.seats[LIAR].out is not None) == (what == "shares")


@pytest.mark.parametrize("seats", [4, 5])
def test_a_seat_that_acks_differently_at_the_deadline_splits_nobody(seats: int) -> None:
    """It sends its ack to one other only, so that the step may be final there while the rest vote."""
    rig = VoteRig(seats, recovery=True)
    play_until(rig, 6)

    def only_one(key: bytes, message: AnyMessage) -> list[AnyMessage]:
        if isinstance(message, Ack | Final) and key != rig.keys[0]:
            return []
        return [message]

    lying(rig, only_one)
    rig.network.cut(rig.keys[0], rig.keys[2])
    assert rig.run(seconds=1500)
    rig.check_end()
