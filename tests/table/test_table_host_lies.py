"""What a guest does about a host that lies, or says what nobody may say: it signs nothing, leaves, and says why."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest
from table_kit import Options, Rig, signer, with_cheat

from frp2p.ledger.charter import read_charter
from frp2p.ledger.codec import encode as canonical
from frp2p.table.events import Opened
from frp2p.table.messages import AnyMessage, Lobby, Member, Proposal


def stopped_guest(lie: object) -> str:
    """The reason why a guest leaves a host that changes its messages by `lie`."""
    rig = Rig(2)

    def tamper(key: bytes, message: AnyMessage) -> list[AnyMessage]:
        return list(lie(message))  # type: ignore[operator]

    with_cheat(rig, 0, tamper)
    rig.peers[0].host("tiny", Options(), 2, "clear")
    rig.peers[1].join(rig.keys[0])
    rig.network.dial(rig.keys[1], "p0:1")
    rig.network.run(lambda: rig.peers[1].ended, 10)
    fault = rig.peers[1].status().fault
    assert fault is not None
    assert fault.seat is None
    assert not [event for event in rig.events(1) if isinstance(event, Opened)]
    return fault.code


def in_lobby(**changes: object) -> object:
    return lambda message: [msgspec.structs.replace(message, **changes) if isinstance(message, Lobby) else message]


def in_charter(**changes: object) -> object:
    def lie(message: AnyMessage) -> list[AnyMessage]:
        if not isinstance(message, Proposal):
            return [message]
        charter = msgspec.structs.replace(read_charter(message.charter), **changes)
        return [msgspec.structs.replace(message, charter=canonical(charter))]

    return lie


def in_my_seat(**changes: object) -> object:
    def lie(message: AnyMessage) -> list[AnyMessage]:
        if not isinstance(message, Proposal):
            return [message]
        charter = read_charter(message.charter)
        mine = msgspec.structs.replace(charter.seats[1], **changes)
        charter = msgspec.structs.replace(charter, seats=(charter.seats[0], mine))
        return [msgspec.structs.replace(message, charter=canonical(charter))]

    return lie


def lobby_then(change: dict[str, object]) -> object:
    seen: list[Lobby] = []

    def lie(message: AnyMessage) -> list[AnyMessage]:
        if isinstance(message, Lobby):
            seen.append(message)
            return [message, msgspec.structs.replace(message, **change)]
        return [message]

    return lie


LIES = {
    "unknown game": (in_lobby(game="chess"), "unknown-game"),
    "unknown dealer": (in_lobby(dealer="trusted"), "unknown-game"),
    "options of another type": (in_lobby(options=b"\x91\xa1a"), "encoding-type"),
    "options that can't be": (in_lobby(options=canonical(Options(9))), "charter-options"),
    "a member whose name can't be shown": (
        in_lobby(members=(Member(signer(0).public_key, "\x1b[2J", ()),)),
        "name-character",
    ),
    "other options later": (lobby_then({"options": canonical(Options(2))}), "lobby-changed"),
    "more seats later": (lobby_then({"seats": 5}), "lobby-changed"),
    "charter with other options": (in_charter(options=canonical(Options(2))), "charter-terms"),
    "charter of another game": (in_charter(game="chess"), "charter-game"),
    "charter with other cards": (in_charter(catalogue=b"\0" * 32), "charter-catalogue"),
    "my old nonce": (in_my_seat(nonce=b"\0" * 32), "charter-seat"),
    "another name for me": (in_my_seat(name="Zoe"), "charter-seat"),
    "another key in my seat": (in_my_seat(key=signer(6).public_key), "charter-seat"),
    "addresses for other seats": (
        lambda message: [
            msgspec.structs.replace(message, addresses=message.addresses[:1])
            if isinstance(message, Proposal)
            else message
        ],
        "charter-terms",
    ),
    "not a charter": (
        lambda message: [
            msgspec.structs.replace(message, charter=b"\xc0") if isinstance(message, Proposal) else message
        ],
        "encoding-type",
    ),
}


@pytest.mark.parametrize("lie", sorted(LIES))
def test_a_guest_signs_only_what_it_joined(lie: str) -> None:
    tamper, reason = LIES[lie]
    assert stopped_guest(tamper) == reason


def noise(kind: bytes, bend: Callable[[bytes], bytes]) -> Callable[[bytes], bytes]:
    """Frames of this kind are bent."""
    return lambda frame: bend(frame) if kind in frame[:8] else frame


def flipped(frame: bytes, at: int) -> bytes:
    return frame[:at] + bytes([frame[at] ^ 1]) + frame[at + 1 :]


NOISE = {
    "hello without an end": (noise(b"hello", lambda frame: frame[:-1]), "encoding-form"),
    "hello of somebody else": (noise(b"hello", lambda frame: flipped(frame, -40)), "hello-signature"),
    "lobby without an end": (noise(b"lobby", lambda frame: frame[:-1]), "encoding-form"),
    "lobby and something more": (noise(b"lobby", lambda frame: frame + b"\0"), "encoding-form"),
    "a word that there is not": (noise(b"lobby", lambda frame: frame.replace(b"lobby", b"hobby")), "unknown-kind"),
    "no message at all": (noise(b"lobby", lambda _frame: b"\xc1"), "unknown-kind"),
}


@pytest.mark.parametrize("what", sorted(NOISE))
def test_a_guest_leaves_a_host_that_says_what_nobody_may_say(what: str) -> None:
    """It would be so again on every other link, and the guest would call for ever."""
    rig = Rig(2)
    bend, reason = NOISE[what]
    with_cheat(rig, 0, lambda _key, message: [message]).frames = bend
    assert given_up(rig) == reason


@pytest.mark.parametrize("name", ["a\x1b[2J", "e\u202evil", " x"])
def test_a_guest_leaves_a_host_whose_name_can_not_be_shown(name: str) -> None:
    rig = Rig(2)
    rig.peers[0]._desk.name = name
    assert given_up(rig).startswith("name-")


def given_up(rig: Rig) -> str:
    """Why the guest of this host gives up."""
    rig.peers[0].host("tiny", Options(), 2, "clear")
    rig.peers[1].join(rig.keys[0])
    rig.network.dial(rig.keys[1], "p0:1")
    rig.network.run(lambda: rig.peers[1].ended, 5)
    fault = rig.peers[1].status().fault
    assert fault is not None
    assert fault.seat is None
    return fault.code
