"""Tables that agreed to open all keys after the game: they do, nobody does before, and who does not is voted out."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO

import msgspec
import pytest
from table_kit import DEALERS, TINY, Cheat, Rig, resigned, signer, with_cheat
from vote_kit import AWAY, VoteRig

from frp2p.deal.sealed.messages import Keys
from frp2p.ledger.audit import Audit, audit
from frp2p.ledger.codec import encode
from frp2p.ledger.evidence import judge, read_evidence
from frp2p.ledger.provisions import provisions
from frp2p.ledger.records import Part, read_part_body
from frp2p.ledger.transcript import read_records
from frp2p.table.events import Convicted, SeatsOut, Stopped
from frp2p.table.messages import AnyMessage

LIAR = 1


def audited(rig: Rig, place: int = 0) -> Audit:
    return audit(BytesIO(rig.peers[place].transcript() or b""), {"tiny": TINY}, DEALERS)


def hands(found: Audit) -> dict[int, str]:
    """What each seat whose keys are open drew."""
    return {hand.seat: hand.cards[0] for hand in found.hands if hand.why == ("draw",)}


def kinds(rig: Rig, place: int = 0) -> list[str]:
    records = read_records(BytesIO(rig.peers[place].transcript() or b""))
    return [read_part_body(record.body).kind for record in records if isinstance(record, Part)]


@pytest.mark.parametrize("dealer", ["clear", "sealed"])
@pytest.mark.parametrize("seats", [2, 4])
def test_everybody_opens_the_keys_after_the_game(seats: int, dealer: str) -> None:
    """The cards that the audit reads are those that each peer showed its player while the game went on."""
    rig = VoteRig(seats, dealer=dealer, audit=True)
    rig.held = set(range(seats))
    rig.open()
    assert rig.run(lambda: all(peer.asked for peer in rig.peers))
    seen = {seat: peer.status().view.seats[seat].card for seat, peer in enumerate(rig.peers)}
    assert None not in seen.values()
    rig.held = set()
    assert rig.run()
    rig.check_end()
    assert kinds(rig).count("open") == seats
    assert audited(rig).opened == tuple(range(seats))
    assert hands(audited(rig)) == seen


def test_a_table_that_did_not_agree_has_no_such_step() -> None:
    rig = VoteRig(3)
    rig.open()
    assert rig.run()
    assert "open" not in kinds(rig)


def test_no_key_is_in_any_frame_before_the_game_is_final_for_its_seat() -> None:
    """(That no part is sent before the step before is final, whatever is in it, the rig watches at every table.)"""
    rig = VoteRig(4, dealer="sealed", audit=True)
    sent: list[tuple[int, int, bytes]] = []
    before = rig.network.on_send

    def look(sender: bytes, receiver: bytes, frame: bytes) -> None:
        if before is not None:
            before(sender, receiver, frame)
        place = rig.keys.index(sender)
        sent.append((place, rig.peers[place].status().step, frame))

    rig.network.on_send = look
    rig.open()
    assert rig.run()
    records = read_records(BytesIO(rig.peers[0].transcript() or b""))
    parts = [read_part_body(record.body) for record in records if isinstance(record, Part)]
    opened = [body for body in parts if body.kind == "open"]
    for body in opened:
        keys = msgspec.convert(msgspec.msgpack.decode(body.payload), Keys)
        for secret in (keys.deck, keys.view):
            steps = [step for place, step, frame in sent if secret in frame]
            assert steps
            assert min(steps) >= body.step


def tampering(rig: Rig, change: Callable[[Part], list[AnyMessage]]) -> Cheat:
    """The liar says something else (or nothing) where it should open its keys."""

    def tamper(key: bytes, message: AnyMessage) -> list[AnyMessage]:
        if isinstance(message, Part):
            body = read_part_body(message.body)
            if body.seat == LIAR and body.kind == "open":
                return change(message)
        return [message]

    return with_cheat(rig, LIAR, tamper)


@pytest.mark.parametrize("dealer", ["clear", "sealed"])
def test_who_keeps_the_keys_is_out_and_the_rest_is_audited(dealer: str) -> None:
    """The others attest without it; its hand stays hidden, the result stays what it was."""
    rig = VoteRig(4, dealer=dealer, audit=True)
    tampering(rig, lambda part: [])
    rig.statements.liars.add(LIAR)
    rig.open()
    assert rig.run(lambda: all(rig.peers[place].ended for place in rig.here()), seconds=20 * AWAY)
    report = rig.check_end()
    assert [seat.seat for seat in report.seats if seat.out is not None] == [LIAR]
    assert report.seats[LIAR].rank is not None
    assert {event.how for event in rig.events(0) if isinstance(event, SeatsOut)} == {"end"}
    found = audited(rig)
    assert found.opened == (0, 2, 3)
    assert set(hands(found)) == {0, 2, 3}
    # The deck takes the keys of all.
    assert found.orders == ()


@pytest.mark.parametrize("recovery", [False, True])
def test_who_vanishes_before_is_not_asked_for_keys(recovery: bool) -> None:
    """After a recovery the deck is locked by those who stay, and their keys read it."""
    rig = VoteRig(4, dealer="sealed", audit=True, recovery=recovery)
    rig.held = {LIAR}
    rig.open()
    assert rig.run(lambda: rig.peers[LIAR].asked)
    rig.kill(LIAR)
    assert rig.run(seconds=20 * AWAY)
    assert rig.check_end().seats[LIAR].out is not None
    assert {event.how for event in rig.events(0) if isinstance(event, SeatsOut)} == {"recover" if recovery else "stop"}
    assert kinds(rig).count("open") == 3
    found = audited(rig)
    assert found.opened == (0, 2, 3)
    assert set(hands(found)) == {0, 2, 3}


def test_a_seat_that_dies_while_keys_are_opened_comes_back_and_says_the_same() -> None:
    """The others wait for it; `OneEach` sees to it that nothing is said twice in two ways."""
    rig = VoteRig(3, dealer="sealed", audit=True)
    rig.open()
    rig.run(lambda: rig.peers[2].status().phase == "closing")
    rig.kill(2)
    rig.run(lambda: False, seconds=2)
    rig.revive(2)
    assert rig.run()
    assert rig.check_end().attested == 3
    assert audited(rig).opened == (0, 1, 2)


def changed(**changes: bytes) -> Callable[[Part], list[AnyMessage]]:
    def change(part: Part) -> list[AnyMessage]:
        keys = msgspec.convert(msgspec.msgpack.decode(read_part_body(part.body).payload), Keys)
        return [resigned(part, signer(LIAR), payload=encode(msgspec.structs.replace(keys, **changes)))]

    return change


WRONG = {
    "open-deck-key": changed(deck=b"\1" + bytes(31)),
    "open-view-key": changed(view=b"\1" + bytes(31)),
    "scalar-range": changed(view=b"\xff" * 32),
}


@pytest.mark.parametrize("check", sorted(WRONG))
def test_who_opens_wrong_keys_is_convicted(check: str) -> None:
    rig = VoteRig(3, dealer="sealed", audit=True)
    tampering(rig, WRONG[check])
    rig.statements.liars.add(LIAR)
    rig.open()
    assert rig.run(lambda: all(rig.peers[place].ended for place in rig.here()), seconds=20 * AWAY)
    report = rig.check_end(convicted=frozenset({LIAR}))
    assert [seat.seat for seat in report.seats if seat.out is not None] == [LIAR]
    for place in rig.here():
        [event] = [event for event in rig.events(place) if isinstance(event, Convicted)]
        verdict = judge(read_evidence(event.evidence), {"tiny": TINY}, DEALERS)
        assert (event.check, verdict.check, verdict.seat) == (check, check, LIAR)
    assert audited(rig).opened == (0, 2)


def test_at_a_table_of_two_wrong_keys_stop_it() -> None:
    rig = Rig(2, dealer="sealed", provided=provisions(2, audit=True))
    tampering(rig, WRONG["open-view-key"])
    rig.open()
    assert rig.run(lambda: rig.peers[0].ended)
    [event] = [event for event in rig.events(0) if isinstance(event, Stopped)]
    assert (event.check, event.seat) == ("open-view-key", LIAR)
