"""Seats that lie: every honest peer names the right one, with evidence that a third person can judge. Before the game
they stop, later they vote the liar out and play on.
"""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO

import msgspec
import pytest
from table_kit import DEALERS, TINY, Bet, Cheat, Rig, Show, resigned, signer, with_cheat

from frp2p.deal.clear.messages import ClearContribution, Hello
from frp2p.deal.clear.messages import Show as ShowShare
from frp2p.ledger.codec import decode, encode
from frp2p.ledger.evidence import judge, read_evidence
from frp2p.ledger.provisions import provisions
from frp2p.ledger.records import Ack, Part, PartBody, read_ack_body, read_part_body, sign_ack, sign_part
from frp2p.ledger.verify import verify
from frp2p.ledger.votes import Promise
from frp2p.table.events import Convicted, Refused, Stopped
from frp2p.table.messages import AnyMessage, Evidence, Final

LIAR = 1
"""The seat of the cheat."""


def stops(rig: Rig, place: int) -> list[Stopped]:
    return [event for event in rig.events(place) if isinstance(event, Stopped)]


def check_caught(rig: Rig, check: str, honest: tuple[int, ...]) -> None:
    """Every honest peer has stopped because of the liar, and its last evidence convinces somebody who was not there."""
    for place in honest:
        status = rig.peers[place].status()
        assert status.phase == "stopped"
        assert status.fault is not None
        assert (status.fault.code, status.fault.seat) == (check, LIAR)
        assert (status.asked, status.waiting_for, rig.peers[place].legal()) == (False, (), ())
        verdict = judge(read_evidence(stops(rig, place)[-1].evidence), {"tiny": TINY}, DEALERS)
        assert (verdict.seat, verdict.check, verdict.key) == (LIAR, check, rig.keys[LIAR])
        assert rig.peers[place].transcript() is None


def check_out(rig: Rig, check: str | set[str], honest: tuple[int, ...]) -> None:
    """Every honest peer has played to the end without the liar, has evidence that convinces somebody who was not there
    (of one of these), and a record that says so."""
    checks = {check} if isinstance(check, str) else check
    assert rig.run(lambda: all(rig.peers[place].ended for place in honest), seconds=120)
    for place in honest:
        status = rig.peers[place].status()
        assert (status.phase, status.fault) == ("over", None)
        assert [seat.seat for seat in status.seats if seat.out] == [LIAR]
        [convicted] = [event for event in rig.events(place) if isinstance(event, Convicted)]
        assert convicted.seat == LIAR
        assert convicted.check in checks
        verdict = judge(read_evidence(convicted.evidence), {"tiny": TINY}, DEALERS)
        assert (verdict.seat, verdict.check, verdict.key) == (LIAR, convicted.check, rig.keys[LIAR])
        report = verify(BytesIO(rig.peers[place].transcript() or b""), {"tiny": TINY}, DEALERS)
        assert [seat.out is None for seat in report.seats] == [seat != LIAR for seat in range(rig.seats)]
        assert (report.digest, report.attested) == (rig.peers[honest[0]].status().digest, rig.seats - 1)


def part_changed(
    kind: str, change: Callable[[PartBody], dict[str, object]], only: int | None = None
) -> Callable[[Rig], Cheat]:
    """A cheat that changes its own parts of this kind, for everybody or only for the peer at one place."""

    def make(rig: Rig) -> Cheat:
        def tamper(key: bytes, message: AnyMessage) -> list[AnyMessage]:
            if isinstance(message, Part) and (only is None or key == rig.keys[only]):
                body = read_part_body(message.body)
                if body.kind == kind and body.seat == LIAR:
                    return [resigned(message, signer(LIAR), **change(body))]
            return [message]

        return with_cheat(rig, LIAR, tamper)

    return make


def other_mix(body: PartBody) -> dict[str, object]:
    return {"payload": encode(Hello(b"\7" * 32))}


def wrong_share(body: PartBody) -> dict[str, object]:
    said = decode(body.payload, ClearContribution, cap=10_000)
    return {"payload": encode(ClearContribution(tuple(wrong_item(item) for item in said.items)))}


def wrong_item(item: object) -> object:
    return ShowShare(b"\0" * 32) if isinstance(item, ShowShare) else item


def not_a_value(body: PartBody) -> dict[str, object]:
    return {"payload": b"\xc1"}


