"""The extra cards at the end: Leprechaun, then Genie, then Necromancer, whoever holds them; no hand grows over its cap.

There is one of each, so this order is also the order between the players. A card that comes later than its own step
brings nothing; one that comes before it does.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import msgspec

from frp2p.cards import CardId
from frp2p.games.fantasy_realms.counting import (
    GENIES,
    LEPRECHAUNS,
    NECROMANCERS,
    extra_candidates,
    search_candidates,
)
from frp2p.games.fantasy_realms.moves import Drop, PickExtra, SearchDeck
from frp2p.games.fantasy_realms.options import deck, measure
from frp2p.games.fantasy_realms.outcome import cards_of, slots_of
from frp2p.games.fantasy_realms.task import Asking, Automatic, Dealing, OfSeat
from frp2p.games.game import IllegalMove, Move
from frp2p.games.verbs import TABLE, Outcome, Reveal, Seal, Seat, Verb
from frp2p.locale import _

if TYPE_CHECKING:
    from frp2p.games.fantasy_realms.state import State
    from frp2p.games.fantasy_realms.view import Phase


def holder(state: State, cards: frozenset[CardId]) -> tuple[Seat, CardId] | None:
    """Who, of those that have not left, has one of these cards, and which."""
    held = ((seat, card) for seat in state.live() for card in state.cards_of(seat) if card in cards)
    return next(held, None)


def spend(state: State, card: CardId) -> State:
    return msgspec.structs.replace(state, spent=(*state.spent, card))


class CallLeprechaun(Automatic, frozen=True):
    """Its holder gets the top card of the deck, if there is one."""

    def run(self, state: State) -> State:
        found = holder(state, LEPRECHAUNS)
        if found is None or not state.deck:
            return state
        seat, card = found
        return spend(state, card).put(OpenTop(seat=seat), CapHand(seat=seat))


class OpenTop(OfSeat, Dealing, frozen=True):
    """The top card of the deck joins an open hand."""

    def verbs(self, state: State) -> tuple[Verb, ...]:
        return (Reveal(slots=state.deck[:1]),)

    def dealt(self, state: State, outcomes: tuple[Outcome, ...]) -> State:
        (card,) = cards_of(outcomes[0], 1)
        return msgspec.structs.replace(state.with_extra(self.seat, card), deck=state.deck[1:])


class CallGenie(Automatic, frozen=True):
    """Its holder picks a card of the deck, if there is one."""

    def run(self, state: State) -> State:
        found = holder(state, GENIES)
        if found is None or not state.deck:
            return state
        seat, card = found
        missing = len(deck(state.options)) - len(state.open_cards()) - len(state.deck)
        opening = (OpenDeck(),) if missing else ()
        return spend(state, card).put(*opening, AskSearch(seat=seat), CapHand(seat=seat))


class OpenDeck(Dealing, frozen=True):
    """A seat has left with its cards, so nobody knows any more which ones are in the deck: they are shown."""

    def verbs(self, state: State) -> tuple[Verb, ...]:
        return (Reveal(slots=state.deck),)

    def dealt(self, state: State, outcomes: tuple[Outcome, ...]) -> State:
        shown = frozenset(cards_of(outcomes[0], len(state.deck)))
        cards = tuple(card for card in deck(state.options) if card in shown)
        return msgspec.structs.replace(state.unnamed(state.deck), deck=()).put(CloseDeck(cards=cards))


class CloseDeck(Dealing, frozen=True):
    """The cards of the deck are turned down again, in canonical order: everybody can name them by their places."""

    cards: tuple[CardId, ...]

    def verbs(self, state: State) -> tuple[Verb, ...]:
        return (Seal(cards=self.cards, lock=TABLE),)

    def dealt(self, state: State, outcomes: tuple[Outcome, ...]) -> State:
        slots = slots_of(outcomes[0], len(self.cards))
        named = (*state.named, *zip(slots, self.cards, strict=True))
        return msgspec.structs.replace(state, deck=slots, named=named)


def in_deck(state: State) -> tuple[CardId, ...]:
    """The cards of the deck once all hands lie open, in canonical order: all that are nowhere else, or, where that
    can't be known because a seat has left with its cards, those that were shown."""
    names = dict(state.named)
    shown = tuple(names[slot] for slot in state.deck if slot in names)
    return shown if len(shown) == len(state.deck) else search_candidates(state.options, state.open_cards())


