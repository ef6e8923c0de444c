"""Open audit of whole games: what is read afterwards is what every seat saw while it played."""

from __future__ import annotations

import random
from functools import cache
from io import BytesIO
from typing import Any

import msgspec
import pytest
from ledger_kit import CLEAR, DEALERS, GAMES, TINY, Rig, framed, frames, make_charter

from frp2p.cards import CardId
from frp2p.deal.dealer import Dealer
from frp2p.deal.sealed import SealedKind
from frp2p.deal.sealed.messages import Keys
from frp2p.errors import LocalError, PeerFault
from frp2p.games.fantasy_realms.options import Options
from frp2p.games.game import IllegalMove
from frp2p.games.registry import games
from frp2p.games.verbs import TABLE, Cards, Reveal, SlotId
from frp2p.ledger.audit import Audit, Auditor, audit
from frp2p.ledger.charter import params_digest
from frp2p.ledger.codec import encode
from frp2p.ledger.events import Dealt, StepEvent
from frp2p.ledger.provisions import provisions
from frp2p.ledger.records import Part, PartBody, read_part_body, sign_part
from frp2p.ledger.referee import Referee
from frp2p.ledger.transcript import ClosedStep, read_records, write_transcript
from frp2p.ledger.verify import Replay, TranscriptFault, verify
from frp2p.testing.pocket import POCKET

FANTASY = games()["fantasy-realms"]
SEALED = SealedKind()
BOTH = {**DEALERS, SEALED.name: SEALED}
EVERY = {**GAMES, FANTASY.name: FANTASY, POCKET.name: POCKET}


class Lively(Rig):
    """Players do anything that is legal. `seen`: the view of each seat after each step."""

    def __init__(self, seats: int, game: Any, kind: Any, options: Any = None, *, open_audit: bool = True) -> None:
        super().__init__(seats, game, kind, options=options, provided=provisions(seats, audit=open_audit))
        self.dice = random.Random(seats)
        self.seen: list[list[Any]] = []

    def payload(self, seat: int) -> bytes:
        referee = self.referees[seat]
        if referee.expect().kind != "move":
            return referee.speak()
        view = referee.view(seat)
        moves = list(self.game.legal(view))
        self.dice.shuffle(moves)
        for move in moves:
            try:
                return referee.check_move(seat, move)
            except IllegalMove:
                continue
        raise LocalError("There is nothing to do.")

    def step(self) -> ClosedStep:
        closed = super().step()
        self.seen.append([referee.view(seat) for seat, referee in enumerate(self.referees)])
        return closed


TABLES: dict[str, tuple[int, Any, Any, Any]] = {
    "pocket-sealed": (4, POCKET, SEALED, None),
    "tiny-sealed": (3, TINY, SEALED, None),
    "pocket-clear": (3, POCKET, CLEAR, None),
    "items-clear": (3, FANTASY, CLEAR, Options(cursed_items=True, extra_suits=True)),
    "chaos-clear": (4, FANTASY, CLEAR, Options(mode="chaos", seconds=20)),
}


@cache
def played(name: str) -> Lively:
    rig = Lively(*TABLES[name])
    rig.play()
    return rig


def audited(data: bytes) -> Audit:
    return audit(BytesIO(data), EVERY, BOTH)


@cache
def audit_of(name: str) -> Audit:
    return audited(played(name).transcript())


@pytest.mark.parametrize("name", TABLES)
def test_the_audit_sees_what_every_seat_saw(name: str) -> None:
    """After each step, the view that the audit gives a seat is the one that the seat's own program had."""
    rig = played(name)
    keys = {
        body.seat: body.payload
        for record in read_records(BytesIO(rig.transcript()))
        if isinstance(record, Part) and (body := read_part_body(record.body)).kind == "open"
    }
    auditors: list[Auditor] = []

    def watch(referee: Referee, step: int, events: tuple[StepEvent, ...]) -> None:
        if referee.stage in ("charter", "setup"):
            return
        if not auditors:
            auditors.append(Auditor(*referee.audit(keys)))
        auditors[0].look(step, events)
        for seat, view in enumerate(rig.seen[step]):
            assert referee.game.view(referee._state, seat, auditors[0].known_to(seat)) == view, (step, seat)

    Replay(read_records(BytesIO(rig.transcript())), EVERY, BOTH).run(watch)
    assert auditors[0].opened == tuple(range(len(rig.signers)))