@pytest.mark.parametrize("seats", [3, 4, 7])
@pytest.mark.parametrize("rest", ["one", "all but one"])
def test_two_different_parts_are_proved_to_everybody(seats: int, rest: str) -> None:
    rig = Rig(seats)
    part_changed("setup", other_mix, only=2)(rig) if rest == "one" else with_cheat(
        rig, LIAR, lambda key, message: different_but_for(rig, key, message)
    )
    rig.open()
    honest = tuple(place for place in range(seats) if place != LIAR)
    assert rig.run(lambda: all(rig.peers[place].ended for place in honest))
    check_caught(rig, "two-parts", honest)


def different_but_for(rig: Rig, key: bytes, message: AnyMessage) -> list[AnyMessage]:
    if isinstance(message, Part) and read_part_body(message.body).kind == "setup" and key != rig.keys[2]:
        body = read_part_body(message.body)
        if body.seat == LIAR:
            return [resigned(message, signer(LIAR), **other_mix(body))]
    return [message]


@pytest.mark.parametrize("field", ["step_digest", "state_digest"])
def test_two_different_acks_are_proved_to_everybody(field: str) -> None:
    rig = Rig(4)

    def tamper(key: bytes, message: AnyMessage) -> list[AnyMessage]:
        if isinstance(message, Ack) and key == rig.keys[2]:
            body = read_ack_body(message.body)
            if body.seat == LIAR and body.step == 3:
                return [sign_ack(signer(LIAR), msgspec.structs.replace(body, **{field: b"\1" * 32}))]
        return [message]

    with_cheat(rig, LIAR, tamper)
    rig.open()
    check_out(rig, "two-acks", (0, 2, 3))


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_a_different_state_from_equal_parts_blames_nobody(seats: int) -> None:
    """Programs may differ. Two stop; more go on as the majority has it, by a vote in every step."""
    rig = Rig(seats)

    def tamper(key: bytes, message: AnyMessage) -> list[AnyMessage]:
        body = read_ack_body(message.body) if isinstance(message, Ack) else None
        if body is not None and body.seat == LIAR and body.step > 3:
            return [sign_ack(signer(LIAR), msgspec.structs.replace(body, state_digest=b"\1" * 32))]
        # The peer inside the liar would report the liar, or state another ack where it votes.
        return [] if isinstance(message, Evidence | Promise | Final) else [message]

    with_cheat(rig, LIAR, tamper)
    rig.open()
    honest = [place for place in range(seats) if place != LIAR]
    assert rig.run(lambda: all(rig.peers[place].ended for place in honest), seconds=300)
    for place in honest:
        fault = rig.peers[place].status().fault
        assert (fault and (fault.code, fault.seat)) == (("state-mismatch", None) if seats == 2 else None)
        assert not [event for event in rig.events(place) if isinstance(event, Convicted)]


def test_an_ack_of_other_parts_that_nobody_shows_is_not_counted() -> None:
    """Without the parts it proves nothing, so nobody is accused; the table says whom it waits for."""
    rig = Rig(3)

    def tamper(key: bytes, message: AnyMessage) -> list[AnyMessage]:
        if isinstance(message, Ack) and read_ack_body(message.body).seat == LIAR:
            body = msgspec.structs.replace(read_ack_body(message.body), step_digest=b"\1" * 32)
            return [sign_ack(signer(LIAR), body)]
        return [] if isinstance(message, Final) else [message]

    with_cheat(rig, LIAR, tamper)
    rig.open()
    assert not rig.run(seconds=30)
    assert [rig.peers[place].status().waiting_for for place in (0, 2)] == [(LIAR,), (LIAR,)]


BEFORE = {"part-kind": part_changed("setup", lambda body: {"kind": "move"})}
BAD_PARTS = {
    "clear-token": part_changed("deal", wrong_share),
    "encoding-form": part_changed("deal", not_a_value),
    "encoding-type": part_changed("deal", lambda body: {"payload": encode(Show())}),
    "illegal-move": part_changed("move", lambda body: {"payload": encode(Bet(99))}),
    "part-kind": part_changed("deal", lambda body: {"kind": "move"}),
    "attest-digest": part_changed("attest", lambda body: {"payload": body.payload[:-1] + b"\0"}),
}


@pytest.mark.parametrize("check", sorted(BEFORE))
def test_a_signed_part_that_is_wrong_before_the_game_stops_every_honest_peer(check: str) -> None:
    rig = Rig(3)
    BEFORE[check](rig)
    rig.open()
    assert rig.run(lambda: rig.peers[0].ended and rig.peers[2].ended)
    check_caught(rig, check, (0, 2))


