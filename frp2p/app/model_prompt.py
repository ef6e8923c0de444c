"""The question of an item as a list: one option is under the cursor, several are marked, or cards are put in order."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from frp2p.app import model_items as items
from frp2p.app.model_worth import Worth, place
from frp2p.cards import CARDS, CardId
from frp2p.games.fantasy_realms.items.prompt import Prompt
from frp2p.games.fantasy_realms.moves import Arrange, PickCards, PickSeat, PickSlots, PickSuit
from frp2p.games.fantasy_realms.view import View
from frp2p.games.game import Move
from frp2p.games.verbs import SlotId
from frp2p.locale import _, ngettext

Asked: TypeAlias = items.Asked
Picks: TypeAlias = tuple[int, ...]
"""Numbers of options in the order in which they were picked. For an arrangement: the kept card, the cards on the top of
the deck, `DECK`, the cards under it."""

DECK = -1
"""In an arrangement: the deck between what goes on its top and what goes under it."""

OWN_HAND = frozenset({"show", "offer", "show-suit", "put-under", "lay"})
"""Questions about the own hand: their list takes its place on a small screen."""


class Option(NamedTuple):
    """What can be picked: a seat, a suit, an open card or item, or a place with the card there if it is known; None
    for nothing."""

    value: int | str | SlotId | None
    card: CardId | None = None


def prompt_of(asked: Asked) -> Prompt | None:
    """The question that is open."""
    return asked[0].prompt if asked is not None and asked[0].phase == "item" else None


def options(prompt: Prompt) -> tuple[Option, ...]:
    """Everything that can be picked, nothing first where that is an answer; hidden cards as a hand is sorted."""
    found: list[Option] = []
    if single(prompt) and prompt.least == 0:
        found.append(Option(None))
    found += [Option(seat) for seat in prompt.seats if prompt.kind == "seat"]
    found += [Option(suit) for suit in prompt.suits if prompt.kind == "suit"]
    found += [Option(card, card) for card in prompt.cards]
    slots = [Option(slot, face) for slot, face in zip(prompt.slots, prompt.faces, strict=True)]
    if prompt.what == "top" or prompt.what in OWN_HAND:
        slots.sort(key=_sorted)
    return (*found, *slots)


def _sorted(option: Option) -> tuple[int, str]:
    return place(option.card) if option.card is not None and option.card in CARDS else (-1, "")


def single(prompt: Prompt) -> bool:
    """Whether the cursor alone answers: one thing is picked, at most."""
    return prompt.kind in ("seat", "suit") or (prompt.kind != "arrange" and prompt.most == 1 and not fixed(prompt))


def fixed(prompt: Prompt) -> bool:
    """Whether there is only one honest answer: all own cards of a suit are shown, and a proof says that no other is."""
    return prompt.what == "show-suit"


def preset(prompt: Prompt, worth: Worth | None) -> Picks | None:
    """What is picked when the list opens; None while that is being computed."""
    offered = options(prompt)
    if fixed(prompt):
        return tuple(at for at, one in enumerate(offered) if one.card and CARDS[one.card].suit == prompt.suits[0])
    at = {option.value: index for index, option in enumerate(offered)}
    match worth.answer if worth is not None else None:
        case PickSeat(seat=value) | PickSuit(suit=value) if value in at:
            return (at[value],)
        case PickCards(cards=values) | PickSlots(slots=values) if all(value in at for value in values):
            return tuple(at[value] for value in values) or ((at[None],) if None in at else ())
        case Arrange(keep=keep, top=top, bottom=bottom):
            return (at[keep], *(at[slot] for slot in top), DECK, *(at[slot] for slot in bottom))
    return None


def picked(prompt: Prompt, worth: Worth | None, picks: Picks | None) -> Picks | None:
    """What is picked as things stand: by the person, else what was preset. Picks that were made for another question
    count for nothing."""
    if picks is None or fixed(prompt):
        return preset(prompt, worth)
    count = len(options(prompt))
    if prompt.kind == "arrange":
        fits = sorted(picks) == [DECK, *range(count)] and picks[0] != DECK
        return picks if fits else preset(prompt, worth)
    return tuple(one for one in picks if 0 <= one < count)


def cursor(prompt: Prompt, worth: Worth | None, at: int) -> int | None:
    """The option under the cursor: where it was put (`at` >= 0), else on what is preset."""
    count = len(options(prompt))
    if at >= 0:
        return min(at, count - 1) if count else None
    start = preset(prompt, worth)
    if start is None and single(prompt):
        return None
    return start[0] if start else (0 if count else None)


def toggled(prompt: Prompt, worth: Worth | None, picks: Picks | None, number: int) -> Picks:
    """The picks with this option marked, or not any more; a mark too many takes the place of the oldest."""
    now = picked(prompt, worth, picks) or ()
    if number in now:
        return tuple(one for one in now if one != number)
    return (*now, number)[-prompt.most :]


def shifted(prompt: Prompt, worth: Worth | None, picks: Picks | None, number: int, step: int) -> Picks | None:
    """The arrangement with this card one place further up or down; the first place, which is kept, is never empty."""
    now = picked(prompt, worth, picks) or (*range(len(prompt.slots)), DECK)
    order, place = list(now), now.index(number)
    other = place + step
    if 0 <= other < len(order) and DECK in (order[place], order[other]) and 0 in (place, other):
        other += step
    if not 0 <= other < len(order):
        return now
    order[place], order[other] = order[other], order[place]
    return tuple(order)


def move(asked: Asked, worth: Worth | None, at: int, picks: Picks | None) -> Move | None:
    """The answer as things stand; None if there is none yet, `missing` says why."""
    prompt = prompt_of(asked)
    if asked is None or prompt is None or missing(asked, worth, at, picks):
        return None
    offered = options(prompt)
    number = cursor(prompt, worth, at)
    chosen = ((number,) if number is not None else ()) if single(prompt) else picked(prompt, worth, picks) or ()
    if fixed(prompt):  # the one answer, as the game lists it
        chosen = tuple(sorted(chosen, key=lambda one: prompt.slots.index(SlotId(int(offered[one].value or 0)))))
    values = tuple(offered[one].value for one in chosen if one != DECK and offered[one].value is not None)
    match prompt.kind:
        case "seat":
            return PickSeat(seat=int(values[0] or 0))
        case "suit":
            return PickSuit(suit=str(values[0]))
        case "cards":
            return PickCards(cards=tuple(CardId(str(value)) for value in values))
        case "slots":
            return PickSlots(slots=tuple(SlotId(int(value or 0)) for value in values))
        case "arrange":
            return _arranged(prompt, chosen)


def _arranged(prompt: Prompt, order: Picks) -> Arrange:
    cut = order.index(DECK)
    slots = [prompt.slots[one] if one != DECK else None for one in order]
    top = tuple(slot for slot in slots[1:cut] if slot is not None)
    return Arrange(
        keep=prompt.slots[order[0]], top=top, bottom=tuple(slot for slot in slots[cut + 1 :] if slot is not None)
    )


def missing(asked: Asked, worth: Worth | None, at: int, picks: Picks | None) -> str:
    """Why this can't be answered yet; empty if it can."""
    prompt = prompt_of(asked)
    if asked is None or prompt is None:
        return _("It is not your turn.")
    if single(prompt):
        number = cursor(prompt, worth, at)
        if number is None:
            return _("Still computing; a moment.")
        return _why_not(asked, prompt, options(prompt)[number])
    now = picked(prompt, worth, picks)
    if now is None:
        return _("Still computing; a moment.")
    if prompt.kind == "arrange" or fixed(prompt) or prompt.least <= len(now) <= prompt.most:
        return ""
    return counting(prompt, len(now))