class AskSearch(OfSeat, Asking, frozen=True):
    """Genie's holder picks any card of the deck.

    Everybody knows which cards these are. The pick is named and counts as open; its slot is not searched for, as nobody
    could learn anything from that.
    """

    def phase(self) -> Phase:
        return "search"

    def seats(self, state: State) -> tuple[Seat, ...]:
        return (self.seat,)

    def check(self, state: State, seat: Seat, move: Move) -> None:
        if _searched(move) not in in_deck(state):
            raise IllegalMove(_("This card is not in the deck."))

    def apply(self, state: State, moves: Mapping[Seat, Move]) -> State:
        card = _searched(moves[self.seat])
        return msgspec.structs.replace(state.with_extra(self.seat, card), searched=card)


def _searched(move: Move) -> CardId:
    if not isinstance(move, SearchDeck):
        raise IllegalMove(_("Name a card of the deck for Genie."))
    return move.card


class CallNecromancer(Automatic, frozen=True):
    """Its holder is asked, if it has something to take."""

    stays = True

    def run(self, state: State) -> State:
        found = holder(state, NECROMANCERS)
        if found is None or not extra_candidates(state.options, state.takeable(found[0])):
            return state
        seat, card = found
        return spend(state, card).put(AskExtra(seat=seat), CapHand(seat=seat))


class AskExtra(OfSeat, Asking, frozen=True):
    """The Necromancer's holder may take a card of certain suits from the discard area as an extra card."""

    stays = True

    def phase(self) -> Phase:
        return "extra"

    def seats(self, state: State) -> tuple[Seat, ...]:
        return (self.seat,)

    def check(self, state: State, seat: Seat, move: Move) -> None:
        picked = _picked(move)
        if picked is not None and picked not in extra_candidates(state.options, state.takeable(seat)):
            raise IllegalMove(_("The Necromancer can't take this card."))

    def apply(self, state: State, moves: Mapping[Seat, Move]) -> State:
        picked = _picked(moves[self.seat])
        if picked is None:
            return state
        return state.with_extra(self.seat, picked).taken((picked,))


def _picked(move: Move) -> CardId | None:
    if not isinstance(move, PickExtra):
        raise IllegalMove(_("Name the card for the Necromancer, or none."))
    return move.card


class CapHand(OfSeat, Automatic, frozen=True):
    """A hand over its cap loses a card at once; its owner says which."""

    stays = True

    def run(self, state: State) -> State:
        over = len(state.cards_of(self.seat)) > measure(state.options).cap
        return state.put(AskOverflow(seat=self.seat), self) if over else state


class AskOverflow(OfSeat, Asking, frozen=True):
    """The seat drops one card of its open hand, but none that has brought an extra card."""

    stays = True

    def phase(self) -> Phase:
        return "overflow"

    def seats(self, state: State) -> tuple[Seat, ...]:
        return (self.seat,)

    def check(self, state: State, seat: Seat, move: Move) -> None:
        card = _dropped(move)
        if card not in state.cards_of(seat):
            raise IllegalMove(_("This card is not in your hand."))
        if card in state.spent:
            raise IllegalMove(_("A card that has brought another one can't be dropped."))

    def apply(self, state: State, moves: Mapping[Seat, Move]) -> State:
        dropped = _dropped(moves[self.seat])

        def less(rows: tuple[tuple[CardId, ...], ...]) -> tuple[tuple[CardId, ...], ...]:
            return tuple(tuple(card for card in row if card != dropped) for row in rows)

        return msgspec.structs.replace(
            state, opened=less(state.opened), extras=less(state.extras), discards=(*state.discards, dropped)
        )


def _dropped(move: Move) -> CardId:
    if not isinstance(move, Drop):
        raise IllegalMove(_("Your hand is too large: drop a card."))
    return move.card
