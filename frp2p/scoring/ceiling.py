"""The most that a whole hand can still bring: what the search leaves out because it can't become the best."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from frp2p.scoring.blanking import Active, mortal, survey
from frp2p.scoring.cast import Cast
from frp2p.scoring.traits import SUITS, Mask, Trait


class Ceiling(NamedTuple):
    """No score is above `total`: above `strength` by strengths and `bonus` by bonuses; if Book of Changes gives a card
    a suit, above `moved[suit]` by bonuses."""

    strength: int
    bonus: int
    moved: tuple[int, ...]
    total: int


def ceiling(cast: Cast, angel: Mask, suits: Sequence[Trait]) -> Ceiling:
    """The ceiling of the hand as it is now, whatever is blanked and cleared. `angel`: the Angel, which keeps itself.
    `suits`: those that Book of Changes, still to come, may give to a card."""
    board = cast.board
    active = [(bit, whole) for bit, whole, _ in cast.penalties]
    deeds = survey(cast, active, angel)
    # a card that costs points may be blanked, if any may
    strength = sum([max(0, one) for one in board.strengths]) if deeds else sum(board.strengths)
    may = mortal(deeds)
    if suits and any(deed.penalty.alone for deed in deeds):
        may = board.full  # the card that moves may leave any other one alone
    _expose(cast, active, may)
    bonus, gains = 0, [0] * len(SUITS)
    for bit, bounds in cast.limits:
        for limit, gaining in bounds:
            least = limit(board, bit, 0)
            bonus += least
            if suits and gaining:
                gain = limit(board, bit, 1) - least
                for suit in gaining if gain else ():
                    gains[suit] += gain
    most = max([gains[suit] for suit in suits], default=0)
    return Ceiling(strength, bonus, tuple([bonus + gain for gain in gains]), strength + bonus + most)


def bonuses(cast: Cast, active: Sequence[Active], may: Mask) -> list[tuple[Mask, int]]:
    """(card, the most that its bonus can bring), where that is something. `active`: the penalties that aren't cleared;
    `may`: the cards that may be blanked."""
    board = cast.board
    _expose(cast, active, may)
    found = []
    for bit, bounds in cast.limits:
        bonus = 0
        for limit, _ in bounds:
            bonus += limit(board, bit, 0)
        if bonus:
            found.append((bit, bonus))
    return found


def _expose(cast: Cast, active: Sequence[Active], may: Mask) -> None:
    """Set the board as limits want it: every card alive."""
    board = cast.board
    board.alive = board.seen = board.full
    board.mortal = may
    board.penalised = sum([bit for bit, _ in active])
