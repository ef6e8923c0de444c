"""What is looked at while a table is played, and what must never be seen there."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from frp2p.cards import CardId
from frp2p.deal.clear.dealer import ClearDealer
from frp2p.games.verbs import Cards, Seat
from frp2p.ledger.events import Dealt
from frp2p.ledger.records import Ack, Part, read_ack_body, read_part_body
from frp2p.ledger.signing import verify
from frp2p.table.events import Event
from frp2p.table.messages import decode
from frp2p.table.peer import Peer
from frp2p.testing.finality import FinalityWatch, read
from frp2p.testing.network import MemoryNetwork


class Broken(Exception):
    """Something that must hold does not. `what` is the name of the invariant."""

    def __init__(self, what: str, text: str) -> None:
        super().__init__(f"{what}: {text}")
        self.what = what


class Statements:
    """Sees every frame of honest seats: nobody signs twice for one place, nobody speaks before the step is final."""

    def __init__(self, network: MemoryNetwork, peer: Peer, honest: frozenset[bytes]) -> None:
        self._first: dict[tuple[bytes, str, int], bytes] = {}
        self._honest = honest
        self._known: set[bytes] = set()
        """Frames that were looked at; most go to several peers."""
        self.finality = FinalityWatch(network, peer)
        self._watch = network.on_send
        network.on_send = self._look

    def _look(self, sender: bytes, receiver: bytes, frame: bytes) -> None:
        if sender not in self._honest:
            return
        if self._watch is not None:
            self._watch(sender, receiver, frame)
        if frame in self._known or (frame[2:6] != b"part" and frame[2:5] != b"ack"):
            return
        self._known.add(frame)
        message = decode(frame, greeted=True)
        if isinstance(message, Part | Ack):
            self._note(sender, message)

    def _note(self, sender: bytes, record: Part | Ack) -> None:
        """What somebody relays for others is not looked at: each says its own once at least."""
        read = read_part_body if isinstance(record, Part) else read_ack_body
        body = read(record.body)
        if self._seat(sender) != body.seat:
            return
        place = (sender, type(record).__name__, body.step)
        if self._first.setdefault(place, record.body) != record.body:
            raise Broken("two-statements", f"seat {body.seat} signed two {place[1]}s for step {body.step}")

    def _seat(self, key: bytes) -> Seat | None:
        seats = self.finality.seats
        return seats.index(key) if key in seats else None


def loop_of(peer: Peer) -> Any:
    """The step loop of this peer, stopped or not; None before there is a charter."""
    phase: Any = peer._desk.phase
    while hasattr(phase, "_before"):
        phase = phase._before
    return getattr(phase, "_loop", None)


def finals_of(peer: Peer) -> list[tuple[bytes, ...]]:
    """The bodies of the parts of every step that is final at this peer, stopped or not."""
    loop = loop_of(peer)
    return [tuple(part.body for part in step.parts) for step in loop.steps] if loop is not None else []


class Clashes:
    """Follows what a cheat says to each honest seat in the step that this is in: two statements have to convict it."""

    def __init__(self, network: MemoryNetwork, peers: Mapping[bytes, Callable[[], Peer]], liar: bytes) -> None:
        """`peers`: the honest ones by key, as they are at the moment."""
        self._said: dict[tuple[bytes, str, int], bytes] = {}
        self._peers = peers
        self._liar = liar
        self.heard: set[bytes] = set()
        """The seats that were told two things."""
        self._watch = network.on_arrive
        network.on_arrive = self._arrived

    def _arrived(self, sender: bytes, receiver: bytes, frame: bytes) -> None:
        if self._watch is not None:
            self._watch(sender, receiver, frame)
        part = frame[2:6] == b"part"
        if receiver not in self._peers or not (part or frame[2:5] == b"ack"):
            return
        loop = loop_of(self._peers[receiver]())
        message = read(frame)
        if loop is None or not isinstance(message, Part | Ack) or loop.charter.voter_keys[loop.me] != receiver:
            return
        body = read_part_body(message.body) if isinstance(message, Part) else read_ack_body(message.body)
        keys = loop.charter.keys
        if body.step != loop.height or body.game != loop.referee.digest or keys[body.seat] != self._liar:
            return
        if not verify(self._liar, "part" if part else "ack", message.body, message.signature):
            return
        if self._said.setdefault((receiver, "part" if part else "ack", body.step), message.body) != message.body:
            self.heard.add(receiver)


class Privacy:
    """Follows what has been opened to all at one seat, and looks at what its program could show."""

    def __init__(self) -> None:
        self._opened: set[CardId] = set()
        self._read = 0

    def check(self, peer: Peer, events: Sequence[Event]) -> None:
        """Its own view holds no card but those that this seat may know, the public one none that nobody opened."""
        for event in events[self._read :]:
            if isinstance(event, Dealt) and isinstance(event.outcome, Cards):
                self._opened.update(event.outcome.cards)
        self._read = len(events)
        loop = loop_of(peer)
        dealer = loop.referee._dealer if loop is not None else None
        if loop is None or dealer is None or loop.course.applied is not None:
            return  # what is not final yet may show cards that nobody was told of
        public = cards_in(loop.referee.view(None))
        if not public <= self._opened:
            raise Broken("private", f"the public view shows {sorted(public - self._opened)}")
        if loop.course.seated is None:
            if dealer.known():
                raise Broken("private", f"the arbiter knows {sorted(dealer.known().values())}")
            return
        mine = cards_in(loop.referee.view(loop.me)) - public - set(dealer.known().values())
        if mine or (isinstance(dealer, ClearDealer) and self._leaks(dealer, loop.me)):
            raise Broken("private", f"the view of seat {loop.me} shows {sorted(mine)}")

    def _leaks(self, dealer: ClearDealer, me: Seat) -> bool:
        """Whether a clear dealer tells this seat of a card that a sealed one could not tell it of."""
        slots = dealer.slots
        return any(slots[at].lock != me and me not in slots[at].viewers for at in dealer.known())


def cards_in(view: Any) -> set[CardId]:
    """The cards that a view shows as lying face down somewhere, in hands, in the deck or in piles, though nobody saw
    them go there."""
    found: set[CardId] = set()
    for seat in getattr(view, "seats", ()):
        shown = [getattr(seat, "card", None)]
        shown += [held.card for field in ("hand", "pile") for held in getattr(seat, field, ()) if held.slot is not None]
        found.update(card for card in shown if card is not None and card not in getattr(seat, "holds", ()))
    for seen in getattr(view, "seen", ()):
        found.add(getattr(seen, "card", seen))
    return found
