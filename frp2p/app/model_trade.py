"""Trading in Chaos Realms as a face shows it: the time left, who offers what, and what can be done with a card."""

from __future__ import annotations

from typing import Literal, NamedTuple

from frp2p.app import model_cards as cards
from frp2p.app.model_text import Cell, Line, fit, wrap
from frp2p.app.model_window import window
from frp2p.cards import CardId
from frp2p.games.fantasy_realms.moves import AcceptOffer, OfferCard, RefuseOffer, WithdrawOffer
from frp2p.games.fantasy_realms.options import TICK_SECONDS
from frp2p.games.fantasy_realms.trade import bound, open_offer
from frp2p.games.fantasy_realms.view import View
from frp2p.games.game import Move
from frp2p.games.verbs import Seat, SlotId
from frp2p.locale import _, ngettext

MINUTE = 60


class Act(NamedTuple):
    """One row of the dialog. `why` it can't be done now, or ``""``; the rows are always the same, whatever comes in."""

    what: Literal["take", "offer", "refuse", "withdraw"]
    seat: Seat
    move: Move
    why: str = ""


def trading(view: View | None) -> bool:
    """Whether cards are traded, the moments in which the dealer carries out a swap included."""
    return view is not None and view.ticks_left > 0


def time_left(view: View) -> str:
    """`Time 4:05` while cards are traded, else empty."""
    if not trading(view):
        return ""
    minutes, seconds = divmod(view.ticks_left * TICK_SECONDS, MINUTE)
    return _("Time {minutes}:{seconds}").format(minutes=minutes, seconds=f"{seconds:02d}")


def state_of(view: View, seat: Seat) -> tuple[str, str]:
    """What a seat has to do with the viewer, in words, and the style of it."""
    if view.me is None or seat == view.me:
        return "", ""
    if open_offer(view.offers, seat, view.me) is not None:
        return _("offers you a card"), "turn"
    if open_offer(view.offers, view.me, seat) is not None:
        return _("has your offer"), "dim"
    return "", ""


def offering(view: View) -> tuple[Seat, ...]:
    """The seats that offer the viewer a card."""
    return tuple(offer.giver for offer in view.offers if offer.to == view.me)


def acts(view: View | None, card: CardId | None) -> tuple[Act, ...]:
    """What can be done, with this card where one is needed: first takes, then offers, then what ends an offer."""
    if view is None or view.me is None or not trading(view):
        return ()
    slot = _slot(view, card)
    others = tuple(seat.seat for seat in view.seats if seat.seat != view.me)
    return (
        *(Act("take", seat, AcceptOffer(seat=seat, slot=slot), _why_not_take(view, seat, slot)) for seat in others),
        *(Act("offer", seat, OfferCard(slot=slot, to=seat), "" if slot >= 0 else _no_card()) for seat in others),
        *(Act("refuse", seat, RefuseOffer(seat=seat), _why_not_refuse(view, seat)) for seat in others),
        *(Act("withdraw", seat, WithdrawOffer(seat=seat), _why_not_withdraw(view, seat)) for seat in others),
    )


def _slot(view: View, card: CardId | None) -> SlotId:
    """Where the card is in the own hand; -1 for nowhere."""
    mine = view.seats[view.me or 0].hand
    return next((held.slot for held in mine if held.card == card and held.slot is not None), SlotId(-1))


def _no_card() -> str:
    return _("First put the cursor on a card of your hand.")


def _why_not_refuse(view: View, seat: Seat) -> str:
    return "" if seat in offering(view) else _("This player offers you nothing.")


def _why_not_withdraw(view: View, seat: Seat) -> str:
    return "" if open_offer(view.offers, view.me or 0, seat) is not None else _("You have no such offer open.")


def _why_not_take(view: View, seat: Seat, slot: SlotId) -> str:
    if slot < 0:
        return _no_card()
    if slot in bound(view.offers, view.me or 0):
        return _("You have offered this card yourself; take that back first.")
    return _why_not_refuse(view, seat)


def text(act: Act, card: CardId | None, called: tuple[str, ...]) -> str:
    """The row in words."""
    name, shown = called[act.seat], cards.name(card) if card is not None else "-"
    match act.what:
        case "take":
            return _("Give {name} {card} for the offered card").format(name=name, card=shown)
        case "offer":
            return _("Offer {name} {card} for any card").format(name=name, card=shown)
        case "refuse":
            return _("Refuse what {name} offers").format(name=name)
        case "withdraw":
            return _("Take back what you offer {name}").format(name=name)


def act_lines(
    view: View | None, card: CardId | None, at: int, called: tuple[str, ...], columns: int, rows: int
) -> list[Line]:
    """The dialog in at most `rows` lines, scrolled to the marked row."""
    offered = acts(view, card)
    part = window(len(offered), at, rows)
    lines: list[Line] = []
    for number, act in list(enumerate(offered))[part.first : part.last]:
        style = "cursor" if number == at else ("off" if act.why else "")
        mark = "  ▸ " if number == at else "    "
        line = fit((Cell(mark, "key"), Cell(text(act, card, called), style)), columns)
        lines.append(tuple(cell._replace(target=("act", number)) for cell in line))
    return lines + part.note(columns, rows)


def board(view: View, called: tuple[str, ...], columns: int, rows: int) -> list[Line]:
    """The open offers in at most `rows` lines, those to the viewer first, and how many there are besides; once the
    trade is over what the Necromancer has set aside."""
    told = _offers(view, called) if trading(view) else _aside(view, columns)
    left = len(told) - rows
    if left > 0:
        text = ngettext("and {count} more", "and {count} more", left + 1).format(count=left + 1)
        told = [*told[: max(0, rows - 1)], (text, "dim")]
    return [fit((Cell(f"  {text}", style),), columns) for text, style in told]


def _aside(view: View, columns: int) -> list[tuple[str, str]]:
    if not view.discards:
        return []
    text = _("Set aside: {cards}").format(cards=", ".join(map(cards.name, view.discards)))
    return [(row, "") for row in wrap(text, columns - 2, "  ")]


def _offers(view: View, called: tuple[str, ...]) -> list[tuple[str, str]]:
    """Each open offer in words, with its style."""
    told: list[tuple[str, str]] = []
    for one in sorted(view.offers, key=lambda one: (one.to != view.me, one.giver != view.me)):
        if one.to == view.me:
            told.append((_("{name} offers you a card.").format(name=called[one.giver]), "strong"))
        elif one.giver == view.me:
            card = next((entry.card for entry in view.seats[one.giver].hand if entry.slot == one.slot), None)
            shown = cards.name(card) if card is not None else "?"
            told.append((_("You offer {name} {card}.").format(name=called[one.to], card=shown), ""))
        else:
            row = _("{name} offers {other} a card.").format(name=called[one.giver], other=called[one.to])
            told.append((row, "dim"))
    return told or [(_("Nobody offers anything."), "dim")]
