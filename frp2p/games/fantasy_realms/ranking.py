"""Who won: a round, and a match of several rounds."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec


class Result(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """How a round came out: points and rank of each seat."""

    totals: tuple[int, ...]
    ranks: tuple[int, ...]


def ranks(totals: tuple[int, ...], strengths: tuple[int, ...]) -> tuple[int, ...]:
    """The rank of each seat in a round, counted from 1; equal seats share a rank and the next ranks are left out.

    `strengths`: the sum of the base strengths of the unblanked cards of each hand; the lower one wins a tie.
    """
    return _places([(-total, strength) for total, strength in zip(totals, strengths, strict=True)])


def sums(rounds: Sequence[Result], seats: int) -> tuple[int, ...]:
    """The points of each seat in all these rounds together."""
    return tuple(sum(one.totals[seat] for one in rounds) for seat in range(seats))


def wins(rounds: Sequence[Result], seats: int) -> tuple[int, ...]:
    """How many of these rounds each seat won; a shared win is a win of each."""
    return tuple(sum(one.ranks[seat] == 1 for one in rounds) for seat in range(seats))


def standing(rounds: Sequence[Result], seats: int) -> tuple[int, ...]:
    """The rank of each seat in a match: most points, then most rounds won, then shared. After a single round, its
    ranks."""
    if len(rounds) == 1:
        return rounds[0].ranks
    return _places([(-total, -won) for total, won in zip(sums(rounds, seats), wins(rounds, seats), strict=True)])


def _places(keys: list[tuple[int, int]]) -> tuple[int, ...]:
    return tuple(1 + sum(other < key for other in keys) for key in keys)
