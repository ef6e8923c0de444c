"""Whether tables can be found without an address: joining the group, hearing oneself, hearing others."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import socket
import struct
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

from frp2p.deal.entropy import fresh
from frp2p.ledger.base32 import spell
from frp2p.locale import _, ngettext
from frp2p.locale.reason import reason
from frp2p.net.discovery import Discovery, FoundTable, close, multicast_interfaces, why
from frp2p.net.finding import Finding
from frp2p.net.interfaces import interfaces

if TYPE_CHECKING:
    from zeroconf import ServiceStateChange, Zeroconf
    from zeroconf.asyncio import AsyncZeroconf

PORT = 5353
GROUP = "224.0.0.251"
GROUP_IPV6 = "ff02::fb"
"""Of multicast DNS (RFC 6762, section 3)."""
QUESTION = bytes([0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0]) + b"\x09_services\x07_dns-sd\x04_udp\x05local\0\0\x0c\0\x01"
"""One PTR question: which services are there at all? (RFC 6763, section 9)"""
SELF_TEST_SERVICE = "_frp2p-test._tcp.local."
"""Not the service of tables: nobody lists it."""
SELF_TEST_SECONDS = 4.0
"""An announcement takes 1.3 s."""
MAX_SENDERS = 256
"""Machines that are counted."""
MAX_PACKET = 9000
"""Bytes of one packet of multicast DNS (RFC 6762, section 17)."""


def ear(way: str | int) -> socket.socket:
    """A socket that has joined the group on an interface (its IPv4 address, or its number for IPv6) and has asked
    there which services others have; OSError as the system gives it."""
    family = socket.AF_INET if isinstance(way, str) else socket.AF_INET6
    made = socket.socket(family, socket.SOCK_DGRAM)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if hasattr(socket, "SO_REUSEPORT"):
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        made.setblocking(False)
        if isinstance(way, str):
            _ask_ipv4(made, way)
        else:
            _ask_ipv6(made, way)
    except OSError:
        made.close()
        raise
    return made


def _ask_ipv4(made: socket.socket, address: str) -> None:
    own = socket.inet_aton(address)
    made.bind(("", PORT))
    made.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, socket.inet_aton(GROUP) + own)
    made.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, own)
    made.sendto(QUESTION, (GROUP, PORT))


def _ask_ipv6(made: socket.socket, number: int) -> None:
    made.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
    made.bind(("::", PORT))
    group = socket.inet_pton(socket.AF_INET6, GROUP_IPV6) + struct.pack("@I", number)
    made.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_JOIN_GROUP, group)
    made.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_IF, number)
    made.sendto(QUESTION, (GROUP_IPV6, PORT, 0, number))


def in_words(error: OSError) -> str:
    """What it means that the group can't be joined, or that nothing can be sent to it."""
    words = {
        errno.EADDRINUSE: _("another program keeps UDP port 5353 for itself; see disallow-other-stacks of avahi"),
        errno.EACCES: _("not allowed; a firewall or a sandbox forbids it"),
        errno.EPERM: _("not allowed; a firewall or a sandbox forbids it"),
        errno.ENODEV: _("the interface knows no multicast"),
        errno.EINVAL: _("the interface knows no multicast"),
        errno.EADDRNOTAVAIL: _("the address is not there any more"),
        errno.ENOBUFS: _("too many groups; raise net.ipv4.igmp_max_memberships"),
        errno.ENETUNREACH: _("no route to the group"),
        errno.EHOSTUNREACH: _("no route to the group; on a Mac the terminal lacks the permission Local Network"),
        errno.ENETDOWN: _("the interface is down"),
        errno.EAFNOSUPPORT: _("the system does not know this kind of address"),
    }
    return words.get(error.errno or 0) or reason(error)


class Ears:
    """An ear on every interface used; `findings` says which work. A context manager."""

    def __init__(self, wanted: tuple[str, ...] = ()) -> None:
        self.findings: list[Finding] = []
        self._wanted = wanted
        self._ears: list[socket.socket] = []

    def __enter__(self) -> Ears:
        names = {way: item.name for item in interfaces() for way in (item.index, *item.addresses)}
        for way in multicast_interfaces(self._wanted):
            facts: dict[str, object] = {"interface": names.get(way, ""), "way": way}
            try:
                self._ears.append(ear(way))
            except OSError as error:
                facts |= {"errno": error.errno}
                text = _("Multicast DNS does not work on {interface}: {reason}.")
                text = text.format(interface=facts["interface"] or way, reason=in_words(error))
                self.findings.append(Finding("multicast", "discovery", "warning", text, facts))
            else:
                text = _("The group of multicast DNS is joined on {interface}, a question is sent.").format(
                    interface=facts["interface"]
                )
                self.findings.append(Finding("multicast", "discovery", "fine", text, facts))
        if not self._ears:
            text = _("No interface can do multicast DNS, so no table is found; type addresses.")
            self.findings.append(Finding("multicast", "discovery", "broken", text))
        return self

    def __exit__(self, *_error: object) -> None:
        for made in self._ears:
            made.close()

    async def hear(self, seconds: float) -> frozenset[str]:
        """The addresses of other machines that say anything in so many seconds, at most MAX_SENDERS."""
        own = {text for item in interfaces() for text in item.addresses}
        senders: set[str] = set()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await asyncio.gather(asyncio.sleep(seconds), *(_listen(made, own, senders) for made in self._ears))
        return frozenset(senders)


