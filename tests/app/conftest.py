"""Every test of a session writes into a folder of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from frp2p.store.home import VARIABLE


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    return tmp_path
