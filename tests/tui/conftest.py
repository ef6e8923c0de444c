"""Every test of the screen starts in English and leaves English behind."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from frp2p import locale


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    locale.use("en")
    yield
    locale.use("en")
