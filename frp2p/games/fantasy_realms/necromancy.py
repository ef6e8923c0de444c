"""Chaos Realms has no discard area: the Necromancer's holder opens three cards of the deck and keeps one of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

import msgspec

from frp2p.cards import CardId
from frp2p.games.fantasy_realms.counting import NECROMANCERS
from frp2p.games.fantasy_realms.extras import CapHand, holder, spend
from frp2p.games.fantasy_realms.moves import PickExtra
from frp2p.games.fantasy_realms.opening import ShuffleDeck
from frp2p.games.fantasy_realms.outcome import cards_of
from frp2p.games.fantasy_realms.task import Asking, Automatic, Dealing, OfSeat
from frp2p.games.game import IllegalMove, Move
from frp2p.games.verbs import Outcome, Reveal, Seat, Verb
from frp2p.locale import _

if TYPE_CHECKING:
    from frp2p.games.fantasy_realms.state import State
    from frp2p.games.fantasy_realms.view import Phase

BROUGHT: Final = 3
"""Cards of the deck of which one is kept."""


class CallBringer(Automatic, frozen=True):
    """The holder's step, if the deck has a card that Genie has not taken."""

    def run(self, state: State) -> State:
        found = holder(state, NECROMANCERS)
        if found is None or len(state.deck) <= (state.searched is not None):
            return state
        seat, card = found
        known = any(slot in state.deck for slot, _card in state.named)
        mixing = (ShuffleDeck(),) if known else ()  # it was shown to Genie's holder
        return spend(state, card).put(*mixing, OpenBrought(seat=seat, cards=()))


class OpenBrought(OfSeat, Dealing, frozen=True):
    """Cards come from the top of the deck; the hands lie open by now, so everybody may see them.

    The card that Genie has named still lies somewhere in the deck. If it comes, another one comes in its place.
    """

    cards: tuple[CardId, ...]

    def without(self, state: State, gone: frozenset[Seat]) -> State:
        return state.laid(self.cards) if self.falls(state, gone) else state.put(self)

    def verbs(self, state: State) -> tuple[Verb, ...]:
        return (Reveal(slots=state.deck[: BROUGHT - len(self.cards)]),)

    def dealt(self, state: State, outcomes: tuple[Outcome, ...]) -> State:
        count = min(BROUGHT - len(self.cards), len(state.deck))
        opened = cards_of(outcomes[0], count)
        found = (*self.cards, *(card for card in opened if card != state.searched))
        searched = None if state.searched in opened else state.searched
        state = msgspec.structs.replace(state, deck=state.deck[count:], searched=searched)
        if len(found) < BROUGHT and len(state.deck) > (searched is not None):
            return state.put(OpenBrought(seat=self.seat, cards=found))
        return state.put(AskBrought(seat=self.seat, cards=found), CapHand(seat=self.seat))


class AskBrought(OfSeat, Asking, frozen=True):
    """The holder keeps one of the cards; the others are set aside and count for nobody."""

    stays = True

    cards: tuple[CardId, ...]

    def without(self, state: State, gone: frozenset[Seat]) -> State:
        return state.laid(self.cards) if self.falls(state, gone) else state.put(self)

    def phase(self) -> Phase:
        return "extra"

    def seats(self, state: State) -> tuple[Seat, ...]:
        return (self.seat,)

    def check(self, state: State, seat: Seat, move: Move) -> None:
        if not isinstance(move, PickExtra) or move.card not in self.cards:
            raise IllegalMove(_("Keep one of the cards that the Necromancer has brought."))

    def apply(self, state: State, moves: Mapping[Seat, Move]) -> State:
        move = moves[self.seat]
        if not isinstance(move, PickExtra) or move.card is None:
            raise IllegalMove(_("Keep one of the cards that the Necromancer has brought."))
        aside = tuple(card for card in self.cards if card != move.card)
        return state.with_extra(self.seat, move.card).laid(aside)
