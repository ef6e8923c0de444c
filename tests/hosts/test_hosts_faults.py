"""What goes wrong on a LAN, done to real programs in mid-game: no seat is lost, and everybody is told what is up."""

from __future__ import annotations

import json
import signal
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from lan import PORT, SECONDS, Lan, Machine, Program, lan, until
from test_hosts_games import host, one_record

pytestmark = pytest.mark.slow
ROGUE = Path(__file__).with_name("rogue.py")


class Puppet:
    """A seat that the test plays through `frp2p headless`: the game stands still until `play_on`."""

    def __init__(self, machine: Machine, *arguments: str) -> None:
        self.program = machine.run("headless", *arguments, stdin=True)

    def of(self, kind: str) -> list[dict[str, Any]]:
        return [line for line in self.program.lines() if line["type"] == kind]

    def events(self, kind: str) -> list[dict[str, Any]]:
        return [line["event"] for line in self.of("event") if line["event"]["type"] == kind]

    def lost(self) -> set[str]:
        """The names of those whose link was lost before the game was over (then everybody goes home)."""
        names: list[str] = []
        gone = set()
        for event in (line["event"] for line in self.of("event")):
            if event["type"] == "Opened":
                names = event["names"]
            elif event["type"] == "LinkDown":
                gone.add(names[event["seat"]])
            elif event["type"] == "Closed":
                break
        return gone

    def move(self) -> None:
        """Do the first legal move."""
        if self.program.process.stdin is None:
            raise TypeError
        self.program.process.stdin.write(json.dumps({"type": "move", "index": 0}).encode() + b"\n")
        self.program.process.stdin.flush()

    def play_on(self, done: int, seconds: float = SECONDS) -> None:
        """Do the first legal move whenever asked, until the end; `done` moves were made before."""

        def step() -> bool:
            nonlocal done
            if len(self.of("your-move")) > done:
                done += 1
                self.move()
            return bool(self.of("end"))

        until(step, seconds)


def seated(net: Lan, seats: int) -> tuple[Program, list[Program], Puppet]:
    """A game of so many seats that stands still: the host and the guests play by themselves, the last seat waits."""
    opened = host(net, seats, "--no-discovery")
    where = net.machines[0].address
    guests = [
        machine.run("join", where, "--name", f"Guest {machine.number}", "--auto", "--json")
        for machine in net.machines[1 : seats - 1]
    ]
    puppet = Puppet(net.machines[seats - 1], "join", where, "--name", "Puppet")
    until(lambda: puppet.of("your-move"))
    return opened, guests, puppet


def no_mistake(net: Lan) -> None:
    """No program of this LAN has written a report about a mistake of its own."""
    assert not [path for machine in net.machines for path in machine.home.rglob("crash.log")]


def test_the_host_loses_its_cable_and_the_game_goes_on(tmp_path: Path) -> None:
    """After the charter the host is a seat like any other: the table waits for it, tells so, and goes on with it."""
    with lan(tmp_path, 3) as net:
        opened, guests, puppet = seated(net, 3)
        net.pull(net.machines[0])
        puppet.move()
        until(puppet.lost)
        assert puppet.lost() == {"Host"}
        until(lambda: "Host: no connection" in guests[0].said())
        steps = len(puppet.of("view"))
        time.sleep(1.0)
        assert len(puppet.of("view")) == steps
        net.plug(net.machines[0])
        until(lambda: "connected again" in guests[0].said())
        puppet.play_on(1)
        one_record([opened, *guests, puppet.program])
        no_mistake(net)


def test_a_killed_seat_is_waited_for(tmp_path: Path) -> None:
    with lan(tmp_path, 3) as net:
        opened, guests, puppet = seated(net, 3)
        guests[0].kill(signal.SIGKILL)
        puppet.move()
        until(lambda: "Guest 1: no connection" in opened.said())
        assert puppet.lost() == {"Guest 1"}
        assert opened.process.poll() is puppet.program.process.poll() is None
        assert not puppet.events("Stopped")
        assert opened.kill(signal.SIGTERM) == 128 + signal.SIGTERM
        assert puppet.program.kill(signal.SIGTERM) == 128 + signal.SIGTERM
        assert not opened.lines()[-1]["ok"]
        no_mistake(net)


def test_lies_about_a_table_cost_no_seat(tmp_path: Path) -> None:
    """A stranger announces the table at its own address, and then a goodbye in the name of the host, while people sit
    in the lobby; and goes on with both during the game."""
    with lan(tmp_path, 4) as net:
        opened = host(net, 3)
        found = net.machines[1].run("join", "--name", "Found", "--auto", "--json")
        rogue = net.machines[3].start(sys.executable, str(ROGUE), net.machines[3].address, str(PORT), stdin=True)
        until(lambda: [line for line in rogue.lines() if "believed" in line])
        _goodbye(rogue)
        puppet = Puppet(net.machines[2], "join", net.machines[0].address, "--name", "Puppet")
        until(lambda: puppet.of("your-move"))
        _goodbye(rogue)
        puppet.play_on(0)
        one_record([opened, found, puppet.program])
        believed = [line["believed"] for line in rogue.lines() if "believed" in line]
        assert net.machines[3].address in believed[0]
        assert [line for line in rogue.lines() if line.get("heard") == "Removed"]
        assert not puppet.lost()
        no_mistake(net)


def _goodbye(rogue: Program) -> None:
    if rogue.process.stdin is None:
        raise TypeError
    said = len([line for line in rogue.lines() if line.get("said")])
    rogue.process.stdin.write(b"goodbye\n")
    rogue.process.stdin.flush()
    until(lambda: len([line for line in rogue.lines() if line.get("said")]) > said)
