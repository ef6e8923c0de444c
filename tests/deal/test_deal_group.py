"""ristretto255 as RFC 9496 has it, and what a parser must refuse."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path
from random import Random

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
from frp2p.deal.group.choose import default_group
from frp2p.deal.group.pure import PureGroup, Recent
from frp2p.deal.group.sodium import SodiumGroup
from frp2p.errors import UserError

SODIUM = SodiumGroup()
GROUPS: tuple[Group, ...] = (SODIUM, PureGroup())
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


def test_the_top_bit(group: Group) -> None:
    """libsodium 1.0.18 ignores it: each point would have two encodings, and equal masks would look different."""
    for multiple in MULTIPLES:
        data = bytearray.fromhex(multiple)
        data[31] |= 0x80
        with pytest.raises(NotCanonical):
            group.point(bytes(data))


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


@pytest.mark.slow
def test_back_ends_agree() -> None:
    """10 000 random operations on a pool of points, byte for byte; identities and small scalars among them."""
    draw = Random(1)
    pure = PureGroup()
    pool = [IDENTITY, BASE, *(hash_to_group(SODIUM, f"point {at}") for at in range(10))]
    for count in range(10_000):
        one, two, k = draw.choice(pool), draw.choice(pool), draw.choice([0, 1, ORDER - 1, draw.randrange(ORDER)])
        kind = draw.choice(["add", "sub", "add", "sub", "add", "sub", "base", "mul", "uniform", "msm", "point"])
        wide = draw.randbytes(64)
        few = draw.randrange(60) if count % 50 == 0 else 3
        terms = [draw.choice(pool) for _ in range(few)]
        scalars = [draw.randrange(ORDER) >> draw.choice([0, 125, 252]) for _ in terms]
        candidate = draw.choice([wide[:32], wide[:31] + b"\0", one[:31] + wide[:1]])
        got = []
        for group in (SODIUM, pure):
            match kind:
                case "add":
                    got.append(group.add(one, two))
                case "sub":
                    got.append(group.sub(one, two))
                case "base":
                    got.append(group.base(k))
                case "mul":
                    got.append(group.mul(one, k))
                case "uniform":
                    got.append(group.from_uniform(wide))
                case "msm":
                    got.append(group.msm(terms, scalars))
                case "point":
                    got.append(_parsed(group, candidate))
        assert got[0] == got[1], (count, kind)
        pool[draw.randrange(2, len(pool))] = got[0] or BASE


def _parsed(group: Group, data: bytes) -> Point | None:
    try:
        return group.point(data)
    except NotCanonical:
        return None


def test_many_points_at_once() -> None:
    """Sums that are big enough for buckets; also with nothing but zeros, and with points that cancel."""
    draw = Random(2)
    points = [hash_to_group(SODIUM, f"many {at}") for at in range(130)]
    for scalars in ([draw.randrange(ORDER) for _ in points], [0] * 130, [1, ORDER - 1] + [0] * 128, [7] * 130):
        assert PureGroup().msm(points, scalars) == SODIUM.msm(points, scalars)


def test_tables_change_nothing() -> None:
    """A point that is used often gets a table of multiples."""
    pure, point = PureGroup(), hash_to_group(SODIUM, "often")
    for k in range(1, 12):
        assert pure.mul(point, k) == SODIUM.mul(point, k)
    assert pure.msm((point, BASE), (5, 6)) == SODIUM.msm((point, BASE), (5, 6))


def test_memory_is_bounded() -> None:
    recent: Recent[int] = Recent(2)
    for key in (b"a", b"b"):
        recent.put(Point(key), 1)
    assert recent.get(Point(b"a")) == 1
    recent.put(Point(b"c"), 1)
    assert [recent.get(Point(key)) for key in (b"a", b"b", b"c")] == [1, None, 1]


@pytest.mark.parametrize(("wanted", "name"), [("", "sodium"), ("sodium", "sodium"), ("pure", "pure")])
def test_the_back_end_can_be_chosen(monkeypatch: pytest.MonkeyPatch, wanted: str, name: str) -> None:
    monkeypatch.setenv("FRP2P_GROUP", wanted)
    default_group.cache_clear()
    try:
        assert default_group().name == name
    finally:
        default_group.cache_clear()


def test_an_unknown_back_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FRP2P_GROUP", "abacus")
    default_group.cache_clear()
    with pytest.raises(UserError, match="abacus"):
        default_group()


@pytest.mark.parametrize("forced", ["", "sodium"])
def test_without_libsodium(forced: str) -> None:
    """Where it does not load, the pure back end stands in, unless libsodium was asked for by name."""
    code = (
        "import sys; sys.modules['rbcl'] = None\n"
        "from frp2p.deal.group.choose import default_group\n"
        "from frp2p.errors import UserError\n"
        "try: print(default_group().name)\n"
        "except UserError as error: print('refused', error.message)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "FRP2P_GROUP": forced, "LANGUAGE": "en"},
    )
    assert done.stdout.split()[0] == ("refused" if forced else "pure")
