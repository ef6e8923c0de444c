"""A game of one minute, peers that play it in memory, and adversaries made of real peers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any

import msgspec

from frp2p.cards import CardId
from frp2p.deal.clear.kind import ClearKind
from frp2p.deal.dealer import DealerKind
from frp2p.deal.sealed import SealedKind
from frp2p.errors import UserError
from frp2p.games.game import Deal, Decide, IllegalMove, Known, Move, Need, Over
from frp2p.games.verbs import TABLE, Cards, Draw, Outcome, Reveal, Seal, Seat, Shuffle, SlotId, Slots, Verb
from frp2p.ledger.provisions import Provisions
from frp2p.ledger.records import Part, read_part_body, sign_part
from frp2p.ledger.signing import Signer
from frp2p.table.events import Event
from frp2p.table.messages import AnyMessage, decode, encode
from frp2p.table.outputs import Close, Dial, Notice, Output, Send
from frp2p.table.peer import Peer
from frp2p.testing.network import Conditions, MemoryNetwork
from frp2p.testing.table import seeded

NAMES = ("Ana", "Bruno", "Chiara", "Dmitri", "Emeka", "Fatima", "Goro", "Hana")


class Show(Move, frozen=True):
    """The card of the own hand is opened."""


class Bet(Move, frozen=True):
    """A number that fits the hand; both are moves of one union."""

    stake: int


class Options(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    rounds: int = 1


class State(msgspec.Struct, frozen=True, array_like=True):
    """`todo` is the agenda: what is needed next, first one first."""

    seats: int
    todo: tuple[str, ...]
    deck: tuple[SlotId, ...] = ()
    hands: tuple[tuple[Seat, SlotId], ...] = ()
    bets: tuple[int, ...] = ()
    open: tuple[tuple[Seat, CardId], ...] = ()
    out: tuple[Seat, ...] = ()
    stopped: bool = False


class SeatView(msgspec.Struct, frozen=True):
    seat: Seat
    card: CardId | None
    total: int | None
    rank: int | None


class View(msgspec.Struct, frozen=True):
    me: Seat | None
    asked: tuple[Seat, ...]
    seats: tuple[SeatView, ...]


class Tiny:
    """Shuffle, one card each, everybody bets at once, then one after the other shows the card."""

    name = "tiny"
    move_type: Any = Show | Bet
    options_type: Any = Options
    state_type: Any = State

    def catalogue(self) -> bytes:
        return sha256(b"tiny").digest()

    def deck(self, options: Options) -> tuple[CardId, ...]:
        return tuple(CardId(f"T{number}") for number in range(9))

    def decks(self, options: Options) -> dict[str, tuple[CardId, ...]]:
        return {self.name: self.deck(options)}

    def check_options(self, options: Options, seats: int) -> None:
        if not 1 <= options.rounds <= 3:
            raise UserError("One to three rounds.")

    def start(self, options: Options, seats: int) -> State:
        shows = tuple(f"{word}{seat}" for seat in range(seats) for word in ("show", "reveal"))
        return State(seats, ("seal", "shuffle", "draw", *("bet",) * options.rounds, *shows))

    def need(self, state: State) -> Need:
        if not state.todo:
            return Over()
        task = state.todo[0]
        if task == "bet":
            return Decide(tuple(seat for seat in range(state.seats) if seat not in state.out))
        if task.startswith("show"):
            return Decide((int(task[4:]),))
        return Deal(self._verbs(state, task))

    def _verbs(self, state: State, task: str) -> tuple[Verb, ...]:
        if task == "seal":
            return (Seal(self.deck(Options()), TABLE),)
        if task == "shuffle":
            return (Shuffle(state.deck, TABLE),)
        if task == "draw":
            live = [seat for seat in range(state.seats) if seat not in state.out]
            return tuple(Draw((slot,), seat) for seat, slot in zip(live, state.deck, strict=False))
        return (Reveal((dict(state.hands)[int(task[6:])],)),)

    def check(self, state: State, seat: Seat, move: Move) -> None:
        need = self.need(state)
        if not isinstance(need, Decide) or seat not in need.seats:
            raise IllegalMove("Not asked.")
        bet = state.todo[0] == "bet"
        if bet != isinstance(move, Bet) or (isinstance(move, Bet) and not 0 <= move.stake <= 9):
            raise IllegalMove("Another move is asked for.")

    def check_known(self, view: Any, move: Move) -> None:
        """Nothing is seen by one seat alone here."""

    def apply(self, state: State, moves: Mapping[Seat, Move]) -> State:
        bets = tuple(move.stake for _, move in sorted(moves.items()) if isinstance(move, Bet))
        return msgspec.structs.replace(state, todo=state.todo[1:], bets=state.bets + bets)

    def dealt(self, state: State, outcomes: tuple[Outcome, ...]) -> State:
        after = msgspec.structs.replace(state, todo=state.todo[1:])
        match outcomes[0]:
            case Slots(slots=slots) if state.todo[0] == "draw":
                live = [seat for seat in range(state.seats) if seat not in state.out]
                hands = tuple(zip(live, state.deck, strict=False))
                return msgspec.structs.replace(after, hands=hands, deck=state.deck[len(live) :])
            case Slots(slots=slots):
                return msgspec.structs.replace(after, deck=slots)
            case Cards(cards=cards):
                return msgspec.structs.replace(after, open=(*state.open, (int(state.todo[0][6:]), cards[0])))
            case _:
                raise ValueError(outcomes)

    def out(self, state: State, seats: tuple[Seat, ...]) -> State:
        """Whoever is out shows nothing; with one seat left all is over."""
        out = tuple(sorted({*state.out, *seats}))
        left = {f"{word}{seat}" for word in ("show", "reveal") for seat in out}
        todo = tuple(task for task in state.todo if task not in left)
        if state.seats - len(out) == 1:
            todo = ()
        return msgspec.structs.replace(state, out=out, todo=todo)

    def stop(self, state: State, seats: tuple[Seat, ...]) -> State:
        """Nobody can be dealt a card any more."""
        after = self.out(state, seats)
        todo = after.todo if state.hands else ()
        return msgspec.structs.replace(after, todo=todo, stopped=True)

    def view(self, state: State, seat: Seat | None, known: Known) -> View:
        need = self.need(state)
        asked = need.seats if isinstance(need, Decide) else ()
        over = isinstance(need, Over)
        shown, hands = dict(state.open), dict(state.hands)
        seats = tuple(
            SeatView(
                at,
                shown.get(at, known.get(hands[at]) if at in hands else None),
                int(shown[at][1:]) if over and at in shown else None,
                1 + sum(card > shown.get(at, "") for card in shown.values()) if over else None,
            )
            for at in range(state.seats)
        )
        return View(seat, asked, seats)

    def legal(self, view: View) -> tuple[Move, ...]:
        if view.me not in view.asked:
            return ()
        return (Show(),) if len(view.asked) == 1 else tuple(Bet(stake) for stake in range(10))

    def patience(self, view: View) -> float | None:
        return None

    def default(self, view: View) -> Move:
        return self.legal(view)[0]


TINY = Tiny()
DEALERS: dict[str, DealerKind] = {"clear": ClearKind(), "sealed": SealedKind()}


def signer(place: int, seed: int = 0) -> Signer:
    return Signer(sha256(f"table kit {seed} {place}".encode()).digest())


def new_peer(place: int, *, seed: int = 0, name: str | None = None, addresses: tuple[str, ...] | None = None) -> Peer:
    return Peer(
        signer(place, seed),
        name or NAMES[place],
        games={"tiny": TINY},
        dealers=DEALERS,
        addresses=(f"p{place}:1",) if addresses is None else addresses,
        entropy=seeded(seed, place),
    )


class Rig:
    """Some peers on a network that does nothing unexpected unless told to. Players bet their seat and show."""

    def __init__(
        self,
        seats: int,
        *,
        seed: int = 0,
        conditions: Conditions | None = None,
        rounds: int = 1,
        dealer: str = "clear",
        provided: Provisions | None = None,
    ) -> None:
        self.dealer = dealer
        self.provided = provided
        self.network = MemoryNetwork(seed, conditions or Conditions(reorder=False))
        self.seats = seats
        self.places = seats + (provided is not None and provided.arbiter)
        """The seats, and behind them the arbiter, if there is one."""
        self.rounds = rounds
        self.keys = [signer(place, seed).public_key for place in range(self.places)]
        self.peers = [new_peer(place, seed=seed) for place in range(self.places)]
        for place, (key, peer) in enumerate(zip(self.keys, self.peers, strict=True)):
            self.network.add(key, peer, f"p{place}:1")
        self.held: set[int] = set()
        """Places whose player does not move."""

    @property
    def now(self) -> float:
        return self.network.clock.now

    def open(self) -> None:
        """The first hosts, the others come in order."""
        self.peers[0].host("tiny", Options(self.rounds), self.seats, self.dealer, provided=self.provided)
        for place in range(1, self.seats):
            self.peers[place].join(self.keys[0])
            self.network.dial(self.keys[place], "p0:1")
            self.run(lambda place=place: len(self.peers[0].status().seats) > place)
        if self.places > self.seats:
            self.peers[-1].join(self.keys[0], arbiter=True)
            self.network.dial(self.keys[-1], "p0:1")
            self.run(lambda: self.peers[-1].status().phase != "lobby")

    def run(self, until: Callable[[], bool] | None = None, seconds: float = 60.0) -> bool:
        """Play until this holds, or until every peer that counts is over or stopped."""

        def watch() -> bool:
            for place, peer in enumerate(self.peers):
                if peer.asked and place not in self.held:
                    legal = peer.legal()
                    peer.act(legal[min(place, len(legal) - 1)], self.now)
                    self.network.settle()
            return until() if until else self.ended()

        return self.network.run(watch, seconds)

    def ended(self) -> bool:
        return all(peer.status().phase in ("over", "stopped") for peer in self.peers)

    def events(self, place: int) -> list[Event]:
        return self.network.events[self.keys[place]]

    def step(self, place: int = 0) -> int:
        return self.peers[place].status().step


Tamper = Callable[[bytes, AnyMessage], "list[AnyMessage]"]
"""What a cheat sends instead of this message to the peer with this key."""


class Cheat:
    """A node that is a real peer inside, with somebody who changes what it sends. `signer` is the cheat's own."""

    def __init__(self, peer: Peer, tamper: Tamper) -> None:
        self.peer = peer
        self.tamper = tamper
        self.frames: Callable[[bytes], bytes] = lambda frame: frame
        """What a cheat does to the bytes of every frame."""
        self._keys: dict[int, bytes] = {}
        self._now: list[Output] = []

    def connected(self, link: int, key: bytes, channel: bytes, now: float) -> None:
        self._keys[link] = key
        self.peer.connected(link, key, channel, now)

    def disconnected(self, link: int, now: float) -> None:
        self.peer.disconnected(link, now)

    def receive(self, link: int, frame: bytes, now: float) -> None:
        self.peer.receive(link, frame, now)

    def tick(self, now: float) -> None:
        self.peer.tick(now)

    def wake_at(self) -> float | None:
        return 0.0 if self._now else self.peer.wake_at()

    def say(self, key: bytes, *frames: bytes) -> None:
        """Send these frames to the peer with this key, beside what the peer inside does."""
        link = next(link for link, there in reversed(self._keys.items()) if there == key)
        self._now += [Send(link, frame) for frame in frames]

    def outputs(self) -> list[Output]:
        result, self._now = self._now, []
        for output in self.peer.outputs():
            match output:
                case Send(link, frame):
                    instead = self.tamper(self._keys[link], decode(frame, greeted=True))
                    result += [Send(link, self.frames(encode(message))) for message in instead]
                case Close() | Dial() | Notice():
                    result.append(output)
        return result


def resigned(part: Part, by: Signer, **changes: Any) -> Part:
    """This part with other content, signed again."""
    return sign_part(by, msgspec.structs.replace(read_part_body(part.body), **changes))


def with_cheat(rig: Rig, place: int, tamper: Tamper) -> Cheat:
    """Make the peer at this place a cheat, from now on."""
    cheat = Cheat(rig.peers[place], tamper)
    cheat._keys = {link.number: link.key for link in rig.peers[place]._desk.links.besides(frozenset())}
    rig.network.replace(rig.keys[place], cheat)
    return cheat
