"""An explained score as text in the language in use, and as plain values for JSON."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from wcwidth import wcswidth

from frp2p.cards import CardId, Suit, card, item, suit_name
from frp2p.cards.effects import Runs, Sets
from frp2p.cards.item_text import item_value
from frp2p.cards.notation import both, shown_name
from frp2p.cards.text import effect_text, points_text, rule_name
from frp2p.locale import _, language
from frp2p.locale.columns import hanging, padded
from frp2p.scoring.choices import Choices
from frp2p.scoring.notation import CHOOSERS
from frp2p.scoring.score import Blanked, CardScore, Line, Score, Step

_INDENT = 4
_NUMBER = 6
"""Columns of a number with its sign; the largest hand known scores 397."""


def score_text(score: Score) -> list[str]:
    """The whole score: every card with its points and why, the items, the total, and what happened in which order.

    Each line fits WIDTH columns; no colour, no control characters.
    """
    rows = [(shown_name(each.card), _suits_text(each), str(each.base), str(each.points)) for each in score.cards]
    rows += [(shown_name(each.item), _("cursed item"), "", str(each.points)) for each in score.items]
    notes = [reasons(each, score.steps) for each in score.cards] + [_item_reasons(each.item) for each in score.items]
    head = (_("Card"), _("Suit"), _("Base"), _("Points"))
    name_width = max(wcswidth(row[0]) for row in (head, *rows))
    numbers = max(_NUMBER, *(wcswidth(title) for title in head[2:]))
    suit_width = max(wcswidth(row[1]) for row in (head, *rows))

    def laid_out(row: tuple[str, str, str, str]) -> str:
        left = f"{padded(row[0], name_width)}  {padded(row[1], suit_width)}"
        return f"{left}  {padded(row[2], -numbers)}  {padded(row[3], -numbers)}"

    lines = [laid_out(head)]
    for row, about in zip(rows, notes, strict=True):
        lines.append(laid_out(row))
        for note, points in about:
            figure = points_text(points) if points else ""
            lines += hanging(f"{' ' * _INDENT}{figure:>{_NUMBER - 2}}  ", note)
    lines.append(laid_out((_("Total"), "", "", str(score.total))))
    if score.steps:
        lines += ["", _("In this order:")]
        for number, step in enumerate(score.steps, 1):
            lines += hanging(f"{number:>3}. ", step_text(step))
    return lines


def reasons(each: CardScore, steps: Iterable[Step] = ()) -> tuple[tuple[str, int], ...]:
    """What is to say about one card: (sentence, points that it brings, 0 for a sentence without), in reading order.

    With the steps of its score also who kept it from being blanked.
    """
    notes = [(note, 0) for note in (*_became(each), *_protected(each, steps))]
    if each.blanked is not None:
        notes.append((blanked_text(each.card, each.blanked), 0))
    return (*notes, *((line_text(line), line.points) for line in each.lines))


def line_text(line: Line) -> str:
    """What brought the points of a line, and the cards that caused it."""
    text = _line_rule(line)
    if not line.causes:
        return text
    return _("{text} [{cards}]").format(text=text, cards=_list(line.causes))


def blanked_text(card_id: CardId, blanked: Blanked) -> str:
    """Why this card counts for nothing."""
    others = both(map(shown_name, _others(card_id, blanked)))
    if blanked.why == "alone":
        return _("Blanked by {cards}: the only card of its suit.").format(cards=others)
    if blanked.why == "blanks":
        return _("Blanked by {cards}.").format(cards=others)
    if blanked.why == "loop":
        if card_id in _others(card_id, blanked):
            return _("Blanked by its own penalty.")
        return _("Blanked in a loop with {cards}.").format(cards=others)
    rule = "" if blanked.effect is None else effect_text(blanked.effect)
    text = _("Its own penalty: {rule}").format(rule=rule)
    if not blanked.causes:
        return text
    return _("{text} [{cards}]").format(text=text, cards=_list(blanked.causes))


def step_text(step: Step) -> str:
    """One event of the resolution as a sentence."""
    name, cards = shown_name(step.card), both(map(shown_name, step.cards))
    suit = "" if step.suit is None else suit_name(step.suit, language())
    templates = {
        "copy": _("{name}: copies {cards}."),
        "suit": _("{name}: changes the suit of {cards} to {suit}."),
        "clear": _("{name}: clears the penalty of {cards}."),
        "word": _("{name}: clears the word {suit} from the penalty of {cards}."),
        "guard": _("{name}: keeps {cards} from being blanked."),
        "alone": _("{name}: blanks what is alone in its suit: {cards}."),
        "blank": _("{name}: blanks {cards}."),
        "loop": _("Blanked in a loop: {cards}."),
        "itself": _("{name}: blanks itself."),
    }
    if step.kind != "guise":
        return templates[step.kind].format(name=name, cards=cards, suit=suit)
    if step.name is None:
        return _("{name}: becomes a card without a name, suit {suit}.").format(name=name, suit=suit)
    return _("{name}: becomes {guise}, suit {suit}.").format(name=name, guise=rule_name(step.name), suit=suit)


def score_json(score: Score, choices: Choices) -> dict[str, Any]:
    """The score as plain values. `id` and codes never change; names and texts are in the language in use."""
    return {
        "total": score.total,
        "strength": score.strength,
        "choices": choices_json(choices),
        "cards": [_card_json(each, score.steps) for each in score.cards],
        "items": [
            {"id": each.item, "name": shown_name(each.item), "points": each.points, "value": each.value}
            for each in score.items
        ],
        "steps": [_step_json(step) for step in score.steps],
    }


def choices_json(choices: Choices) -> dict[str, Any]:
    """Only the choices that are made: `{"book": {"id": "FR12", "name": "Blizzard", "suit": "flame"}}`."""
    made: dict[str, Any] = {}
    for field in CHOOSERS.values():
        chosen = getattr(choices, field)
        if chosen is None:
            continue
        target, suit = chosen if isinstance(chosen, tuple) else (chosen, None)
        if target in set(Suit):
            made[field] = {"suit": target}
        else:
            made[field] = {"id": target, "name": shown_name(target)} | ({} if suit is None else {"suit": suit})
    return made


def _card_json(each: CardScore, steps: Iterable[Step]) -> dict[str, Any]:
    blanked, suits = each.blanked, _suits(each)
    return {
        "id": each.card,
        "name": shown_name(each.card),
        "suit": suits[0].value,
        "suits": [suit.value for suit in suits],
        "points": each.points,
        "base": each.base,
        "counts_as": None if each.name is None else rule_name(each.name),
        "copied": None if each.copied is None else shown_name(each.copied),
        "lines": [
            {
                "points": line.points,
                "kind": line.side,
                "text": _line_rule(line),
                "cards": [shown_name(cause) for cause in line.causes],
            }
            for line in each.lines
        ],
        "cleared_by": [
            {"name": shown_name(cleared.by), "word": None if cleared.word is None else cleared.word.value}
            for cleared in each.cleared
        ],
        "kept_by": list(map(shown_name, _guards(each.card, steps))),
        "blanked_by": [] if blanked is None else list(map(shown_name, _others(each.card, blanked))),
        "blanked": None if blanked is None else {"why": blanked.why, "text": blanked_text(each.card, blanked)},
    }


def _step_json(step: Step) -> dict[str, Any]:
    return {
        "kind": step.kind,
        "card": shown_name(step.card),
        "cards": [shown_name(other) for other in step.cards],
        "suit": None if step.suit is None else step.suit.value,
        "text": step_text(step),
    }


def _line_rule(line: Line) -> str:
    """The rule behind the points; of a table only the row that counts."""
    count = len(line.causes)
    if isinstance(line.effect, Runs):
        return _("A run of {count} base strengths.").format(count=count)
    if isinstance(line.effect, Sets) and line.suit is not None:
        suit = suit_name(line.suit, language())
        return _("{count} different names of the suit {suit}.").format(count=count, suit=suit)
    return effect_text(line.effect)


def _became(each: CardScore) -> list[str]:
    """What wild cards and Book of Changes made of this card."""
    printed = card(each.card)
    suits = _suits_text(each)
    if each.name is None:
        return [_("Counts as a card without a name, suit {suit}.").format(suit=suits)]
    if each.name != printed.en:
        return [_("Counts as {name}, suit {suit}.").format(name=rule_name(each.name), suit=suits)]
    if printed.suit not in each.suits:
        return [_("Its suit is now {suit}.").format(suit=suits)]
    return []


def _protected(each: CardScore, steps: Iterable[Step]) -> list[str]:
    """Who cleared its penalty, and who kept it from being blanked."""
    notes = []
    for cleared in each.cleared:
        name = shown_name(cleared.by)
        if cleared.word is None:
            notes.append(_("Its penalty is cleared by {name}.").format(name=name))
        else:
            word = suit_name(cleared.word, language())
            notes.append(_("The word {word} of its penalty is cleared by {name}.").format(word=word, name=name))
    guards = _guards(each.card, steps)
    if guards:
        notes.append(_("Cannot be blanked, because of {names}.").format(names=both(map(shown_name, guards))))
    return notes


def _guards(card_id: CardId, steps: Iterable[Step]) -> list[CardId]:
    """The cards that keep this one from being blanked."""
    return [step.card for step in steps if step.kind == "guard" and card_id in step.cards]


def _others(card_id: CardId, blanked: Blanked) -> tuple[CardId, ...]:
    """The cards that blanked this one; it is among them only if it was alone in doing so."""
    return tuple(by for by in blanked.by if by != card_id) or blanked.by


def _item_reasons(item_id: CardId) -> tuple[tuple[str, int], ...]:
    """The value of an item in words, where it depends on something."""
    this = item(item_id)
    return ((item_value(this), 0),) if this.extra or this.value_of_two is not None else ()


def _suits(each: CardScore) -> tuple[Suit, ...]:
    """What the card counts as, its printed suit first."""
    printed = card(each.card).suit
    return tuple(sorted(each.suits, key=lambda suit: suit is not printed))


def _suits_text(each: CardScore) -> str:
    return " + ".join(suit_name(suit, language()) for suit in _suits(each))


def _list(cards: Iterable[CardId]) -> str:
    return ", ".join(map(shown_name, cards))
