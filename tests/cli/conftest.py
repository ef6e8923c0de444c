"""The commands that check records use the rig of the ledger's own tests."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from frp2p import locale
from frp2p.store.home import VARIABLE

LEDGER = str(Path(__file__).resolve().parents[1] / "ledger")

if LEDGER not in sys.path:
    sys.path.append(LEDGER)


@pytest.fixture
def new_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder to work in, a home that is not there yet, and no wish for a language; English again after it."""
    monkeypatch.setenv(VARIABLE, str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    yield tmp_path / "home"
    locale.use("en")
