"""`frp2p score`: the explained score of any hand."""

from __future__ import annotations

import sys
from typing import Any, NamedTuple

import click
import msgspec

from frp2p import locale
from frp2p.cards import CARDS, CardId, PhoenixOption, sets
from frp2p.cards.notation import NameFault, clean, fold, named, shown_name
from frp2p.cli.help import Command, prose
from frp2p.cli.language import lang_option
from frp2p.cli.lines import json_line, read_lines
from frp2p.errors import UserError
from frp2p.locale import N_, _
from frp2p.scoring import (
    Choices,
    Context,
    House,
    IllegalChoices,
    Score,
    best,
    best_extra,
    check_choices,
    necromancer_may_take,
    score,
)
from frp2p.scoring.best import Extra
from frp2p.scoring.notation import (
    CHOOSERS,
    PLAYERS,
    HandLine,
    parse_cards,
    parse_line,
    refuse_duplicates,
    write_line,
    written_choices,
)
from frp2p.scoring.render import score_json, score_text

EXIT_FAILED = 1

_SWITCH = {"on": True, "yes": True, "true": True, "1": True, "off": False, "no": False, "false": False, "0": False}
"""How the value of a house rule may be written."""


_EXAMPLE = """\b
  "King, Queen, Mirage; Mirage=Rainstorm | discard: Hydra | players: 3"
  "Great Flood, Book of Changes; Book of Changes=Great Flood:Land\""""
"""Two hands, in lines that stay as they are (click's mark before them says so)."""

_HOUSE = prose(
    N_("A house rule, on or off; may be repeated. NAME is one of these:"), ", ".join(House.__struct_fields__)
)


class Answer(NamedTuple):
    """One scored hand: the line as it was counted, and its score. `extra`: with --best, the card that its Necromancer
    would best take out of the discard area, and the total with it."""

    line: HandLine
    score: Score
    extra: Extra | None = None


@click.command(
    "score",
    cls=Command,
    help=prose(
        N_("The explained score of a hand."),
        N_("HAND is one line: cards, then choices, then what lies around it, for example"),
        _EXAMPLE,
        N_(
            "Names may be English or Portuguese, shortened, or ids. A choice that is not written is not made, "
            "unless --best finds the best ones; then it also says which card the Necromancer should take from the "
            "discard area. What a line says about discards, items and players goes before the options."
        ),
        N_(
            'With --stdin a bad line is answered by an error and the next one is read; --json makes that {"error": '
            '{"code", "message"}, "line"}.'
        ),
        N_("Exit code 0: every hand was scored. 1: a line of --stdin was not. 2: what was asked for is not possible."),
    ),
)
@click.argument("hand", nargs=-1, metavar=N_("[HAND]..."))
@click.option("--extra-suits", is_flag=True, help=N_("Play with the suits of the Cursed Hoard."))
@click.option("--jester", is_flag=True, help=N_("Play with the Jester."))
@click.option(
    "--phoenix", type=click.Choice(["off", "deluxe", "promo"]), default="off", help=N_("Play with a Phoenix.")
)
@click.option(
    "--players", type=click.IntRange(PLAYERS[0], PLAYERS[-1]), default=4, show_default=True, help=N_("Players.")
)
@click.option("--discard", metavar=N_("CARDS"), default="", help=N_("The discard area at the end."))
@click.option("--items", metavar=N_("ITEMS"), default="", help=N_("Face-down cursed items."))
@click.option("--house", multiple=True, metavar=N_("NAME=VALUE"), help=_HOUSE)
@click.option("--best", "find_best", is_flag=True, help=N_("Find the best choices."))
@click.option("--json", "as_json", is_flag=True, help=N_("One JSON object (with --stdin one a line)."))
@click.option("--stdin", "from_stdin", is_flag=True, help=N_("Read hands from stdin, one a line."))
@lang_option
@click.pass_context
def command(
    ctx: click.Context, /, hand: tuple[str, ...], find_best: bool, as_json: bool, from_stdin: bool, **options: Any
) -> None:
    if from_stdin == bool(hand):
        raise click.UsageError(_("Give either one hand, or --stdin."))
    around = _context(find_best=find_best, **options)
    if from_stdin:
        ctx.exit(_score_lines(around, find_best=find_best, as_json=as_json))
    answer = _score(" ".join(hand), around, find_best=find_best)
    click.echo(json_line(_plain(answer)) if as_json else _as_text(answer))


def _score_lines(around: Context, *, find_best: bool, as_json: bool) -> int:
    """Answer every line of stdin as it comes; the exit code."""
    failed = False
    for number, text in enumerate(read_lines(sys.stdin.buffer), 1):
        try:
            if isinstance(text, UserError):
                raise text
            answer = _score(text, around, find_best=find_best)
        except UserError as error:
            failed = True
            _tell(error, number, as_json=as_json)
            continue
        click.echo(json_line(_plain(answer) | {"line": number}) if as_json else _as_text(answer) + "\n")
    return EXIT_FAILED if failed else 0


def _tell(error: UserError, number: int, *, as_json: bool) -> None:
    if not as_json:
        click.echo(_("line {number}: {message}").format(number=number, message=error.message), err=True)
        return
    told: dict[str, Any] = {"code": error.code, "message": error.message}
    if isinstance(error, NameFault):
        told["suggestions"] = list(error.suggestions)
    click.echo(json_line({"error": told, "line": number}))


