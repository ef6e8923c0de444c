"""Finding tables on the LAN with zeroconf. Everything learnt here is a hint: who somebody is, only TLS shows.

The network may have no multicast, and another program may own its port: then there is a `problem`, a sentence for
people, and typed addresses still work. See protocol/02-discovery.md.
"""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Generic, Protocol, Self, TypeAlias, TypeVar

import msgspec

from frp2p.locale import _
from frp2p.locale.reason import reason
from frp2p.net.address import Address, parse_literal
from frp2p.net.ads import SeatAd, TableAd, is_instance, read_ad, read_seat_ad
from frp2p.net.interfaces import LOOPBACK, MAX_ADDRESSES, interface_addresses, interfaces, is_inside

if TYPE_CHECKING:
    from zeroconf import ServiceStateChange, Zeroconf
    from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf

SERVICE = "_frp2p._tcp.local."
"""Tables, announced by their hosts."""
SEAT_SERVICE = "_frp2p-seat._tcp.local."
"""Seats of a game that miss each other."""
MAX_TABLES = 64
"""Tables that are listed; nobody has more at home, and an attacker gets no more memory."""
MAX_TABLES_PER_HOST = 16
"""The same at one address: nobody opens more on one machine, and one that lies leaves the others room."""
RESOLVE_MILLISECONDS = 3000
"""For the address of a table that was heard of; mDNS allows itself one answer a second."""
PROBE_SECONDS = 1.0
"""For the TCP connection that shows that a table is still there: a killed host stays announced for an hour."""
CLOSE_SECONDS = 2.0
"""For the goodbyes."""


class Ad(Protocol):
    """What is announced."""

    @property
    def instance(self) -> str: ...

    def properties(self) -> dict[str, str]: ...


A = TypeVar("A", bound=Ad)


class Found(msgspec.Struct, Generic[A], frozen=True):
    """Something somebody says there is, and where; it answered there when it was looked at."""

    ad: A
    addresses: tuple[Address, ...]


FoundTable: TypeAlias = Found[TableAd]


def multicast_interfaces(wanted: tuple[str, ...] = ()) -> list[str] | list[int]:
    """What zeroconf is to use: the IPv4 addresses; where there are none, the numbers of the interfaces with IPv6."""
    addresses = interface_addresses(wanted)
    ipv4 = [text for text in addresses if ":" not in text]
    if ipv4:
        return ipv4
    return [item.index for item in interfaces(wanted) if any(text in addresses for text in item.addresses)]


