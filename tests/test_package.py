"""The package as a whole: what is installed is what the project says."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent


def names(lines: list[str]) -> set[str]:
    return {re.split(r"[=<>; \[]", line)[0].lower().replace("_", "-") for line in lines}


def test_every_dependency_is_pinned_with_hashes() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    wanted = {
        "run": project["project"]["dependencies"],
        **project["dependency-groups"],
    }
    for group, requirements in wanted.items():
        text = (ROOT / "requirements" / f"{group}.txt").read_text(encoding="utf-8")
        pinned = re.findall(r"^([A-Za-z0-9._-]+)==[^\n]*\\\n(?: +--hash=sha256:[0-9a-f]{64})", text, flags=re.M)
        assert names(requirements) <= names(pinned), group
        assert "://" not in text, "a lock names packages, never addresses"


def test_every_dependency_has_its_reason() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    page = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8").lower()
    every = project["project"]["dependencies"] + [r for g in project["dependency-groups"].values() for r in g]
    missing = sorted(name for name in names(every) if f"`{name}`" not in page)
    assert not missing
