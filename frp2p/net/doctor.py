"""The doctor: everything that can keep players from each other on a LAN, looked at in turn.

It takes about as long as it listens. It contacts this machine, the multicast group of the LAN and, if one is given, the
one address; never anything outside.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from frp2p.locale import _
from frp2p.net.address import DEFAULT_PORT, Address
from frp2p.net.doctor_hints import hints
from frp2p.net.doctor_host import examine_host
from frp2p.net.doctor_machine import back_end, port_free, surroundings, terminal, used_interfaces, versions
from frp2p.net.doctor_multicast import Ears, heard, listed, self_test, tables
from frp2p.net.finding import Finding
from frp2p.net.interfaces import check_wanted, interface_addresses

LISTEN_SECONDS = 5.0
"""Enough for machines that answer late, and for a lost packet and its repetition."""


async def examine(
    tell: Callable[[Finding], None],
    *,
    host: Address | None = None,
    port: int = DEFAULT_PORT,
    interfaces: tuple[str, ...] = (),
    seconds: float = LISTEN_SECONDS,
) -> list[Finding]:
    """All findings, each also given to `tell` as soon as it is known. `interfaces`: names or addresses to look at and
    no other, UserError if there is none of one; `seconds`: how long to listen for others."""
    check_wanted(interfaces)
    found: list[Finding] = []

    def take(*findings: Finding) -> None:
        for finding in findings:
            found.append(finding)
            tell(finding)

    take(versions(), back_end(), terminal(), *surroundings(), *used_interfaces(interfaces), port_free(port))
    with Ears(interfaces) as ears:
        take(*ears.findings)
        own, senders, (ads, problem) = await asyncio.gather(
            self_test(interfaces), ears.hear(seconds), tables(interfaces, seconds)
        )
    take(own, heard(senders), listed(ads, problem))
    if host is not None:
        take(*await examine_host(host))
        take(*filtered(host, found, interfaces))
    take(*await hints(port, troubled=any(finding.level in ("warning", "broken") for finding in found)))
    return found


def filtered(host: Address, found: list[Finding], interfaces: tuple[str, ...]) -> list[Finding]:
    """A table can be reached but nothing is heard by multicast: then that does not get through."""
    reached = any(item.check == "host-version" and item.level == "fine" for item in found)
    own = {*interface_addresses(interfaces), "localhost"}
    silent = any(item.check == "heard" and item.level == "note" for item in found)
    if not reached or not silent or host.host in own or host.host.startswith("127.") or host.host == "::1":
        return []
    text = _(
        "{host} is reached but not heard: the access point or a firewall filters multicast, or it is on another "
        "network. Typing its address works."
    )
    return [Finding("filtered", "discovery", "broken", text.format(host=host.host))]