class Announcements(Generic[A]):
    """One zeroconf instance: announces at most one thing, lists those of the same kind that others announce.

    `read`: the announcement in a TXT record, None if it is of no use. `interfaces`: addresses or names to use, empty
    for all that make sense. `problem` says why nothing is found.
    """

    def __init__(
        self,
        service: str,
        read: Callable[[str, dict[str, str | None]], A | None],
        interfaces: tuple[str, ...] = (),
    ) -> None:
        self.problem = ""
        self._kind = service
        self._read = read
        self._interfaces = interfaces
        self._zeroconf: AsyncZeroconf | None = None
        self._announced: AsyncServiceInfo | None = None
        self._told: tuple[A, int] | None = None
        self._browser: AsyncServiceBrowser | None = None
        self._found: dict[str, Found[A]] = {}
        self._taken_back: dict[str, Found[A]] = {}
        self._resolving: dict[str, asyncio.Task[None]] = {}

    async def __aenter__(self) -> Self:
        from zeroconf.asyncio import AsyncZeroconf

        with self._as_problem():
            self._zeroconf = AsyncZeroconf(interfaces=multicast_interfaces(self._interfaces))
        return self

    async def __aexit__(self, *_error: object) -> None:
        tasks = list(self._resolving.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self._zeroconf is not None:
            await close(self._zeroconf, self._browser)

    async def announce(self, ad: A, port: int) -> None:
        """Tell the LAN about this until the end; again to change it, at no cost if nothing changed."""
        if self._zeroconf is None or (ad, port) == self._told:
            return
        self._told = ad, port
        info = self._service(ad, port)
        with self._as_problem():
            if self._announced is None:
                self._announced = info
                await (await self._zeroconf.async_register_service(info))
            else:
                await (await self._zeroconf.async_update_service(info))

    async def withdraw(self) -> None:
        """Take the announcement back."""
        if self._zeroconf is not None and self._announced is not None:
            info, self._announced = self._announced, None
            with self._as_problem():
                await (await self._zeroconf.async_unregister_service(info))

    def browse(self) -> None:
        """Start to listen; `found` fills from now on."""
        from zeroconf.asyncio import AsyncServiceBrowser

        if self._zeroconf is not None and self._browser is None:
            with self._as_problem():
                self._browser = AsyncServiceBrowser(self._zeroconf.zeroconf, self._kind, handlers=[self._on_change])

    def found(self) -> tuple[Found[A], ...]:
        """What was found so far."""
        return tuple(self._found.values())

    async def taken_back(self) -> tuple[Found[A], ...]:
        """What was found and is not announced any more, and answers all the same: anybody can say goodbye in somebody
        else's name."""
        gone = [found for name, found in self._taken_back.items() if name not in self._found]
        answers = await asyncio.gather(*(_first_answer(found.addresses) for found in gone))
        return tuple(found for found, answer in zip(gone, answers, strict=True) if answer)

    # -- inside --------------------------------------------------------------------------------------------------------

    @contextlib.contextmanager
    def _as_problem(self) -> Iterator[None]:
        from zeroconf import Error

        try:
            yield
        except (OSError, RuntimeError, Error) as error:
            text = _("Tables are not announced or found on this network ({reason}); addresses work.")
            self.problem = text.format(reason=why(error))

    def _service(self, ad: A, port: int) -> AsyncServiceInfo:
        from zeroconf.asyncio import AsyncServiceInfo

        return AsyncServiceInfo(
            self._kind,
            f"{ad.instance}.{self._kind}",
            port=port,
            server=f"frp2p-{ad.instance}.local.",
            parsed_addresses=list(interface_addresses(self._interfaces)),
            properties=ad.properties(),
        )

    def _on_change(self, zeroconf: Zeroconf, service_type: str, name: str, state_change: ServiceStateChange) -> None:
        from zeroconf import ServiceStateChange as Change

        if not is_instance(self._instance(name)):
            return  # none of ours, and zeroconf can't even ask for every name that somebody can say
        # The latest news of a name counts: what was being found out about it before must not come after.
        if (earlier := self._resolving.pop(name, None)) is not None:
            earlier.cancel()
        if state_change is Change.Removed:
            if (gone := self._found.pop(name, None)) is not None and len(self._taken_back) < MAX_TABLES:
                self._taken_back[name] = gone
        elif len(self._resolving) + len(self._found) < MAX_TABLES or name in self._found:
            task = asyncio.get_running_loop().create_task(self._resolve(zeroconf, name))
            self._resolving[name] = task
            task.add_done_callback(lambda done: self._forget(name, done))

    def _forget(self, name: str, task: asyncio.Task[None]) -> None:
        if self._resolving.get(name) is task:
            del self._resolving[name]

    async def _resolve(self, zeroconf: Zeroconf, name: str) -> None:
        from zeroconf.asyncio import AsyncServiceInfo

        info = AsyncServiceInfo(self._kind, name)
        with self._as_problem():
            if not await info.async_request(zeroconf, RESOLVE_MILLISECONDS):
                return
        ad = self._read(self._instance(name), info.decoded_properties)
        port = info.port or 0
        texts = [f"[{text}]:{port}" if ":" in text else f"{text}:{port}" for text in info.parsed_scoped_addresses()]
        literals = [address for text in texts[:MAX_ADDRESSES] if (address := parse_literal(text)) is not None]
        addresses = tuple(address for address in literals if self._leads_to_others(address.host))
        if ad is None or (ad.instance == self._own_instance()) or not await _first_answer(addresses):
            self._found.pop(name, None)
        elif name in self._found or (len(self._found) < MAX_TABLES and not self._is_crowded(addresses)):
            self._found[name] = Found(ad, addresses)

    def _instance(self, name: str) -> str:
        return name.removesuffix("." + self._kind)

    def _is_crowded(self, addresses: tuple[Address, ...]) -> bool:
        """Whether so much is announced at one of these hosts that nothing more there is listed."""
        hosts = [{address.host for address in found.addresses} for found in self._found.values()]
        return any(sum(host in one for one in hosts) >= MAX_TABLES_PER_HOST for host, _port in addresses)

    def _leads_to_others(self, host: str) -> bool:
        """Whether a table can be there. Anybody may announce any address; nothing outside of the LAN is called because
        of that, and nothing on this machine unless it is on no network."""
        if ipaddress.ip_address(host).is_loopback:
            return LOOPBACK in interface_addresses(self._interfaces)
        return is_inside(host)

    def _own_instance(self) -> str:
        return "" if self._announced is None else self._instance(self._announced.name)


def why(error: Exception) -> str:
    """What zeroconf can't do: an error of the system, none of whose networks it can use, or one of its own by name."""
    if isinstance(error, OSError):
        return reason(error)
    return _("no network to listen on") if isinstance(error, RuntimeError) else type(error).__name__


class Discovery(Announcements[TableAd]):
    """Tables with free seats, or to watch."""

    def __init__(self, interfaces: tuple[str, ...] = ()) -> None:
        super().__init__(SERVICE, read_ad, interfaces)

    def tables(self) -> tuple[FoundTable, ...]:
        """The tables found so far, by name."""
        return tuple(sorted(self.found(), key=lambda found: (found.ad.name, found.ad.instance)))


class SeatDiscovery(Announcements[SeatAd]):
    """Seats that miss others of their table."""

    def __init__(self, interfaces: tuple[str, ...] = ()) -> None:
        super().__init__(SEAT_SERVICE, read_seat_ad, interfaces)


async def close(zeroconf: AsyncZeroconf, browser: AsyncServiceBrowser | None = None) -> None:
    """Say goodbye, and let go of the sockets. Goodbyes are a courtesy: the end of a program does not wait for a broken
    network. The sockets are closed also where the goodbyes are cut short.
    """
    try:
        with contextlib.suppress(OSError, TimeoutError):
            async with asyncio.timeout(CLOSE_SECONDS):
                if browser is not None:
                    await browser.async_cancel()
                await zeroconf.async_close()
    finally:
        zeroconf.zeroconf.engine.close()


async def _first_answer(addresses: tuple[Address, ...]) -> bool:
    """Whether anybody listens at one of these addresses."""

    async def probe(address: Address) -> bool:
        try:
            async with asyncio.timeout(PROBE_SECONDS):
                _reader, writer = await asyncio.open_connection(address.host, address.port)
        except (OSError, TimeoutError):
            return False
        writer.close()
        return True

    return any(await asyncio.gather(*map(probe, addresses)))
