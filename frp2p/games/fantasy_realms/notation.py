"""A move as one line of text, for scripts, logs and tests.

    draw | take King | discard King | pass | search Dragon | extra Queen | extra none | drop Swamp | next
    choose Mirage=Rainstorm; Book of Changes=Bell Tower:Leader; Island=Wildfire

and those of the cursed items, see `items/notation.py`.

What a line means may depend on what the reader can see: `discard King` needs a view of the hand that holds the King.
Where the viewer does not know the card, its place stands there: `discard #57`.
"""

from __future__ import annotations

from frp2p.cards import CardId
from frp2p.cards.notation import clean, find_card, named
from frp2p.errors import UserError
from frp2p.games.fantasy_realms.items.notation import VERBS, item_text, parse_item
from frp2p.games.fantasy_realms.moves import (
    AcceptOffer,
    Choose,
    Discard,
    DrawDeck,
    Drop,
    FantasyMove,
    NextRound,
    OfferCard,
    Pass,
    PickExtra,
    RefuseOffer,
    SearchDeck,
    TakeDiscard,
    Wait,
    WithdrawOffer,
)
from frp2p.games.fantasy_realms.offer import context_of, in_deck, open_hand
from frp2p.games.fantasy_realms.trade_notation import TRADE_VERBS, parse_trade, trade_text
from frp2p.games.fantasy_realms.view import View
from frp2p.games.verbs import Seat, SlotId
from frp2p.locale import _
from frp2p.scoring import Choices
from frp2p.scoring.notation import HandLine, parse_line, write_line

SLOT_DIGITS = 9
"""Digits of a written place; a game uses a few thousand at most."""


def text(move: FantasyMove, view: View, seat: Seat | None = None) -> str:
    """The line for a move of `seat` (None: of the viewer), as the viewer may know it; English names."""
    match move:
        case DrawDeck():
            return "draw"
        case Pass():
            return "pass"
        case TakeDiscard(card=card):
            return f"take {_name(card)}"
        case NextRound():
            return "next"
        case SearchDeck(card=card):
            return f"search {_name(card)}"
        case Drop(card=card):
            return f"drop {_name(card)}"
        case PickExtra(card=picked):
            return "extra none" if picked is None else f"extra {_name(picked)}"
        case Discard(slot=slot):
            seen = {entry.slot: entry.card for seat in view.seats for entry in seat.hand}.get(slot)
            return f"discard #{slot}" if seen is None else f"discard {_name(seen)}"
        case Choose():
            # A line of cards and choices without the cards: what follows the first "; ".
            written = write_line(HandLine(_hand(view, view.me if seat is None else seat), move.choices))
            return f"choose {written.partition('; ')[2]}".rstrip()
        case Wait() | OfferCard() | AcceptOffer() | RefuseOffer() | WithdrawOffer():
            return trade_text(move, view)
        case _item:
            return item_text(move, view)


def parse(line: str, view: View) -> FantasyMove:
    """The move that a line means to the viewer; UserError if it means none. Whether it is legal is not looked at."""
    verb, _space, rest = line.strip().partition(" ")
    match verb.casefold(), rest.strip():
        case "draw", "":
            return DrawDeck()
        case "pass", "":
            return Pass()
        case "next", "":
            return NextRound()
        case "search", name:
            return SearchDeck(card=find_card(name, in_deck(view)))
        case "drop", name:
            return Drop(card=find_card(name, _hand(view, view.me)))
        case "take", name:
            return TakeDiscard(card=find_card(name, view.discards))
        case "extra", name:
            return PickExtra(card=None if name.casefold() == "none" else find_card(name, view.brought or view.discards))
        case "discard", name:
            return Discard(slot=_slot(name, view))
        case "choose", written:
            return Choose(choices=_choices(written, view))
        case word, rest_of_line if word in TRADE_VERBS:
            return parse_trade(word, rest_of_line, view)
        case word, name if word in VERBS and (move := parse_item(word, name, view)) is not None:
            return move
        case _other:
            raise UserError(_('"{line}" is not a move.').format(line=clean(line)), code="bad-move-line")


def _name(card: CardId) -> str:
    return named(card).name("en")


def _slot(name: str, view: View) -> SlotId:
    digits = name.removeprefix("#")
    if digits != name and digits.isascii() and digits.isdigit() and len(digits) <= SLOT_DIGITS:
        return SlotId(int(digits))
    mine = () if view.me is None else view.seats[view.me].hand
    slots = {entry.card: entry.slot for entry in mine if entry.card is not None and entry.slot is not None}
    return slots[find_card(name, tuple(slots))]


def _hand(view: View, seat: Seat | None) -> tuple[CardId, ...]:
    """The open hand of the seat with its extra cards; empty for nobody."""
    return () if seat is None else open_hand(view.seats[seat])


def _choices(written: str, view: View) -> Choices:
    """`Mirage=Rainstorm; Island=Wildfire`, read beside the viewer's hand; nothing written means no ability is used."""
    if not written:
        return Choices()
    if "|" in written:
        raise UserError(_("Only choices stand after choose."), code="bad-move-line")
    hand = ", ".join(_hand(view, view.me))
    return parse_line(f"{hand}; {written}", context_of(view).deck()).choices
