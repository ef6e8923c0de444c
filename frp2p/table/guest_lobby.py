"""The lobby of a guest: ask the host for a seat, then read the charter before signing it."""

from __future__ import annotations

from typing import Any

import msgspec

from frp2p.errors import PeerFault, UserError
from frp2p.games.game import Game
from frp2p.ledger.charter import NONCE_SIZE, Charter, check_charter, read_charter
from frp2p.ledger.codec import decode, encode
from frp2p.ledger.limits import MAX_OPTIONS
from frp2p.ledger.names import check_name
from frp2p.ledger.provisions import Provisions, problem_with
from frp2p.locale import N_
from frp2p.table import limits
from frp2p.table.desk import Desk
from frp2p.table.events import Joined, Left
from frp2p.table.links import Link
from frp2p.table.lobby import BeforeCharter
from frp2p.table.lock import GuestKey
from frp2p.table.messages import AnyMessage, Join, Lobby, Locked, Proposal, Pull, Unlocked
from frp2p.table.phase import TableStop
from frp2p.table.seated import Seated
from frp2p.table.status import Status


class GuestLobby(BeforeCharter):
    """`host`: the key whose table this is; None takes the one that is `found`, or else the first that shows a lobby.

    A driver that dials a host says whose key it found there: otherwise somebody else who dials this peer first could
    offer another table. `passphrase`: that of the table; a host that does not ask for it is not the one that is meant.
    `places`: addresses at which the host is looked for again where it was lost before it showed its own. `arbiter`:
    whether to be the arbiter instead of having a seat.
    """

    def __init__(
        self,
        desk: Desk,
        host: bytes | None,
        passphrase: bytes = b"",
        places: tuple[str, ...] = (),
        *,
        arbiter: bool = False,
    ) -> None:
        super().__init__(desk)
        self._arbiter = arbiter
        self._host = host
        self._places = places
        self._lock = GuestKey(desk, passphrase)
        self._nonce = desk.entropy(NONCE_SIZE)
        self._lobby: Lobby | None = None
        self._options: Any = None
        self._again = 0.0
        """When the next Join (linked) or Dial (not linked) is due."""
        self._patience: float | None = None
        """Until when a host is looked for; None while there is a link to it."""

    def found(self, key: bytes) -> None:
        """The host is the first key that answered where it was looked for."""
        if self._host is None:
            self._host = key

    def greeted(self, link: Link, now: float) -> None:
        """Ask the host for a seat; others are members who have the charter already, and then it is on its way."""
        if self._host in (None, link.key):
            self._patience = None
            self._join(now)

    def lost(self, link: Link, now: float) -> None:
        if not self._hosts():
            self._miss(now)

    def _miss(self, now: float) -> None:
        """There is no link to the host (any more): look for it, but not for ever."""
        self._patience = now + limits.HOST_SECONDS
        self._again = now + limits.DIAL_FIRST

    def dismissed(self, link: Link, reason: str, now: float) -> None:
        """The host does not want to go on, or said what nobody may say: that is so on the next link too.

        Of others, as long as it is not known who the host is, only a refusal counts.
        """
        final = reason not in TRIED_AGAIN if self._host is not None else reason in REFUSALS
        if final and self._host in (None, link.key):
            raise TableStop(reason, None, N_("The link to the host was closed for a reason that is not known here."))

    def handle(self, link: Link, message: AnyMessage, now: float) -> None:
        """What the host says; anything else is dropped, but for the wish to watch the game once it begins."""
        if isinstance(message, Pull) and link.key != self._host:
            others = sum(other.watches for other in self.desk.links.greeted() if other is not link)
            link.watches = others < limits.MAX_WATCHERS
        if self._host not in (None, link.key):
            return
        try:
            if isinstance(message, Locked):
                self._host = link.key  # nobody else gets an answer: each is good for testing one guess
                self._lock.asked(link, message)
            elif isinstance(message, Unlocked):
                if self._lock.told(link, message):
                    self._join(now)
            elif isinstance(message, Lobby):
                self._take_lobby(link, message, now)
            elif isinstance(message, Proposal) and self._lobby is not None:
                Seated.sit_down(self.desk, self._read(message), message, now)
        except PeerFault as fault:
            # Nothing is signed yet, so whatever is wrong with a host is a reason to leave, and blames nobody.
            raise TableStop(fault.check, None, fault.message) from fault

    def tick(self, now: float) -> None:
        if now < self._again:
            return
        if self._hosts():
            self._join(now)
        elif self._patience is None:
            self._miss(now)
        elif now >= self._patience:
            raise TableStop("host-left", None, "The host has gone away.")
        else:
            self._again = min(now + limits.DIAL_LAST, self._patience)
            if self._host is not None and (addresses := self._host_addresses()):
                self.desk.outbox.dial(self._host, addresses)

    def wake_at(self) -> float | None:
        return self._again

    def status(self) -> Status:
        if self._lobby is None:
            return self.lobby_status("", None, 0, ())
        lobby = self._lobby
        status = self.lobby_status(lobby.game, self._options, lobby.seats, lobby.members, lobby.arbiter)
        mine = {"watching": self._arbiter, "arbitrating": self._arbiter}
        return msgspec.structs.replace(status, provisions=lobby.provisions, **mine)

    def _hosts(self) -> tuple[Link, ...]:
        """The links to the host; to everybody as long as nobody has shown a lobby, for only a host takes notice."""
        return tuple(link for link in self.desk.links.greeted() if self._host in (None, link.key))

    def _join(self, now: float) -> None:
        """Ask for a seat; of a host that does not know the passphrase yet, or has not said so, only say that again."""
        join = Join(self._nonce, self.desk.addresses, self._arbiter)
        for link in self._hosts():
            if self._lock.trusts(link):
                self.desk.send(link, join)
            else:
                self._lock.repeat(link)
        self._again = now + limits.LOBBY_SECONDS

    def _host_addresses(self) -> tuple[str, ...]:
        members = self._lobby.members if self._lobby else ()
        return next((member.addresses for member in members if member.key == self._host), self._places)

    def _take_lobby(self, link: Link, lobby: Lobby, now: float) -> None:
        """Only of a host that is known to know the passphrase, where there is one."""
        if self._lock.trusts(link):
            self._shown(link, lobby, now)
        elif not self._lock.waits(link):
            raise TableStop("not-locked", None, "This table has no passphrase.")

    def _shown(self, link: Link, lobby: Lobby, now: float) -> None:
        """A lobby of the host: the first one is an offer, later ones must offer the same and differ in the members."""
        for member in lobby.everybody():
            check_name(member.name)
        if self._arbiter and not lobby.provisions.arbiter:
            raise TableStop("no-arbiter", None, "This table has no arbiter.")
        if self._lobby is None:
            self._options = self._read_options(lobby)
            self._host, self._lobby = link.key, lobby
            self._join(now)
            return
        if _terms(lobby) != _terms(self._lobby):
            raise TableStop("lobby-changed", None, "The host changed what will be played.")
        before = {member.key: member.name for member in self._lobby.everybody()}
        after = {member.key: member.name for member in lobby.everybody()}
        self._lobby = lobby
        for key in after.keys() - before.keys():
            self.desk.notice(Joined(after[key]))
        for key in before.keys() - after.keys():
            self.desk.notice(Left(before[key]))

    def _read_options(self, lobby: Lobby) -> Any:
        """The options of the offered game; TableStop if this program can't play that."""
        game = self.desk.games.get(lobby.game)
        if game is None or lobby.dealer not in self.desk.dealers:
            raise TableStop("unknown-game", None, "This program does not know the game of this table.")
        options = decode(lobby.options, game.options_type, cap=MAX_OPTIONS)
        try:
            game.check_options(options, lobby.seats)
        except UserError as error:
            raise PeerFault("charter-options", error.message) from error
        if problem := problem_with(lobby.provisions, lobby.seats):
            raise PeerFault("charter-provisions", problem)
        return options

    def _read(self, proposal: Proposal) -> Charter:
        """The charter that was agreed: a good one, my key with my name and my nonce where I asked to be, and the terms
        of the lobby."""
        charter = read_charter(proposal.charter)
        game: Game = check_charter(charter, self.desk.games)
        places = [charter.arbiter] if self._arbiter else charter.seats
        mine = [place for place in places if place is not None and place.key == self.desk.key]
        if [(seat.name, seat.nonce) for seat in mine] != [(self.desk.name, self._nonce)]:
            raise PeerFault("charter-seat", "The charter does not have me as I joined.")
        offered = (game.name, encode(self._options), len(charter.seats), charter.dealer, charter.provisions)
        if self._lobby is None or offered != _terms(self._lobby) or charter.options != self._lobby.options:
            raise PeerFault("charter-terms", "The charter is about something else than the lobby.")
        if self._host not in charter.keys or len(proposal.addresses) != len(charter.voters):
            raise PeerFault("charter-terms", "The charter has no seat for its host, or addresses for other seats.")
        return charter


REFUSALS = frozenset(
    {
        "name-taken",
        "no-arbiter",
        "table-full",
        "wrong-version",
        "host-left",
        "wrong-passphrase",
        "removed",
        "not-admitted",
    }
)
"""The reasons of a host for not letting somebody in."""

TRIED_AGAIN = frozenset({"replaced", "busy", "hello-timeout", "join-timeout", "own-key", "left"})
"""Troubles of one link, for which a guest does not give up a host that it knows."""


def _terms(lobby: Lobby) -> tuple[str, bytes, int, str, Provisions]:
    """What a guest agrees to by joining."""
    return lobby.game, lobby.options, lobby.seats, lobby.dealer, lobby.provisions
