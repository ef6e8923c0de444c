"""Chaos Realms: everybody trades with everybody at the same time, one card for one card, until the bell.

Time is counted in ticks. In a tick every seat says one thing, and all that is said counts as said at once: an offer
says which card of the own hand goes to which seat for any one card; whoever got it in an earlier tick may take it with
a card of its own, and then both have signed. Nothing that is said in a tick can get into the way of anything else:

- only the seat that an offer is for can take it, and it takes one a tick;
- the card that it gives for it is in no offer of its own;
- an offer that is taken and taken back in the same tick is taken: it stood when the tick began.

So no order within a tick is needed, and nobody can come first. After a swap both seats shuffle their hands, so that
nobody can follow a card; the offers of the places that have gone with that lapse.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import msgspec

from frp2p.games.fantasy_realms.moves import AcceptOffer, OfferCard, RefuseOffer, Wait, WithdrawOffer
from frp2p.games.fantasy_realms.opening import ShuffleHands
from frp2p.games.fantasy_realms.options import TICK_SECONDS
from frp2p.games.fantasy_realms.outcome import slots_of
from frp2p.games.fantasy_realms.task import Asking, Automatic, Dealing
from frp2p.games.game import IllegalMove, Move
from frp2p.games.verbs import Give, Outcome, Seat, SlotId, Verb
from frp2p.locale import _

if TYPE_CHECKING:
    from frp2p.games.fantasy_realms.state import State
    from frp2p.games.fantasy_realms.view import Phase


class Offer(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The card in this slot of the hand of `giver` for any card of `to`."""

    giver: Seat
    to: Seat
    slot: SlotId


