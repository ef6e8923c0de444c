"""The entry points of scoring: a plain total, and an explained score."""

from __future__ import annotations

from collections.abc import Sequence

from frp2p.cards import CARDS, CardId, item
from frp2p.cards.effects import EachDiscard
from frp2p.scoring.cast import Cast
from frp2p.scoring.choices import Choices, Guise
from frp2p.scoring.context import Context
from frp2p.scoring.face import WORD
from frp2p.scoring.legal import check_choices
from frp2p.scoring.resolve import resolve
from frp2p.scoring.score import Blanked, CardScore, Cleared, ItemScore, Line, Score, Step
from frp2p.scoring.trace import Trace
from frp2p.scoring.traits import NAMES, SUIT_TRAIT, SUITS, Mask, positions
from frp2p.scoring.worth import Note

NO_CHOICES = Choices()
PLAIN = Context()


def total(hand: Sequence[CardId], choices: Choices = NO_CHOICES, context: Context = PLAIN) -> int:
    """The points of the hand and the items, without an explanation. The choices must be legal; they aren't checked."""
    cast = Cast(hand, context)
    cast.choose(choices)
    points = resolve(cast, island_of(cast, choices), angel_of(cast, choices))
    if context.items:
        points += sum(one.points for one in score_items(context))
    return points


def island_of(cast: Cast, choices: Choices) -> Mask:
    """The card that Island clears."""
    return 0 if choices.island is None else 1 << cast.at(choices.island)


def angel_of(cast: Cast, choices: Choices) -> Mask:
    """The cards that Angel keeps: itself, and its choice."""
    if "angel" not in cast.abilities:
        return 0
    return 1 << cast.abilities["angel"] | (0 if choices.angel is None else 1 << cast.at(choices.angel))


def score_items(context: Context) -> tuple[ItemScore, ...]:
    """What each face-down item counts."""
    scores = []
    for item_id in context.items:
        one = item(item_id)
        value = one.value if one.value_of_two is None or context.players != 2 else one.value_of_two
        beside = len(context.items) - 1
        scores.append(ItemScore(item_id, value, one.extra if one.extra and beside >= one.extra_needs else 0))
    return tuple(scores)


def score(hand: Sequence[CardId], choices: Choices = NO_CHOICES, context: Context = PLAIN) -> Score:
    """The explained score; IllegalChoices if the choices aren't allowed."""
    check_choices(hand, choices, context)
    cast = Cast(hand, context)
    steps = _choice_steps(cast, choices)
    cast.choose(choices)
    trace = Trace()
    points = resolve(cast, island_of(cast, choices), angel_of(cast, choices), trace)
    cards = tuple(_card_score(cast, choices, context, trace, at) for at in range(len(hand)))
    items = score_items(context)
    return Score(
        total=points + sum(one.points for one in items),
        cards=cards,
        steps=steps + _steps(cast, trace),
        items=items,
        strength=_strength(cast),
    )


def tie_strength(hand: Sequence[CardId], choices: Choices = NO_CHOICES, context: Context = PLAIN) -> int:
    """What breaks ties, the lower one winning: the base strengths of the unblanked cards together."""
    cast = Cast(hand, context)
    cast.choose(choices)
    resolve(cast, island_of(cast, choices), angel_of(cast, choices))
    return _strength(cast)


def _strength(cast: Cast) -> int:
    return sum(cast.board.strengths[at] for at in positions(cast.board.alive))


def _ids(cast: Cast, mask: Mask) -> tuple[CardId, ...]:
    return tuple(cast.hand[at] for at in positions(mask))


def _choice_steps(cast: Cast, choices: Choices) -> tuple[Step, ...]:
    """The steps of those choices that change cards."""
    steps = []
    if choices.doppelganger is not None:
        steps.append(Step("copy", cast.hand[cast.abilities["doppelganger"]], (choices.doppelganger,)))
    if choices.mirage is not None:
        steps.append(_guise_step(cast.hand[cast.abilities["mirage"]], choices.mirage))
    if choices.shapeshifter is not None:
        steps.append(_guise_step(cast.hand[cast.abilities["shapeshifter"]], choices.shapeshifter))
    if choices.book is not None:
        steps.append(
            Step("suit", cast.hand[cast.abilities["book"]], (choices.book[0],), suit=SUITS[SUIT_TRAIT[choices.book[1]]])
        )
    return tuple(steps)


def _guise_step(wild: CardId, guise: str) -> Step:
    named = CARDS.get(CardId(guise))
    if named is None:
        return Step("guise", wild, suit=SUITS[SUIT_TRAIT[guise]])
    return Step("guise", wild, name=named.en, suit=named.suit)


def _steps(cast: Cast, trace: Trace) -> tuple[Step, ...]:
    steps = []
    for kind, by, cards in trace.events:
        actor = cast.hand[by.bit_length() - 1]
        suit = WORD if kind == "word" else None
        steps.append(Step(kind, actor, _ids(cast, cards), suit=suit))
    return tuple(steps)


def _card_score(cast: Cast, choices: Choices, context: Context, trace: Trace, at: int) -> CardScore:
    board, bit = cast.board, 1 << at
    lines = tuple(_line(cast, context, "bonus", note) for note in trace.bonuses.get(bit, ()))
    lines += tuple(_line(cast, context, "penalty", note) for note in trace.penalties.get(bit, ()))
    base = board.strengths[at] if board.alive & bit else 0
    return CardScore(
        card=cast.hand[at],
        name=None if _is_nameless(cast, choices, at) else NAMES[board.names[at] - len(SUITS)],
        suits=tuple(suit for trait, suit in enumerate(SUITS) if board.held[trait] & bit),
        base=base,
        lines=lines,
        points=base + sum(line.points for line in lines),
        copied=_copied(cast, choices, at),
        cleared=tuple(
            Cleared(cast.hand[by.bit_length() - 1], WORD if word else None)
            for by, cards, word in trace.cleared
            if cards & bit
        ),
        blanked=_blanked(cast, trace, at),
    )


def _line(cast: Cast, context: Context, side: str, note: Note) -> Line:
    effect, points, mask, suit = note
    if isinstance(effect, EachDiscard):
        causes = tuple(context.discard[at] for at in positions(mask))
    else:
        causes = _ids(cast, mask)
    return Line("bonus" if side == "bonus" else "penalty", points, effect, causes, suit)


def _guise(cast: Cast, choices: Choices, at: int) -> Guise | None:
    """What was chosen for the wild card at this position."""
    ability = cast.faces[at].ability
    return choices.mirage if ability == "mirage" else choices.shapeshifter if ability == "shapeshifter" else None


def _is_nameless(cast: Cast, choices: Choices, at: int) -> bool:
    guise = _guise(cast, choices, at)
    return guise is not None and guise not in CARDS


def _copied(cast: Cast, choices: Choices, at: int) -> CardId | None:
    if cast.faces[at].ability == "doppelganger":
        return choices.doppelganger
    guise = _guise(cast, choices, at)
    return CardId(guise) if guise is not None and guise in CARDS else None


def _blanked(cast: Cast, trace: Trace, at: int) -> Blanked | None:
    found = trace.blanked.get(at)
    if found is None:
        return None
    why, by, effect, causes = found
    return Blanked(why, _ids(cast, by), effect, _ids(cast, causes))
