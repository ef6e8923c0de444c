"""A game of a minute in which everything happens that a table has to bear: for simulations, never for players.

Shuffle, one card each, all bet at once, somebody peeks at the deck, somebody may change its card (put back, reshuffle,
draw), a coin, and all hands are opened. Between twelve and thirty steps.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Any

import msgspec

from frp2p.cards import CardId
from frp2p.errors import LocalError, UserError
from frp2p.games.game import Deal, Decide, IllegalMove, Known, Move, Need, Over
from frp2p.games.verbs import (
    TABLE,
    Cards,
    Coin,
    Draw,
    Number,
    Outcome,
    Peek,
    PutBack,
    Reveal,
    Seal,
    Seat,
    Shuffle,
    SlotId,
    Slots,
    Verb,
)

MAX_STAKE = 9
"""The highest bet."""

CARDS = 12
"""Cards of the deck: more than seats, few enough that a proof of shuffle is cheap."""


class Bet(Move, frozen=True):
    """How high I think of my card."""

    stake: int


class Keep(Move, frozen=True):
    """My card stays."""


class Change(Move, frozen=True):
    """My card goes back into the deck, and I get another one."""


class Options(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """`bets`: rounds of betting, 1 to 3. `peek`, `change`, `coin`: whether these happen."""

    bets: int = 1
    peek: bool = True
    change: bool = True
    coin: bool = True


class State(msgspec.Struct, frozen=True, array_like=True):
    """`todo`: what is needed next, first one first: a word and, where it is about one, the seat. `hands`: by seat, None
    once the card is gone. `bets`: (seat, stake) in the order of betting. `shown`: by seat, once all is open.
    """

    seats: int
    todo: tuple[tuple[str, Seat], ...]
    deck: tuple[SlotId, ...] = ()
    hands: tuple[SlotId | None, ...] = ()
    bets: tuple[tuple[Seat, int], ...] = ()
    coin: int = 0
    shown: tuple[CardId | None, ...] = ()
    out: tuple[Seat, ...] = ()
    stopped: bool = False

    @property
    def playing(self) -> tuple[Seat, ...]:
        """The seats that are not out."""
        return tuple(seat for seat in range(self.seats) if seat not in self.out)


class SeatView(msgspec.Struct, frozen=True):
    """One seat. `card` is None where the viewer can't know it."""

    seat: Seat
    card: CardId | None
    stakes: tuple[int, ...]
    total: int | None
    rank: int | None


class View(msgspec.Struct, frozen=True):
    """What the viewer may know; `seen`: the cards of the deck that it knows."""

    me: Seat | None
    asked: tuple[Seat, ...]
    doing: str
    seats: tuple[SeatView, ...]
    seen: tuple[CardId, ...]
    out: tuple[Seat, ...]
    stopped: bool


