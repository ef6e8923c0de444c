"""What seats say to a clear dealer: the rounds and speakers of the sealed one, with small contents."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import msgspec

from frp2p.deal.coin import Commit, Open
from frp2p.deal.limits import MAX_VERBS

MIX_SIZE = 32
"""Bytes that a seat adds to a shuffle or to the set-up."""

Mixed = Annotated[bytes, msgspec.Meta(min_length=MIX_SIZE, max_length=MIX_SIZE)]


class Hello(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag="clear-hello"):
    """Set-up: my part of the seed."""

    mix: Mixed


class Mix(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag="clear-mix"):
    """My part of a shuffle."""

    mix: Mixed


class Show(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag="clear-show"):
    """I agree that the card is read. The token is a function of the request and the seat, so that it can be wrong."""

    token: Mixed


class ClearKeys(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag="clear-keys"):
    """After the game: I agree that my cards are told. There is no key."""


ClearItem: TypeAlias = Mix | Show | Commit | Open


class ClearContribution(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag="clear"):
    """One seat's items of one round, in the order of the verbs in which it speaks."""

    items: Annotated[tuple[ClearItem, ...], msgspec.Meta(min_length=1, max_length=MAX_VERBS)]
