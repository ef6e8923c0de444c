"""The open audit: what a record tells whose seats gave their keys away after the game.

One pass over the record as `verify` makes it, with the keys in hand: every check of the verifier, and beside it every
card is read as its holder read it, and compared with what the game showed to all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Protocol

import msgspec

from frp2p.cards import CardId
from frp2p.deal.dealer import Dealer, DealerKind
from frp2p.errors import LocalError, PeerFault
from frp2p.games.game import Game
from frp2p.games.verbs import TABLE, Cards, Draw, Give, Peek, PutBack, Reveal, Seal, Seat, Shuffle, SlotId, Slots, Verb
from frp2p.ledger.events import Dealt, StepEvent
from frp2p.ledger.records import Part, read_part_body
from frp2p.ledger.referee import Referee
from frp2p.ledger.transcript import Source, read_records
from frp2p.ledger.verify import Replay, Report, report_on


class Rewindable(Source, Protocol):
    """A source that can be read twice, such as a file."""

    def tell(self) -> int: ...

    def seek(self, offset: int, /) -> int: ...


class Hand(msgspec.Struct, frozen=True):
    """What `seat` holds face down of a deck from the end of `step` on, new cards last. `why`: the verbs that changed
    it, in words: draw, take, give, get, put-back, show."""

    step: int
    seat: Seat
    deck: str
    why: tuple[str, ...]
    cards: tuple[CardId, ...]


class Look(msgspec.Struct, frozen=True):
    """In `step` the seat `viewer` was shown cards of `owner` (TABLE: of a deck). None: a card that can't be read."""

    step: int
    viewer: Seat
    owner: Seat
    deck: str
    cards: tuple[CardId | None, ...]


class Order(msgspec.Struct, frozen=True):
    """How a deck lay after all had shuffled it, in the order of its slots: the first is drawn first."""

    step: int
    deck: str
    cards: tuple[CardId, ...]


class Audit(msgspec.Struct, frozen=True):
    """`opened`: the seats whose keys are in the record. Hands of others are not here, nor orders that can't be read."""

    report: Report
    opened: tuple[Seat, ...]
    hands: tuple[Hand, ...]
    looks: tuple[Look, ...]
    orders: tuple[Order, ...]


def audit(file: Rewindable, games: Mapping[str, Game], dealers: Mapping[str, DealerKind]) -> Audit:
    """The audit of a whole transcript; TranscriptFault as `verify`, with the checks of `Auditor` too, and PeerFault
    `audit-none` if it holds and nobody gave keys away.
    """
    start = file.tell()
    keys = _keys(file)
    file.seek(start)
    watcher = _Watcher(keys)
    report = report_on(Replay(read_records(file), games, dealers).run(watcher))
    auditor = watcher.auditor
    if auditor is None or not keys:
        raise PeerFault("audit-none", "Nobody gave keys away after this game.")
    return Audit(report, auditor.opened, tuple(auditor.hands), tuple(auditor.looks), tuple(auditor.orders))


def _keys(file: Source) -> dict[Seat, bytes]:
    """What the parts of the step `open` say, not yet verified. Nothing if the file can't be read: the verifier says
    what is wrong with it.
    """
    found = {}
    try:
        for record in read_records(file):
            if isinstance(record, Part) and (body := read_part_body(record.body)).kind == "open":
                found[body.seat] = body.payload
    except PeerFault:
        return {}
    return found


class _Watcher:
    """Begins the audit with the first step after which there are cards."""

    def __init__(self, keys: dict[Seat, bytes]) -> None:
        self._keys = keys
        self.auditor: Auditor | None = None

    def __call__(self, referee: Referee, step: int, events: tuple[StepEvent, ...]) -> None:
        if self.auditor is None and referee.stage not in ("charter", "setup"):
            self.auditor = Auditor(*referee.audit(self._keys))
        if self.auditor is not None:
            self.auditor.look(step, events)


