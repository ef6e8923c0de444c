"""Cursed items in words and lines: the own one and what it can do now, everybody's, the piles, what one was shown."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

from frp2p.app import model_cards as cards
from frp2p.app.model_text import Cell, Line, fit, signed, width, wrap
from frp2p.cards import CardId
from frp2p.cards.catalogue import item as item_of
from frp2p.cards.item_text import action_text, item_timing, item_value
from frp2p.games.fantasy_realms.items.offer import why_not_now
from frp2p.games.fantasy_realms.moves import KeepItem, SwapItem, UseItem
from frp2p.games.fantasy_realms.view import SeatView, View
from frp2p.games.game import Move
from frp2p.locale import _, ngettext
from frp2p.scoring import Context, ItemScore
from frp2p.scoring.explain import score_items

Asked: TypeAlias = tuple[View, tuple[Move, ...]] | None

MOMENTS = frozenset({"draw", "discard", "keep", "finish"})
"""The phases in which the seat in turn may do something about its item, if not now then later in the turn."""

"""Columns of an item's value, `-30` the longest, with room before it."""


class Act(NamedTuple):
    """One thing that can be done about the own item. `why` says why not now, empty if it can; then `move` does it, and
    without a move nothing has to be done."""

    what: Literal["use", "swap", "leave"]
    text: str
    move: Move | None
    why: str


def playing(view: View | None) -> bool:
    """Whether this table plays with items."""
    return view is not None and view.options.cursed_items


def mine(view: View | None) -> CardId | None:
    """The viewer's face-up item."""
    return view.seats[view.me].item if view is not None and view.me is not None else None


def value(item: CardId, players: int) -> int:
    """What it counts face down, taken alone."""
    return points((item,), players)


def points(items: tuple[CardId, ...], players: int) -> int:
    """What these face-down items count together."""
    return sum(one.points for one in item_scores(items, players))


def item_scores(items: tuple[CardId, ...], players: int) -> tuple[ItemScore, ...]:
    """What each of these face-down items counts beside the others."""
    return score_items(Context(players=players, items=items))


def pile(seat: SeatView) -> tuple[CardId, ...]:
    """The face-down items of a seat as far as the viewer knows them."""
    return tuple(entry.card for entry in seat.pile if entry.card is not None)


def own_points(view: View | None) -> int:
    """What the viewer's face-down items count."""
    if view is None or view.me is None:
        return 0
    return points(pile(view.seats[view.me]), len(view.seats))


def rule(item: CardId) -> tuple[str, ...]:
    """What the item says: its action with the moment for it, then its value."""
    entry = item_of(item)
    return f"{item_timing(entry)} {action_text(entry.action)}", item_value(entry)


def acts(view: View | None, asked: Asked) -> tuple[Act, ...]:
    """Use, swap, leave; empty without a face-up item."""
    item = mine(view)
    if view is None or item is None:
        return ()
    return (
        Act("use", _("use it: it then lies face down before you"), UseItem(item=item), _why_not_use(view, item, asked)),
        Act("swap", _("swap it for another one at the end of your turn"), SwapItem(), _why_not_swap(view, asked)),
        Act("leave", _("leave it face up"), KeepItem() if _phase(asked) == "finish" else None, ""),
    )


def _phase(asked: Asked) -> str:
    return asked[0].phase if asked is not None else ""


def _why_not_use(view: View, item: CardId, asked: Asked) -> str:
    if asked is not None and UseItem(item=item) in asked[1]:
        return ""
    if _phase(asked) not in MOMENTS:
        return _not_now(asked)
    return why_not_now(view) or _not_now(asked)


def _why_not_swap(view: View, asked: Asked) -> str:
    if asked is not None and SwapItem() in asked[1]:
        return ""
    if _phase(asked) == "finish":
        return _("There is no other item left.")
    return _("This comes at the end of your turn.") if _phase(asked) in MOMENTS else _not_now(asked)


def _not_now(asked: Asked) -> str:
    return _("It is not your turn.") if asked is None else _("Not now.")


def first_act(view: View | None, asked: Asked) -> int:
    """The row that is marked when the dialog opens: to use the item where that is allowed, else to leave it. At the
    end of the turn it is to leave it."""
    offered = acts(view, asked)
    if _phase(asked) != "finish" and offered and not offered[0].why:
        return 0
    return max(0, len(offered) - 1)


def act_lines(view: View | None, asked: Asked, at: int, columns: int) -> list[Line]:
    """The own item with its text, and what can be done about it, one row each."""
    item = mine(view)
    if view is None or item is None:
        text = _("You have no face-up item now.") if playing(view) else _("This table plays without cursed items.")
        return [fit((Cell(f"  {text}", "dim"),), columns)]
    lines = text_lines(item, columns)
    for index, act in enumerate(acts(view, asked)):
        style = "cursor" if index == at else ("off" if act.why else "")
        line: Line = (Cell("▸ " if index == at else "  ", "key"), Cell(act.text, style))
        if act.why:
            line = (*line, Cell(f"  {act.why}", "dim"))
        lines += [tuple(cell._replace(target=("act", index)) for cell in fit(line, columns))]
        if act.why and width(act.text) + width(act.why) + 4 > columns:
            lines[-1] = tuple(cell._replace(target=("act", index)) for cell in fit(line[:2], columns))
            lines += [fit((Cell(f"    {row}", "dim"),), columns) for row in wrap(act.why, columns - 5)]
    return lines


def text_lines(item: CardId, columns: int, style: str = "") -> list[Line]:
    """The text of an item."""
    rows = [row for text in rule(item) for row in wrap(text, columns - 3, "  ")]
    return [fit((Cell(f"  {row}", style),), columns) for row in rows]


