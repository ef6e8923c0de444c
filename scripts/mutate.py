#!/usr/bin/env python3
"""Put small faults into scoring, one at a time, and see which of them no test notices.

`mutate.py [--late N] [--pytest FILE] [--out FILE] [--again FILE] [MODULE ...]` with the project's own interpreter;
the modules of frp2p/scoring by name (`blanking resolve`), all without names. Works on a copy in a temporary directory.

Every mutant gets a process of its own, forked where everything but scoring is imported already, and one after the
other. First the test functions that need no fixture are called, until one fails. If none does, pytest runs the files
that have other tests, hypothesis with a fixed seed. `--out` appends a JSON line for each mutant (module, line, fault,
verdict, test, processor time) and leaves out those that FILE has already; `--again` tries those that lived in FILE.
"""

from __future__ import annotations

import argparse
import gc
import importlib
import importlib.abc
import importlib.machinery
import inspect
import io
import itertools
import json
import os
import resource
import shutil
import signal
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from faults import mutants

HERE = Path(__file__).resolve().parents[1]
ROOM = Path("frp2p/scoring")
READY = ("hypothesis.strategies", "pytest", "frp2p.cards.notation", "frp2p.cards.text", "frp2p.locale")
MEMORY = 2 << 30
"""Bytes that one mutant may take."""

CALL, PYTEST_RUN = 2, 120
"""Seconds of processor time of one call, and of pytest: some ten times of what they take without a fault."""

CALLED = ("cases", "doc", "legal", "explained", "properties", "best", "notation", "render")
"""Tests whose functions are called, the quickest killers first; those of the mutated module come before them."""

LATE = (
    "every_peer_proposes_the_same",
    "finds_the_recorded_best",
    "trying_each_card_finds",
    "trying_everything_finds",
    "where_cards_compare",
)
"""Ends of names of tests that take half a second and more: called after the others."""

PYTEST = ("-x", "-q", "--assert=plain", "-p", "no:cacheprovider", "-p", "no:xdist", "--hypothesis-seed=1")
WHOLE = tuple(f"tests/scoring/test_{name}.py" for name in ("scoring_properties", "render", "scoring_notation"))


class Mutated(importlib.abc.Loader):
    """Finds and loads one module, as this code."""

    def __init__(self, name: str, code: CodeType) -> None:
        self.name, self.code = name, code

    def find_spec(self, name: str, *_: object) -> importlib.machinery.ModuleSpec | None:
        return importlib.machinery.ModuleSpec(name, self) if name == self.name else None

    def exec_module(self, module: ModuleType) -> None:
        exec(self.code, vars(module))  # noqa: S102 - our own source with a fault


def calls_of(test: Any) -> list[dict[str, Any]]:
    """The arguments for each call of a test function; none if it needs a fixture or is hypothesis' own."""
    axes = []
    for mark in getattr(test, "pytestmark", ()):
        names, values = mark.args
        axes.append([{names: one} if isinstance(names, str) else dict(zip(names, one, strict=True)) for one in values])
    calls = [{key: one for each in chosen for key, one in each.items()} for chosen in itertools.product(*axes)]
    needs = set(inspect.signature(test).parameters)
    return [] if hasattr(test, "hypothesis") or (calls and needs - set(calls[0])) else calls


def called(module: str, late: int | None) -> Iterator[tuple[str, Any]]:
    """(name, function) of the tests that are called, a file read only when it is its turn."""
    kept: list[tuple[int, str, Any]] = []
    for name in sorted(CALLED, key=lambda name: name != module):
        tests = importlib.import_module("test_render" if name == "render" else f"test_scoring_{name}")
        for label, test in [(label, test) for label, test in vars(tests).items() if label.startswith("test_")]:
            place = next((at for at, end in enumerate(LATE) if label.endswith(end)), None)
            if place is None:
                yield label, test
            else:
                kept.append((place, label, test))
    yield from (each[1:] for each in sorted(kept)[:late])


