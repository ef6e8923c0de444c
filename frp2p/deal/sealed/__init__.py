"""The dealer that hides cards from everybody: every seat shuffles, nobody reads, and every message is proved."""

from frp2p.deal.sealed.kind import SealedKind

__all__ = ["SealedKind"]
