"""Dealing without a dealer: the verbs of `games.verbs`, carried out with mental-poker cryptography."""

from frp2p.deal.clear import ClearKind
from frp2p.deal.dealer import Dealer, DealerKind, DealerSetup, Entropy
from frp2p.deal.entropy import fresh
from frp2p.deal.sealed import SealedKind

__all__ = ["ClearKind", "Dealer", "DealerKind", "DealerSetup", "Entropy", "SealedKind", "fresh"]
