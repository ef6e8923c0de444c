"""Watches every frame for the rule that keeps cards hidden: no part of a step before the step before is final.

It believes nobody: what a peer holds is counted from the frames that reached it and from its journal, not from what
the peer says.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from frp2p.errors import LocalError, PeerFault
from frp2p.ledger.codec import encode
from frp2p.ledger.records import Ack, Part, read_ack_body, read_part_body
from frp2p.ledger.votes import Accept, AcceptBody, Out, Value, read_binding
from frp2p.table.messages import AnyMessage, Final, decode
from frp2p.table.peer import Peer
from frp2p.testing.network import MemoryNetwork


@lru_cache(maxsize=8192)
def read(frame: bytes) -> AnyMessage | None:
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
        self.decided: dict[int, Value] = {}
        """What votes have decided, by step."""
        self.liars: set[bytes] = set()
        """The keys of those whose parts are not watched."""
        self._peer = peer
        self._journals = network.journals
        self._seats: tuple[bytes, ...] = ()
        self._arbiter: frozenset[int] = frozenset()
        """Who votes besides the seats."""
        self._acked: dict[tuple[bytes, int], dict[int, bytes]] = {}
        """For every peer and step: by seat, the step digest of the ack that reached it (or that it sent)."""
        self._accepted: dict[tuple[bytes, int], dict[tuple[int, Value], set[int]]] = {}
        """Likewise, who has accepted which value in which ballot."""
        network.on_send = self._sent
        network.on_arrive = self._arrived

    @property
    def seats(self) -> tuple[bytes, ...]:
        """The keys by seat; empty before the seats have numbers."""
        return self._seats

    def live(self, step: int) -> set[int]:
        """The seats that are not out before this step."""
        gone = [value.seats for at, value in self.decided.items() if at < step and isinstance(value, Out)]
        return set(range(len(self._seats))) - {seat for seats in gone for seat in seats}

    def _arrived(self, sender: bytes, receiver: bytes, frame: bytes) -> None:
        message = read(frame)
        records: tuple[Any, ...] = (message,)
        if isinstance(message, Final):
            records = (*message.acks, *message.accepts)
        for record in records:
            self._note(receiver, record)

    def _sent(self, sender: bytes, receiver: bytes, frame: bytes) -> None:
        message = read(frame)
        self._note(sender, message)
        if not isinstance(message, Part):
            return
        body = read_part_body(message.body)
        if body.step == 0:
            return
        if not self._seats:
            # Step 0 is over, so the seats have numbers.
            status = self._peer.status()
            self._seats = tuple(seat.key for seat in status.seats)
            self._arbiter = frozenset() if status.arbiter is None else frozenset({status.arbiter.seat})
        if self._seats[body.seat] != sender or sender in self.liars:
            return
        if not self._final(sender, body.step - 1):
            self._note_kept(sender, body.step - 1)
        if not self._final(sender, body.step - 1):
            acks = self._acked.get((sender, body.step - 1), {})
            text = f"seat {body.seat} spoke in step {body.step} after {len(acks)} acks: {encode(message).hex()}"
            raise LocalError(text)
        self.parts_seen += 1

    def _final(self, holder: bytes, step: int) -> bool:
        """Whether all seats that are not out have acked the same, or a majority has accepted the same."""
        live = self.live(step)
        acks = self._acked.get((holder, step), {})
        if live <= set(acks) and len({acks[seat] for seat in live}) == 1:
            return True
        for (_ballot, value), seats in self._accepted.get((holder, step), {}).items():
            electors = live | self._arbiter
            if len(seats & electors) > len(electors) // 2:
                if self.decided.setdefault(step, value) != value:
                    raise LocalError(f"two verdicts about step {step}: {value}, {self.decided[step]}")
                return True
        return False

    def _note_kept(self, holder: bytes, step: int) -> None:
        """A seat that died after it wrote its ack, and before it sent it, is bound by it all the same."""
        for write in self._journals.get(holder, ()):
            for record in write:
                message = read(record) if record[2:5] == b"ack" or record[2:8] == b"accept" else None
                if isinstance(message, Ack | Accept) and read_binding(message).step == step:
                    self._note(holder, message)

    def _note(self, holder: bytes, record: AnyMessage | None) -> None:
        if isinstance(record, Ack):
            body = read_ack_body(record.body)
            self._acked.setdefault((holder, body.step), {})[body.seat] = body.step_digest
        elif isinstance(record, Accept):
            vote: AcceptBody = read_binding(record)
            votes = self._accepted.setdefault((holder, vote.step), {})
            votes.setdefault((vote.ballot, vote.value), set()).add(vote.seat)
            if self._seats:
                self._final(holder, vote.step)
