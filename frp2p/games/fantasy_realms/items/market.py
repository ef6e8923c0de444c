"""Market Wagon: a card is shown, all others may offer cards for it, face up; then one answer settles it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from frp2p.cards import CardId
from frp2p.games.fantasy_realms.items.asking import AskItem
from frp2p.games.fantasy_realms.items.hands import shuffle_hands
from frp2p.games.fantasy_realms.items.looking import TakeBack
from frp2p.games.fantasy_realms.items.prompt import Prompt
from frp2p.games.fantasy_realms.items.shelf import Shown
from frp2p.games.fantasy_realms.moves import PickCards, PickSlots
from frp2p.games.fantasy_realms.outcome import cards_of
from frp2p.games.fantasy_realms.task import Dealing, OfTurn
from frp2p.games.fantasy_realms.turn import DrawTop, own_shuffle
from frp2p.games.game import Move
from frp2p.games.verbs import Outcome, Reveal, Seat, SlotId, Verb

if TYPE_CHECKING:
    from frp2p.games.fantasy_realms.state import State


class AskWare(AskItem, frozen=True):
    """Which hand card is on offer?"""

    offers: int

    def prompt(self, state: State, seat: Seat) -> Prompt:
        return Prompt(item=self.item, what="show", kind="slots", slots=state.hands[seat])

    def apply(self, state: State, moves: Mapping[Seat, Move]) -> State:
        seat = state.turn_seat()
        move = moves[seat]
        if not isinstance(move, PickSlots):
            raise LookupError("checked before")
        shown = OpenCards(picks=((seat, move.slots),))
        return state.put(shown, AskOffers(item=self.item, offers=self.offers), AskBargain(item=self.item))


class OpenCards(OfTurn, Dealing, frozen=True):
    """Hand cards are laid open before their owners for the moment."""

    picks: tuple[tuple[Seat, tuple[SlotId, ...]], ...]

    def without(self, state: State, gone: frozenset[Seat]) -> State:
        picks = tuple(pick for pick in self.picks if pick[0] not in gone)
        return state if self.falls(state, gone) or not picks else state.put(OpenCards(picks=picks))

    def verbs(self, state: State) -> tuple[Verb, ...]:
        return tuple(Reveal(slots=slots) for _seat, slots in self.picks)

    def dealt(self, state: State, outcomes: tuple[Outcome, ...]) -> State:
        shown = state.items.shown
        for (seat, slots), outcome in zip(self.picks, outcomes, strict=True):
            cards = cards_of(outcome, len(slots))
            state = state.shown_from(seat, slots, cards)
            shown = (*shown, *(Shown(seat=seat, card=card) for card in cards))
        return state.with_items(shown=shown)


class AskOffers(AskItem, frozen=True):
    """Which hand cards does each other player offer, all at the same time? None is an answer too."""

    offers: int

    def seats(self, state: State) -> tuple[Seat, ...]:
        return tuple(other for other in range(state.seats) if other != state.turn_seat() and state.hands[other])

    def prompt(self, state: State, seat: Seat) -> Prompt:
        hand = state.hands[seat]
        most = min(self.offers, len(hand))
        return Prompt(item=self.item, what="offer", kind="slots", least=0, most=most, slots=hand)

    def apply(self, state: State, moves: Mapping[Seat, Move]) -> State:
        picks = tuple((seat, move.slots) for seat, move in sorted(moves.items()) if isinstance(move, PickSlots))
        picks = tuple((seat, slots) for seat, slots in picks if slots)
        return state.put(OpenCards(picks=picks)) if picks else state


class AskBargain(AskItem, frozen=True):
    """Swap for an offered card, keep the own one, or (its own name) discard it and draw from the deck."""

    def without(self, state: State, gone: frozenset[Seat]) -> State:
        """What who has left had shown goes to the discard area. Without the asker, or if the game is stopped, the
        others take back what they have shown."""
        shown = state.items.shown
        stay = tuple(one for one in shown if one.seat not in gone)
        state = state.laid(tuple(one.card for one in shown if one.seat in gone))
        if not self.falls(state, gone):
            return state.with_items(shown=stay).put(self)
        return _returned(state.with_items(shown=()), {one.card: one.seat for one in stay})

    def prompt(self, state: State, seat: Seat) -> Prompt:
        own, *offered = (one.card for one in state.items.shown)
        draw = (own,) if state.deck else ()
        return Prompt(item=self.item, what="bargain", kind="cards", least=0, cards=(*offered, *draw))

    def apply(self, state: State, moves: Mapping[Seat, Move]) -> State:
        seat = state.turn_seat()
        move = moves[seat]
        if not isinstance(move, PickCards):
            raise LookupError("checked before")
        return _settled(state.with_items(shown=()), seat, move.cards[0] if move.cards else None, state.items.shown)


def _settled(state: State, seat: Seat, pick: CardId | None, shown: tuple[Shown, ...]) -> State:
    """Every shown card goes to whom it belongs now."""
    own = shown[0].card
    owner = {one.card: one.seat for one in shown}
    if pick == own:
        del owner[own]
        state = state.laid((own,)).put(DrawTop(), *own_shuffle(state, seat))
    elif pick is not None:
        owner[own], owner[pick] = owner[pick], seat
    return _returned(state, owner)


def _returned(state: State, owner: Mapping[CardId, Seat]) -> State:
    """Open cards go to the hands of their owners next."""
    seats = tuple(sorted(set(owner.values())))
    back = tuple((one, tuple(card for card, whose in owner.items() if whose == one)) for one in seats)
    return state.put(TakeBack(cards=back), *shuffle_hands(state, seats)) if back else state
