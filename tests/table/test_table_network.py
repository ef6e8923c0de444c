"""The network of the test kit does what it says, so that what is tested on it means something."""

from __future__ import annotations

import pytest

from frp2p.table.events import LinkUp
from frp2p.table.outputs import Close, Dial, Notice, Output, Send
from frp2p.testing.network import Conditions, MemoryNetwork

A, B, C = b"a" * 32, b"b" * 32, b"c" * 32


class Recorder:
    """A node that writes down what happens to it, and does what it was told to do next."""

    def __init__(self) -> None:
        self.links: dict[bytes, int] = {}
        self.channels: list[bytes] = []
        self.frames: list[bytes] = []
        self.lost: list[int] = []
        self.ticks: list[float] = []
        self.due: list[Output] = []
        self.wake: float | None = None

    def connected(self, link: int, key: bytes, channel: bytes, now: float) -> None:
        self.links[key] = link
        self.channels.append(channel)

    def disconnected(self, link: int, now: float) -> None:
        self.lost.append(link)

    def receive(self, link: int, frame: bytes, now: float) -> None:
        self.frames.append(frame)

    def tick(self, now: float) -> None:
        self.ticks.append(now)
        self.wake = None

    def outputs(self) -> list[Output]:
        due, self.due = self.due, []
        return due

    def wake_at(self) -> float | None:
        return self.wake


def network(conditions: Conditions, seed: int = 1) -> tuple[MemoryNetwork, dict[bytes, Recorder]]:
    net = MemoryNetwork(seed, conditions)
    nodes = {key: Recorder() for key in (A, B, C)}
    for key, node in nodes.items():
        net.add(key, node, key[:1].decode())
    net.dial(A, "b")
    net.run(lambda: B in nodes[A].links, 1)
    return net, nodes


def send(net: MemoryNetwork, nodes: dict[bytes, Recorder], count: int) -> list[bytes]:
    frames = [number.to_bytes(4, "big") for number in range(count)]
    nodes[A].due += [Send(nodes[A].links[B], frame) for frame in frames]
    net.run(lambda: False, 10)
    return frames


def test_both_ends_get_the_same_channel_and_the_key_of_the_other() -> None:
    _, nodes = network(Conditions())
    assert nodes[A].channels == nodes[B].channels
    assert A in nodes[B].links
    assert nodes[C].links == {}


def test_frames_keep_their_order_where_the_weather_is_good() -> None:
    net, nodes = network(Conditions(delay=(0.0, 1.0), reorder=False))
    assert send(net, nodes, 200) == nodes[B].frames


def test_frames_overtake_each_other_get_lost_and_come_twice() -> None:
    net, nodes = network(Conditions(delay=(0.0, 1.0)))
    sent = send(net, nodes, 200)
    assert sent != nodes[B].frames
    assert sent == sorted(nodes[B].frames)
    net, nodes = network(Conditions(loss=0.3))
    send(net, nodes, 1000)
    assert 600 < len(nodes[B].frames) < 800
    net, nodes = network(Conditions(duplicate=0.3))
    send(net, nodes, 1000)
    assert 1200 < len(nodes[B].frames) < 1400
    assert net.frames == 1000


def test_a_seed_decides_everything() -> None:
    runs = []
    for seed in (1, 1, 2):
        net, nodes = network(Conditions(delay=(0.0, 1.0), loss=0.1, duplicate=0.1), seed)
        send(net, nodes, 50)
        runs.append((nodes[B].frames, net.clock.now))
    assert runs[0] == runs[1] != runs[2]


def test_what_was_sent_before_a_close_arrives_and_then_the_link_is_lost() -> None:
    net, nodes = network(Conditions(delay=(0.0, 1.0), reorder=False))
    link = nodes[A].links[B]
    nodes[A].due += [Send(link, b"last words"), Close(link, "left"), Send(link, b"too late")]
    net.run(lambda: False, 5)
    assert nodes[B].frames == [b"last words"]
    assert nodes[B].lost == [nodes[B].links[A]]
    assert nodes[A].lost == []
    assert net.closed[A] == ["left"]
    nodes[B].due.append(Send(nodes[B].links[A], b"echo"))
    net.run(lambda: False, 5)
    assert nodes[A].frames == []


def test_cut_partition_and_heal() -> None:
    net, nodes = network(Conditions())
    net.dial(A, "c")
    net.run(lambda: C in nodes[A].links, 1)
    net.cut(A, B)
    assert (len(nodes[A].lost), len(nodes[B].lost), len(nodes[C].lost)) == (1, 1, 0)
    net.partition([A, B], [C])
    assert len(nodes[C].lost) == 1
    nodes[A].due.append(Dial(C, ("c",)))
    nodes[A].due.append(Dial(B, ("nowhere", "b")))
    net.run(lambda: False, 1)
    assert len(nodes[A].channels) == 3
    net.heal()
    nodes[A].due.append(Dial(C, ("b", "c")))
    nodes[A].due.append(Dial(C, ("b",)))
    net.run(lambda: False, 1)
    assert len(nodes[A].channels) == 4
    net.remove(C)
    assert len(nodes[A].lost) == 3


def test_connections_break_by_themselves_where_they_are_told_to() -> None:
    net, nodes = network(Conditions(cut_every=2.0))
    net.run(lambda: False, 60)
    assert len(nodes[A].lost) == 1
    for _ in range(5):
        net.dial(A, "b")
        net.run(lambda: False, 30)
    assert len(nodes[A].lost) > 3


def test_timers_and_notices() -> None:
    net, nodes = network(Conditions())
    start = net.clock.now
    nodes[C].wake = start + 3.0
    nodes[C].due.append(Notice(LinkUp(1)))
    done: list[float] = []
    net.later(2.0, lambda: done.append(net.clock.now))
    assert not net.run(lambda: False, 10)
    assert nodes[C].ticks == [pytest.approx(start + 3.0)]
    assert done == [pytest.approx(start + 2.0)]
    assert net.events[C] == [LinkUp(1)]
    assert net.clock.now == pytest.approx(start + 10)
