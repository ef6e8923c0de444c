"""Finding tables on the LAN with zeroconf. Everything learnt here is a hint: who somebody is, only TLS shows.

The network may have no multicast, and another program may own its port: then there is a `problem`, a sentence for
people, and typed addresses still work. See protocol/02-discovery.md.
"""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import unicodedata
from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

from frp2p.ledger.base32 import spell
from frp2p.ledger.charter import VERSION
from frp2p.ledger.limits import MAX_SEATS
from frp2p.ledger.names import name_problem
from frp2p.locale import _
from frp2p.net.address import Address, parse_literal
from frp2p.net.interfaces import LOOPBACK, MAX_ADDRESSES, interface_addresses, interfaces, is_inside

if TYPE_CHECKING:
    from zeroconf import ServiceStateChange, Zeroconf
    from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf

SERVICE = "_frp2p._tcp.local."
MAX_TABLES = 64
"""Tables that are listed; nobody has more at home, and an attacker gets no more memory."""
MAX_TXT_LENGTH = 32
"""Characters of one value of a table's announcement."""
RESOLVE_MILLISECONDS = 3000
"""For the address of a table that was heard of; mDNS allows itself one answer a second."""
PROBE_SECONDS = 1.0
"""For the TCP connection that shows that a table is still there: a killed host stays announced for an hour."""
CLOSE_SECONDS = 2.0
"""For the goodbyes."""
INSTANCE_LETTERS = 16
"""Characters of an instance name: 60 bits of the key, 20 of the run."""


class TableAd(msgspec.Struct, frozen=True):
    """What a host tells the LAN about its table. `instance` is different in every run, so that a restart is seen."""

    instance: str
    key: str
    """The beginning of the host's fingerprint; a label to compare, not a proof."""
    name: str
    game: str
    seats: int
    free: int
    locked: bool = False
    """Whether it has a passphrase."""
    watched: bool = False
    """Whether others may watch."""


class FoundTable(msgspec.Struct, frozen=True):
    """A table somebody says there is, and where; it answered there when it was looked at."""

    ad: TableAd
    addresses: tuple[Address, ...]


def multicast_interfaces(wanted: tuple[str, ...] = ()) -> list[str] | list[int]:
    """What zeroconf is to use: the IPv4 addresses; where there are none, the numbers of the interfaces with IPv6."""
    addresses = interface_addresses(wanted)
    ipv4 = [text for text in addresses if ":" not in text]
    if ipv4:
        return ipv4
    return [item.index for item in interfaces(wanted) if any(text in addresses for text in item.addresses)]


def instance_name(key: bytes, run: bytes) -> str:
    """A name that can't clash: from the host's key and 3 random bytes of this run."""
    return (spell(key, INSTANCE_LETTERS - 4) + spell(run, 4)).lower()