class Pocket:
    """The rules; see the page above."""

    name = "pocket"
    move_type: Any = Bet | Keep | Change
    options_type: Any = Options
    state_type: Any = State

    def catalogue(self) -> bytes:
        return sha256(b"pocket").digest()

    def decks(self, options: Options) -> dict[str, tuple[CardId, ...]]:
        return {self.name: tuple(CardId(f"P{number:02}") for number in range(CARDS))}

    def check_options(self, options: Options, seats: int) -> None:
        if not 1 <= options.bets <= 3:
            raise UserError("One to three rounds of betting.")

    def start(self, options: Options, seats: int) -> State:
        return State(seats, tuple(_agenda(options, seats)))

    def need(self, state: State) -> Need:
        if not state.todo:
            return Over()
        word, seat = state.todo[0]
        if word == "bet":
            return Decide(state.playing)
        if word == "change?":
            return Decide((seat,))
        return Deal(self._verbs(state, word, seat))

    def _verbs(self, state: State, word: str, seat: Seat) -> tuple[Verb, ...]:
        hands = tuple(slot for slot in state.hands if slot is not None)
        match word:
            case "seal":
                return (Seal(self.decks(Options())[self.name], TABLE),)
            case "shuffle":
                return (Shuffle(state.deck, TABLE),)
            case "draw":
                return tuple(Draw((slot,), at) for slot, at in zip(state.deck, state.playing, strict=False))
            case "peek":
                return (Peek((state.deck[-1],), seat),)
            case "put":
                return (PutBack(_slot(state, seat), seat),)
            case "redraw":
                return (Draw((state.deck[0],), seat),)
            case "coin":
                return (Coin(2),)
        return (Reveal(hands),)

    def check(self, state: State, seat: Seat, move: Move) -> None:
        need = self.need(state)
        if not isinstance(need, Decide) or seat not in need.seats:
            raise IllegalMove("Not asked.")
        bet = state.todo[0][0] == "bet"
        if bet != isinstance(move, Bet) or (isinstance(move, Bet) and not 0 <= move.stake <= MAX_STAKE):
            raise IllegalMove("Another move is asked for.")

    def check_known(self, view: Any, move: Move) -> None:
        """Every move can be gone through with."""

    def apply(self, state: State, moves: Mapping[Seat, Move]) -> State:
        seat = state.todo[0][1]
        todo = state.todo[1:]
        if any(isinstance(move, Change) for move in moves.values()):
            todo = (("put", seat), ("shuffle", TABLE), ("redraw", seat), *todo)
        bets = tuple((at, move.stake) for at, move in sorted(moves.items()) if isinstance(move, Bet))
        return msgspec.structs.replace(state, todo=todo, bets=state.bets + bets)

    def dealt(self, state: State, outcomes: tuple[Outcome, ...]) -> State:
        word, seat = state.todo[0]
        after = msgspec.structs.replace(state, todo=state.todo[1:])
        match word, outcomes[0]:
            case "draw", _:
                drawn = [slots.slots[0] for slots in outcomes if isinstance(slots, Slots)]
                hands = dict(zip(state.playing, drawn, strict=True))
                deck = state.deck[len(drawn) :]
                return msgspec.structs.replace(after, deck=deck, hands=tuple(hands.get(s) for s in range(state.seats)))
            case "put", Slots(slots=slots):
                return msgspec.structs.replace(_with_hand(after, seat, None), deck=state.deck + slots)
            case "redraw", Slots(slots=slots):
                return msgspec.structs.replace(_with_hand(after, seat, slots[0]), deck=state.deck[1:])
            case (("seal" | "shuffle"), Slots(slots=slots)):
                return msgspec.structs.replace(after, deck=slots)
            case "reveal", Cards(cards=cards):
                shown = iter(cards)
                faces = tuple(None if slot is None else next(shown) for slot in state.hands)
                return msgspec.structs.replace(after, shown=faces)
            case "coin", Number(value=value):
                return msgspec.structs.replace(after, coin=value)
            case _:
                return after

    def out(self, state: State, seats: tuple[Seat, ...]) -> State:
        """These seats are gone, and their cards with them."""
        gone = tuple(sorted({*state.out, *seats}))
        todo = tuple(task for task in state.todo if task[1] not in gone)
        hands = tuple(None if at in gone else slot for at, slot in enumerate(state.hands))
        after = msgspec.structs.replace(state, out=gone, todo=todo, hands=hands)
        alone = len(after.playing) < 2
        return msgspec.structs.replace(after, todo=()) if alone else after

    def stop(self, state: State, seats: tuple[Seat, ...]) -> State:
        """Nothing of the deck can be opened any more: show what is held, and end."""
        after = msgspec.structs.replace(self.out(state, seats), stopped=True)
        held = any(slot is not None for slot in after.hands) and not after.shown
        return msgspec.structs.replace(after, todo=(("reveal", TABLE),) if held else ())

    def view(self, state: State, seat: Seat | None, known: Known) -> View:
        need = self.need(state)
        over = isinstance(need, Over)
        totals = {at: _total(state, at) for at in range(state.seats)} if over else {}
        seats = tuple(
            SeatView(
                seat=at,
                card=_face(state, at, known),
                stakes=tuple(stake for better, stake in state.bets if better == at),
                total=totals.get(at),
                rank=1 + sum(total > totals[at] for total in totals.values()) if over else None,
            )
            for at in range(state.seats)
        )
        return View(
            me=seat,
            asked=need.seats if isinstance(need, Decide) else (),
            doing=state.todo[0][0] if state.todo else "",
            seats=seats,
            seen=tuple(known[slot] for slot in state.deck if slot in known),
            out=state.out,
            stopped=state.stopped,
        )

    def legal(self, view: View) -> tuple[Move, ...]:
        if view.me not in view.asked:
            return ()
        return tuple(Bet(stake) for stake in range(MAX_STAKE + 1)) if view.doing == "bet" else (Keep(), Change())

    def patience(self, view: View) -> float | None:
        return None

    def default(self, view: View) -> Move:
        return self.legal(view)[0]


def _agenda(options: Options, seats: int) -> Iterator[tuple[str, Seat]]:
    yield from (("seal", TABLE), ("shuffle", TABLE), ("draw", TABLE))
    for at in range(options.bets):
        yield ("bet", TABLE)
        if at == 0 and options.peek:
            yield ("peek", seats - 1)
        if at == 0 and options.change:
            yield ("change?", 1)
    if options.coin:
        yield ("coin", TABLE)
    yield ("reveal", TABLE)


def _slot(state: State, seat: Seat) -> tuple[SlotId]:
    slot = state.hands[seat]
    if slot is None:
        raise LocalError(f"seat {seat} holds no card")
    return (slot,)


def _with_hand(state: State, seat: Seat, slot: SlotId | None) -> State:
    hands = tuple(slot if at == seat else held for at, held in enumerate(state.hands))
    return msgspec.structs.replace(state, hands=hands)


def _face(state: State, seat: Seat, known: Known) -> CardId | None:
    if state.shown:
        return state.shown[seat]
    slot = state.hands[seat] if state.hands else None
    return known.get(slot) if slot is not None else None


def _total(state: State, seat: Seat) -> int:
    """The card and, if the coin says so, the bets; nothing for somebody who is out."""
    card = state.shown[seat] if state.shown and seat not in state.out else None
    stakes = sum(stake for better, stake in state.bets if better == seat) if state.coin else 0
    return int(card[1:]) + stakes if card is not None else 0


POCKET = Pocket()
