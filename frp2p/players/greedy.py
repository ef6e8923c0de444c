"""A bot worth playing against: it counts what every card it may get would be worth on average, and plays for that."""

from __future__ import annotations

from typing import Any

from frp2p.cards import CardId
from frp2p.games.fantasy_realms import GAME
from frp2p.games.fantasy_realms.moves import Discard, DrawDeck, KeepItem, Pass, SwapItem, TakeDiscard, UseItem
from frp2p.games.fantasy_realms.offer import leaving
from frp2p.games.fantasy_realms.view import View
from frp2p.games.game import Move
from frp2p.players.bargain import trade
from frp2p.players.item_sense import ItemSense, useless
from frp2p.players.outlook import Outlook


class Greedy:
    """Decides from the view alone and keeps nothing between decisions; the same view gives the same move."""

    def choose(self, view: View, legal: tuple[Move, ...]) -> Move:
        item = _use(view, legal)
        if item is not None:
            return item
        match view.phase:
            case "draw":
                return _draw(Outlook(view), legal)
            case "discard" | "keep":
                return _discard(Outlook(view))
            case "trade":
                return trade(Outlook(view), legal)
            case "finish":
                return _finish(view, legal)
            case _end:
                return GAME.default(view)

    async def decide(self, view: Any, legal: tuple[Move, ...]) -> Move:
        return self.choose(view, legal)


def _use(view: View, legal: tuple[Move, ...]) -> Move | None:
    """The use of the open item, if that should bring points now."""
    for move in legal:
        if isinstance(move, UseItem) and view.phase in ("draw", "discard", "finish"):
            return move if ItemSense(Outlook(view), view.phase).worth(move.item) > 0 else None
    return None


def _finish(view: View, legal: tuple[Move, ...]) -> Move:
    """An item that will never bring anything is swapped."""
    item = view.seats[view.me or 0].item
    return SwapItem() if SwapItem() in legal and item is not None and useless(item) else KeepItem()


def _draw(outlook: Outlook, legal: tuple[Move, ...]) -> Move:
    hand = outlook.hand
    takes = {move: outlook.after(move.card, hand) for move in legal if isinstance(move, TakeDiscard)}
    best = max(takes, key=lambda move: takes[move], default=None)
    if DrawDeck() in legal:
        return best if best is not None and takes[best] > outlook.after_draw(hand) else DrawDeck()
    return best if best is not None and takes[best] > outlook.total(hand) else Pass()


def _discard(outlook: Outlook) -> Move:
    """Of discards that leave the own hand equally good, the one that helps the known cards of the others least."""
    left = outlook.without(outlook.hand)
    slots = {card: slot for slot, card in leaving(outlook.view)}
    gone: CardId = max(slots, key=lambda card: (left[card], -outlook.help(card), card))
    return Discard(slot=slots[gone])
