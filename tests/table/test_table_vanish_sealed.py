"""Seats that vanish, leave or lie where the cards are really hidden."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from table_kit import Bet, resigned, signer, with_cheat
from vote_kit import VoteRig

from frp2p.ledger.codec import encode
from frp2p.ledger.events import SeatsOut
from frp2p.ledger.records import Part, read_part_body
from frp2p.table.messages import AnyMessage
from frp2p.testing.shared import computed_once

LIAR = 1


@pytest.fixture(autouse=True)
def _computed_once() -> Iterator[None]:
    with computed_once():
        yield


def table(seats: int, *, recovery: bool, until: str) -> VoteRig:
    """A table at which the first step of this kind of the game itself has begun: the first shuffle, or the bets."""
    rig = VoteRig(seats, recovery=recovery, dealer="sealed")
    rig.held = {0} if until == "move" else set()
    rig.open()
    kinds = {"deal": ("deal",), "move": ("move",)}[until]

    def begun() -> bool:
        loops = [peer._desk.phase._loop for peer in rig.peers if hasattr(peer._desk.phase, "_loop")]
        return len(loops) == seats and all(loop.expect.kind in kinds for loop in loops)

    assert rig.run(begun)
    return rig


@pytest.mark.parametrize("until", ["deal", "move"])
@pytest.mark.parametrize("recovery", [False, True])
def test_a_seat_vanishes(until: str, recovery: bool) -> None:
    rig = table(4, recovery=recovery, until=until)
    rig.kill(2)
    rig.held = set()
    assert rig.run()
    report = rig.check_end()
    assert [seat.seat for seat in report.seats if seat.out is not None] == [2]
    [event] = [event for event in rig.events(0) if isinstance(event, SeatsOut)]
    assert event.how == ("recover" if recovery else "stop")


@pytest.mark.parametrize("until", ["deal", "move"])
def test_a_seat_leaves(until: str) -> None:
    rig = table(3, recovery=False, until=until)
    rig.peers[1].leave(rig.now)
    assert rig.run(lambda: rig.peers[1].ended)
    rig.gone.add(1)
    rig.held = set()
    assert rig.run()
    assert [seat.seat for seat in rig.check_end().seats if seat.out is not None] == [1]
    [event] = [event for event in rig.events(0) if isinstance(event, SeatsOut)]
    assert event.how == "leave"


def test_one_after_the_other_vanishes_until_two_play_on() -> None:
    rig = table(4, recovery=True, until="move")
    rig.kill(1)
    assert rig.run(lambda: bool(rig.outs(0)) and rig.peers[0].asked)
    rig.kill(3)
    rig.held = set()
    assert rig.run()
    report = rig.check_end()
    assert [seat.seat for seat in report.seats if seat.out is not None] == [1, 3]
    assert [event.how for event in rig.events(0) if isinstance(event, SeatsOut)] == ["recover", "recover"]


def test_a_seat_lies_to_one_and_its_move_had_been_applied_there() -> None:
    """What that peer had applied is undone; the secrets of its own seat are there again afterwards."""
    rig = table(4, recovery=True, until="move")
    rig.statements.liars.add(LIAR)
    rig.watch.liars.add(rig.keys[LIAR])

    def tamper(key: bytes, message: AnyMessage) -> list[AnyMessage]:
        if isinstance(message, Part) and key == rig.keys[2]:
            body = read_part_body(message.body)
            if body.seat == LIAR and body.kind == "move":
                return [resigned(message, signer(LIAR), payload=encode(Bet(7)))]
        return [message]

    cheat = with_cheat(rig, LIAR, tamper)
    cheat._keys = {link.number: link.key for link in rig.peers[LIAR]._desk.links.besides(frozenset())}
    rig.held = set()
    assert rig.run()
    report = rig.check_end(convicted=frozenset({LIAR}))
    assert [seat.seat for seat in report.seats if seat.out is not None] == [LIAR]


def test_a_seat_dies_and_is_back_after_the_others_took_its_keys_off() -> None:
    rig = table(4, recovery=True, until="move")
    rig.kill(3)
    assert rig.run(lambda: rig.outs(0) == [3])
    rig.revive(3)
    rig.held = set()
    assert rig.run()
    assert rig.check_end().attested == 3
    assert rig.outs(3) == [3]


def test_a_seat_dies_in_the_middle_and_is_back_in_a_game_that_went_on_without_another() -> None:
    """The journal holds votes, and the keys that were shared anew."""
    rig = table(4, recovery=True, until="move")
    rig.kill(3)
    assert rig.run(lambda: rig.outs(0) == [3] and rig.peers[0].asked)
    rig.network.remove(rig.keys[1])
    rig.gone.add(1)
    rig.revive(1)
    rig.held = set()
    assert rig.run()
    assert [seat.seat for seat in rig.check_end().seats if seat.out is not None] == [3]
