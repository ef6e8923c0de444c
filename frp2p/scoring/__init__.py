"""Fantasy Realms: a hand becomes an explained score; exact search for the best choices."""

from __future__ import annotations

from frp2p.scoring.best import Extra, best, best_extra, best_total
from frp2p.scoring.choices import Choices, Guise
from frp2p.scoring.context import Context, House
from frp2p.scoring.explain import score, tie_strength, total
from frp2p.scoring.legal import IllegalChoices, ability_of, check_choices, choosers, necromancer_may_take
from frp2p.scoring.score import Blanked, CardScore, Cleared, ItemScore, Line, Score, Step

__all__ = [
    "Blanked",
    "CardScore",
    "Choices",
    "Cleared",
    "Context",
    "Extra",
    "Guise",
    "House",
    "IllegalChoices",
    "ItemScore",
    "Line",
    "Score",
    "Step",
    "ability_of",
    "best",
    "best_extra",
    "best_total",
    "check_choices",
    "choosers",
    "necromancer_may_take",
    "score",
    "tie_strength",
    "total",
]
