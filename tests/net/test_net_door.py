"""How often one address may knock."""

from __future__ import annotations

import asyncio

import pytest
from net_kit import HELLO, Attacker, hosts, until

from frp2p.errors import UserError
from frp2p.net import door, driver, frames, interfaces
from frp2p.net.address import Address
from frp2p.net.door import Door
from frp2p.table.outputs import Close, Output

OUTSIDE = "10.0.0.9"


def test_an_address_outside_gets_a_burst_and_then_so_many_a_second() -> None:
    there = Door()
    assert sum(there.admits(OUTSIDE, 100.0) for _knock in range(100)) == door.CONNECTIONS_BURST + 1
    assert there.admits("10.0.0.10", 100.0)
    admitted = sum(there.admits(OUTSIDE, 100.0 + tenth / 10) for tenth in range(1, 101))
    assert 10 * door.CONNECTIONS_A_SECOND - 2 <= admitted <= 10 * door.CONNECTIONS_A_SECOND + 2


def test_this_machine_may_connect_as_often_as_it_likes() -> None:
    there = Door()
    assert all(there.admits("127.0.0.1", 100.0) for _knock in range(1000))


@pytest.mark.parametrize("remote", [OUTSIDE, "127.0.0.1", "fe80::1%eth0"])
def test_three_wrong_passphrases_and_then_one_every_ten_seconds(remote: str) -> None:
    there = Door()
    for _guess in range(3):
        assert there.admits(remote, 100.0)
        there.closed(remote, door.WRONG, 100.0)
    assert not there.admits(remote, 100.1)
    assert there.admits("10.0.0.10", 100.1)
    assert there.admits(remote, 110.5)
    there.closed(remote, door.WRONG, 110.5)
    assert not there.admits(remote, 111.0)


def test_other_reasons_are_no_guesses() -> None:
    there = Door()
    for reason in ("name-taken", "replaced", "left", "removed"):
        for _time in range(20):
            there.closed("127.0.0.1", reason, 100.0)
    assert there.admits("127.0.0.1", 100.0)


def test_what_is_remembered_is_bounded() -> None:
    there = Door()
    for number in range(5000):
        there.admits(f"10.0.{number // 256}.{number % 256}", 100.0)
        there.closed(f"10.0.{number // 256}.{number % 256}", door.WRONG, 100.0)
    assert len(there._connections) == len(there._guesses) == door.MAX_REMOTES


async def guess(address: Address) -> bool:
    """Whether somebody was listened to."""
    eve = Attacker()
    try:
        await eve.connect(address)
        eve.say(frames.encode(frames.DATA, HELLO))
        heard = await asyncio.wait_for(eve.hear(), 5)
    except (ConnectionResetError, BrokenPipeError):
        return False
    finally:
        eve.abort()
    return bool(heard)


async def test_who_guesses_is_cut_off_for_a_while_and_others_are_not() -> None:
    async with hosts(1, 2) as (ana, ben):

        def close(link: int, _frame: bytes) -> list[Output]:
            return [Close(link, door.WRONG)]

        ana.peer.on_frame = close
        assert [await guess(ana.address) for _time in range(5)] == [True, True, True, False, False]
        ana.peer.on_frame = lambda _link, _frame: []
        assert await ana.driver.connect([ben.address])
        await until(lambda: ben.peer.links)


async def test_one_machine_outside_does_not_get_all_places(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver, "is_loopback", lambda _remote: False)
    async with hosts(1, 2) as (ana, _ben):
        eves = []
        for number in range(driver.MAX_LINKS_PER_HOST + 3):
            eve = Attacker(number + 20)
            eves.append(eve)
            try:
                await eve.connect(ana.address)
                eve.say(frames.encode(frames.DATA, HELLO))
            except (ConnectionResetError, BrokenPipeError):
                continue
            await asyncio.sleep(0.02)
        assert len(ana.driver._links) == driver.MAX_LINKS_PER_HOST


def test_only_the_chosen_interfaces_lead_in(monkeypatch: pytest.MonkeyPatch) -> None:
    now: dict[str, tuple[str, ...]] = {"addresses": ("10.0.0.1", "fe80::1")}
    monkeypatch.setattr(door, "interface_addresses", lambda _wanted: now["addresses"])
    chosen = door.Chosen(("wlan0",))
    for local in ("10.0.0.1", "::ffff:10.0.0.1", "fe80::1%3", "127.0.0.1", "::1"):
        assert chosen.leads_in(local, 100.0), local
    for local in ("10.0.0.2", "::ffff:10.0.0.2", "fe80::2%3", ""):
        assert not chosen.leads_in(local, 100.0), local
    now["addresses"] = ("10.0.7.1",)
    assert not chosen.leads_in("10.0.7.1", 101.0)
    assert chosen.leads_in("10.0.7.1", 106.0)  # the cable is in another network now
    assert door.Chosen(()).leads_in("10.0.0.2", 100.0)


async def test_a_connection_at_another_interface_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    async with hosts(1, 2) as (ana, ben):
        monkeypatch.setattr(ana.driver._chosen, "leads_in", lambda _local, _now: False)
        assert not await ben.driver.connect([ana.address])
        assert not ana.peer.links


def test_an_interface_that_is_not_there_is_a_sentence() -> None:
    here = interfaces.interfaces()
    interfaces.check_wanted(tuple(item.name for item in here))
    interfaces.check_wanted(tuple(address for item in here for address in item.addresses))
    with pytest.raises(UserError, match="wlan-none") as error:
        interfaces.check_wanted(("wlan-none",))
    assert error.value.code == "no-interface"
