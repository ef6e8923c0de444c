"""A dealer that hides nothing from the program it runs in: for simulations and for tests of rules and tables."""

from frp2p.deal.clear.kind import ClearKind

__all__ = ["ClearKind"]
