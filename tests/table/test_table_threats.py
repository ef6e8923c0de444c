"""The threat model names tests that exist."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "threat-model.md"


def test_every_row_names_tests_that_exist() -> None:
    rows = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| ")]
    named = re.findall(r"`([\w/.]+)::(test_\w+)`", "\n".join(rows))
    assert len(named) > 60
    missing = [
        f"{file}::{name}"
        for file, name in named
        if not re.search(rf"^(?:async )?def {name}\(", (ROOT / "tests" / file).read_text(encoding="utf-8"), re.M)
    ]
    assert not missing


def test_every_attack_has_a_test() -> None:
    text = PAGE.read_text(encoding="utf-8").split("## What is not defended")[0]
    rows = [line for line in text.splitlines() if line.startswith("| ") and not line.startswith(("| attack", "| ---"))]
    assert len(rows) > 25
    assert all("::test_" in row for row in rows)
