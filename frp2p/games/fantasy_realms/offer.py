"""What a viewer may do, and what is done for one who does not decide. Both follow from the view alone."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import msgspec

from frp2p import scoring
from frp2p.cards import CardId
from frp2p.games.fantasy_realms import foresight
from frp2p.games.fantasy_realms.counting import context, extra_candidates, search_candidates
from frp2p.games.fantasy_realms.items import advice
from frp2p.games.fantasy_realms.items.offer import at_the_end, takeable, to_prompt, uses
from frp2p.games.fantasy_realms.moves import (
    AcceptOffer,
    Choose,
    Discard,
    DrawDeck,
    Drop,
    FantasyMove,
    KeepItem,
    NextRound,
    OfferCard,
    Pass,
    PickExtra,
    RefuseOffer,
    SearchDeck,
    TakeDiscard,
    Wait,
    WithdrawOffer,
)
from frp2p.games.fantasy_realms.options import deck
from frp2p.games.fantasy_realms.trade import bound
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
            return (*_draws(view), *uses(view))
        case "discard" | "keep":
            return (*(Discard(slot=slot) for slot, _card in leaving(view)), *uses(view))
        case "finish":
            return at_the_end(view)
        case "item":
            return to_prompt(view)
        case "search":
            return tuple(SearchDeck(card=card) for card in in_deck(view))
        case "trade":
            return trading(view)
        case "extra" if view.brought:
            return tuple(PickExtra(card=card) for card in view.brought)
        case "extra":
            candidates = extra_candidates(view.options, takeable(view))
            return (PickExtra(card=None), *(PickExtra(card=card) for card in candidates))
        case "overflow":
            return tuple(Drop(card=card) for card in own_cards(view) if card not in view.spent)
        case "pause":
            return (NextRound(),)
        case _choices:
            return _choices_near(view)


def default(view: View) -> FantasyMove:
    """Draw the deck (if it is empty, pass); discard what leaves the best hand; leave the item; at
    the end pick, drop and choose what counts most; go on.

    LookupError if the viewer is not asked.
    """
    me(view)
    match view.phase:
        case "draw":
            return _draws(view)[0]
        case "discard" | "keep":
            return Discard(slot=weakest(view))
        case "finish":
            return KeepItem()
        case "item":
            return advice.answer(view)
        case "search":
            return SearchDeck(card=foresight.best_search(prospect(view), in_deck(view)))
        case "trade":
            return Wait()
        case "extra" if view.brought:
            now = prospect(view)
            return PickExtra(card=max(view.brought, key=lambda card: foresight.outcome(now, "extra", card)))
        case "extra":
            return PickExtra(card=foresight.best_pick(prospect(view)))
        case "overflow":
            return Drop(card=foresight.best_drop(prospect(view)))
        case "pause":
            return NextRound()
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


def leaving(view: View) -> tuple[tuple[SlotId, CardId], ...]:
    """The own cards that may be discarded now: all (but one found by a Lantern), or the two just drawn in a duel."""
    hand = tuple(pair for pair in own_slots(view) if pair[0] != view.stays)
    return tuple(pair for pair in hand if view.phase != "keep" or pair[0] in view.drawn)


def own_cards(view: View) -> tuple[CardId, ...]:
    """The viewer's hand, with its extra cards."""
    return open_hand(me(view))


def open_hand(seat: SeatView) -> tuple[CardId, ...]:
    """The cards of a seat that the viewer knows, extra cards last."""
    return (*(entry.card for entry in seat.hand if entry.card is not None), *seat.extras)


def in_deck(view: View) -> tuple[CardId, ...]:
    """The cards of the deck once all hands lie open, in canonical order; where a seat has left with its cards, those
    that were shown."""
    if view.deck_left and len(view.seen) == view.deck_left:
        shown = frozenset(one.card for one in view.seen)
        return tuple(card for card in deck(view.options) if card in shown)
    return search_candidates(view.options, (*view.discards, *(card for seat in view.seats for card in open_hand(seat))))


def prospect(view: View) -> foresight.Prospect:
    """What the viewer's open hand can still become."""
    if view.brought:
        return foresight.Prospect(own_cards(view), (), view.spent, view.options, len(view.seats))
    free = takeable(view)
    barred = tuple(card for card in view.discards if card not in free)
    return foresight.Prospect(own_cards(view), view.discards, view.spent, view.options, len(view.seats), barred)


def context_of(view: View) -> scoring.Context:
    """What a count of the viewer's hand depends on beside the hand, as things stand."""
    return context(view.options, view.discards, len(view.seats))


def weakest(view: View) -> SlotId:
    """The slot whose card the hand misses least, of those that may go; among equals the card with the lowest id."""
    around = context_of(view)
    hand = own_slots(view)

    def left(pair: tuple[SlotId, CardId]) -> tuple[int, str]:
        others = tuple(card for slot, card in hand if slot != pair[0])
        return -scoring.best_total(others, around), pair[1]

    return min(leaving(view), key=left)[0]


def trading(view: View) -> tuple[FantasyMove, ...]:
    """What can be said in a tick: nothing first, then answers to offers, then what is done about own ones."""
    seat, slots = me(view).seat, tuple(slot for slot, _card in own_slots(view))
    free = tuple(slot for slot in slots if slot not in bound(view.offers, seat))
    givers = tuple(offer.giver for offer in view.offers if offer.to == seat)
    others = tuple(other.seat for other in view.seats if other.seat != seat and other.seat not in view.out)
    return (
        Wait(),
        *(AcceptOffer(seat=giver, slot=slot) for giver in givers for slot in free),
        *(RefuseOffer(seat=giver) for giver in givers),
        *(WithdrawOffer(seat=offer.to) for offer in view.offers if offer.giver == seat),
        *(OfferCard(slot=slot, to=other) for slot in slots for other in others),
    )


def _draws(view: View) -> tuple[FantasyMove, ...]:
    deck = DrawDeck() if can_draw(view.deck_left) else Pass()
    free = takeable(view)
    takes = free if can_take(view.turn, len(free)) else ()
    return (deck, *(TakeDiscard(card=card) for card in takes))


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
