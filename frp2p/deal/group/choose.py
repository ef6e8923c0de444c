"""Which back end this program uses."""

from __future__ import annotations

from frp2p.deal.group.group import Group
from frp2p.deal.group.sodium import SodiumGroup


def default_group() -> Group:
    """The back end of this program."""
    return SodiumGroup()
