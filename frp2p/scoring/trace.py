"""What an explained score writes down while a hand is resolved. A plain score has none."""

from __future__ import annotations

from frp2p.cards.effects import Effect
from frp2p.scoring.score import BlankReason, StepKind
from frp2p.scoring.traits import Mask, positions
from frp2p.scoring.worth import Note

Event = tuple[StepKind, Mask, Mask]
"""(kind, bit of the acting card or 0, cards that it acted on)."""


class Trace:
    """`events` in order; `blanked` by position: (why, by, effect, causes); `notes` by the bit of the card."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.cleared: list[tuple[Mask, Mask, bool]] = []
        self.blanked: dict[int, tuple[BlankReason, Mask, Effect | None, Mask]] = {}
        self.bonuses: dict[Mask, list[Note]] = {}
        self.penalties: dict[Mask, list[Note]] = {}

    def clear(self, by: Mask, cards: Mask, *, word: bool) -> None:
        """`by` cleared the penalties of `cards`, or only the word in them."""
        if cards:
            self.events.append(("word" if word else "clear", by, cards))
            self.cleared.append((by, cards, word))

    def blank(self, why: BlankReason, by: Mask, cards: Mask, effect: Effect | None = None, causes: Mask = 0) -> None:
        """`by` blanked `cards`. A card that several cards blank in one step keeps all of them."""
        if not cards:
            return
        self.events.append(("blank" if why == "blanks" else why, by, cards))
        for at in positions(cards):
            before = self.blanked.get(at)
            earlier = before[1] if before is not None else 0
            self.blanked[at] = (why, by | earlier, effect, causes)
