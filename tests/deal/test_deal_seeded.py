"""The randomness of a seat: the same again in the same history, nothing in common with any other."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frp2p.deal.seeded import SEED_SIZE, SeededEntropy
from frp2p.errors import LocalError

SIZES = st.lists(st.integers(16, 64), min_size=1, max_size=20)
BYTES = st.binary(min_size=32, max_size=32)


def draws(seed: bytes, head: bytes, sizes: list[int]) -> list[bytes]:
    entropy = SeededEntropy(seed)
    entropy.turn(head)
    return [entropy(size) for size in sizes]


@settings(deadline=None, max_examples=100)
@given(BYTES, BYTES, SIZES)
def test_a_seat_repeats_itself_whatever_it_drew_before(seed: bytes, head: bytes, sizes: list[int]) -> None:
    entropy = SeededEntropy(seed)
    entropy.turn(b"before")
    entropy(7)
    entropy.turn(head)
    again = [entropy(size) for size in sizes]
    assert again == draws(seed, head, sizes)
    assert [len(draw) for draw in again] == sizes
    assert len({draw[:16] for draw in again}) == len(sizes)


@settings(deadline=None, max_examples=100)
@given(BYTES, BYTES, BYTES, SIZES)
def test_another_history_or_seed_has_no_draw_in_common(
    seed: bytes, head: bytes, other: bytes, sizes: list[int]
) -> None:
    if head == other:
        return
    here = {draw[:16] for draw in draws(seed, head, sizes)}
    assert here.isdisjoint(draw[:16] for draw in draws(seed, other, sizes))
    assert here.isdisjoint(draw[:16] for draw in draws(other, head, sizes)) or seed == other


def test_no_draw_before_the_first_step() -> None:
    with pytest.raises(LocalError):
        SeededEntropy(bytes(SEED_SIZE))(1)


@pytest.mark.parametrize("size", [0, 31, 33])
def test_a_seed_has_one_size(size: int) -> None:
    with pytest.raises(LocalError):
        SeededEntropy(bytes(size))
