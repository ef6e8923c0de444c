"""The clear dealer: every program at the table holds all cards, and tells its seat only what that seat may know."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from frp2p.cards import CardId
from frp2p.deal.clear.messages import MIX_SIZE, ClearContribution, ClearKeys
from frp2p.deal.clear.tasks import (
    DepartTask,
    DrawTask,
    ExcludeTask,
    PeekTask,
    RelockTask,
    RevealTask,
    SealTask,
    Showing,
    ShuffleTask,
)
from frp2p.deal.coin import CoinTask
from frp2p.deal.context import event as bind_event
from frp2p.deal.dealer import Entropy
from frp2p.deal.decks import Decks
from frp2p.deal.drop_task import DropTask
from frp2p.deal.fields import field, hash_fields, u8, u32
from frp2p.deal.legal import misuse
from frp2p.deal.limits import MIN_SHARING, SHARING_ROUNDS
from frp2p.deal.rounds import RoundDealer, Task
from frp2p.deal.slots import held
from frp2p.errors import LocalError, PeerFault
from frp2p.games.verbs import (
    TABLE,
    Coin,
    Draw,
    Drop,
    Exclude,
    Give,
    Leave,
    Peek,
    PutBack,
    Recover,
    Reveal,
    Seal,
    Seat,
    Shuffle,
    SlotId,
    Verb,
)


class ClearDealer(RoundDealer[CardId]):
    """`Dealer` without cryptography, with the same rounds, speakers and refusals as the sealed one."""

    contribution_type = ClearContribution
    keys_type = ClearKeys

    def __init__(
        self, *, me: Seat | None, seats: int, decks: Decks, seed: bytes, entropy: Entropy, recovery: bool
    ) -> None:
        super().__init__(me=me, seats=seats, decks=decks, recoverable=recovery)
        self._seed = seed
        self._entropy = entropy
        self._cascades = 0
        self._audited: frozenset[Seat] = frozenset()

    def known(self) -> Mapping[SlotId, CardId]:
        """The cards in the slots that this seat alone locks, and those that it was shown."""
        return self._known_to(self.me) if self.me is not None else {}

    def _known_to(self, seat: Seat) -> dict[SlotId, CardId]:
        live = self.slots.live().items()
        return {at: slot.body for at, slot in live if slot.lock == seat or seat in slot.viewers}

    def keys(self) -> ClearKeys:
        if self.me is None:
            raise LocalError("an observer has no keys")
        return ClearKeys()

    def check_keys(self, seat: Seat, keys: Any) -> None:
        if not isinstance(keys, ClearKeys):
            raise PeerFault("deal-type", seat=seat)

    def audit(self, keys: Mapping[Seat, Any]) -> None:
        if self.me is not None:
            raise misuse("only an observer audits")
        self._audited = frozenset(keys)

    def known_to(self, seat: Seat) -> Mapping[SlotId, CardId]:
        if seat not in self._audited:
            raise misuse(f"the keys of seat {seat} are not here")
        return self._known_to(seat)

    def table_cards(self) -> Mapping[SlotId, CardId]:
        if not self._audited.issuperset(self.present):
            return {}
        return {at: self.slots[at].body for at in self.slots.of(TABLE)}

    def _task(self, verb: Verb, position: int, event: bytes) -> Task:
        match verb:
            case Seal():
                return SealTask(self.slots, verb, self.decks)
            case Shuffle():
                bound = self._event(event, position, TABLE, verb.slots)
                return ShuffleTask(self.slots, verb, self._shufflers(verb), self._seed, self._entropy, bound)
            case Coin():
                return CoinTask(
                    everybody=self.present,
                    me=self.me,
                    sides=verb.sides,
                    context=self._seed,
                    event=self._event(event, position, TABLE, ()),
                    entropy=self._entropy,
                )
            case Drop():
                return DropTask(self.slots, verb, self._depart)
            case Leave() | Recover():
                return self._departure(verb, position, event)
        return self._show(verb, position, event)

    def _show(self, verb: Verb, position: int, event: bytes) -> Task:
        """The verbs in which seats only agree that a card is read or moved."""

        def showing(rounds: Sequence[Sequence[Seat]], slots: tuple[SlotId, ...]) -> Showing:
            return Showing(self.slots, rounds, self._token(event, position, slots), self.me)

        match verb:
            case Draw():
                return DrawTask(verb, showing([self._holders(verb.slots, but=verb.seat)], verb.slots))
            case Reveal():
                return RevealTask(verb, showing([self._holders(verb.slots)], verb.slots))
            case Peek():
                return PeekTask(verb, showing([self._holders(verb.slots, but=verb.viewer)], verb.slots))
            case Give():
                return RelockTask(verb.slots, verb.giver, verb.to, showing([(verb.giver,)], verb.slots))
            case PutBack():
                rounds = [[verb.seat], *([seat] for seat in self.present if seat != verb.seat)]
                return RelockTask(verb.slots, verb.seat, TABLE, showing(rounds, verb.slots))
            case Exclude():
                return ExcludeTask(verb, showing([self._holders(verb.slots)], verb.slots))
        raise misuse(f"the clear dealer does not know {type(verb).__name__}")

    def _holders(self, slots: tuple[SlotId, ...], but: Seat | None = None) -> list[Seat]:
        """All seats whose keys lock any of the slots, ascending."""
        return sorted(held(self.slots, slots, self.present, but))

    def _shufflers(self, verb: Shuffle) -> tuple[Seat, ...]:
        """Who shuffles, in order; counts the cascades so that each begins one seat further."""
        if verb.by != TABLE:
            return (verb.by,)
        first = self._cascades % len(self.present)
        self._cascades += 1
        return self.present[first:] + self.present[:first]

    def _departure(self, verb: Leave | Recover, position: int, event: bytes) -> DepartTask:
        """Re-mask in turn what was touched, take the key off, share the keys anew."""
        ids = self.slots.of(TABLE)
        rest = tuple(seat for seat in self.present if seat != verb.seat)
        shared = self.recoverable and len(rest) >= MIN_SHARING
        rounds: list[Sequence[Seat]] = [(seat,) for seat in rest] if self.touched else []
        if ids:
            rounds.append((verb.seat,) if isinstance(verb, Leave) else rest)
        if shared:
            rounds += [rest] * SHARING_ROUNDS
        showing = Showing(self.slots, rounds, self._token(event, position, ids), self.me)
        return DepartTask(verb.seat, self.touched, showing, self._share if shared else self._depart)

    def _share(self, seats: frozenset[Seat]) -> None:
        self._depart(seats)
        self.recoverable = True

    def _depart(self, seats: frozenset[Seat]) -> None:
        super()._depart(seats)
        gone = [u8(seat) for seat in sorted(seats)]
        self._seed = hash_fields("clear-depart", ("seed", self._seed), ("seats", gone))

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
