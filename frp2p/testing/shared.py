"""All peers of a simulation live in one process, so what depends on bytes alone is computed once for all of them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from io import BytesIO
from typing import Any

from frp2p.deal.dealer import DealerKind
from frp2p.games.game import Game
from frp2p.ledger import records, signing
from frp2p.ledger import verify as verifying
from frp2p.ledger.referee import Referee
from frp2p.table import messages

KEPT = 8192
"""Results of each function that are kept: more than one game makes at a time."""


@contextmanager
def computed_once() -> Iterator[None]:
    """Within this, signatures and encodings are checked once for all peers, and so is a whole record."""
    plain = (signing.verify, signing.check_key, messages.decode, records.read_part_body, records.read_ack_body)
    swaps = [everywhere(function, lru_cache(maxsize=KEPT)(function)) for function in plain]
    swaps.append(everywhere(verifying.replay, _last_record(verifying.replay)))
    try:
        yield
    finally:
        for undo in swaps:
            undo()


def replaced(module: Any, name: str, instead: Any) -> Callable[[], None]:
    """Put this in the place of a name of a module (or of a method of a class); what is returned undoes it."""
    before = getattr(module, name)
    setattr(module, name, instead)
    return lambda: setattr(module, name, before)


def everywhere(function: Any, instead: Any) -> Callable[[], None]:
    """The same in every module of frp2p that has imported the function."""
    name = function.__name__
    found = [module for at, module in list(sys.modules.items()) if at.split(".")[0] == "frp2p"]
    undo = [replaced(module, name, instead) for module in found if vars(module).get(name) is function]

    def undo_all() -> None:
        for one in undo:
            one()

    return undo_all


def _last_record(replay: Callable[..., Referee]) -> Callable[..., Referee]:
    """Every seat reads the same record at the end; the referee is only looked at."""
    last: dict[bytes, Referee] = {}

    def replay_once(source: BytesIO, games: Mapping[str, Game], dealers: Mapping[str, DealerKind]) -> Referee:
        record = source.read()
        if record not in last:
            last.clear()
            last[record] = replay(BytesIO(record), games, dealers)
        return last[record]

    return replay_once
