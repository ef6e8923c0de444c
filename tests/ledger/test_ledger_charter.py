"""The charter: which ones nobody should sign, and what its digests bind."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from ledger_kit import GAMES, TINY, TinyOptions, make_charter, signers

from frp2p.errors import LocalError, PeerFault
from frp2p.ledger.charter import (
    ChartedSeat,
    Charter,
    charter_digest,
    check_charter,
    new_charter,
    params_digest,
    read_charter,
    read_options,
)
from frp2p.ledger.codec import encode
from frp2p.ledger.provisions import Clock, Provisions

CHARTER = make_charter(3)
replace = msgspec.structs.replace


def with_seat(seat: int, **changes: Any) -> Charter:
    seats = list(CHARTER.seats)
    seats[seat] = replace(seats[seat], **changes)
    return replace(CHARTER, seats=tuple(seats))


def test_a_good_charter() -> None:
    assert check_charter(CHARTER, GAMES) is TINY
    assert read_charter(encode(CHARTER)) == CHARTER
    assert read_options(CHARTER, TINY) == TinyOptions()
    assert CHARTER.keys == tuple(signer.public_key for signer in signers(3))


REFUSED = {
    "version": (replace(CHARTER, version=1), "charter-version", None),
    "game": (replace(CHARTER, game="chess"), "charter-game", None),
    "one seat": (replace(CHARTER, seats=CHARTER.seats[:1]), "charter-seats", None),
    "eight seats": (replace(CHARTER, seats=CHARTER.seats[:1] * 8), "charter-seats", None),
    "a key twice": (with_seat(2, key=CHARTER.seats[0].key), "charter-keys", None),
    "a name twice": (with_seat(2, name="Ana"), "charter-names", None),
    "a name alike": (with_seat(2, name="АNA"), "charter-names", None),
    "a hostile name": (with_seat(1, name="a\x1b[2J"), "name-character", 1),
    "a key of small order": (with_seat(1, key=(1).to_bytes(32, "little")), "key-small-order", 1),
    "a second encoding": (with_seat(1, key=b"\xff" * 32), "key-canonical", 1),
    "options that do not fit": (replace(CHARTER, options=encode(TinyOptions(2))), "charter-options", None),
    "options of another type": (replace(CHARTER, options=b"\x91\xa1x"), "encoding-type", None),
    "options in a longer form": (replace(CHARTER, options=b"\x91\xcc\x06"), "encoding-canonical", None),
    "no options": (replace(CHARTER, options=b""), "encoding-form", None),
    "other cards": (replace(CHARTER, catalogue=bytes(32)), "charter-catalogue", None),
    "shared keys of two": (
        replace(make_charter(2), provisions=Provisions(Clock(), True, "stop")),
        "charter-provisions",
        None,
    ),
    "an increment without a limit": (
        replace(CHARTER, provisions=Provisions(Clock(increment_seconds=5), False, "stop")),
        "charter-provisions",
        None,
    ),
    "cards of other options": (replace(CHARTER, options=encode(TinyOptions(7))), "charter-catalogue", None),
}


@pytest.mark.parametrize(("charter", "check", "seat"), REFUSED.values(), ids=REFUSED)
def test_charters_that_nobody_signs(charter: Charter, check: str, seat: int | None) -> None:
    with pytest.raises(PeerFault) as caught:
        check_charter(charter, GAMES)
    assert (caught.value.check, caught.value.seat) == (check, seat)


@pytest.mark.parametrize(
    "changes",
    [
        {"version": 0}, {"version": 1 << 16}, {"game": "Tiny"}, {"game": ""}, {"game": "x" * 33}, {"game": "a\n"},
        {"dealer": "../x"}, {"options": bytes(3000)}, {"catalogue": bytes(31)}, {"seats": CHARTER.seats[:1]},
        {"seats": CHARTER.seats[:1] * 8},
    ],
)  # fmt: skip
def test_every_field_is_bounded(changes: dict[str, Any]) -> None:
    with pytest.raises(PeerFault) as caught:
        read_charter(encode(replace(CHARTER, **changes)))
    assert caught.value.check == "encoding-type"


@pytest.mark.parametrize("changes", [{"key": bytes(31)}, {"name": ""}, {"name": "x" * 65}, {"nonce": bytes(33)}])
def test_every_field_of_a_seat_is_bounded(changes: dict[str, Any]) -> None:
    with pytest.raises(PeerFault) as caught:
        read_charter(encode(with_seat(0, **changes)))
    assert caught.value.check == "encoding-type"


def test_the_largest_charter_fits() -> None:
    seats = tuple(ChartedSeat(signer.public_key, "x" * 64, bytes(32)) for signer in signers(7))
    names = {"game": "x" * 32, "dealer": "y" * 32}
    largest = replace(CHARTER, options=bytes(2048), seats=seats, arbiter=seats[0], **names)
    assert read_charter(encode(largest)) == largest


def test_our_own_bad_charter_is_our_fault() -> None:
    with pytest.raises(LocalError):
        new_charter(TINY, TinyOptions(), "clear", CHARTER.seats[:1] * 2)


def test_the_digest_binds_every_field_and_the_params_all_but_the_people() -> None:
    other = make_charter(3, salt="other").seats
    people = [with_seat(1, nonce=bytes(32)), with_seat(1, name="Bea"), with_seat(1, key=bytes(32)),
              replace(CHARTER, seats=other), replace(CHARTER, seats=CHARTER.seats[::-1])]  # fmt: skip
    things = [replace(CHARTER, version=1), replace(CHARTER, game="x"), replace(CHARTER, options=b"\x91\x07"),
              replace(CHARTER, dealer="sealed"), replace(CHARTER, catalogue=bytes(32)),
              replace(CHARTER, seats=CHARTER.seats[:2])]  # fmt: skip
    assert len({charter_digest(charter) for charter in [CHARTER, *people, *things]}) == 1 + len(people) + len(things)
    assert {params_digest(charter) for charter in people} == {params_digest(CHARTER)}
    assert len({params_digest(charter) for charter in [CHARTER, *things]}) == 1 + len(things)
