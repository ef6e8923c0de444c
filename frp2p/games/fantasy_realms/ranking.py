"""Who won: most points, among equals the weakest hand, then shared."""

from __future__ import annotations


def ranks(totals: tuple[int, ...], strengths: tuple[int, ...]) -> tuple[int, ...]:
    """The rank of each seat, counted from 1; equal seats share a rank and the next ranks are left out.

    `strengths`: the sum of the base strengths of the unblanked cards of each hand; the lower one wins a tie.
    """
    keys = [(-total, strength) for total, strength in zip(totals, strengths, strict=True)]
    return tuple(1 + sum(other < key for other in keys) for key in keys)
