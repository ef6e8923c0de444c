"""A small game with every verb and both kinds of decision, and a table of referees that plays any game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any

import msgspec

from frp2p.cards import CardId
from frp2p.deal.clear import ClearKind
from frp2p.errors import UserError
from frp2p.games.game import Deal, Decide, IllegalMove, Known, Move, Need, Over
from frp2p.games.verbs import (
    TABLE,
    Cards,
    Coin,
    Draw,
    Number,
    Outcome,
    Reveal,
    Seal,
    Seat,
    Shuffle,
    SlotId,
    Slots,
)
from frp2p.ledger.chain import step_digest
from frp2p.ledger.charter import ChartedSeat, Charter, new_charter
from frp2p.ledger.codec import encode
from frp2p.ledger.provisions import Provisions
from frp2p.ledger.records import Ack, AckBody, Part, PartBody, sign_ack, sign_part
from frp2p.ledger.referee import Referee
from frp2p.ledger.signing import Signer
from frp2p.ledger.transcript import ClosedStep, write_transcript

NAMES = ("Ana", "Bruno", "Čeněk", "Dörte", "Eva", "Filip", "Greta")


class Guess(Move, frozen=True):
    """A number from 0 to 9, by all seats at once."""

    number: int


class Swap(Move, frozen=True):
    """Seat 0 alone: what to say aloud."""

    word: str | None


class TinyOptions(msgspec.Struct, frozen=True, array_like=True):
    cards: int = 6


class TinyState(msgspec.Struct, frozen=True, array_like=True):
    seats: int
    cards: int
    stage: int = 0
    slots: tuple[SlotId, ...] = ()
    hands: tuple[SlotId, ...] = ()
    opened: tuple[CardId, ...] = ()
    guesses: tuple[int, ...] = ()
    coin: int = -1


class TinySeat(msgspec.Struct, frozen=True):
    seat: Seat
    card: CardId | None
    total: int | None
    rank: int | None


class TinyView(msgspec.Struct, frozen=True):
    me: Seat | None
    stage: int
    seats: tuple[TinySeat, ...]


def tiny_deck(cards: int) -> tuple[CardId, ...]:
    return tuple(CardId(f"T{number:02}") for number in range(cards))


class TinyGame:
    """Shuffle, draw one each, guess together, seat 0 speaks, toss a coin, reveal; the score is guess plus coin."""

    name = "tiny"
    move_type: Any = Guess | Swap
    options_type: Any = TinyOptions
    state_type: Any = TinyState

    def catalogue(self) -> bytes:
        return sha256(b"tiny cards").digest()

    def deck(self, options: TinyOptions) -> tuple[CardId, ...]:
        return tiny_deck(options.cards)

    def decks(self, options: TinyOptions) -> dict[str, tuple[CardId, ...]]:
        return {self.name: self.deck(options)}

    def check_options(self, options: TinyOptions, seats: int) -> None:
        if not seats <= options.cards <= 20:
            raise UserError("Too few cards, or too many.")

    def start(self, options: TinyOptions, seats: int) -> TinyState:
        return TinyState(seats, options.cards)

    def need(self, state: TinyState) -> Need:
        everybody = tuple(range(state.seats))
        match state.stage:
            case 0:
                return Deal((Seal(tiny_deck(state.cards), TABLE),))
            case 1:
                return Deal((Shuffle(state.slots, TABLE),))
            case 2:
                return Deal(tuple(Draw((state.slots[seat],), seat) for seat in everybody))
            case 3 | 4:
                return Decide(everybody if state.stage == 3 else (0,))
            case 5:
                return Deal((Coin(6), Reveal(state.hands)))
        return Over()

    def check(self, state: TinyState, seat: Seat, move: Move) -> None:
        need = self.need(state)
        if not isinstance(need, Decide) or seat not in need.seats:
            raise IllegalMove("Not now.")
        if state.stage == 3 and not (isinstance(move, Guess) and 0 <= move.number <= 9):
            raise IllegalMove("A number from 0 to 9.")
        if state.stage == 4 and not (isinstance(move, Swap) and move.word in (None, "hello")):
            raise IllegalMove("Say hello, or nothing.")

    def check_known(self, view: Any, move: Move) -> None:
        """Nothing is seen by one seat alone here."""

    def apply(self, state: TinyState, moves: Mapping[Seat, Move]) -> TinyState:
        guesses = tuple(move.number for _seat, move in sorted(moves.items()) if isinstance(move, Guess))
        return msgspec.structs.replace(state, stage=state.stage + 1, guesses=state.guesses + guesses)

    def dealt(self, state: TinyState, outcomes: tuple[Outcome, ...]) -> TinyState:
        changes: dict[str, Any] = {"stage": state.stage + 1}
        for outcome in outcomes:
            match outcome:
                case Slots(slots) if state.stage < 2:
                    changes["slots"] = slots
                case Slots(slots):
                    changes["hands"] = (*changes.get("hands", ()), *slots)
                case Cards(cards):
                    changes["opened"] = cards
                case Number(value):
                    changes["coin"] = value
        return msgspec.structs.replace(state, **changes)

    def view(self, state: TinyState, seat: Seat | None, known: Known) -> TinyView:
        over = state.stage == 6
        totals = [guess + state.coin for guess in state.guesses] if over else []

        def show(at: Seat) -> TinySeat:
            card = state.opened[at] if over else known.get(state.hands[at]) if state.hands else None
            rank = 1 + sum(total > totals[at] for total in totals) if over else None
            return TinySeat(at, card, totals[at] if over else None, rank)

        return TinyView(seat, state.stage, tuple(show(at) for at in range(state.seats)))

    def legal(self, view: TinyView) -> tuple[Move, ...]:
        if view.stage == 3 and view.me is not None:
            return tuple(Guess(number) for number in range(10))
        return (Swap(None), Swap("hello")) if view.stage == 4 and view.me == 0 else ()

    def patience(self, view: TinyView) -> float | None:
        return None

    def default(self, view: TinyView) -> Move:
        return self.legal(view)[0]


class BlankGame(TinyGame):
    """Over before it begins: the shortest ledger there is."""

    name = "blank"

    def need(self, state: TinyState) -> Need:
        return Over()


TINY = TinyGame()
BLANK = BlankGame()
CLEAR = ClearKind()
GAMES: dict[str, Any] = {TINY.name: TINY, BLANK.name: BLANK}
DEALERS: dict[str, Any] = {CLEAR.name: CLEAR}


def seeded(name: str) -> Callable[[int], bytes]:
    """Entropy that is the same in every run."""
    count = 0

    def entropy(size: int) -> bytes:
        nonlocal count
        count += 1
        blocks = (sha256(f"{name}/{count}/{block}".encode()).digest() for block in range(size // 32 + 1))
        return b"".join(blocks)[:size]

    return entropy


def signers(seats: int, salt: str = "") -> tuple[Signer, ...]:
    return tuple(Signer(sha256(f"signer {salt}{seat}".encode()).digest()) for seat in range(seats))


def make_charter(
    seats: int,
    game: Any = TINY,
    options: Any = None,
    dealer: str = "clear",
    salt: str = "",
    names: Any = NAMES,
    provided: Provisions | None = None,
) -> Charter:
    entries = tuple(
        ChartedSeat(signer.public_key, names[seat], sha256(f"nonce {salt}{seat}".encode()).digest())
        for seat, signer in enumerate(signers(seats))
    )
    return new_charter(game, game.options_type() if options is None else options, dealer, entries, provided)


class Rig:
    """One referee a seat and one observer, kept in step; `steps` is what the transcript holds."""

    def __init__(
        self,
        seats: int = 2,
        game: Any = TINY,
        kind: Any = CLEAR,
        salt: str = "",
        options: Any = None,
        provided: Provisions | None = None,
    ) -> None:
        self.game = game
        self.kind = kind
        self.signers = signers(seats)
        self.charter = make_charter(seats, game, options, kind.name, salt, provided=provided)
        self.referees = [Referee(self.charter, game, kind, seat, seeded(f"{salt}/{seat}")) for seat in range(seats)]
        self.observer = Referee(self.charter, game, kind)
        self.steps: list[ClosedStep] = []
        self.events: list[Any] = []

    def payload(self, seat: Seat) -> bytes:
        referee = self.referees[seat]
        if referee.expect().kind == "move":
            return referee.check_move(seat, self.game.default(referee.view(seat)))
        return referee.speak()

    def part(self, seat: Seat, payload: bytes, **changes: Any) -> Part:
        referee = self.observer
        body = PartBody(referee.digest, referee.step, referee.head, seat, referee.expect().kind, payload)
        return sign_part(self.signers[seat], msgspec.structs.replace(body, **changes))

    def step(self) -> ClosedStep:
        """Everybody due speaks, all check, the step closes, all acknowledge."""
        speakers = self.observer.expect().speakers
        payloads = {seat: self.payload(seat) for seat in speakers}
        parts = tuple(self.part(seat, payloads[seat]) for seat in speakers)
        digest = step_digest(
            self.observer.digest, self.observer.step, self.observer.head, tuple(part.body for part in parts)
        )
        number = self.observer.step
        for referee in (*self.referees, self.observer):
            for seat in speakers:
                referee.check(seat, payloads[seat])
            events = referee.close(payloads, digest)
        self.events += events
        assert len({referee.state_digest() for referee in (*self.referees, self.observer)}) == 1
        acks = tuple(
            sign_ack(signer, AckBody(referee.digest, number, seat, digest, referee.state_digest(), 7 * number + seat))
            for seat, (signer, referee) in enumerate(zip(self.signers, self.referees, strict=True))
        )
        self.steps.append(ClosedStep(parts, acks))
        return self.steps[-1]

    def until(self, kind: str) -> None:
        """Play until a step of this kind is due."""
        while self.observer.expect().kind != kind:
            self.step()

    def play(self) -> bytes:
        """Play to the end; the transcript."""
        while self.observer.expect().speakers:
            self.step()
        return self.transcript()

    def transcript(self) -> bytes:
        return write_transcript(self.charter, self.steps)


def frames(data: bytes) -> list[bytes]:
    """Magic and frames of a transcript, each with its length."""
    cut = [data[: data.index(b"\n") + 1]]
    at = len(cut[0])
    while at < len(data):
        end = at + 4 + int.from_bytes(data[at : at + 4], "big")
        cut.append(data[at:end])
        at = end
    return cut


def framed(record: Any) -> bytes:
    data = record if isinstance(record, bytes) else encode(record)
    return len(data).to_bytes(4, "big") + data


__all__ = [
    "BLANK",
    "CLEAR",
    "DEALERS",
    "GAMES",
    "NAMES",
    "TINY",
    "Ack",
    "Guess",
    "Rig",
    "Swap",
    "TinyOptions",
    "framed",
    "frames",
    "make_charter",
    "seeded",
    "signers",
]
