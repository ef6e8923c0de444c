"""The lobby of the host: who asks may sit down, until the table is full; then it writes the charter."""

from __future__ import annotations

from typing import Any

import msgspec

from frp2p.errors import PeerFault, UserError
from frp2p.games.game import Game
from frp2p.ledger.charter import NONCE_SIZE, ChartedSeat, new_charter
from frp2p.ledger.codec import encode
from frp2p.ledger.limits import MAX_SEATS, MIN_SEATS
from frp2p.ledger.names import looks_like
from frp2p.table import limits
from frp2p.table.desk import Desk
from frp2p.table.events import Joined, Left
from frp2p.table.links import Link
from frp2p.table.lobby import BeforeCharter
from frp2p.table.messages import AnyMessage, Join, Lobby, Member, Proposal
from frp2p.table.seated import Seated
from frp2p.table.status import Status


class Chair(msgspec.Struct, frozen=True):
    """A member and the nonce that its Join brought."""

    member: Member
    nonce: bytes


class HostLobby(BeforeCharter):
    """`options` are of the game's own type; `seats` counts the host too."""

    def __init__(self, desk: Desk, game: Game, options: Any, seats: int, dealer: str) -> None:
        """UserError if such a table can't be opened."""
        super().__init__(desk)
        if not MIN_SEATS <= seats <= MAX_SEATS:
            raise UserError(f"A table has {MIN_SEATS} to {MAX_SEATS} seats.", code="seats-wanted")
        game.check_options(options, seats)
        self._game = game
        self._options = options
        self._seats = seats
        self._dealer = dealer
        self._chairs = [Chair(Member(desk.key, desk.name, desk.addresses), desk.entropy(NONCE_SIZE))]

    def greeted(self, link: Link, now: float) -> None:
        """Show what will be played and who is here."""
        self.desk.send(link, self._lobby())

    def lost(self, link: Link, now: float) -> None:
        """A member whose link is gone has left; it may join again."""
        for chair in self._chairs[1:]:
            if chair.member.key == link.key:
                self._chairs.remove(chair)
                self.desk.notice(Left(chair.member.name))
                self.desk.broadcast(self._lobby())

    def handle(self, link: Link, message: AnyMessage, now: float) -> None:
        """Join; anything else does not belong here and is dropped (it may have been on its way for long)."""
        if not isinstance(message, Join):
            return
        if any(chair.member.key == link.key for chair in self._chairs):
            self.desk.send(link, self._lobby())
            return
        name = link.name
        if looks_like(name) in {looks_like(chair.member.name) for chair in self._chairs}:
            raise PeerFault("name-taken", "Somebody here has a name like this.")
        self._chairs.append(Chair(Member(link.key, name, message.addresses), message.nonce))
        self.desk.notice(Joined(name))
        self.desk.broadcast(self._lobby())
        if len(self._chairs) == self._seats:
            self._begin(now)

    def tick(self, now: float) -> None:
        """Close the links of those who only look. (What is lost is repeated by the guests.)"""
        for link in self._onlookers():
            if now >= link.since + limits.JOIN_SECONDS:
                self.desk.close(link, "join-timeout", now)

    def wake_at(self) -> float | None:
        return min((link.since + limits.JOIN_SECONDS for link in self._onlookers()), default=None)

    def _onlookers(self) -> tuple[Link, ...]:
        return self.desk.links.besides(frozenset(chair.member.key for chair in self._chairs))

    def status(self) -> Status:
        members = tuple(chair.member for chair in self._chairs)
        return self.lobby_status(self._game.name, self._options, self._seats, members)

    def _lobby(self) -> Lobby:
        members = tuple(chair.member for chair in self._chairs)
        return Lobby(self._game.name, encode(self._options), self._seats, self._dealer, members)

    def _begin(self, now: float) -> None:
        """The table is full: write the charter, show it to all, and become a seat like every other."""
        seats = tuple(ChartedSeat(chair.member.key, chair.member.name, chair.nonce) for chair in self._chairs)
        charter = new_charter(self._game, self._options, self._dealer, seats)
        proposal = Proposal(encode(charter), tuple(chair.member.addresses for chair in self._chairs))
        Seated.sit_down(self.desk, charter, proposal, now, tell=True)
