"""On several machines: who only watches finds the table, and two seats that have both moved find each other."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from lan import PORT, lan, until

pytestmark = pytest.mark.slow

SQUAT = f"""
import socket, time
taken = socket.create_server(("", {PORT}), family=socket.AF_INET6, dualstack_ipv6=True)
print("here", flush=True)
time.sleep(600)
"""
"""Another program that has the port."""


@pytest.mark.skipif(not os.environ.get("FRP2P_MORE_HOSTS"), reason="takes minutes; FRP2P_MORE_HOSTS=1 runs it")
def test_a_table_is_found_by_who_watches_and_by_nobody_where_it_is_not_announced(tmp_path: Path) -> None:
    """The host takes one interface by name, the guest finds it, and the third machine finds it while it is played."""
    with lan(tmp_path, 3) as net:
        first, second, third = net.machines
        opened = first.run("host", "--seats", "2", "--name", "Host", "--auto", "--json", "--interface", first.address)
        until(lambda: "frp2p join" in opened.said())
        eye = third.run("watch", "--json")
        until(lambda: any(line["type"] == "lobby" for line in eye.lines()))
        joined = second.run("join", "--name", "Guest", "--auto", "--json")
        ends = [program.end() for program in (opened, joined, eye)]
        assert [end["ok"] for end in ends] == [True, True, True]
        assert len({end["digest"] for end in ends}) == 1
        assert ends[2]["type"] == "end"


def test_seats_that_have_both_moved_find_each_other(tmp_path: Path) -> None:
    """Both are killed, other programs have their ports, and they come back: nobody tells them where the other is."""
    with lan(tmp_path, 2) as net:
        first, second = net.machines
        opened = first.run("headless", "host", "--seats", "2", "--name", "Host", stdin=True)
        until(lambda: "frp2p join" in opened.said())
        joined = second.run("join", "--name", "Guest", "--auto", "--json")
        until(lambda: any(line["type"] == "your-move" for line in opened.lines()))
        opened.kill()
        joined.kill()
        for machine in net.machines:
            squatter = machine.start(sys.executable, "-c", SQUAT)
            until(lambda squatter=squatter: squatter.out.read_text())
        back = [machine.run("resume", "--auto", "--json") for machine in net.machines]
        ends = [program.end() for program in back]
        assert [end["ok"] for end in ends] == [True, True], [program.said() for program in back]
        assert len({end["digest"] for end in ends}) == 1
