"""What the doctor finds without a packet: versions, the terminal, where this runs, interfaces, the port."""

from __future__ import annotations

import errno
import importlib.metadata
import locale
import os
import platform
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

from frp2p import __version__
from frp2p.deal.group.choose import default_group
from frp2p.errors import UserError
from frp2p.ledger.charter import VERSION
from frp2p.locale import _
from frp2p.locale.reason import reason
from frp2p.net.address import DEFAULT_PORT, listening_socket
from frp2p.net.finding import Finding, Level
from frp2p.net.interfaces import LOOPBACK, interface_addresses, interfaces

SMALLEST_TERMINAL = (60, 20)
"""Columns and rows under which the client asks for a larger window."""
CONTAINER_FILES = ("/.dockerenv", "/run/.containerenv")
DOWN_STATES = ("down", "lowerlayerdown", "notpresent")
"""What Linux says of an interface through which nothing goes (`operstate`); it does not know of every kind."""
MAX_FILE = 64 * 1024
"""Bytes that are read of a file of the system."""


def versions() -> Finding:
    """Program, protocol, Python and system."""
    zeroconf = importlib.metadata.version("zeroconf")
    facts = {
        "frp2p": __version__,
        "protocol": VERSION,
        "python": platform.python_version(),
        "zeroconf": zeroconf,
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
    }
    text = _("frp2p {frp2p} (protocol {protocol}), Python {python}, zeroconf {zeroconf}, {system}")
    return Finding("versions", "machine", "fine", text.format(**facts), facts)


def back_end() -> Finding:
    """Which arithmetic hides the cards, and whether its timing tells something about this seat's keys."""
    try:
        group = default_group()
    except UserError as error:
        return Finding("group", "machine", "broken", error.message)
    facts = {"group": group.name, "constant_time": group.constant_time}
    if group.constant_time:
        text = _("Back end {name}: cards are hidden in constant time.")
        return Finding("group", "machine", "fine", text.format(name=group.name), facts)
    text = _(
        "Back end {name}: slower, and not in constant time. Somebody who measures this program closely could learn "
        "about the keys of its games."
    )
    return Finding("group", "machine", "note", text.format(name=group.name), facts)


def terminal(environment: Mapping[str, str] = os.environ) -> Finding:
    """Whether the full-screen client can be shown here."""
    size = shutil.get_terminal_size()
    facts = {
        "term": environment.get("TERM", ""),
        "program": environment.get("TERM_PROGRAM", ""),
        "terminal": sys.stdin.isatty() and sys.stdout.isatty(),
        "columns": size.columns,
        "rows": size.lines,
        "encoding": sys.stdout.encoding or locale.getpreferredencoding(False),
    }
    if not facts["terminal"] or facts["term"] == "dumb":
        return Finding("terminal", "machine", "note", _("No terminal here; the full-screen client needs one."), facts)
    if size.columns < SMALLEST_TERMINAL[0] or size.lines < SMALLEST_TERMINAL[1]:
        text = _("The window has {columns} x {rows} characters; the client needs {wanted_columns} x {wanted_rows}.")
        text = text.format(**facts, wanted_columns=SMALLEST_TERMINAL[0], wanted_rows=SMALLEST_TERMINAL[1])
        return Finding("terminal", "machine", "warning", text, facts)
    text = _("Terminal {term}, {columns} x {rows}, {encoding}").format(**facts)
    return Finding("terminal", "machine", "fine", text, facts)


def surroundings(root: Path = Path("/"), environment: Mapping[str, str] = os.environ) -> list[Finding]:
    """WSL and containers, whose network is not the one of the house."""
    found = []
    if "microsoft" in read(root / "proc/version").lower():
        text = _(
            "This is WSL: its network is not the one of your house, and nothing is announced or found. Use Python for "
            "Windows, or networkingMode=mirrored in .wslconfig."
        )
        found.append(Finding("wsl", "machine", "warning", text))
    if environment.get("container") or any((root / name.lstrip("/")).exists() for name in CONTAINER_FILES):
        text = _(
            "This is a container: tables are found only with the network of the host (--network host, on Linux); "
            "addresses work with a published port {port}."
        )
        found.append(Finding("container", "machine", "warning", text.format(port=DEFAULT_PORT)))
    return found


def read(path: Path) -> str:
    """A text file of the system; empty if it can't be read."""
    try:
        with path.open("rb") as file:
            return file.read(MAX_FILE).decode("utf-8", "replace")
    except OSError:
        return ""


def used_interfaces(wanted: tuple[str, ...], root: Path = Path("/")) -> list[Finding]:
    """Every interface, whether it is used, and why not; last whether any leads to other machines."""
    found, connected = [], []
    for item in interfaces(wanted):
        reasons = {
            "": _("{name} is used: {addresses}"),
            "virtual": _("{name} is left out, it leads to containers or a private network: {addresses}"),
            "loopback": _("{name} is left out, it leads only to this machine: {addresses}"),
            "unwanted": _("{name} is left out, as you asked: {addresses}"),
        }
        # Linux leaves an interface its address also where the cable is out.
        down = read(root / "sys/class/net" / item.name / "operstate").strip() in DOWN_STATES
        facts = {"name": item.name, "addresses": list(item.addresses), "left_out": item.left_out, "down": down}
        level: Level = "note" if item.left_out else "warning" if down else "fine"
        text = reasons[item.left_out]
        if level == "warning":
            text = _("{name} is down (switched off, or no cable or Wi-Fi): {addresses}")
        elif level == "fine":
            connected.append(item)
        text = text.format(name=item.name, addresses=", ".join(item.addresses))
        found.append(Finding("interface", "machine", level, text, facts))
    nowhere = interface_addresses(wanted) == (LOOPBACK,) and LOOPBACK not in wanted
    if nowhere or not connected:
        text = _("This machine is on no network that other players could be on; plug in a cable or join a Wi-Fi.")
        found.append(Finding("network", "direct", "broken", text))
    return found


def port_free(port: int) -> Finding:
    """Whether a table can be opened on this port, by opening it."""
    facts: dict[str, object] = {"port": port}
    try:
        with listening_socket(port, loopback=False) as socket:
            facts["port"] = socket.getsockname()[1]
    except OSError as error:
        facts |= {"errno": error.errno, "reason": error.strerror}
        if error.errno == errno.EADDRINUSE:
            text = _("Port {port} is taken by another program (perhaps a table of yours); a new table takes another.")
            return Finding("port", "direct", "note", text.format(port=port), facts)
        text = _("Nothing can listen on port {port} ({reason}), so nobody can connect to this machine.")
        return Finding("port", "direct", "broken", text.format(port=port, reason=reason(error)), facts)
    return Finding("port", "direct", "fine", _("Port {port} is free for a table.").format(port=port), facts)
