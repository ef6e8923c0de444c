"""What the makers of vectors share."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from frp2p.deal import Entropy
from frp2p.deal.group.sodium import SodiumGroup

GROUP = SodiumGroup()


def seeded(seed: str) -> Entropy:
    """A repeatable stream of bytes."""
    count = 0

    def draw(length: int) -> bytes:
        nonlocal count
        count += 1
        return hashlib.shake_256(f"vectors/{seed}/{count}".encode()).digest(length)

    return draw


def dump(tests: list[dict[str, Any]]) -> str:
    """The text of a vector file."""
    ids = [test["id"] for test in tests]
    if len(set(ids)) != len(ids):
        raise SystemExit("two vectors have one id")
    head = {"version": 1, "generator": "make_deal_vectors.py", "count": len(tests), "tests": tests}
    return json.dumps(head, indent=1, ensure_ascii=False) + "\n"
