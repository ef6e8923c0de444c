"""The doctor's checks of this machine: ports, interfaces, firewalls, systems that are only described."""

from __future__ import annotations

import errno
import socket
from pathlib import Path

import pytest

from frp2p.net import doctor_machine
from frp2p.net.address import listening_socket
from frp2p.net.doctor_machine import DOWN_STATES
from frp2p.net.finding import exit_code
from frp2p.net.interfaces import interfaces

LOOPBACK = ("127.0.0.1",)


def test_the_port_is_tried() -> None:
    with listening_socket(0, loopback=False) as taken:
        port = taken.getsockname()[1]
        finding = doctor_machine.port_free(port)
        assert (finding.level, finding.facts["errno"]) == ("note", errno.EADDRINUSE)
    assert doctor_machine.port_free(port).level == "fine"


def test_a_port_that_may_not_be_opened_is_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(_port: int, *, loopback: bool) -> socket.socket:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(doctor_machine, "listening_socket", forbidden)
    assert exit_code([doctor_machine.port_free(47377)]) == 2


def test_wsl_and_containers_are_noticed(tmp_path: Path) -> None:
    assert doctor_machine.surroundings(tmp_path, {}) == []
    (tmp_path / "proc").mkdir()
    (tmp_path / "proc/version").write_text("Linux version 5.15.167.4-microsoft-standard-WSL2")
    (tmp_path / ".dockerenv").touch()
    assert [finding.check for finding in doctor_machine.surroundings(tmp_path, {})] == ["wsl", "container"]
    assert [finding.check for finding in doctor_machine.surroundings(tmp_path / "none", {"container": "lxc"})] == [
        "container"
    ]


def test_every_interface_is_named_with_its_reason() -> None:
    found = doctor_machine.used_interfaces(LOOPBACK)
    used = [finding for finding in found if finding.level == "fine"]
    assert "127.0.0.1" in used[0].facts["addresses"]
    assert all(finding.facts["left_out"] == "unwanted" for finding in found if finding.level == "note")
    assert exit_code(found) == 0
    assert exit_code(doctor_machine.used_interfaces(("no-such-interface",))) == 2


@pytest.mark.parametrize(
    ("state", "code"), [("up", 0), ("unknown", 0), ("dormant", 0), ("", 0), *((one, 2) for one in DOWN_STATES)]
)
def test_an_interface_without_a_cable_leads_nowhere(state: str, code: int, tmp_path: Path) -> None:
    """Linux leaves it its address: without this all was well, or typed addresses were said to work."""
    name = next(item.name for item in interfaces(LOOPBACK) if not item.left_out)
    (tmp_path / "sys/class/net" / name).mkdir(parents=True)
    (tmp_path / "sys/class/net" / name / "operstate").write_text(f"{state}\n")
    found = doctor_machine.used_interfaces(LOOPBACK, tmp_path)
    assert exit_code(found) == code
    down = [finding for finding in found if finding.level == "warning"]
    assert [finding.facts["name"] for finding in down] == [name] * (code != 0)
    assert all("is down" in finding.text for finding in down)
