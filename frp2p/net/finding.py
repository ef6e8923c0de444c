"""What the doctor found: a value, with the sentence for people and the facts for a report."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import msgspec

Level: TypeAlias = Literal["fine", "note", "warning", "broken"]
"""`note`: worth knowing; `warning`: may be the reason if something does not work; `broken`: does not work."""
Part: TypeAlias = Literal["machine", "direct", "discovery"]
"""What a finding is about: this machine, connections to an address, or finding tables without one."""


class Finding(msgspec.Struct, frozen=True):
    """`check` is stable, `text` is in the language in use, `facts` are plain values (never a secret)."""

    check: str
    part: Part
    level: Level
    text: str
    facts: dict[str, Any] = {}


def exit_code(findings: list[Finding]) -> int:
    """0: fine; 1: tables are not found by themselves, but connections to an address work; 2: those do not work."""
    broken = {finding.part for finding in findings if finding.level == "broken"}
    return 2 if "direct" in broken else 1 if "discovery" in broken else 0
