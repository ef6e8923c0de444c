"""The seats that are proved to have broken the protocol."""

from __future__ import annotations

from typing import NamedTuple

from frp2p.games.verbs import Seat
from frp2p.table.messages import AnyMessage


class Convicted(NamedTuple):
    """Which check a seat failed, the evidence for third persons, and what lets other seats see it too."""

    seat: Seat
    check: str
    evidence: bytes
    tell: AnyMessage


class Convictions:
    """One a seat; the first is enough."""

    def __init__(self) -> None:
        self._of: dict[Seat, Convicted] = {}

    def __contains__(self, seat: object) -> bool:
        return seat in self._of

    @property
    def seats(self) -> frozenset[Seat]:
        return frozenset(self._of)

    def add(self, convicted: Convicted) -> None:
        self._of.setdefault(convicted.seat, convicted)

    def tells(self) -> tuple[AnyMessage, ...]:
        """For somebody who may not know yet."""
        return tuple(one.tell for one in self._of.values())
