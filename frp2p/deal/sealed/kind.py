"""How a table with a sealed dealer begins."""

from __future__ import annotations

from collections.abc import Mapping

from frp2p.cards import CardId
from frp2p.deal.context import params_hash
from frp2p.deal.dealer import Entropy
from frp2p.deal.decks import Decks
from frp2p.deal.group import Group
from frp2p.deal.group.choose import default_group
from frp2p.deal.limits import MAX_SEATS, MIN_SEATS
from frp2p.deal.sealed.setup import SealedSetup
from frp2p.errors import LocalError
from frp2p.games.verbs import Seat


class SealedKind:
    """`DealerKind` of every real table."""

    name = "sealed"

    def __init__(self, group: Group | None = None) -> None:
        self.group = group or default_group()

    def setup(
        self,
        *,
        charter_digest: bytes,
        params_digest: bytes,
        identities: tuple[bytes, ...],
        decks: Mapping[str, tuple[CardId, ...]],
        me: Seat | None,
        entropy: Entropy,
    ) -> SealedSetup:
        seats = len(identities)
        if not MIN_SEATS <= seats <= MAX_SEATS or len(set(identities)) != seats:
            raise LocalError(f"a table has {MIN_SEATS} to {MAX_SEATS} seats, each with an identity of its own")
        known = Decks(decks)
        return SealedSetup(
            group=self.group,
            params=params_hash(charter=charter_digest, params=params_digest, seats=seats, decks=known),
            identities=identities,
            decks=known,
            me=me,
            entropy=entropy,
        )
