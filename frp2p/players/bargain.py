"""How the bot trades in Chaos Realms: it gives the card that it misses least, for one that should be better."""

from __future__ import annotations

from typing import Final

from frp2p.games.fantasy_realms.moves import AcceptOffer, OfferCard, RefuseOffer, Wait, WithdrawOffer
from frp2p.games.fantasy_realms.offer import own_slots
from frp2p.games.game import Move
from frp2p.players.outlook import Outlook

SPELL: Final = 6
"""Ticks in which a bot offers its card to one seat before it listens for as long. A person needs some five seconds to
see an offer, to think of a card, and to give it."""


def trade(outlook: Outlook, legal: tuple[Move, ...]) -> Move:
    """Swap as long as a card that is not known should make more of the hand than the one that is missed least.

    Every card that the bot does not hold is as likely to come as any other. Half of the seats offer while the other
    half listens, in turns (a card that is offered can't be given for another one); the offers go round the table.
    """
    view, left = outlook.view, outlook.without(outlook.hand)
    me = view.me or 0
    slots = {card: slot for slot, card in own_slots(view)}
    worst = max(slots, key=lambda card: (left[card], card))
    if outlook.replaced(worst) <= outlook.total(outlook.hand):
        return _first(legal, RefuseOffer) or _first(legal, WithdrawOffer) or Wait()
    spell = view.turn // SPELL
    if (spell + me) % 2:
        accept = next((move for move in legal if isinstance(move, AcceptOffer) and move.slot == slots[worst]), None)
        return accept or _first(legal, WithdrawOffer) or Wait()
    others = [seat.seat for seat in view.seats if seat.seat != me]
    offer = OfferCard(slot=slots[worst], to=others[spell // 2 % len(others)])
    standing = any((one.giver, one.to, one.slot) == (me, offer.to, offer.slot) for one in view.offers)
    return Wait() if standing else offer


def _first(legal: tuple[Move, ...], kind: type[Move]) -> Move | None:
    return next((move for move in legal if isinstance(move, kind)), None)
