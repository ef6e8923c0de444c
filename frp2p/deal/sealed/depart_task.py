"""A seat goes for good: touched slots are re-masked, its key comes off the table, the keys of the rest are shared anew.

In this order: re-masked under the keys of all, a slot of which shares are public has none, before the share of who goes
becomes public for it as well. (The other way round everybody could read a card whose draw was broken off.)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from frp2p.deal.elgamal import Ciphertext
from frp2p.deal.rounds import Task
from frp2p.deal.sealed.sharing import Sharing
from frp2p.deal.sealed.sharing_task import SharingTask
from frp2p.deal.slots import SlotTable
from frp2p.games.verbs import TABLE, Outcome, Seat, Slots


class DepartTask(Task):
    """The phases one after the other, on slots of their own: the table changes when all are over, or not at all."""

    def __init__(
        self,
        *,
        seat: Seat,
        slots: SlotTable[Ciphertext],
        trial: SlotTable[Ciphertext],
        phases: Sequence[Task],
        sharing: SharingTask | None,
        depart: Callable[[frozenset[Seat], Sharing | None], None],
    ) -> None:
        self._seat = seat
        self._slots = slots
        self._trial = trial
        self._phases = [*phases, sharing] if sharing is not None else list(phases)
        self._sharing = sharing
        self._depart = depart

    def speakers(self) -> tuple[Seat, ...]:
        return self._phases[0].speakers() if self._phases else ()

    def speak(self) -> Any:
        return self._phases[0].speak()

    def check(self, seat: Seat, item: Any) -> Any:
        return self._phases[0].check(seat, item)

    def close(self, items: Mapping[Seat, Any]) -> None:
        self._phases[0].close(items)
        if not self._phases[0].speakers():
            self._phases.pop(0).settle()

    def settle(self) -> Outcome:
        self._slots.adopt(self._trial)
        self._slots.spend(self._slots.of(self._seat))
        self._depart(frozenset({self._seat}), self._sharing.sharing() if self._sharing is not None else None)
        return Slots(self._slots.of(TABLE))
