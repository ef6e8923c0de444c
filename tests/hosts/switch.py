"""A LAN in user space: one TAP device in each network namespace, frames carried between them with seeded faults.

The kernel of a build machine often lacks `netem`; this needs only /dev/net/tun. The seed fixes the sequence of the
decisions, not the order in which real programs send: runs are alike in kind, not bit for bit.
"""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import heapq
import itertools
import os
import random
import selectors
import struct
import threading
import time

TUN = "/dev/net/tun"
DEVICE = "eth0"
MAX_FRAME = 65536
BURST = 64
"""Frames read from one machine before the others get their turn."""
_TUNSETIFF, _IFF_TAP, _IFF_NO_PI = 0x400454CA, 0x0002, 0x1000
_CLONE_NEWNET = 0x40000000


class Switch(threading.Thread):
    """Carries frames until `stop`. The faults are plain attributes that a test sets while it runs.

    `delay` and `jitter` are seconds one way, `loss` is the probability that a frame is lost, `cut` are the ports whose
    cable is pulled, `severed` the pairs (from, to) between which nothing passes, and `multicast` says whether mDNS is
    let through (some access points filter it).
    """

    def __init__(self, namespaces: list[str], seed: int) -> None:
        super().__init__(name="switch", daemon=True)
        self.delay = self.jitter = self.loss = 0.0
        self.cut: set[int] = set()
        self.severed: set[tuple[int, int]] = set()
        self.multicast = True
        self.carried = self.lost = 0
        self._random = random.Random(seed)
        self._wake, self._waker = os.pipe()
        self._due: list[tuple[float, int, int, bytes]] = []
        self._order = itertools.count()
        self._last: dict[tuple[int, int], float] = {}
        self._ports: dict[bytes, int] = {}
        self._taps: list[int] = []
        opener = threading.Thread(target=self._open, args=(namespaces,))  # a thread of its own changes its namespace
        opener.start()
        opener.join()
        if len(self._taps) != len(namespaces):
            self._close()
            raise OSError("no TAP device in a namespace")

    def stop(self) -> None:
        """End the thread and take the devices away."""
        os.write(self._waker, b"x")
        self.join()
        self._close()

    def run(self) -> None:
        with selectors.DefaultSelector() as selector:
            selector.register(self._wake, selectors.EVENT_READ, None)
            for port, tap in enumerate(self._taps):
                selector.register(tap, selectors.EVENT_READ, port)
            while True:
                self._deliver()
                wait = max(0.0, self._due[0][0] - time.monotonic()) if self._due else None
                for key, _events in selector.select(wait):
                    if key.data is None:
                        return
                    self._read(key.data)

    def _open(self, namespaces: list[str]) -> None:
        libc = ctypes.CDLL(None, use_errno=True)
        with contextlib.suppress(OSError):
            for name in namespaces:
                with open(f"/var/run/netns/{name}") as namespace:
                    if libc.setns(namespace.fileno(), _CLONE_NEWNET):
                        return
                tap = os.open(TUN, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
                fcntl.ioctl(tap, _TUNSETIFF, struct.pack("16sH22x", DEVICE.encode(), _IFF_TAP | _IFF_NO_PI))
                self._taps.append(tap)

    def _close(self) -> None:
        for fd in (*self._taps, self._wake, self._waker):
            os.close(fd)
        self._taps.clear()

    def _read(self, port: int) -> None:
        for _frame in range(BURST):
            try:
                frame = os.read(self._taps[port], MAX_FRAME)
            except OSError:  # nothing more, or the device is down
                return
            target, source = frame[:6], frame[6:12]
            self._ports[source] = port
            if target[0] & 1:
                if self.multicast or not _is_mdns(frame):
                    for other in range(len(self._taps)):
                        self._forward(port, other, frame)
            elif (known := self._ports.get(target)) is not None:
                self._forward(port, known, frame)

    def _forward(self, source: int, target: int, frame: bytes) -> None:
        if source == target or source in self.cut or target in self.cut or (source, target) in self.severed:
            return
        if self._random.random() < self.loss:
            self.lost += 1
            return
        due = time.monotonic() + max(0.0, self.delay + self._random.uniform(-self.jitter, self.jitter))
        due = self._last[source, target] = max(due, self._last.get((source, target), 0.0))  # in order, as a cable is
        heapq.heappush(self._due, (due, next(self._order), target, frame))

    def _deliver(self) -> None:
        now = time.monotonic()
        while self._due and self._due[0][0] <= now:
            _due, _order, target, frame = heapq.heappop(self._due)
            try:
                os.write(self._taps[target], frame)
                self.carried += 1
            except OSError:  # its queue is full, or the device is down
                self.lost += 1


def _is_mdns(frame: bytes) -> bool:
    """UDP to port 5353, over IPv4 or IPv6; the neighbour discovery of IPv6 is multicast too and no fault of mDNS."""
    start = {b"\x08\x00": 14 + 20, b"\x86\xdd": 14 + 40}.get(frame[12:14])
    return start is not None and frame[start + 2 : start + 4] == (5353).to_bytes(2, "big")
