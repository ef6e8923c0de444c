"""The attacks use the rigs of the dealers' and the table's own tests; each test says which pitfalls it is about."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[1]

for folder in ("deal", "table"):
    if (path := str(TESTS / folder)) not in sys.path:
        sys.path.append(path)


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "pitfall(*numbers): runs these attacks of docs/threat-model.md")
