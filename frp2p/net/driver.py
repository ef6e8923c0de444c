"""Drives a peer: sockets, time and moves in; frames, dialling and timers out. The peer itself knows none of these.

The peer thinks in a thread of its own, one input after the other; everything else happens in the event loop.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import socket
from collections.abc import Callable, Iterable
from typing import Generic, Protocol, TypeVar

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from frp2p.errors import Frp2pError, UserError
from frp2p.games.game import IllegalMove, Move
from frp2p.net import tls
from frp2p.net.address import Address, parse_literal
from frp2p.net.dialling import Dialling
from frp2p.net.door import Chosen, Door, is_loopback
from frp2p.net.keeping import Keeper, Keeping
from frp2p.net.links import CLOSE_SECONDS, Link
from frp2p.net.thinking import Thinking, Thought
from frp2p.net.worker import Worker
from frp2p.table.events import Event
from frp2p.table.outputs import Close, Dial, Notice, Output, Send

MAX_LINKS = 64
"""Connections at once, with strangers: seven seats, twice over while they reconnect, and room for a crowded lobby."""
MAX_STRANGERS = 16
"""Connections that nobody has spoken on yet; each holds 5 s and some KiB at most."""
MAX_STRANGERS_PER_HOST = 3
"""The same from one address, so that one machine can't keep all others out (loopback: all of them are us)."""
MAX_LINKS_PER_HOST = 16
"""Connections from one address outside this machine: a whole table there, twice over while it reconnects. The rest of
a peer's places are for others."""
LAST_TURNS = 5
"""Turns of the event loop in which a connection that was accepted before the end still becomes a link (and is cut), and
in which the socket of one that was cut is closed."""
LOOK_SECONDS = 0.05
"""After a frame without news (the ack of one more seat) the peer is looked at within this time, once for all of them. A
screen is not drawn more often, and the timers of a table are tenths of seconds and more."""
SHORTEST_SLEEP = 0.001
"""Seconds between two timers, should the peer ask for one in the past."""


class DrivenPeer(Protocol):
    """What is driven: `table.peer.Peer`. `now` is the loop's time in seconds."""

    def found(self, key: bytes) -> None: ...

    def connected(self, link: int, key: bytes, channel: bytes, now: float) -> None: ...

    def disconnected(self, link: int, now: float) -> None: ...

    def receive(self, link: int, frame: bytes, now: float) -> None: ...

    def moved(self, addresses: tuple[str, ...], now: float) -> None: ...

    def act(self, move: Move, now: float) -> None: ...

    def admit(self, key: bytes, now: float) -> None: ...

    def remove(self, key: bytes, now: float) -> None: ...

    def leave(self, now: float) -> None: ...

    def go(self, now: float) -> None: ...

    def tick(self, now: float) -> None: ...

    @property
    def unfinished(self) -> bool: ...

    def outputs(self) -> list[Output]: ...

    def wake_at(self) -> float | None: ...


T = TypeVar("T")
Seen = TypeVar("Seen")


