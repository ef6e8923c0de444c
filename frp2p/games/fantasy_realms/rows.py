"""Rows with one entry a seat."""

from __future__ import annotations

from typing import TypeVar

from frp2p.games.verbs import Seat

T = TypeVar("T")


def with_entry(row: tuple[T, ...], seat: Seat, entry: T) -> tuple[T, ...]:
    """The row with another entry for this seat."""
    return (*row[:seat], entry, *row[seat + 1 :])
