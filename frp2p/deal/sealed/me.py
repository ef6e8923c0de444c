"""The seat that this program sits in, with everything secret that its tasks need."""

from __future__ import annotations

from dataclasses import dataclass, field

from frp2p.deal.dealer import Entropy
from frp2p.deal.sealed.keys import Secrets
from frp2p.games.verbs import Seat


@dataclass(frozen=True)
class Me:
    """An observer has none."""

    seat: Seat
    secrets: Secrets
    entropy: Entropy = field(repr=False)
