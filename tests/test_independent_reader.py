"""The second reader of the vectors: it agrees with every file, notices what is altered, and shares nothing with us."""

from __future__ import annotations

import copy
import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]
VECTORS = ROOT / "protocol" / "vectors"
READER = ROOT / "scripts" / "verify_vectors_independent.py"
FILES = sorted(path.stem for path in VECTORS.glob("*.json"))
SLOW = "deal-games"
IMPORT = re.compile(r"import \w|from [\w.]+ import ")
STANDARD = {"__future__", "hashlib", "itertools", "json", "pathlib", "re", "sys"}

Test = dict[str, Any]
Place = tuple[str | int, ...]

VALID: list[tuple[str, str, Place]] = [
    ("encoding", "part-body/charter", ("hex",)),
    ("encoding", "part-body/charter", ("value", "step")),
    ("encoding", "record/charter", ("value", "provisions", "recovery")),
    ("keys", "seat-0", ("key",)),
    ("keys", "seat-0", ("seed",)),
    ("keys", "seat-0", ("fingerprint",)),
    ("signatures", "deterministic", ("signature",)),
    ("signatures", "deterministic", ("body",)),
    ("signatures", "deterministic", ("kind",)),
    ("chain", "charter-step", ("seeds", 0)),
    ("chain", "charter-step", ("charter_value", "seats", 1, "name")),
    ("deal-primitives", "hash-to-group frp2p/v1/gen/h", ("point",)),
    ("deal-primitives", "envelope", ("nonce",)),
    ("deal-proofs", "pop deck valid", ("event",)),
    ("deal-proofs", "dleq valid", ("proof", 0)),
    ("deal-games", "a-wrong-share", ("setup", 1, "0")),
    ("fantasy-realms-states", "duel", ("start", "state")),
    ("fantasy-realms-states", "duel", ("start", "sha256")),
    ("fantasy-realms-states", "duel", ("options",)),
]
"""File, test, and the byte or field of a valid vector that is altered."""

INVALID: list[tuple[str, str, Place, Any]] = [
    ("encoding", "part-body/trailing-byte", ("check",), "encoding-size"),
    ("encoding", "part-body/trailing-byte", ("result",), "valid"),
    ("keys", "order-8-sign-0", ("check",), "key-curve"),
    ("signatures", "s-plus-l", ("check",), "key-size"),
    ("signatures", "commitment-of-order-8", ("result",), "valid"),
    ("deal-primitives", "point top bit", ("valid",), True),
    ("deal-proofs", "pop deck other seat", ("check",), None),
    ("deal-games", "identity deck key", ("refused", 0, "check"), "key-duplicate"),
    ("deal-games", "a-wrong-share", ("blamed", "check"), "complaint-false"),
]
"""File, test, and what is said in another way about an invalid vector; a chain and states have none."""


def load(name: str) -> list[Test]:
    tests: list[Test] = json.loads((VECTORS / f"{name}.json").read_text(encoding="utf-8"))["tests"]
    return tests


def find(name: str, of: str) -> Test:
    return copy.deepcopy(next(test for test in load(name) if test["id"] == of))


def read(folder: Path) -> subprocess.CompletedProcess[str]:
    """The independent reader; -S: not even this project's environment."""
    return subprocess.run([sys.executable, "-S", str(READER), str(folder)], capture_output=True, text=True)


def read_only(folder: Path, chosen: dict[str, list[Test]]) -> subprocess.CompletedProcess[str]:
    """All files are there, with these tests in them and no others."""
    for name in FILES:
        tests = chosen.get(name, [])
        (folder / f"{name}.json").write_text(json.dumps({"count": len(tests), "tests": tests}), encoding="utf-8")
    return read(folder)


def change(test: Test, place: Place, to: Callable[[Any], Any]) -> None:
    inside: Any = test
    for step in place[:-1]:
        inside = inside[step]
    inside[place[-1]] = to(inside[place[-1]])


