"""A running table against bytes of all kinds: it never raises, never stops, never moves because of them."""

from __future__ import annotations

from functools import cache

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from table_kit import DEALERS, TINY, Options, Rig, new_peer, signer

from frp2p.ledger.signing import Signer
from frp2p.table.events import Refused, Stopped
from frp2p.table.greeting import make_hello
from frp2p.table.links import Link
from frp2p.table.messages import CAPS, decode, encode
from frp2p.table.outputs import Notice, Send
from frp2p.table.peer import Peer
from frp2p.table.status import Fault
from frp2p.table.stopped import Stopped as StoppedPhase
from frp2p.testing.table import seeded

CHANNEL = b"c" * 32


class Victim:
    """A peer in the middle of a game, and somebody who has the key of seat 1 and sends it what he likes."""

    def __init__(self) -> None:
        self.rig = Rig(3)
        self.frames: list[bytes] = []
        self.rig.network.on_send = lambda sender, receiver, frame: self.frames.append(frame)
        self.rig.held = {2}
        self.rig.open()
        self.rig.run(lambda: self.rig.peers[2].asked)
        self.rig.run(lambda: False, seconds=5)
        self.rig.network.on_send = None
        self.frames = sorted(set(self.frames))
        self.peer = self.rig.peers[0]
        self.numbers = 10_000
        self.before = self.state()

    def state(self) -> tuple[object, ...]:
        status = self.peer.status()
        loop = self.peer._desk.phase._loop
        return (status.phase, status.step, status.waiting_for, status.fault, loop.referee.head, loop.course.masks())

    def send(self, *frames: bytes, greet: bool = True) -> list[object]:
        """Frames on a fresh link; the events that came of them."""
        self.numbers += 1
        now = self.rig.now
        self.peer.connected(self.numbers, self.rig.keys[1], CHANNEL, now)
        if greet:
            self.peer.receive(self.numbers, self.hello(), now)
        for frame in frames:
            self.peer.receive(self.numbers, frame, now)
        events = [output.event for output in self.peer.outputs() if isinstance(output, Notice)]
        self.peer.disconnected(self.numbers, now)
        assert len(self.peer._desk.links) <= 3
        return events

    def hello(self) -> bytes:
        other = self.rig.peers[1]._desk
        return encode(make_hello(other, Link(0, self.rig.keys[0], CHANNEL, 0.0)))


@cache
def victim() -> Victim:
    return Victim()


@settings(max_examples=150, deadline=None)
@given(st.lists(st.binary(max_size=200), max_size=4), st.booleans())
def test_arbitrary_bytes(frames: list[bytes], greet: bool) -> None:
    target = victim()
    target.send(*frames, greet=greet)
    assert target.state() == target.before


@settings(max_examples=400, deadline=None)
@given(st.data())
def test_frames_of_the_game_that_were_changed_a_little(data: st.DataObject) -> None:
    target = victim()
    frame = bytearray(data.draw(st.sampled_from(target.frames)))
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(frame)))
        match data.draw(st.sampled_from(("flip", "cut", "insert", "splice"))):
            case "flip" if place < len(frame):
                frame[place] ^= 1 << data.draw(st.integers(0, 7))
            case "cut":
                frame = frame[:place] or frame
            case "insert":
                frame[place:place] = data.draw(st.binary(max_size=8))
            case _:
                frame[place:] = data.draw(st.sampled_from(target.frames))[place:]
    target.send(bytes(frame), greet=data.draw(st.booleans()))
    assert target.state() == target.before


def bent(data: st.DataObject, frames: list[bytes]) -> bytes:
    """One of these frames, as it is or a little changed."""
    frame = bytearray(data.draw(st.sampled_from(frames)))
    for _ in range(data.draw(st.integers(0, 2))):
        place = data.draw(st.integers(0, len(frame)))
        frame[place : place + data.draw(st.integers(0, 2))] = data.draw(st.binary(max_size=3))
    return bytes(frame)


@cache
def ended(phase: str) -> Peer:
    """A peer whose table is over, or stopped without knowing whose fault it was."""
    rig = Rig(3)
    rig.open()
    if phase == "over":
        rig.run()
    else:
        rig.run(lambda: rig.step() >= 4)
        peer = rig.peers[0]
        peer._desk.phase = StoppedPhase(peer._desk, peer._desk.phase, Fault("state-mismatch", None, ""), None)
    return rig.peers[0]


@settings(max_examples=200, deadline=None)
@given(st.data(), st.sampled_from(("idle", "host", "guest", "bound guest", "over", "stopped")))
def test_no_phase_raises_whatever_comes(data: st.DataObject, phase: str) -> None:
    peer = ended(phase) if phase in ("over", "stopped") else new_peer(0)
    if phase == "host":
        peer.host("tiny", Options(), 3, "clear")
    elif phase == "guest":
        peer.join()
    elif phase == "bound guest":
        peer.join(signer(1).public_key)
    number = data.draw(st.integers(50_000, 2**40), label="link")
    peer.connected(number, signer(1).public_key, CHANNEL, 1000.0)
    hello = make_hello(new_peer(1)._desk, Link(0, b"", CHANNEL, 0.0))
    peer.receive(number, encode(hello), 1000.0)
    for at in range(data.draw(st.integers(1, 5))):
        peer.receive(number, bent(data, victim().frames), 1000.0 + at)
        peer.tick(1000.5 + at)
        peer.status()
    peer.outputs()
    peer.disconnected(number, 1010.0)
    allowed = {"over": ("over",), "stopped": ("stopped",)}.get(phase, ("lobby", "stopped"))
    assert peer.status().phase in allowed


