"""What every proof and commitment is bound to: this table (ctx) and the very request that it answers (event)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from frp2p.deal.decks import Decks
from frp2p.deal.fields import field, fields, hash_fields, u8, u16, u32
from frp2p.games.verbs import Seat, SlotId


def params_hash(*, charter: bytes, params: bytes, seats: int, decks: Decks) -> bytes:
    """64 bytes over all that was agreed before the first key: charter, rules version and options, seats, decks."""
    return hash_fields(
        "params", ("charter", charter), ("options", params), ("seats", u8(seats)), ("decks", decks.encode())
    )


def context(*, game_id: bytes, params: bytes, roster: bytes, epoch: int) -> bytes:
    """`ctx` of every proof of one epoch: 64 bytes. `roster` is empty while the keys are being agreed (ctx0)."""
    return hash_fields("ctx", ("game", game_id), ("params", params), ("roster", roster), ("epoch", u32(epoch)))


@dataclass(frozen=True)
class Epoch:
    """A span of one game in which the same seats hold keys: number 0 after the set-up, one more with every leave."""

    game_id: bytes
    params: bytes
    number: int = 0

    def context(self, roster: bytes) -> bytes:
        """`ctx` of this epoch with this roster."""
        return context(game_id=self.game_id, params=self.params, roster=roster, epoch=self.number)

    def next(self) -> Epoch:
        return replace(self, number=self.number + 1)


def event(*, step: bytes, verb: int, sender: Seat, deck: str, slots: Sequence[SlotId]) -> bytes:
    """The request that one seat answers: closed step that asked, verb in its batch, sender, deck and slots.

    `sender` is TABLE where all seats answer one request together (a coin, whose commitments name the seat). `deck` is
    empty for a coin, which has no slots, and for a leave, whose slots may be of two decks.
    """
    return (
        field("step", step)
        + field("verb", u16(verb))
        + field("sender", u8(sender % 256))
        + field("deck", deck.encode())
        + fields("slot", [u32(slot) for slot in slots])
    )
