"""`frp2p doctor` on machines whose trouble is known."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from lan import PORT, Program, lan
from test_hosts_games import host

pytestmark = pytest.mark.slow


def report(program: Program) -> tuple[int, dict[str, list[dict[str, Any]]]]:
    """Its exit code, and its findings by check."""
    end = program.end()
    findings: dict[str, list[dict[str, Any]]] = {}
    for finding in end["findings"]:
        findings.setdefault(finding["check"], []).append(finding)
    broken = {finding["part"] for finding in end["findings"] if finding["level"] == "broken"}
    assert end["exit"] == (2 if "direct" in broken else 1 if "discovery" in broken else 0), end
    return end["exit"], findings


def test_the_doctor_on_several_networks(tmp_path: Path) -> None:
    """At once, because it mostly listens: all well; IPv6 only; multicast filtered; no network at all."""
    good, bare, filtered, apart = (tmp_path / name for name in ("good", "bare", "filtered", "apart"))
    for folder in (good, bare, filtered, apart):
        folder.mkdir()
    with (
        lan(good, 2) as fine,
        lan(bare, 2, "link-local") as ipv6,
        lan(filtered, 2) as guest_network,
        lan(apart, 1, "none") as alone,
    ):
        guest_network.switch.multicast = False
        for net in (fine, ipv6, guest_network):
            host(net, 2)
        places = {fine: "address", ipv6: "link_local", guest_network: "address"}
        running = {
            net: net.machines[1].run("doctor", getattr(net.machines[0], place), "--json", "--listen", "3")
            for net, place in places.items()
        }
        unreachable = guest_network.machines[1].run("doctor", "10.213.7.99", "--json", "--listen", "1")
        closed = fine.machines[1].run("doctor", f"{fine.machines[0].address}:{PORT + 1}", "--json", "--listen", "1")
        lonely = alone.machines[0].run("doctor", "--json", "--listen", "1")

        for net in (fine, ipv6):
            code, findings = report(running[net])
            assert code == 0
            assert findings["self-test"][0]["level"] == "fine"
            assert len(findings["heard"][0]["facts"]["senders"]) == 1
            assert findings["tables"][0]["facts"]["tables"][0]["name"] == "Host"
            assert findings["host-version"][0]["facts"]["name"] == "Host"
            assert 0 < findings["host-round-trip"][0]["facts"]["median_ms"] < 1000

        code, findings = report(running[guest_network])
        assert code == 1
        assert findings["heard"][0]["facts"]["senders"] == []
        assert findings["host-version"][0]["level"] == "fine"
        assert findings["filtered"][0]["level"] == "broken"

        code, findings = report(unreachable)
        assert code == 2
        assert findings["host-tcp"][0]["level"] == "broken"

        code, findings = report(closed)
        assert code == 2
        assert "no table is open" in findings["host-tcp"][0]["text"]

        code, findings = report(lonely)
        assert code == 2
        assert findings["network"][0]["level"] == "broken"