def _score(text: str, around: Context, *, find_best: bool) -> Answer:
    """Read and score one hand; UserError where it can't be scored."""
    try:
        line = parse_line(text, around.deck())
    except NameFault as fault:
        raise _with_option(fault) from None
    line = msgspec.structs.replace(
        line,
        discard=around.discard if line.discard is None else line.discard,
        items=around.items if line.items is None else line.items,
        players=line.players or around.players,
    )
    around = msgspec.structs.replace(around, discard=line.discard, items=line.items, players=line.players)
    refuse_duplicates(line.hand + around.discard)
    if find_best:
        if line.choices.count():
            raise UserError(_("--best finds the choices itself: leave them out."), code="bad-choice")
        choices, result = best(line.hand, around)
        return Answer(msgspec.structs.replace(line, choices=choices), result, _necromancer(line.hand, around))
    _refuse_illegal(line, around)
    return Answer(line, score(line.hand, line.choices, around))


def _necromancer(hand: tuple[CardId, ...], around: Context) -> Extra | None:
    if not any(named(member).en == "Necromancer" for member in hand):
        return None
    allowed = [member for member in around.discard if necromancer_may_take(member, extra_suits=around.extra_suits)]
    return best_extra(hand, allowed, around)


def _plain(answer: Answer) -> dict[str, Any]:
    line, extra = answer.line, answer.extra
    written = msgspec.structs.replace(line, discard=line.discard or None, items=line.items or None)
    plain = {"hand": write_line(written), **score_json(answer.score, line.choices)}
    if extra is not None and extra.card is not None:
        plain["extra"] = {"id": extra.card, "name": shown_name(extra.card), "total": extra.total}
    return plain


def _as_text(answer: Answer) -> str:
    chosen, extra = written_choices(answer.line, locale.language()), answer.extra
    lines = [_("Choices: {choices}").format(choices="; ".join(chosen)), ""] if chosen else []
    lines += score_text(answer.score)
    if extra is not None and extra.card is not None:
        sentence = _("The Necromancer should take {name} from the discard area: {total} in all.")
        lines += ["", sentence.format(name=shown_name(extra.card), total=extra.total)]
    return "\n".join(lines)


def _context(
    *,
    find_best: bool,
    extra_suits: bool,
    jester: bool,
    phoenix: PhoenixOption,
    players: int,
    discard: str,
    items: str,
    house: tuple[str, ...],
) -> Context:
    around = Context(
        players=players,
        extra_suits=extra_suits,
        jester=jester,
        phoenix=phoenix,
        house=_house(house, book_wild=not find_best),
    )
    try:
        cards, held = parse_cards(discard, around.deck()), parse_cards(items, sets.items())
    except NameFault as fault:
        raise _with_option(fault) from None
    return msgspec.structs.replace(around, discard=cards, items=held)


def _house(texts: tuple[str, ...], *, book_wild: bool) -> House:
    """The house rules that are written. `book_wild`: where it is not, whether Book of Changes may make a card Wild:
    no game offers that, but a hand in which somebody did so can be scored."""
    rules = {"book_wild": book_wild}
    for text in texts:
        name, equals, value = text.partition("=")
        name, switch = fold(name).replace(" ", "_"), _SWITCH.get(fold(value))
        if not equals or switch is None:
            sentence = _('A house rule is written NAME=on or NAME=off, not "{text}".')
            raise UserError(sentence.format(text=clean(text)), code="bad-house-rule")
        if name not in House.__struct_fields__:
            sentence = _('There is no house rule "{name}"; there are {names}.')
            names = ", ".join(House.__struct_fields__)
            raise UserError(sentence.format(name=clean(name), names=names), code="bad-house-rule")
        rules[name] = switch
    return House(**rules)


def _with_option(fault: NameFault) -> UserError:
    """The same fault, with the option that brings the card into the deck."""
    option = None if fault.card is None else _option_for(fault.card)
    if option is None:
        return fault
    message = _("{sentence} {option} adds it.").format(sentence=fault.message, option=option)
    return NameFault(message, code=fault.code, suggestions=fault.suggestions, card=fault.card)


def _option_for(card_id: CardId) -> str | None:
    if card_id not in CARDS:
        return "--items"
    if CARDS[card_id].home == "hoard":
        return "--extra-suits"
    return {"FR54": "--jester", "FR55": "--phoenix deluxe", "FR55P": "--phoenix promo"}.get(card_id)


def _refuse_illegal(line: HandLine, around: Context) -> None:
    """UserError that names the choice that isn't allowed."""
    try:
        check_choices(line.hand, line.choices, around)
    except IllegalChoices as refused:
        written = written_choices(_first_illegal(line, around), locale.language())
        sentence = _("{choice} is not possible: {why}.").format(choice="; ".join(written), why=_why(refused.code))
        raise UserError(sentence, code=refused.code) from None


def _first_illegal(line: HandLine, around: Context) -> HandLine:
    """The line with only that choice which isn't allowed by itself; with all if it takes several."""
    for field in CHOOSERS.values():
        alone = Choices(**{field: getattr(line.choices, field)})
        try:
            check_choices(line.hand, alone, around)
        except IllegalChoices:
            if field != "island" or line.choices.count() == 1:
                return msgspec.structs.replace(line, choices=alone)
    return line


def _why(code: str) -> str:
    return {
        "choice-not-in-hand": _("it needs another card of the hand"),
        "choice-not-in-game": _("that card is not in this game"),
        "choice-wrong-suit": _("it does not reach that suit"),
        "choice-immune": _("that card cannot be changed"),
    }[code]
