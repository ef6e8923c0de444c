"""Generators h, h_1, h_2 ... and card points: hashed from fixed labels, so that nobody knows a relation among them.

They are never received and never drawn at random: whoever knew a logarithm could forge proofs of shuffle (the fault of
the Swiss Post / Scytl system of 2019) or read cards without a key.
"""

from __future__ import annotations

from collections.abc import Sequence

from frp2p.cards import CardId
from frp2p.deal.fields import VERSION
from frp2p.deal.group import IDENTITY, Group, Point, hash_to_group


class Generators:
    """The generators of one group, made as they are needed."""

    def __init__(self, group: Group) -> None:
        self._group = group
        self.h = hash_to_group(group, f"{VERSION}/gen/h")
        self._list: list[Point] = []
        self._sums: list[Point] = [IDENTITY]

    def first(self, count: int) -> Sequence[Point]:
        """h_1 .. h_count."""
        self._grow(count)
        return self._list[:count]

    def sum(self, count: int) -> Point:
        """h_1 + ... + h_count."""
        self._grow(count)
        return self._sums[count]

    def _grow(self, count: int) -> None:
        while len(self._list) < count:
            made = hash_to_group(self._group, f"{VERSION}/gen/{len(self._list) + 1}")
            self._list.append(made)
            self._sums.append(self._group.add(self._sums[-1], made))


def card_point(group: Group, deck: str, card: CardId) -> Point:
    """M of this card."""
    return hash_to_group(group, f"{VERSION}/card/{deck}/{card}")