def short(item: CardId, players: int) -> str:
    """`Portal (-20)`"""
    return f"{cards.name(item)} ({signed(value(item, players))})"


def listed(items: tuple[CardId, ...], players: int) -> str:
    return ", ".join(short(item, players) for item in items)


def page(view: View | None, called: tuple[str, ...], columns: int) -> list[Line]:
    """Everything about items that is not the own one: own pile, the others', the deck, what one was shown."""
    if not playing(view) or view is None:
        return []
    rows: list[tuple[str, str]] = [*_own(view), *_known(view, called)]
    for seat in view.seats:
        if seat.seat != view.me:
            rows += _other(view, seat, called)
    rows += _decks(view, called)
    lines: list[Line] = []
    for text, style in rows:
        indent = len(text) - len(text.lstrip())
        for row in wrap(text.strip(), columns - 2 - indent, "  "):
            lines.append(fit((Cell(" " * (1 + indent)), Cell(row, style)), columns))
    return lines


def _own(view: View) -> list[tuple[str, str]]:
    if view.me is None:
        return []
    seat, count = view.seats[view.me], len(view.seats)
    rows = []
    if seat.pile:
        text = _("Your face-down items ({points} together): {items}")
        rows.append((text.format(points=signed(own_points(view)), items=listed(pile(seat), count)), "strong"))
    else:
        rows.append((_("You have no face-down items."), ""))
    if seat.aside:
        text = _("Set aside, your next ones: {items}")
        rows.append((text.format(items=listed(seat.aside, count)), ""))
    if view.skip:
        rows.append((_("The discard of this turn is left out."), "strong"))
    if view.mix:
        rows.append((_("The deck is shuffled when this turn ends."), "strong"))
    return rows


def _known(view: View, called: tuple[str, ...]) -> list[tuple[str, str]]:
    """The hidden cards that the viewer knows."""
    rows = [(text, "strong") for text in deck_known(view)]
    for seat in view.seats:
        held = peeked(view, seat)
        if held:
            text = _("You know in the hand of {name}: {cards}")
            rows.append((text.format(name=called[seat.seat], cards=", ".join(map(cards.name, held))), "strong"))
    return rows


def peeked(view: View, seat: SeatView) -> tuple[CardId, ...]:
    """The cards in another seat's hand that the viewer was shown; those that everybody knows are not among them."""
    if seat.seat == view.me:
        return ()
    return tuple(one.card for one in seat.hand if one.slot is not None and one.card and one.card not in seat.holds)


def deck_known(view: View) -> list[str]:
    """What the viewer knows of the deck, counted from the nearer end: up to two sentences."""
    top = [one for one in view.seen if one.place * 2 < view.deck_left]
    rest = [one for one in view.seen if one not in top]
    rows = []
    if top:
        listing = ", ".join(f"{one.place + 1}. {cards.name(one.card)}" for one in top)
        rows.append(_("You know in the deck, from the top: {cards}").format(cards=listing))
    if rest:
        listing = ", ".join(f"{view.deck_left - one.place}. {cards.name(one.card)}" for one in reversed(rest))
        rows.append(_("You know in the deck, from the bottom: {cards}").format(cards=listing))
    return rows


def next_card(view: View) -> CardId | None:
    """The top card of the deck, if the viewer knows it."""
    return next((one.card for one in view.seen if one.place == 0), None)


def secrets(view: View) -> frozenset[tuple[int, CardId]]:
    """Every hidden card that the viewer knows beside the own ones, with the seat (-1: the deck)."""
    hands = ((seat.seat, card) for seat in view.seats for card in peeked(view, seat))
    return frozenset((*((-1, one.card) for one in view.seen), *hands))


def _other(view: View, seat: SeatView, called: tuple[str, ...]) -> list[tuple[str, str]]:
    count, name = len(view.seats), called[seat.seat]
    down = ngettext("{count} face down", "{count} face down", len(seat.pile)).format(count=len(seat.pile))
    if seat.item is None:
        rows = [(_("{name}: no face-up item, {down}").format(name=name, down=down), "")]
    else:
        text = _("{name}: {item}, {down}")
        rows = [(text.format(name=name, item=short(seat.item, count), down=down), "")]
        rows.append((f"  {rule(seat.item)[0]}", "dim"))
    known = pile(seat)
    if known:
        rows.append((f"  {listed(known, count)}", ""))
    if seat.aside:
        rows.append(("  " + _("Set aside: {items}").format(items=listed(seat.aside, count)), ""))
    return rows


def _decks(view: View, called: tuple[str, ...]) -> list[tuple[str, str]]:
    rows = [(_("Item deck: {count}").format(count=view.items_left), "")]
    if view.item_discards:
        latest = tuple(reversed(view.item_discards))
        text = _("Discarded items, the newest first: {items}")
        rows.append((text.format(items=listed(latest, len(view.seats))), ""))
    for seat in view.seats:
        covered = [one.card for one in view.covered if one.seat == seat.seat]
        if covered:
            text = _("Only {name} may take: {cards}")
            rows.append((text.format(name=called[seat.seat], cards=", ".join(map(cards.name, covered))), ""))
    return [*rows, *((text, "") for text in shown_rows(view, called))]


def shown_rows(view: View, called: tuple[str, ...]) -> list[str]:
    """The cards that lie open for the moment, one sentence a seat."""
    rows = []
    for seat in view.seats:
        shown = [one.card for one in view.shown if one.seat == seat.seat]
        if shown:
            text = _("{name} shows: {cards}")
            rows.append(text.format(name=called[seat.seat], cards=", ".join(map(cards.name, shown))))
    return rows


def covered_by(view: View, card: CardId) -> int | None:
    """The seat that alone may take this discard; None if everybody may."""
    return next((one.seat for one in view.covered if one.card == card), None)
