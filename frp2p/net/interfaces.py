"""The network interfaces of this machine: which of them lead to other players, and why the others do not."""

from __future__ import annotations

import ipaddress
from typing import Literal, TypeAlias

import ifaddr
import msgspec

from frp2p.errors import UserError
from frp2p.locale import _

LOOPBACK = "127.0.0.1"
MAX_ADDRESSES = 8
"""Addresses of one peer that we tell or try; a machine has a few interfaces, and each try costs time."""
IGNORED_INTERFACES = ("docker", "br-", "veth", "virbr", "vmnet", "utun", "tun", "tailscale", "wg")
"""Beginnings of names: bridges to containers and private networks, where no other player sits."""

LeftOut: TypeAlias = Literal["", "virtual", "loopback", "unwanted"]
"""Why an interface is not used: no other player sits there, it only leads back, or the user named others."""


class Interface(msgspec.Struct, frozen=True):
    """`index` is the number that the system has for it (the scope of its link-local addresses; 0 if it has none),
    `addresses` are without scope: IPv4 first, then IPv6, link-local last."""

    name: str
    index: int
    addresses: tuple[str, ...]
    left_out: LeftOut = ""


def interfaces(wanted: tuple[str, ...] = ()) -> tuple[Interface, ...]:
    """All interfaces that have an address, used ones first. `wanted`: names or addresses to use and no other; empty
    leaves out those of IGNORED_INTERFACES, and loopback unless nothing else is left."""
    found = []
    for adapter in ifaddr.get_adapters():
        texts = [ip.ip if isinstance(ip.ip, str) else ip.ip[0] for ip in adapter.ips]
        if texts:
            ordered = tuple(sorted(texts, key=_rank))
            reason = _left_out(adapter.nice_name, ordered, wanted)
            found.append(Interface(adapter.nice_name, adapter.index or 0, ordered, reason))
    if not any(interface.left_out == "" for interface in found):
        found = [msgspec.structs.replace(item, left_out="") if item.left_out == "loopback" else item for item in found]
    return tuple(sorted(found, key=lambda interface: (interface.left_out != "", interface.index)))


def check_wanted(wanted: tuple[str, ...]) -> None:
    """UserError if one of these names or addresses is of no interface that this machine has now."""
    found = interfaces()
    known = {name for item in found for name in (item.name, *item.addresses)}
    for name in wanted:
        if name not in known:
            raise _missing(name, found)


def check_scope(scope: str) -> None:
    """UserError if an address is on an interface, by name or number, that this machine does not have; empty is none."""
    found = interfaces() if scope else ()
    if scope and not any(scope in (item.name, str(item.index)) for item in found):
        raise _missing(scope, found)


def _missing(name: str, found: tuple[Interface, ...]) -> UserError:
    names = ", ".join(item.name for item in found)
    text = _("This machine has no interface {name} with an address now; it has {names}.")
    return UserError(text.format(name=ascii(name), names=names), code="no-interface")


def interface_addresses(wanted: tuple[str, ...] = ()) -> tuple[str, ...]:
    """The addresses of this machine that others on the LAN may use, best first: IPv4, IPv6, link-local IPv6 (without
    scope: whoever dials it puts in its own); loopback only if there is no other."""
    used = [text for item in interfaces(wanted) if not item.left_out for text in item.addresses]
    named = [text for text in used if text in wanted]
    ordered = sorted(named or used, key=_rank)
    outside = [text for text in ordered if not ipaddress.ip_address(text).is_loopback]
    return tuple((outside or [text for text in ordered if ":" not in text] or [LOOPBACK])[:MAX_ADDRESSES])


def is_link_local(host: str) -> bool:
    """Whether this is an IPv6 address that means something on one link only."""
    try:
        literal = ipaddress.ip_address(host)
    except ValueError:
        return False
    return literal.version == 6 and literal.is_link_local


def is_inside(host: str) -> bool:
    """Whether this numeric address is private, of this machine, or on a network that this machine is on."""
    literal = ipaddress.ip_address(host)
    if not literal.is_global:
        return True
    networks = (
        ipaddress.ip_network(f"{ip.ip if isinstance(ip.ip, str) else ip.ip[0]}/{ip.network_prefix}", strict=False)
        for adapter in ifaddr.get_adapters()
        for ip in adapter.ips
    )
    return any(literal in network for network in networks)


def scoped(host: str) -> tuple[str, ...]:
    """The host as the system can dial it: a link-local address without scope is looked for on every interface used."""
    if "%" in host or not is_link_local(host):
        return (host,)
    return tuple(
        f"{host}%{item.index}" for item in interfaces() if not item.left_out and any(map(is_link_local, item.addresses))
    )


def _left_out(name: str, addresses: tuple[str, ...], wanted: tuple[str, ...]) -> LeftOut:
    if wanted:
        return "" if name in wanted or any(text in wanted for text in addresses) else "unwanted"
    if name.startswith(IGNORED_INTERFACES):
        return "virtual"
    if all(ipaddress.ip_address(text).is_loopback for text in addresses):
        return "loopback"
    return ""


def _rank(text: str) -> int:
    literal = ipaddress.ip_address(text)
    return 4 * literal.is_loopback + 2 * is_link_local(text) + (literal.version == 6)
