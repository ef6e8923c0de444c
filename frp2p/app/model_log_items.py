"""The log of cursed items: moves and what was dealt for them, as sentences about what everybody saw."""

from __future__ import annotations

from collections.abc import Callable

from frp2p.app import model_cards as cards
from frp2p.cards import CardId
from frp2p.cards import actions as do
from frp2p.cards.catalogue import item as item_of
from frp2p.games.fantasy_realms.moves import (
    Arrange,
    KeepItem,
    PickCards,
    PickSeat,
    PickSlots,
    PickSuit,
    SwapItem,
    UseItem,
)
from frp2p.games.game import Move
from frp2p.games.verbs import TABLE, Cards, Outcome, Reveal, Seal, Seat, Verb
from frp2p.locale import _, ngettext

MOST_SHOWN = 5
"""Cards that an item reveals together at most: a suit of base cards. More of them are a hand at the end of the game."""

Tell = Callable[[str], None]
Called = Callable[[int | None], str]


class ItemTeller:
    """Follows the use of items through moves and the dealer's work. `moved` and `dealt` say whether the event was about
    an item; then it has been told, or there was nothing to tell.

    A reveal does not say what it is for: `_waits` holds what the next ones are, in order, as sentences with the seat.
    """

    def __init__(self, called: Called, tell: Tell) -> None:
        self._called = called
        self._tell = tell
        self._item: CardId | None = None
        self._user: Seat | None = None
        self._told: tuple[Seat, CardId] | None = None
        self._victim: Seat | None = None
        self._waits: list[tuple[str, Seat]] = []
        self._ware: CardId | None = None
        self._piles: dict[Seat, int] = {}
        self._begun = False
        self.ending = False
        """Whether the hands lie open."""

    # -- moves --------------------------------------------------------------------------------------------------------

    def moved(self, seat: Seat, move: Move) -> bool:
        name = self._called(seat)
        if self._waits and self._waits[0][0] == "hunt":
            self._waits.clear()
        match move:
            case UseItem(item=item):
                self._tell(_("{name} uses {item}.").format(name=name, item=cards.name(item)))
                self._item, self._user, self._told, self._victim = item, seat, (seat, item), None
            case SwapItem():
                self._tell(_("{name} swaps the face-up item.").format(name=name))
                self._user, self._victim = seat, None
            case KeepItem():
                self._user, self._victim = seat, None
            case PickSeat(seat=other):
                self._seat(name, other)
            case PickSuit(suit=suit):
                self._tell(_("{name} names {suit}.").format(name=name, suit=cards.suit_name(suit)))
                if isinstance(self._action(), do.Hunt):
                    self._waits = [("hunt", seat)] * self._count()
            case PickCards(cards=picked):
                self._cards(seat, name, picked)
            case PickSlots(slots=slots):
                self._slots(seat, name, len(slots))
            case Arrange(top=top, bottom=bottom):
                text = _("{name} keeps one card; {top} go on top of the deck, {bottom} under it.")
                self._tell(text.format(name=name, top=len(top), bottom=len(bottom)))
            case _other:
                return False
        return True

    def _action(self) -> do.Action | None:
        return item_of(self._item).action if self._item is not None else None

    def _count(self) -> int:
        """How many cards the item in use reveals one by one, or at once, from the deck."""
        match self._action():
            case do.Hunt(most=most):
                return most
            case do.TopToDiscards() | do.DiscardsToBottom(refill=True):
                return 1
        return 0

    def _seat(self, name: str, other: Seat) -> None:
        if isinstance(self._action(), do.UseOther):
            self._victim = other
            self._tell(_("{name} takes the item of {other}.").format(name=name, other=self._called(other)))
        else:
            self._tell(_("{name} looks at the hand of {other}.").format(name=name, other=self._called(other)))

    def _cards(self, seat: Seat, name: str, picked: tuple[CardId, ...]) -> None:
        shown = _list(picked)
        if picked and cards.is_item(picked[0]):
            junk = isinstance(self._action(), do.UseOther) and self._told is None
            text = _("{name} takes {item} out of the discarded items.") if junk else _("{name} has {item} face up now.")
            self._tell(text.format(name=name, item=shown))
            self._victim = None
            return
        match self._action():
            case do.Market():
                self._bargain(seat, name, picked)
            case do.DiscardsToBottom(refill=refill):
                self._tell(_("{name} puts {cards} under the deck.").format(name=name, cards=shown))
                self._waits = [("top", seat)] if refill else []
            case do.Cover():
                self._tell(_("{name} covers {cards}.").format(name=name, cards=shown))
            case _take:
                self._tell(_("{name} takes {cards}.").format(name=name, cards=shown))

    def _bargain(self, seat: Seat, name: str, picked: tuple[CardId, ...]) -> None:
        own = cards.name(self._ware) if self._ware is not None else ""
        if not picked:
            self._tell(_("{name} keeps {card}.").format(name=name, card=own))
        elif picked[0] == self._ware:
            self._tell(_("{name} discards {card} and draws.").format(name=name, card=own))
        else:
            text = _("{name} swaps {card} for {other}.")
            self._tell(text.format(name=name, card=own, other=cards.name(picked[0])))
        self._ware = None

    def _slots(self, seat: Seat, name: str, count: int) -> None:
        match self._action():
            case do.Market() if seat == self._user:
                self._waits = [("ware", seat)]
            case do.Market():
                self._waits += [("offer", seat)] if count else []
            case do.ShowSuit():
                self._waits += [("suit", seat)] if count else []
                if not count:
                    self._tell(_("{name} has no card of it.").format(name=name))
            case do.CopyOwn():
                self._waits = [("copy", seat)] if count else []
                if not count:
                    self._tell(_("{name} copies nothing.").format(name=name))
            case do.Replace():
                text = ngettext(
                    "{name} puts {count} card under the deck and draws as many.",
                    "{name} puts {count} cards under the deck and draws as many.",
                    count,
                )
                self._tell(text.format(name=name, count=count))
            case do.SearchToTop():
                self._tell(_("{name} puts a card on top of the deck.").format(name=name))
            case _lay:
                self._waits = [("lay", seat)]

    # -- the dealer's work --------------------------------------------------------------------------------------------

    def dealt(self, verb: Verb, outcome: Outcome) -> bool:
        match verb, outcome:
            case Seal(cards=(item,), lock=lock), _outcome if lock != TABLE and cards.is_item(item):
                self._stowed(lock, item)
            case Seal(cards=(first, *_rest)), _outcome if cards.is_item(first):
                pass
            case Seal(), _outcome if self._waits and self._waits[0][0] == "hunt":
                self._waits.clear()
                return False
            case Reveal(), Cards(cards=shown) if shown and cards.is_item(shown[0]):
                self._items(shown)
            case Reveal(), Cards(cards=shown) if self._waits and len(shown) <= MOST_SHOWN:
                self._revealed(*self._waits.pop(0), shown)
            case _other:
                return False
        return True

    def _stowed(self, seat: Seat, item: CardId) -> None:
        """An item is turned down: it is being used."""
        self._piles[seat] = self._piles.get(seat, 0) + 1
        if self._told != (seat, item):
            self._tell(_("{name} uses {item}.").format(name=self._called(seat), item=cards.name(item)))
        self._told = None
        self._item, self._user = item, seat
        if isinstance(self._action(), do.TopToDiscards):
            self._waits = [("top", seat)]

    def _items(self, shown: tuple[CardId, ...]) -> None:
        """Items are opened: at the start, as the next ones, beside a Backpack, to be copied, or at the end."""
        if self.ending:
            self._turned_up(shown)
        elif not self._begun:
            given = ", ".join(f"{self._called(seat)} {cards.name(item)}" for seat, item in enumerate(shown))
            self._tell(_("Items: {items}.").format(items=given))
        elif self._waits and self._waits[0][0] == "copy":
            _what, seat = self._waits.pop(0)
            self._piles[seat] = self._piles.get(seat, 0) - 1
            self._tell(_("{name} copies {item}.").format(name=self._called(seat), item=cards.name(shown[0])))
            self._told = (seat, shown[0])
        elif self._victim is None and isinstance(self._action(), do.SetAside):
            text = _("{name} sets aside {items}.")
            self._tell(text.format(name=self._called(self._user), items=_list(shown)))
        else:
            owner = self._user if self._victim is None else self._victim
            self._victim = None
            self._tell(_("{name} gets {item}.").format(name=self._called(owner), item=_list(shown)))

    def _turned_up(self, shown: tuple[CardId, ...]) -> None:
        """At the end: the used items of the next seat that has some."""
        seat = min((seat for seat, count in self._piles.items() if count > 0), default=None)
        if seat is not None:
            del self._piles[seat]
        self._tell(_("{name} turns up {items}.").format(name=self._called(seat), items=_list(shown)))

    def _revealed(self, what: str, seat: Seat, shown: tuple[CardId, ...]) -> None:
        name, text = self._called(seat), _list(shown)
        match what:
            case "top":
                self._tell(_("From the deck to the discard area: {cards}.").format(cards=text))
            case "hunt":
                self._tell(_("The deck shows {cards}.").format(cards=text))
            case "ware":
                self._ware = shown[0]
                self._tell(_("{name} shows {cards}.").format(name=name, cards=text))
            case "offer":
                self._tell(_("{name} offers {cards}.").format(name=name, cards=text))
            case "suit":
                self._tell(_("{name} shows {cards}.").format(name=name, cards=text))
            case _lay:
                self._tell(_("{name} discarded {cards}.").format(name=name, cards=text))

    def new_turn(self, seat: Seat) -> None:
        """This seat is in turn; what the turn before left behind does not reach into it."""
        self._begun = True
        self._item, self._user, self._told, self._victim, self._ware = None, seat, None, None, None
        self._waits.clear()


def _list(shown: tuple[CardId, ...]) -> str:
    return ", ".join(map(cards.name, shown))
