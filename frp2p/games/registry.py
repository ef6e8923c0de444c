"""The games that this program knows, by their name on the wire."""

from __future__ import annotations

from collections.abc import Mapping

from frp2p.games.game import Game


def games() -> Mapping[str, Game]:
    """Every game; imported when asked for, so that a command without a table starts quickly."""
    from frp2p.games.fantasy_realms.game import GAME

    return {GAME.name: GAME}
