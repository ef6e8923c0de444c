"""What is answered to an item's question by a viewer who does not decide; good answers, found by counting hands."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence

from frp2p.cards import CARDS, CardId
from frp2p.cards.catalogue import item as item_of
from frp2p.games.fantasy_realms.counting import context
from frp2p.games.fantasy_realms.items.offer import asked, to_prompt
from frp2p.games.fantasy_realms.items.prompt import Prompt
from frp2p.games.fantasy_realms.moves import Arrange, FantasyMove, PickCards, PickSeat, PickSlots, PickSuit
from frp2p.games.fantasy_realms.options import deck
from frp2p.games.fantasy_realms.view import View
from frp2p.games.verbs import SlotId
from frp2p.scoring import best_total

Count = Callable[[Sequence[CardId]], int]
"""The points of a hand with its best choices, as things stand."""


def answer(view: View) -> FantasyMove:
    """A legal answer; always the same to the same view."""
    prompt = asked(view)
    around = context(view.options, view.discards, len(view.seats))

    def count(cards: Sequence[CardId]) -> int:
        return best_total(tuple(cards), around)

    hand = tuple(entry.card for entry in view.seats[view.me or 0].hand if entry.card is not None)
    match prompt.kind:
        case "seat":
            return _seat(prompt, view)
        case "suit":
            return PickSuit(suit=_suit(prompt, view, hand, count))
        case "cards":
            return PickCards(cards=_cards(prompt, view, hand, count))
        case "slots":
            return _slots(prompt, view, hand, count)
        case "arrange":
            return _arrange(prompt, hand, count)


def _seat(prompt: Prompt, view: View) -> PickSeat:
    """The item that counts most is stolen; the next seat's hand is looked at."""
    near = sorted(prompt.seats, key=lambda seat: (seat - (view.me or 0)) % len(view.seats))
    if prompt.what == "look":
        return PickSeat(seat=near[0])
    values = {seat.seat: item_of(seat.item).value for seat in view.seats if seat.item is not None}
    return PickSeat(seat=max(near, key=lambda seat: values.get(seat, 0)))


def _suit(prompt: Prompt, view: View, hand: tuple[CardId, ...], count: Count) -> str:
    """The suit whose unseen cards would help the hand most on average."""
    seen = {*hand, *view.discards, *(card for seat in view.seats for card in seat.holds)}
    unseen = [card for card in deck(view.options) if card not in seen]
    gains: dict[str, list[int]] = {}
    for card in unseen:
        gains.setdefault(CARDS[card].suit.value, []).append(count((*hand, card)))
    return max(prompt.suits, key=lambda suit: sum(gains[suit]) / len(gains[suit]) if suit in gains else -(10**6))


def _cards(prompt: Prompt, view: View, hand: tuple[CardId, ...], count: Count) -> tuple[CardId, ...]:
    if prompt.what in ("junk", "aside"):
        return (max(prompt.cards, key=lambda item: item_of(item).value),)
    if prompt.what == "bargain":
        return _bargain(prompt, view.shown[0].card, hand, count)
    by_use = sorted(prompt.cards, key=lambda card: count((*hand, card)))
    return tuple(by_use[: prompt.most] if prompt.what == "bury" else by_use[::-1][: prompt.most])


def _bargain(prompt: Prompt, own: CardId, hand: tuple[CardId, ...], count: Count) -> tuple[CardId, ...]:
    """The best offered card if it is better than the own one; a card that is worth nothing is discarded."""
    offered = [card for card in prompt.cards if card != own]
    best = max(offered, key=lambda card: count((*hand, card)), default=own)
    kept = count((*hand, own))
    if best != own and count((*hand, best)) > kept:
        return (best,)
    return (own,) if own in prompt.cards and count(hand) >= kept else ()


def _slots(prompt: Prompt, view: View, hand: tuple[CardId, ...], count: Count) -> FantasyMove:
    cards = {slot: face for slot, face in zip(prompt.slots, prompt.faces, strict=True) if face is not None}
    match prompt.what:
        case "top":
            return PickSlots(slots=(max(cards, key=lambda slot: (_replaced(hand, cards[slot], count), cards[slot])),))
        case "copy":
            ways = {
                move: cards[move.slots[0]] for move in to_prompt(view) if isinstance(move, PickSlots) and move.slots
            }
            return min(ways, key=lambda move: item_of(ways[move]).value, default=PickSlots(slots=()))
        case "show-suit":
            return to_prompt(view)[0]
        case "offer":
            return PickSlots(slots=_offer(prompt, view.shown[0].card, cards, count))
    return PickSlots(slots=_least_missed(cards, prompt.least, count))


def _offer(prompt: Prompt, ware: CardId, cards: dict[SlotId, CardId], count: Count) -> tuple[SlotId, ...]:
    """The cards for which the shown one would be a gain, the best exchange first."""
    now = count(tuple(cards.values()))
    after = {slot: count((*(card for other, card in cards.items() if other != slot), ware)) for slot in cards}
    better = sorted((slot for slot in cards if after[slot] > now), key=lambda slot: -after[slot])
    return tuple(better[: prompt.most])


def _least_missed(cards: dict[SlotId, CardId], size: int, count: Count) -> tuple[SlotId, ...]:
    """So many cards, without which the hand counts most."""

    def left(gone: tuple[SlotId, ...]) -> int:
        return count(tuple(card for slot, card in cards.items() if slot not in gone))

    return max(itertools.combinations(cards, size), key=left)


def _arrange(prompt: Prompt, hand: tuple[CardId, ...], count: Count) -> Arrange:
    """The best card is kept, the others go under the deck: nobody shall draw what was looked at."""
    cards = {slot: face for slot, face in zip(prompt.slots, prompt.faces, strict=True) if face is not None}
    keep = max(cards, key=lambda slot: (_replaced(hand, cards[slot], count), cards[slot]))
    return Arrange(keep=keep, top=(), bottom=tuple(slot for slot in prompt.slots if slot != keep))


def _replaced(hand: tuple[CardId, ...], card: CardId, count: Count) -> int:
    """What the hand counts with this card, once another one is discarded."""
    full = (*hand, card)
    return max(count(tuple(other for other in full if other != gone)) for gone in full)
