"""What to do about it on this system: the exact line or the exact setting. Nothing here changes anything."""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

from frp2p.locale import _
from frp2p.net.doctor_machine import read
from frp2p.net.finding import Finding, Level

ASK_SECONDS = 5.0
"""For a program of the system that is asked about its state; PowerShell alone takes two."""
MAX_ANSWER = 4096
"""Bytes of its answer that are looked at."""


async def hints(port: int, *, troubled: bool) -> list[Finding]:
    """The hints for this system. `troubled`: something did not work, so that also those are given which can't be known
    to matter."""
    if sys.platform == "win32":
        return windows(await _say("powershell", "-NoProfile", "-Command", "(Get-NetConnectionProfile).NetworkCategory"))
    if sys.platform == "darwin":
        return mac(os.environ) if troubled else []
    firewalld = await _say("firewall-cmd", "--state") if shutil.which("firewall-cmd") else ""
    return linux(port, Path("/"), firewalld)


def linux(port: int, root: Path, firewalld: str) -> list[Finding]:
    """Firewalls that are on, and an avahi that does not share. `firewalld`: the answer of `firewall-cmd --state`."""
    found = []
    if _is_set(read(root / "etc/ufw/ufw.conf"), "enabled"):
        lines = f"sudo ufw allow {port}/tcp && sudo ufw allow 5353/udp"
        found.append(_hint("ufw", _("The firewall ufw is on. To let tables through: {command}").format(command=lines)))
    if firewalld.strip() == "running":
        lines = f"sudo firewall-cmd --permanent --add-port={port}/tcp --add-service=mdns && sudo firewall-cmd --reload"
        text = _("The firewall firewalld is on. To let tables through: {command}").format(command=lines)
        found.append(_hint("firewalld", text))
    if _is_set(read(root / "etc/avahi/avahi-daemon.conf"), "disallow-other-stacks"):
        text = _(
            "avahi keeps UDP port 5353 for itself: set disallow-other-stacks=no in /etc/avahi/avahi-daemon.conf and "
            "restart avahi-daemon."
        )
        found.append(_hint("avahi", text, "warning"))
    return found


def mac(environment: Mapping[str, str]) -> list[Finding]:
    """The permission that belongs to the terminal, not to Python."""
    program = environment.get("TERM_PROGRAM") or _("your terminal")
    text = _(
        "macOS may keep {program} from the local network: switch it on in System Settings, Privacy & Security, Local "
        "Network, and start it again."
    )
    return [_hint("macos-permission", text.format(program=program))]


def windows(categories: str) -> list[Finding]:
    """`categories`: one line for each network, Public or Private or DomainAuthenticated."""
    if "Public" not in categories.split():
        return []
    text = _(
        "Windows treats this network as public and drops what comes in: in Settings, Network & internet, choose "
        "Private network, and allow Python when the firewall asks."
    )
    return [_hint("windows-profile", text, "warning")]


def _hint(check: str, text: str, level: Level = "note") -> Finding:
    return Finding(check, "machine", level, text)


def _is_set(text: str, name: str) -> bool:
    """Whether a file of `name=value` lines says yes to this name."""
    for line in text.splitlines():
        key, _equals, value = line.partition("=")
        if key.strip().lower() == name and value.strip().strip("\"'").lower() in ("yes", "true", "on", "1"):
            return True
    return False


async def _say(*command: str) -> str:
    """What a program of the system answers; empty if there is none, or none in time."""
    try:
        process = await asyncio.create_subprocess_exec(
            *command,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
        )
    except OSError:
        return ""
    try:
        async with asyncio.timeout(ASK_SECONDS):
            output, _nothing = await process.communicate()
    except TimeoutError:
        process.kill()
        await process.wait()
        return ""
    return output[:MAX_ANSWER].decode("utf-8", "replace")
