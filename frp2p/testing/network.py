"""A network in memory that loses, delays, doubles, reorders and cuts, all from one seed.

It drives nodes exactly as the asyncio driver does: one input, then the outputs, then one timer. Nothing runs at the
same time, so a seed gives the same run, message by message.
"""

from __future__ import annotations

import heapq
import random
from collections.abc import Callable, Iterable
from itertools import count
from typing import Literal, Protocol, TypeAlias

import msgspec

from frp2p.table.events import Event
from frp2p.table.outputs import Close, Dial, Notice, Output, Persist, Send
from frp2p.testing.clock import ManualClock


class Node(Protocol):
    """What the network drives: a `table.peer.Peer`, or somebody who pretends to be one."""

    def connected(self, link: int, key: bytes, channel: bytes, now: float) -> None: ...

    def disconnected(self, link: int, now: float) -> None: ...

    def receive(self, link: int, frame: bytes, now: float) -> None: ...

    def tick(self, now: float) -> None: ...

    def outputs(self) -> list[Output]: ...

    def wake_at(self) -> float | None: ...


class Conditions(msgspec.Struct, frozen=True):
    """How bad the network is. `delay`: seconds, uniform between the two; `loss` and `duplicate`: chance of a frame;
    `reorder`: frames may overtake each other; `cut_every`: mean seconds between breaks of one connection, 0 for never.
    """

    delay: tuple[float, float] = (0.001, 0.05)
    loss: float = 0.0
    duplicate: float = 0.0
    reorder: bool = True
    cut_every: float = 0.0


class Connection:
    """One connection between two nodes. `ends` holds (node key, link number) of both ends, the dialler first."""

    def __init__(self, ends: tuple[tuple[bytes, int], tuple[bytes, int]]) -> None:
        self.ends = ends
        self.last = [0.0, 0.0]
        """Arrival of the latest frame towards each end, so that frames keep their order where they must."""

    def other(self, key: bytes) -> int:
        """The index of the end that is not at this node."""
        return 1 if self.ends[0][0] == key else 0


Disk: TypeAlias = Literal["fine", "dies-before", "dies-after"]
"""What happens at a write: nothing special, or the node is killed just before it or just after it."""

Hook: TypeAlias = Callable[[bytes, bytes, bytes], None]
"""Called with (key of the sender, key of the receiver, frame)."""


