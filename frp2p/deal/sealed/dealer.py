"""The sealed dealer: ciphertexts in slots, every verb a proved exchange, nobody in the middle."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from frp2p.cards import CardId
from frp2p.deal.coin import CoinTask
from frp2p.deal.context import event as bind_event
from frp2p.deal.dealer import Entropy
from frp2p.deal.decks import Decks
from frp2p.deal.elgamal import Ciphertext, trivial
from frp2p.deal.fields import field, u32
from frp2p.deal.generators import Generators, card_point
from frp2p.deal.group import Group, Point
from frp2p.deal.legal import misuse
from frp2p.deal.rounds import RoundDealer, Task
from frp2p.deal.scope import Scope
from frp2p.deal.sealed.keys import Locks, Roster, Secrets
from frp2p.deal.sealed.me import Me
from frp2p.deal.sealed.messages import SealedContribution
from frp2p.deal.sealed.share_task import DrawTask, RevealTask
from frp2p.deal.sealed.shuffle_task import ShuffleTask
from frp2p.deal.slots import Slot, SlotTable, holders
from frp2p.errors import LocalError
from frp2p.games.verbs import TABLE, Coin, Draw, Outcome, Reveal, Seal, Seat, Shuffle, SlotId, Slots, Verb


class SealTask(Task):
    """The trivial masking (g, M + K), which everybody computes alone and nobody sends."""

    def __init__(self, slots: SlotTable[Ciphertext], verb: Seal, decks: Decks, bodies: Sequence[Ciphertext]) -> None:
        self._slots = slots
        self._verb = verb
        self._decks = decks
        self._bodies = bodies

    def speakers(self) -> tuple[Seat, ...]:
        return ()

    def settle(self) -> Outcome:
        lock = self._verb.lock
        made = [
            Slot(self._decks.deck_of[card], lock, body)
            for card, body in zip(self._verb.cards, self._bodies, strict=True)
        ]
        self._slots.turn_down(self._verb.cards)
        return Slots(self._slots.add(made))


class SealedDealer(RoundDealer[Ciphertext]):
    """`Dealer` for tables without trust. With `secrets` None (me None) it checks everything and reads nothing."""

    contribution_type = SealedContribution

    def __init__(
        self,
        *,
        group: Group,
        me: Seat | None,
        decks: Decks,
        ctx: bytes,
        roster: Roster,
        secrets: Secrets | None,
        entropy: Entropy,
    ) -> None:
        super().__init__(me=me, seats=len(roster.identities), decks=decks)
        if (me is None) != (secrets is None):
            raise LocalError("a seat has secrets, an observer has none")
        self.group = group
        self.ctx = ctx
        self.locks = Locks(roster.joint(group), roster)
        self._me = Me(me, secrets, entropy) if me is not None and secrets is not None else None
        self._entropy = entropy
        self._generators = Generators(group)
        self._points = {card: card_point(group, deck, card) for card, deck in decks.deck_of.items()}
        self._cards = {point: card for card, point in self._points.items()}
        if len(self._cards) != len(self._points):
            raise LocalError("two cards have one point")
        self._known: dict[SlotId, CardId] = {}
        self._cascades = 0

    def known(self) -> Mapping[SlotId, CardId]:
        """The cards in the slots that this seat alone locks, read with its key: M = B - x A."""
        if self._me is None:
            return {}
        mine = {at: slot for at, slot in self.slots.live().items() if slot.lock == self._me.seat}
        self._known = {at: self._known.get(at) or self._read(slot, self._me.secrets.deck) for at, slot in mine.items()}
        return dict(self._known)

    def _read(self, slot: Slot[Ciphertext], secret: int) -> CardId:
        return self._lookup(slot.deck, self.group.sub(slot.body.b, self.group.mul(slot.body.a, secret)))

    def _lookup(self, deck: str, point: Point) -> CardId:
        """Proofs make sure that every slot holds a card of its deck, so a miss is a fault of this program."""
        card = self._cards.get(point)
        if card is None or self.decks.deck_of[card] != deck:
            raise LocalError(f"a slot of deck {deck} holds no card", code="deal-card")
        return card

    def _task(self, verb: Verb, position: int, event: bytes) -> Task:
        match verb:
            case Seal():
                key = self.locks[verb.lock]
                bodies = [trivial(self.group, self._points[card], key) for card in verb.cards]
                return SealTask(self.slots, verb, self.decks, bodies)
            case Shuffle():
                return self._shuffle(verb, self._scopes(event, position))
            case Draw():
                asked = {seat: verb.slots for seat in range(self.seats) if seat != verb.seat}
                return DrawTask(verb, **self._shares(asked, self._scopes(event, position)))
            case Reveal():
                return self._reveal(verb, self._scopes(event, position))
            case Coin():
                scope = self._scopes(event, position)(TABLE, ())
                return CoinTask(
                    seats=self.seats,
                    me=self.me,
                    sides=verb.sides,
                    context=self.ctx,
                    event=scope.event,
                    entropy=self._entropy,
                )
        raise misuse(f"the sealed dealer does not know {type(verb).__name__}")

    def _shuffle(self, verb: Shuffle, scopes: Callable[[Seat, Sequence[SlotId]], Scope]) -> ShuffleTask:
        """All seats in turn for the TABLE, beginning one seat further each time; else the one seat."""
        order: tuple[Seat, ...] = (verb.by,)
        if verb.by == TABLE:
            order = tuple((self._cascades + at) % self.seats for at in range(self.seats))
            self._cascades += 1
        return ShuffleTask(
            slots=self.slots,
            verb=verb,
            order=order,
            key=self.locks[self.slots[verb.slots[0]].lock],
            generators=self._generators,
            scope=lambda seat: scopes(seat, verb.slots),
            me=self._me,
        )

    def _reveal(self, verb: Reveal, scopes: Callable[[Seat, Sequence[SlotId]], Scope]) -> RevealTask:
        asked: dict[Seat, list[SlotId]] = {}
        for at in verb.slots:
            for seat in holders(self.slots[at], self.seats):
                asked.setdefault(seat, []).append(at)
        pieces = {seat: tuple(slots) for seat, slots in asked.items()}
        return RevealTask(verb, self._lookup, **self._shares(pieces, scopes))

    def _shares(
        self, asked: Mapping[Seat, tuple[SlotId, ...]], scopes: Callable[[Seat, Sequence[SlotId]], Scope]
    ) -> dict[str, object]:
        return {
            "slots": self.slots,
            "asked": asked,
            "keys": self.locks.roster.deck_keys,
            "scope": scopes,
            "group": self.group,
            "me": self._me,
        }

    def _scopes(self, event: bytes, position: int) -> Callable[[Seat, Sequence[SlotId]], Scope]:
        """Binds a proof to the step that asked, the verb, the sender, the deck and the slots."""

        def scope(sender: Seat, slots: Sequence[SlotId]) -> Scope:
            deck = self.slots[slots[0]].deck if slots else ""
            bound = bind_event(step=event, verb=position, sender=sender, deck=deck, slots=slots)
            return Scope(self.group, self.ctx, bound)

        return scope

    def _encode_body(self, body: Ciphertext) -> bytes:
        return body.a + body.b

    def _encode_rest(self) -> bytes:
        return field("ctx", self.ctx) + field("joint", self.locks.joint) + field("cascades", u32(self._cascades))
