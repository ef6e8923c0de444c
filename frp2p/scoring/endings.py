"""How a hand can end: the ways to use Island and Angel, and who is alive after each."""

from __future__ import annotations

from typing import NamedTuple

from frp2p.scoring.blanking import Active, Deed, mortal, settle
from frp2p.scoring.cast import Cast
from frp2p.scoring.traits import Mask, positions


class Ending(NamedTuple):
    """`strength`: of the cards that are alive. `used`: how many of the two are used. `place`: its place among all that
    were tried. `island`: the card that Island clears; `angel`: the card that Angel chooses; 0 for none. `active`: the
    penalties that are left."""

    strength: int
    used: int
    place: int
    island: Mask
    angel: Mask
    alive: Mask
    seen: Mask
    active: list[Active]


def endings(cast: Cast, active: list[Active], deeds: tuple[Deed, ...], clearable: list[Mask]) -> list[Ending]:
    """Every telling way, the strongest first. `active` and `deeds` are as without Island; `clearable`: the cards that
    it may clear. Of the board only strengths are looked at."""
    found: list[Ending] = []
    for island in (0, *clearable):
        left = [one for one in active if one[0] != island]
        _with_island(cast, island, left, tuple(deed for deed in deeds if deed.bit != island), found)
    found.sort(key=lambda ending: -ending.strength)
    return found


def _with_island(cast: Cast, island: Mask, active: list[Active], deeds: tuple[Deed, ...], found: list[Ending]) -> None:
    """Without and with Angel's choice: one of the cards that might be blanked. Of ways that end alike, the first."""
    board = cast.board
    at = cast.abilities.get("angel")
    chosen = [0] if at is None else [0, *(1 << card for card in positions(mortal(deeds)))]
    ends = set()
    for angel in chosen:
        settle(cast, deeds, angel)
        end = (board.alive, board.seen)
        if end not in ends:
            ends.add(end)
            strength = sum(board.strengths[card] for card in positions(board.alive))
            used = bool(island) + bool(angel)
            found.append(Ending(strength, used, len(found), island, angel, *end, active))
