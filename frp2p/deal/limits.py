"""Everything that a peer can make a dealer hold or compute is bounded by these."""

from __future__ import annotations

from frp2p.errors import LocalError

MIN_SEATS = 2
"""Seats. With one seat there is nobody to hide a card from."""

MIN_SHARING = 3
"""Seats of a table with recovery. With two, the share of a key would be the key."""

SHARING_ROUNDS = 3
"""Rounds in which keys are shared: envelope keys, shares, complaints."""

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


def check_seats(seats: int, recovery: bool) -> None:
    """LocalError unless so many seats can have a table like this."""
    least = MIN_SHARING if recovery else MIN_SEATS
    if not least <= seats <= MAX_SEATS:
        raise LocalError(f"a table like this has {least} to {MAX_SEATS} seats, not {seats}")
