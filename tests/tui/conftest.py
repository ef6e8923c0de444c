"""Every test of the screen starts in English, leaves English behind, and keeps its crash logs for itself."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from frp2p import locale


@pytest.fixture(autouse=True)
def english(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("FRP2P_HOME", str(tmp_path))
    locale.use("en")
    yield
    locale.use("en")
