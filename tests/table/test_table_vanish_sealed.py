"""Seats that vanish, leave or lie where the cards are really hidden."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from io import BytesIO
from typing import Any

import msgspec
import pytest
from table_kit import DEALERS, TINY, Bet, resigned, signer, with_cheat
from vote_kit import VoteRig

from frp2p.deal.group import ORDER
from frp2p.deal.sealed.messages import KeyShares
from frp2p.deal.sealed.sharing_task import SharingTask
from frp2p.errors import PeerFault
from frp2p.ledger.charter import Charter
from frp2p.ledger.codec import encode
from frp2p.ledger.events import SeatsOut
from frp2p.ledger.evidence import BadStep, judge, read_evidence
from frp2p.ledger.records import Ack, Part, read_part_body
from frp2p.ledger.transcript import ClosedStep, Record, read_records, write_transcript
from frp2p.ledger.votes import Accept, Farewell
from frp2p.table.events import Convicted, Stopped
from frp2p.table.messages import AnyMessage
from frp2p.testing.network import Disk

LIAR = 1


pytestmark = pytest.mark.usefixtures("computed_once")


def table(seats: int, *, recovery: bool, until: str) -> VoteRig:
    """A table at which the first step of this kind of the game itself has begun: the first shuffle, or the bets."""
    rig = VoteRig(seats, recovery=recovery, dealer="sealed")
    rig.held = {0} if until == "move" else set()
    rig.open()
    kinds = {"deal": ("deal",), "move": ("move",)}[until]

    def begun() -> bool:
        loops = [peer._desk.phase._loop for peer in rig.peers if hasattr(peer._desk.phase, "_loop")]
        return len(loops) == seats and all(loop.course.expect.kind in kinds for loop in loops)

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


# shares that are wrong


def lie_about_shares(monkeypatch: pytest.MonkeyPatch, *, among: int) -> None:
    """The program of the liar gives its last receiver another share than it commits to, once so many seats share."""
    honest = SharingTask.speak

    def speak(self: SharingTask) -> object:
        said = honest(self)
        mine = self._me is not None and self._me.seat == LIAR and len(self._seats) == among
        if not mine or not isinstance(said, KeyShares):
            return said
        content = (int.from_bytes(said.envelopes[-32:], "little") + 1) % ORDER
        return msgspec.structs.replace(said, envelopes=said.envelopes[:-32] + content.to_bytes(32, "little"))

    monkeypatch.setattr(SharingTask, "speak", speak)


def shown(event: Convicted | Stopped, key: bytes) -> None:
    """The evidence convinces somebody who was not there."""
    evidence = read_evidence(event.evidence)
    assert isinstance(evidence, BadStep)
    verdict = judge(evidence, {"tiny": TINY}, DEALERS)
    assert (verdict.seat, verdict.check, verdict.key) == (LIAR, "share-wrong", key)
    for forged, check in forgeries(evidence):
        with pytest.raises(PeerFault) as refused:
            judge(forged, {"tiny": TINY}, DEALERS)
        assert refused.value.check == check


def forgeries(evidence: BadStep) -> Iterator[tuple[BadStep, str]]:
    """The same evidence with one thing changed, and the check that refuses it: nobody is accused by any of them."""
    replace = msgspec.structs.replace
    charter, steps = charter_and_steps(evidence.record)
    whole, shorter = write_transcript(charter, steps), write_transcript(charter, steps[:-1])
    assert whole == evidence.record
    yield replace(evidence, check="share-late"), "evidence-right"
    yield replace(evidence, parts=evidence.parts[1:]), "evidence-step"
    yield replace(evidence, parts=evidence.parts[::-1]), "evidence-step"
    yield replace(evidence, record=shorter), "evidence-step"
    yield BadStep(shorter, steps[-1].parts, evidence.check), "evidence-right"
    foreign = replace(evidence.parts[0], signature=bytes(64))
    yield replace(evidence, parts=(foreign, *evidence.parts[1:])), "signature"


def charter_and_steps(record: bytes) -> tuple[Charter, list[ClosedStep]]:
    """What is in an open record, step by step."""
    charter, *records = read_records(BytesIO(record))
    assert isinstance(charter, Charter)
    steps: list[list[Record]] = []
    for before, one in itertools.pairwise([None, *records]):
        if before is None or (isinstance(before, Ack | Accept) and not isinstance(one, Ack | Accept)):
            steps.append([])
        steps[-1].append(one)

    def of(kind: type, step: list[Record]) -> tuple[Any, ...]:
        return tuple(one for one in step if isinstance(one, kind))

    return charter, [ClosedStep(*(of(kind, step) for kind in (Part, Ack, Farewell, Accept))) for step in steps]


@pytest.mark.parametrize("first", ["vanishes", "leaves"])
def test_a_wrong_share_after_a_seat_went_costs_the_liar_its_seat(monkeypatch: pytest.MonkeyPatch, first: str) -> None:
    """The keys are shared anew, which does not come to its end: nobody's key is off yet, so the game is stopped."""
    lie_about_shares(monkeypatch, among=4)
    rig = table(5, recovery=True, until="move")
    if first == "leaves":
        rig.peers[4].leave(rig.now)
        rig.gone.add(4)
    else:
        rig.kill(4)
    rig.statements.liars.add(LIAR)
    rig.held = set()
    assert rig.run(lambda: all(rig.peers[place].ended for place in (0, 2, 3)))
    report = rig.check_end([0, 2, 3], convicted=frozenset({LIAR}))
    assert [seat.seat for seat in report.seats if seat.out is not None] == [LIAR, 4]
    for place in (0, 2, 3):
        hows = [event.how for event in rig.events(place) if isinstance(event, SeatsOut)]
        assert hows == ["leave" if first == "leaves" else "recover", "stop"]
        [convicted] = [event for event in rig.events(place) if isinstance(event, Convicted)]
        shown(convicted, rig.keys[LIAR])


