"""Attacks on a whole table: real peers on a network in memory, one of them with a liar around it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

import msgspec
import pytest
from attack_kit import GROUP, KIND, refusal
from table_kit import DEALERS, TINY, Cheat, Options, Rig, State, Tiny, View, resigned, signer, with_cheat

from frp2p.cards import CardId
from frp2p.deal import ClearKind
from frp2p.deal.sealed.messages import SealedContribution, Shown
from frp2p.games.game import Deal, Decide, IllegalMove, Known, Move, Need, Over
from frp2p.games.verbs import Outcome, Peek, Seat
from frp2p.ledger.codec import decode, encode
from frp2p.ledger.evidence import BadRecord, Contradiction, judge, write_evidence
from frp2p.ledger.records import Part, PartBody, read_part_body
from frp2p.ledger.signing import Signer
from frp2p.ledger.transcript import write_transcript
from frp2p.table.events import Refused
from frp2p.table.loop import StepLoop
from frp2p.table.messages import AnyMessage, Evidence
from frp2p.testing.network import Conditions
from frp2p.testing.table import MemoryTable

LIAR, VICTIMS = 1, (0, 2)


class Look(Move, frozen=True):
    """Seat 1 says whose card it wants to see."""

    target: int


class Looking(Tiny):
    """One card each; then seat 1 may look at the card of one other seat, which it names first."""

    name = "looking"
    move_type: Any = Look

    def start(self, options: Options, seats: int) -> State:
        return State(seats, ("seal", "shuffle", "draw", "look", "peek"))

    def need(self, state: State) -> Need:
        if not state.todo:
            return Over()
        if state.todo[0] == "look":
            return Decide((LIAR,))
        if state.todo[0] == "peek":
            return Deal((Peek((dict(state.hands)[state.bets[0]],), LIAR),))
        return Deal(self._verbs(state, state.todo[0]))

    def check(self, state: State, seat: Seat, move: Move) -> None:
        if not isinstance(move, Look) or seat != LIAR or move.target not in VICTIMS:
            raise IllegalMove("Not now.")

    def apply(self, state: State, moves: Mapping[Seat, Move]) -> State:
        (move,) = moves.values()
        if not isinstance(move, Look):
            raise IllegalMove("Not now.")
        return msgspec.structs.replace(state, todo=state.todo[1:], bets=(move.target,))

    def dealt(self, state: State, outcomes: tuple[Outcome, ...]) -> State:
        if state.todo[0] == "peek":
            return msgspec.structs.replace(state, todo=())
        return super().dealt(state, outcomes)

    def view(self, state: State, seat: Seat | None, known: Known) -> View:
        need = self.need(state)
        return View(seat, need.seats if isinstance(need, Decide) else (), ())

    def legal(self, view: View) -> tuple[Move, ...]:
        return tuple(Look(target) for target in VICTIMS) if view.me in view.asked else ()


GAME = Looking()


class TwoFaced:
    """A table whose seat 1 tells seat 0 that it looks at seat 0, and seat 2 that it looks at seat 2."""

    def __init__(self, seed: int = 5) -> None:
        self.table = MemoryTable(seed, 3, GAME, Options(), KIND, conditions=Conditions(reorder=False))
        self.shown: dict[Seat, Shown] = {}
        """What the liar got out of each seat."""
        self.place = 1
        self.signer = Signer(sha256(f"{seed} {self.place}".encode()).digest())
        self.cheat = Cheat(self.table.peers[self.place], self.tamper)
        self.table.network.replace(self.table.keys[self.place], self.cheat)
        self.table.network.on_send = self.watch

    def seat(self, key: bytes) -> Seat:
        return [seat.key for seat in self.table.peers[0].status().seats].index(key)

    def tamper(self, key: bytes, message: AnyMessage) -> list[AnyMessage]:
        if isinstance(message, Evidence):
            return []
        if isinstance(message, Part) and read_part_body(message.body).kind == "move":
            body = read_part_body(message.body)
            return [resigned(message, self.signer, payload=encode(Look(self.seat(key))))] if body.seat == LIAR else []
        return [message]

    def watch(self, sender: bytes, receiver: bytes, frame: bytes) -> None:
        """The liar's machine sees everything that is sent to it, whatever its peer makes of it."""
        if receiver != self.table.keys[self.place] or frame[2:6] != b"part":
            return
        body = read_part_body(decode(frame, Part, cap=1 << 20).body)
        if body.kind == "deal":
            for item in decode(body.payload, SealedContribution, cap=1 << 20).items:
                if isinstance(item, Shown):
                    self.shown[body.seat] = item

    def read(self, seat: Seat) -> CardId:
        """The card of this seat, by the share that it gave away."""
        dealer: Any = self.table.peers[self.place]._desk.phase._loop.referee._dealer
        slot = next(slot for slot in dealer.slots.live().values() if slot.lock == seat)
        e1, e2 = self.shown[seat].shares[:32], self.shown[seat].shares[32:]
        share = GROUP.sub(e2, GROUP.mul(e1, dealer._me.secrets.view))
        return dealer._lookup(slot.deck, GROUP.sub(slot.body.b, share))

    def hand(self, seat: Seat) -> CardId:
        """The truth."""
        dealer: Any = self.table.peers[seat]._desk.phase._loop.referee._dealer
        return next(iter(dealer.known().values()))


