"""Whole games with cursed items by real peers and the real dealer, until every item has been used."""

from __future__ import annotations

import random
from collections.abc import Iterator
from io import BytesIO
from typing import Any

import pytest

from frp2p.cards import CardId, sets
from frp2p.deal.sealed import SealedKind
from frp2p.games.fantasy_realms.game import GAME
from frp2p.games.fantasy_realms.moves import SwapItem, UseItem
from frp2p.games.fantasy_realms.options import Options
from frp2p.games.game import Game, Move
from frp2p.ledger.verify import verify
from frp2p.table.events import Moved
from frp2p.testing.table import MemoryTable

TABLES = (
    (3, Options(cursed_items=True, extra_suits=True)),
    (4, Options(cursed_items=True)),
    (2, Options(cursed_items=True, mode="duel", unlinkable_hands=False)),
    (2, Options(cursed_items=True, rounds=2)),
    (3, Options(cursed_items=True, jester=True, phoenix="deluxe")),
    (2, Options(cursed_items=True, mode="duel", extra_suits=True)),
)

MAX_GAMES = 4 * len(TABLES)
"""Which items turn up is a matter of dice; in so many games each does, unless something keeps it from being used."""


def eager(game: Game, view: Any, legal: tuple[Move, ...], dice: random.Random) -> Move:
    """Uses its item as soon as it can, swaps one that it can't use, answers by dice."""
    for move in legal:
        if isinstance(move, UseItem):
            return move
    if SwapItem() in legal:
        return SwapItem()
    if view.phase in ("item", "discard"):
        return dice.choice(legal)
    return legal[0] if dice.random() < 0.7 else dice.choice(legal)


def used(table: MemoryTable) -> Iterator[CardId]:
    for event in table.network.events[table.keys[0]]:
        if isinstance(event, Moved) and isinstance(event.move, UseItem):
            yield event.move.item


@pytest.mark.slow
@pytest.mark.timeout(1200)  # about 45 seconds of work; other tests may run beside it
def test_every_item_is_dealt_for_and_verified() -> None:
    seen: set[CardId] = set()
    for seed in range(MAX_GAMES):
        seats, options = TABLES[seed % len(TABLES)]
        table = MemoryTable(seed, seats, GAME, options, SealedKind(), choose=eager)
        assert table.play(), [peer.status().fault for peer in table.peers]
        assert {peer.status().phase for peer in table.peers} == {"over"}
        report = verify(BytesIO(table.peers[0].transcript() or b""), {GAME.name: GAME}, {"sealed": SealedKind()})
        assert {peer.status().digest for peer in table.peers} == {report.digest}
        seen.update(used(table))
        if seed + 1 >= len(TABLES) and seen == set(sets.items()):
            return
    pytest.fail(f"not used in {MAX_GAMES} games: {set(sets.items()) - seen}")