def test_every_frame_of_the_game_again_changes_nothing() -> None:
    target = victim()
    assert {frame[2 : 2 + (frame[1] & 31)].decode() for frame in target.frames} >= {"hello", "part", "ack", "lobby"}
    target.send(*[frame for frame in target.frames if frame[2:7] != b"hello"])
    assert target.state() == target.before


@pytest.mark.parametrize("name", sorted(CAPS))
def test_an_oversized_frame_of_every_kind_closes_the_link(name: str) -> None:
    target = victim()
    head = bytes([0x91, 0xA0 | len(name)]) + name.encode()
    events = target.send(head + bytes(CAPS[name] + 1))
    assert Refused(1, "frame-size") in events
    assert target.state() == target.before


def test_nothing_of_another_game_of_the_same_people_is_accepted() -> None:
    """All frames of a whole game, replayed into the next game of the same three keys."""
    peers = [
        Peer(
            signer(place),
            name,
            games={"tiny": TINY},
            dealers=DEALERS,
            addresses=(f"p{place}:1",),
            entropy=seeded("another evening", place),
        )
        for place, name in enumerate(("Ana", "Bruno", "Chiara"))
    ]
    other = Rig(3)
    for place, peer in enumerate(peers):
        other.peers[place] = peer
        other.network.replace(other.keys[place], peer)
    frames: list[bytes] = []
    other.network.on_send = lambda sender, receiver, frame: frames.append(frame)
    other.open()
    assert other.run()
    target = victim()
    records = sorted({frame for frame in frames if frame[2:6] in (b"part", b"ack\x82") or frame[2:5] == b"ack"})
    assert len(records) > 60
    for frame in records:
        assert Refused(1, "wrong-game") in target.send(frame)
    for frame in sorted(set(frames) - set(records)):
        assert not [event for event in target.send(frame) if isinstance(event, Stopped)]
    assert target.state() == target.before


@pytest.mark.parametrize(
    ("change", "check"),
    [
        ({"key": signer(2).public_key}, "hello-key"),
        ({"name": "Chiara"}, "hello-signature"),
        ({"height": 3}, "hello-signature"),
        ({"game": b"\0" * 32}, "hello-signature"),
    ],
)
def test_a_hello_is_for_one_key_one_name_and_one_channel(change: dict[str, object], check: str) -> None:
    target = victim()
    hello = decode(target.hello(), greeted=False)
    events = target.send(encode(msgspec.structs.replace(hello, **change)), greet=False)
    assert [event.check for event in events if isinstance(event, Refused)] == [check]
    target.numbers += 1
    target.peer.connected(target.numbers, target.rig.keys[1], b"another channel, 32 bytes long...", target.rig.now)
    target.peer.receive(target.numbers, target.hello(), target.rig.now)
    assert Notice(Refused(1, "hello-signature")) in target.peer.outputs()


def test_a_second_hello_must_be_the_same() -> None:
    target = victim()
    assert not [event for event in target.send(target.hello()) if isinstance(event, Refused)]
    other = Peer(signer(1), "Other", games={}, dealers={}, addresses=(), entropy=seeded(1))
    second = encode(make_hello(other._desk, Link(0, target.rig.keys[0], CHANNEL, 0.0)))
    assert Refused(1, "hello-twice") in target.send(second)


def test_a_name_that_cannot_be_shown_is_refused_in_hello() -> None:
    peer = new_peer(0)
    desk = new_peer(1)._desk
    desk.name = "\x1b[2J"
    peer.connected(1, desk.key, CHANNEL, 0.0)
    peer.receive(1, encode(make_hello(desk, Link(0, b"", CHANNEL, 0.0))), 0.0)
    assert Notice(Refused(None, "name-character")) in peer.outputs()


def test_a_key_of_small_order_is_refused() -> None:
    key = b"\1" + b"\0" * 31
    peer, desk = new_peer(0), new_peer(1)._desk
    desk.key = key
    peer.connected(1, key, CHANNEL, 0.0)
    peer.receive(1, encode(make_hello(desk, Link(0, b"", CHANNEL, 0.0))), 0.0)
    assert Notice(Refused(None, "key-small-order")) in peer.outputs()


def test_a_link_that_stays_silent_is_closed() -> None:
    peer = new_peer(0)
    peer.connected(1, Signer(b"s" * 32).public_key, CHANNEL, 10.0)
    assert peer.wake_at() == 15.0
    peer.tick(14.9)
    assert len(peer._desk.links) == 1
    peer.tick(15.0)
    assert len(peer._desk.links) == 0
    assert peer.wake_at() is None
    assert [type(output) for output in peer.outputs()].count(Send) == 2


def test_frames_of_links_that_are_gone_do_nothing() -> None:
    target = victim()
    target.peer.receive(99_999, target.hello(), target.rig.now)
    target.peer.disconnected(99_999, target.rig.now)
    assert target.peer.outputs() == []
