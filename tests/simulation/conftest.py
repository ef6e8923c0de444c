"""All peers of a simulation live in one process, so what depends on bytes alone is computed once for all of them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from frp2p.testing.shared import computed_once


@pytest.fixture(autouse=True)
def _computed_once() -> Iterator[None]:
    with computed_once():
        yield