@pytest.mark.pitfall(35)
def test_an_equivocated_look_gets_nothing() -> None:
    """No share leaves before all seats have acknowledged one and the same request; the two requests are evidence."""
    attack = TwoFaced()

    def convicted(seat: Seat) -> dict[Seat, str]:
        loop: Any = getattr(attack.table.peers[seat]._desk.phase, "_loop", None)
        return {} if loop is None else {liar: one.check for liar, one in loop.convictions._of.items()}

    assert attack.table.play(until=lambda: all(convicted(seat) for seat in VICTIMS))
    assert [convicted(seat) for seat in VICTIMS] == [{LIAR: "two-parts"}] * 2
    attack.table.play(seconds=60, until=lambda: bool(attack.shown))
    assert attack.shown == {}


@pytest.mark.pitfall(35)
def test_with_hasty_seats_it_gets_two_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """The control: seats that answer as soon as they hold the request show both hands, where the rules give one."""
    attack = TwoFaced()
    honest = StepLoop._apply
    hands: dict[Seat, CardId] = {}

    def hasty(self: StepLoop, now: float) -> None:
        looks = self.course.expect.kind == "move"
        honest(self, now)
        referee = self.referee
        if looks and self.me in referee.expect().speakers:
            hands[self.me] = attack.hand(self.me)
            body = PartBody(referee.digest, referee.step, referee.head, self.me, "deal", referee.speak())
            self._own.part(body)

    monkeypatch.setattr(StepLoop, "_apply", hasty)
    attack.table.play(seconds=60, until=lambda: len(attack.shown) == 2)
    assert {seat: attack.read(seat) for seat in VICTIMS} == hands
    assert len(set(hands.values())) == 2


@pytest.mark.pitfall(35)
def test_an_honest_look_is_answered() -> None:
    """The same game without a liar: one look, one answer, one record."""
    table = MemoryTable(5, 3, GAME, Options(), KIND)
    assert table.play()
    assert [peer.status().phase for peer in table.peers] == ["over"] * 3


# 36 whose fault it is


def at_the_bets() -> tuple[Rig, StepLoop]:
    """Three seats in the middle of a game, and what seat 0 holds."""
    rig = Rig(3)
    rig.open()
    assert rig.run(lambda: rig.step() >= 8)
    return rig, rig.peers[0]._desk.phase._loop  # type: ignore[union-attr]


def verdict(evidence: Any) -> tuple[Seat, str]:
    found = judge(evidence, {"tiny": TINY}, DEALERS)
    return found.seat, found.check


@pytest.mark.pitfall(36)
def test_false_blame() -> None:
    """Seat 1 wants seat 2 to look like a liar: with a part in its name, a right part called wrong, one part twice."""
    _rig, loop = at_the_bets()
    number = next(at for at, step in enumerate(loop.steps) if len(step.parts) == 3 and at > 1)
    true = next(part for part in loop.steps[number].parts if read_part_body(part.body).seat == 2)
    before = write_transcript(loop.charter, loop.steps[:number])
    forged = resigned(true, signer(LIAR), payload=b"\x90")
    games, dealers = {"tiny": TINY}, DEALERS
    lies = {
        "signature": Contradiction(loop.charter, true, forged),
        "evidence-same": Contradiction(loop.charter, true, true),
        "evidence-right": BadRecord(before, true, "illegal-move"),
    }
    for check, lie in lies.items():
        assert refusal(judge, lie, games, dealers) == check
    assert refusal(judge, BadRecord(before, forged, "encoding-type"), games, dealers) == "signature"
    assert verdict(Contradiction(loop.charter, true, resigned(true, signer(2), payload=b"\x90"))) == (2, "two-parts")


@pytest.mark.pitfall(36)
def test_false_blame_on_the_wire() -> None:
    """Who shows evidence that is none is refused itself, and the accused plays on."""
    rig = Rig(3)
    cheat = with_cheat(rig, LIAR, lambda key, message: [message])
    rig.open()
    assert rig.run(lambda: rig.step() >= 8)
    loop = rig.peers[0]._desk.phase._loop
    true = next(part for part in loop.steps[1].parts if read_part_body(part.body).seat == 2)
    lie = write_evidence(Contradiction(loop.charter, true, resigned(true, signer(LIAR), payload=b"\x90")))
    cheat.say(rig.keys[0], encode(Evidence(lie)))
    assert rig.run()
    assert {peer.status().phase for peer in rig.peers} == {"over"}
    assert Refused(LIAR, "signature") in rig.events(0)


# 38 the same bytes ever after


@pytest.mark.pitfall(38)
def test_a_repeated_answer_is_the_same_answer() -> None:
    """Frames get lost, are doubled and asked for again: every record of a seat and step has one form for ever."""
    table = MemoryTable(
        1, 3, TINY, Options(), ClearKind(), conditions=Conditions(loss=0.1, duplicate=0.1, cut_every=3.0)
    )
    said: dict[tuple[int, int], set[bytes]] = defaultdict(set)
    sent = 0

    def watch(sender: bytes, receiver: bytes, frame: bytes) -> None:
        nonlocal sent
        if frame[2:6] == b"part":
            part = decode(frame, Part, cap=1 << 20)
            body = read_part_body(part.body)
            said[body.seat, body.step].add(encode(part))
            sent += 1

    table.network.on_send = watch
    assert table.play()
    assert {peer.status().phase for peer in table.peers} == {"over"}
    assert {len(forms) for forms in said.values()} == {1}
    assert sent > 2 * len(said)


def test_the_game_of_the_attack_is_played_by_its_rules() -> None:
    state = GAME.start(Options(), 3)
    for move in (Look(LIAR), Look(9)):
        with pytest.raises(IllegalMove):
            GAME.check(state, LIAR, move)
    assert isinstance(GAME.need(state), Deal)
