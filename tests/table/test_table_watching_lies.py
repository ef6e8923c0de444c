"""Seats that lie to those who watch, and watchers that do not behave."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest
from table_kit import Cheat, Rig, signer, with_cheat
from watching_kit import EYES, Stands, key_of, seen_to_the_end

from frp2p.ledger.charter import VERSION
from frp2p.ledger.codec import encode as canonical
from frp2p.ledger.records import Ack, Part, read_part_body
from frp2p.table import limits
from frp2p.table.events import Refused
from frp2p.table.messages import AnyMessage, Bye, Final, Hello, Join, Proposal, Pull, decode, encode
from frp2p.table.outputs import Output, Send


def wrong_final(final: Final, what: str) -> Final:
    replace = msgspec.structs.replace
    if what == "no acks":
        return replace(final, acks=())
    if what == "an ack too few":
        return replace(final, acks=final.acks[:-1])
    if what == "a signature":
        return replace(final, acks=(*final.acks[:-1], replace(final.acks[-1], signature=bytes(64))))
    if what == "nothing":
        return replace(final, parts=(), acks=())
    if what == "a record twice":
        return replace(final, parts=(*final.parts, final.parts[-1]))
    return replace(final, parts=tuple(replace(part, body=part.body[:-1] + b"\x01") for part in final.parts))


@pytest.mark.parametrize(
    "what", ["no acks", "an ack too few", "a signature", "nothing", "a record twice", "another body"]
)
@pytest.mark.parametrize("step", [0, 7])
def test_a_seat_that_shows_what_is_not_so_is_left(what: str, step: int) -> None:
    stands = Stands(Rig(3))
    stands.watch(1)
    lied: list[int] = []

    def tamper(there: bytes, message: AnyMessage) -> list[AnyMessage]:
        if there == key_of(EYES) and isinstance(message, Final) and message.step == step:
            lied.append(step)
            return [wrong_final(message, what)]
        return [message]

    cheat = with_cheat(stands.rig, 1, tamper)
    assert isinstance(cheat, Cheat)
    stands.rig.open()
    assert stands.run()
    assert lied == [step]  # it was not asked again
    assert [event.check for event in stands.events() if isinstance(event, Refused)]
    seen_to_the_end(stands)


def test_a_seat_cannot_show_another_table_later() -> None:
    """The charter of another table, on a link of a seat of this one: that seat is left."""
    other = Rig(3, seed=0, rounds=2)
    proposals: list[AnyMessage] = []
    other.network.on_send = lambda _from, _to, frame: proposals.append(decode(frame, greeted=True))
    other.open()
    [false, *_same] = [message for message in proposals if isinstance(message, Proposal)]
    stands = Stands(Rig(3))
    watcher = stands.watch(1)

    def tamper(there: bytes, message: AnyMessage) -> list[AnyMessage]:
        later = there == key_of(EYES) and isinstance(message, Final) and message.step == 5
        return [false, message] if later else [message]

    with_cheat(stands.rig, 1, tamper)
    stands.rig.open()
    assert stands.run()
    assert [event.check for event in stands.events() if isinstance(event, Refused)] == ["wrong-game"]
    assert watcher.status().code == stands.rig.peers[0].status().code
    seen_to_the_end(stands)


# -- watchers that do not behave ---------------------------------------------------------------------------------------


class Eye:
    """Somebody without a seat who says Hello, and then what a test makes it say."""

    def __init__(self, answer: Callable[[AnyMessage], list[bytes]]) -> None:
        self.signer = signer(0, 99)
        self.key = self.signer.public_key
        self.heard: list[AnyMessage] = []
        self.pending: list[Output] = []
        self.link = 0
        self._answer = answer

    def connected(self, link: int, key: bytes, channel: bytes, now: float) -> None:
        self.link = link
        signed = self.signer.sign("hello", canonical([VERSION, self.key, "eye", None, 0, channel]))
        self.say(encode(Hello(VERSION, self.key, "eye", None, 0, signed)))

    def disconnected(self, link: int, now: float) -> None:
        """It stays away."""

    def receive(self, link: int, frame: bytes, now: float) -> None:
        message = decode(frame, greeted=True)
        self.heard.append(message)
        for said in self._answer(message):
            self.say(said)

    def say(self, frame: bytes) -> None:
        self.pending.append(Send(self.link, frame))

    def tick(self, now: float) -> None:
        """Nothing is due."""

    def wake_at(self) -> float | None:
        return None

    def outputs(self) -> list[Output]:
        due, self.pending = self.pending, []
        return due


def with_eye(stands: Stands, answer: Callable[[AnyMessage], list[bytes]]) -> Eye:
    eye = Eye(answer)
    stands.rig.network.add(eye.key, eye, "eye:1")
    stands.rig.network.dial(eye.key, "p0:1")
    return eye


def test_who_speaks_is_shown_out_and_the_game_goes_on() -> None:
    stands = Stands(Rig(2))
    stands.rig.open()
    stands.run(lambda: stands.rig.step() >= 4)
    records = {type(m): encode(m) for _f, _t, m in stands.said if isinstance(m, Part | Ack | Final)}
    for frame, reason in (
        *((frame, "watcher-speaks") for frame in records.values()),
        (encode(Join(bytes(32), (), False)), "table-full"),
        (b"\x91\xa4junk", "unknown-kind"),
    ):
        eye = with_eye(stands, lambda message, frame=frame: [frame] if isinstance(message, Hello) else [])
        stands.run(lambda: False, 0.5)
        assert [m.reason for m in eye.heard if isinstance(m, Bye)] == [reason]
    assert stands.run()
    assert {event.seat for event in stands.rig.events(0) if isinstance(event, Refused)} == {None}


def flood(count: int) -> Callable[[AnyMessage], list[bytes]]:
    """Asks for everything ten times whenever anything comes, so many times in all."""
    left = [count]

    def answer(message: AnyMessage) -> list[bytes]:
        now = min(10, left[0])
        left[0] -= now
        return [encode(Pull(0, 0, 0))] * now

    return answer


def steps_in(rig: Rig) -> tuple[bytes | None, int]:
    return rig.peers[0].status().digest, rig.step()


def played(answer: Callable[[AnyMessage], list[bytes]] | None) -> tuple[tuple[bytes | None, int], float, Stands]:
    """The result of a game and how long it took, with such a watcher or without one."""
    stands = Stands(Rig(3, rounds=3))
    if answer is not None:
        with_eye(stands, answer)
    stands.rig.open()
    assert stands.run()
    return steps_in(stands.rig), stands.rig.now, stands


def test_nobody_waits_for_a_watcher_that_is_slow_or_silent_or_floods() -> None:
    """The result is the same, and the game takes as long as without anybody: chance of the network apart."""
    _result, alone, _stands = played(None)
    for answer in (lambda _m: [], flood(400)):
        (digest, _steps), took, _stands = played(answer)
        assert digest is not None
        assert took <= alone + 2


def test_a_watcher_that_never_asks_is_sent_nothing() -> None:
    stands = Stands(Rig(2))
    eye = with_eye(stands, lambda _message: [])
    stands.rig.open()
    stands.run(lambda: stands.rig.step() >= 4)
    late = with_eye(stands, lambda _message: [])
    assert stands.run()
    for somebody in (eye, late):
        assert not [m for m in somebody.heard if isinstance(m, Final | Part | Ack)]


def test_the_same_pull_again_and_again_is_no_amplifier() -> None:
    stands = Stands(Rig(2, rounds=3))
    stands.rig.held = {0, 1}
    stands.rig.open()
    stands.run(lambda: stands.rig.step() >= 8)
    eye = with_eye(stands, flood(400))
    before = stands.rig.now
    stands.run(lambda: False, 10)
    sent = sum(len(encode(m)) for m in eye.heard)
    assert sent <= limits.WATCH_RATE * (stands.rig.now - before) + 2 * limits.WATCH_PAGE
    stands.rig.held = set()
    assert stands.run()


def test_a_watcher_gets_no_record_of_a_step_that_is_not_final() -> None:
    stands = Stands(Rig(3))
    eye = with_eye(stands, lambda m: [encode(Pull(0, 0, 0))] if isinstance(m, Hello) else [])
    heights: list[tuple[int, int]] = []

    def look(_sender: bytes, receiver: bytes, frame: bytes) -> None:
        message = decode(frame, greeted=True)
        if receiver == eye.key and isinstance(message, Final):
            heights.append((message.step, stands.rig.step()))
        assert not (receiver == eye.key and isinstance(message, Part | Ack))

    stands.rig.network.on_send = look
    stands.rig.open()
    assert stands.run()
    assert heights
    assert all(step < height for step, height in heights)


def test_parts_of_a_final_are_those_of_the_table() -> None:
    stands = Stands(Rig(2))
    stands.watch()
    stands.rig.open()
    assert stands.run()
    finals = [message for message in stands.got() if isinstance(message, Final)]
    assert [final.step for final in finals] == list(range(len(finals)))
    assert all(read_part_body(part.body).step == final.step for final in finals for part in final.parts)