def first_failure(module: str, late: int | None, files: Sequence[str]) -> str:
    """The first test that fails; empty if none does."""
    for label, test in called(module, late):
        for arguments in calls_of(test):
            sys.modules["frp2p.locale"].use("en")
            signal.setitimer(signal.ITIMER_PROF, CALL)
            try:
                test(**arguments)
            except BaseException:  # whatever it is, the test has failed
                return label
    signal.setitimer(signal.ITIMER_PROF, PYTEST_RUN)
    files = files or (WHOLE if late is None else ())
    return "by pytest" if files and importlib.import_module("pytest").main([*PYTEST, *files]) else ""


def run(module: str, code: CodeType | None, late: int | None, files: Sequence[str] = ()) -> tuple[str, str, float]:
    """(verdict, the test that failed, processor time) of a mutant in its own process."""
    said = Path("said")
    said.write_text("import")  # a module that can't be imported fails every test
    child = os.fork()
    if not child:
        try:
            signal.setitimer(signal.ITIMER_PROF, CALL)
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            sys.stdout = sys.stderr = io.StringIO()
            if code is not None:
                sys.meta_path.insert(0, Mutated(f"frp2p.scoring.{module}", code))
            said.write_text(first_failure(module, late, files))
        finally:
            os._exit(0)
    _, status, used = os.wait4(child, 0)
    failed = "time" if os.WIFSIGNALED(status) else said.read_text()
    return "killed" if failed else "lived", failed, round(used.ru_utime + used.ru_stime, 2)


def prepare(place: Path) -> None:
    """Go to a copy of what the tests need, with everything but scoring and its tests imported."""
    for name in ("frp2p", "tests/scoring"):
        shutil.copytree(HERE / name, place / name)
    (place / "docs").mkdir()
    for name in ("docs/scoring.md", "pyproject.toml"):
        shutil.copy(HERE / name, place / name)
    os.chdir(place)
    sys.path[:0] = [str(place), str(place / "tests/scoring")]
    for name in READY:
        importlib.import_module(name)
    if not Path(sys.modules["frp2p"].__file__ or "").is_relative_to(place):
        raise SystemExit("frp2p was not imported from the copy")
    gc.collect()
    gc.freeze()


def read(log: Path | None) -> list[Any]:
    return [json.loads(line) for line in log.read_text().splitlines()] if log and log.exists() else []


def main() -> int:
    parser = argparse.ArgumentParser(description="Which small faults in scoring does no test notice?")
    parser.add_argument("modules", nargs="*", metavar="MODULE", help="of frp2p/scoring; all without names")
    parser.add_argument("--out", type=lambda text: Path(text).resolve(), help="append a JSON line for each mutant")
    parser.add_argument("--again", type=Path, help="only those that lived in this file")
    parser.add_argument("--late", type=int, help="call only the first of the slow tests, so many; and no pytest")
    parser.add_argument("--pytest", action="append", default=[], help="the file that pytest runs, in spite of --late")
    given = parser.parse_args()
    done = Counter(tuple(entry[:3]) for entry in read(given.out))
    again = {tuple(entry[:3]) for entry in read(given.again) if entry[3] == "lived"}
    with tempfile.TemporaryDirectory() as directory:
        prepare(Path(directory).resolve())
        verdict, said, _ = run("", None, given.late, given.pytest)
        if verdict != "lived":
            raise SystemExit(f"without a fault {said} fails")
        for module in given.modules or sorted(path.stem for path in ROOM.glob("*.py")):
            counts: Counter[str] = Counter()
            for line, label, code in mutants((ROOM / f"{module}.py").read_text(encoding="utf-8"), module):
                key = (module, line, label)
                if done[key] or (given.again and key not in again):
                    done[key] -= 1
                    continue
                verdict, said, used = run(module, code, given.late, given.pytest)
                counts["time" if said == "time" else verdict] += 1
                print(f"{module}.py:{line}: {label}: {verdict} {said}", flush=True)
                if given.out:
                    with given.out.open("a") as lines:
                        print(json.dumps([*key, verdict, said, used]), file=lines)
            print(module, dict(counts), flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
