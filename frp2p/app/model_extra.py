"""A question at the end as a list: which card Genie or the Necromancer brings, or which one is dropped; with totals."""

from __future__ import annotations

from frp2p.app import model_cards as cards
from frp2p.app.model_table import card_cells, mark_cell
from frp2p.app.model_text import Cell, Line, fit, pad, right
from frp2p.app.model_window import window
from frp2p.app.model_worth import Worth
from frp2p.cards import CardId
from frp2p.games.fantasy_realms.moves import Drop, PickExtra, SearchDeck
from frp2p.games.fantasy_realms.view import View
from frp2p.games.game import Move
from frp2p.locale import _

Asked = tuple[View, tuple[Move, ...]] | None


def options(asked: Asked) -> tuple[CardId | None, ...]:
    """The cards that may be answered, None (no card) among them, in the order of the legal moves."""
    if asked is None:
        return ()
    return tuple(move.card for move in asked[1] if isinstance(move, Drop | PickExtra | SearchDeck))


def move(asked: Asked, number: int) -> Move:
    """The move that this option stands for."""
    if asked is None:
        raise LookupError("nothing is asked")
    return [move for move in asked[1] if isinstance(move, Drop | PickExtra | SearchDeck)][number]


def title(phase: str, *, chaos: bool = False) -> str:
    """What is asked."""
    if chaos and phase == "extra":
        return _("Necromancer: one of these cards stays")
    match phase:
        case "search":
            return _("Genie: a card of the deck")
        case "overflow":
            return _("Your hand is too large: drop a card")
        case _extra:
            return _("Necromancer: an extra card from the discard area")


def index(asked: Asked, worth: Worth | None, picked: int) -> int | None:
    """The marked option: the one that was picked (`picked` >= 0), else the best; None while that is unknown."""
    offered = options(asked)
    if not offered:
        return None
    if picked >= 0:
        return min(picked, len(offered) - 1)
    if worth is None or not worth.done or worth.pick not in offered:
        return None
    return offered.index(worth.pick)


def lines(asked: Asked, worth: Worth | None, picked: int, keys: str, columns: int, rows: int) -> list[Line]:
    """The list in at most `rows` lines, scrolled to the marked option."""
    offered = options(asked)
    at = index(asked, worth, picked)
    discards = asked[0].discards if asked is not None else ()
    part = window(len(offered), at or 0, rows)
    shown: list[Line] = []
    for number, card in list(enumerate(offered))[part.first : part.last]:
        known = worth.extras.get(card) if worth is not None else None
        figure = right("…" if known is None else str(known), 6)
        style = "cursor" if number == at else ""
        key = keys[discards.index(card)] if card is not None and card in discards else " "
        if card is None:
            name: Line = (Cell(pad(_("no extra card"), columns - 12), style),)
        else:
            name = card_cells(card, columns - 12, style=style, shown=f"{cards.name(card)} {cards.strength(card)}")
        mark = mark_cell("  ▸ ", at=number == at)
        line = fit((mark, Cell(f"{key} ", "key"), *name, Cell(figure)), columns)
        shown.append(tuple(cell._replace(target=("extra", number)) for cell in line))
    return shown + part.note(columns, rows)
