"""The moves of items as lines of text.

    use Portal | swap | leave | seat 2 | suit Flame | pick King, Queen | pick none
    return King; top: Queen; bottom: Dragon

Seats count from 0. What `pick` and `return` name depends on the question that is asked; a face-down card that the
reader can't know is written as its place, `#57`.
"""

from __future__ import annotations

import re
from typing import Final

from frp2p.cards import CardId, Suit, suit_name
from frp2p.cards.notation import clean, find_card, find_suit, named
from frp2p.cards.sets import items
from frp2p.errors import UserError
from frp2p.games.fantasy_realms.items.prompt import Prompt
from frp2p.games.fantasy_realms.moves import (
    Arrange,
    ItemMove,
    KeepItem,
    PickCards,
    PickSeat,
    PickSlots,
    PickSuit,
    SwapItem,
    UseItem,
)
from frp2p.games.fantasy_realms.view import View
from frp2p.games.verbs import SlotId
from frp2p.locale import _

VERBS: Final = ("use", "swap", "leave", "seat", "suit", "pick", "return")
"""The words that such a line begins with."""

NUMBER: Final = re.compile(r"[0-9]{1,9}", re.ASCII)
"""A seat or a place; a game has a few thousand places at most."""


def item_text(move: ItemMove, view: View) -> str:
    """The line for a move, as the viewer may know it; English names."""
    match move:
        case UseItem(item=item):
            return f"use {_name(item)}"
        case SwapItem():
            return "swap"
        case KeepItem():
            return "leave"
        case PickSeat(seat=seat):
            return f"seat {seat}"
        case PickSuit(suit=suit):
            return f"suit {suit_name(Suit(suit))}" if suit in tuple(Suit) else f"suit {clean(suit)}"
        case PickCards(cards=cards):
            return f"pick {_list(tuple(map(_name, cards)))}"
        case PickSlots(slots=slots):
            return f"pick {_slot_list(slots, view)}"
        case Arrange(keep=keep, top=top, bottom=bottom):
            ends = (("top", top), ("bottom", bottom))
            parts = (f"{word}: {_slot_list(slots, view)}" for word, slots in ends if slots)
            return "; ".join((f"return {_slot_list((keep,), view)}", *parts))


def parse_item(verb: str, rest: str, view: View) -> ItemMove | None:
    """The move of a line that begins with one of `VERBS`; None if it means none, UserError for an unknown name."""
    match verb, rest:
        case "use", name:
            return UseItem(item=find_card(name, items()))
        case "swap", "":
            return SwapItem()
        case "leave", "":
            return KeepItem()
        case "seat", number if NUMBER.fullmatch(number):
            return PickSeat(seat=int(number))
        case "suit", name:
            return PickSuit(suit=find_suit(name).value)
        case "pick", names:
            return _pick(names, _prompt(view))
        case "return", names:
            return _arrange(names, _prompt(view))
    return None


def slots_known(view: View) -> dict[SlotId, CardId]:
    """Every face-down card that the viewer knows, by its place."""
    entries = [entry for seat in view.seats for entry in (*seat.hand, *seat.pile)]
    found = {entry.slot: entry.card for entry in entries if entry.slot is not None and entry.card is not None}
    if view.prompt is not None:
        pairs = zip(view.prompt.slots, view.prompt.faces, strict=True)
        found.update({slot: face for slot, face in pairs if face is not None})
    return found


def _prompt(view: View) -> Prompt:
    if view.prompt is None:
        raise UserError(_("No item asks for anything now."), code="bad-move-line")
    return view.prompt


def _pick(names: str, prompt: Prompt) -> ItemMove:
    written = () if names.casefold() == "none" else tuple(name.strip() for name in names.split(","))
    if prompt.kind == "cards":
        return PickCards(cards=tuple(find_card(name, prompt.cards) for name in written))
    return PickSlots(slots=tuple(_slot(name, prompt) for name in written))


def _arrange(names: str, prompt: Prompt) -> Arrange:
    keep, *parts = (part.strip() for part in names.split(";"))
    places: dict[str, tuple[SlotId, ...]] = {"top": (), "bottom": ()}
    for part in parts:
        word, _colon, written = part.partition(":")
        if word.strip().casefold() not in places:
            raise UserError(_("After the kept card stand top: and bottom:, each with cards."), code="bad-move-line")
        places[word.strip().casefold()] = tuple(_slot(name.strip(), prompt) for name in written.split(","))
    return Arrange(keep=_slot(keep, prompt), top=places["top"], bottom=places["bottom"])


def _slot(name: str, prompt: Prompt) -> SlotId:
    if name.startswith("#") and NUMBER.fullmatch(name[1:]):
        return SlotId(int(name[1:]))
    slots = {face: slot for slot, face in zip(prompt.slots, prompt.faces, strict=True) if face is not None}
    return slots[find_card(name, tuple(slots))]


def _slot_list(slots: tuple[SlotId, ...], view: View) -> str:
    known = slots_known(view)
    return _list(tuple(_name(known[slot]) if slot in known else f"#{slot}" for slot in slots))


def _list(names: tuple[str, ...]) -> str:
    return ", ".join(names) or "none"


def _name(card: CardId) -> str:
    return named(card).name("en")
