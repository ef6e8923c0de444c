#!/usr/bin/env python3
"""Write protocol/vectors/deal-*.json and their schemas: the same bytes each time. `--check` only compares.

Run with the project's own interpreter: `.venv/bin/python scripts/make_deal_vectors.py`.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from deal_vectors import games, primitives, proofs, schema
from deal_vectors.common import dump

VECTORS = Path(__file__).resolve().parent.parent / "protocol" / "vectors"


def main() -> int:
    parser = argparse.ArgumentParser(description="Write the test vectors of dealing.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if a file would change")
    given = parser.parse_args()
    texts = {
        "deal-primitives.json": dump(primitives.tests()),
        "deal-proofs.json": dump(proofs.tests()),
        "deal-games.json": dump(games.tests()),
        **{f"schema/{name}.schema.json": schema.schema(name) for name in schema.FILES},
    }
    changed = []
    for name, text in texts.items():
        path = VECTORS / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            changed.append(name)
            if not given.check:
                path.parent.mkdir(exist_ok=True)
                path.write_text(text, encoding="utf-8", newline="\n")
    for name in changed:
        print(("would change: " if given.check else "written: ") + name)
    return 1 if given.check and changed else 0


if __name__ == "__main__":
    raise SystemExit(main())
