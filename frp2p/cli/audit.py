"""What an open audit shows, for people and for programs: hands, looks and decks, step by step."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from frp2p.cards import CardId
from frp2p.cards.notation import shown_name
from frp2p.games.verbs import TABLE, Seat
from frp2p.ledger.audit import Audit, Hand, Look, Order
from frp2p.locale import _
from frp2p.locale.columns import hanging


def audit_plain(audit: Audit) -> dict[str, Any]:
    """The object `audit` of `frp2p verify --audit --json`; protocol/10-transcript.md names its fields."""
    return {
        "opened": list(audit.opened),
        "hands": msgspec.to_builtins(audit.hands),
        "looks": [{**msgspec.to_builtins(look), "owner": _owner(look.owner)} for look in audit.looks],
        "orders": msgspec.to_builtins(audit.orders),
    }


def _owner(lock: Seat) -> Seat | None:
    """The seat; None for a deck, whose cards are nobody's."""
    return None if lock == TABLE else lock


def audit_lines(audit: Audit) -> list[str]:
    """Who opened the keys, then each hand as it changed, each look, and each deck as it lay after a shuffle."""
    seats = audit.report.seats
    opened, count = len(audit.opened), len(seats)
    lines = [_("Open audit: the keys of {count} of {seats}.").format(count=opened, seats=count)]
    hidden = ", ".join(seat.name for seat in seats if seat.seat not in audit.opened)
    if hidden:
        lines += hanging("", _("Not opened: {names}. Those hands stay hidden.").format(names=hidden))
    for seat in seats:
        hands = [hand for hand in audit.hands if hand.seat == seat.seat]
        lines += _section(_("{name} held").format(name=seat.name), (_hand_line(hand) for hand in hands))
    names = [seat.name for seat in seats]
    lines += _section(_("Looks at hidden cards"), (_look_line(look, names) for look in audit.looks))
    return lines + _section(_("Decks after a shuffle, from the top"), map(_order_line, audit.orders))


def _section(title: str, rows: Iterable[tuple[str, str]]) -> list[str]:
    """A title and its rows, of which each is told by what it begins with; nothing without rows."""
    lines = [line for begin, text in rows for line in hanging(f"  {begin}: ", text)]
    return ["", title, *lines] if lines else []


def _hand_line(hand: Hand) -> tuple[str, str]:
    words = {
        "draw": _("after drawing"),
        "take": _("after taking"),
        "give": _("after giving away"),
        "get": _("after being given"),
        "put-back": _("after putting back"),
        "show": _("after showing"),
    }
    did = ", ".join(words[word] for word in hand.why)
    step = _("step {step}").format(step=hand.step)
    return (f"{step}, {did}" if did else step), _cards(hand.cards) or _("nothing hidden")


def _look_line(look: Look, names: list[str]) -> tuple[str, str]:
    begin = _("step {step}, {name}, in the deck") if look.owner == TABLE else _("step {step}, {name}, at {other}")
    other = "" if look.owner == TABLE else names[look.owner]
    return begin.format(step=look.step, name=names[look.viewer], other=other), _cards(look.cards)


def _order_line(order: Order) -> tuple[str, str]:
    return _("step {step}").format(step=order.step), _cards(order.cards)


def _cards(cards: Iterable[CardId | None]) -> str:
    return ", ".join(_("unknown") if card is None else shown_name(card) for card in cards)
