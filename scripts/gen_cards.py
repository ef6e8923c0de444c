#!/usr/bin/env python3
"""Write protocol/cards.json from the catalogue: `gen_cards.py`, or `gen_cards.py --check` to only compare.

Run it with the project's own interpreter: `.venv/bin/python scripts/gen_cards.py`.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import msgspec

from frp2p.cards.catalogue import export

FILE = Path(__file__).resolve().parent.parent / "protocol" / "cards.json"


def text() -> str:
    """The whole file: one card or item a line, so that a change shows as one line."""
    sections = []
    for section, entries in export().items():
        lines = ",\n".join("  " + msgspec.json.encode(entry).decode() for entry in entries)
        sections.append(f'"{section}": [\n{lines}\n]')
    return "{\n" + ",\n".join(sections) + "\n}\n"


def main() -> int:
    parser = argparse.ArgumentParser(description="Write protocol/cards.json from the catalogue.")
    parser.add_argument("--check", action="store_true", help="change nothing; exit 1 if the file is not current")
    if parser.parse_args().check:
        current = FILE.exists() and FILE.read_text(encoding="utf-8") == text()
        print(f"{FILE.name} is {'current' if current else 'not current'}")
        return 0 if current else 1
    FILE.write_text(text(), encoding="utf-8")
    print(f"wrote {FILE}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
