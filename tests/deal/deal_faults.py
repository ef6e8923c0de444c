"""Tables of the sealed dealer at which somebody says what it should not."""

from __future__ import annotations

from typing import Any

import pytest
from deal_rig import HAND, ITEMS, Rig

from frp2p.deal import SealedKind
from frp2p.deal.sealed.messages import SealedContribution
from frp2p.errors import PeerFault
from frp2p.games.verbs import TABLE, Seal, Seat, Shuffle, SlotId

KIND = SealedKind()
GROUP = KIND.group
SHORT = {"hand": HAND[:8], "items": ITEMS}


def rig(**more: Any) -> Rig:
    return Rig(KIND, 3, decks=SHORT, **more)


def table(**more: Any) -> Rig:
    return rig(**more).setup()


def fault(machine: Any, seat: Seat, contribution: Any) -> str:
    """The failing check, the same at this peer as at the observer; nothing changed."""
    with pytest.raises(PeerFault) as caught:
        machine.check(seat, contribution)
    assert caught.value.seat == seat
    return caught.value.check


def deck(made: Rig) -> tuple[SlotId, ...]:
    (sealed,) = made.do(Seal(HAND[:8], TABLE))
    (mixed,) = made.do(Shuffle(sealed.slots, TABLE))
    return mixed.slots


def only(contribution: Any, item: Any) -> Any:
    """A contribution of this item alone."""
    return SealedContribution((item,))
