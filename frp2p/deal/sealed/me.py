"""The seat that this program sits in, with everything secret that its tasks need."""

from __future__ import annotations

from dataclasses import dataclass, field

from frp2p.cards import CardId
from frp2p.deal.dealer import Entropy
from frp2p.deal.sealed.keys import Secrets
from frp2p.games.verbs import Seat, SlotId


@dataclass(frozen=True)
class Me:
    """An observer has none, or in an audit one of each seat that gave its keys away. `mine`: cards in slots that my key
    alone locks. `seen`: cards in slots that are not mine but that I was shown and can follow."""

    seat: Seat
    secrets: Secrets
    entropy: Entropy = field(repr=False)
    mine: dict[SlotId, CardId] = field(default_factory=dict, repr=False)
    seen: dict[SlotId, CardId] = field(default_factory=dict, repr=False)
