"""ristretto255 as RFC 9496 has it, and what a parser must refuse."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ristretto_vectors import BAD_ENCODINGS, HASHES, MULTIPLES

from frp2p.deal.group import (
    BASE,
    IDENTITY,
    ORDER,
    Group,
    NotCanonical,
    Point,
    hash_to_group,
    scalar,
    scalar_bytes,
    wide_scalar,
)
from frp2p.deal.group.sodium import SodiumGroup

SODIUM = SodiumGroup()
GROUPS: tuple[Group, ...] = (SODIUM,)
SCALARS = st.one_of(st.sampled_from([0, 1, 2, ORDER - 1]), st.integers(0, ORDER - 1))


@pytest.fixture(params=GROUPS, ids=lambda group: group.name)
def group(request: pytest.FixtureRequest) -> Group:
    return request.param


def test_multiples_of_the_base(group: Group) -> None:
    """RFC 9496, A.1."""
    total = IDENTITY
    for count, expected in enumerate(MULTIPLES):
        point = Point(bytes.fromhex(expected))
        assert group.point(point) == point
        assert group.base(count) == group.mul(BASE, count) == total == point
        total = group.add(total, BASE)
    assert bytes.fromhex(MULTIPLES[1]) == BASE


@pytest.mark.parametrize("encoding", BAD_ENCODINGS)
def test_bad_encodings(group: Group, encoding: str) -> None:
    """RFC 9496, A.2."""
    with pytest.raises(NotCanonical):
        group.point(bytes.fromhex(encoding))


@pytest.mark.parametrize("length", [0, 31, 33])
def test_other_lengths(group: Group, length: int) -> None:
    with pytest.raises(NotCanonical):
        group.point(bytes(length))
    with pytest.raises(NotCanonical):
        scalar(bytes(length))


def test_hash_to_group(group: Group) -> None:
    """RFC 9496, A.3."""
    for label, expected in HASHES.items():
        assert group.from_uniform(hashlib.sha512(label.encode()).digest()).hex() == expected
        assert hash_to_group(group, label).hex() == expected


@settings(deadline=None, max_examples=20)
@given(a=SCALARS, b=SCALARS)
def test_laws(a: int, b: int) -> None:
    """The operations agree with each other, also where a result is the identity."""
    for group in GROUPS:
        other = hash_to_group(group, "other")
        left, right = group.mul(other, a), group.mul(other, b)
        assert group.add(left, right) == group.mul(other, (a + b) % ORDER)
        assert group.sub(left, right) == group.mul(other, (a - b) % ORDER)
        assert group.msm((other, BASE, other), (a, b, b)) == group.add(group.mul(other, (a + b) % ORDER), group.base(b))
        assert group.mul(group.mul(other, a), b) == group.mul(other, a * b % ORDER)
        assert group.sub(left, left) == group.mul(IDENTITY, a) == group.msm((), ()) == IDENTITY


def test_sums_of_products_need_one_length(group: Group) -> None:
    with pytest.raises(ValueError, match="zip"):
        group.msm((BASE,), (1, 2))


def test_scalars_are_canonical() -> None:
    assert scalar(scalar_bytes(ORDER - 1)) == ORDER - 1
    for value in (ORDER, ORDER + 1, 1 << 255, (1 << 256) - 1):
        with pytest.raises(NotCanonical):
            scalar(value.to_bytes(32, "little"))
    assert wide_scalar(scalar_bytes(5) + bytes(32)) == 5
    assert wide_scalar(ORDER.to_bytes(64, "little")) == 0


@pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps the file of a loaded library")
def test_the_unpacked_library_is_removed(tmp_path: Path) -> None:
    """rbcl leaves its library in the temporary directory at every start; we do not."""
    code = (
        "import rbcl, tempfile, os; before = len(os.listdir(tempfile.gettempdir()));"
        "from frp2p.deal.group.sodium import SodiumGroup; after = len(os.listdir(tempfile.gettempdir()));"
        "print(before, after, SodiumGroup().base(2).hex())"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )
    assert done.stdout.split() == ["1", "0", MULTIPLES[2]]