def test_a_wrong_share_in_the_set_up_stops_the_table_with_evidence(monkeypatch: pytest.MonkeyPatch) -> None:
    lie_about_shares(monkeypatch, among=3)
    rig = VoteRig(3, recovery=True, dealer="sealed")
    rig.open()
    assert rig.run(lambda: all(rig.peers[place].ended for place in (0, 2)))
    for place in (0, 2):
        fault = rig.peers[place].status().fault
        assert fault is not None
        assert (fault.code, fault.seat) == ("share-wrong", LIAR)
        [stopped] = [event for event in rig.events(place) if isinstance(event, Stopped)]
        shown(stopped, rig.keys[LIAR])


def test_one_who_complains_to_some_only_is_out_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a wrong share seat 4 complains to seat 0 alone; whoever has not heard it goes on, until it is shown around."""
    lie_about_shares(monkeypatch, among=5)
    rig = table(6, recovery=True, until="move")
    accomplice = 4
    rig.statements.liars |= {LIAR, accomplice}

    def tamper(key: bytes, message: AnyMessage) -> list[AnyMessage]:
        if isinstance(message, Part) and key != rig.keys[0]:
            body = read_part_body(message.body)
            if body.seat == accomplice and b"\xa9complaint" in body.payload:
                return [resigned(message, signer(accomplice), payload=encode(["sealed", [["no-complaint"]]]))]
        return [message]

    cheat = with_cheat(rig, accomplice, tamper)
    cheat._keys = {link.number: link.key for link in rig.peers[accomplice]._desk.links.besides(frozenset())}
    rig.kill(5)
    rig.held = set()
    honest = [0, 2, 3]
    assert rig.run(lambda: all(rig.peers[place].ended for place in honest), seconds=300)
    report = rig.check_end(honest, convicted=frozenset({LIAR, accomplice}))
    assert {accomplice, 5} <= {seat.seat for seat in report.seats if seat.out is not None} <= {LIAR, accomplice, 5}


# crashes during a vote

VOTES = (b"\xa7promise", b"\xa7propose", b"\xa6accept")


def vote_writes(seed: int) -> list[tuple[int, int]]:
    """Place and number of each write of a vote to a journal, in a game in which seat 3 vanishes at the bets."""
    rig = vanishing(seed, lambda place, number: "fine")
    assert rig.run()
    rig.check_end()
    found = []
    for place in rig.here():
        writes = rig.network.journals[rig.keys[place]]
        votes = [
            at + 1 for at, write in enumerate(writes) if any(tag in record[:24] for tag in VOTES for record in write)
        ]
        assert len(votes) >= 2
        found += [(place, number) for number in votes]
    return found


def vanishing(seed: int, when: object) -> VoteRig:
    rig = VoteRig(4, seed=seed, dealer="sealed")
    rig.dying(when)  # type: ignore[arg-type]
    rig.held = {0}
    rig.open()
    assert rig.run(lambda: rig.peers[0].asked)
    rig.kill(3)
    rig.held = set()
    return rig


@pytest.mark.parametrize("seed", range(2))
def test_a_seat_dies_at_each_write_of_a_vote(seed: int) -> None:
    """Promise, proposal, accept: it comes back, says nothing else than before, and the vote comes to its end."""
    writes = vote_writes(seed)  # the two seeds take turns with dying before and after
    assert len(writes) >= 7
    for index, fatal in enumerate(writes):
        disk: Disk = "dies-before" if (index + seed) % 2 else "dies-after"
        rig = vanishing(seed, lambda *write, fatal=fatal, disk=disk: disk if write == fatal else "fine")
        assert rig.run(lambda rig=rig: rig.ended() and rig.lives > 0), fatal
        report = rig.check_end()
        assert [seat.seat for seat in report.seats if seat.out is not None] == [3]
        assert rig.lives == 1
