"""How a table with a sealed dealer begins."""

from __future__ import annotations

from collections.abc import Mapping

from frp2p.cards import CardId
from frp2p.deal.context import params_hash
from frp2p.deal.dealer import Entropy
from frp2p.deal.decks import Decks
from frp2p.deal.group import Group
from frp2p.deal.group.choose import default_group
from frp2p.deal.limits import check_seats
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
        recovery: bool = False,
    ) -> SealedSetup:
        seats = len(identities)
        check_seats(seats, recovery)
        if len(set(identities)) != seats:
            raise LocalError("each seat has an identity of its own")
        known = Decks(decks)
        return SealedSetup(
            group=self.group,
            params=params_hash(charter=charter_digest, params=params_digest, seats=seats, decks=known),
            identities=identities,
            decks=known,
            me=me,
            entropy=entropy,
            recovery=recovery,
        )
