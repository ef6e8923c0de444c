"""The order of resolution, once: clear, blank, add up. Plain and explained scores both come from here."""

from __future__ import annotations

from frp2p.scoring.blanking import Active, blank
from frp2p.scoring.cast import Cast
from frp2p.scoring.trace import Trace
from frp2p.scoring.traits import Mask, positions


def resolve(cast: Cast, island: Mask, angel: Mask, trace: Trace | None = None) -> int:
    """The points of the hand, items left out. `island`: the card that Island clears; `angel`: whom Angel keeps.

    Works on `cast.board`: afterwards `alive`, `seen` and `penalised` tell how it ended. May be called again and again;
    nothing but the board's settling is changed.
    """
    board = cast.board
    board.alive = board.seen = board.full
    active = active_penalties(cast, island, trace)
    blank(cast, active, angel, trace)
    return add(cast, active, trace)


def active_penalties(cast: Cast, island: Mask, trace: Trace | None = None) -> list[Active]:
    """The penalties that nothing clears; without the word, where that is cleared."""
    cleared, wordless = _clear(cast, island, trace) if cast.clearing or island else (0, 0)
    return [(bit, reduced if bit & wordless else whole) for bit, whole, reduced in cast.penalties if not bit & cleared]


def _clear(cast: Cast, island: Mask, trace: Trace | None) -> tuple[Mask, Mask]:
    """The cards whose penalty is gone, and those whose penalty has lost the word."""
    board, held = cast.board, cast.board.held
    cleared, wordless = island, 0
    if trace is not None and island:
        trace.clear(1 << cast.abilities["island"], island, word=False)
    for bit, traits, word in cast.clearing:
        mask = 0
        if traits is None:
            mask = board.full
        else:
            for trait in traits:
                mask |= held[trait]
        if word:
            wordless |= mask
        else:
            cleared |= mask
        if trace is not None:
            changed = sum(
                owner
                for owner, whole, reduced in cast.penalties
                if owner & mask and (not word or whole.effects != reduced.effects)
            )
            trace.clear(bit, changed, word=word)
    return cleared, wordless


def add(cast: Cast, active: list[Active], trace: Trace | None = None) -> int:
    """Strengths, bonuses and penalties of the cards that are left. `active`: the penalties that are not cleared."""
    board = cast.board
    board.penalised = sum(bit for bit, _ in active)
    alive = board.alive
    total = sum(board.strengths)
    for at in positions(board.full & ~alive):
        total -= board.strengths[at]
    for bit, worths in cast.scoring:
        if alive & bit:
            notes = None if trace is None else trace.bonuses.setdefault(bit, [])
            for worth in worths:
                total += worth(board, bit, notes)
    for bit, penalty in active:
        if alive & bit:
            notes = None if trace is None else trace.penalties.setdefault(bit, [])
            for worth in penalty.worths:
                total += worth(board, bit, notes)
    return total
