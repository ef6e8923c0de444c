"""What must hold for the masks of new ciphertexts, whatever is proved of them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any

from frp2p.deal.elgamal import Ciphertext
from frp2p.deal.group import IDENTITY, Point
from frp2p.deal.rounds import Task
from frp2p.deal.scope import Scope
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


def mask_state(scope: Scope, now: Sequence[Ciphertext]) -> bytes:
    """What the secrets of my turn (permutation, masks) depend on beside my key and fresh bytes: request and cards."""
    transcript = scope.transcript("masks")
    transcript.absorb_list("C", [point for value in now for point in value])
    return transcript.state()


class MaskingTask(Task):
    """A task whose items, once checked, are lists of new ciphertexts."""

    @abstractmethod
    def masks(self) -> set[Point]:
        """The A of the ciphertexts that were accepted last (at first those of the slots themselves)."""


def check_side_by_side(tasks: Iterable[Task], values: Iterable[tuple[Task, Any]]) -> None:
    """PeerFault "mask-repeat" where verbs of one batch share an A: what one seat says now, against each other verb's
    ciphertexts. (Each verb for itself was checked before.)
    """
    said = {id(task): {value.a for value in made} for task, made in values if isinstance(task, MaskingTask)}
    there = {id(task): task.masks() for task in tasks if isinstance(task, MaskingTask)}
    for mine, masks in said.items():
        for other, taken in (*said.items(), *there.items()):
            if other != mine and not masks.isdisjoint(taken):
                raise PeerFault("mask-repeat")
