#!/usr/bin/env python3
"""Every check on a fresh machine: prepare `.venv`, then lint, types, import contracts and the whole suite.

`python3 scripts/test.py [pytest arguments]`; the exit code is 0 only if everything passed.
"""

from __future__ import annotations

import os
import sys

import bootstrap

if __name__ == "__main__":
    python = str(bootstrap.ensure("run", "build", "test", "lint"))
    # One more worker than cores: tests of real processes wait for sockets and clocks a third of their time.
    workers = (os.cpu_count() or 2) + 1
    checks = [
        [python, "-m", "ruff", "check", "."],
        [python, "-m", "ruff", "format", "--check", "."],
        [python, "-m", "mypy"],
        [str(bootstrap.BIN / "lint-imports")],
        [python, "-m", "pytest", "-n", str(workers), "--dist", "worksteal", *sys.argv[1:]],
    ]
    failed = []
    for check in checks:
        print("+", " ".join(check[1:] if check[0] == python else check), flush=True)
        if bootstrap.run(check) != 0:
            failed.append(check)
    if failed:
        print(f"{len(failed)} of {len(checks)} checks failed", flush=True)
    raise SystemExit(bool(failed))
