"""What is said in a tick of Chaos Realms as lines of text; seats count from 0.

wait | offer King to 2 | accept 2 with Queen | refuse 2 | withdraw 2
"""

from __future__ import annotations

from typing import Final

from frp2p.cards.notation import clean, find_card, named
from frp2p.errors import UserError
from frp2p.games.fantasy_realms.items.notation import NUMBER, slots_known
from frp2p.games.fantasy_realms.moves import AcceptOffer, OfferCard, RefuseOffer, TradeMove, Wait, WithdrawOffer
from frp2p.games.fantasy_realms.view import View
from frp2p.games.verbs import Seat, SlotId
from frp2p.locale import _

TRADE_VERBS: Final = ("wait", "offer", "accept", "refuse", "withdraw")
"""The words that such a line begins with."""


def trade_text(move: TradeMove, view: View) -> str:
    """The line for a move, as the viewer may know it; English names."""
    match move:
        case Wait():
            return "wait"
        case OfferCard(slot=slot, to=seat):
            return f"offer {_card(slot, view)} to {seat}"
        case AcceptOffer(seat=seat, slot=slot):
            return f"accept {seat} with {_card(slot, view)}"
        case RefuseOffer(seat=seat):
            return f"refuse {seat}"
        case WithdrawOffer(seat=seat):
            return f"withdraw {seat}"


def parse_trade(verb: str, rest: str, view: View) -> TradeMove:
    """The move of a line that begins with one of `TRADE_VERBS`; UserError if it means none."""
    match verb:
        case "wait" if not rest:
            return Wait()
        case "offer":
            card, _to, seat = rest.rpartition(" to ")
            return OfferCard(slot=_slot(card.strip(), view), to=_seat(seat))
        case "accept":
            seat, _with, card = rest.partition(" with ")
            return AcceptOffer(seat=_seat(seat), slot=_slot(card.strip(), view))
        case "refuse":
            return RefuseOffer(seat=_seat(rest))
        case "withdraw":
            return WithdrawOffer(seat=_seat(rest))
    raise UserError(_('"{line}" is not a move.').format(line=clean(f"{verb} {rest}")), code="bad-move-line")


def _seat(written: str) -> Seat:
    if not NUMBER.fullmatch(written.strip()):
        raise UserError(_('"{line}" is not the number of a seat.').format(line=clean(written)), code="bad-move-line")
    return int(written)


def _card(slot: SlotId, view: View) -> str:
    known = slots_known(view)
    return named(known[slot]).name("en") if slot in known else f"#{slot}"


def _slot(name: str, view: View) -> SlotId:
    if name.startswith("#") and NUMBER.fullmatch(name[1:]):
        return SlotId(int(name[1:]))
    mine = () if view.me is None else view.seats[view.me].hand
    slots = {entry.card: entry.slot for entry in mine if entry.card is not None and entry.slot is not None}
    return slots[find_card(name, tuple(slots))]