@pytest.mark.parametrize("name", TABLES)
def test_the_report_of_an_audit(name: str) -> None:
    rig = played(name)
    found = audit_of(name)
    assert found.report == verify(BytesIO(rig.transcript()), EVERY, BOTH)
    assert found.opened == tuple(range(len(rig.signers)))
    decks = rig.game.decks(rig.observer.options)
    for hand in found.hands:
        assert set(hand.cards) <= set(decks[hand.deck])
        assert hand.why, hand
    steps = [hand.step for hand in found.hands]
    assert steps == sorted(steps)
    assert {hand.seat for hand in found.hands} == set(found.opened)
    opening = found.orders[0]
    assert sorted(opening.cards) == sorted(decks[opening.deck])
    assert all(None not in look.cards for look in found.looks)


def test_an_opened_hand_is_the_hand_that_was_shown() -> None:
    """What a seat holds before its hand is opened is what the opening shows."""
    rig = played("tiny-sealed")
    found = audit_of("tiny-sealed")
    held = {hand.seat: hand.cards for hand in found.hands if hand.why == ("draw",)}
    assert tuple(card for seat in sorted(held) for card in held[seat]) == rig.observer._state.opened
    assert [hand.cards for hand in found.hands if hand.why == ("show",)] == [()] * 3
    order = found.orders[-1].cards
    assert order[:3] == rig.observer._state.opened


def test_every_way_to_change_a_hand_has_a_word() -> None:
    words = {word for name in TABLES for hand in audit_of(name).hands for word in hand.why}
    assert words == {"draw", "take", "give", "get", "put-back", "show"}
    looks = [look for name in TABLES for look in audit_of(name).looks]
    assert {look.owner == TABLE for look in looks} == {True, False}


def test_without_the_provision_there_is_no_such_step() -> None:
    rig = Lively(2, POCKET, CLEAR, open_audit=False)
    data = rig.play()
    kinds = [read_part_body(part.body).kind for step in rig.steps for part in step.parts]
    assert "open" not in kinds
    with pytest.raises(PeerFault) as caught:
        audited(data)
    assert caught.value.check == "audit-none"
    # The charter says which it is, and so does everything that is bound to what was agreed.
    with_it = make_charter(2, provided=provisions(2, audit=True))
    assert params_digest(with_it) != params_digest(make_charter(2))
    assert not make_charter(2).provisions.audit


def test_keys_are_given_after_the_last_card_and_before_the_attestation() -> None:
    rig = Lively(2, TINY, SEALED)
    rig.until("open")
    assert rig.game.need(rig.observer._state).__class__.__name__ == "Over"
    assert rig.observer.losses().over
    keys = [rig.referees[seat]._the_dealer().keys() for seat in range(2)]
    said = b"".join(record.body for step in rig.steps for record in step.parts)
    assert not any(secret in said for one in keys for secret in (one.deck, one.view))
    rig.step()
    assert rig.observer.expect().kind == "attest"
    with pytest.raises(LocalError):
        rig.referees[0].audit({})


def wrong(payload: bytes, **changes: bytes) -> bytes:
    return encode(msgspec.structs.replace(msgspec.convert(msgspec.msgpack.decode(payload), Keys), **changes))


@pytest.mark.parametrize(
    ("check", "change"),
    [
        ("open-deck-key", lambda said: wrong(said, deck=b"\1" + bytes(31))),
        ("open-view-key", lambda said: wrong(said, view=b"\1" + bytes(31))),
        ("scalar-range", lambda said: wrong(said, view=b"\xff" * 32)),
        ("encoding-type", lambda said: encode(["consent"])),
        ("encoding-size", lambda said: said + bytes(96)),
    ],
)
def test_wrong_keys_are_refused_at_the_table_and_in_the_record(check: str, change: Any) -> None:
    rig = Lively(2, TINY, SEALED)
    rig.until("open")
    payload = change(rig.referees[1].speak())
    for referee in (rig.referees[0], rig.observer):
        with pytest.raises(PeerFault) as caught:
            referee.check(1, payload)
        assert (caught.value.check, caught.value.seat) == (check, 1)
    if len(payload) > 96:
        return  # no such body can be made
    parts = (rig.part(0, rig.referees[0].speak()), rig.part(1, payload))
    data = write_transcript(rig.charter, [*rig.steps, ClosedStep(parts, ())])
    for read in (audited, lambda bad: verify(BytesIO(bad), EVERY, BOTH)):
        with pytest.raises(TranscriptFault) as found:
            read(data)
        assert (found.value.check, found.value.seat, found.value.step) == (check, 1, len(rig.steps))


def test_a_record_that_does_not_hold_is_no_audit() -> None:
    data = played("tiny-sealed").transcript()
    cut = b"".join(frames(data)[:-6])
    for bad, check in ((b"", "transcript-magic"), (data[:-1], "transcript-truncated"), (cut, "transcript-open")):
        with pytest.raises(TranscriptFault) as caught:
            audited(bad)
        assert caught.value.check == check