def _why_not(asked: tuple[View, tuple[Move, ...]], prompt: Prompt, option: Option) -> str:
    """Why a face-down item can't be copied; other options are offered because they can be picked."""
    if prompt.what != "copy" or option.value is None or PickSlots(slots=(SlotId(int(option.value)),)) in asked[1]:
        return ""
    return _("This item can't be copied now.")


def counting(prompt: Prompt, count: int) -> str:
    """How many are to be marked, and how many are."""
    if prompt.least == prompt.most:
        text = ngettext("Mark {most} card with Space", "Mark {most} cards with Space", prompt.most)
    elif prompt.least:
        text = _("Mark {least} to {most} cards with Space")
    else:
        text = ngettext("Mark up to {most} card with Space", "Mark up to {most} cards with Space", prompt.most)
    so_far = ngettext("{count} is marked", "{count} are marked", count).format(count=count)
    return f"{text.format(least=prompt.least, most=prompt.most)}: {so_far}."


def under_cursor(asked: Asked, worth: Worth | None, at: int) -> CardId | None:
    """The card or item under the cursor; None if it is neither, or unknown."""
    prompt = prompt_of(asked)
    if prompt is None:
        return None
    number = cursor(prompt, worth, at)
    return options(prompt)[number].card if number is not None else None
