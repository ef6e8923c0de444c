"""What must hold for the masks of new ciphertexts, whatever is proved of them."""

from __future__ import annotations

from collections.abc import Sequence

from frp2p.deal.elgamal import Ciphertext
from frp2p.deal.group import IDENTITY
from frp2p.deal.slots import SlotTable
from frp2p.errors import PeerFault


def check_masks(after: Sequence[Ciphertext], before: Sequence[Ciphertext], slots: SlotTable[Ciphertext]) -> None:
    """PeerFault "mask-identity" where a card lies open (A = 0), "mask-repeat" where an A occurs twice among the new
    ones, those before and all live slots: equal masks have equal shares, so one opens the other.
    """
    masks = {value.a for value in after}
    if IDENTITY in masks:
        raise PeerFault("mask-identity")
    live = {slot.body.a for slot in slots.live().values()} | {value.a for value in before}
    if len(masks) != len(after) or not masks.isdisjoint(live):
        raise PeerFault("mask-repeat")
