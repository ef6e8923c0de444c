"""More of the same, for a long run: `FRP2P_MORE_HOSTS=1 pytest tests/hosts`. Minutes, and most of them of computing."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import time
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from lan import DEVICE, Machine, lan, until
from test_hosts_faults import Puppet, no_mistake, seated
from test_hosts_games import host, one_record

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not os.environ.get("FRP2P_MORE_HOSTS"), reason="takes minutes; FRP2P_MORE_HOSTS=1 runs it"),
]


def give_keys(machines: list[Machine], order: tuple[int, ...]) -> None:
    """Give these machines identities; `order` ranks their public keys (of two seats the lower one dials first)."""
    seeds = [bytes([number]) * 32 for number in range(1, len(machines) + 1)]
    seeds.sort(key=lambda seed: Ed25519PrivateKey.from_private_bytes(seed).public_key().public_bytes_raw())
    for machine, rank in zip(machines, order, strict=True):
        assert machine.run("identity", "import", seeds[rank].hex()).process.wait(60) == 0


@pytest.mark.parametrize("order", [(2, 0, 1), (0, 2, 1)], ids=["lowest key moves", "highest key moves"])
def test_a_machine_moves_to_another_address(order: tuple[int, ...], tmp_path: Path) -> None:
    """Only the machine itself knows its new address, so it must dial, whosever turn that is."""
    with lan(tmp_path, 3) as net:
        give_keys(net.machines, order)
        opened, guests, puppet = seated(net, 3)
        mover = net.machines[1]
        net.pull(mover)
        until(lambda: puppet.lost() == {"Guest 1"})
        for change in (("del", f"{mover.address}/24"), ("add", "10.213.7.77/24")):
            subprocess.run(["ip", "-n", mover.namespace, "addr", *change, "dev", DEVICE], check=True)
        net.plug(mover)
        puppet.play_on(0)
        one_record([opened, *guests, puppet.program])
        no_mistake(net)


def test_two_guests_never_reach_each_other(tmp_path: Path) -> None:
    """What one of them says reaches the other through the host, who can change nothing of it."""
    with lan(tmp_path, 3) as net:
        net.switch.severed = {(1, 2), (2, 1)}
        opened = host(net, 3, "--no-discovery")
        where = net.machines[0].address
        joined = [machine.run("join", where, "--auto", "--json") for machine in net.machines[1:]]
        one_record([opened, *joined])
        assert ": no connection" in joined[0].said()
        no_mistake(net)


def test_a_guest_dies_in_the_lobby_and_comes_back(tmp_path: Path) -> None:
    """Once with a goodbye of its system, once without: the host must give the seat to the same key again."""
    with lan(tmp_path, 3) as net:
        opened = host(net, 3, "--no-discovery")
        where = net.machines[0].address
        guest = net.machines[1]
        first = guest.run("join", where, "--name", "Back", "--auto", "--json")
        time.sleep(5.0)
        first.kill()
        second = guest.run("join", where, "--name", "Back", "--auto", "--json")
        time.sleep(5.0)
        net.pull(guest)
        second.kill()
        time.sleep(1.0)
        net.plug(guest)
        third = guest.run("join", where, "--name", "Back", "--auto", "--json")
        other = net.machines[2].run("join", where, "--name", "Other", "--auto", "--json")
        one_record([opened, third, other])
        no_mistake(net)


def test_the_host_dies_in_the_lobby(tmp_path: Path) -> None:
    with lan(tmp_path, 2) as net:
        opened = host(net, 3, "--no-discovery")
        guest = net.machines[1].run("join", net.machines[0].address, "--auto", "--json")
        time.sleep(8.0)
        opened.kill(signal.SIGKILL)
        end = guest.end()
        assert end["exit"] == 1
        assert not end["ok"]
        assert "host" in end["problem"]
        no_mistake(net)


def test_the_host_moves_in_the_lobby(tmp_path: Path) -> None:
    """It begins without any network, gets an address, and later another: the guest follows, and a second one comes."""
    with lan(tmp_path, 3, "none") as net:
        first, *others = net.machines
        for machine in others:
            readdress(machine, machine.address)
        opened = host(net, 3)
        readdress(first, "10.213.7.50")
        until(lambda: "frp2p join 10.213.7.50" in opened.said())
        puppet = Puppet(others[0], "join", "Host", "--name", "First")

        def linked() -> bool:
            return bool(lobbies := puppet.of("lobby")) and [seat["connected"] for seat in lobbies[-1]["seats"]] == [
                True,
                True,
            ]

        until(linked)
        readdress(first, "10.213.7.60")
        until(lambda: "frp2p join 10.213.7.60" in opened.said())
        until(lambda: not linked())
        until(linked)
        second = others[1].run("join", "Host", "--name", "Second", "--auto", "--json")
        puppet.play_on(0)
        end = one_record([opened, puppet.program, second])
        assert {seat["name"] for seat in end["seats"]} == {"Host", "First", "Second"}
        no_mistake(net)


def readdress(machine: Machine, address: str) -> None:
    """Give this machine this address and no other; its old connections are dead, and nobody says so."""
    for change in (("flush", "dev", DEVICE), ("add", f"{address}/24", "brd", "+", "dev", DEVICE)):
        subprocess.run(["ip", "-n", machine.namespace, "addr", *change], check=True)


@pytest.mark.parametrize("seed", range(3))
def test_cables_come_and_go_through_the_whole_game(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    with lan(tmp_path, 3, seed=seed) as net:
        opened = host(net, 3, "--no-discovery")
        where = net.machines[0].address
        programs = [opened, *(machine.run("join", where, "--auto", "--json") for machine in net.machines[1:])]
        time.sleep(5.0)
        deadline = time.monotonic() + 120.0
        while any(program.process.poll() is None for program in programs) and time.monotonic() < deadline:
            machine = chance.choice(net.machines)
            net.pull(machine)
            time.sleep(chance.uniform(0.2, 2.5))
            net.plug(machine)
            time.sleep(chance.uniform(0.2, 1.5))
        one_record(programs)
        no_mistake(net)


def test_four_machines_on_a_bad_network(tmp_path: Path) -> None:
    """25 ms one way, give or take 10, and three frames of a hundred are lost."""
    with lan(tmp_path, 4, seed=3) as net:
        net.switch.delay, net.switch.jitter, net.switch.loss = 0.025, 0.010, 0.03
        opened = host(net, 4, "--no-discovery")
        where = net.machines[0].address
        one_record([opened, *(machine.run("join", where, "--auto", "--json") for machine in net.machines[1:])])
        assert net.switch.lost > 50
        no_mistake(net)
