"""A lie that is heard just as the set-up ends, when the game may have begun for others."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import pytest
from table_kit import DEALERS, TINY, Cheat, resigned, signer, with_cheat
from vote_kit import VoteRig

from frp2p.deal.clear.messages import Hello
from frp2p.ledger.codec import encode as canonical
from frp2p.ledger.evidence import judge, read_evidence
from frp2p.ledger.records import Ack, read_ack_body
from frp2p.table.court import SETUP_SECONDS
from frp2p.table.events import Convicted, Stopped
from frp2p.table.messages import AnyMessage, encode

SEATS = 4
LIAR = 1


def loop(rig: VoteRig, place: int) -> Any:
    return getattr(rig.peers[place]._desk.phase, "_loop", None)


@lru_cache
def last_of_set_up() -> int:
    """The number of the last step before the game."""
    rig = VoteRig(SEATS)
    rig.open()
    assert rig.run(lambda: loop(rig, 0) is not None and bool(loop(rig, 0).course.place.electors))
    height: int = loop(rig, 0).height
    return height - 1


def begun(rig: VoteRig, place: int) -> bool:
    return loop(rig, place) is not None and bool(loop(rig, place).course.place.electors)


def waiting(rig: VoteRig, place: int) -> bool:
    """Whether this seat has acked the last step of the set-up and lacks an ack."""
    at = loop(rig, place)
    return at is not None and at.height == last_of_set_up() and at.course.applied is not None


def keeping_back(rig: VoteRig, places: set[int]) -> Cheat:
    """The liar does not send its ack of the last step of the set-up to these."""
    keys = {rig.keys[place] for place in places}

    def tamper(key: bytes, message: AnyMessage) -> list[AnyMessage]:
        mine = isinstance(message, Ack) and read_ack_body(message.body).seat == LIAR
        last = isinstance(message, Ack) and read_ack_body(message.body).step == last_of_set_up()
        return [] if mine and last and key in keys else [message]

    return with_cheat(rig, LIAR, tamper)


def lie(rig: VoteRig, cheat: Cheat, place: int) -> None:
    """Tell this seat another part of that step."""
    at = loop(rig, place)
    part = at.course.present.parts[LIAR].record
    cheat.say(rig.keys[place], encode(resigned(part, signer(LIAR), payload=canonical(Hello(b"\7" * 32)))))


def test_who_hears_of_a_lie_before_the_last_ack_plays_on_like_the_others() -> None:
    rig = VoteRig(SEATS)
    cheat = keeping_back(rig, {0})
    rig.statements.liars.add(LIAR)
    rig.open()
    assert rig.run(lambda: begun(rig, 2) and begun(rig, 3) and waiting(rig, 0))
    lie(rig, cheat, 0)
    assert rig.run(lambda: LIAR in loop(rig, 0).convictions)
    assert waiting(rig, 0)
    assert rig.run()
    report = rig.check_end(convicted=frozenset({LIAR}))
    assert [seat.seat for seat in report.seats if seat.out is not None] == [LIAR]
    for place in (0, 2, 3):
        [convicted] = [event for event in rig.events(place) if isinstance(event, Convicted)]
        assert judge(read_evidence(convicted.evidence), {"tiny": TINY}, DEALERS).seat == LIAR


@pytest.mark.parametrize("told", [0, 3])
def test_if_the_game_has_begun_for_nobody_all_stop_with_the_evidence(told: int) -> None:
    rig = VoteRig(SEATS)
    cheat = keeping_back(rig, {0, 2, 3})
    rig.statements.liars.add(LIAR)
    rig.open()
    assert rig.run(lambda: all(waiting(rig, place) for place in (0, 2, 3)))
    began = rig.now
    lie(rig, cheat, told)
    assert rig.run(lambda: all(rig.peers[place].ended for place in (0, 2, 3)))
    assert rig.now <= began + SETUP_SECONDS + 1
    for place in (0, 2, 3):
        fault = rig.peers[place].status().fault
        assert fault is not None
        assert (fault.code, fault.seat) == ("two-parts", LIAR)
        [stopped] = [event for event in rig.events(place) if isinstance(event, Stopped)]
        assert judge(read_evidence(stopped.evidence), {"tiny": TINY}, DEALERS).seat == LIAR
