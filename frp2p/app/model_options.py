"""What is played at a table, in words."""

from __future__ import annotations

import msgspec

from frp2p.games.fantasy_realms.options import Options, measure
from frp2p.locale import _, ngettext
from frp2p.scoring import House


def described(options: Options) -> tuple[str, ...]:
    """One sentence a thing, the mode first; what is as usual is not told."""
    numbers = measure(options)
    rows = [_mode(options)]
    if options.mode == "chaos":
        rows.append(_("{hand} cards in hand.").format(hand=numbers.hand))
    else:
        text = _("{hand} cards in hand, the end at {limit} discards.")
        rows.append(text.format(hand=numbers.hand, limit=numbers.threshold))
    rows += _cards(options)
    if options.points:
        rows.append(_("A match: rounds until somebody has {points} points.").format(points=options.points))
    elif options.rounds > 1:
        text = ngettext("A match of {count} round.", "A match of {count} rounds.", options.rounds)
        rows.append(text.format(count=options.rounds))
    if options.hints == "off":
        rows.append(_("The program counts nothing before the end."))
    elif options.hints == "score":
        rows.append(_("The program shows what a hand counts, but not what a move would gain."))
    rows += (_house(name) for name, value in _changed(options.house))
    return tuple(rows)


def _mode(options: Options) -> str:
    if options.mode == "chaos":
        return _("Chaos Realms: everybody swaps cards for {seconds} seconds.").format(seconds=options.seconds)
    return _("Duel: nobody starts with cards.") if options.mode == "duel" else _("Standard game.")


def _cards(options: Options) -> list[str]:
    rows = []
    if options.extra_suits:
        rows.append(_("With the extra suits: Buildings, Outsiders, Undead."))
    if options.jester:
        rows.append(_("With the Jester."))
    if options.phoenix == "deluxe":
        rows.append(_("With the Phoenix of the Deluxe box."))
    elif options.phoenix == "promo":
        rows.append(_("With the Phoenix in its first printing."))
    if options.cursed_items:
        rows.append(_("With the cursed items."))
    return rows


def _changed(house: House) -> list[tuple[str, object]]:
    usual = House()
    return [(name, value) for name, value in msgspec.structs.asdict(house).items() if value != getattr(usual, name)]


def _house(name: str) -> str:
    """A ruling that is not our usual one."""
    match name:
        case "forest_each":
            return _("House rule: Forest counts every Elven Archers.")
        case "fountain_self":
            return _("House rule: Fountain of Life does not count itself.")
        case "wildfire_wilds":
            return _("House rule: Wildfire blanks cards that are still Wild.")
        case "wildfire_outsiders":
            return _("House rule: Wildfire spares Outsiders.")
        case "book_wild":
            return _("House rule: Book of Changes may make a card Wild.")
        case "phoenix_cleared":
            return _("House rule: a Flood blanks the Phoenix even if its penalty is cleared.")
        case _other:
            return _("House rule: {name}.").format(name=name)
