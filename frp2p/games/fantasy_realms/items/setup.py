"""The deck of items: sealed, shuffled, one open item for each seat, later ones when they are due; all shown at the
end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from frp2p.cards import CardId, sets
from frp2p.cards.actions import SetAside
from frp2p.cards.items import ITEMS
from frp2p.games.fantasy_realms.items.asking import AskItem
from frp2p.games.fantasy_realms.items.prompt import Prompt
from frp2p.games.fantasy_realms.moves import PickCards
from frp2p.games.fantasy_realms.options import Options, measure
from frp2p.games.fantasy_realms.outcome import cards_of, slots_of
from frp2p.games.fantasy_realms.rows import with_entry
from frp2p.games.fantasy_realms.task import Automatic, Dealing, OfSeat
from frp2p.games.game import Move
from frp2p.games.verbs import TABLE, Outcome, Reveal, Seal, Seat, Shuffle, Verb

if TYPE_CHECKING:
    from frp2p.games.fantasy_realms.agenda import AnyTask
    from frp2p.games.fantasy_realms.state import State


class SealItems(Dealing, frozen=True):
    """All items that lie open are turned down and join the deck of items: at first all of them, in a later round those
    that the round before has shown. They are shuffled next."""

    def cards(self, state: State) -> tuple[CardId, ...]:
        """Canonical order."""
        shelf = state.items
        if state.round == 1:
            return sets.items()
        shown = (*shelf.discards, *shelf.face_up, *(item for row in (*shelf.aside, *shelf.opened) for item in row))
        return tuple(item for item in sets.items() if item in shown)

    def verbs(self, state: State) -> tuple[Verb, ...]:
        return (Seal(cards=self.cards(state), lock=TABLE),)

    def dealt(self, state: State, outcomes: tuple[Outcome, ...]) -> State:
        # Only here: see `opening`; the shelf starts anew but for the slots of its deck.
        from frp2p.games.fantasy_realms.items.shelf import bare_shelf

        deck = (*state.items.deck, *slots_of(outcomes[0], len(self.cards(state))))
        bare = bare_shelf(state.seats)
        return state.with_items(
            deck=deck, face_up=bare.face_up, aside=bare.aside, piles=bare.piles, opened=bare.opened, discards=()
        )


class CallItems(Automatic, frozen=True):
    """Before a round: what lies open is turned down, if anything does (in a duel nobody may have got an item)."""

    def run(self, state: State) -> State:
        seal = SealItems()
        return state.put(*((seal,) if seal.cards(state) else ()), ShuffleItems())


class SealJunk(Dealing, frozen=True):
    """The deck of items is empty: the discarded ones become it. They are shuffled next."""

    def verbs(self, state: State) -> tuple[Verb, ...]:
        return (Seal(cards=state.items.discards, lock=TABLE),)

    def dealt(self, state: State, outcomes: tuple[Outcome, ...]) -> State:
        return state.with_items(deck=slots_of(outcomes[0], len(state.items.discards)), discards=())


class ShuffleItems(Dealing, frozen=True):
    """Every seat in turn shuffles the deck of items."""

    def verbs(self, state: State) -> tuple[Verb, ...]:
        return (Shuffle(slots=state.items.deck, by=TABLE),)

    def dealt(self, state: State, outcomes: tuple[Outcome, ...]) -> State:
        return state.with_items(deck=slots_of(outcomes[0], len(state.items.deck)))


class DealItems(Dealing, frozen=True):
    """One item is opened before each seat."""

    def verbs(self, state: State) -> tuple[Verb, ...]:
        return (Reveal(slots=state.items.deck[: len(state.live())]),)

    def dealt(self, state: State, outcomes: tuple[Outcome, ...]) -> State:
        live = state.live()
        items = iter(cards_of(outcomes[0], len(live)))
        face_up = tuple(next(items) if seat in live else None for seat in range(state.seats))
        return state.with_items(face_up=face_up, deck=state.items.deck[len(live) :])


class Replenish(OfSeat, Automatic, frozen=True):
    """The seat gets its next item: of those set aside by a Backpack, or from the deck, which is made anew of the
    discarded ones if it is empty. Where no item is left at all, nothing happens. One that lies there is discarded."""

    def run(self, state: State) -> State:
        shelf = state.items
        aside = shelf.aside[self.seat]
        if len(aside) == 1:
            return set_open(state, self.seat, aside[0])
        if aside:
            return state.put(AskAside(item=BACKPACK, seat=self.seat))
        if shelf.deck:
            return state.put(DrawItem(seat=self.seat))
        return state.put(SealJunk(), ShuffleItems(), DrawItem(seat=self.seat)) if shelf.discards else state


BACKPACK: Final = next(item.id for item in ITEMS if isinstance(item.action, SetAside))


def set_open(state: State, seat: Seat, item: CardId) -> State:
    """The item, which is not in the deck any more, lies open before the seat; the one before it is discarded."""
    shelf = state.items
    before = shelf.face_up[seat]
    return state.with_items(
        face_up=with_entry(shelf.face_up, seat, item),
        aside=with_entry(shelf.aside, seat, tuple(other for other in shelf.aside[seat] if other != item)),
        discards=shelf.discards if before is None else (*shelf.discards, before),
    )


class DrawItem(OfSeat, Dealing, frozen=True):
    """The top of the deck of items is opened before the seat."""

    def verbs(self, state: State) -> tuple[Verb, ...]:
        return (Reveal(slots=state.items.deck[:1]),)

    def dealt(self, state: State, outcomes: tuple[Outcome, ...]) -> State:
        (item,) = cards_of(outcomes[0], 1)
        return set_open(state.with_items(deck=state.items.deck[1:]), self.seat, item)


class AskAside(AskItem, frozen=True):
    """The seat chooses which of the items that it set aside lies open next."""

    seat: Seat

    def whose(self, state: State) -> Seat | None:
        return self.seat

    def seats(self, state: State) -> tuple[Seat, ...]:
        return (self.seat,)

    def prompt(self, state: State, seat: Seat) -> Prompt:
        return Prompt(item=self.item, what="aside", kind="cards", cards=state.items.aside[self.seat])

    def apply(self, state: State, moves: Mapping[Seat, Move]) -> State:
        match moves[self.seat]:
            case PickCards(cards=(item,)):
                return set_open(state, self.seat, item)
        raise LookupError("checked before")


class RevealPiles(Dealing, frozen=True):
    """At the end all used items are shown."""

    stays = True

    def verbs(self, state: State) -> tuple[Verb, ...]:
        return tuple(Reveal(slots=pile) for pile in state.items.piles if pile)

    def dealt(self, state: State, outcomes: tuple[Outcome, ...]) -> State:
        left = list(outcomes)
        piles = state.items.piles
        opened = tuple(cards_of(left.pop(0), len(pile)) if pile else () for pile in piles)
        return state.with_items(opened=opened, piles=((),) * state.seats)


class CallPiles(Automatic, frozen=True):
    """Whoever has used items shows them."""

    stays = True

    def run(self, state: State) -> State:
        return state.put(RevealPiles()) if any(state.items.piles) else state


def item_tasks(options: Options) -> tuple[AnyTask, ...]:
    """What is to be done for the items before the first turn. Who has no full hand yet (duel) gets its item later."""
    if not options.cursed_items:
        return ()
    start = () if options.mode == "duel" else (DealItems(),)
    return (CallItems(), *start)


def due(state: State, seat: Seat) -> bool:
    """Whether the seat is to get an item at the end of its turn."""
    full = len(state.hands[seat]) >= measure(state.options).hand
    return state.options.cursed_items and full and state.items.face_up[seat] is None and not state.items.again
