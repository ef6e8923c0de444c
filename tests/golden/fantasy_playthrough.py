"""One game of Fantasy Realms as text: every state, what each seat sees in it, what it may do, and what was done.

Of what lies on the table only the lines that differ from the state before are printed; what is asked (of the dealer or
of seats) is always printed in full.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import msgspec

from frp2p.cards import CardId, sets
from frp2p.cards.notation import find_card, named
from frp2p.games.fantasy_realms import GAME, Options, notation
from frp2p.games.fantasy_realms.moves import Choose, DrawDeck, TakeDiscard
from frp2p.games.fantasy_realms.offer import context_of, own_slots
from frp2p.games.fantasy_realms.state import State
from frp2p.games.fantasy_realms.view import SeatView, View
from frp2p.games.game import Deal, Decide, Known, Move
from frp2p.games.verbs import Coin, Draw, Drop, Exclude, Give, Leave, Peek, PutBack, Reveal, Seal, Seat, Shuffle, Verb
from frp2p.ledger.codec import encode
from frp2p.players.scripted import Scripted
from frp2p.players.selfplay import run
from frp2p.players.stacked import StackedCroupier
from frp2p.scoring import best_total

DEFAULTS = Options()


@dataclass(frozen=True)
class Golden:
    """`hands`: what each seat is dealt; `deck`: what lies on top then. `scripts`: the moves of each seat; a seat
    without a script, or at the end of it, plays `thrifty`. In a script `leaves` means that the seat leaves the game,
    `lost 2` that seat 2 is lost and the game stops. `why`: the rule that the game shows.
    `items`: the cursed items on top of theirs. `turns`: the text ends after so many turns; 0 for the whole game."""

    why: str
    seats: int
    first: Seat = 0
    options: Options = DEFAULTS
    hands: tuple[str, ...] = ()
    deck: str = ""
    scripts: Mapping[Seat, tuple[str, ...]] = field(default_factory=dict)
    items: str = ""
    turns: int = 0

    def stack(self) -> tuple[CardId, ...]:
        """The deck, top first: the named cards, then the rest in an order that mixes the suits."""
        deck = GAME.decks(self.options)[GAME.name]
        top = [find_card(name, deck) for text in (*self.hands, self.deck) if text for name in text.split(", ")]
        rest = sorted((card for card in deck if card not in top), key=lambda card: (int(card[2:4]) * 23) % 53)
        items = tuple(find_card(name, sets.items()) for name in self.items.split(", ") if name)
        return (*top, *rest, *items)

    def terms(self) -> str:
        """The options that are not the usual ones."""
        fields = msgspec.structs.asdict(self.options).items()
        return ", ".join(f"{name}={value}" for name, value in fields if value != getattr(DEFAULTS, name))


def thrifty(view: View, legal: tuple[Move, ...]) -> Move:
    """Takes the discard that helps most, if one helps; draws otherwise; everything else as the default."""
    if view.phase != "draw":
        return GAME.default(view)
    hand, around = tuple(card for _slot, card in own_slots(view)), context_of(view)
    now = best_total(hand, around)

    def gain(move: Move) -> int:
        if not isinstance(move, TakeDiscard):
            return 0
        full = (*hand, move.card)
        return max(best_total(tuple(card for card in full if card != gone), around) for gone in full) - now

    found = max(legal, key=gain)
    return found if gain(found) > 0 else DrawDeck()


def decider(script: tuple[str, ...], seat: Seat) -> Callable[[View, tuple[Move, ...]], Move]:
    """Plays the script, then thriftily."""
    left = len(script)
    scripted = Scripted([line for line in script if not line.startswith(("leaves", "lost"))])

    def choose(view: View, legal: tuple[Move, ...]) -> Move:
        nonlocal left
        word, _space, other = script[-left].partition(" ") if left > 0 else ("", "", "")
        left -= 1
        if word == "leaves":
            raise _DepartedError(seat, lost=False)
        if word == "lost":
            raise _DepartedError(int(other), lost=True)
        return scripted.choose(view, legal) if left >= 0 else thrifty(view, legal)

    return choose


class _DepartedError(Exception):
    """The seat is not there any more; `lost`: and the game stops."""

    def __init__(self, seat: Seat, *, lost: bool) -> None:
        super().__init__()
        self.seat = seat
        self.lost = lost


class _EnoughError(Exception):
    """The turns that the text shows are over."""


def play(golden: Golden) -> str:
    """The text of the whole game."""
    lines = [f"# {golden.why}", f"# {golden.seats} seats; {golden.terms() or 'usual options'}"]
    seen: list[tuple[State, tuple[Known, ...]]] = []
    shown: dict[str, str] = {}

    def watch(state: State, known: tuple[Known, ...], moves: Mapping[Seat, Move]) -> None:
        if seen:
            before, knew = seen.pop()
            lines.extend(_moves(before, knew, moves))
        if golden.turns and state.turn > golden.turns:
            raise _EnoughError
        seen.append((state, tuple(dict(one) for one in known)))
        views = [GAME.view(state, seat, known[seat]) for seat in range(state.seats)]
        now = _facts(state, views)
        lines.extend(("", f"[{hashlib.sha256(encode(state)).hexdigest()[:8]}]"))
        lines.extend(f"  {what}: {fact}" for what, fact in now.items() if shown.get(what) != fact)
        lines.extend(_need(state, views))
        shown.clear()
        shown.update(now)

    deciders = [decider(golden.scripts.get(seat, ()), seat) for seat in range(golden.seats)]
    croupier = StackedCroupier(golden.stack(), golden.first)
    state: State | None = None
    over = False
    while not over:
        try:
            run(GAME, golden.options, deciders, croupier, watch, state)
            over = True
        except _EnoughError:
            over = True
        except _DepartedError as gone:
            state = _departed(seen[0][0], croupier, gone)
            lines.append(f"> seat {gone.seat} {'is lost: the game stops' if gone.lost else 'leaves'}")
    return "\n".join((*lines, ""))


def _departed(state: State, croupier: StackedCroupier, gone: _DepartedError) -> State:
    """The state after the dealer and the game have let the seat go."""
    seats = (gone.seat,)
    if gone.lost:
        croupier.carry_out((Drop(seats=seats),))
        return GAME.stop(state, seats)
    croupier.carry_out((Leave(seat=gone.seat),))
    return GAME.out(state, seats)


def _moves(state: State, known: tuple[Known, ...], moves: Mapping[Seat, Move]) -> list[str]:
    return [
        f"> seat {seat}: {notation.text(move, GAME.view(state, seat, known[seat]))}" for seat, move in moves.items()
    ]


def _facts(state: State, views: list[View]) -> dict[str, str]:
    """What lies on the table and who sees it."""
    public = GAME.view(state, None, {})
    facts = {
        "phase": public.phase,
        "turn": f"{public.turn} of seat {public.seat_in_turn} (first {public.first_seat})",
        "took": "nothing open" if public.took is None else _name(public.took),
        "agenda": _agenda([type(task).__name__ for task in state.agenda]),
        "deck": str(public.deck_left),
        "discards": f"{len(public.discards)}/{public.threshold}: {_names(public.discards)}",
    }
    facts.update({"out": ", ".join(f"seat {seat}" for seat in public.out)} if public.out else {})
    facts.update({"stopped": "yes"} if public.stopped else {})
    facts.update(_item_facts(public) if state.options.cursed_items else {})
    facts.update(_trade_facts(public) if state.options.mode == "chaos" else {})
    for seat, entry in enumerate(public.seats):
        facts[f"all see seat {seat}"] = _seat(entry)
    for seat, view in enumerate(views):
        for other, entry in enumerate(view.seats):
            if entry != public.seats[other]:
                facts[f"seat {seat} sees seat {other}"] = _seat(entry)
        if view.seen:
            facts[f"seat {seat} sees the deck"] = ", ".join(f"{one.place}: {_name(one.card)}" for one in view.seen)
    return facts


def _item_facts(public: View) -> dict[str, str]:
    """What everybody sees of the items beside those of the seats."""
    return {
        "item deck": str(public.items_left),
        "item discards": _names(public.item_discards),
        "covered": ", ".join(f"{_name(one.card)} by seat {one.seat}" for one in public.covered) or "none",
        "shown": ", ".join(f"{_name(one.card)} of seat {one.seat}" for one in public.shown) or "none",
        "all see of the deck": ", ".join(f"{one.place}: {_name(one.card)}" for one in public.seen) or "nothing",
        "this turn": " ".join(["no discard"] * public.skip + ["mixes the deck"] * public.mix) or "as usual",
    }


def _trade_facts(public: View) -> dict[str, str]:
    """What everybody sees of the trade."""
    offers = (f"#{one.slot} of seat {one.giver} to seat {one.to}" for one in public.offers)
    return {
        "ticks left": str(public.ticks_left),
        "offers": ", ".join(offers) or "none",
        "brought": _names(public.brought),
    }


def _agenda(tasks: list[str]) -> str:
    """What is to be done; of the end of the round, which is the same in every turn, only its beginning."""
    end = tasks.index("RevealHands") if "RevealHands" in tasks[1:] else len(tasks)
    return " ".join([*tasks[:end], *["..."] * (end < len(tasks))])


def _need(state: State, views: list[View]) -> list[str]:
    """What the game waits for."""
    match GAME.need(state):
        case Deal(verbs=verbs):
            return [f"  dealer: {_verb(verb)}" for verb in verbs]
        case Decide(seats=seats):
            return [
                line
                for seat in seats
                for line in (
                    f"  seat {seat} may: {_legal(views[seat])}",
                    f"  seat {seat} by default: {notation.text(GAME.default(views[seat]), views[seat])}",
                )
            ]
        case _over:
            return ["  game over"]


def _legal(view: View) -> str:
    legal = GAME.legal(view)
    if len(legal) > 60:
        shown = [notation.text(move, view) for move in (*legal[:3], *legal[-2:])]
        return f"{len(legal)} ways: " + " | ".join(shown)
    if isinstance(legal[0], Choose):
        # The ways to choose are a hundred or so; their number and the first and last ones show a change.
        shown = [notation.text(move, view) for move in (*legal[:3], *legal[-2:])]
        return f"{len(legal)} ways: " + " | ".join(shown)
    return " | ".join(notation.text(move, view) for move in legal)


def _seat(entry: SeatView) -> str:
    hand = ", ".join(
        f"#{held.slot} " * (held.slot is not None) + (_name(held.card) if held.card else "?") for held in entry.hand
    )
    parts = [hand or "no cards"]
    if entry.holds:
        parts.append(f"known to hold {_names(entry.holds)}")
    if entry.extras:
        parts.append(f"extra {_names(entry.extras)}")
    if entry.item or entry.aside or entry.pile:
        down = ", ".join(_name(one.card) if one.card else f"#{one.slot}" for one in entry.pile)
        aside = f", aside {_names(entry.aside)}" if entry.aside else ""
        parts.append(f"item {_name(entry.item) if entry.item else 'none'}{aside}, used {down or 'none'}")
    if entry.choices is not None:
        used = {what: chosen for what, chosen in msgspec.structs.asdict(entry.choices).items() if chosen is not None}
        parts.append(f"choices {used}")
    if entry.total is not None:
        parts.append(f"{entry.total} points, rank {entry.rank}")
    elif entry.rank is not None:
        parts.append(f"rank {entry.rank}")
    return "; ".join(parts)


def _verb(verb: Verb) -> str:
    match verb:
        case Seal(cards=cards, lock=lock):
            return f"seal {len(cards)} cards for {'the table' if lock < 0 else f'seat {lock}'}"
        case Shuffle(slots=slots, by=seat):
            return f"shuffle {len(slots)} slots by {'all' if seat < 0 else f'seat {seat}'}"
        case Draw(slots=slots, seat=seat):
            return f"draw {_slots(slots)} for seat {seat}"
        case Reveal(slots=slots):
            return f"reveal {_slots(slots)}"
        case Coin(sides=sides):
            return f"coin with {sides} sides"
        case Peek(slots=slots, viewer=seat):
            return f"peek {_slots(slots)} by seat {seat}"
        case PutBack(slots=slots, seat=seat):
            return f"put back {_slots(slots)} by seat {seat}"
        case Give(slots=slots, giver=giver, to=to):
            return f"give {_slots(slots)} of seat {giver} to seat {to}"
        case Exclude(slots=slots, cards=cards):
            return f"prove that none of {_slots(slots)} is {_names(cards)}"
        case _other:
            raise TypeError(verb)


def _slots(slots: tuple[int, ...]) -> str:
    return " ".join(f"#{slot}" for slot in slots)


def _name(card_id: CardId) -> str:
    return named(card_id).en


def _names(cards: tuple[CardId, ...]) -> str:
    return ", ".join(map(_name, cards)) or "none"