def other(value: Any) -> Any:
    """Something as like it as can be: of a text another last character, and another number where a number or truth is
    expected (0 for false, as JSON tells them apart and Python does not); false for nothing."""
    if isinstance(value, list):
        return [*value[:-1], other(value[-1])]
    if isinstance(value, dict):
        last = list(value)[-1]
        return {**value, last: other(value[last])}
    if value is None:
        return False
    if isinstance(value, bool):
        return int(value)
    return value + 1 if isinstance(value, int) else value[:-1] + ("1" if value[-1] == "0" else "0")


def listed(done: subprocess.CompletedProcess[str]) -> list[str]:
    assert done.returncode == 0, done.stderr
    return [line.split(":")[0] for line in done.stdout.splitlines()]


@pytest.mark.slow
def test_it_agrees_with_every_file() -> None:
    assert sorted(listed(read(VECTORS))) == FILES


def test_it_agrees_with_everything_but_long_games(tmp_path: Path) -> None:
    """Without this one the alterations below would show nothing."""
    altered = {of for name, of, _ in VALID if name == SLOW} | {of for name, of, *_ in INVALID if name == SLOW}
    chosen = {name: load(name) for name in FILES if name != SLOW} | {SLOW: [find(SLOW, of) for of in altered]}
    assert sorted(listed(read_only(tmp_path, chosen))) == FILES


def test_every_file_is_altered_below() -> None:
    assert {name for name, *_ in VALID} == set(FILES)
    assert set(FILES) - {name for name, *_ in INVALID} == {"chain", "fantasy-realms-states"}


@pytest.mark.parametrize(("name", "of", "place"), VALID)
def test_a_valid_vector_that_is_altered(tmp_path: Path, name: str, of: str, place: Place) -> None:
    test = find(name, of)
    change(test, place, other)
    done = read_only(tmp_path, {name: [test]})
    assert done.returncode != 0
    assert done.stderr


@pytest.mark.parametrize(("name", "of", "place", "said"), INVALID)
def test_an_invalid_vector_of_which_something_else_is_said(
    tmp_path: Path, name: str, of: str, place: Place, said: Any
) -> None:
    test = find(name, of)
    change(test, place, lambda _: said)
    done = read_only(tmp_path, {name: [test]})
    assert done.returncode != 0
    assert done.stderr


@pytest.mark.parametrize("field", sorted(set(load("chain")[0]) - {"id"}))
def test_every_value_of_the_chain_is_looked_at(tmp_path: Path, field: str) -> None:
    [test] = load("chain")
    change(test, (field,), other)
    assert read_only(tmp_path, {"chain": [test]}).returncode != 0


def test_files_that_are_missing_cut_or_unknown(tmp_path: Path) -> None:
    assert read_only(tmp_path, {}).returncode == 0
    (tmp_path / "keys.json").write_text(json.dumps({"count": 2, "tests": load("keys")[:1]}), encoding="utf-8")
    assert read(tmp_path).returncode != 0
    (tmp_path / "keys.json").unlink()
    assert read(tmp_path).returncode != 0
    assert read_only(tmp_path, {}).returncode == 0
    (tmp_path / "more.json").write_text(json.dumps({"count": 0, "tests": []}), encoding="utf-8")
    assert read(tmp_path).returncode != 0


def test_it_shares_nothing() -> None:
    files = [READER, *READER.parent.glob("independent_*.py")]
    for file in files:
        lines = file.read_text(encoding="utf-8").splitlines()
        assert len(lines) < 400
        imported = {line.split()[1].split(".")[0] for line in map(str.strip, lines) if IMPORT.match(line)}
        assert imported <= STANDARD | {one.stem for one in files}


@pytest.mark.parametrize("name", FILES)
def test_ids_and_counts(name: str) -> None:
    whole = json.loads((VECTORS / f"{name}.json").read_text(encoding="utf-8"))
    ids = [test["id"] for test in whole["tests"]]
    assert whole["count"] == len(ids) == len(set(ids))
