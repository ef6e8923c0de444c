"""Cards that come into hands by items, and the shuffles that follow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from frp2p.games.fantasy_realms.opening import ShuffleHands
from frp2p.games.verbs import Seat

if TYPE_CHECKING:
    from frp2p.games.fantasy_realms.state import State


def shuffle_hands(state: State, seats: tuple[Seat, ...]) -> tuple[ShuffleHands, ...]:
    """These seats shuffle their hands, which are not empty then, if the table plays with it."""
    return (ShuffleHands(seats=seats),) if state.options.unlinkable_hands and seats else ()
