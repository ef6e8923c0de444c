"""The catalogue: every card as typed data."""

from __future__ import annotations

from typing import NewType

CardId = NewType("CardId", str)
"""Stable id of one printed card, `FR31`."""

__all__ = ["CardId"]
