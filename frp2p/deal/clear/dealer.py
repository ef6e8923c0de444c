"""The clear dealer: every program at the table holds all cards, and tells its seat only what that seat may know."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from frp2p.cards import CardId
from frp2p.deal.clear.messages import MIX_SIZE, ClearContribution, Mix, Show
from frp2p.deal.coin import CoinTask
from frp2p.deal.context import event as bind_event
from frp2p.deal.dealer import Entropy
from frp2p.deal.decks import Decks
from frp2p.deal.fields import field, hash_fields, u8, u32
from frp2p.deal.legal import misuse
from frp2p.deal.rounds import RoundDealer, Task
from frp2p.deal.slots import Slot, SlotTable, holders
from frp2p.deal.stream import Stream
from frp2p.errors import LocalError, PeerFault
from frp2p.games.verbs import TABLE, Cards, Coin, Draw, Outcome, Reveal, Seal, Seat, Shuffle, SlotId, Slots, Verb

Table = SlotTable[CardId]


class SealTask(Task):
    """Open cards are turned down."""

    def __init__(self, slots: Table, verb: Seal, decks: Decks) -> None:
        self._slots = slots
        self._verb = verb
        self._decks = decks

    def speakers(self) -> tuple[Seat, ...]:
        return ()

    def settle(self) -> Outcome:
        lock = self._verb.lock
        made = [Slot(self._decks.deck_of[card], lock, card) for card in self._verb.cards]
        self._slots.turn_down(self._verb.cards)
        return Slots(self._slots.add(made))


class ShuffleTask(Task):
    """One speaker a round; each adds 32 bytes from which its permutation follows."""

    def __init__(
        self, slots: Table, verb: Shuffle, order: Sequence[Seat], seed: bytes, entropy: Entropy, event: bytes
    ) -> None:
        self._slots = slots
        self._verb = verb
        self._order = order
        self._seed = seed
        self._entropy = entropy
        self._event = event
        self._bodies = [slots[slot] for slot in verb.slots]
        self._round = 0

    def speakers(self) -> tuple[Seat, ...]:
        return (self._order[self._round],) if self._round < len(self._order) else ()

    def speak(self) -> Mix:
        return Mix(self._entropy(MIX_SIZE))

    def check(self, seat: Seat, item: Any) -> bytes:
        if not isinstance(item, Mix):
            raise PeerFault("item-type")
        return item.mix

    def close(self, items: Mapping[Seat, bytes]) -> None:
        ((seat, mix),) = items.items()
        seed = hash_fields("clear-mix", ("seed", self._seed), ("event", self._event), ("seat", u8(seat)), ("mix", mix))
        self._bodies = [self._bodies[at] for at in Stream(seed).permutation(len(self._bodies))]
        self._round += 1

    def settle(self) -> Outcome:
        self._slots.spend(self._verb.slots)
        return Slots(self._slots.add(self._bodies))


class ShowTask(Task):
    """Draw or reveal: one round in which everybody whose key would be needed says so."""

    def __init__(
        self, slots: Table, verb: Draw | Reveal, asked: Sequence[Seat], token: Callable[[Seat], bytes], me: Seat | None
    ) -> None:
        self._slots = slots
        self._verb = verb
        self._asked = tuple(asked)
        self._token = token
        self._me = me
        self._done = not asked

    def speakers(self) -> tuple[Seat, ...]:
        return () if self._done else self._asked

    def speak(self) -> Show:
        if self._me is None:
            raise LocalError("an observer shows nothing")
        return Show(self._token(self._me))

    def check(self, seat: Seat, item: Any) -> None:
        if not isinstance(item, Show):
            raise PeerFault("item-type")
        if item.token != self._token(seat):
            raise PeerFault("clear-token")

    def close(self, items: Mapping[Seat, None]) -> None:
        self._done = True

    def settle(self) -> Outcome:
        if isinstance(self._verb, Draw):
            for slot in self._verb.slots:
                old = self._slots[slot]
                self._slots.replace(slot, old.drawn(self._verb.seat, old.body, self._asked))
            return Slots(self._verb.slots)
        cards = tuple(self._slots[slot].body for slot in self._verb.slots)
        self._slots.spend(self._verb.slots)
        self._slots.turn_up(cards)
        return Cards(cards)


class ClearDealer(RoundDealer[CardId]):
    """`Dealer` without cryptography, with the same rounds, speakers and refusals as the sealed one."""

    contribution_type = ClearContribution

    def __init__(self, *, me: Seat | None, seats: int, decks: Decks, seed: bytes, entropy: Entropy) -> None:
        super().__init__(me=me, seats=seats, decks=decks)
        self._seed = seed
        self._entropy = entropy
        self._cascades = 0

    def known(self) -> Mapping[SlotId, CardId]:
        """The cards in the slots that this seat alone locks."""
        if self.me is None:
            return {}
        return {at: slot.body for at, slot in self.slots.live().items() if slot.lock == self.me}

    def _task(self, verb: Verb, position: int, event: bytes) -> Task:
        match verb:
            case Seal():
                return SealTask(self.slots, verb, self.decks)
            case Shuffle():
                bound = self._event(event, position, TABLE, verb.slots)
                return ShuffleTask(self.slots, verb, self._shufflers(verb), self._seed, self._entropy, bound)
            case Draw():
                others = [seat for seat in range(self.seats) if seat != verb.seat]
                return ShowTask(self.slots, verb, others, self._token(event, position, verb.slots), self.me)
            case Reveal():
                asked = sorted({seat for slot in verb.slots for seat in holders(self.slots[slot], self.seats)})
                return ShowTask(self.slots, verb, asked, self._token(event, position, verb.slots), self.me)
            case Coin():
                bound = self._event(event, position, TABLE, ())
                return CoinTask(
                    seats=self.seats,
                    me=self.me,
                    sides=verb.sides,
                    context=self._seed,
                    event=bound,
                    entropy=self._entropy,
                )
        raise misuse(f"the clear dealer does not know {type(verb).__name__}")

    def _shufflers(self, verb: Shuffle) -> tuple[Seat, ...]:
        """Who shuffles, in order; counts the cascades so that each begins one seat further."""
        if verb.by != TABLE:
            return (verb.by,)
        first = self._cascades % self.seats
        self._cascades += 1
        return tuple((first + at) % self.seats for at in range(self.seats))

    def _event(self, event: bytes, position: int, sender: Seat, slots: tuple[SlotId, ...]) -> bytes:
        deck = self.slots[slots[0]].deck if slots else ""
        return bind_event(step=event, verb=position, sender=sender, deck=deck, slots=slots)

    def _token(self, event: bytes, position: int, slots: tuple[SlotId, ...]) -> Callable[[Seat], bytes]:
        def token(seat: Seat) -> bytes:
            bound = self._event(event, position, seat, slots)
            return hash_fields("clear-show", ("seed", self._seed), ("event", bound))[:MIX_SIZE]

        return token

    def _encode_body(self, body: CardId) -> bytes:
        return field("card", body.encode())

    def _encode_rest(self) -> bytes:
        return field("seed", self._seed) + field("cascades", u32(self._cascades))
