"""Fantasy Realms: a hand becomes an explained score; exact search for the best choices."""

from __future__ import annotations

from frp2p.scoring.choices import Choices

__all__ = ["Choices"]
