"""All peers of a simulation live in one process, so what depends on bytes alone is computed once for all of them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from io import BytesIO

import pytest

from frp2p.deal.dealer import DealerKind
from frp2p.games.game import Game
from frp2p.ledger import records
from frp2p.ledger.referee import Referee
from frp2p.ledger.signing import verify
from frp2p.ledger.verify import replay
from frp2p.table import loop, peer
from frp2p.table.messages import decode


@pytest.fixture(autouse=True)
def _computed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "verify", lru_cache(maxsize=4096)(verify))
    monkeypatch.setattr(peer, "decode", lru_cache(maxsize=4096)(decode))
    for name in ("read_part_body", "read_ack_body"):
        once = lru_cache(maxsize=4096)(getattr(records, name))
        monkeypatch.setattr(records, name, once)
        monkeypatch.setattr(loop, name, once)
    last: dict[bytes, Referee] = {}

    def replay_once(source: BytesIO, games: Mapping[str, Game], dealers: Mapping[str, DealerKind]) -> Referee:
        record = source.read()
        if record not in last:
            last.clear()
            last[record] = replay(BytesIO(record), games, dealers)
        return last[record]

    monkeypatch.setattr(loop, "replay", replay_once)
