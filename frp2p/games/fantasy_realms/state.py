"""The state of a game of Fantasy Realms: a value that is the same at every peer."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from frp2p.cards import CardId
from frp2p.games.fantasy_realms.agenda import AnyTask
from frp2p.games.fantasy_realms.items.shelf import Shelf, bare_shelf
from frp2p.games.fantasy_realms.options import Options
from frp2p.games.fantasy_realms.ranking import Result
from frp2p.games.fantasy_realms.rows import with_entry
from frp2p.games.fantasy_realms.task import Automatic, Task
from frp2p.games.verbs import Seat, SlotId
from frp2p.scoring import Choices


class State(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Everything public; hidden cards appear as slots only. Tuples indexed by seat have one entry a seat.

    `out`: the seats that have left for good, ascending; they hold nothing and are asked nothing. `stopped`: no card of
    the decks can be opened any more, so `deck` is empty and the round is counted as it stands.
    `agenda`: what is to be done, next first; empty when the game is over. `round` counts from 1, `past` are the results
    of the rounds before; everything below belongs to the present round. `deck`: top first.
    `holds`: cards that a hand openly took and has not shown since, so everybody knows they are in it; of a seat that
    is out, that they are out of the match.
    `named`: the slots whose card everybody can name (a take, until its owner shuffles the hand).
    `turn` counts from 1 once the deal is done; `took` is the discard taken in this turn, if any; `drawn` the two cards
    of a duel's draw, of which one is to go.
    `dry`: how many turns in a row, up to now, have left the deck empty.
    `opened`: the hands as they lie open at the end; empty before. `extras`: the cards that came to each hand then.
    `spent`: cards that have brought an extra card. `searched`: the card that Genie brought: it counts as open, but its
    slot stays in `deck`, face down like the others there (nobody needs to see which one it is).
    `totals` (None for who is out) and `ranks` are empty until the hands are counted. `items`: the cursed items.
    """

    options: Options
    seats: int
    out: tuple[Seat, ...]
    stopped: bool
    agenda: tuple[AnyTask, ...]
    round: int
    past: tuple[Result, ...]
    deck: tuple[SlotId, ...]
    hands: tuple[tuple[SlotId, ...], ...]
    holds: tuple[tuple[CardId, ...], ...]
    named: tuple[tuple[SlotId, CardId], ...]
    discards: tuple[CardId, ...]
    first_seat: Seat | None
    seat_in_turn: Seat | None
    turn: int
    took: CardId | None
    drawn: tuple[SlotId, ...]
    dry: int
    opened: tuple[tuple[CardId, ...], ...]
    extras: tuple[tuple[CardId, ...], ...]
    spent: tuple[CardId, ...]
    searched: CardId | None
    choices: tuple[Choices | None, ...]
    totals: tuple[int | None, ...]
    ranks: tuple[int, ...]
    items: Shelf

    def put(self, *tasks: Task) -> State:
        """The state with these tasks in front of its agenda, the first one next."""
        return msgspec.structs.replace(self, agenda=(*tasks, *self.agenda))

    def popped(self) -> State:
        """The state without the next task."""
        return msgspec.structs.replace(self, agenda=self.agenda[1:])

    def next_task(self) -> Task | None:
        """What is to be done now; None when the game is over."""
        return self.agenda[0] if self.agenda else None

    def advanced(self) -> State:
        """The state after all automatic tasks in front, so that it waits for somebody or is over."""
        state = self
        while isinstance(task := state.next_task(), Automatic):
            state = task.run(state.popped())
        return state

    def live(self) -> tuple[Seat, ...]:
        """The seats that have not left, ascending."""
        return tuple(seat for seat in range(self.seats) if seat not in self.out)

    def following(self, seat: Seat) -> Seat:
        """The next seat, clockwise, that has not left."""
        around = ((seat + step) % self.seats for step in range(1, self.seats + 1))
        return next(other for other in around if other not in self.out)

    def lost(self) -> tuple[tuple[CardId, ...], ...]:
        """What everybody knows to be out of the match with each seat that has left: `holds` once no hand is held."""
        return tuple(held if seat in self.out else () for seat, held in enumerate(self.holds))

    def with_hand(self, seat: Seat, hand: tuple[SlotId, ...]) -> State:
        """The state with another hand of this seat."""
        return msgspec.structs.replace(self, hands=with_entry(self.hands, seat, hand))

    def with_held(self, seat: Seat, held: tuple[CardId, ...]) -> State:
        """The state with other cards that this seat is known to hold."""
        return msgspec.structs.replace(self, holds=with_entry(self.holds, seat, held))

    def with_extra(self, seat: Seat, card: CardId) -> State:
        """The state with one more open card at this seat."""
        return msgspec.structs.replace(self, extras=with_entry(self.extras, seat, (*self.extras[seat], card)))

    def with_items(self, **fields: object) -> State:
        """The state with these fields of its shelf changed."""
        return msgspec.structs.replace(self, items=msgspec.structs.replace(self.items, **fields))

    def takeable(self, seat: Seat) -> tuple[CardId, ...]:
        """The discards that this seat may take, oldest first: all but those that another one has covered."""
        barred = self.items.covered_for_others(seat)
        return tuple(card for card in self.discards if card not in barred)

    def joined(self, seat: Seat, slots: tuple[SlotId, ...], cards: tuple[CardId, ...]) -> State:
        """The state in which cards that lay open are in this hand: everybody knows it, and in which places."""
        state = self.with_hand(seat, (*self.hands[seat], *slots)).with_held(seat, (*self.holds[seat], *cards))
        return msgspec.structs.replace(state, named=(*self.named, *zip(slots, cards, strict=True)))

    def drawn_by(self, seat: Seat, slots: tuple[SlotId, ...]) -> State:
        """The state in which cards from the deck are in this hand; of a place that everybody can name it is known."""
        names = dict(self.named)
        state = self.with_hand(seat, (*self.hands[seat], *slots))
        return state.with_held(seat, (*self.holds[seat], *(names[slot] for slot in slots if slot in names)))

    def shown_from(self, seat: Seat, slots: tuple[SlotId, ...], cards: tuple[CardId, ...]) -> State:
        """The state in which these cards of the hand have been shown and are not in it any more."""
        state = self.with_hand(seat, tuple(slot for slot in self.hands[seat] if slot not in slots)).unnamed(slots)
        return state.with_held(seat, tuple(held for held in self.holds[seat] if held not in cards))

    def taken(self, cards: tuple[CardId, ...]) -> State:
        """The state in which these cards are not in the discard area any more, nor covered there."""
        state = self.with_items(covered=tuple(one for one in self.items.covered if one.card not in cards))
        return msgspec.structs.replace(state, discards=tuple(card for card in self.discards if card not in cards))

    def laid(self, cards: tuple[CardId, ...]) -> State:
        """The state in which these open cards lie in the discard area."""
        return msgspec.structs.replace(self, discards=(*self.discards, *cards))

    def unnamed(self, slots: Iterable[SlotId]) -> State:
        """The state in which nobody can name the cards in these places any more."""
        gone = frozenset(slots)
        return msgspec.structs.replace(self, named=tuple(pair for pair in self.named if pair[0] not in gone))

    def turn_seat(self) -> Seat:
        """The seat in turn; only between the deal and the end."""
        if self.seat_in_turn is None:
            raise LookupError("nobody is in turn")
        return self.seat_in_turn

    def cards_of(self, seat: Seat) -> tuple[CardId, ...]:
        """The open hand of this seat with its extra cards; only once the hands lie open."""
        return (*self.opened[seat], *self.extras[seat])

    def open_cards(self) -> tuple[CardId, ...]:
        """Every card that lies open at the end of a round: hands, extra cards, discards."""
        return (*(card for seat in range(self.seats) for card in self.cards_of(seat)), *self.discards)

    def rounds(self) -> tuple[Result, ...]:
        """The results of all counted rounds, this one included once it is counted."""
        return (*self.past, Result(self.totals, self.ranks)) if self.totals else self.past


def first_state(options: Options, seats: int, agenda: tuple[AnyTask, ...]) -> State:
    """Nothing dealt yet, everything still to do."""
    return State(
        options=options,
        seats=seats,
        out=(),
        stopped=False,
        agenda=agenda,
        round=1,
        past=(),
        deck=(),
        hands=((),) * seats,
        holds=((),) * seats,
        named=(),
        discards=(),
        first_seat=None,
        seat_in_turn=None,
        turn=0,
        took=None,
        drawn=(),
        dry=0,
        opened=(),
        extras=((),) * seats,
        spent=(),
        searched=None,
        choices=(None,) * seats,
        totals=(),
        ranks=(),
        items=bare_shelf(seats),
    )
