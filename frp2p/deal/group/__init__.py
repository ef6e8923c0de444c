"""ristretto255 and its back ends."""

from frp2p.deal.group.group import (
    BASE,
    IDENTITY,
    ORDER,
    SIZE,
    Beside,
    Group,
    NotCanonical,
    Point,
    hash_to_group,
    scalar,
    scalar_bytes,
    wide_scalar,
)

__all__ = [
    "BASE",
    "IDENTITY",
    "ORDER",
    "SIZE",
    "Beside",
    "Group",
    "NotCanonical",
    "Point",
    "hash_to_group",
    "scalar",
    "scalar_bytes",
    "wide_scalar",
]
