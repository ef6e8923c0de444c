"""Which choices the owner of a hand may make. Choices arrive from peers: everything about them is checked here."""

from __future__ import annotations

from collections.abc import Sequence

from frp2p.cards import CARDS, CardId, Suit, card
from frp2p.cards.effects import Aloof, ClearsChosen, TakesCard, TakesName
from frp2p.cards.notation import clean, shown_name
from frp2p.errors import Frp2pError
from frp2p.locale import _
from frp2p.scoring.cast import Cast
from frp2p.scoring.choices import Choices, Guise
from frp2p.scoring.context import Context
from frp2p.scoring.face import Ability, face
from frp2p.scoring.traits import SUIT_TRAIT


class IllegalChoices(Frp2pError):
    """These choices aren't possible with this hand."""

    code = "illegal-choices"


def ability_of(card_id: CardId) -> Ability | None:
    """The field of Choices that this card lets its owner fill; None for most cards."""
    return face(card_id, Context().house).ability


def choosers(hand: Sequence[CardId]) -> tuple[CardId, ...]:
    """The cards of the hand that ask for a choice at the end, in hand order. (The Necromancer's pick comes before.)"""
    return tuple(card_id for card_id in hand if ability_of(card_id) is not None)


def necromancer_may_take(card_id: CardId, *, extra_suits: bool = False) -> bool:
    """Whether the Necromancer may take this card out of the discard area, by its printed suit."""
    necromancer = card(CardId("CH20" if extra_suits else "FR28"))
    return any(isinstance(effect, TakesCard) and card(card_id).suit in effect.suits for effect in necromancer.bonus)


def check_hand(hand: Sequence[CardId]) -> None:
    """Raise IllegalChoices for a card that doesn't exist or is there twice."""
    for card_id in hand:
        if card_id not in CARDS:
            raise IllegalChoices(_("There is no card {card}.").format(card=clean(card_id)), code="unknown-card")
    if len(set(hand)) != len(hand):
        raise IllegalChoices(_("A card is in the hand twice."), code="duplicate-card")


def check_choices(hand: Sequence[CardId], choices: Choices, context: Context) -> None:
    """Raise IllegalChoices unless the owner of this hand may choose so."""
    check_hand(hand)
    if not choices.count():
        return
    given: dict[Ability, object] = {
        "doppelganger": choices.doppelganger,
        "mirage": choices.mirage,
        "shapeshifter": choices.shapeshifter,
        "book": choices.book,
        "island": choices.island,
        "angel": choices.angel,
    }
    owners = {ability_of(card_id): card_id for card_id in hand}
    for ability, chosen in given.items():
        if chosen is not None and ability not in owners:
            raise IllegalChoices(_("No card of the hand asks for this choice."), code="choice-without-card")
    if choices.doppelganger is not None:
        _check_other(hand, owners["doppelganger"], choices.doppelganger)
    if choices.mirage is not None:
        _check_guise(owners["mirage"], choices.mirage, context)
    if choices.shapeshifter is not None:
        _check_guise(owners["shapeshifter"], choices.shapeshifter, context)
    if choices.book is not None:
        _check_book(hand, owners["book"], choices.book, context)
    if choices.island is not None:
        _check_island(hand, owners["island"], choices.island, choices, context)
    if choices.angel is not None:
        _check_other(hand, owners["angel"], choices.angel)


def _check_other(hand: Sequence[CardId], owner: CardId, chosen: CardId) -> None:
    if chosen not in hand or chosen == owner:
        sentence = _("{name} needs another card of the hand.").format(name=shown_name(owner))
        raise IllegalChoices(sentence, code="choice-not-in-hand")


def _check_guise(owner: CardId, guise: Guise, context: Context) -> None:
    wanted = takes(owner)
    if guise in CARDS:
        if CardId(guise) not in context.deck():
            sentence = _("{name} is not in this game.").format(name=shown_name(CardId(guise)))
            raise IllegalChoices(sentence, code="choice-not-in-game")
        suit: str = card(CardId(guise)).suit
    else:
        suit = guise
    if suit not in wanted:
        sentence = _("{name} can't become a card of that suit.").format(name=shown_name(owner))
        raise IllegalChoices(sentence, code="choice-wrong-suit")


def takes(owner: CardId) -> tuple[Suit, ...]:
    """The suits whose cards this wild card may become."""
    return tuple(suit for effect in card(owner).bonus if isinstance(effect, TakesName) for suit in effect.suits)


def _check_book(hand: Sequence[CardId], owner: CardId, book: tuple[CardId, str], context: Context) -> None:
    _check_other(hand, owner, book[0])
    if any(isinstance(effect, Aloof) for effect in card(book[0]).bonus):
        raise IllegalChoices(_("{name} can't be changed.").format(name=shown_name(book[0])), code="choice-immune")
    allowed = [suit.value for suit in context.real_suits()] + ([Suit.WILD.value] if context.house.book_wild else [])
    if book[1] not in allowed:
        sentence = _("{name} can't give that suit.").format(name=shown_name(owner))
        raise IllegalChoices(sentence, code="choice-wrong-suit")


def _check_island(hand: Sequence[CardId], owner: CardId, chosen: CardId, choices: Choices, context: Context) -> None:
    """The card must be one of the suits that Island clears, after wild cards and Book of Changes."""
    if chosen not in hand:
        sentence = _("{name} needs a card of the hand.").format(name=shown_name(owner))
        raise IllegalChoices(sentence, code="choice-not-in-hand")
    cast = Cast(hand, context)
    cast.choose(choices)
    bit = 1 << cast.at(chosen)
    suits = [suit for effect in card(owner).bonus if isinstance(effect, ClearsChosen) for suit in effect.suits]
    if not any(cast.board.held[SUIT_TRAIT[suit]] & bit for suit in suits):
        sentence = _("{name} has none of the right suits.").format(name=shown_name(chosen))
        raise IllegalChoices(sentence, code="choice-wrong-suit")
