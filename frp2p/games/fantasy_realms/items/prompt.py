"""The one question that an item asks at a time, in a form that every face can show and every bot can answer."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Final, Literal, TypeAlias

import msgspec

from frp2p.cards import CardId
from frp2p.games.fantasy_realms.items.facts import Moment
from frp2p.games.fantasy_realms.moves import Arrange, FantasyMove, PickCards, PickSeat, PickSlots, PickSuit
from frp2p.games.game import IllegalMove, Move
from frp2p.games.verbs import Seat, SlotId
from frp2p.locale import _

Kind: TypeAlias = Literal["seat", "suit", "cards", "slots", "arrange"]
"""Which move answers: PickSeat, PickSuit, PickCards, PickSlots, Arrange."""

What: TypeAlias = Literal[
    "look",
    "steal",
    "name-suit",
    "hunt",
    "bury",
    "cover",
    "take",
    "junk",
    "aside",
    "bargain",
    "show",
    "offer",
    "show-suit",
    "put-under",
    "lay",
    "copy",
    "top",
    "return",
]
"""What is asked, by kind.

seat: `look` at whose hand; `steal` whose item. suit: `name-suit` that all others show; `hunt` for which suit.
cards: `bury` which discards; `cover` which discards; `take` which discards; `junk` which discarded item to use;
`aside` which set-aside item lies face up next; `bargain`: an offered card to swap for, the shown card itself to discard
it and draw, nothing to keep it.
slots: `show` which hand card; `offer` which hand cards, none too; `show-suit`: all own cards of the suit, which is
`suits[0]`; `put-under` which hand cards; `lay` which hand cards to discard; `copy` which own face-down item, or none;
`top` which card of the deck.
arrange: `return` which card to keep and where the others go."""


class Prompt(msgspec.Struct, frozen=True):
    """A question to one seat. `item`: the item that asks. `least` to `most` of `cards` or `slots` are picked.

    `moment`: where the turn stands, if that matters (`copy`). `faces`: the cards in `slots`, one each, None where the
    viewer can't know it.
    """

    item: CardId
    what: What
    kind: Kind
    least: int = 1
    most: int = 1
    seats: tuple[Seat, ...] = ()
    suits: tuple[str, ...] = ()
    cards: tuple[CardId, ...] = ()
    slots: tuple[SlotId, ...] = ()
    moment: Moment | None = None
    faces: tuple[CardId | None, ...] = ()


def check_answer(prompt: Prompt, move: Move) -> None:
    """IllegalMove unless the move answers the question; uses `slots`, never `faces`."""
    match move:
        case PickSeat(seat=seat) if prompt.kind == "seat":
            fits = seat in prompt.seats
        case PickSuit(suit=suit) if prompt.kind == "suit":
            fits = suit in prompt.suits
        case PickCards(cards=cards) if prompt.kind == "cards":
            fits = _picked(cards, prompt.cards, prompt)
        case PickSlots(slots=slots) if prompt.kind == "slots":
            fits = _picked(slots, prompt.slots, prompt)
        case Arrange(keep=keep, top=top, bottom=bottom) if prompt.kind == "arrange":
            fits = sorted((keep, *top, *bottom)) == sorted(prompt.slots)
        case _other:
            raise IllegalMove(_("The item that is used asks for something else first."))
    if not fits:
        raise IllegalMove(_("This is not one of the choices that the item gives."))


def _picked(picked: Sequence[object], pool: Sequence[object], prompt: Prompt) -> bool:
    few = prompt.least <= len(picked) <= prompt.most
    return few and len(set(picked)) == len(picked) and set(picked) <= set(pool)


MAX_ANSWERS: Final = 1_000
"""Answers that are listed; three of nineteen discards are 969, and no item asks for more ways with real hands."""


def answers(prompt: Prompt) -> tuple[FantasyMove, ...]:
    """Every answer, but of several cards only one order; at most `MAX_ANSWERS`."""
    return tuple(itertools.islice(_answers(prompt), MAX_ANSWERS))


def _answers(prompt: Prompt) -> Iterator[FantasyMove]:
    sizes = range(prompt.least, prompt.most + 1)
    match prompt.kind:
        case "seat":
            yield from (PickSeat(seat=seat) for seat in prompt.seats)
        case "suit":
            yield from (PickSuit(suit=suit) for suit in prompt.suits)
        case "cards":
            yield from (PickCards(cards=pick) for size in sizes for pick in itertools.combinations(prompt.cards, size))
        case "slots":
            yield from (PickSlots(slots=pick) for size in sizes for pick in itertools.combinations(prompt.slots, size))
        case "arrange":
            yield from _arrangements(prompt.slots)


def _arrangements(slots: tuple[SlotId, ...]) -> Iterator[Arrange]:
    """Each kept card with each order and each split of the others."""
    for keep in slots:
        rest = [slot for slot in slots if slot != keep]
        for order in itertools.permutations(rest):
            for cut in range(len(order) + 1):
                yield Arrange(keep=keep, top=order[:cut], bottom=order[cut:])
