"""Opening a table and sitting down at one: what a session needs, put together."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Mapping
from typing import Any

from frp2p.app.left import LeftTable
from frp2p.app.player import Player
from frp2p.app.session import LINGER_SECONDS, Session
from frp2p.deal.dealer import DealerKind
from frp2p.deal.entropy import fresh
from frp2p.deal.group.choose import default_group
from frp2p.deal.sealed import SealedKind
from frp2p.errors import LocalError, UserError
from frp2p.games.fantasy_realms import GAME
from frp2p.games.game import Move
from frp2p.games.registry import games
from frp2p.ledger.provisions import Provisions
from frp2p.locale import _
from frp2p.locale.reason import reason
from frp2p.net.address import DEFAULT_PORT, Address, listening_socket
from frp2p.net.beside import in_thread
from frp2p.net.interfaces import LOOPBACK, check_wanted, interface_addresses
from frp2p.store.identity import Identity
from frp2p.store.journal import TableJournal
from frp2p.table.access import OPEN, Access
from frp2p.table.peer import Peer

DEALER = "sealed"

RESUMED_LINGER_SECONDS = 60.0
"""After the end of a game that was broken off, somebody else may have to come back too to hear of the end."""


def dealers() -> Mapping[str, DealerKind]:
    """How this program deals; a charter that asks for anything else is refused."""
    kind = SealedKind(default_group(in_thread))
    return {kind.name: kind}


class Seat:
    """Where one player of ours will sit: identity, name, who decides, and the socket that the others dial.

    `loopback`: nobody outside this machine can connect. `port`: None for the default one, or any other if that is
    taken; a given port that is taken is a UserError. `interfaces`: names or addresses of those at which others may
    connect, empty for all; UserError if there is no such interface.
    """

    def __init__(
        self,
        identity: Identity,
        name: str,
        player: Player,
        *,
        loopback: bool,
        port: int | None = None,
        interfaces: tuple[str, ...] = (),
    ) -> None:
        check_wanted(interfaces)
        self.identity = identity
        self.name = name
        self.interfaces = interfaces
        self._player = player
        self._listener = _listen(port, loopback=loopback)
        self._taken = False
        self.port: int = self._listener.getsockname()[1]
        hosts = (LOOPBACK,) if loopback else interface_addresses(interfaces)
        self.addresses = tuple(str(Address(host, self.port)) for host in hosts)

    def host(self, options: Any, seats: int, access: Access = OPEN, provided: Provisions | None = None) -> Session:
        """Open a table; UserError if the game has none with these options and seats, or can't provide for these."""
        peer = self._peer()
        peer.host(GAME.name, options, seats, DEALER, access=access, provided=provided)
        return self._session(peer, self.addresses[0], (), TableJournal(self.identity.public_key))

    def join(
        self, dial: tuple[Address, ...], passphrase: bytes = b"", *, arbiter: bool = False, label: str = ""
    ) -> Session:
        """Sit down at the table that is reached at one of these addresses, or be its arbiter; `label`: how the
        fingerprint of its host begins, where that is known."""
        peer = self._peer()
        peer.join(passphrase=passphrase, places=tuple(str(address) for address in dial), arbiter=arbiter)
        return self._session(peer, str(dial[0]), dial, TableJournal(self.identity.public_key), label=label)

    def resume(self, left: LeftTable, dial: tuple[Address, ...] = ()) -> Session:
        """Take the seat again; `dial` is where another seat can be reached, should the addresses have changed.

        UserError or LocalError if the journal is not one of this program.
        """
        peer = self._peer()
        peer.restore(left.records, asyncio.get_running_loop().time())
        return self._session(peer, self.addresses[0], dial, left.journal, linger=RESUMED_LINGER_SECONDS)

    def close(self) -> None:
        """Give the socket back if no session took it, and the identity."""
        if not self._taken:
            self._listener.close()
        self.identity.release()

    def _peer(self) -> Peer:
        return Peer(
            self.identity.signer,
            self.name,
            games=games(),
            dealers=dealers(),
            addresses=self.addresses,
            entropy=fresh,
        )

    def _session(
        self,
        peer: Peer,
        address: str,
        dial: tuple[Address, ...],
        journal: TableJournal,
        linger: float = LINGER_SECONDS,
        label: str = "",
    ) -> Session:
        self._taken = True
        return Session(
            peer,
            self.identity.tls_key,
            self._player,
            self._listener,
            address=address,
            dial=dial,
            label=label,
            journal=journal,
            linger=linger,
            interfaces=self.interfaces,
        )


class Nobody:
    """Who decides where there is no seat: never asked."""

    async def decide(self, view: Any, legal: tuple[Move, ...]) -> Move:
        raise LocalError("Somebody who only watches was asked.")


def watch(identity: Identity, name: str, dial: tuple[Address, ...], delay: int = 0, label: str = "") -> Session:
    """Watch the table that is reached at one of these addresses, so many steps behind; `label` as for `join`. Nobody
    can connect to us."""
    peer = Peer(identity.signer, name, games=games(), dealers=dealers(), addresses=(), entropy=fresh)
    peer.watch(delay, tuple(str(address) for address in dial))
    listener = listening_socket(0, loopback=True)
    return Session(peer, identity.tls_key, Nobody(), listener, address="", dial=dial, label=label)


def _listen(port: int | None, *, loopback: bool) -> socket.socket:
    if port is None and not loopback:
        try:
            return listening_socket(DEFAULT_PORT, loopback=False)
        except OSError:
            # Another table on this machine has it; the port is announced and shown, so any other does.
            port = 0
    try:
        return listening_socket(port or 0, loopback=loopback)
    except OSError as error:
        raise UserError(_("Port {port} can't be used ({reason}).").format(port=port, reason=reason(error))) from None
