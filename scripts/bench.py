#!/usr/bin/env python3
"""Measure, in one run: `bench.py [--quick] [--json] [score] [deal] [table] [net]` (all without names).

A figure that could not be had is told as failed, with the reason; the rest goes on, and the exit code is 1.
Compare ratios and figures of one run with each other; a busy machine changes all of them. No test asserts them.
Run it with the project's own interpreter: `.venv/bin/python scripts/bench.py`.
"""

from __future__ import annotations

import argparse
import importlib
import json
import platform
import sys
import time
from pathlib import Path

BENCHES = ("score", "deal", "table", "net")


def main() -> int:
    parser = argparse.ArgumentParser(description="Measure scoring, dealing, a table and its network on this machine.")
    parser.add_argument("names", nargs="*", metavar="BENCH", help=f"any of {', '.join(BENCHES)}; all without names")
    parser.add_argument("--quick", action="store_true", help="fewer repeats: about a minute in all")
    parser.add_argument("--json", action="store_true", help="one JSON object on stdout")
    given = parser.parse_args()
    unknown = [name for name in given.names if name not in BENCHES]
    if unknown:
        parser.error(f"there is no bench named {unknown[0]}; there are {', '.join(BENCHES)}")
    sys.path.insert(0, str(Path(__file__).resolve().parent))
    found = {name: _measured(name, given.quick, tell=not given.json) for name in given.names or BENCHES}
    if given.json:
        print(json.dumps({"python": platform.python_version(), "machine": platform.machine(), "benches": found}))
    return int(any(row["value"] is None for rows in found.values() for row in rows))


def _measured(name: str, quick: bool, *, tell: bool) -> list[dict[str, object]]:
    """The rows of a bench, each told as soon as it is there."""
    started = time.perf_counter()
    rows: list[dict[str, object]] = []
    if tell:
        print(name, flush=True)
    for label, value, unit in importlib.import_module(f"benches.{name}").run(quick):
        rows.append({"name": label, "value": value, "unit": unit})
        if tell:
            figure = "failed:" if value is None else f"{value:,.3f}"
            print(f"  {label:<58} {figure:>12} {unit}", flush=True)
    if tell:
        print(f"  ({time.perf_counter() - started:.0f} s)", flush=True)
    return rows


if __name__ == "__main__":
    raise SystemExit(main())
