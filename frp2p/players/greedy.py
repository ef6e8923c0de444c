"""A bot worth playing against: it counts what every card it may get would be worth on average, and plays for that."""

from __future__ import annotations

from typing import Any

from frp2p.cards import CardId
from frp2p.games.fantasy_realms import GAME
from frp2p.games.fantasy_realms.moves import Discard, DrawDeck, TakeDiscard
from frp2p.games.fantasy_realms.offer import leaving
from frp2p.games.fantasy_realms.view import View
from frp2p.games.game import Move
from frp2p.players.outlook import Outlook


class Greedy:
    """Decides from the view alone and keeps nothing between decisions; the same view gives the same move."""

    def choose(self, view: View, legal: tuple[Move, ...]) -> Move:
        match view.phase:
            case "draw":
                return _draw(Outlook(view), legal)
            case "discard" | "keep":
                return _discard(Outlook(view))
            case _end:
                return GAME.default(view)

    async def decide(self, view: Any, legal: tuple[Move, ...]) -> Move:
        return self.choose(view, legal)


def _draw(outlook: Outlook, legal: tuple[Move, ...]) -> Move:
    hand = outlook.hand
    takes = {move: outlook.after(move.card, hand) for move in legal if isinstance(move, TakeDiscard)}
    best = max(takes, key=lambda move: takes[move], default=None)
    if DrawDeck() not in legal:
        return best or legal[0]
    return best if best is not None and takes[best] > outlook.after_draw(hand) else DrawDeck()


def _discard(outlook: Outlook) -> Move:
    """Of discards that leave the own hand equally good, the one that helps the known cards of the others least."""
    left = outlook.without(outlook.hand)
    slots = {card: slot for slot, card in leaving(outlook.view)}
    gone: CardId = max(slots, key=lambda card: (left[card], -outlook.help(card), card))
    return Discard(slot=slots[gone])
