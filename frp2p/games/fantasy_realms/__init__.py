"""Fantasy Realms: base game, standard mode."""

from __future__ import annotations

from frp2p.games.fantasy_realms.game import GAME, FantasyRealms
from frp2p.games.fantasy_realms.options import Options

__all__ = ["GAME", "FantasyRealms", "Options"]