class Discovery:
    """One zeroconf instance: announces at most one table, lists those of others.

    `interfaces`: addresses or names to use, empty for all that make sense. `problem` says why nothing is found.
    """

    def __init__(self, interfaces: tuple[str, ...] = ()) -> None:
        self.problem = ""
        self._interfaces = interfaces
        self._zeroconf: AsyncZeroconf | None = None
        self._announced: AsyncServiceInfo | None = None
        self._told: tuple[TableAd, int] | None = None
        self._browser: AsyncServiceBrowser | None = None
        self._found: dict[str, FoundTable] = {}
        self._resolving: dict[str, asyncio.Task[None]] = {}

    async def __aenter__(self) -> Discovery:
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
            # Goodbyes are a courtesy; the end of the program does not wait for a broken network.
            with contextlib.suppress(OSError, TimeoutError):
                async with asyncio.timeout(CLOSE_SECONDS):
                    if self._browser is not None:
                        await self._browser.async_cancel()
                    await self._zeroconf.async_close()

    async def announce(self, ad: TableAd, port: int) -> None:
        """Tell the LAN about this table until the end; again to change it, at no cost if nothing changed."""
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
        """Take the announcement back: the table is full."""
        if self._zeroconf is not None and self._announced is not None:
            info, self._announced = self._announced, None
            with self._as_problem():
                await (await self._zeroconf.async_unregister_service(info))

    def browse(self) -> None:
        """Start to listen; `tables` fills from now on."""
        from zeroconf.asyncio import AsyncServiceBrowser

        if self._zeroconf is not None and self._browser is None:
            with self._as_problem():
                self._browser = AsyncServiceBrowser(self._zeroconf.zeroconf, SERVICE, handlers=[self._on_change])

    def tables(self) -> tuple[FoundTable, ...]:
        """The tables found so far, by name."""
        return tuple(sorted(self._found.values(), key=lambda found: (found.ad.name, found.ad.instance)))

    # -- inside --------------------------------------------------------------------------------------------------------

    @contextlib.contextmanager
    def _as_problem(self) -> Iterator[None]:
        from zeroconf import Error

        try:
            yield
        except (OSError, RuntimeError, Error) as error:
            reason = str(error) or type(error).__name__
            self.problem = _("Tables are not announced or found on this network ({reason}); addresses work.").format(
                reason=reason
            )

    def _service(self, ad: TableAd, port: int) -> AsyncServiceInfo:
        from zeroconf.asyncio import AsyncServiceInfo

        properties = {
            "v": str(VERSION),
            "k": ad.key,
            "n": ad.name,
            "g": ad.game,
            "s": str(ad.seats),
            "f": str(ad.free),
            "l": str(int(ad.locked)),
            "w": str(int(ad.watched)),
        }
        return AsyncServiceInfo(
            SERVICE,
            f"{ad.instance}.{SERVICE}",
            port=port,
            server=f"frp2p-{ad.instance}.local.",
            parsed_addresses=list(interface_addresses(self._interfaces)),
            properties=properties,
        )

    def _on_change(self, zeroconf: Zeroconf, service_type: str, name: str, state_change: ServiceStateChange) -> None:
        from zeroconf import ServiceStateChange as Change

        # The latest news of a name counts: what was being found out about it before must not come after.
        if (earlier := self._resolving.pop(name, None)) is not None:
            earlier.cancel()
        if state_change is Change.Removed:
            self._found.pop(name, None)
        elif len(self._resolving) + len(self._found) < MAX_TABLES or name in self._found:
            task = asyncio.get_running_loop().create_task(self._resolve(zeroconf, name))
            self._resolving[name] = task
            task.add_done_callback(lambda done: self._forget(name, done))

    def _forget(self, name: str, task: asyncio.Task[None]) -> None:
        if self._resolving.get(name) is task:
            del self._resolving[name]

    async def _resolve(self, zeroconf: Zeroconf, name: str) -> None:
        from zeroconf.asyncio import AsyncServiceInfo

        info = AsyncServiceInfo(SERVICE, name)
        with self._as_problem():
            if not await info.async_request(zeroconf, RESOLVE_MILLISECONDS):
                return
        ad = read_ad(name.removesuffix("." + SERVICE), info.decoded_properties)
        port = info.port or 0
        texts = [f"[{text}]:{port}" if ":" in text else f"{text}:{port}" for text in info.parsed_scoped_addresses()]
        literals = [address for text in texts[:MAX_ADDRESSES] if (address := parse_literal(text)) is not None]
        addresses = tuple(address for address in literals if self._leads_to_others(address.host))
        if ad is None or (ad.instance == self._own_instance()) or not await _first_answer(addresses):
            self._found.pop(name, None)
        elif len(self._found) < MAX_TABLES or name in self._found:
            self._found[name] = FoundTable(ad, addresses)

    def _leads_to_others(self, host: str) -> bool:
        """Whether a table can be there. Anybody may announce any address; nothing outside of the LAN is called because
        of that, and nothing on this machine unless it is on no network."""
        if ipaddress.ip_address(host).is_loopback:
            return LOOPBACK in interface_addresses(self._interfaces)
        return is_inside(host)

    def _own_instance(self) -> str:
        return "" if self._announced is None else self._announced.name.removesuffix("." + SERVICE)


def read_ad(instance: str, properties: dict[str, str | None]) -> TableAd | None:
    """A table's announcement from its TXT record, which anybody may have written; None if it is of no use to us."""
    values = {name: properties.get(name) or "" for name in "vkngsflw"}
    if any(len(value) > MAX_TXT_LENGTH for value in values.values()) or values["v"] != str(VERSION):
        return None
    if len(instance) > MAX_TXT_LENGTH or not instance.isascii() or not instance.isalnum():
        return None
    if name_problem(values["n"]) or not all(_is_label(values[name]) for name in "kg"):
        return None
    seats, free = (int(text) if text.isascii() and text.isdigit() else -1 for text in (values["s"], values["f"]))
    if not 1 < seats <= MAX_SEATS or not 0 <= free < seats or not {values["l"], values["w"]} <= {"0", "1"}:
        return None
    return TableAd(instance, values["k"], values["n"], values["g"], seats, free, values["l"] == "1", values["w"] == "1")


def _is_label(text: str) -> bool:
    return bool(text) and text.isascii() and all(unicodedata.category(letter)[0] in "LNP" for letter in text)


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