def test_keys_of_nobody_are_refused_where_they_stand() -> None:
    """An `open` part of a seat that is not there, or at the wrong place, is what the verifier says it is."""
    rig = played("tiny-sealed")
    pieces = frames(rig.transcript())
    body = PartBody(
        rig.observer.digest, 0, rig.observer.digest, 6, "open", encode(rig.referees[0]._the_dealer().keys())
    )
    stranger = framed(sign_part(rig.signers[0], body))
    for at in (2, len(pieces) // 2, len(pieces)):
        data = b"".join([*pieces[:at], stranger, *pieces[at:]])
        with pytest.raises(TranscriptFault) as caught:
            audited(data)
        with pytest.raises(TranscriptFault) as plain:
            verify(BytesIO(data), EVERY, BOTH)
        assert (caught.value.check, caught.value.step) == (plain.value.check, plain.value.step)


def test_a_bit_that_is_flipped_fails_as_it_does_without_an_audit() -> None:
    data = played("tiny-sealed").transcript()
    for at in range(5, len(data), len(data) // 20):
        flipped = bytearray(data)
        flipped[at] ^= 1 << at % 8
        found = []
        for read in (audited, lambda bad: verify(BytesIO(bad), EVERY, BOTH)):
            with pytest.raises(TranscriptFault) as caught:
                read(bytes(flipped))
            found.append((caught.value.check, caught.value.step, caught.value.seat))
        assert found[0] == found[1]


class Lying:
    """A dealer that reads something else than what it should: what the audit has to find out."""

    def __init__(self, dealer: Dealer) -> None:
        self.dealer = dealer
        self.slots = dealer.slots
        self.changes: dict[tuple[str, SlotId], CardId] = {}
        self.broken = False

    def known_to(self, seat: int) -> dict[SlotId, CardId]:
        if self.broken:
            raise LocalError("a slot holds no card", code="deal-card")
        return {at: self.changes.get((str(seat), at), card) for at, card in self.dealer.known_to(seat).items()}

    def table_cards(self) -> dict[SlotId, CardId]:
        return {at: self.changes.get(("table", at), card) for at, card in self.dealer.table_cards().items()}


def lying() -> tuple[Lying, Auditor, int]:
    """An audit that has come to the hands of a game of three; the step that was last."""
    rig = played("tiny-sealed")
    state: list[Any] = []
    keys = {seat: encode(rig.referees[seat]._the_dealer().keys()) for seat in range(3)}

    def watch(referee: Referee, step: int, events: tuple[StepEvent, ...]) -> None:
        if referee.stage == "play" and not state:
            dealer, opened = referee.audit(keys)
            state[:] = (Lying(dealer), opened)
            state.append(Auditor(state[0], opened))
        if state and referee.expect().kind == "move":
            raise Arrived
        if state:
            state[2].look(step, events)

    with pytest.raises(Arrived):
        Replay(read_records(BytesIO(rig.transcript())), EVERY, BOTH).run(watch)
    return state[0], state[2], 9


class Arrived(Exception):
    """The audit is where the test wants it."""


def refused(auditor: Auditor, step: int, *events: StepEvent) -> str:
    with pytest.raises(PeerFault) as caught:
        auditor.look(step, events)
    return caught.value.check


def test_each_check_of_the_audit_alone() -> None:
    dealer, auditor, step = lying()
    auditor.look(step, ())
    mine = dealer.slots.of(0)[0]
    table = dealer.slots.of(TABLE)[0]
    other = dealer.table_cards()[dealer.slots.of(TABLE)[1]]
    card = dealer.known_to(0)[mine]

    dealer.broken = True
    assert refused(auditor, step) == "audit-card"
    dealer.broken = False
    dealer.changes = {("0", mine): CardId("T99")}
    assert refused(auditor, step) == "audit-differs"
    dealer.changes = {}
    shown = Dealt(step, Reveal((mine,)), Cards((CardId("T99"),)))
    assert refused(auditor, step, shown) == "audit-reveal"
    auditor.look(step, (Dealt(step, Reveal((mine,)), Cards((card,))),))

    fresh = Auditor(dealer, (0, 1, 2))  # type: ignore[arg-type]
    dealer.changes = {("table", table): other}
    assert refused(fresh, step) == "audit-twice"
    fresh = Auditor(dealer, (0, 1, 2))  # type: ignore[arg-type]
    dealer.changes = {("table", table): CardId("T99")}
    assert refused(fresh, step) == "audit-down"


def test_other_faults_of_the_program_stay_what_they_are() -> None:
    dealer, _, step = lying()
    with pytest.raises(LocalError) as caught:
        Auditor(dealer, (7,)).look(step, ())  # type: ignore[arg-type]
    assert caught.value.code == "deal-misuse"
