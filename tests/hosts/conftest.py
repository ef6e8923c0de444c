"""Skips the tests of this folder, with the reason, where there can be no network namespaces."""

from __future__ import annotations

import pytest
from lan import why_not


@pytest.fixture(scope="session")
def _reason() -> str:
    return why_not()


@pytest.fixture(autouse=True)
def _needs_namespaces(_reason: str) -> None:
    if _reason:
        pytest.skip(_reason)