class Driver(Generic[Seen]):
    """Runs in one event loop. After every input it carries out what is due; then it re-arms one timer and calls
    `on_change` with the new events and what `observe` saw of the peer just then, or within LOOK_SECONDS if it was a
    frame that the peer gives no notice of. Nobody else may touch the peer once it is driven.

    What the peer wants kept goes to `keeper` first (without one nothing is kept, for tests); while the disk refuses it,
    the table stands still and `on_disk` is told the error, and None when it goes on. `interfaces`: names or addresses
    of those at which others may connect, empty for all.

    If the peer fails (our bug), `failure` gets the exception and nothing is driven any more.
    """

    def __init__(
        self,
        peer: DrivenPeer,
        key: Ed25519PrivateKey,
        observe: Callable[[], Seen],
        on_change: Callable[[list[Event], Seen], None],
        *,
        keeper: Keeper | None = None,
        on_disk: Callable[[OSError | None], None] = lambda _error: None,
        interfaces: tuple[str, ...] = (),
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self.failure: asyncio.Future[None] = self._loop.create_future()
        self._peer = peer
        self._context = tls.context(key)
        self._own_key = key.public_key().public_bytes_raw()
        self._on_change = on_change
        self._worker = Worker()
        self._keeping = Keeping(keeper, self._tell_disk)
        self._thinking = Thinking(peer, observe, self._keeping, self._worker, self._tick, self._follow, self._fail)
        self._on_disk = on_disk
        self._numbers = itertools.count(1)
        self._door = Door()
        self._chosen = Chosen(interfaces)
        self._links: dict[int, Link] = {}
        self._known: set[int] = set()
        """Links that the peer knows of."""
        self._dialled: dict[int, Dialling] = {}
        """Outgoing links whose handshake is not done."""
        self._dialling: dict[tuple[bytes, bool], asyncio.Task[bool]] = {}
        """By key, and whether the addresses are hearsay: nobody's lies keep us from calling where the peer wants to."""
        self._timer: asyncio.TimerHandle | None = None
        self._server: asyncio.Server | None = None
        self._all_lost = asyncio.Event()
        self._closed = False
        self._look_due: asyncio.TimerHandle | None = None

    # -- what the session calls ----------------------------------------------------------------------------------------

    async def start(self, listener: socket.socket) -> None:
        """Accept connections on this socket (the driver owns it from now on) and set the first timer."""
        self._server = await self._loop.create_server(self._incoming, sock=listener)
        self.wake()

    async def connect(self, addresses: Iterable[Address], wanted: bytes | None = None) -> bool:
        """Reach a peer, whose key is not known yet if `wanted` is None; False if nobody answers at any address."""
        return await self.dialling(addresses, wanted).run()

    def dialling(self, addresses: Iterable[Address], wanted: bytes | None = None, label: str = "") -> Dialling:
        """One round of tries, to be run; see there."""
        return Dialling(tuple(addresses), wanted, self._own_key, self._outgoing, label)

    async def act(self, move: Move) -> None:
        """This seat's move; what was observed after it has been told when this returns.

        IllegalMove, or UserError if nothing is asked, as the peer says, and nothing changes.
        """
        await self._decide(lambda: self._peer.act(move, self._loop.time()))

    async def admit(self, key: bytes) -> None:
        """As the host, let this guest in; UserError as the peer says."""
        await self._decide(lambda: self._peer.admit(key, self._loop.time()))

    async def remove(self, key: bytes) -> None:
        """As the host, send this guest away; UserError as the peer says."""
        await self._decide(lambda: self._peer.remove(key, self._loop.time()))

    async def _decide(self, decision: Callable[[], None]) -> None:
        refused: list[Frp2pError] = []
        told = self._loop.create_future()

        def call() -> None:
            try:
                decision()
            except (IllegalMove, UserError) as error:
                refused.append(error)

        self._input(call, lambda: told.set_result(None))
        await asyncio.wait({told, self.failure}, return_when=asyncio.FIRST_COMPLETED)
        if refused:
            raise refused[0]

    async def ask(self, question: Callable[[], T]) -> T:
        """What the peer answers to a question of this session; its exceptions are raised here."""
        return await self._worker.submit(question)

    def leave(self) -> None:
        """Tell the others that this seat leaves for good; the peer has ended when they can do without it."""
        self._input(lambda: self._peer.leave(self._loop.time()))

    def go(self) -> None:
        """Tell the others that this seat is away from now on; it can be taken again."""
        self._input(lambda: self._peer.go(self._loop.time()))

    def moved(self, addresses: tuple[str, ...]) -> None:
        """This machine is at these addresses now."""
        self._input(lambda: self._peer.moved(addresses, self._loop.time()))

    def wake(self) -> None:
        """Carry out what the peer has become due without an input of ours (`host`, `join`, a timer)."""
        self._input(self._tick)

    def latencies(self) -> dict[bytes, float]:
        """The last round trip to each peer, in seconds."""
        links = (self._links[number] for number in self._known)
        return {link.peer_key: link.latency for link in links if link.peer_key and link.latency is not None}

    async def close(self) -> None:
        """End every link after what was sent has left, within a few CLOSE_SECONDS; the peer hears nothing more."""
        if not self.failure.done():
            # What the session said last (a goodbye) should leave too, unless the peer is deep in thought.
            said = asyncio.Event()
            self._input(lambda: None, said.set)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(said.wait(), CLOSE_SECONDS)
        self._closed = True
        self._keeping.give_up()
        self._worker.stop()
        for timer in (self._timer, self._look_due):
            if timer is not None:
                timer.cancel()
        if self._server is not None:
            # What was accepted becomes a link first: a server of asyncio that is closed drops it with its socket open.
            with contextlib.suppress(NotImplementedError):  # Windows, which has another way of accepting
                for listener in self._server.sockets:
                    self._loop.remove_reader(listener)
            await self._last_turns()
            self._server.close()
            await self._last_turns()
        tasks = list(self._dialling.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for link in list(self._links.values()):
            link.close()
        if self._links:
            self._all_lost.clear()
            try:
                await asyncio.wait_for(self._all_lost.wait(), 2 * CLOSE_SECONDS)
            except TimeoutError:
                for link in list(self._links.values()):
                    link.abort()
                await self._last_turns()
        self.failure.cancel()

    async def _last_turns(self) -> None:
        for _turn in range(LAST_TURNS):
            await asyncio.sleep(0)

    # -- the peer ------------------------------------------------------------------------------------------------------

    def _tick(self) -> None:
        self._peer.tick(self._loop.time())

    def _input(
        self, call: Callable[[], None], after: Callable[[], None] | None = None, *, pressing: bool = True
    ) -> None:
        """Let the peer take this in its turn, then carry out what comes of it, then `after`."""
        if self._closed or self.failure.done():
            return
        self._thinking.put(call, after, pressing=pressing)

    def _tell_disk(self, error: OSError | None) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody looks any more
            self._loop.call_soon_threadsafe(self._on_disk, error)

    def _fail(self, error: Exception) -> None:
        if not self._closed and not self.failure.done():
            self.failure.set_exception(error)

    def _follow(self, thought: Thought[Seen]) -> None:
        if self._closed or self.failure.done():
            return
        try:
            self._follow_up(thought)
        except Exception as error:  # nor in a callback of the loop
            self._fail(error)

    def _follow_up(self, thought: Thought[Seen]) -> None:
        events = self._carry_out(thought.outputs)
        look = thought.look
        if look is not None:
            self._rearm(look.wake)
        elif self._look_due is None:
            self._look_due = self._loop.call_later(LOOK_SECONDS, self._input, lambda: None)
        for after in thought.afters:
            after()
        if look is not None:
            self._on_change(events, look.seen)

    def _rearm(self, wake: float | None) -> None:
        """The peer has just been looked at."""
        for timer in (self._timer, self._look_due):
            if timer is not None:
                timer.cancel()
        self._timer = self._look_due = None
        if wake is not None:
            self._timer = self._loop.call_at(max(wake, self._loop.time() + SHORTEST_SLEEP), self.wake)

    def _carry_out(self, outputs: list[Output]) -> list[Event]:
        events = []
        for output in outputs:
            match output:
                case Send(number, frame):
                    if number in self._known:
                        self._links[number].send(frame)
                case Close(number, reason):
                    if number in self._known:
                        self._known.discard(number)
                        self._door.closed(self._links[number].remote, reason, self._loop.time())
                        self._links[number].close(reason)
                case Dial(key, addresses):
                    self._dial(key, addresses)
                case Notice(event):
                    events.append(event)
        return events

    def _dial(self, key: bytes, addresses: tuple[str, ...]) -> None:
        """One round of tries; the peer asks again, later and later, as long as it misses the seat."""
        literals = tuple(address for text in addresses if (address := parse_literal(text)) is not None)
        self._start_round(key, literals, hearsay=False)

    def hint(self, key: bytes, addresses: tuple[Address, ...]) -> None:
        """Somebody says that the peer with this key is there: one round of tries, unless there is one already."""
        self._start_round(key, addresses, hearsay=True)

    def _start_round(self, key: bytes, addresses: tuple[Address, ...], *, hearsay: bool) -> None:
        if not addresses or (key, hearsay) in self._dialling or self._closed:
            return
        task = self._loop.create_task(self.connect(addresses, key))
        self._dialling[key, hearsay] = task
        task.add_done_callback(lambda _task: self._dialling.pop((key, hearsay), None))

    # -- links ---------------------------------------------------------------------------------------------------------

    def _incoming(self) -> Link:
        return Link(next(self._numbers), self, self._context, server=True)

    def _outgoing(self, dialling: Dialling) -> Link:
        link = Link(next(self._numbers), self, self._context, server=False)
        self._dialled[link.number] = dialling
        return link

    def link_opened(self, link: Link) -> None:
        self._links[link.number] = link
        if self._closed or len(self._links) > MAX_LINKS or (link.server and self._crowded(link.remote)):
            link.abort("too-many-links")
        elif link.server and not self._chosen.leads_in(link.local, self._loop.time()):
            link.abort("other-interface")
        elif link.server and not self._door.admits(link.remote, self._loop.time()):
            link.abort("too-many-knocks")

    def _crowded(self, remote: str) -> bool:
        strangers = [link for link in self._links.values() if link.server and not link.accepted]
        same = sum(link.remote == remote for link in strangers)
        outside = not is_loopback(remote)
        limit = MAX_STRANGERS_PER_HOST if outside else MAX_STRANGERS
        links = sum(link.remote == remote for link in self._links.values())
        return len(strangers) > MAX_STRANGERS or same > limit or (outside and links > MAX_LINKS_PER_HOST)

    def link_ready(self, link: Link) -> None:
        key, exporter, number = link.peer_key, link.exporter, link.number
        dialling = self._dialled.pop(number, None)
        if key is None or exporter is None:
            raise TypeError(number)
        wanted = key != self._own_key if dialling is None else dialling.answered(link, key)
        if not wanted:
            link.close("wrong-identity")
            return
        self._known.add(number)
        searched = dialling is not None and dialling.wanted is None

        def tell() -> None:
            if searched:
                self._peer.found(key)
            self._peer.connected(number, key, exporter, self._loop.time())

        self._input(tell)

    def link_frame(self, link: Link, payload: bytes) -> None:
        number = link.number
        self._input(
            lambda: self._peer.receive(number, payload, self._loop.time()),
            lambda: link.done(accepted=number in self._known),
            pressing=False,
        )

    def link_lost(self, link: Link, reason: str) -> None:
        number = link.number
        self._links.pop(number, None)
        if (dialling := self._dialled.pop(number, None)) is not None:
            dialling.failed(link)
        if number in self._known:
            self._known.discard(number)
            self._input(lambda: self._peer.disconnected(number, self._loop.time()))
        if not self._links:
            self._all_lost.set()
