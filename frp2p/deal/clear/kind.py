"""How a table with a clear dealer begins: one round in which every seat adds to the seed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from frp2p.cards import CardId
from frp2p.deal.clear.dealer import ClearDealer
from frp2p.deal.clear.messages import MIX_SIZE, Hello
from frp2p.deal.context import params_hash
from frp2p.deal.dealer import Entropy
from frp2p.deal.decks import Decks
from frp2p.deal.fields import hash_fields
from frp2p.deal.limits import check_seats
from frp2p.errors import LocalError, PeerFault
from frp2p.games.verbs import Seat


class ClearSetup:
    """`DealerSetup` of the clear dealer."""

    contribution_type: Any = Hello

    def __init__(
        self, *, params: bytes, seats: int, decks: Decks, me: Seat | None, entropy: Entropy, recovery: bool
    ) -> None:
        self._params = params
        self._seats = seats
        self._decks = decks
        self._me = me
        self._entropy = entropy
        self._recovery = recovery
        self._mine: Hello | None = None
        self._mixes: list[bytes] | None = None

    def speakers(self) -> tuple[Seat, ...]:
        return tuple(range(self._seats)) if self._mixes is None else ()

    def speak(self) -> Hello:
        if self._me is None or self._mixes is not None:
            raise LocalError("this seat does not speak now", code="deal-misuse")
        if self._mine is None:
            self._mine = Hello(self._entropy(MIX_SIZE))
        return self._mine

    def check(self, seat: Seat, contribution: Any) -> None:
        if seat not in self.speakers():
            raise PeerFault("deal-speaker", seat=seat)
        if not isinstance(contribution, Hello):
            raise PeerFault("deal-type", seat=seat)

    def close(self, contributions: Mapping[Seat, Any]) -> None:
        if not contributions or set(contributions) != set(self.speakers()):
            raise LocalError("a round closes with one contribution of every speaker", code="deal-misuse")
        for seat, contribution in contributions.items():
            self.check(seat, contribution)
        self._mixes = [contributions[seat].mix for seat in range(self._seats)]

    def finish(self) -> ClearDealer:
        if self._mixes is None:
            raise LocalError("the set-up is not finished", code="deal-misuse")
        seed = hash_fields("clear-seed", ("params", self._params), ("mixes", self._mixes))
        return ClearDealer(
            me=self._me,
            seats=self._seats,
            decks=self._decks,
            seed=seed,
            entropy=self._entropy,
            recovery=self._recovery,
        )


class ClearKind:
    """`DealerKind` of simulations and tests."""

    name = "clear"

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
    ) -> ClearSetup:
        seats = len(identities)
        check_seats(seats, recovery)
        known = Decks(decks)
        params = params_hash(charter=charter_digest, params=params_digest, seats=seats, decks=known)
        return ClearSetup(params=params, seats=seats, decks=known, me=me, entropy=entropy, recovery=recovery)
