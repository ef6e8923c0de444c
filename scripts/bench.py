#!/usr/bin/env python3
"""Measure, in one run: `bench.py [--quick] [--json] [score] [deal] [table] [net]` (all without names).

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
    found: dict[str, list[dict[str, object]]] = {}
    for name in given.names or BENCHES:
        started = time.perf_counter()
        rows = importlib.import_module(f"benches.{name}").run(given.quick)
        found[name] = [{"name": label, "value": value, "unit": unit} for label, value, unit in rows]
        if not given.json:
            print(f"{name} ({time.perf_counter() - started:.0f} s)")
            for label, value, unit in rows:
                print(f"  {label:<58} {value:>12,.3f} {unit}", flush=True)
    if given.json:
        print(json.dumps({"python": platform.python_version(), "machine": platform.machine(), "benches": found}))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
