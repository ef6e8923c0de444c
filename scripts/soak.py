#!/usr/bin/env python3
"""Play whole tables in the simulator, one a seed, until a promise is broken or the time is up.

    soak.py --seeds 0..2000                 these seeds
    soak.py --minutes 5                     as many as that takes, from 0 on (or from the first of --seeds)
    soak.py --seeds 17..18                  one seed again: what a failure prints
    soak.py --mutant no-journal             with a protocol that is broken on purpose: must be caught

Every table is made of real peers, ledger and games; its network, faults, cheats and clocks follow from the seed
(docs/reliability.md). Exit code 0 if every promise held (with --mutant: if one was broken), else 1.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from frp2p.testing.cheats import CHEATS
from frp2p.testing.plan import draw_plan
from frp2p.testing.shared import computed_once
from frp2p.testing.trial import Result, play

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "simulation"))

from mutants import MUTANTS, broken_by  # noqa: E402 - lives with the tests, so that no product can import it

CHUNK = 20
"""Seeds that a process plays before it reports."""

MANY_SEEDS = 1_000_000
"""Where a run that ends by the clock would end by itself."""

SHOWN = 5
"""Failures that are printed in full; one bug breaks many seeds."""


class Settings(msgspec.Struct, frozen=True):
    """What all trials of a run have in common."""

    mutant: str | None = None
    dealer: str | None = None
    seats: int | None = None
    cheat: str | None = None
    arbiter: bool | None = None

    def command(self, seed: int) -> str:
        """What plays this seed again."""
        given = {field: getattr(self, field) for field in self.__struct_fields__ if field != "arbiter"}
        flags = "".join(f" --{name} {value}" for name, value in given.items() if value is not None)
        flags += " --arbiter" if self.arbiter else ""
        return f".venv/bin/python scripts/soak.py --seeds {seed}..{seed + 1}{flags}"


class Failure(msgspec.Struct, frozen=True):
    """A seed in which something did not hold."""

    seed: int
    error: str
    trace: str


def play_some(seeds: tuple[int, ...], settings: Settings) -> list[Result | Failure]:
    """These seeds, one after the other; a process of its own may do it."""
    found: list[Result | Failure] = []
    with ExitStack() as stack:
        stack.enter_context(computed_once())
        if settings.mutant is not None:
            stack.enter_context(broken_by(settings.mutant))
        for seed in seeds:
            given = {"dealer": settings.dealer, "seats": settings.seats, "cheat": settings.cheat}
            plan = draw_plan(seed, **given, arbiter=settings.arbiter)
            try:
                found.append(play(plan))
            except Exception as error:  # whatever a peer raises is a finding
                found.append(Failure(seed, f"{type(error).__name__}: {error}", traceback.format_exc()))
    return found


class Tally:
    """What came of the seeds so far."""

    def __init__(self) -> None:
        self.failures: list[Failure] = []
        self.outcomes: Counter[str] = Counter()
        self.cheats: Counter[str] = Counter()
        self.faults: Counter[str] = Counter()
        self.seeds = self.steps = self.frames = self.lost = 0
        self.world = 0.0

    def add(self, found: list[Result | Failure]) -> None:
        for one in found:
            self.seeds += 1
            if isinstance(one, Failure):
                self.failures.append(one)
                continue
            self.outcomes[one.outcome] += 1
            self.cheats.update([one.cheat] if one.cheat else [])
            self.lost += one.cheat is None and one.outcome not in ("over", "unopened")
            self.faults.update(one.faults)
            self.steps += one.steps
            self.frames += one.frames
            self.world += one.seconds

    def rows(self, seconds: float) -> dict[str, Any]:
        """Everything as one object."""
        return {
            "seeds": self.seeds,
            "broken": [failure.seed for failure in self.failures],
            "honest games lost": self.lost,
            "outcomes": dict(sorted(self.outcomes.items())),
            "cheats": dict(sorted(self.cheats.items())),
            "faults": dict(sorted(self.faults.items())),
            "steps": self.steps,
            "frames": self.frames,
            "hours of the tables": round(self.world / 3600, 1),
            "seconds": round(seconds, 1),
            "seeds a second": round(self.seeds / max(seconds, 1e-9), 1),
        }


def run(seeds: Iterator[int], settings: Settings, jobs: int, seconds: float, stop_at_first: bool) -> Tally:
    """Play until the seeds or the time run out, or (with `stop_at_first`) something is broken."""
    tally, end = Tally(), time.monotonic() + seconds
    with ProcessPoolExecutor(jobs) as pool:
        running: set[Future[list[Result | Failure]]] = set()
        more = True
        while True:
            more = more and time.monotonic() < end and not (stop_at_first and tally.failures)
            while more and len(running) < 2 * jobs:
                chunk = tuple(islice(seeds, CHUNK))
                if not chunk:
                    more = False
                    break
                running.add(pool.submit(play_some, chunk, settings))
            if not running:
                return tally
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                tally.add(future.result())


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Play whole tables in the simulator, one a seed.")
    parser.add_argument("--seeds", help="A..B, without B; alone: how many to play")
    parser.add_argument("--minutes", type=float, help="stop after so long")
    parser.add_argument("--mutant", choices=sorted(MUTANTS), help="break the protocol on purpose")
    parser.add_argument("--dealer", choices=("clear", "sealed"), help="instead of the one that the seed says")
    parser.add_argument("--seats", type=int, choices=range(2, 8), help="instead of as many as the seed says")
    parser.add_argument("--cheat", choices=sorted(CHEATS), help="let this adversary sit at every table")
    parser.add_argument("--arbiter", action="store_true", default=None, help="put an arbiter to every table")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    parser.add_argument("--json", action="store_true", help="one JSON object on stdout")
    return parser.parse_args()


def main() -> int:
    given = parse()
    first, _, last = (given.seeds or "0..").partition("..")
    until = int(last) if last else MANY_SEEDS
    if not given.seeds and given.minutes is None:
        until = 2000
    settings = Settings(given.mutant, given.dealer, given.seats, given.cheat, given.arbiter)
    seconds = 60 * given.minutes if given.minutes is not None else float("inf")
    started = time.perf_counter()
    tally = run(iter(range(int(first), until)), settings, given.jobs, seconds, stop_at_first=given.mutant is not None)
    rows = tally.rows(time.perf_counter() - started)
    for failure in sorted(tally.failures, key=lambda failure: failure.seed)[:SHOWN]:
        print(f"seed {failure.seed}: {failure.error}\n  {settings.command(failure.seed)}", file=sys.stderr)
        if given.mutant is None:
            print(failure.trace, file=sys.stderr)
    if given.json:
        print(json.dumps(rows))
    else:
        for name, value in rows.items():
            print(f"{name:<22} {value}")
    return int(bool(tally.failures) == (given.mutant is None))


if __name__ == "__main__":
    raise SystemExit(main())
