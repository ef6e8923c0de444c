"""The sealed dealer: ciphertexts in slots, every verb a proved exchange, nobody in the middle."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from frp2p.cards import CardId
from frp2p.deal.coin import CoinTask
from frp2p.deal.context import event as bind_event
from frp2p.deal.dealer import Entropy
from frp2p.deal.decks import Decks
from frp2p.deal.drop_task import DropTask
from frp2p.deal.elgamal import Ciphertext, trivial
from frp2p.deal.fields import field, u32
from frp2p.deal.generators import Generators, card_point
from frp2p.deal.group import ORDER, Point, scalar_bytes
from frp2p.deal.legal import misuse
from frp2p.deal.limits import MIN_SHARING
from frp2p.deal.parse import read_scalars
from frp2p.deal.rounds import RoundDealer, Task
from frp2p.deal.scope import Scope
from frp2p.deal.sealed.depart_task import DepartTask
from frp2p.deal.sealed.exclude_task import ExcludeTask
from frp2p.deal.sealed.keys import Locks, Secrets
from frp2p.deal.sealed.masks import check_side_by_side
from frp2p.deal.sealed.me import Me
from frp2p.deal.sealed.messages import Keys, SealedContribution
from frp2p.deal.sealed.peek_task import PeekTask
from frp2p.deal.sealed.relock_task import RelockTask
from frp2p.deal.sealed.remask_task import RemaskTask
from frp2p.deal.sealed.share_task import DrawTask, Opening, RevealTask, TakeOffTask
from frp2p.deal.sealed.sharing import Sharing, weights
from frp2p.deal.sealed.sharing_task import SharingTask
from frp2p.deal.sealed.shuffle_task import ShuffleTask
from frp2p.deal.slots import Slot, SlotTable, held
from frp2p.errors import LocalError, PeerFault
from frp2p.games.verbs import (
    TABLE,
    Coin,
    Draw,
    Drop,
    Exclude,
    Give,
    Leave,
    Outcome,
    Peek,
    PutBack,
    Recover,
    Reveal,
    Seal,
    Seat,
    Shuffle,
    SlotId,
    Slots,
    Verb,
)

Scopes: TypeAlias = Callable[[Seat, Sequence[SlotId]], Scope]
"""The scope in which a seat acts on these slots."""


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
    keys_type = Keys

    def __init__(
        self,
        *,
        me: Seat | None,
        decks: Decks,
        locks: Locks,
        secrets: Secrets | None,
        sharing: Sharing | None,
        entropy: Entropy,
    ) -> None:
        super().__init__(me=me, seats=len(locks.roster.identities), decks=decks, recoverable=sharing is not None)
        if (me is None) != (secrets is None):
            raise LocalError("a seat has secrets, an observer has none")
        self.group = group = locks.group
        self.locks = locks
        self._sharing = sharing
        self._me = Me(me, secrets, entropy) if me is not None and secrets is not None else None
        self._eyes = {self._me.seat: self._me} if self._me is not None else {}
        """Whose cards can be read here: mine, or in an audit those of all who gave their keys away."""
        self._table_read: dict[SlotId, CardId] = {}
        self._entropy = entropy
        self._generators = Generators(group)
        self._points = {card: card_point(group, deck, card) for card, deck in decks.deck_of.items()}
        self._cards = {point: card for card, point in self._points.items()}
        if len(self._cards) != len(self._points):
            raise LocalError("two cards have one point")
        self._cascades = 0

    @property
    def ctx(self) -> bytes:
        return self.locks.ctx

    def check(self, seat: Seat, contribution: Any) -> None:
        super().check(seat, contribution)
        batch = self._pending()
        try:
            check_side_by_side(batch.tasks, zip(batch.asked(seat), batch.checked[seat][1], strict=True))
        except PeerFault as fault:
            del batch.checked[seat]
            raise PeerFault(fault.check, seat=seat) from None

    def known(self) -> Mapping[SlotId, CardId]:
        """The cards in the slots that this seat alone locks, read with its key, and those that it was shown."""
        return self._known_to(self._me) if self._me is not None else {}

    def _known_to(self, me: Me) -> dict[SlotId, CardId]:
        live = self.slots.live()
        for cards in (me.seen, me.mine):
            for at in [at for at in cards if at not in live]:
                del cards[at]
        for at, slot in live.items():
            if slot.lock == me.seat and at not in me.mine:
                me.mine[at] = self._read(slot, me.secrets.deck)
        return {**me.seen, **me.mine}

    def _read(self, slot: Slot[Ciphertext], secret: int) -> CardId:
        return self._lookup(slot.deck, self.group.sub(slot.body.b, self.group.mul(slot.body.a, secret)))

    def keys(self) -> Keys:
        if self._me is None:
            raise LocalError("an observer has no keys")
        secrets = self._me.secrets
        return Keys(scalar_bytes(secrets.deck), scalar_bytes(secrets.view))

    def check_keys(self, seat: Seat, keys: Any) -> None:
        if not isinstance(keys, Keys):
            raise PeerFault("deal-type", seat=seat)
        try:
            secrets = _secrets(keys)
        except PeerFault as fault:
            raise PeerFault(fault.check, seat=seat) from None
        if self.group.base(secrets.deck) != self.locks.roster.deck_keys[seat]:
            raise PeerFault("open-deck-key", seat=seat)
        if self.group.base(secrets.view) != self.locks.roster.view_keys[seat]:
            raise PeerFault("open-view-key", seat=seat)

    def audit(self, keys: Mapping[Seat, Any]) -> None:
        if self._me is not None:
            raise misuse("only an observer audits")
        self._eyes = {seat: Me(seat, _secrets(given), self._entropy) for seat, given in keys.items()}

    def known_to(self, seat: Seat) -> Mapping[SlotId, CardId]:
        if seat not in self._eyes:
            raise misuse(f"the keys of seat {seat} are not here")
        shown = {at: card for at, card in self.table_cards().items() if seat in self.slots[at].viewers}
        return {**shown, **self._known_to(self._eyes[seat])}

    def table_cards(self) -> Mapping[SlotId, CardId]:
        if not self._eyes.keys() >= set(self.present):
            return {}
        joint = sum(self._eyes[seat].secrets.deck for seat in self.present) % ORDER
        ids, read = self.slots.of(TABLE), self._table_read
        self._table_read = {at: read[at] if at in read else self._read(self.slots[at], joint) for at in ids}
        return self._table_read

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
                asked = held(self.slots, verb.slots, self.present, but=verb.seat)
                return DrawTask(verb, self._opening(asked, self._scopes(event, position)))
            case Reveal():
                asked = held(self.slots, verb.slots, self.present)
                return RevealTask(verb, self._lookup, self._opening(asked, self._scopes(event, position)))
            case Peek():
                asked = held(self.slots, verb.slots, self.present, but=verb.viewer)
                opening = self._opening(asked, self._scopes(event, position))
                return PeekTask(verb, self.locks.roster.view_keys[verb.viewer], self._lookup, opening, self._eyes)
            case Give():
                return self._relock(verb.slots, verb.giver, verb.to, self._scopes(event, position))
            case PutBack():
                return self._relock(verb.slots, verb.seat, TABLE, self._scopes(event, position))
            case Exclude():
                return self._exclude(verb, self._scopes(event, position))
            case Leave() | Recover():
                return self._departure(verb, event)
            case Drop():
                return DropTask(self.slots, verb, self._depart)
            case Coin():
                scope = self._scopes(event, position)(TABLE, ())
                return CoinTask(
                    everybody=self.present,
                    me=self.me,
                    sides=verb.sides,
                    context=self.ctx,
                    event=scope.event,
                    entropy=self._entropy,
                )
        raise misuse(f"the sealed dealer does not know {type(verb).__name__}")

    def _shuffle(self, verb: Shuffle, scopes: Scopes) -> ShuffleTask:
        """All seats in turn for the TABLE, beginning one seat further each time; else the one seat."""
        order: tuple[Seat, ...] = (verb.by,)
        if verb.by == TABLE:
            first = self._cascades % len(self.present)
            order = self.present[first:] + self.present[:first]
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

    def _relock(self, ids: tuple[SlotId, ...], holder: Seat, to: Seat, scopes: Scopes) -> RelockTask:
        return RelockTask(
            slots=self.slots,
            ids=ids,
            holder=holder,
            to=to,
            locks=self.locks,
            scope=lambda seat: scopes(seat, ids),
            lookup=self._lookup,
            me=self._me,
            eyes=self._eyes.values(),
        )

    def _exclude(self, verb: Exclude, scopes: Scopes) -> ExcludeTask:
        holder = self.slots[verb.slots[0]].lock
        return ExcludeTask(
            slots=self.slots,
            verb=verb,
            key=self.locks[holder],
            cards=[self._points[card] for card in verb.cards],
            scope=scopes(holder, verb.slots),
            me=self._me,
        )

    def _departure(self, verb: Leave | Recover, event: bytes) -> DepartTask:
        """Its slots may be of two decks, so its event names none (it stands alone: no other verb has a part)."""
        scopes = self._scopes(event, 0, of_one_deck=False)
        locks = self.locks.without(frozenset({verb.seat}))
        rest, trial = locks.roster.present, self.slots.copy()
        phases: list[Task] = []
        if touched := tuple(sorted(self.touched)):
            phases.append(
                RemaskTask(
                    slots=trial,
                    ids=touched,
                    order=rest,
                    key=self.locks.joint,
                    scope=lambda seat: scopes(seat, touched),
                    me=self._me,
                )
            )
        if trial.of(TABLE):
            phases.append(self._taking_off(verb, rest, trial, scopes))
        shared = self._sharing is not None and len(rest) >= MIN_SHARING
        return DepartTask(
            seat=verb.seat,
            slots=self.slots,
            trial=trial,
            phases=phases,
            sharing=SharingTask(locks, self._me) if shared else None,
            depart=self._part,
        )

    def _taking_off(
        self, verb: Leave | Recover, rest: tuple[Seat, ...], slots: SlotTable[Ciphertext], scopes: Scopes
    ) -> TakeOffTask:
        """Who leaves opens with its key; for one that is lost the rest do, each with its share of that key."""
        ids, me = slots.of(TABLE), self._me
        if isinstance(verb, Leave):
            opening = self._opening({verb.seat: ids}, scopes)
            return TakeOffTask(verb.seat, {verb.seat: 1}, replace(opening, slots=slots))
        if self._sharing is None:
            raise misuse("the keys of this table are not shared")
        if me is not None and me.seat in rest:
            me = Me(me.seat, replace(me.secrets, deck=self._sharing.mine[verb.seat]), me.entropy)
        keys = self._sharing.keys(self.group, verb.seat)
        opening = Opening(slots, dict.fromkeys(rest, ids), keys, scopes, self.group, me)
        return TakeOffTask(verb.seat, dict(zip(rest, weights(rest), strict=True)), opening)

    def _part(self, seats: frozenset[Seat], sharing: Sharing | None) -> None:
        self._depart(seats)
        self._sharing, self.recoverable = sharing, sharing is not None

    def _depart(self, seats: frozenset[Seat]) -> None:
        super()._depart(seats)
        self.locks = self.locks.without(seats)
        self._sharing = None

    def _opening(self, asked: Mapping[Seat, tuple[SlotId, ...]], scopes: Scopes) -> Opening:
        keys = dict(enumerate(self.locks.roster.deck_keys))
        return Opening(self.slots, asked, keys, scopes, self.group, self._me)

    def _scopes(self, event: bytes, position: int, *, of_one_deck: bool = True) -> Scopes:
        """Binds a proof to the step that asked, the verb, the sender, the deck and the slots."""

        def scope(sender: Seat, slots: Sequence[SlotId]) -> Scope:
            deck = self.slots[slots[0]].deck if slots and of_one_deck else ""
            bound = bind_event(step=event, verb=position, sender=sender, deck=deck, slots=slots)
            return Scope(self.group, self.ctx, bound)

        return scope

    def _encode_body(self, body: Ciphertext) -> bytes:
        return body.a + body.b

    def _encode_rest(self) -> bytes:
        rest = field("ctx", self.ctx) + field("joint", self.locks.joint) + field("cascades", u32(self._cascades))
        return rest if self._sharing is None else rest + self._sharing.encode()


def _secrets(keys: Keys) -> Secrets:
    """PeerFault `scalar-range`."""
    deck, view = read_scalars(keys.deck + keys.view, 2)
    return Secrets(deck, view)
