"""Reaching one peer that may have several addresses: the tries start one after the other, the first good one wins."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Literal, TypeAlias

from frp2p.ledger.fingerprint import fingerprint
from frp2p.net.address import Address
from frp2p.net.interfaces import MAX_ADDRESSES, scoped
from frp2p.net.links import Link

STAGGER_SECONDS = 0.25
"""Head start of each address before the next one (RFC 8305, connection attempt delay)."""
CONNECT_SECONDS = 3.0
"""For the TCP connection; a LAN needs milliseconds, one lost packet costs a second."""

Outcome: TypeAlias = Literal["reached", "nobody", "no-table", "somebody-else"]
"""`no-table`: connections are taken there, and come to nothing; `somebody-else`: another key than the wanted one."""


class Dialling:
    """One round of tries. `make_link` makes the link of a try; whoever owns that link calls `answered` once the
    handshake is done, or `failed` when it is lost before. `outcome` is the best that was met."""

    def __init__(
        self,
        addresses: tuple[Address, ...],
        wanted: bytes | None,
        own_key: bytes,
        make_link: Callable[[Dialling], Link],
        label: str = "",
    ) -> None:
        """`wanted`: the key that must answer, None for anybody's but `own_key` (an address may lead back to us);
        `label`: how its fingerprint must begin."""
        dialable = [Address(host, port) for told, port in addresses for host in scoped(told)]
        self._addresses = tuple(dialable[:MAX_ADDRESSES])
        self.wanted = wanted
        self._own_key = own_key
        self._make_link = make_link
        self._label = label
        self.outcome: Outcome = "nobody"
        self._outcomes: dict[Link, asyncio.Future[bool]] = {}

    async def run(self) -> bool:
        """True as soon as one address gave a link to the wanted peer, False once all have failed."""
        pending = {
            asyncio.create_task(self._try(address, index * STAGGER_SECONDS))
            for index, address in enumerate(self._addresses)
        }
        try:
            while pending and self.outcome != "reached":
                _done, pending = await asyncio.wait(pending, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in pending:
                task.cancel()
            await asyncio.gather(*pending, return_exceptions=True)
        return self.outcome == "reached"

    def answered(self, link: Link, key: bytes) -> bool:
        """Whether this link is the one: the wanted key, and the first."""
        first = self.outcome != "reached"
        good = first and key != self._own_key and self.wanted in (None, key) and self._is_labelled(key)
        if good:
            self.outcome = "reached"
        elif first:
            self.outcome = "nobody" if key == self._own_key else "somebody-else"  # we are not there to be met
        self._settle(link, good)
        return good

    def _is_labelled(self, key: bytes) -> bool:
        return fingerprint(key).startswith(self._label)

    def failed(self, link: Link) -> None:
        """The link was lost before its handshake was done."""
        self._settle(link, False)

    def _settle(self, link: Link, good: bool) -> None:
        if (outcome := self._outcomes.get(link)) is not None and not outcome.done():
            outcome.set_result(good)

    async def _try(self, address: Address, delay: float) -> None:
        await asyncio.sleep(delay)
        loop = asyncio.get_running_loop()
        outcome: asyncio.Future[bool] = loop.create_future()
        link: Link | None = None

        def make() -> Link:
            nonlocal link
            link = self._make_link(self)
            self._outcomes[link] = outcome
            return link

        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                await loop.create_connection(make, address.host, address.port, happy_eyeballs_delay=STAGGER_SECONDS)
            if self.outcome == "nobody":
                self.outcome = "no-table"
            await outcome  # the link has its own deadline for the handshake
        except (OSError, TimeoutError, UnicodeError):
            return  # nobody there; UnicodeError: a host name that can't be one
        except asyncio.CancelledError:
            if link is not None and not outcome.done():
                link.abort()
            raise
