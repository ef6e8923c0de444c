"""Addresses as people type them and peers tell them, and sockets to listen on."""

from __future__ import annotations

import errno
import ipaddress
import socket
from typing import NamedTuple

from frp2p.errors import UserError
from frp2p.locale import _
from frp2p.net.interfaces import LOOPBACK, check_scope

DEFAULT_PORT = 47377
"""One fixed TCP port, so that one rule in a firewall is enough."""
BACKLOG = 32
"""Connections that the system holds for us; twice the strangers that we serve at once."""
MAX_ADDRESS_LENGTH = 64
"""Characters; an IPv6 address with scope and port takes 60."""
MAX_TYPED_LENGTH = 300
"""Characters of what somebody types; the longest name of a machine has 253 (RFC 1035)."""
PORT_DIGITS = 5


class Address(NamedTuple):
    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def parse(text: str) -> Address:
    """Read `HOST`, `HOST:PORT`, `[IPV6]:PORT` or a bare IPv6 address; UserError if it is none of these, or names an
    interface (`fe80::1%eth0`) that this machine does not have."""
    host, port = text.strip(), str(DEFAULT_PORT)
    if host.startswith("["):
        host, _bracket, rest = host[1:].partition("]")
        port = rest[1:] if rest.startswith(":") else port if not rest else ""
    elif host.count(":") == 1:
        host, _colon, port = host.partition(":")
    if len(text) > MAX_TYPED_LENGTH or not host or not host.isprintable() or " " in host or not _is_port(port):
        shown = ascii(text[:MAX_ADDRESS_LENGTH]) + ("..." if len(text) > MAX_ADDRESS_LENGTH else "")
        raise UserError(_("{text} is not an address; write HOST or HOST:PORT.").format(text=shown))
    check_scope(host.partition("%")[2])
    return Address(host, int(port))


def _is_port(text: str) -> bool:
    """Whether somebody can listen there; 0 means any port, and nobody can call that."""
    return text.isascii() and text.isdigit() and len(text) <= PORT_DIGITS and 0 < int(text) < 65536


def parse_literal(text: str) -> Address | None:
    """An address that a peer told us: `IP:PORT`, numeric (never a name to look up) and of one machine; else None."""
    if len(text) > MAX_ADDRESS_LENGTH:
        return None
    try:
        address = parse(text)
        literal = ipaddress.ip_address(address.host)
    except (UserError, ValueError):
        return None
    return None if literal.is_multicast or literal.is_unspecified else address


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
