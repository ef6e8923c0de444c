"""Addresses as people type them, sockets to listen on, and where this machine can be reached."""

from __future__ import annotations

import errno
import ipaddress
import socket
from typing import NamedTuple

import ifaddr

from frp2p.errors import UserError
from frp2p.locale import _

DEFAULT_PORT = 47377
"""One fixed TCP port, so that one rule in a firewall is enough."""
LOOPBACK = "127.0.0.1"
BACKLOG = 32
"""Connections that the system holds for us; twice the strangers that we serve at once."""
MAX_ADDRESSES = 8
"""Addresses of one peer that we tell or try; a machine has a few interfaces, and each try costs time."""
MAX_ADDRESS_LENGTH = 64
"""Characters; an IPv6 address with scope and port takes 60."""
IGNORED_INTERFACES = ("docker", "br-", "veth", "virbr", "vmnet", "utun", "tun", "tailscale", "wg")
"""Beginnings of names: bridges to containers and private networks, where no other player sits."""


class Address(NamedTuple):
    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def parse(text: str) -> Address:
    """Read `HOST`, `HOST:PORT`, `[IPV6]:PORT` or a bare IPv6 address; UserError if it is none of these."""
    host, port = text.strip(), str(DEFAULT_PORT)
    if host.startswith("["):
        host, _bracket, rest = host[1:].partition("]")
        port = rest[1:] if rest.startswith(":") else port if not rest else ""
    elif host.count(":") == 1:
        host, _colon, port = host.partition(":")
    if (
        not host
        or not host.isprintable()
        or " " in host
        or not (port.isascii() and port.isdigit() and int(port) < 65536)
    ):
        raise UserError(_("{text} is not an address; write HOST or HOST:PORT.").format(text=repr(text)))
    return Address(host, int(port))


def parse_literal(text: str) -> Address | None:
    """An address that a peer told us: `IP:PORT`, numeric (never a name to look up) and of one machine; else None."""
    if len(text) > MAX_ADDRESS_LENGTH:
        return None
    try:
        address = parse(text)
        literal = ipaddress.ip_address(address.host)
    except (UserError, ValueError):
        return None
    if address.port == 0 or literal.is_multicast or literal.is_unspecified:
        return None
    return address


def listening_socket(port: int, *, loopback: bool) -> socket.socket:
    """A socket that listens on `port` (0: any free one), on loopback only or on every interface, IPv4 and IPv6.

    OSError if the port is taken or not allowed.
    """
    if loopback:
        return socket.create_server((LOOPBACK, port), backlog=BACKLOG)
    if socket.has_dualstack_ipv6():
        try:
            return socket.create_server(("", port), family=socket.AF_INET6, backlog=BACKLOG, dualstack_ipv6=True)
        except OSError as error:
            if not _no_ipv6(error):
                raise
    return socket.create_server(("", port), backlog=BACKLOG)


def _no_ipv6(error: OSError) -> bool:
    """The kernel knows IPv6 but has none switched on."""
    return error.errno in (errno.EAFNOSUPPORT, errno.EADDRNOTAVAIL)


def interface_addresses(interfaces: tuple[str, ...] = ()) -> tuple[str, ...]:
    """The addresses of this machine that others on the LAN may use, IPv4 first; loopback only if there is no other.

    `interfaces`: names or addresses to keep; empty keeps all but IGNORED_INTERFACES. Link-local IPv6 addresses mean
    nothing on another machine and are left out.
    """
    found: list[tuple[int, str]] = []
    for adapter in ifaddr.get_adapters():
        for ip in adapter.ips:
            text = ip.ip if isinstance(ip.ip, str) else ip.ip[0]
            if interfaces:
                wanted = adapter.nice_name in interfaces or text in interfaces
            else:
                wanted = not adapter.nice_name.startswith(IGNORED_INTERFACES)
            literal = ipaddress.ip_address(text)
            if wanted and not (literal.version == 6 and (literal.is_link_local or literal.is_loopback)):
                found.append((2 * literal.is_loopback + (literal.version == 6), text))
    ordered = [text for _rank, text in sorted(found)]
    outside = [text for text in ordered if not ipaddress.ip_address(text).is_loopback]
    return tuple((outside or ordered or [LOOPBACK])[:MAX_ADDRESSES])
