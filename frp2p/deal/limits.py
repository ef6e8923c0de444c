"""Everything that a peer can make a dealer hold or compute is bounded by these."""

from __future__ import annotations

MIN_SEATS = 2
"""Seats. With one seat there is nobody to hide a card from."""

MAX_SEATS = 7
"""Seats. The largest table of the games that we deal for."""

MAX_DECKS = 2
"""Decks at a table: hand cards, and items."""

MAX_SLOTS = 128
"""Slots in one verb. The largest deck has 78 cards; the rest is room for added cards. Bounds a shuffle to 29 kB."""

MAX_LIVE = MAX_DECKS * MAX_SLOTS
"""Slots that can be live at once: every card of every deck is in at most one. Who leaves gives a share for each."""

MAX_VERBS = 64
"""Verbs in one batch. A deal to seven seats is seven; the rest is room for wide card effects."""

MAX_SIDES = 1 << 32
"""Sides of a coin. Far more than any rule asks for, and small enough that rejection almost never repeats."""

MAX_PAIRS = 256
"""Pairs of slot and card in one exclusion. A hand of nine against a suit of six is 54; 256 pairs are 24 kB of proof."""
