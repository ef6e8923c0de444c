#!/usr/bin/env python3
"""Fuzz one reader for long, guided by coverage: `run_atheris.py TARGET [libFuzzer options]`.

    .venv/bin/pip install atheris
    .venv/bin/python tests/fuzz/run_atheris.py transcript -max_total_time=600 corpus/

Atheris is no dependency of the project: it is large, needs a compiler on some systems, and nothing but this uses it.
What it finds goes into `tests/fuzz/targets.py` as a sample, and the ordinary run keeps it from coming back.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))


def main() -> int:
    try:
        import atheris  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        print("atheris is not here: .venv/bin/pip install atheris", file=sys.stderr)
        return 2
    with atheris.instrument_imports(include=["frp2p"]):
        from targets import TARGETS, samples
    name = sys.argv[1] if len(sys.argv) > 1 else ""
    if name not in TARGETS:
        print(f"which reader? one of {', '.join(TARGETS)}", file=sys.stderr)
        return 2
    good = samples()[name]  # plays its game before anything is measured
    seeds = Path(tempfile.gettempdir()) / "frp2p-fuzz" / name
    seeds.mkdir(parents=True, exist_ok=True)
    for number, sample in enumerate(good):
        (seeds / f"sample-{number}").write_bytes(sample)
    # The first folder gets what is found worth keeping; libFuzzer ends the process, so nobody could take this one away.
    atheris.Setup([sys.argv[0], *sys.argv[2:], str(seeds)], TARGETS[name])
    atheris.Fuzz()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
