"""Anything of the right type: each contribution is accepted, or refused with a registered check; nothing else."""

from __future__ import annotations

import csv
import functools
from pathlib import Path
from typing import Any

import msgspec
import pytest
from deal_rig import HAND, Rig
from hypothesis import given, settings
from hypothesis import strategies as st

from frp2p.deal import SealedKind
from frp2p.errors import PeerFault
from frp2p.games.verbs import TABLE, Coin, Draw, Exclude, Give, Leave, Peek, PutBack, Reveal, Seal, Shuffle, Verb

REGISTRY = Path(__file__).resolve().parents[2] / "protocol" / "registry" / "error-codes.csv"
ROWS = csv.DictReader(REGISTRY.read_text(encoding="utf-8").splitlines())
CHECKS = {row["code"] for row in ROWS if row["layer"] == "deal"}
LIMIT = 256 * 32
"""Bytes of the longest list that a field takes."""

COIN = 9
"""The number of the coin below: any 64 bytes are a commitment."""

Path_ = tuple[int, ...]


@functools.cache
def asked(which: int) -> tuple[Any, int, Any]:
    """An observer in the first round of a verb, who speaks, and what it honestly says (as builtins)."""
    rig = Rig(SealedKind(), 3, decks={"hand": HAND[:6]}).setup()
    (deck,) = rig.do(Seal(HAND[:6], TABLE))
    rig.do(Draw(deck.slots[:2], 0))
    hand, rest = deck.slots[:2], deck.slots[2:]
    verbs: tuple[Verb, ...] = (
        Shuffle(rest, TABLE),
        Shuffle(rest[:1], TABLE),
        Draw(rest[:1], 1),
        Reveal(rest[:2]),
        Peek(rest[:2], 1),
        Give(hand, 0, 1),
        PutBack(hand, 0),
        Exclude(hand, HAND[2:4]),
        Leave(2),
        Coin(6),
    )
    rig.begin(verbs[which])
    (seat, *_) = rig.peers[None].speakers()
    return rig.peers[None], seat, msgspec.msgpack.decode(msgspec.msgpack.encode(rig.peers[seat].speak()))


def leaves(value: Any, at: Path_ = ()) -> list[Path_]:
    """Where the byte strings are."""
    if isinstance(value, bytes):
        return [at]
    if isinstance(value, list):
        return [path for place, item in enumerate(value) for path in leaves(item, (*at, place))]
    return []


def put(value: Any, at: Path_, new: bytes) -> Any:
    if not at:
        return new
    return [put(item, at[1:], new) if place == at[0] else item for place, item in enumerate(value)]


def get(value: Any, at: Path_) -> bytes:
    return functools.reduce(lambda inner, place: inner[place], at, value)


@settings(deadline=None, max_examples=150)
@given(data=st.data(), which=st.integers(0, COIN))
def test_anything_of_the_right_type(data: st.DataObject, which: int) -> None:
    """A byte string exchanged for another: cut, grown, flipped, random, points and scalars at the borders."""
    observer, seat, honest = asked(which)
    place = data.draw(st.sampled_from(leaves(honest)))
    old = get(honest, place)
    flip = data.draw(st.integers(0, 8 * len(old) - 1))
    flipped = bytes(byte ^ (1 << flip % 8 if at == flip // 8 else 0) for at, byte in enumerate(old))
    border = data.draw(st.sampled_from([bytes(32), b"\xff" * 32, b"\x01" + bytes(31), old[-32:]]))
    new = data.draw(
        st.sampled_from([flipped, old[:-32], old + old[-32:], old[:-32] + border, border * (len(old) // 32)])
        | st.binary(min_size=len(old), max_size=len(old))
        | st.binary(max_size=LIMIT)
    )
    try:
        contribution = msgspec.convert(put(honest, place, new), observer.contribution_type)
    except msgspec.ValidationError:
        return
    before = observer.digest()
    if new == old or which == COIN:
        observer.check(seat, contribution)
    else:
        with pytest.raises(PeerFault) as fault:
            observer.check(seat, contribution)
        assert fault.value.check in CHECKS
        assert fault.value.seat == seat
    assert observer.digest() == before


def test_every_verb_is_there() -> None:
    for which in range(COIN + 1):
        observer, seat, honest = asked(which)
        observer.check(seat, msgspec.convert(honest, observer.contribution_type))
        assert leaves(honest)
