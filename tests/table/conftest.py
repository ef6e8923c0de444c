"""What tests of whole tables share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from frp2p.testing import shared


@pytest.fixture
def computed_once() -> Iterator[None]:
    """Whatever depends on bytes alone is computed once for all peers of this process."""
    with shared.computed_once():
        yield
