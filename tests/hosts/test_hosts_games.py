"""Whole games between real programs on several machines: found, typed, over IPv6, on a bad network."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from lan import Lan, Program, lan, until

pytestmark = pytest.mark.slow


def host(net: Lan, seats: int, *options: str) -> Program:
    """The first machine opens a table; it is open when this returns."""
    program = net.machines[0].run("host", "--seats", str(seats), "--name", "Host", "--auto", "--json", *options)
    until(lambda: "frp2p join" in program.said())
    return program


def one_record(programs: list[Program]) -> dict[str, Any]:
    """Wait for the end of all; every one must have the same verified record, and this is what the first one says."""
    ends = [program.end() for program in programs]
    for end in ends:
        assert end["ok"], ends
        assert end["exit"] == 0
        assert end["verified"] == len(ends) == len(end["seats"])
        assert (end["digest"], end["seats"], end["steps"]) == (ends[0]["digest"], ends[0]["seats"], ends[0]["steps"])
    assert len({end["transcript"] for end in ends}) == len(ends)
    return ends[0]


def test_four_machines_find_each_other(tmp_path: Path) -> None:
    """No machine has a default route, nobody types an address, and a third person can check the record."""
    with lan(tmp_path, 4) as net:
        first, *others = net.machines
        opened = first.run("host", "--seats", "4", "--name", "Host", "--auto", "--json")
        joined = [machine.run("join", "--name", f"Guest {machine.number}", "--auto", "--json") for machine in others]
        end = one_record([opened, *joined])
    command = [sys.executable, "-m", "frp2p", "verify", end["transcript"], "--json"]
    assert subprocess.run(command, capture_output=True, check=False).returncode == 0


def test_a_typed_address_on_a_slow_network_that_loses_frames(tmp_path: Path) -> None:
    with lan(tmp_path, 2, seed=7) as net:
        net.switch.delay, net.switch.jitter, net.switch.loss = 0.005, 0.002, 0.02
        opened = host(net, 2, "--no-discovery")
        joined = net.machines[1].run("join", net.machines[0].address, "--name", "Guest", "--auto", "--json")
        one_record([opened, joined])
        assert net.switch.lost > 0


def test_a_network_with_link_local_ipv6_only(tmp_path: Path) -> None:
    """One guest types the address with its scope, one finds the table; the two guests must reach each other too."""
    with lan(tmp_path, 3, "link-local") as net:
        opened = host(net, 3)
        typed = net.machines[1].run("join", net.machines[0].link_local, "--name", "Typed", "--auto", "--json")
        found = net.machines[2].run("join", "--name", "Found", "--auto", "--json")
        one_record([opened, typed, found])
        assert "127.0.0.1" not in opened.said()