class Swap(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """What two seats have agreed on: the offer, and the slot that the seat it is for gives."""

    offer: Offer
    slot: SlotId


def open_offer(offers: tuple[Offer, ...], giver: Seat, to: Seat) -> Offer | None:
    """The offer from one seat to another; there is one at most."""
    return next((offer for offer in offers if (offer.giver, offer.to) == (giver, to)), None)


def bound(offers: tuple[Offer, ...], seat: Seat) -> frozenset[SlotId]:
    """The slots of this seat that are in offers of its own."""
    return frozenset(offer.slot for offer in offers if offer.giver == seat)


class StartTrade(Automatic, frozen=True):
    """Nobody is in turn in this game."""

    def run(self, state: State) -> State:
        ticks = state.options.seconds // TICK_SECONDS
        state = msgspec.structs.replace(state, first_seat=None, seat_in_turn=None, turn=1)
        return state.put(AskTick(left=ticks, offers=()))


class AskTick(Asking, frozen=True):
    """One tick: every seat says one thing. `left` ticks remain, this one included; then the bell rings."""

    left: int
    offers: tuple[Offer, ...]

    def without(self, state: State, gone: frozenset[Seat]) -> State:
        stand = tuple(offer for offer in self.offers if gone.isdisjoint((offer.giver, offer.to)))
        return state if state.stopped else state.put(AskTick(left=self.left, offers=stand))

    def phase(self) -> Phase:
        return "trade"

    def seats(self, state: State) -> tuple[Seat, ...]:
        return state.live()

    def check(self, state: State, seat: Seat, move: Move) -> None:
        match move:
            case Wait():
                return
            case OfferCard(to=to, slot=slot):
                if to == seat or to not in state.live():
                    raise IllegalMove(_("Offer a card to another player."))
                _own(state, seat, slot)
            case AcceptOffer(seat=giver, slot=slot):
                _to_me(self.offers, giver, seat)
                _own(state, seat, slot)
                if slot in bound(self.offers, seat):
                    raise IllegalMove(_("You have offered this card yourself; take that back first."))
            case RefuseOffer(seat=giver):
                _to_me(self.offers, giver, seat)
            case WithdrawOffer(seat=to):
                if open_offer(self.offers, seat, to) is None:
                    raise IllegalMove(_("You have no such offer open."))
            case _other:
                raise IllegalMove(_("In Chaos Realms cards are only swapped."))

    def apply(self, state: State, moves: Mapping[Seat, Move]) -> State:
        offers, swaps = told(self.offers, moves)
        state = msgspec.structs.replace(state, turn=state.turn + (self.left > 1))
        following = (AskTick(left=self.left - 1, offers=offers),) if self.left > 1 else ()
        if not swaps:
            return state.put(*following)
        traders = sorted({seat for swap in swaps for seat in (swap.offer.giver, swap.offer.to)})
        shuffle = (ShuffleHands(seats=tuple(traders)),) if state.options.unlinkable_hands else ()
        return state.put(SwapCards(swaps=swaps), *shuffle, *(Lapse(), *following) if following else ())


def _own(state: State, seat: Seat, slot: SlotId) -> None:
    if slot not in state.hands[seat]:
        raise IllegalMove(_("This card is not in your hand."))


def _to_me(offers: tuple[Offer, ...], giver: Seat, seat: Seat) -> None:
    if open_offer(offers, giver, seat) is None:
        raise IllegalMove(_("This player offers you nothing."))


def told(offers: tuple[Offer, ...], moves: Mapping[Seat, Move]) -> tuple[tuple[Offer, ...], tuple[Swap, ...]]:
    """The offers that stand after everybody has spoken, and the swaps that are agreed on, in the order of the seats."""
    swaps: list[Swap] = []
    gone: set[Offer] = set()
    made: list[Offer] = []
    for seat, move in sorted(moves.items()):
        match move:
            case OfferCard(to=to, slot=slot):
                gone.update(one for one in offers if one.giver == seat and (one.to == to or one.slot == slot))
                made.append(Offer(seat, to, slot))
            case AcceptOffer(seat=giver, slot=slot) if (taken := open_offer(offers, giver, seat)) is not None:
                swaps.append(Swap(taken, slot))
                gone.add(taken)
            case RefuseOffer(seat=giver):
                gone.update(one for one in offers if (one.giver, one.to) == (giver, seat))
            case WithdrawOffer(seat=to):
                gone.update(one for one in offers if (one.giver, one.to) == (seat, to))
    stand = [one for one in (*offers, *made) if one not in gone or one in made]
    return tuple(sorted(dict.fromkeys(stand), key=lambda one: (one.giver, one.to))), tuple(swaps)


class SwapCards(Dealing, frozen=True):
    """All swaps of a tick: both cards of each go over in one batch, unseen by the others, or nothing does."""

    stays = True

    swaps: tuple[Swap, ...]

    def without(self, state: State, gone: frozenset[Seat]) -> State:
        swaps = tuple(swap for swap in self.swaps if gone.isdisjoint((swap.offer.giver, swap.offer.to)))
        return state.put(SwapCards(swaps=swaps)) if swaps else state

    def verbs(self, state: State) -> tuple[Verb, ...]:
        gives: list[Verb] = []
        for swap in self.swaps:
            giver, to = swap.offer.giver, swap.offer.to
            gives.append(Give(slots=(swap.offer.slot,), giver=giver, to=to))
            gives.append(Give(slots=(swap.slot,), giver=to, to=giver))
        return tuple(gives)

    def dealt(self, state: State, outcomes: tuple[Outcome, ...]) -> State:
        for verb, outcome in zip(self.verbs(state), outcomes, strict=True):
            if isinstance(verb, Give):
                rest = tuple(slot for slot in state.hands[verb.giver] if slot not in verb.slots)
                state = state.with_hand(verb.giver, rest)
                state = state.with_hand(verb.to, (*state.hands[verb.to], *slots_of(outcome, 1)))
        return state


class Lapse(Automatic, frozen=True):
    """An offer of a card that is not in its place any more does not stand."""

    def run(self, state: State) -> State:
        tick = state.next_task()
        if not isinstance(tick, AskTick):
            return state
        stand = tuple(offer for offer in tick.offers if offer.slot in state.hands[offer.giver])
        return state.popped().put(AskTick(left=tick.left, offers=stand))


def trade_tasks() -> tuple[StartTrade]:
    """What a round of Chaos Realms has in place of turns."""
    return (StartTrade(),)


def tick_of(state: State) -> AskTick | None:
    """The tick that is open, or comes next once the dealer is done; None outside of trading."""
    return next((task for task in state.agenda if isinstance(task, AskTick)), None)
