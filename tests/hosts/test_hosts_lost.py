"""Seats that are killed on real machines, for good or to come back: `FRP2P_MORE_HOSTS=1 pytest tests/hosts`."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from lan import Lan, Program, lan, until
from test_hosts_faults import Puppet, no_mistake
from test_hosts_games import host, one_record

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(600),
    pytest.mark.skipif(not os.environ.get("FRP2P_MORE_HOSTS"), reason="takes minutes; FRP2P_MORE_HOSTS=1 runs it"),
]

AWAY = "10"
"""Seconds that a seat may be away at these tables."""

GAME_SECONDS = 300.0
"""For a whole game of three with everything that a killed seat costs; the machine may be busy."""

PHASES = {
    "set-up": lambda puppet: puppet.events("Opened"),
    "shuffle": lambda puppet: puppet.events("Spoke"),
    "turn": lambda puppet: puppet.of("your-move"),
}
"""When a seat is killed: as soon as the last seat has seen this."""


def table(net: Lan, *provided: str) -> tuple[Program, Program, Puppet]:
    """A table of three; the host and a guest play by themselves, the third seat waits for the test."""
    opened = host(net, 3, "--no-discovery", "--away-seconds", AWAY, *provided)
    where = net.machines[0].address
    guest = net.machines[1].run("join", where, "--name", "Guest", "--auto", "--json")
    return opened, guest, Puppet(net.machines[2], "join", where, "--name", "Puppet")


@pytest.mark.parametrize("provided", [("--recovery",), ("--on-loss", "stop")], ids=["recovery", "stop"])
def test_the_creator_is_gone_for_good(provided: tuple[str, ...], tmp_path: Path) -> None:
    """The others finish without it: with recovery the whole game, otherwise what can be scored."""
    with lan(tmp_path, 3) as net:
        opened, guest, puppet = table(net, *provided)
        until(lambda: puppet.of("your-move"))
        opened.kill()
        killed = time.monotonic()
        puppet.play_on(0, GAME_SECONDS)
        ends = [guest.end(), puppet.program.end()]
        assert all(end["ok"] for end in ends), ends
        assert len({end["digest"] for end in ends}) == 1
        assert time.monotonic() - killed >= int(AWAY)
        [out] = {tuple(event["seats"]) for event in puppet.events("SeatsOut")}
        assert len(out) == 1
        command = [sys.executable, "-m", "frp2p", "verify", ends[0]["transcript"], "--json"]
        assert subprocess.run(command, capture_output=True, check=False).returncode == 0
        no_mistake(net)


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("victim", ["host", "guest"])
def test_a_seat_is_killed_and_comes_back(victim: str, phase: str, tmp_path: Path) -> None:
    """In time: it loses nothing, and all end with one record."""
    with lan(tmp_path, 3) as net:
        opened, guest, puppet = table(net)
        until(lambda: PHASES[phase](puppet))
        machine, program = (net.machines[0], opened) if victim == "host" else (net.machines[1], guest)
        program.kill()
        again = machine.run("resume", "--auto", "--json")
        puppet.play_on(0, GAME_SECONDS)
        rest = guest if victim == "host" else opened
        one_record([again, rest, puppet.program])
        no_mistake(net)
