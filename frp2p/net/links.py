"""One connection to one peer: TLS, frames, deadlines, heartbeat, limits. Callbacks run in the event loop."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections import deque
from collections.abc import Callable
from typing import Protocol

from OpenSSL import SSL

from frp2p.errors import PeerFault
from frp2p.net import frames
from frp2p.net.bucket import Bucket
from frp2p.net.tls import TlsChannel

TICK = 1.0
"""Seconds between two looks at the deadlines. They are counted in ticks, not in time, so that a process which was
busy or asleep itself does not blame its peers."""
HANDSHAKE_TICKS = 5
"""From the connection to the first accepted frame; a LAN needs a few milliseconds."""
FRAME_TICKS = 10
"""For one frame from its first byte to its last."""
PING_TICKS = 2
"""Between two pings."""
DEAD_TICKS = 10
"""Without a byte from the other side: it is gone, whatever TCP believes."""
MAX_QUEUED_FRAMES = 256
"""Frames that wait because the other side does not read."""
MAX_QUEUED_BYTES = 2 * 1024 * 1024
"""Bytes of the same; the longest answer to a pull is half of it."""
FRAMES_A_SECOND = 200
FRAMES_BURST = 1000
"""Frames from one peer before we read more slowly; the longest honest burst (a whole record after a break) fits."""
BYTES_A_SECOND = 2 * 1024 * 1024
BYTES_BURST = 4 * 1024 * 1024
"""The same in bytes."""
MAX_OUTSTANDING = 64
"""Frames that were handed over and are not dealt with yet; more are not read. One only, until it was accepted."""
CLOSE_SECONDS = 1.0
"""What the last bytes get to leave before the connection is cut."""


class LinkOwner(Protocol):
    """Who hears of a link: `link_opened`, then `link_ready` at most once, then frames; `link_lost` once at the end."""

    def link_opened(self, link: Link) -> None:
        """There is a connection; `remote` and `local` are known. The owner may end it."""

    def link_ready(self, link: Link) -> None:
        """The handshake is done here; `peer_key` and `exporter` are known and `send` works."""

    def link_frame(self, link: Link, payload: bytes) -> None:
        """A frame came. The owner calls `link.done(accepted)` once it has dealt with it."""

    def link_lost(self, link: Link, reason: str) -> None:
        """The link is gone; `reason` is a code of error-codes.csv, `closed` where nothing was wrong."""


class Link(asyncio.Protocol):
    """An asyncio protocol for one TCP connection. `latency` is the last round trip in seconds, None before the first.

    What reads too much is slowed down, never cut into: no frame is dropped. What answers too little is closed.
    """

    def __init__(self, number: int, owner: LinkOwner, context: SSL.Context, *, server: bool) -> None:
        self.number = number
        self.server = server
        self.accepted = False
        self._outstanding = 0
        self.latency: float | None = None
        self.remote = ""
        self.local = ""
        self._owner = owner
        self._tls = TlsChannel(context, server=server)
        self._decoder = frames.FrameDecoder()
        self._loop = asyncio.get_running_loop()
        now = self._loop.time()
        self._frame_bucket = Bucket(FRAMES_A_SECOND, FRAMES_BURST, now)
        self._byte_bucket = Bucket(BYTES_A_SECOND, BYTES_BURST, now)
        self._transport: asyncio.Transport | None = None
        self._queue: deque[bytes] = deque()
        self._queued_bytes = 0
        self._writing_paused = False
        self._reading_paused = False
        self._closing = False
        self._reason = "closed"
        self._age = self._silence = self._frame_age = 0
        self._pings_sent = 0
        self._ping_at: float | None = None
        """When the ping was sent whose pong is awaited."""
        self._timers: dict[str, asyncio.TimerHandle] = {}

    @property
    def peer_key(self) -> bytes | None:
        return self._tls.peer_key

    @property
    def exporter(self) -> bytes | None:
        return self._tls.exporter

    # -- what the owner calls ------------------------------------------------------------------------------------------

    def done(self, accepted: bool) -> None:
        """One frame was dealt with. After the first accepted one the other side is no stranger any more: longer frames,
        no handshake deadline, heartbeat."""
        self._outstanding -= 1
        if accepted and not self.accepted:
            self.accepted = True
            self._decoder.cap = frames.MAX_FRAME
        if self._reading_paused:
            self._read_on()

    def send(self, payload: bytes) -> None:
        """Queue a frame; the link is lost with `send-overflow` if the other side does not read."""
        self._enqueue(frames.encode(frames.DATA, payload))

    def close(self, reason: str = "closed") -> None:
        """End the link after everything queued has left, or after CLOSE_SECONDS."""
        if self._closing:
            return
        self._pump(everything=True)
        self._hang_up(reason)

    def abort(self, reason: str = "closed") -> None:
        """End the link now."""
        self._closing = True
        self._reason = reason
        if self._transport is not None:
            self._transport.abort()

    # -- what asyncio calls --------------------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        if not isinstance(transport, asyncio.Transport):
            raise TypeError(transport)
        self._transport = transport
        peer = transport.get_extra_info("peername")
        self.remote = str(peer[0]) if peer else ""
        own = transport.get_extra_info("sockname")
        self.local = str(own[0]) if own else ""
        if (connection := transport.get_extra_info("socket")) is not None:
            # asyncio does so only where a socket was made with its protocol named. Otherwise a part waits up to 40 ms
            # for the other side to acknowledge the frame before it. (What is broken already will say so itself.)
            with contextlib.suppress(OSError):
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._arm("tick", TICK, self._tick)
        self._owner.link_opened(self)
        self._flush()

    def data_received(self, data: bytes) -> None:
        if self._closing:
            return
        self._silence = 0
        self._byte_bucket.take(len(data), self._loop.time())
        try:
            plaintext = self._feed(data)
            self._decoder.feed(plaintext)
            self._deliver()
        except PeerFault as fault:
            self._hang_up(fault.check)
            return
        if self._tls.ended:
            self._hang_up("closed")

    def connection_lost(self, exc: Exception | None) -> None:
        self._closing = True
        for timer in self._timers.values():
            timer.cancel()
        self._transport = None
        self._owner.link_lost(self, self._reason)

    def pause_writing(self) -> None:
        self._writing_paused = True

    def resume_writing(self) -> None:
        self._writing_paused = False
        self._pump()

    # -- reading -------------------------------------------------------------------------------------------------------

    def _feed(self, data: bytes) -> bytes:
        """Decrypt; tell the owner once the handshake is done, before the first frame reaches it."""
        was_ready = self._tls.exporter is not None
        try:
            return self._tls.feed(data)
        finally:
            self._flush()
            if not was_ready and self._tls.exporter is not None:
                self._owner.link_ready(self)

    def _deliver(self) -> None:
        """Hand over complete frames, as fast as the limits allow; the rest waits with the reading paused."""
        if self._must_wait():
            return
        for frame in self._decoder.frames():
            self._frame_age = 0
            self._frame_bucket.take(1, self._loop.time())
            self._handle(frame)
            if self._must_wait():
                return
        if self._reading_paused and self._transport is not None:
            self._reading_paused = False
            self._transport.resume_reading()

    def _must_wait(self) -> bool:
        """Pause the reading if this peer is ahead of us or has used up what it may send; True if so, or at the end."""
        if self._closing or self._transport is None:
            return True
        now = self._loop.time()
        wait = max(self._frame_bucket.wait(now), self._byte_bucket.wait(now))
        ahead = self._outstanding >= (MAX_OUTSTANDING if self.accepted else 1)
        if wait <= 0 and not ahead:
            return False
        if not self._reading_paused:
            self._reading_paused = True
            self._transport.pause_reading()
        if wait > 0:
            self._arm("read", wait, self._read_on)
        return True

    def _read_on(self) -> None:
        try:
            self._deliver()
        except PeerFault as fault:
            self._hang_up(fault.check)

    def _handle(self, frame: frames.Frame) -> None:
        if frame.kind == frames.DATA:
            self._outstanding += 1
            self._owner.link_frame(self, frame.payload)
        elif frame.kind == frames.PING:
            self._enqueue(frames.encode(frames.PONG, frame.payload))
        elif self._ping_at is not None and frame.payload == self._pings_sent.to_bytes(frames.PING_BYTES, "big"):
            self.latency = self._loop.time() - self._ping_at
            self._ping_at = None

    # -- writing -------------------------------------------------------------------------------------------------------

    def _enqueue(self, frame: bytes) -> None:
        if self._closing or self._tls.exporter is None:
            return
        self._queue.append(frame)
        self._queued_bytes += len(frame)
        self._pump()
        if self._queued_bytes > MAX_QUEUED_BYTES or len(self._queue) > MAX_QUEUED_FRAMES:
            self.abort("send-overflow")

    def _pump(self, *, everything: bool = False) -> None:
        """Write queued frames while the transport takes them; `everything` before the end."""
        while self._queue and (everything or not self._writing_paused):
            frame = self._queue.popleft()
            self._queued_bytes -= len(frame)
            try:
                self._tls.write(frame)
            except PeerFault as fault:
                self.abort(fault.check)
                return
            self._flush()

    def _flush(self) -> None:
        # A transport whose connection is broken goes on to take bytes, with a warning for each, until it says so.
        if self._transport is not None and (data := self._tls.drain()) and not self._transport.is_closing():
            self._transport.write(data)

    def _hang_up(self, reason: str) -> None:
        """Say goodbye and close; cut the connection if the goodbye can't leave."""
        if self._closing:
            return
        self._closing = True
        self._reason = reason
        if self._transport is None:
            return
        self._tls.close()
        self._flush()
        self._transport.close()
        self._arm("abort", CLOSE_SECONDS, self._transport.abort)

    # -- time ----------------------------------------------------------------------------------------------------------

    def _arm(self, name: str, delay: float, call: Callable[[], object]) -> None:
        if (old := self._timers.pop(name, None)) is not None:
            old.cancel()
        self._timers[name] = self._loop.call_later(delay, call)

    def _tick(self) -> None:
        self._age += 1
        self._silence += 1
        self._frame_age = self._frame_age + 1 if self._decoder.partial and not self._reading_paused else 0
        if not self.accepted and self._age >= HANDSHAKE_TICKS:
            self._hang_up("handshake-timeout")
        elif self._frame_age >= FRAME_TICKS:
            self._hang_up("frame-timeout")
        elif self._silence >= DEAD_TICKS and not self._reading_paused:
            self.abort("silent")
        if self._closing:
            return
        if self.accepted and self._age % PING_TICKS == 0:
            self._pings_sent += 1
            self._ping_at = self._loop.time()
            self._enqueue(frames.encode(frames.PING, self._pings_sent.to_bytes(frames.PING_BYTES, "big")))
        self._arm("tick", TICK, self._tick)