@pytest.mark.parametrize("check", sorted(BAD_PARTS))
def test_whoever_signs_a_wrong_part_is_out_with_evidence(check: str) -> None:
    rig = Rig(3)
    BAD_PARTS[check](rig)
    rig.open()
    check_out(rig, check, (0, 2))


@pytest.mark.parametrize("check", sorted(BAD_PARTS))
def test_two_can_only_stop_with_evidence(check: str) -> None:
    """One of two is no majority."""
    rig = Rig(2)
    BAD_PARTS[check](rig)
    rig.open()
    assert rig.run(lambda: rig.peers[0].ended)
    check_caught(rig, check, (0,))


def test_where_the_table_would_adjourn_a_lie_stops_it() -> None:
    rig = Rig(4, provided=provisions(4, on_loss="adjourn"))
    BAD_PARTS["illegal-move"](rig)
    rig.open()
    assert rig.run(lambda: all(rig.peers[place].ended for place in (0, 2, 3)))
    check_caught(rig, "illegal-move", (0, 2, 3))


def test_a_part_that_continues_another_history_is_no_evidence_and_is_not_counted() -> None:
    rig = Rig(3)
    part_changed("deal", lambda body: {"prev": b"\3" * 32})(rig)
    rig.open()
    assert not rig.run(lambda: rig.peers[0].ended, seconds=30)
    assert [rig.peers[place].status().waiting_for for place in (0, 2)] == [(LIAR,), (LIAR,)]
    assert not [event for event in rig.events(0) if isinstance(event, Convicted | Stopped)]
    assert rig.run(lambda: rig.peers[0].ended and rig.peers[2].ended, seconds=300)
    assert [seat.out for seat in rig.peers[0].status().seats] == [False, True, False]


@pytest.mark.parametrize("number", [0, 1, 2])
def test_whoever_gives_a_wrong_proof_of_the_real_dealer_is_out(number: int) -> None:
    """One bit in the liar's shuffle, in its shares of the opening hands, or in its share of a card that is shown."""
    rig = Rig(3, dealer="sealed")
    seen: list[int] = []

    def tamper(key: bytes, message: AnyMessage) -> list[AnyMessage]:
        if not isinstance(message, Part) or read_part_body(message.body).seat != LIAR:
            return [message]
        body = read_part_body(message.body)
        if body.kind == "deal" and body.step not in seen:
            seen.append(body.step)
        if body.kind != "deal" or seen.index(body.step) != number:
            return [message]
        return [resigned(message, signer(LIAR), payload=body.payload[:-1] + bytes([body.payload[-1] ^ 1]))]

    with_cheat(rig, LIAR, tamper)
    rig.open()
    rig.run(lambda: any(isinstance(event, Convicted) for event in rig.events(0)))
    [check] = [event.check for event in rig.events(0) if isinstance(event, Convicted)]
    # What fails is a check of the dealer, not of the form: one bit of a scalar or point has the right type.
    assert not check.startswith(("encoding-type", "part-", "two-"))
    check_out(rig, check, (0, 2))


def test_a_wrong_part_that_only_one_peer_gets_is_shown_to_the_others() -> None:
    rig = Rig(5)
    part_changed("move", lambda body: {"payload": encode(Bet(99))}, only=4)(rig)
    rig.open()
    check_out(rig, {"illegal-move", "two-parts"}, (0, 2, 3, 4))


def test_who_moves_out_of_turn_is_out() -> None:
    rig = Rig(3)
    rig.held = {0}
    cheat = with_cheat(rig, LIAR, lambda key, message: [message])
    rig.open()
    rig.run(lambda: rig.peers[0].asked)
    rig.peers[0].act(Bet(0), rig.now)
    rig.run(lambda: rig.peers[0].asked)
    referee = rig.peers[0]._desk.phase._loop.referee
    body = PartBody(referee.digest, referee.step, referee.head, LIAR, "move", encode(Show()))
    part = sign_part(signer(LIAR), body)
    cheat.say(rig.keys[0], encode(part))
    rig.held = set()
    check_out(rig, "wrong-speaker", (0, 2))


def test_a_part_of_another_history_and_one_of_this_are_a_lie() -> None:
    rig = Rig(3, rounds=2)
    rig.held = {0}
    cheat = with_cheat(rig, LIAR, lambda key, message: [message])
    rig.open()
    rig.run(lambda: rig.peers[0].asked)
    referee = rig.peers[0]._desk.phase._loop.referee
    body = PartBody(referee.digest, referee.step + 1, b"\4" * 32, LIAR, "move", encode(Bet(1)))
    cheat.say(rig.keys[0], encode(sign_part(signer(LIAR), body)))
    rig.run(lambda: False, seconds=3)
    assert not rig.peers[0].ended
    rig.held = set()
    check_out(rig, "two-parts", (0, 2))


