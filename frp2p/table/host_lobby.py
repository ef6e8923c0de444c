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
from frp2p.ledger.provisions import Provisions, problem_with, provisions
from frp2p.table import limits
from frp2p.table.access import OPEN, Access
from frp2p.table.desk import Desk
from frp2p.table.events import Asked, Joined, Left
from frp2p.table.links import Link
from frp2p.table.lobby import BeforeCharter, as_arbiter, seat_statuses
from frp2p.table.lock import HostLock
from frp2p.table.messages import AnyMessage, Join, Lobby, Member, Proposal, Pull, Unlock
from frp2p.table.seated import Seated
from frp2p.table.status import Status


class Chair(msgspec.Struct, frozen=True):
    """Somebody who sits here (or is the `arbiter`), or asks to (since `asked`), and the nonce that its Join brought."""

    member: Member
    nonce: bytes
    asked: float = 0.0
    arbiter: bool = False

    def at(self, addresses: tuple[str, ...]) -> Chair:
        """The same at these addresses."""
        return msgspec.structs.replace(self, member=msgspec.structs.replace(self.member, addresses=addresses))

    def charted(self) -> ChartedSeat:
        """As the charter has it."""
        return ChartedSeat(self.member.key, self.member.name, self.nonce)


class HostLobby(BeforeCharter):
    """`options` are of the game's own type; `seats` counts the host too; `access`: who may sit down; `provided`: what
    is done about losses, by default what `provisions` says.
    """

    def __init__(
        self,
        desk: Desk,
        game: Game,
        options: Any,
        seats: int,
        dealer: str,
        access: Access = OPEN,
        provided: Provisions | None = None,
    ) -> None:
        """UserError if such a table can't be opened."""
        super().__init__(desk)
        if not MIN_SEATS <= seats <= MAX_SEATS:
            raise UserError(f"A table has {MIN_SEATS} to {MAX_SEATS} seats.", code="seats-wanted")
        game.check_options(options, seats)
        if provided is not None and (problem := problem_with(provided, seats)):
            raise UserError(problem, code="charter-provisions")
        self._game = game
        self._options = options
        self._seats = seats
        self._dealer = dealer
        self._provisions = provided or provisions(seats)
        self._access = access
        self._lock = HostLock(desk, access.passphrase)
        self._chairs = [Chair(Member(desk.key, desk.name, desk.addresses), desk.entropy(NONCE_SIZE))]
        self._arbiter: Chair | None = None
        self._asking: dict[bytes, Chair] = {}
        """Those who wait at the door, by key, the first one first."""
        self._removed: dict[bytes, None] = {}
        """The keys that the host does not want, the oldest first."""
        self._begins: float | None = None
        """When the table that is full begins."""

    # -- what the host says --------------------------------------------------------------------------------------------

    def admit(self, key: bytes, now: float) -> None:
        """Let somebody in who asks; UserError `nobody-asks`, `table-full`, `no-arbiter`."""
        chair = self._asking.get(key)
        if chair is None:
            raise UserError("Nobody with this key asks for a seat.", code="nobody-asks")
        if taken := self._taken(arbiter=chair.arbiter):
            raise UserError(taken.message, code=taken.check)
        del self._asking[key]
        self._sit(chair, now)

    def remove(self, key: bytes, now: float) -> None:
        """Send somebody away who sits here or asks, for as long as this table is; UserError `nobody-asks`."""
        link = self.desk.links.of(key)
        if key == self.desk.key or link is None or not (self._sits(key) or key in self._asking):
            raise UserError("Nobody with this key sits here or asks for a seat.", code="nobody-asks")
        self._removed[key] = None
        while len(self._removed) > limits.MAX_REMOVED:
            del self._removed[next(iter(self._removed))]
        self.desk.close(link, "removed", now)

    def moved(self) -> None:
        """The host is at other addresses now."""
        self._chairs[0] = self._chairs[0].at(self.desk.addresses)
        self._tell()

    # -- links and messages --------------------------------------------------------------------------------------------

    def greeted(self, link: Link, now: float) -> None:
        """Show what will be played and who is here, to whoever may see it."""
        if link.key in self._removed:
            raise PeerFault("removed", "The host has sent this player away.")
        if self._lock.open_to(link):
            self.desk.send(link, self._lobby())
        else:
            self._lock.ask(link)

    def lost(self, link: Link, now: float) -> None:
        """Somebody whose link is gone has left; it may join again."""
        self._lock.forget(link)
        self._asking.pop(link.key, None)
        for chair in self._here()[1:]:
            if chair.member.key == link.key:
                self._chairs = [other for other in self._chairs if other is not chair]
                self._arbiter = None if chair is self._arbiter else self._arbiter
                self._begins = None
                self.desk.notice(Left(chair.member.name))
                self._tell()

    def handle(self, link: Link, message: AnyMessage, now: float) -> None:
        """Join, and the answer to the passphrase; anything else does not belong here and is dropped (it may have been
        on its way for long)."""
        if isinstance(message, Unlock):
            if self._lock.take(link, message):
                self.desk.send(link, self._lobby())
        elif isinstance(message, Pull):
            self._take_watcher(link)
        elif not isinstance(message, Join):
            return
        elif not self._lock.open_to(link):
            self._lock.ask(link)
        elif self._sits(link.key) or link.key in self._asking:
            self._follow(link.key, message.addresses)
            self.desk.send(link, self._lobby())
        else:
            self._take_join(link, message, now)

    def _take_watcher(self, link: Link) -> None:
        """Somebody who waits for the game to begin, to watch it; a few may stay as long as they see the lobby."""
        watching = sum(other.watches for other in self.desk.links.greeted())
        seated = self._sits(link.key) or link.key in self._asking
        if self._provisions.watched and self._lock.open_to(link) and not seated and watching < limits.MAX_WATCHERS:
            link.watches = True

    def _take_join(self, link: Link, join: Join, now: float) -> None:
        if taken := self._taken(arbiter=join.arbiter):
            raise taken
        here = [*self._here(), *self._asking.values()]
        if looks_like(link.name) in {looks_like(chair.member.name) for chair in here}:
            raise PeerFault("name-taken", "Somebody here has a name like this.")
        link.watches = False
        chair = Chair(Member(link.key, link.name, join.addresses), join.nonce, now, join.arbiter)
        if not self._access.ask or link.key in self._access.invited:
            self._sit(chair, now)
            return
        if len(self._asking) >= limits.MAX_ASKING:
            raise PeerFault("busy", "Too many ask for a seat.")
        self._asking[link.key] = chair
        self.desk.notice(Asked(link.name))
        self.desk.send(link, self._lobby())

    def _follow(self, key: bytes, addresses: tuple[str, ...]) -> None:
        """Who sits here, or asks, says where it is now."""
        self._chairs[1:] = [chair.at(addresses) if chair.member.key == key else chair for chair in self._chairs[1:]]
        if self._arbiter is not None and self._arbiter.member.key == key:
            self._arbiter = self._arbiter.at(addresses)
        if key in self._asking:
            self._asking[key] = self._asking[key].at(addresses)

    def _taken(self, *, arbiter: bool) -> PeerFault | None:
        """Why there is no seat (or no place for an arbiter) left, None if there is one."""
        if not arbiter:
            return PeerFault("table-full", "All seats are taken.") if len(self._chairs) >= self._seats else None
        if not self._provisions.arbiter or self._arbiter is not None:
            return PeerFault("no-arbiter", "This table has no place for an arbiter, or it is taken.")
        return None

    def _sit(self, chair: Chair, now: float) -> None:
        if chair.arbiter:
            self._arbiter = chair
        else:
            self._chairs.append(chair)
        self.desk.notice(Joined(chair.member.name))
        self._tell()
        if len(self._here()) == self._seats + self._provisions.arbiter:
            self._begins = now + self._access.pause
            self.tick(now)

    def _here(self) -> list[Chair]:
        """Those who sit, the host first, and the arbiter."""
        return self._chairs if self._arbiter is None else [*self._chairs, self._arbiter]

    def _sits(self, key: bytes) -> bool:
        return any(chair.member.key == key for chair in self._here())

    # -- time ----------------------------------------------------------------------------------------------------------

    def tick(self, now: float) -> None:
        """Begin when it is time; close the links of those who only look, or were not let in. (What is lost is repeated
        by the guests.)"""
        if self._begins is not None and now >= self._begins:
            self._begin(now)
            return
        for link, until, reason in self._deadlines():
            if now >= until:
                self.desk.close(link, reason, now)

    def wake_at(self) -> float | None:
        times = [until for _link, until, _reason in self._deadlines()]
        return min(times if self._begins is None else [self._begins, *times], default=None)

    def _deadlines(self) -> list[tuple[Link, float, str]]:
        """Who has to go when, and why."""
        found = []
        for link in self.desk.links.besides(frozenset(chair.member.key for chair in self._here())):
            asking = self._asking.get(link.key)
            if asking is not None and self.desk.links.of(link.key) is link:
                found.append((link, asking.asked + limits.ASK_SECONDS, "not-admitted"))
            elif not link.watches:
                found.append((link, link.since + limits.JOIN_SECONDS, "join-timeout"))
        return found

    # -- what it looks like --------------------------------------------------------------------------------------------

    def status(self) -> Status:
        members = tuple(chair.member for chair in self._chairs)
        chairs = tuple(self._asking.values())
        asking = seat_statuses(self.desk, tuple(chair.member for chair in chairs))
        return msgspec.structs.replace(
            self.lobby_status(self._game.name, self._options, self._seats, members, self._arbiter_member()),
            asking=tuple(as_arbiter(one) if chair.arbiter else one for one, chair in zip(asking, chairs, strict=True)),
            locked=self._lock.locked,
            provisions=self._provisions,
            starting=self._begins is not None,
        )

    def _lobby(self) -> Lobby:
        members = tuple(chair.member for chair in self._chairs)
        options = encode(self._options)
        terms = self._game.name, options, self._seats, self._dealer, self._provisions
        return Lobby(*terms, members, self._arbiter_member())

    def _arbiter_member(self) -> Member | None:
        return None if self._arbiter is None else self._arbiter.member

    def _tell(self) -> None:
        """Who is here now, to everybody who may see it."""
        lobby = self._lobby()
        self.desk.outbox.send((link.number for link in self.desk.links.greeted() if self._lock.open_to(link)), lobby)

    def _begin(self, now: float) -> None:
        """The table is full: write the charter, show it to all, and become a seat like every other."""
        seats = tuple(chair.charted() for chair in self._chairs)
        arbiter = None if self._arbiter is None else self._arbiter.charted()
        charter = new_charter(self._game, self._options, self._dealer, seats, self._provisions, arbiter)
        proposal = Proposal(encode(charter), tuple(chair.member.addresses for chair in self._here()))
        Seated.sit_down(self.desk, charter, proposal, now, tell=True)
