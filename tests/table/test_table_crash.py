"""A seat that dies at any write comes back from its journal; nobody notices more than a pause."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import msgspec
import pytest
from crash_kit import CrashRig
from table_kit import new_peer

from frp2p.deal.seeded import SEED_SIZE
from frp2p.errors import LocalError
from frp2p.ledger.codec import encode
from frp2p.table.events import Refused, Stopped
from frp2p.table.journal import VERSION, read_opening, write_entries
from frp2p.testing.network import Disk

FIRST = 2
"""The first write is the opening: who dies before it has no seat yet."""


def writes_of_a_game(seats: int, dealer: str = "clear") -> list[int]:
    """How often each seat writes in a game without any crash."""
    rig = CrashRig(seats, lambda _place, _number: "fine", dealer=dealer)
    rig.play()
    return rig.writes


def check(rig: CrashRig, deaths: int) -> None:
    assert rig.killed == deaths
    assert {peer.status().phase for peer in rig.peers} == {"over"}
    assert len({peer.status().digest for peer in rig.peers}) == 1
    assert len({peer.transcript() for peer in rig.peers}) == 1
    assert rig.statements.twice == []
    for place in range(rig.seats):
        assert not [event for event in rig.events(place) if isinstance(event, Refused | Stopped)]


def killed_once(seats: int, victim: int, at: int, disk: Disk, dealer: str = "clear") -> CrashRig:
    rig = CrashRig(seats, lambda place, number: disk if (place, number) == (victim, at) else "fine", dealer=dealer)
    rig.play()
    return rig


@pytest.mark.parametrize("victim", [0, 1])
def test_a_seat_may_die_after_every_write_of_a_game(victim: int) -> None:
    writes = writes_of_a_game(2)[victim]
    assert writes > 20
    for at in range(FIRST - 1, writes + 1):
        check(killed_once(2, victim, at, "dies-after"), 1)


@pytest.mark.parametrize("victim", [0, 1])
def test_a_seat_may_die_before_every_write_of_a_game(victim: int) -> None:
    for at in range(FIRST, writes_of_a_game(2)[victim] + 1):
        check(killed_once(2, victim, at, "dies-before"), 1)


@pytest.mark.parametrize("disk", ["dies-before", "dies-after"])
@pytest.mark.parametrize("victim", [0, 1, 2])
def test_at_a_table_of_three_nobody_else_notices(victim: int, disk: Disk) -> None:
    for at in range(FIRST + victim, writes_of_a_game(3)[victim] + 1, 7):
        check(killed_once(3, victim, at, disk), 1)


@pytest.mark.parametrize("victim", [0, 1])
@pytest.mark.parametrize("disk", ["dies-before", "dies-after"])
def test_a_sealed_seat_comes_back_with_its_keys(victim: int, disk: Disk) -> None:
    writes = writes_of_a_game(2, "sealed")[victim]
    for at in range(FIRST + victim, writes + 1, 6):
        check(killed_once(2, victim, at, disk, "sealed"), 1)


@pytest.mark.parametrize("seed", range(8))
def test_all_seats_may_die_again_and_again(seed: int) -> None:
    dice = Random(seed)

    def deaths(_place: int, number: int) -> Disk:
        if number < FIRST or dice.random() < 0.85:
            return "fine"
        return dice.choice(("dies-before", "dies-after"))

    rig = CrashRig(2 + seed % 3, deaths, seed=seed)
    rig.play()
    assert rig.killed > 2
    check(rig, rig.killed)


def test_nothing_is_written_twice() -> None:
    """Not by a seat that came back, and not by one that read its journal."""
    rig = CrashRig(3, lambda place, number: "dies-after" if (place, number) == (1, 20) else "fine")
    rig.play()
    before = rig.network.journals[rig.keys[1]]
    said = [record for write in before for record in write]
    assert len(said) == len(set(said))


def test_nobody_sits_down_with_the_journal_of_another_key() -> None:
    rig = CrashRig(2, lambda _place, _number: "fine")
    rig.play()
    records = [record for write in rig.network.journals[rig.keys[0]] for record in write]
    with pytest.raises(LocalError) as caught:
        new_peer(1).restore(records, 0.0)
    assert caught.value.code == "journal-form"


def damaged(records: list[bytes]) -> Iterator[tuple[str, list[bytes], str]]:
    """What may be wrong with a journal whose bytes are whole: name, records, code."""
    yield "nothing in it", [], "journal-form"
    yield "no opening", records[1:], "journal-form"
    yield "two openings", [records[0], *records], "journal-form"
    yield "no record", [*records, b"\x91\x01"], "journal-form"
    opening = read_opening(records[0])
    later = msgspec.structs.replace(opening, version=VERSION + 1)
    yield "a later version", [*write_entries((later,)), *records[1:]], "journal-version"
    seed = msgspec.structs.replace(opening, seed=bytes(SEED_SIZE))
    yield "another seed", [*write_entries((seed,)), *records[1:]], "journal-differs"
    parts = [index for index, record in enumerate(records) if b"setup" in record]
    yield "a part of somebody is missing", records[: parts[1]] + records[parts[1] + 1 :], ""


def test_a_journal_that_is_not_what_this_seat_wrote_is_refused() -> None:
    rig = CrashRig(2, lambda _place, _number: "fine")
    rig.play()
    records = [record for write in rig.network.journals[rig.keys[0]] for record in write]
    for name, wrong, code in damaged(records):
        peer = new_peer(0)
        if not code:
            peer.restore(wrong, 0.0)  # it can be asked for again
            assert not peer.ended
            continue
        with pytest.raises(LocalError) as caught:
            peer.restore(wrong, 0.0)
        assert caught.value.code == code, name


def test_a_closed_journal_is_a_closed_table() -> None:
    rig = CrashRig(2, lambda _place, _number: "fine")
    rig.play()
    for place in range(2):
        records = [record for write in rig.network.journals[rig.keys[place]] for record in write]
        peer = new_peer(place)
        peer.restore(records, 0.0)
        assert peer.transcript() == rig.peers[place].transcript()


def test_secrets_of_a_seat_are_in_its_opening_alone() -> None:
    """Whoever has the seed has the cards of this seat; whoever has the rest of its journal has the public record."""
    rig = CrashRig(2, lambda _place, _number: "fine", dealer="sealed")
    rig.play()
    public = {encode(record) for step in rig.peers[1]._desk.phase._loop.steps for record in step.records()}
    records = [record for write in rig.network.journals[rig.keys[0]] for record in write]
    assert set(records[1:]) <= public
