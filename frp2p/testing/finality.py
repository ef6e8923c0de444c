"""Watches every frame for the rule that keeps cards hidden: no part of a step before the step before is final.

It believes nobody: what a peer holds is counted from the frames that reached it and from its journal, not from what
the peer says.
"""

from __future__ import annotations

from functools import lru_cache

from frp2p.errors import LocalError, PeerFault
from frp2p.ledger.codec import encode
from frp2p.ledger.records import Ack, Part, read_ack_body, read_part_body
from frp2p.table.messages import AnyMessage, Final, decode
from frp2p.table.peer import Peer
from frp2p.testing.network import MemoryNetwork


@lru_cache(maxsize=1024)
def _read(frame: bytes) -> AnyMessage | None:
    """The message in a frame of a peer, None in a frame of nobody's making; most frames go to several peers."""
    try:
        return decode(frame, greeted=True)
    except PeerFault:
        return None


class FinalityWatch:
    """Hangs itself on a network. Which key sits in which seat it reads from a status of one of the peers."""

    def __init__(self, network: MemoryNetwork, peer: Peer) -> None:
        self.parts_seen = 0
        """Own parts that were sent and found to be in time."""
        self._peer = peer
        self._journals = network.journals
        self._seats: tuple[bytes, ...] = ()
        self._acked: dict[tuple[bytes, int], dict[int, bytes]] = {}
        """For every peer and step: by seat, the step digest of the ack that reached it (or that it sent)."""
        network.on_send = self._sent
        network.on_arrive = self._arrived

    @property
    def seats(self) -> tuple[bytes, ...]:
        """The keys by seat; empty before the seats have numbers."""
        return self._seats

    def _arrived(self, sender: bytes, receiver: bytes, frame: bytes) -> None:
        message = _read(frame)
        acks = message.acks if isinstance(message, Final) else (message,) if isinstance(message, Ack) else ()
        for ack in acks:
            self._note(receiver, ack)

    def _sent(self, sender: bytes, receiver: bytes, frame: bytes) -> None:
        message = _read(frame)
        if isinstance(message, Ack):
            self._note(sender, message)
        if not isinstance(message, Part):
            return
        body = read_part_body(message.body)
        if body.step == 0:
            return
        if not self._seats:
            # Step 0 is over, so the seats have numbers.
            self._seats = tuple(seat.key for seat in self._peer.status().seats)
        if self._seats[body.seat] != sender:
            return
        acks = self._acked.get((sender, body.step - 1), {})
        if len(acks) < len(self._seats):
            self._note_kept(sender, body.step - 1)
            acks = self._acked.get((sender, body.step - 1), {})
        if len(acks) < len(self._seats) or len(set(acks.values())) != 1:
            text = f"seat {body.seat} spoke in step {body.step} after {len(acks)} acks: {encode(message).hex()}"
            raise LocalError(text)
        self.parts_seen += 1

    def _note_kept(self, holder: bytes, step: int) -> None:
        """A seat that died after it wrote its ack, and before it sent it, is bound by it all the same."""
        for write in self._journals.get(holder, ()):
            for record in write:
                message = _read(record) if record[2:5] == b"ack" else None
                if isinstance(message, Ack) and read_ack_body(message.body).step == step:
                    self._note(holder, message)

    def _note(self, holder: bytes, ack: Ack) -> None:
        body = read_ack_body(ack.body)
        self._acked.setdefault((holder, body.step), {})[body.seat] = body.step_digest
