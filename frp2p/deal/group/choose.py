"""Which back end this program uses."""

from __future__ import annotations

import os
from functools import cache

from frp2p.deal.group.group import Beside, Group
from frp2p.deal.group.pure import PureGroup
from frp2p.errors import UserError
from frp2p.locale import _

VARIABLE = "FRP2P_GROUP"
"""Environment variable that forces a back end: `sodium` or `pure`."""


@cache
def default_group(beside: Beside | None = None) -> Group:
    """libsodium where it loads, else our own in Python; `name` and `constant_time` of the answer say which.

    `beside` is for libsodium, which leaves the interpreter's lock.

    All back ends speak the same group, so seats with different ones play together.
    """
    wanted = os.environ.get(VARIABLE, "")
    if wanted == "pure":
        return PureGroup()
    if wanted not in ("", "sodium"):
        raise UserError(_("{variable} is {value}; it can be sodium or pure.").format(variable=VARIABLE, value=wanted))
    try:
        from frp2p.deal.group.sodium import SodiumGroup
    except (ImportError, OSError, RuntimeError) as error:
        # No wheel for this machine, or a temporary directory from which nothing may be loaded.
        if wanted:
            raise UserError(_("libsodium can't be loaded: {error}").format(error=error)) from error
        return PureGroup()
    return SodiumGroup(beside)
