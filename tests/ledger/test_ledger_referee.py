"""The referee: what it asks, what it refuses, and that every seat and an observer come to the same state."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from ledger_kit import CLEAR, TINY, Guess, Rig, Swap, TinyGame, TinyOptions, make_charter, seeded

from frp2p.deal.clear import ClearKind
from frp2p.errors import LocalError, PeerFault
from frp2p.games.game import Deal, IllegalMove, Need
from frp2p.games.verbs import TABLE, Coin, Draw, Reveal, Seal, Shuffle
from frp2p.ledger import referee as referee_module
from frp2p.ledger.codec import encode
from frp2p.ledger.events import Dealt, Moved, Spoke
from frp2p.ledger.records import Attest, Consent, PartBody
from frp2p.ledger.referee import Expect, Referee, no_entropy


def refused(check: str, seat: int | None, act: Any, *args: Any) -> PeerFault:
    with pytest.raises(PeerFault) as caught:
        act(*args)
    assert (caught.value.check, caught.value.seat) == (check, seat)
    return caught.value


@pytest.mark.parametrize("seats", [2, 3, 6])
def test_the_order_of_steps(seats: int) -> None:
    rig = Rig(seats)
    asked = []
    while (expect := rig.observer.expect()).speakers:
        asked.append(expect)
        assert {referee.expect() for referee in rig.referees} == {expect}
        rig.step()
    everybody = tuple(range(seats))
    assert [expect.kind for expect in asked] == (
        ["charter", "setup"] + ["deal"] * (seats + 1) + ["move", "move"] + ["deal"] * 2 + ["attest"]
    )
    assert [expect.speakers for expect in asked[2 : 2 + seats]] == [(seat,) for seat in range(seats)]
    assert asked[seats + 3].speakers == everybody
    assert asked[seats + 4].speakers == (0,)
    assert asked[-1].speakers == everybody
    assert rig.observer.expect() == Expect("attest", ())
    assert rig.observer.stage == "closed"


def test_what_closes_is_told() -> None:
    rig = Rig(2)
    rig.play()
    kinds = [(type(event), event.step) for event in rig.events]
    assert kinds[0] == (Dealt, 1)  # the seal that nobody speaks for, in the step that ended the set-up
    assert [event for event in rig.events if isinstance(event, Moved)] == [
        Moved(5, 0, Guess(0)), Moved(5, 1, Guess(0)), Moved(6, 0, Swap(None))
    ]  # fmt: skip
    spoke = [event for event in rig.events if isinstance(event, Spoke)]
    assert [(event.step, event.seat, type(event.verbs[0])) for event in spoke[:3]] == [
        (2, 0, Shuffle), (3, 1, Shuffle), (4, 0, Draw)
    ]  # fmt: skip
    dealt = [event.verb for event in rig.events if isinstance(event, Dealt)]
    assert [type(verb) for verb in dealt] == [Seal, Shuffle, Draw, Draw, Coin, Reveal]


def test_a_view_shows_only_my_cards() -> None:
    rig = Rig(3)
    assert rig.observer.view(None) is None
    rig.until("move")
    for me, referee in enumerate(rig.referees):
        for seat in (None, 0, 1, 2):
            cards = [shown.card is not None for shown in referee.view(seat).seats]
            assert cards == [seat == me == at for at in range(3)]
    assert all(shown.card is None for shown in rig.observer.view(0).seats)


def test_only_the_speakers_speak() -> None:
    rig = Rig(3)
    rig.until("deal")
    first, second = rig.referees[:2]
    with pytest.raises(LocalError):
        second.speak()
    with pytest.raises(LocalError):
        rig.observer.speak()
    payload = first.speak()
    refused("wrong-speaker", 1, rig.observer.check, 1, payload)
    refused("wrong-speaker", 7, rig.observer.check, 7, payload)
    rig.until("move")
    with pytest.raises(LocalError):
        first.speak()


def test_payloads_are_typed_by_the_kind_of_the_step() -> None:
    rig = Rig(2)
    consent, attest, move = encode(Consent()), encode(Attest(bytes(32))), encode(Guess(3))
    refused("encoding-type", 1, rig.observer.check, 1, move)
    refused("encoding-form", 1, rig.observer.check, 1, b"")
    refused("encoding-size", 1, rig.observer.check, 1, bytes(17))
    rig.observer.check(1, consent)
    for kind in ("setup", "deal", "move"):
        rig.until(kind)
        refused("encoding-type", 0, rig.observer.check, 0, consent)
        refused("encoding-type", 0, rig.observer.check, 0, attest)
    refused("encoding-canonical", 0, rig.observer.check, 0, move[:-1] + b"\xcc\x03")
    rig.observer.check(0, move)


def test_rules_are_checks() -> None:
    rig = Rig(2)
    with pytest.raises(IllegalMove):
        rig.referees[0].check_move(0, Guess(1))
    rig.until("move")
    refused("illegal-move", 1, rig.observer.check, 1, encode(Guess(10)))
    refused("illegal-move", 1, rig.observer.check, 1, encode(Swap("hello")))
    with pytest.raises(IllegalMove):
        rig.referees[0].check_move(0, Guess(10))
    rig.step()
    refused("wrong-speaker", 1, rig.observer.check, 1, encode(Swap("hello")))
    refused("illegal-move", 0, rig.observer.check, 0, encode(Swap("goodbye")))
    rig.observer.check(0, encode(Swap("hello")))


def test_the_faults_of_the_dealer_keep_their_name_and_get_a_seat() -> None:
    rig = Rig(2)
    rig.until("deal")
    rig.step()
    rig.step()  # both shuffles; now shares
    honest = rig.referees[1].speak()
    assert len(honest) > 40
    fault = refused("clear-token", 1, rig.observer.check, 1, honest[:-1] + bytes([honest[-1] ^ 1]))
    assert fault.seat == 1


def test_the_attestation_is_of_this_record() -> None:
    rig = Rig(2)
    rig.until("attest")
    refused("attest-digest", 0, rig.observer.check, 0, encode(Attest(bytes(32))))
    head = rig.observer.head
    rig.step()
    assert rig.observer.record_digest == head


@pytest.mark.parametrize(
    ("changes", "check"),
    [
        ({"game": bytes(32)}, "part-game"), ({"step": 1}, "part-step"), ({"prev": bytes(32)}, "part-prev"),
        ({"kind": "move"}, "part-kind"), ({"seat": 2}, "wrong-speaker"), ({"payload": b"\xc0"}, "encoding-type"),
    ],
)  # fmt: skip
def test_a_body_belongs_into_one_place(changes: dict[str, Any], check: str) -> None:
    rig = Rig(2)
    referee = rig.observer
    good = PartBody(referee.digest, 0, referee.head, 1, "charter", encode(Consent()))
    referee.check_body(good)
    refused(check, changes.get("seat", 1), referee.check_body, msgspec.structs.replace(good, **changes))


def test_a_step_closes_with_checked_parts_of_all_speakers_only() -> None:
    rig = Rig(2)
    referee, consent = rig.observer, encode(Consent())
    before = referee.state_digest()
    for payloads in ({}, {0: consent}, {0: consent, 1: consent}, {0: consent, 1: consent, 2: consent}):
        with pytest.raises(LocalError):
            referee.close(payloads, bytes(32))
    referee.check(0, consent)
    referee.check(1, consent)
    with pytest.raises(LocalError):
        referee.close({0: consent, 1: b"other"}, bytes(32))
    assert (referee.state_digest(), referee.step) == (before, 0)
    referee.close({0: consent, 1: consent}, bytes(32))
    assert referee.step == 1


def test_nothing_closes_after_the_end() -> None:
    rig = Rig(2)
    rig.play()
    with pytest.raises(LocalError):
        rig.observer.close({}, bytes(32))
    refused("wrong-speaker", 0, rig.observer.check, 0, encode(Attest(rig.observer.head)))


def test_the_state_digest_tells_every_step_apart() -> None:
    rig = Rig(3)
    seen = {rig.observer.state_digest()}
    heads = {rig.observer.head}
    while rig.observer.expect().speakers:
        rig.step()
        seen.add(rig.observer.state_digest())
        heads.add(rig.observer.head)
    assert len(heads) == len(rig.steps) + 1
    # In the set-up the state is the stage alone; the heads bind what was said there.
    assert len(seen) >= len(rig.steps)


def test_a_referee_is_for_one_game_and_dealer() -> None:
    charter = make_charter(2)

    class Chess(TinyGame):
        name = "chess"

    class Sealed(ClearKind):
        name = "sealed"

    with pytest.raises(LocalError):
        Referee(charter, Chess(), CLEAR)
    with pytest.raises(LocalError):
        Referee(charter, TINY, Sealed())


def test_an_observer_has_no_randomness() -> None:
    with pytest.raises(LocalError):
        no_entropy(32)


def test_a_game_that_asks_without_end_is_our_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    """It lays down one card after the other, for which nobody has to speak."""

    class Endless(TinyGame):
        def need(self, state: Any) -> Need:
            return Deal((Seal(self.deck(TinyOptions())[state.stage : state.stage + 1], TABLE),))

    monkeypatch.setattr(referee_module, "MAX_SILENT_BATCHES", 4)
    endless = Referee(make_charter(2), Endless(), CLEAR, 0, seeded("x"))
    pay_all(endless, encode(Consent()))
    with pytest.raises(LocalError, match="without end"):
        pay_all(endless, endless.speak())


def pay_all(table: Referee, payload: bytes) -> None:
    """Both seats say the same."""
    for seat in (0, 1):
        table.check(seat, payload)
    table.close({0: payload, 1: payload}, bytes(32))


def test_there_is_no_dealer_before_the_game() -> None:
    with pytest.raises(LocalError):
        Rig(2).observer._the_dealer()
