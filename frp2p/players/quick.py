"""One clear dealer for all seats at once, so that thousands of games are played in a minute.

It refuses, deals and remembers as the dealers of a table do, being one of them; only what the seats would say to each
other is left out, and its place is taken by random bytes.
"""

from __future__ import annotations

import random
from collections.abc import Mapping

from frp2p.cards import CardId
from frp2p.deal.clear.dealer import ClearDealer
from frp2p.deal.decks import Decks
from frp2p.deal.legal import check_batch
from frp2p.errors import LocalError
from frp2p.games.game import Known
from frp2p.games.verbs import Exclude, Outcome, Seat, SlotId, Verb

SAID_SIZE = 32
"""Bytes that stand for what a seat says."""


class _QuickDealer(ClearDealer):
    """A dealer that needs nobody's word, and therefore binds no word to anything."""

    def carry_out(self, verbs: tuple[Verb, ...], source: random.Random) -> tuple[Outcome, ...]:
        check_batch(verbs, self.slots, self.decks, self.present, touched=self.touched, recoverable=self.recoverable)
        tasks = [self._task(verb, at, b"") for at, verb in enumerate(verbs)]
        for task in tasks:
            while speakers := task.speakers():
                task.close({seat: source.randbytes(SAID_SIZE) for seat in speakers})
        return tuple(task.settle() for task in tasks)

    def _event(self, event: bytes, position: int, sender: Seat, slots: tuple[SlotId, ...]) -> bytes:
        return event

    def known_to(self, seat: Seat) -> Known:
        live = self.slots.live().items()
        return {at: slot.body for at, slot in live if slot.lock == seat or seat in slot.viewers}


class QuickCroupier:
    """See `frp2p.players.selfplay.Croupier`; the same seed deals the same cards."""

    def __init__(
        self, decks: Mapping[str, tuple[CardId, ...]], seats: int, seed: int, *, recovery: bool = False
    ) -> None:
        self._source = random.Random(seed)  # noqa: S311 - a simulation hides nothing from anybody
        self._dealer = _QuickDealer(
            me=None,
            seats=seats,
            decks=Decks(decks),
            seed=self._source.randbytes(SAID_SIZE),
            entropy=self._source.randbytes,
            recovery=recovery,
        )

    def carry_out(self, verbs: tuple[Verb, ...]) -> tuple[Outcome, ...]:
        for verb in verbs:
            if isinstance(verb, Exclude) and any(self._dealer.slots[slot].body in verb.cards for slot in verb.slots):
                raise LocalError("a slot holds a card that is to be excluded", code="exclude-false")
        return self._dealer.carry_out(verbs, self._source)

    def interrupt(self, verbs: tuple[Verb, ...]) -> None:
        """Begin a batch and drop it: a seat is lost meanwhile."""
        self._dealer.begin(verbs, bytes(SAID_SIZE))
        self._dealer.abort()

    def known(self, seat: Seat) -> Known:
        return self._dealer.known_to(seat)
