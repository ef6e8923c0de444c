"""Which interfaces and addresses are used, on machines that this one is not."""

from __future__ import annotations

from typing import Any

import ifaddr
import pytest

from frp2p.net import interfaces
from frp2p.net.discovery import multicast_interfaces
from frp2p.net.interfaces import interface_addresses, is_inside, scoped

Ip = str | tuple[str, int, int]

LO = ("lo", 1, ["127.0.0.1", ("::1", 0, 0)])
WIFI = ("wlan0", 2, [("fe80::a", 0, 2), ("2001:db8::a", 0, 0), "192.168.1.10"])
CABLE = ("eth0", 3, ["10.0.0.10", ("fe80::b", 0, 3)])
DOCKER = ("docker0", 4, ["172.17.0.1", ("fe80::c", 0, 4)])
ONLY_LINK_LOCAL = ("eth0", 3, [("fe80::b", 0, 3)])
DOWN = ("eth1", 5, [])


def machine(monkeypatch: pytest.MonkeyPatch, *adapters: tuple[str, int, list[Any]]) -> None:
    """This machine has these interfaces: name, number, addresses."""
    made = [
        ifaddr.Adapter(name, name, [ifaddr.IP(ip, 64, name) for ip in addresses], index=index)
        for name, index, addresses in adapters
    ]
    monkeypatch.setattr(ifaddr, "get_adapters", lambda: made)


CASES = {
    "two interfaces": ((LO, WIFI, CABLE), ("192.168.1.10", "10.0.0.10", "2001:db8::a", "fe80::a", "fe80::b")),
    "containers": ((LO, DOCKER, CABLE), ("10.0.0.10", "fe80::b")),
    "link-local only": ((LO, ONLY_LINK_LOCAL), ("fe80::b",)),
    "loopback only": ((LO, DOWN), ("127.0.0.1",)),
    "containers only": ((LO, DOCKER), ("127.0.0.1",)),
    "nothing": ((), ("127.0.0.1",)),
}


@pytest.mark.parametrize("case", CASES)
def test_addresses_come_best_first(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    adapters, expected = CASES[case]
    machine(monkeypatch, *adapters)
    assert interface_addresses() == expected


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ("eth0", ("10.0.0.10", "fe80::b")),
        ("10.0.0.10", ("10.0.0.10",)),
        ("docker0", ("172.17.0.1", "fe80::c")),
        ("127.0.0.1", ("127.0.0.1",)),
        ("no-such-interface", ("127.0.0.1",)),
    ],
)
def test_the_user_may_name_interfaces(wanted: str, expected: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    machine(monkeypatch, LO, WIFI, CABLE, DOCKER)
    assert interface_addresses((wanted,)) == expected


def test_it_is_said_why_an_interface_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    machine(monkeypatch, LO, CABLE, DOCKER, DOWN)
    assert {item.name: item.left_out for item in interfaces.interfaces()} == {
        "eth0": "",
        "lo": "loopback",
        "docker0": "virtual",
    }
    assert {item.name: item.left_out for item in interfaces.interfaces(("docker0",))} == {
        "docker0": "",
        "lo": "unwanted",
        "eth0": "unwanted",
    }


def test_a_link_local_address_is_looked_for_on_every_interface_used(monkeypatch: pytest.MonkeyPatch) -> None:
    machine(monkeypatch, LO, WIFI, CABLE, DOCKER)
    assert scoped("fe80::1") == ("fe80::1%2", "fe80::1%3")
    for complete in ("fe80::1%7", "192.168.1.1", "2001:db8::1", "ana.local", "169.254.1.1"):
        assert scoped(complete) == (complete,)


def test_multicast_uses_ipv6_where_there_is_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    machine(monkeypatch, LO, WIFI, CABLE, DOCKER)
    assert multicast_interfaces() == ["192.168.1.10", "10.0.0.10"]
    machine(monkeypatch, LO, ONLY_LINK_LOCAL)
    assert multicast_interfaces() == [3]
    machine(monkeypatch, LO)
    assert multicast_interfaces() == ["127.0.0.1"]


def test_this_machine_has_addresses() -> None:
    assert interface_addresses()
    assert interface_addresses(("127.0.0.1",)) == ("127.0.0.1",)


@pytest.mark.parametrize(
    ("host", "inside"),
    [
        ("192.168.1.1", True),
        ("10.0.0.1", True),
        ("169.254.7.7", True),
        ("100.64.0.1", True),
        ("fe80::1%1", True),
        ("fd00::1", True),
        ("127.0.0.1", True),
        ("8.8.8.8", False),
        ("2606:4700::1111", False),
    ],
)
def test_what_counts_as_inside(host: str, inside: bool) -> None:
    assert is_inside(host) is inside


def test_a_network_of_this_machine_is_inside_whatever_its_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    adapter = ifaddr.Adapter(
        "eth0", "eth0", [ifaddr.IP("8.8.8.1", 24, "eth0"), ifaddr.IP(("2606:4700::1", 0, 0), 64, "eth0")]
    )
    monkeypatch.setattr(ifaddr, "get_adapters", lambda: [adapter])
    assert is_inside("8.8.8.8")
    assert not is_inside("8.8.4.4")
    assert is_inside("2606:4700::1111")
    assert not is_inside("2606:4700:1::1111")
