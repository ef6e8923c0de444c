"""What every proof and commitment is bound to: this table (ctx) and the very request that it answers (event)."""

from __future__ import annotations

from collections.abc import Sequence

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


def event(*, step: bytes, verb: int, sender: Seat, deck: str, slots: Sequence[SlotId]) -> bytes:
    """The request that one seat answers: closed step that asked, verb in its batch, sender, deck and slots.

    `sender` is TABLE where all seats answer one request together (a coin, whose commitments name the seat).
    """
    return (
        field("step", step)
        + field("verb", u16(verb))
        + field("sender", u8(sender % 256))
        + field("deck", deck.encode())
        + fields("slot", [u32(slot) for slot in slots])
    )