class MemoryNetwork:
    """All nodes, all connections, and the agenda of what arrives when."""

    def __init__(self, seed: int, conditions: Conditions | None = None, clock: ManualClock | None = None) -> None:
        self.random = random.Random(seed)  # noqa: S311 - a simulation repeats itself on purpose
        self.conditions = conditions or Conditions()
        self.clock = clock or ManualClock()
        self.events: dict[bytes, list[Event]] = {}
        self.closed: dict[bytes, list[str]] = {}
        """Reasons of the Close outputs of each node, in order."""
        self.on_send: Hook | None = None
        """Sees every frame before anything happens to it."""
        self.on_arrive: Hook | None = None
        """Sees every frame that arrives, just before its receiver."""
        self.journals: dict[bytes, list[tuple[bytes, ...]]] = {}
        """What each node wrote, one item a write. It stays when the node is removed."""
        self.on_persist: Callable[[bytes], Disk] | None = None
        """Called with the key of the node before each write; says what becomes of it."""
        self.frames = self.lost = self.doubled = self.cuts = 0
        """Frames sent, and of these lost or doubled; connections that the conditions cut."""
        self._nodes: dict[bytes, Node] = {}
        self._addresses: dict[str, bytes] = {}
        self._links: dict[tuple[bytes, int], Connection] = {}
        self._agenda: list[tuple[float, int, Callable[[], None]]] = []
        self._order = count()
        self._numbers = count(1)
        self._sides: dict[bytes, int] = {}
        self._draining: list[bytes] = []
        self._wakes: dict[bytes, float | None] = {}
        """When each node wants its timer, as it said after its last input."""
        if self.conditions.cut_every:
            self._at(self._next_cut(), self._cut_one)

    # -- people -------------------------------------------------------------------------------------------------------

    def add(self, key: bytes, node: Node, address: str) -> None:
        """A node that listens at this address."""
        self._nodes[key] = node
        self._addresses[address] = key
        self._wakes[key] = node.wake_at()
        self.events[key] = []
        self.closed[key] = []

    def replace(self, key: bytes, node: Node) -> None:
        """Another node stands for this key from now on, with the address of the one before."""
        self._nodes[key] = node
        self._wakes[key] = node.wake_at()

    def remove(self, key: bytes) -> None:
        """The node is gone at once, as if killed; all its connections break."""
        self.cut(key)
        del self._nodes[key]
        del self._wakes[key]

    def has(self, key: bytes) -> bool:
        """Whether a node stands for this key now."""
        return key in self._nodes

    def dial(self, key: bytes, address: str) -> None:
        """`key` tries this address; nothing happens if nobody can be reached there."""
        self._at(self.clock.now + self._delay(), lambda: self._connect(key, (address,), None))

    # -- weather ------------------------------------------------------------------------------------------------------

    def partition(self, *groups: Iterable[bytes]) -> None:
        """Only nodes of one group can talk to each other from now on; nodes in no group stay alone together."""
        self._sides = {key: side for side, group in enumerate(groups) for key in group}
        for connection in list(self._links.values()):
            if not self._reachable(connection.ends[0][0], connection.ends[1][0]):
                self._break(connection)

    def heal(self) -> None:
        """Everybody can talk to everybody again (once somebody dials)."""
        self._sides = {}

    def cut(self, key: bytes, other: bytes | None = None) -> None:
        """Break the connections between these two, or all of `key`."""
        for connection in list(self._links.values()):
            keys = {connection.ends[0][0], connection.ends[1][0]}
            if key in keys and (other is None or other in keys):
                self._break(connection)

    # -- time ---------------------------------------------------------------------------------------------------------

    def run(self, until: Callable[[], bool], seconds: float) -> bool:
        """Let things happen until `until` holds (True) or this much time has passed or nothing is left (False)."""
        end = self.clock.now + seconds
        self.settle()
        while not until():
            moment = self._next_moment()
            if moment is None or moment > end:
                self.clock.set(end)
                return until()
            self.clock.set(max(moment, self.clock.now))
            self._happen()
        return True

    def later(self, seconds: float, action: Callable[[], None]) -> None:
        """Do this in so many seconds."""
        self._at(self.clock.now + seconds, action)

    def settle(self) -> None:
        """Carry out the outputs of every node; after a test called a node itself."""
        for key in list(self._nodes):
            self._drain(key)

    def _next_moment(self) -> float | None:
        wakes = [wake for wake in self._wakes.values() if wake is not None]
        if self._agenda:
            wakes.append(self._agenda[0][0])
        return min(wakes, default=None)

    def _happen(self) -> None:
        """Everything that is due now: one arrival, or the timers."""
        now = self.clock.now
        if self._agenda and self._agenda[0][0] <= now:
            heapq.heappop(self._agenda)[2]()
            return
        for key, node in list(self._nodes.items()):
            wake = self._wakes[key]
            if wake is not None and wake <= now:
                node.tick(now)
                self._drain(key)

    def _at(self, moment: float, action: Callable[[], None]) -> None:
        heapq.heappush(self._agenda, (moment, next(self._order), action))

    def _delay(self) -> float:
        return self.random.uniform(*self.conditions.delay)

    # -- connections --------------------------------------------------------------------------------------------------

    def _reachable(self, one: bytes, other: bytes) -> bool:
        return self._sides.get(one, -1) == self._sides.get(other, -1)

    def _connect(self, key: bytes, addresses: tuple[str, ...], wanted: bytes | None) -> None:
        """`key` reaches the first of these addresses where the wanted node (None: anybody else) answers."""
        found = (self._addresses.get(address) for address in addresses)
        others = [one for one in found if one in self._nodes and one != key and wanted in (None, one)]
        other = next((one for one in others if one is not None and self._reachable(key, one)), None)
        if other is None or key not in self._nodes:
            return
        connection = Connection(((key, next(self._numbers)), (other, next(self._numbers))))
        channel = self.random.randbytes(32)
        for end in connection.ends:
            self._links[end] = connection
        for (mine, link), (theirs, _) in (connection.ends, connection.ends[::-1]):
            self._nodes[mine].connected(link, theirs, channel, self.clock.now)
        for mine, _ in connection.ends:
            self._drain(mine)

    def _break(self, connection: Connection) -> None:
        """The connection is no more; the ends that still have it are told (whoever closed it has not)."""
        told = [end for end in connection.ends if self._links.pop(end, None) is not None]
        for key, link in told:
            if key in self._nodes:
                self._nodes[key].disconnected(link, self.clock.now)
                self._drain(key)

    def _next_cut(self) -> float:
        return self.clock.now + self.random.expovariate(1 / self.conditions.cut_every)

    def _cut_one(self) -> None:
        if self._links:
            self.cuts += 1
            self._break(self.random.choice(list(self._links.values())))
        self._at(self._next_cut(), self._cut_one)

    # -- frames -------------------------------------------------------------------------------------------------------

    def _drain(self, key: bytes) -> None:
        """Carry out the outputs of this node; outputs that these cause elsewhere follow in their turn."""
        self._draining.append(key)
        if len(self._draining) > 1:
            return
        while self._draining:
            node = self._nodes.get(self._draining[0])
            if node is not None:
                self._carry_out_all(self._draining[0], node)
            self._draining.pop(0)

    def _carry_out_all(self, key: bytes, node: Node) -> None:
        """In order, as long as the node lives."""
        for output in node.outputs():
            if isinstance(output, Persist):
                self._write(key, output)
            else:
                self._carry_out(key, output)
            if self._nodes.get(key) is not node:
                return
        self._wakes[key] = node.wake_at()

    def _write(self, key: bytes, persist: Persist) -> None:
        disk = self.on_persist(key) if self.on_persist is not None else "fine"
        if disk != "dies-before":
            self.journals.setdefault(key, []).append(persist.records)
        if disk != "fine":
            self.remove(key)

    def _carry_out(self, key: bytes, output: Output) -> None:
        match output:
            case Send(link, frame):
                self._send(key, link, frame)
            case Close(link, reason):
                self.closed[key].append(reason)
                if (connection := self._links.get((key, link))) is not None:
                    self._hang_up(key, connection)
            case Dial(wanted, addresses):
                self._at(self.clock.now + self._delay(), lambda: self._connect(key, addresses, wanted))
            case Notice(event):
                self.events[key].append(event)

    def _hang_up(self, key: bytes, connection: Connection) -> None:
        """Close an end: what was sent before still arrives, then the other end notices."""
        self._links.pop((key, connection.ends[1 - connection.other(key)][1]), None)
        moment = max(connection.last[connection.other(key)], self.clock.now + self._delay())
        self._at(moment, lambda: self._break(connection))

    def _send(self, key: bytes, link: int, frame: bytes) -> None:
        connection = self._links.get((key, link))
        if connection is None:
            return
        index = connection.other(key)
        other, other_link = connection.ends[index]
        if self.on_send is not None:
            self.on_send(key, other, frame)
        self.frames += 1
        if self.random.random() < self.conditions.loss:
            self.lost += 1
            return
        copies = 2 if self.random.random() < self.conditions.duplicate else 1
        self.doubled += copies - 1
        for _ in range(copies):
            moment = self.clock.now + self._delay()
            if not self.conditions.reorder:
                moment = max(moment, connection.last[index])
            connection.last[index] = max(moment, connection.last[index])
            self._at(moment, lambda: self._arrive(key, other, other_link, frame))

    def _arrive(self, sender: bytes, key: bytes, link: int, frame: bytes) -> None:
        if (key, link) in self._links and key in self._nodes:
            if self.on_arrive is not None:
                self.on_arrive(sender, key, frame)
            self._nodes[key].receive(link, frame, self.clock.now)
            self._drain(key)
