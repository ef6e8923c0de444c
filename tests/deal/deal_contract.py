"""What the contract of a dealer is tried with."""

from __future__ import annotations

from typing import Any

from deal_rig import HAND, ITEMS, Rig

from frp2p.deal import ClearKind, DealerKind, SealedKind
from frp2p.games.verbs import (
    TABLE,
    Seal,
    Shuffle,
    SlotId,
)

KINDS: tuple[DealerKind, ...] = (ClearKind(), SealedKind())
SEVEN = 7
SHORT = {"hand": HAND[:14], "items": ITEMS}
"""A small deck where the number of cards does not matter: sealed shuffles cost a millisecond a card."""


def table(kind: DealerKind, seats: int = 3, **more: Any) -> Rig:
    return Rig(kind, seats, decks=SHORT, **more).setup()


def deck_of(rig: Rig, cards: tuple[Any, ...] = HAND[:14]) -> tuple[SlotId, ...]:
    """These cards sealed to the table and shuffled by all."""
    (sealed,) = rig.do(Seal(cards, TABLE))
    (shuffled,) = rig.do(Shuffle(sealed.slots, TABLE))
    return shuffled.slots
