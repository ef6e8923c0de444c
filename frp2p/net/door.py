"""How often one address may knock: connections cost a handshake, and each wrong passphrase is a guess."""

from __future__ import annotations

import ipaddress
from collections import OrderedDict

from frp2p.net.bucket import Bucket
from frp2p.net.interfaces import interface_addresses

CONNECTIONS_A_SECOND = 5.0
CONNECTIONS_BURST = 20.0
"""Connections from one address outside this machine; a handshake costs 1.3 ms here, a whole table on one machine that
comes back after a break needs a dozen."""
GUESSES_A_SECOND = 0.1
GUESSES_BURST = 2.0
"""Wrong passphrases from one address: three at once (the last one overdraws), then one every ten seconds."""
MAX_REMOTES = 256
"""Addresses that are remembered; the one not heard of for longest is forgotten first."""
LOOK_SECONDS = 5.0
"""Between two looks at the addresses of this machine; each takes a millisecond."""
WRONG = "wrong-passphrase"
"""The reason for closing a link that counts as a guess."""


class Door:
    """Buckets by address."""

    def __init__(self) -> None:
        self._connections: OrderedDict[str, Bucket] = OrderedDict()
        self._guesses: OrderedDict[str, Bucket] = OrderedDict()

    def admits(self, remote: str, now: float) -> bool:
        """Whether a new connection from there is taken; counts it."""
        guesses = self._guesses.get(remote)
        if guesses is not None and guesses.wait(now) > 0:
            return False
        if is_loopback(remote):
            return True
        bucket = _bucket(self._connections, remote, CONNECTIONS_A_SECOND, CONNECTIONS_BURST, now)
        if bucket.wait(now) > 0:
            return False
        bucket.take(1, now)
        return True

    def closed(self, remote: str, reason: str, now: float) -> None:
        """A link from there was closed for this reason."""
        if reason == WRONG:
            _bucket(self._guesses, remote, GUESSES_A_SECOND, GUESSES_BURST, now).take(1, now)


def _bucket(buckets: OrderedDict[str, Bucket], remote: str, rate: float, burst: float, now: float) -> Bucket:
    bucket = buckets.setdefault(remote, Bucket(rate, burst, now))
    buckets.move_to_end(remote)
    if len(buckets) > MAX_REMOTES:
        buckets.popitem(last=False)
    return bucket


class Chosen:
    """Which interfaces lead in, where the user has named some: connections that came in through others are cut.

    The socket listens on all of them, because the addresses of an interface change while a game runs.
    """

    def __init__(self, wanted: tuple[str, ...]) -> None:
        self._wanted = wanted
        self._addresses: frozenset[str] = frozenset()
        self._looked = -LOOK_SECONDS

    def leads_in(self, local: str, now: float) -> bool:
        """Whether this address of ours, at which somebody has connected, is one of the chosen; this machine may."""
        if not self._wanted or is_loopback(local):
            return True
        if now - self._looked >= LOOK_SECONDS:
            self._looked = now
            self._addresses = frozenset(interface_addresses(self._wanted))
        return plain(local) in self._addresses


def plain(host: str) -> str:
    """The address as it is written without scope and without an IPv6 disguise."""
    try:
        literal = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host
    mapped = literal.ipv4_mapped if isinstance(literal, ipaddress.IPv6Address) else None
    return str(mapped or literal)


def is_loopback(remote: str) -> bool:
    """Whether this address, as the system gives it, is this machine."""
    try:
        return ipaddress.ip_address(plain(remote)).is_loopback
    except ValueError:
        return False
