"""What a viewer may do, and what is done for one who does not decide. Both follow from the view alone."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import msgspec

from frp2p import scoring
from frp2p.cards import CardId
from frp2p.games.fantasy_realms.ending import context, extra_candidates
from frp2p.games.fantasy_realms.moves import Choose, Discard, DrawDeck, FantasyMove, Pass, PickExtra, TakeDiscard
from frp2p.games.fantasy_realms.turn import can_draw, can_take
from frp2p.games.fantasy_realms.view import SeatView, View
from frp2p.games.verbs import SlotId
from frp2p.scoring import IllegalChoices, ability_of, check_choices


def legal(view: View) -> tuple[FantasyMove, ...]:
    """Every move of the viewer in a stable order: deck first, discards oldest first, hand in its order.

    The final choices are too many to list; offered are the best ones and every legal change of one of them.
    """
    if view.me is None or view.me not in view.asked:
        return ()
    match view.phase:
        case "draw":
            return _draws(view)
        case "discard":
            return tuple(Discard(slot=slot) for slot, _card in own_slots(view))
        case "extra":
            return (PickExtra(card=None), *(PickExtra(card=card) for card in extra_candidates(view.discards)))
        case _choices:
            return _choices_near(view)


def default(view: View) -> FantasyMove:
    """Draw the deck (if it is empty, take the newest discard); discard what leaves the best hand; choose the best.

    LookupError if the viewer is not asked.
    """
    me(view)
    match view.phase:
        case "draw":
            moves = _draws(view)
            return moves[0] if isinstance(moves[0], DrawDeck) else moves[-1]
        case "discard":
            return Discard(slot=weakest(view))
        case "extra":
            candidates = extra_candidates(view.discards)
            return PickExtra(card=scoring.best_extra(own_cards(view), candidates, context_of(view)).card)
        case _choices:
            return Choose(choices=scoring.best(own_cards(view), context_of(view))[0])


def me(view: View) -> SeatView:
    """The viewer's own seat; LookupError unless the viewer is asked."""
    if view.me is None or view.me not in view.asked:
        raise LookupError("the viewer is not asked")
    return view.seats[view.me]


def own_slots(view: View) -> tuple[tuple[SlotId, CardId], ...]:
    """The viewer's face-down hand in its order; LookupError if the view does not know a card of it."""
    pairs = tuple((entry.slot, entry.card) for entry in me(view).hand)
    known = tuple((slot, card) for slot, card in pairs if slot is not None and card is not None)
    if len(known) != len(pairs):
        raise LookupError("the own hand is not known yet")
    return known


def own_cards(view: View) -> tuple[CardId, ...]:
    """The viewer's hand, with its extra card if it has one."""
    mine = me(view)
    hand = tuple(entry.card for entry in mine.hand if entry.card is not None)
    return hand if mine.extra is None else (*hand, mine.extra)


def context_of(view: View) -> scoring.Context:
    """What a count of the viewer's hand depends on beside the hand, as things stand."""
    return context(view.discards, len(view.seats))


def weakest(view: View) -> SlotId:
    """The slot whose card the hand misses least; among equals the card with the lowest id."""
    around = context_of(view)
    hand = own_slots(view)

    def left(pair: tuple[SlotId, CardId]) -> tuple[int, str]:
        others = tuple(card for slot, card in hand if slot != pair[0])
        return -scoring.best_total(others, around), pair[1]

    return min(hand, key=left)[0]


def _draws(view: View) -> tuple[FantasyMove, ...]:
    deck: tuple[FantasyMove, ...] = (DrawDeck(),) if can_draw(view.deck_left) else ()
    takes = view.discards if can_take(view.turn, len(view.discards)) else ()
    return (*deck, *(TakeDiscard(card=card) for card in takes)) or (Pass(),)


def _choices_near(view: View) -> tuple[FantasyMove, ...]:
    """The best choices first, then each legal way to choose otherwise for one card, in the order of the hand."""
    hand, around = own_cards(view), context_of(view)
    best = scoring.best(hand, around)[0]
    found = [best]
    for field in filter(None, map(ability_of, hand)):
        for value in _values(field, hand, around):
            choices = msgspec.structs.replace(best, **{field: value})
            if choices not in found and _allowed(hand, choices, around):
                found.append(choices)
    return tuple(Choose(choices=choices) for choices in found)


def _values(field: str, hand: tuple[CardId, ...], around: scoring.Context) -> Iterator[object]:
    """What this field of Choices could hold, None (not used) first."""
    yield None
    suits = tuple(suit.value for suit in around.real_suits())
    if field in ("mirage", "shapeshifter"):
        yield from (*around.deck(), *suits)
    elif field == "book":
        yield from itertools.product(hand, suits)
    else:
        yield from hand


def _allowed(hand: tuple[CardId, ...], choices: scoring.Choices, around: scoring.Context) -> bool:
    try:
        check_choices(hand, choices, around)
    except IllegalChoices:
        return False
    return True
