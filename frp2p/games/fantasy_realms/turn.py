"""One turn: draw the top of the deck or take a discard, then discard one card face up.

In a duel nobody starts with cards. Below a full hand a turn adds exactly one: take a discard and discard nothing, or
draw two and discard one of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

import msgspec

from frp2p.cards import CardId
from frp2p.games.fantasy_realms.items.finish import CallFinish, SettleTurn
from frp2p.games.fantasy_realms.items.stow import check_use, use
from frp2p.games.fantasy_realms.moves import Discard, DrawDeck, Pass, TakeDiscard, UseItem
from frp2p.games.fantasy_realms.opening import ShuffleHands
from frp2p.games.fantasy_realms.options import measure
from frp2p.games.fantasy_realms.outcome import cards_of, slots_of
from frp2p.games.fantasy_realms.task import Asking, Automatic, Dealing, OfTurn
from frp2p.games.game import IllegalMove, Move
from frp2p.games.verbs import Draw, Outcome, Reveal, Seal, Seat, SlotId, Verb
from frp2p.locale import _

if TYPE_CHECKING:
    from frp2p.games.fantasy_realms.state import State
    from frp2p.games.fantasy_realms.view import Phase

OPEN_TURNS: Final = 300
"""Turns of a round in which discards can be taken. Only draws fill the discard area, so players who do nothing but
take and give back would play (and record) for ever; a game of people has 10 to 60 turns."""

PAIR: Final = 2
"""Cards that a player draws in a duel, below a full hand."""


def can_draw(deck_left: int) -> bool:
    return deck_left > 0


def can_take(turn: int, discards: int) -> bool:
    return discards > 0 and turn <= OPEN_TURNS


def growing(state: State, seat: Seat) -> bool:
    """Whether this hand is not full yet, so that a turn adds a card (duel)."""
    return len(state.hands[seat]) < measure(state.options).hand


def own_shuffle(state: State, seat: Seat) -> tuple[ShuffleHands, ...]:
    """The shuffle of the own hand that follows a new card, if the table plays with it and the hand is not empty."""
    return (ShuffleHands(seats=(seat,)),) if state.options.unlinkable_hands and state.hands[seat] else ()


def leaves_out(state: State, seat: Seat) -> bool:
    """Whether the discard of this turn is left out (Portal): only if the hand stays within its cap with one more."""
    return state.items.skip and len(state.hands[seat]) < measure(state.options).cap


class BeginTurn(Automatic, frozen=True):
    """The next seat is in turn (at the start: the first one; if that has left before it could begin, the next one is
    first)."""

    def run(self, state: State) -> State:
        closing = (CallFinish(), SettleTurn()) if state.options.cursed_items else ()
        seat = state.turn_seat() if state.turn_seat() not in state.out else state.following(state.turn_seat())
        first = state.first_seat if state.turn else seat
        state = msgspec.structs.replace(state, turn=state.turn + 1, seat_in_turn=seat, first_seat=first, took=None)
        state = state.with_items(again=False)
        return state.put(AskDraw(), *closing, EndTurn())


class AskDraw(OfTurn, Asking, frozen=True):
    """The seat in turn draws or takes a card; once the deck is empty it takes one or passes."""

    def phase(self) -> Phase:
        return "draw"

    def seats(self, state: State) -> tuple[Seat, ...]:
        return (state.turn_seat(),)

    def check(self, state: State, seat: Seat, move: Move) -> None:
        free = state.takeable(seat)
        drawable, takeable = can_draw(len(state.deck)), can_take(state.turn, len(free))
        match move:
            case DrawDeck():
                if not drawable:
                    raise IllegalMove(_("The deck is empty."))
            case TakeDiscard(card=card):
                if not takeable or card not in free:
                    raise IllegalMove(_("This card can't be taken from the discard area."))
            case Pass():
                if drawable:
                    raise IllegalMove(_("You may only pass when the deck is empty."))
            case UseItem(item=item):
                check_use(state, seat, item, "draw")
            case _other:
                raise IllegalMove(_("Draw a card or take one first."))

    def apply(self, state: State, moves: Mapping[Seat, Move]) -> State:
        seat = state.turn_seat()
        move = moves[seat]
        if isinstance(move, Pass):
            return state
        if isinstance(move, UseItem):
            return use(state, seat, move.item, "draw", self)
        grows = growing(state, seat)
        rest: tuple[ShuffleHands | AskDiscard, ...] = own_shuffle(state, seat)
        rest = rest if grows or leaves_out(state, seat) else (*rest, AskDiscard())
        if isinstance(move, TakeDiscard):
            return state.put(TakeCard(card=move.card), *rest)
        if grows and len(state.deck) >= PAIR:
            return state.put(DrawTop(count=PAIR), AskKeep(), *rest)
        return state.put(DrawTop(), *rest)


class DrawTop(OfTurn, Dealing, frozen=True):
    """The top of the deck joins the hand, known to its owner alone. Of several cards the places are remembered."""

    count: int = 1

    def owed(self) -> int:
        return -self.count

    def verbs(self, state: State) -> tuple[Verb, ...]:
        return (Draw(slots=state.deck[: self.count], seat=state.turn_seat()),)

    def dealt(self, state: State, outcomes: tuple[Outcome, ...]) -> State:
        seat, slots = state.turn_seat(), slots_of(outcomes[0], self.count)
        state = state.drawn_by(seat, slots)
        return msgspec.structs.replace(state, deck=state.deck[self.count :], drawn=slots if self.count > 1 else ())


class TakeCard(OfTurn, Dealing, frozen=True):
    """A discard joins the hand. Everybody knows that it is there, and until a shuffle also in which slot."""

    card: CardId

    def owed(self) -> int:
        return -1

    def verbs(self, state: State) -> tuple[Verb, ...]:
        return (Seal(cards=(self.card,), lock=state.turn_seat()),)

    def dealt(self, state: State, outcomes: tuple[Outcome, ...]) -> State:
        seat = state.turn_seat()
        (slot,) = slots_of(outcomes[0], 1)
        state = state.taken((self.card,)).joined(seat, (slot,), (self.card,))
        return msgspec.structs.replace(state, took=self.card)


class AskDiscard(OfTurn, Asking, frozen=True):
    """The seat in turn chooses the card to discard; putting back the one it just got is allowed."""

    def owed(self) -> int:
        return 1

    def phase(self) -> Phase:
        return "discard"

    def seats(self, state: State) -> tuple[Seat, ...]:
        return (state.turn_seat(),)

    def check(self, state: State, seat: Seat, move: Move) -> None:
        if isinstance(move, UseItem):
            check_use(state, seat, move.item, "discard")
        elif _discard(move).slot not in state.hands[seat]:
            raise IllegalMove(_("This card is not in your hand."))

    def apply(self, state: State, moves: Mapping[Seat, Move]) -> State:
        seat = state.turn_seat()
        move = moves[seat]
        if isinstance(move, UseItem):
            return use(state, seat, move.item, "discard", self)
        return state.put(LayOpen(slot=_discard(move).slot))


class AskKeep(AskDiscard, frozen=True):
    """The seat in turn keeps one of the two cards that it drew and discards the other."""

    def phase(self) -> Phase:
        return "keep"

    def check(self, state: State, seat: Seat, move: Move) -> None:
        if _discard(move).slot not in state.drawn:
            raise IllegalMove(_("Discard one of the two cards that you drew."))


def _discard(move: Move) -> Discard:
    if not isinstance(move, Discard):
        raise IllegalMove(_("Discard a card of your hand."))
    return move


class LayOpen(OfTurn, Dealing, frozen=True):
    """The discarded card becomes public and lies in the discard area."""

    slot: SlotId

    def owed(self) -> int:
        return 1

    def verbs(self, state: State) -> tuple[Verb, ...]:
        return (Reveal(slots=(self.slot,)),)

    def dealt(self, state: State, outcomes: tuple[Outcome, ...]) -> State:
        seat = state.turn_seat()
        (card,) = cards_of(outcomes[0], 1)
        state = state.with_hand(seat, tuple(slot for slot in state.hands[seat] if slot != self.slot))
        state = state.with_held(seat, tuple(held for held in state.holds[seat] if held != card))
        return msgspec.structs.replace(
            state,
            discards=(*state.discards, card),
            drawn=(),
            named=tuple(pair for pair in state.named if pair[0] != self.slot),
        )


def ended(state: State) -> bool:
    """Whether the round ends with this turn: the discards reach the threshold (in a duel only once both hands are
    full), each seat has had a turn since the deck is empty, or the game is stopped."""
    live = state.live()
    full = len(state.discards) >= measure(state.options).threshold
    grown = not any(growing(state, seat) for seat in live)
    return (full and grown) or state.dry >= len(live) or state.stopped


class EndTurn(Automatic, frozen=True):
    """The round ends at once, in the middle of a lap of the table, or the next seat is in turn."""

    stays = True

    def run(self, state: State) -> State:
        state = msgspec.structs.replace(state, dry=0 if state.deck else state.dry + 1)
        if ended(state):
            return msgspec.structs.replace(state, seat_in_turn=None, took=None)
        seat = state.turn_seat()
        following = seat if state.items.again and seat not in state.out else state.following(seat)
        return msgspec.structs.replace(state, seat_in_turn=following).put(BeginTurn())
