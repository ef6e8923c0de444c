"""The public log: events become one sentence a turn, worded in the language in use."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import NamedTuple

from frp2p.app import model_cards as cards
from frp2p.app import model_losses
from frp2p.app.model_log_items import ItemTeller
from frp2p.app.model_text import clean
from frp2p.app.snapshot import Snapshot
from frp2p.cards import CardId
from frp2p.cards.catalogue import item as item_of
from frp2p.games.fantasy_realms.moves import (
    AcceptOffer,
    Choose,
    Discard,
    DrawDeck,
    Drop,
    OfferCard,
    Pass,
    PickExtra,
    RefuseOffer,
    SearchDeck,
    TakeDiscard,
    UseItem,
    Wait,
)
from frp2p.games.fantasy_realms.necromancy import BROUGHT
from frp2p.games.verbs import TABLE, Cards, Coin, Draw, Number, Reveal, Seal, Shuffle
from frp2p.locale import _, ngettext
from frp2p.table.events import (
    Adjourned,
    Asked,
    Closed,
    Convicted,
    Dealt,
    Event,
    Joined,
    Left,
    LinkDown,
    LinkUp,
    Moved,
    Opened,
    Refused,
    SeatsOut,
    Spoke,
    Stopped,
    TimeUp,
    VoteBegan,
)

LOG_KEPT = 4000
"""Events that a face remembers: four times what the longest game of seven seats makes (about 20 events a turn)."""


class Entry(NamedTuple):
    """One row of the log. `turn` counts from 1; 0 for what belongs to no turn. `style` is a word, as in a Cell."""

    turn: int
    text: str
    style: str = ""


class LogBook:
    """Collects the events of one session from its snapshots; a snapshot holds only the last ones."""

    def __init__(self) -> None:
        self._events: deque[Event] = deque(maxlen=LOG_KEPT)
        self._seen = 0

    def feed(self, snapshot: Snapshot) -> None:
        """Add what is new; feeding the same snapshot twice adds nothing."""
        fresh = min(snapshot.event_count - self._seen, len(snapshot.events))
        if fresh > 0:
            self._events.extend(event for event in snapshot.events[-fresh:] if not _silent(event))
        self._seen = max(self._seen, snapshot.event_count)

    @property
    def seen(self) -> int:
        """How many events there have been; changes whenever `entries` would."""
        return self._seen

    def entries(self, names: Sequence[str]) -> tuple[Entry, ...]:
        """All rows, oldest first. `names` in seat order, already clean."""
        teller = _Teller(names)
        for event in self._events:
            teller.tell(event)
        return tuple(teller.entries)


def _silent(event: Event) -> bool:
    """Seats that say nothing in a tick of Chaos Realms; there may be thousands of them."""
    return isinstance(event, Moved) and isinstance(event.move, Wait)


class _Teller:
    """Folds events into entries; a turn is begun by the draw and completed by the discard."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = names
        self.entries: list[Entry] = []
        self._turn = 0
        self._round = 1
        self._drew: tuple[int, str | None] | None = None
        self._discarding: int | None = None
        self._opened_hands = False
        self._brought = False
        self._seat: int | None = None
        self._drawn = False
        self._at: int | None = None
        self._items = self._fresh_items()

    def _fresh_items(self) -> ItemTeller:
        return ItemTeller(self._name, lambda text: self._add(text, turn=0 if self._opened_hands else self._turn))

    def tell(self, event: Event) -> None:
        match event:
            case Moved():
                self._moved(event)
            case Dealt():
                self._dealt(event)
            case Spoke(seat=seat, verbs=(Shuffle(by=by), *_)) if by == TABLE:
                self._add(_("{name} shuffled; the proof is right.").format(name=self._name(seat)), "dim")
            case Spoke():
                pass
            case _:
                self._told(event)

    def _told(self, event: Event) -> None:
        match event:
            case Asked(name=name):
                self._add(_("{name} asks for a seat.").format(name=clean(name)), "strong")
            case Joined(name=name):
                self._add(_("{name} sat down.").format(name=clean(name)))
            case Left(name=name):
                self._add(_("{name} left.").format(name=clean(name)))
            case Opened(names=names):
                count = len(names)
                text = ngettext("The table is signed by {count} seat.", "The table is signed by {count} seats.", count)
                self._add(text.format(count=count))
            case LinkUp(seat=seat):
                self._add(_("{name} is connected.").format(name=self._name(seat)), "dim")
            case LinkDown(seat=seat):
                self._add(_("The connection to {name} is lost; calling again.").format(name=self._name(seat)), "warn")
            case Refused(seat=seat, check=check):
                who = _("a stranger") if seat is None else self._name(seat)
                self._add(_("Refused a message of {name}: {check}.").format(name=who, check=clean(check)), "warn")
            case Stopped(seat=None, check=check):
                self._add(_("The table stopped: {check}.").format(check=clean(check)), "bad")
            case Stopped(seat=seat, check=check):
                text = _("The table stopped because of {name}: {check}.")
                self._add(text.format(name=self._name(seat), check=clean(check)), "bad")
            case SeatsOut() | Convicted() | TimeUp() | VoteBegan() | Adjourned():
                self._add(*model_losses.told(event, self._names))
            case Closed():
                self._add(_("Every seat has verified the record."), "good")

    def _moved(self, event: Moved) -> None:
        name = self._name(event.seat)
        if isinstance(event.move, UseItem):
            self._take_turn(event.seat, draws=_instead(event.move.item))
        if self._items.moved(event.seat, event.move):
            return
        match event.move:
            case DrawDeck():
                self._begin(event.seat, None, _("{name} drew from the deck.").format(name=name))
            case TakeDiscard(card=card):
                text = _("{name} took {card}.").format(name=name, card=cards.name(card))
                self._begin(event.seat, cards.name(card), text)
            case Pass():
                self._take_turn(event.seat, draws=True)
                self._add(_("{name} passed.").format(name=name), turn=self._turn)
            case Discard():
                self._discarding = event.seat
            case OfferCard(to=seat):
                text = _("{name} offers {other} a card.")
                self._add(text.format(name=name, other=self._name(seat)), "dim")
            case AcceptOffer(seat=seat):
                self._add(_("{name} and {other} swap a card.").format(name=name, other=self._name(seat)))
            case RefuseOffer(seat=seat):
                text = _("{name} refuses what {other} offers.")
                self._add(text.format(name=name, other=self._name(seat)), "dim")
            case PickExtra(card=None):
                self._add(_("{name} takes no extra card with the Necromancer.").format(name=name))
            case PickExtra(card=str(card)):
                text = _("{name} takes {card} with the Necromancer.")
                self._add(text.format(name=name, card=cards.name(card)))
            case SearchDeck(card=card):
                text = _("{name} takes {card} out of the deck with Genie.")
                self._add(text.format(name=name, card=cards.name(card)))
            case Drop(card=card):
                self._add(_("{name} drops {card}.").format(name=name, card=cards.name(card)))
            case Choose():
                self._add(_("{name} has made the final choices.").format(name=name), "dim")

    def _dealt(self, event: Dealt) -> None:
        match event.verb, event.outcome:
            case Reveal(), Cards(cards=(card,)) if self._discarding is not None:
                self._finish_turn(self._discarding, cards.name(card))
                self._discarding = None
            case _item if self._items.dealt(event.verb, event.outcome):
                pass
            case Reveal(), Cards() if not self._opened_hands:
                self._opened_hands = self._items.ending = True
                self._add(_("The hands lie open."), "good")
            case Reveal(), Cards(cards=found) if 1 < len(found) <= BROUGHT or self._brought:
                self._brought = True
                self._add(_("The Necromancer brings {cards}.").format(cards=", ".join(map(cards.name, found))))
            case Reveal(), Cards(cards=(card,)):
                self._add(_("Leprechaun brings {card}.").format(card=cards.name(card)))
            case Seal(lock=lock), _outcome if lock == TABLE and self._opened_hands:
                self._next_round()
            case Coin(), Number(value=seat):
                self._add(_("{name} starts, by a joint coin.").format(name=self._name(seat)))
            case Draw(slots=slots, seat=seat), _outcome if self._seat is None:
                text = ngettext("{name} was dealt {count} card.", "{name} was dealt {count} cards.", len(slots))
                self._add(text.format(name=self._name(seat), count=len(slots)), "dim")

    def _next_round(self) -> None:
        """All cards are together again; turns count from 1."""
        self._turn = 0
        self._drew = self._seat = None
        self._opened_hands = self._brought = False
        self._items = self._fresh_items()
        self._round += 1
        self._add(_("Round {number} begins.").format(number=self._round), "good")

    def _take_turn(self, seat: int, *, draws: bool) -> None:
        """The seat does something in its turn: a new one, unless it is in turn already and has not drawn yet."""
        if seat != self._seat or (draws and self._drawn):
            self._turn += 1
            self._seat, self._drawn, self._drew = seat, False, None
            self._items.new_turn(seat)
        self._drawn = self._drawn or draws

    def _begin(self, seat: int, taken: str | None, text: str) -> None:
        self._take_turn(seat, draws=True)
        self._drew = (seat, taken)
        self._at = len(self.entries)
        self._add(text, turn=self._turn)

    def _finish_turn(self, seat: int, card: str) -> None:
        """One sentence for both halves of the turn, in place of the one that told the first half."""
        name = self._name(seat)
        if self._drew is None or self._drew[0] != seat:
            self._add(_("{name} discarded {card}.").format(name=name, card=card), turn=self._turn)
            return
        taken = self._drew[1]
        if taken is None:
            text = _("{name} drew from the deck, discarded {card}.").format(name=name, card=card)
        else:
            text = _("{name} took {taken}, discarded {card}.").format(name=name, taken=taken, card=card)
        if self._at is not None and self._at == len(self.entries) - 1:
            self.entries.pop()  # else something happened in between, and both halves are told
        else:
            text = _("{name} discarded {card}.").format(name=name, card=card)
        self._add(text, turn=self._turn)

    def _name(self, seat: int | None) -> str:
        if seat is not None and 0 <= seat < len(self._names):
            return self._names[seat]
        return _("somebody")

    def _add(self, text: str, style: str = "", turn: int = 0) -> None:
        self.entries.append(Entry(turn, text, style))


def _instead(item: CardId) -> bool:
    """Whether the item is used instead of drawing a card."""
    return item_of(item).timing == "replace"
