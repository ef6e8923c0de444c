"""The peer: everything one program does at a table, without sockets, clock or randomness of its own.

A driver hands in what happens, with the time (seconds of a monotonic clock), and then drains `outputs`:

    connected(link, key, channel, now)      # `link`: a number that the driver never uses again; `key`: the Ed25519 key
    receive(link, frame, now)               #   that the channel proved; `channel`: 32 bytes equal at both ends only
    disconnected(link, now)
    act(move, now), leave(now)              # the player
    tick(now)                               # at wake_at() at the latest, and whenever it likes
    outputs()                               # after every call: what to send, close, dial and tell

`receive` never raises because of what somebody sent: a frame that is wrong closes its link, a signed statement that is
wrong stops the table with evidence.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from frp2p.deal.dealer import DealerKind, Entropy
from frp2p.errors import LocalError, PeerFault, UserError
from frp2p.games.game import Game, Move
from frp2p.ledger.names import name_problem
from frp2p.ledger.provisions import Provisions
from frp2p.ledger.signing import Signer
from frp2p.table import events, limits
from frp2p.table.access import OPEN, Access
from frp2p.table.desk import Desk
from frp2p.table.greeting import check_hello, make_hello
from frp2p.table.guest_lobby import GuestLobby
from frp2p.table.host_lobby import HostLobby
from frp2p.table.idle import Idle
from frp2p.table.journal import read_journal
from frp2p.table.links import Link
from frp2p.table.messages import Bye, Hello, decode
from frp2p.table.outputs import Output
from frp2p.table.phase import Patience, TableStop
from frp2p.table.seated import Seated
from frp2p.table.status import Fault, Status
from frp2p.table.stopped import Stopped
from frp2p.table.watching import Watching


class Peer:
    """One seat, or one that is going to be."""

    def __init__(
        self,
        signer: Signer,
        name: str,
        *,
        games: Mapping[str, Game],
        dealers: Mapping[str, DealerKind],
        addresses: tuple[str, ...],
        entropy: Entropy,
    ) -> None:
        """`games` and `dealers` by name are all that this peer will ever play with; `addresses` is where it listens
        (`host:port`, best first; at most MAX_ADDRESSES are told to others). UserError if the name can't be shown.
        """
        problem = name_problem(name)
        if problem:
            raise UserError("This name can't be shown to others.", code=problem)
        self._desk = Desk(signer, name, games, dealers, _told(addresses), entropy)
        self._desk.phase = Idle(self._desk)
        self._left = False

    # -- what to become ------------------------------------------------------------------------------------------------

    def host(
        self,
        game: str,
        options: Any,
        seats: int,
        dealer: str = "sealed",
        *,
        access: Access = OPEN,
        provided: Provisions | None = None,
    ) -> None:
        """Open a table and wait in its lobby; UserError if there can't be such a table."""
        self._once()
        if game not in self._desk.games or dealer not in self._desk.dealers:
            raise UserError("There is no such game or dealer here.", code="unknown-game")
        self._desk.phase = HostLobby(self._desk, self._desk.games[game], options, seats, dealer, access, provided)

    def join(
        self,
        host: bytes | None = None,
        *,
        passphrase: bytes = b"",
        places: tuple[str, ...] = (),
        arbiter: bool = False,
    ) -> None:
        """Take a seat (or be the `arbiter`) at the table of the peer with this key, or (None) of the first one that
        shows a lobby, which is at one of these addresses."""
        self._once()
        self._desk.phase = GuestLobby(self._desk, host, passphrase, places, arbiter=arbiter)

    def watch(self, delay: int = 0, places: tuple[str, ...] = ()) -> None:
        """Watch the table of whoever answers at these places, this many steps behind."""
        self._once()
        self._desk.phase = Watching(self._desk, delay, places)

    def admit(self, key: bytes, now: float) -> None:
        """As the host: let this guest in, who asks; UserError `nobody-asks`, `table-full`, `not-host`."""
        self._lobby().admit(key, now)

    def remove(self, key: bytes, now: float) -> None:
        """As the host, before the game begins: send this guest away for good; UserError `nobody-asks`, `not-host`."""
        self._lobby().remove(key, now)

    def _lobby(self) -> HostLobby:
        if not isinstance(self._desk.phase, HostLobby):
            raise UserError("Only the host says who sits down, before the game begins.", code="not-host")
        return self._desk.phase

    def found(self, key: bytes) -> None:
        """This key answered where a table was looked for: nobody else's lobby is listened to from now on."""
        phase = self._desk.phase
        if isinstance(phase, GuestLobby | Watching):
            phase.found(key)

    def restore(self, records: Sequence[bytes], now: float) -> None:
        """Take the seat again (or the arbiter's place) that this journal is about. UserError if this program can't
        play there; LocalError if the journal is not what this very seat wrote (`journal-form`, `journal-version`,
        `journal-differs`).
        """
        self._once()
        memory = read_journal(records)
        desk, charter = self._desk, memory.charter
        if memory.opening.key != desk.key:
            raise LocalError("The journal is of another key.", code="journal-form")
        if charter.game not in desk.games or charter.dealer not in desk.dealers:
            raise UserError("There is no such game or dealer here.", code="unknown-game")
        desk.name = charter.voters[memory.me].name
        try:
            self._run(lambda: Seated.come_back(desk, memory, now))
        except PeerFault as fault:
            raise LocalError(f"The journal is wrong: {fault.message}", code="journal-differs") from fault

    def _once(self) -> None:
        if not isinstance(self._desk.phase, Idle):
            raise LocalError("A peer opens or joins one table in its life.")

    # -- what happens --------------------------------------------------------------------------------------------------

    def connected(self, link: int, key: bytes, channel: bytes, now: float) -> None:
        """There is a new link; say Hello, unless nobody with this key is wanted or too many are here already."""
        links, outbox = self._desk.links, self._desk.outbox
        if self._left or not self._desk.phase.welcome(key):
            outbox.close(link, "left" if self._left else "table-full")
            return
        if key == self._desk.key:
            outbox.close(link, "own-key")
            return
        for other in links.silent():
            if other.key == key:
                self._desk.close(other, "replaced", now)
        if len(links) >= limits.MAX_LINKS:
            outbox.close(link, "busy")
            return
        new = Link(link, key, channel, now)
        links.add(new)
        self._desk.send(new, make_hello(self._desk, new))

    def disconnected(self, link: int, now: float) -> None:
        """A link is gone."""
        gone = self._desk.links.remove(link)
        if gone is not None:
            self._run(lambda: self._desk.phase.lost(gone, now))

    def receive(self, link: int, frame: bytes, now: float) -> None:
        """A frame arrived."""
        known = self._desk.links.get(link)
        if known is not None:
            self._run(lambda: self._take(known, frame, now))

    def moved(self, addresses: tuple[str, ...], now: float) -> None:
        """This machine is at these addresses now; the charter will say so, or it does not matter any more."""
        self._desk.addresses = _told(addresses)
        if isinstance(self._desk.phase, HostLobby):
            self._desk.phase.moved()

    def act(self, move: Move, now: float) -> None:
        """The player's move. IllegalMove, or UserError `not-asked`; the table is as before then."""
        self._run(lambda: self._desk.phase.act(move, now))

    def leave(self, now: float) -> None:
        """Leave for good. In a game this says farewell and stays (the table has not `ended` yet) until the others can
        go on without this seat, or some time has passed; otherwise it is the same as `go`.
        """
        phase, said = self._desk.phase, False

        def farewell() -> None:
            nonlocal said
            said = isinstance(phase, Seated) and not phase.over and phase.leave(now)

        self._run(farewell)
        if isinstance(self._desk.phase, Stopped):
            return
        if not said:
            self.go(now)

    def go(self, now: float) -> None:
        """Say goodbye to all and end here; a seat in a game that is not over can be taken again."""
        phase = self._desk.phase
        self._left = True
        for link in self._desk.links.besides(frozenset()):
            self._desk.links.remove(link.number)
            self._desk.outbox.close(link.number, "host-left" if isinstance(phase, HostLobby) else "left")
        if phase.transcript() is None and not isinstance(phase, Stopped):
            fault = Fault("left", None, "You left the table.")
            self._desk.phase = Stopped(self._desk, phase, fault, None)

    def tick(self, now: float) -> None:
        """Do whatever is due."""
        for link in self._desk.links.silent():
            if now >= link.since + limits.HELLO_SECONDS:
                self._desk.close(link, "hello-timeout", now)
        self._run(lambda: self._desk.phase.tick(now))
        phase = self._desk.phase
        if isinstance(phase, Seated) and phase.gone(now):
            self.go(now)

    # -- what comes of it ----------------------------------------------------------------------------------------------

    def outputs(self) -> list[Output]:
        """What to do now, in order; each output is given once."""
        return self._desk.outbox.drain()

    @property
    def unfinished(self) -> bool:
        """Whether `tick` is due at once, after the outputs so far are carried out: there are proofs to make or to check
        for which what is final need not wait."""
        phase = self._desk.phase
        return not self._left and isinstance(phase, Seated) and phase.unfinished

    def wake_at(self) -> float | None:
        """When `tick` is due next; None if nothing will be without another input."""
        if self._left:
            return None
        timers = [link.since + limits.HELLO_SECONDS for link in self._desk.links.silent()]
        phase = self._desk.phase.wake_at()
        if phase is not None:
            timers.append(phase)
        return min(timers, default=None)

    def status(self) -> Status:
        return self._desk.phase.status()

    @property
    def asked(self) -> bool:
        """Whether this seat has to decide; the same as in `status`, without the rest."""
        return self._desk.phase.asked

    def legal(self) -> tuple[Move, ...]:
        """The moves that this seat may make now; empty if it is not asked."""
        return self._desk.phase.legal()

    def patience(self) -> Patience | None:
        """How long the player may think before somebody makes this move for it; None if that is as long as it likes."""
        return self._desk.phase.patience()

    def transcript(self) -> bytes | None:
        """The whole record, once every seat has attested it."""
        return self._desk.phase.transcript()

    @property
    def ended(self) -> bool:
        """Whether the table is over or stopped here; the same as in `status`, without the rest."""
        phase = self._desk.phase
        return phase.over if isinstance(phase, Seated | Watching) else isinstance(phase, Stopped)

    def settled(self) -> bool:
        """Whether nobody needs this peer any more: stopped, or over here and, as far as they said, everywhere."""
        phase = self._desk.phase
        return phase.settled() if isinstance(phase, Seated) else self.ended

    def serving(self) -> bool:
        """Whether somebody who watches this seat still lacks something that is final."""
        phase = self._desk.phase
        return isinstance(phase, Seated) and phase.serving()

    # -- inside --------------------------------------------------------------------------------------------------------

    def _run(self, action: Callable[[], None]) -> None:
        """Let the phase do something that may stop the table."""
        try:
            action()
        except TableStop as stop:
            fault = Fault(stop.check, stop.seat, stop.message)
            self._desk.phase = Stopped(self._desk, self._desk.phase, fault, stop.tell)
            self._desk.notice(events.Stopped(stop.seat, stop.check, stop.evidence))

    def _take(self, link: Link, frame: bytes, now: float) -> None:
        try:
            self._dispatch(link, frame, now)
        except PeerFault as fault:
            self._desk.refuse(self._seat_of(link), fault)
            self._desk.close(link, fault.check, now)
            self._desk.phase.dismissed(link, fault.check, now)

    def _dispatch(self, link: Link, frame: bytes, now: float) -> None:
        message = decode(frame, greeted=link.greeted)
        if isinstance(message, Bye):
            self._goodbye(link, message, now)
        elif isinstance(message, Hello):
            self._greet(link, message, now)
        elif link.greeted:
            self._desk.phase.handle(link, message, now)
        # Anything else overtook the Hello and is dropped; what it said can be pulled.

    def _greet(self, link: Link, hello: Hello, now: float) -> None:
        """The other end said who it is; a second Hello must be a copy of the first."""
        if link.hello is not None:
            if hello != link.hello:
                raise PeerFault("hello-twice", "Another Hello on the same link.")
            return
        check_hello(hello, link)
        older = self._desk.links.greet(link, hello)
        if older is not None:
            self._desk.close(older, "replaced", now)
        self._desk.phase.greeted(link, now)

    def _goodbye(self, link: Link, bye: Bye, now: float) -> None:
        self._desk.outbox.close(link.number, bye.reason, tell=False)
        current = self._desk.links.remove(link.number)
        self._desk.phase.dismissed(link, bye.reason, now)
        if current is not None:
            self._desk.phase.lost(link, now)

    def _seat_of(self, link: Link) -> int | None:
        """The seat at the other end, None for a stranger."""
        if self._desk.phase.game is None:
            return None
        return next((seat.seat for seat in self._desk.phase.status().seats if seat.key == link.key), None)


def _told(addresses: tuple[str, ...]) -> tuple[str, ...]:
    """As many of our addresses as others take."""
    return tuple(address for address in addresses if len(address) <= limits.ADDRESS_BYTES)[: limits.MAX_ADDRESSES]
