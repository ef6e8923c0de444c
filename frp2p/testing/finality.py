"""Watches every frame for the rule that keeps cards hidden: no part of a step before the step before is final.

It believes nobody: what a peer holds is counted from the frames that reached it, not from what the peer says.
"""

from __future__ import annotations

from frp2p.errors import LocalError
from frp2p.ledger.codec import encode
from frp2p.ledger.records import Ack, Part, read_ack_body, read_part_body
from frp2p.table.messages import Final, decode
from frp2p.testing.network import MemoryNetwork


class FinalityWatch:
    """Hangs itself on a network whose peers have these keys in seat order (`keys` may be filled later, in place)."""

    def __init__(self, network: MemoryNetwork, keys: list[bytes]) -> None:
        self.parts_seen = 0
        """Own parts that were sent and found to be in time."""
        self._keys = keys
        self._acked: dict[tuple[bytes, int], dict[int, bytes]] = {}
        """For every peer and step: by seat, the step digest of the ack that reached it (or that it sent)."""
        network.on_send = self._sent
        network.on_arrive = self._arrived

    def _arrived(self, sender: bytes, receiver: bytes, frame: bytes) -> None:
        message = decode(frame, greeted=True)
        acks = message.acks if isinstance(message, Final) else (message,) if isinstance(message, Ack) else ()
        for ack in acks:
            self._note(receiver, ack)

    def _sent(self, sender: bytes, receiver: bytes, frame: bytes) -> None:
        message = decode(frame, greeted=True)
        if isinstance(message, Ack):
            self._note(sender, message)
        if not isinstance(message, Part):
            return
        body = read_part_body(message.body)
        if self._keys[body.seat] != sender or body.step == 0:
            return
        acks = self._acked.get((sender, body.step - 1), {})
        if len(acks) < len(self._keys) or len(set(acks.values())) != 1:
            text = f"seat {body.seat} spoke in step {body.step} after {len(acks)} acks: {encode(message).hex()}"
            raise LocalError(text)
        self.parts_seen += 1

    def _note(self, holder: bytes, ack: Ack) -> None:
        body = read_ack_body(ack.body)
        self._acked.setdefault((holder, body.step), {})[body.seat] = body.step_digest
