"""Who won: a round, and a match of several rounds."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import msgspec

from frp2p.games.verbs import Seat


class Result(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """How a round came out: points and rank of each seat; a seat that had left has no points."""

    totals: tuple[int | None, ...]
    ranks: tuple[int, ...]


def ranks(totals: Sequence[int | None], strengths: Sequence[int]) -> tuple[int, ...]:
    """The rank of each seat in a round, counted from 1; equal seats share a rank and the next ranks are left out.

    `strengths`: the sum of the base strengths of the unblanked cards of each hand; the lower one wins a tie. The seats
    without points share the last rank.
    """
    pairs = zip(totals, strengths, strict=True)
    return _places([None if total is None else (-total, strength) for total, strength in pairs])


def sums(rounds: Sequence[Result], seats: int) -> tuple[int, ...]:
    """The points of each seat in all these rounds together."""
    return tuple(sum(one.totals[seat] or 0 for one in rounds) for seat in range(seats))


def wins(rounds: Sequence[Result], seats: int) -> tuple[int, ...]:
    """How many of these rounds each seat won; a shared win is a win of each."""
    return tuple(sum(one.ranks[seat] == 1 for one in rounds) for seat in range(seats))


def standing(rounds: Sequence[Result], seats: int, out: Collection[Seat] = ()) -> tuple[int, ...]:
    """The rank of each seat in a match: most points, then most rounds won, then shared. After a single round, its
    ranks. The seats that are out share the last rank."""
    if len(rounds) == 1:
        places = [None if seat in out else (place, 0) for seat, place in enumerate(rounds[0].ranks)]
        return _places(places)
    pairs = enumerate(zip(sums(rounds, seats), wins(rounds, seats), strict=True))
    return _places([None if seat in out else (-total, -won) for seat, (total, won) in pairs])


def _places(keys: list[tuple[int, int] | None]) -> tuple[int, ...]:
    """The rank of each key, the lowest first; None comes last."""
    present = [key for key in keys if key is not None]
    return tuple(1 + (len(present) if key is None else sum(other < key for other in present)) for key in keys)