def test_a_wrong_signature_closes_the_link_and_the_table_goes_on() -> None:
    rig = Rig(3)
    forged = []

    def tamper(key: bytes, message: AnyMessage) -> list[AnyMessage]:
        if isinstance(message, Part) and read_part_body(message.body).kind == "deal" and len(forged) < 4:
            forged.append(message)
            return [msgspec.structs.replace(message, signature=b"\5" * 64)]
        return [message]

    with_cheat(rig, LIAR, tamper)
    rig.open()
    assert rig.run()
    assert {peer.status().phase for peer in rig.peers} == {"over"}
    for place in (0, 2):
        assert Refused(LIAR, "signature") in rig.events(place)
        assert "signature" in rig.network.closed[rig.keys[place]]


def test_nobody_can_be_blamed_with_a_forged_part() -> None:
    """The liar sends a part in the name of seat 2, signed by itself."""
    rig = Rig(3)

    def tamper(key: bytes, message: AnyMessage) -> list[AnyMessage]:
        if isinstance(message, Part) and read_part_body(message.body).kind == "move" and key == rig.keys[0]:
            return [resigned(message, signer(LIAR), seat=2), message]
        return [message]

    with_cheat(rig, LIAR, tamper)
    rig.open()
    assert rig.run()
    assert {peer.status().phase for peer in rig.peers} == {"over"}
    assert Refused(LIAR, "signature") in rig.events(0)
    assert not [event for event in rig.events(0) if isinstance(event, Refused) and event.seat != LIAR]


def test_evidence_is_passed_on_once_and_reaches_who_comes_later() -> None:
    rig = Rig(5)
    sent: dict[bytes, int] = {}

    def watch(sender: bytes, receiver: bytes, frame: bytes) -> None:
        if frame[2:10] == b"evidence":
            sent[sender] = sent.get(sender, 0) + 1

    rig.network.on_send = watch
    cheat = with_cheat(rig, LIAR, lambda key, message: [message])
    rig.open()
    rig.run(lambda: min(map(rig.step, range(5))) >= 2)
    rig.network.partition(rig.keys[:4])
    loop = rig.peers[4]._desk.phase._loop
    cheat.say(rig.keys[0], encode(resigned(loop.steps[1].parts[LIAR], signer(LIAR), payload=b"other")))
    rig.run(lambda: False, seconds=5)
    told = [any(isinstance(event, Convicted) for event in rig.events(place)) for place in (0, 2, 3, 4)]
    assert told == [True, True, True, False]
    rig.network.heal()
    check_out(rig, "two-parts", (0, 2, 3, 4))
    assert all(count <= 2 * 4 for count in sent.values())


def test_evidence_about_another_table_stops_nothing() -> None:
    """True evidence against somebody, from another table."""
    evenings = [Rig(3, seed=0), Rig(3, seed=1)]
    part_changed("setup", other_mix, only=2)(evenings[0])
    evenings[0].open()
    assert evenings[0].run(lambda: evenings[0].peers[0].ended)
    proof = stops(evenings[0], 0)[0].evidence
    rig = evenings[1]
    cheat = with_cheat(rig, LIAR, lambda key, message: [message])
    rig.open()
    rig.run(lambda: rig.step() > 2)
    cheat.say(rig.keys[0], encode(Evidence(proof)))
    assert rig.run()
    assert {peer.status().phase for peer in rig.peers} == {"over"}
    assert Refused(LIAR, "evidence-slot") in rig.events(0)


@pytest.mark.parametrize("proof", [b"x", b"frp2p evidence 1\n", b"frp2p evidence 1\n\xc1", b"frp2p evidence 1\n\x90"])
def test_evidence_that_shows_nothing_closes_the_link(proof: bytes) -> None:
    rig = Rig(3)
    cheat = with_cheat(rig, LIAR, lambda key, message: [message])
    rig.open()
    rig.run(lambda: rig.step() > 2)
    cheat.say(rig.keys[0], encode(Evidence(proof)))
    assert rig.run()
    assert {peer.status().phase for peer in rig.peers} == {"over"}
    assert [event.seat for event in rig.events(0) if isinstance(event, Refused)] == [LIAR]