class Auditor:
    """Reads after each step what the keys read. `dealer` has the keys of the seats `opened`.

    Checks, each about one slot or card: `audit-card` (a slot holds no card of its deck), `audit-differs` (two ways to
    read a slot give two cards), `audit-reveal` (another card was shown to all), `audit-down` (the card lies open, says
    the dealer), `audit-twice` (it lies in another slot, too).
    """

    def __init__(self, dealer: Dealer, opened: tuple[Seat, ...]) -> None:
        self.opened = opened
        self.hands: list[Hand] = []
        self.looks: list[Look] = []
        self.orders: list[Order] = []
        self._dealer = dealer
        self._cards: dict[SlotId, CardId] = {}
        """Every card that was ever read, by its slot; a slot holds one card as long as it lives."""
        self._locks: dict[SlotId, Seat] = {}
        self._held: dict[tuple[Seat, str], tuple[CardId, ...]] = {}

    def look(self, step: int, events: tuple[StepEvent, ...]) -> None:
        """After a step. PeerFault: what is read is not what it must be."""
        dealt = [event for event in events if isinstance(event, Dealt)]
        for event in dealt:
            self._check_shown(event)
        for at, card in self._read():
            if self._cards.setdefault(at, card) != card:
                raise PeerFault("audit-differs", f"Slot {at} is read as {self._cards[at]} and as {card}.")
        self._check_places()
        self._note_hands(step, dealt)
        for event in dealt:
            self._note(step, event)
        self._locks = {at: slot.lock for at, slot in self._dealer.slots.live().items()}

    def known_to(self, seat: Seat) -> Mapping[SlotId, CardId]:
        """The face-down cards that this seat knows now."""
        return self._dealer.known_to(seat)

    def _read(self) -> Iterator[tuple[SlotId, CardId]]:
        """Every live slot that can be read, as often as there are ways to."""
        try:
            known = [self._dealer.known_to(seat) for seat in self.opened]
            table = self._dealer.table_cards()
        except LocalError as error:
            if error.code != "deal-card":
                raise
            raise PeerFault("audit-card", error.message) from error
        decks = self._dealer.slots.live()
        for at, card in chain(table.items(), *(cards.items() for cards in known)):
            if at in decks:
                yield at, card

    def _check_shown(self, event: Dealt) -> None:
        if isinstance(event.verb, Reveal) and isinstance(event.outcome, Cards):
            for at, card in zip(event.verb.slots, event.outcome.cards, strict=True):
                if self._cards.get(at, card) != card:
                    raise PeerFault("audit-reveal", f"Slot {at} was read as {self._cards[at]}, and shown as {card}.")

    def _check_places(self) -> None:
        live = [self._cards[at] for at in self._dealer.slots.live() if at in self._cards]
        for card, count in Counter(live).items():
            if count > 1:
                raise PeerFault("audit-twice", f"Card {card} lies in {count} slots.")
            if card not in self._dealer.slots.face_down:
                raise PeerFault("audit-down", f"Card {card} lies in a slot and is open.")

    def _note_hands(self, step: int, dealt: list[Dealt]) -> None:
        now: dict[tuple[Seat, str], list[CardId]] = {place: [] for place in self._held}
        for at, slot in sorted(self._dealer.slots.live().items()):
            if slot.lock in self.opened:
                now.setdefault((slot.lock, slot.deck), []).append(self._cards[at])
        for (seat, deck), cards in sorted(now.items()):
            before = self._held.get((seat, deck), ())
            # Hands are shuffled all the time; to a reader a card stays where it was.
            hand = (*(card for card in before if card in cards), *(card for card in cards if card not in before))
            self._held[seat, deck] = hand
            if hand != before:
                why = dict.fromkeys(word for event in dealt for word in self._why(event.verb, seat))
                self.hands.append(Hand(step, seat, deck, tuple(why), hand))

    def _why(self, verb: Verb, seat: Seat) -> Iterator[str]:
        """What the verb is to a seat whose hand it changes."""
        match verb:
            case Draw(seat=who) if who == seat:
                yield "draw"
            case Seal(lock=who) if who == seat:
                yield "take"
            case Give(giver=who) if who == seat:
                yield "give"
            case Give(to=who) if who == seat:
                yield "get"
            case PutBack(seat=who) if who == seat:
                yield "put-back"
            case Reveal(slots=slots) if seat in (self._locks.get(at) for at in slots):
                yield "show"

    def _note(self, step: int, event: Dealt) -> None:
        slots = self._dealer.slots.live()
        match event:
            case Dealt(verb=Peek(slots=ids, viewer=viewer)):
                for owner, deck in sorted({(slots[at].lock, slots[at].deck) for at in ids if at in slots}):
                    seen = [at for at in ids if at in slots and (slots[at].lock, slots[at].deck) == (owner, deck)]
                    self.looks.append(Look(step, viewer, owner, deck, tuple(map(self._cards.get, seen))))
            case Dealt(verb=Shuffle(by=by), outcome=Slots(slots=made)) if by == TABLE:
                order = tuple(self._cards[at] for at in made if at in self._cards)
                if len(order) == len(made):
                    self.orders.append(Order(step, slots[made[0]].deck, order))


__all__ = ["Audit", "Auditor", "Hand", "Look", "Order", "Rewindable", "audit"]
