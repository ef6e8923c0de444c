"""What every phase of a table works with: who I am, what I can play, my links, and what goes out."""

from __future__ import annotations

from collections.abc import Mapping

from frp2p.deal.dealer import DealerKind, Entropy
from frp2p.errors import PeerFault
from frp2p.games.game import Game
from frp2p.games.verbs import Seat
from frp2p.ledger.signing import Signer
from frp2p.table.events import Event, Refused
from frp2p.table.links import Link, Links
from frp2p.table.messages import AnyMessage
from frp2p.table.outbox import Outbox
from frp2p.table.phase import Phase


class Desk:
    """Shared by the phases; holds no state of the game."""

    def __init__(
        self,
        signer: Signer,
        name: str,
        games: Mapping[str, Game],
        dealers: Mapping[str, DealerKind],
        addresses: tuple[str, ...],
        entropy: Entropy,
    ) -> None:
        self.signer = signer
        self.key = signer.public_key
        self.name = name
        self.games = games
        self.dealers = dealers
        self.addresses = addresses
        self.entropy = entropy
        self.links = Links()
        self.outbox = Outbox()
        self.phase: Phase
        """Where the table is now; set by the peer first, then by each phase that ends."""

    def send(self, link: Link, message: AnyMessage) -> int:
        """On this link; the bytes that it takes."""
        return self.outbox.send((link.number,), message)

    def broadcast(self, message: AnyMessage) -> None:
        """To everybody who said Hello."""
        self.outbox.send((link.number for link in self.links.greeted()), message)

    def notice(self, event: Event) -> None:
        self.outbox.notice(event)

    def refuse(self, seat: Seat | None, fault: PeerFault) -> None:
        """Tell the faces that a message was refused."""
        self.outbox.notice(Refused(seat, fault.check))

    def close(self, link: Link, reason: str, now: float) -> None:
        """Say Bye, forget the link, and tell the phase if somebody is away by that."""
        self.outbox.close(link.number, reason)
        if self.links.remove(link.number) is not None:
            self.phase.lost(link, now)
