"""Seats are lost for good and their keys are in the way: what those lock can't be opened by anybody any more."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from frp2p.deal.rounds import Task
from frp2p.deal.slots import SlotTable
from frp2p.games.verbs import TABLE, Drop, Outcome, Seat, Slots


class DropTask(Task):
    """Nobody speaks. The cards of the spent slots stay face down for good: no one can say which they are."""

    def __init__(self, slots: SlotTable[Any], verb: Drop, depart: Callable[[frozenset[Seat]], None]) -> None:
        self._slots = slots
        self._verb = verb
        self._depart = depart

    def speakers(self) -> tuple[Seat, ...]:
        return ()

    def settle(self) -> Outcome:
        for lock in (TABLE, *self._verb.seats):
            self._slots.spend(self._slots.of(lock))
        self._depart(frozenset(self._verb.seats))
        return Slots(())
