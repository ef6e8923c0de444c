"""A player that makes the moves of a script, for tests and demonstrations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from frp2p.errors import UserError
from frp2p.games.fantasy_realms import notation
from frp2p.games.game import Move
from frp2p.locale import _


class Scripted:
    """One line of game notation a move; UserError when the script is at its end or a line can't be read."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._lines: Iterator[str] = iter(tuple(lines))

    def choose(self, view: Any, legal: tuple[Move, ...]) -> Move:
        line = next(self._lines, None)
        if line is None:
            raise UserError(_("The script has no move left."))
        return notation.parse(line, view)

    async def decide(self, view: Any, legal: tuple[Move, ...]) -> Move:
        return self.choose(view, legal)
