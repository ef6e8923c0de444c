"""Strings of a peer against the terminal: whatever it calls itself, the bytes that reach the terminal are ours."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("Windows has no pseudo terminals", allow_module_level=True)

import contextlib
import socket
import subprocess

from e2e_kit import environment, free_port, until
from pty_kit import Terminal

HOSTILE = """
import sys
from frp2p.ledger import names
from frp2p.table import host_lobby, greeting, peer
name = {name!r}
for module in list(sys.modules.values()):
    for attribute in ("name_problem", "check_name"):
        if getattr(module, attribute, None) is getattr(names, attribute):
            if module is not names:
                setattr(module, attribute, lambda *_, **__: "")
plain = peer.Peer.__init__
def init(self, signer, called, **more):
    plain(self, signer, name, **more)
peer.Peer.__init__ = init
from frp2p.cli import main
sys.argv = ["frp2p", "host", "--seats", "2", "--no-discovery", "--auto", "--port", "{port}"]
main()
"""
"""A host whose program lets any name pass."""

NAMES = {
    "escape sequence": "PWN\x1b[2JED",
    "all others": "PWN\x9b2J\x07\u202e\x00\x1b]0;owned\x07ED",
}


def listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@contextlib.contextmanager
def joined(name: str, folder: Path) -> Iterator[Terminal]:
    """A terminal that joins a host with this name."""
    port = free_port()
    code = HOSTILE.format(name=name, port=port)
    command = [sys.executable, "-c", code]
    quiet = subprocess.DEVNULL
    host = subprocess.Popen(command, env=environment(folder / "hostile"), stdout=quiet, stderr=quiet)
    try:
        until(lambda: listens(port) or host.poll() is not None, 60.0)
        assert host.poll() is None
        with Terminal(folder / "own", "join", f"127.0.0.1:{port}") as terminal:
            yield terminal
    finally:
        host.kill()
        host.wait()


def test_a_host_with_a_good_name_is_shown(tmp_path: Path) -> None:
    """Otherwise the next test would see nothing because nothing was said."""
    with joined("PWNED", tmp_path) as terminal:
        terminal.until(lambda screen: "PWNED" in screen)
        assert "PWN" in terminal.raw


@pytest.mark.slow
@pytest.mark.parametrize("which", NAMES)
def test_no_escape_of_a_peer_reaches_the_terminal(which: str, tmp_path: Path) -> None:
    """The guest leaves such a host, and says why in its own words."""
    name = NAMES[which]
    with joined(name, tmp_path) as terminal:
        terminal.until(lambda screen: "name-character" in screen)
        assert "PWN" not in terminal.raw
        assert name.removeprefix("PWN").removesuffix("ED") not in terminal.raw
