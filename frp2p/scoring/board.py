"""A hand while it is scored."""

from __future__ import annotations

from frp2p.scoring.traits import NOTHING, Held, Mask, Trait


class Board:
    """What effects look at: who has which trait, who is alive.

    `held`, `names` and `strengths` are as after wild cards and Book of Changes. `alive` are the unblanked cards; `seen`
    those whose suits count: the same, and a blanked first-promo Phoenix. `penalised` have a penalty that is not wholly
    cleared. `discards` are (suit, name) of the discard area. `mortal` is for limits alone: the cards that may be
    blanked.
    """

    __slots__ = (
        "alive",
        "discards",
        "full",
        "held",
        "mortal",
        "names",
        "penalised",
        "players",
        "seen",
        "strengths",
    )

    def __init__(self, size: int, players: int, discards: tuple[tuple[Trait, Trait], ...]) -> None:
        self.full: Mask = (1 << size) - 1
        self.held: Held = NOTHING.copy()
        self.names: list[Trait] = [0] * size
        self.strengths: list[int] = [0] * size
        self.alive: Mask = self.full
        self.seen: Mask = self.full
        self.penalised: Mask = 0
        self.mortal: Mask = 0
        self.players = players
        self.discards = discards