async def _listen(made: socket.socket, own: set[str], senders: set[str]) -> None:
    loop = asyncio.get_running_loop()
    while True:
        try:
            _packet, source = await loop.sock_recvfrom(made, MAX_PACKET)
        except OSError:
            return  # the interface has gone down meanwhile
        host = str(source[0]).partition("%")[0]
        if host not in own and len(senders) < MAX_SENDERS:
            senders.add(host)


async def self_test(wanted: tuple[str, ...] = ()) -> Finding:
    """Announce something under a name that nobody has, and find it again."""
    started = asyncio.get_running_loop().time()
    try:
        async with asyncio.timeout(SELF_TEST_SECONDS), _zeroconf(wanted) as speaker, _zeroconf(wanted) as listener:
            await _found_again(speaker, listener)
    except TimeoutError:
        text = _("An announcement of this machine was not heard by itself within {seconds} seconds.")
        return Finding("self-test", "discovery", "broken", text.format(seconds=round(SELF_TEST_SECONDS)))
    except Exception as error:
        if not isinstance(error, OSError | RuntimeError) and type(error).__module__.partition(".")[0] != "zeroconf":
            raise
        reason = in_words(error) if isinstance(error, OSError) else why(error)
        text = _("Nothing can be announced: {reason}.").format(reason=reason)
        return Finding("self-test", "discovery", "broken", text, {"error": type(error).__name__})
    seconds = asyncio.get_running_loop().time() - started
    text = _("An announcement of this machine was heard by itself after {seconds:.1f} s.").format(seconds=seconds)
    return Finding("self-test", "discovery", "fine", text, {"seconds": round(seconds, 3)})


async def _found_again(speaker: AsyncZeroconf, listener: AsyncZeroconf) -> None:
    from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo

    label = spell(fresh(8), 12).lower()
    instance = f"{label}.{SELF_TEST_SERVICE}"
    heard = asyncio.Event()

    def on_change(zeroconf: Zeroconf, service_type: str, name: str, state_change: ServiceStateChange) -> None:
        if name == instance:
            heard.set()

    browser = AsyncServiceBrowser(listener.zeroconf, SELF_TEST_SERVICE, handlers=[on_change])
    try:
        info = AsyncServiceInfo(SELF_TEST_SERVICE, instance, port=PORT, server=f"{label}.local.")
        await (await speaker.async_register_service(info))
        await heard.wait()
    finally:
        await browser.async_cancel()


@contextlib.asynccontextmanager
async def _zeroconf(wanted: tuple[str, ...]) -> AsyncIterator[AsyncZeroconf]:
    from zeroconf.asyncio import AsyncZeroconf

    made = AsyncZeroconf(interfaces=multicast_interfaces(wanted))
    try:
        yield made
    finally:
        await close(made)


async def tables(wanted: tuple[str, ...], seconds: float) -> tuple[tuple[FoundTable, ...], str]:
    """The tables that are found in so many seconds, and the sentence about why there may be none."""
    async with Discovery(wanted) as discovery:
        discovery.browse()
        await asyncio.sleep(seconds)
        return discovery.tables(), discovery.problem


def heard(senders: frozenset[str]) -> Finding:
    """Whether others are heard at all; nobody has to be there."""
    facts = {"senders": sorted(senders)}
    if not senders:
        text = _(
            "No other machine says anything by multicast DNS: you are alone here, or the access point filters it "
            "(guest network, client isolation)."
        )
        return Finding("heard", "discovery", "note", text, facts)
    text = ngettext(
        "{count} other machine is heard by multicast DNS.",
        "{count} other machines are heard by multicast DNS.",
        len(senders),
    )
    return Finding("heard", "discovery", "fine", text.format(count=len(senders)), facts)


def listed(found: tuple[FoundTable, ...], problem: str) -> Finding:
    """The tables with free seats on this network."""
    if problem:
        return Finding("tables", "discovery", "broken", problem)
    facts = {"tables": [{"name": table.ad.name, "address": str(table.addresses[0])} for table in found]}
    if not found:
        return Finding("tables", "discovery", "note", _("No table with a free seat is announced now."), facts)
    names = ", ".join(f"{table.ad.name} ({table.addresses[0]})" for table in found)
    text = ngettext("{count} table is found: {names}", "{count} tables are found: {names}", len(found))
    return Finding("tables", "discovery", "fine", text.format(count=len(found), names=names), facts)
