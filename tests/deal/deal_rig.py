"""A table of dealers in one process: every seat and one observer, driven round by round as a ledger would."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from frp2p.cards import CardId
from frp2p.deal import DealerKind, Entropy
from frp2p.games.verbs import Outcome, Seat, SlotId, Verb

HAND = tuple(CardId(f"FR{at:02}") for at in range(1, 54))
ITEMS = tuple(CardId(f"CI{at:02}") for at in range(1, 9))

Twist = Callable[[Seat, Any], Any]
"""Changes what a seat says before the others get it."""


def seeded(seed: str) -> Entropy:
    """A repeatable stream of bytes."""
    count = 0

    def draw(length: int) -> bytes:
        nonlocal count
        count += 1
        return hashlib.shake_256(f"{seed}/{count}".encode()).digest(length)

    return draw


def wire(value: Any, kind: Any) -> Any:
    """What arrives when `value` is sent: through msgpack and the strict typed conversion."""
    return msgspec.convert(msgspec.msgpack.decode(msgspec.msgpack.encode(value)), kind)


class Rig:
    """All peers of one table; `peers[None]` is the observer."""

    def __init__(
        self,
        kind: DealerKind,
        seats: int,
        *,
        decks: Mapping[str, tuple[CardId, ...]] | None = None,
        game: str = "a",
        seed: str = "s",
        recovery: bool = False,
    ) -> None:
        self.seats = seats
        self.round = 0
        everybody: list[Seat | None] = [*range(seats), None]
        self.setups = {
            me: kind.setup(
                charter_digest=hashlib.sha256(game.encode()).digest(),
                params_digest=hashlib.sha256(b"params").digest(),
                identities=tuple(hashlib.sha256(f"seat {at}".encode()).digest() for at in range(seats)),
                decks=decks or {"hand": HAND, "items": ITEMS},
                me=me,
                entropy=seeded(f"{seed}/{game}/{me}"),
                recovery=recovery,
            )
            for me in everybody
        }
        self.peers: dict[Seat | None, Any] = {}

    def setup(self) -> Rig:
        """Run all rounds of the set-up."""
        self.rounds(self.setups)
        self.peers = {me: setup.finish() for me, setup in self.setups.items()}
        assert len(self.digests()) == 1
        return self

    def rounds(self, machines: Mapping[Seat | None, Any], twist: Twist | None = None) -> None:
        """Close rounds until nobody has to speak."""
        while speakers := machines[None].speakers():
            self.one_round(machines, speakers, twist)

    def one_round(self, machines: Mapping[Seat | None, Any], speakers: tuple[Seat, ...], twist: Twist | None) -> None:
        said = {}
        for seat in speakers:
            mine = machines[seat].speak()
            said[seat] = wire(twist(seat, mine) if twist else mine, machines[seat].contribution_type)
        for machine in machines.values():
            assert machine.speakers() == speakers
            # Who has left would answer here if it were asked; at a table nobody would.
            assert not self.peers or set(speakers) <= set(machine.present)
            for seat, contribution in said.items():
                machine.check(seat, contribution)
            machine.close(said)

    def begin(self, *verbs: Verb) -> None:
        self.round += 1
        for peer in self.peers.values():
            peer.begin(verbs, hashlib.sha256(b"step %d" % self.round).digest())

    def do(self, *verbs: Verb, twist: Twist | None = None) -> tuple[Any, ...]:
        """Carry out a batch at all peers; the outcomes, on which all agree."""
        self.begin(*verbs)
        self.rounds(self.peers, twist)
        return self.finish()

    def finish(self) -> tuple[Outcome, ...]:
        outcomes = {peer.finish() for peer in self.peers.values()}
        assert len(outcomes) == 1
        assert len(self.digests()) == 1
        return outcomes.pop()

    def digests(self) -> set[bytes]:
        return {peer.digest() for peer in self.peers.values()}

    def known(self, seat: Seat | None) -> Mapping[SlotId, CardId]:
        return self.peers[seat].known()
