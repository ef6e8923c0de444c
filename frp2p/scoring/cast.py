"""The hand with its choices made: who plays which part."""

from __future__ import annotations

from collections.abc import Sequence

from frp2p.cards import CARDS, CardId
from frp2p.scoring.board import Board
from frp2p.scoring.choices import Choices, Guise
from frp2p.scoring.context import Context, House
from frp2p.scoring.face import Ability, Face, Penalty, face
from frp2p.scoring.limit import Bound
from frp2p.scoring.traits import NAME_TRAIT, SUIT_TRAIT, Mask, Trait
from frp2p.scoring.worth import Worth

DEFAULT_HOUSE = House()
_PRINTED: dict[str, tuple[Trait, Trait]] = {
    key: (SUIT_TRAIT[card.suit], NAME_TRAIT[card.en]) for key, card in CARDS.items()
}
_FACES: dict[CardId, Face] = {key: face(key, DEFAULT_HOUSE) for key in CARDS}


def discards_of(context: Context) -> tuple[tuple[Trait, Trait], ...]:
    """(suit, name) of each card of the discard area, as printed."""
    return tuple(_PRINTED[card_id] for card_id in context.discard)


def guise_of(guise: Guise) -> tuple[Trait, Trait | None]:
    """(suit, name) that a wild card takes with this guise; no name with a plain suit. KeyError if it is neither."""
    printed = _PRINTED.get(guise)
    return printed if printed is not None else (SUIT_TRAIT[guise], None)


class Cast:
    """Everything that resolution needs, laid out by position of the hand.

    `suits` are the own suits after Book of Changes; `board.held` also has the further ones of the Phoenix. `penalties`:
    (bit, whole, without the word) of every card that has a penalty, a copied one too. `scoring`: (bit, functions) of
    every card whose bonus gives points; `limits`: the same with their limits. `clearing`: (bit, traits or None for all
    cards, only the word). `guarding`: (bit, suits) of cards that keep suits from being blanked. `aloof` and `ghosts`:
    the Phoenix of each printing.
    """

    __slots__ = (
        "abilities",
        "aloof",
        "board",
        "clearing",
        "faces",
        "ghosts",
        "guarding",
        "hand",
        "house",
        "limits",
        "penalties",
        "scoring",
        "suits",
    )

    def __init__(self, hand: Sequence[CardId], context: Context) -> None:
        self.hand = hand
        self.house = context.house
        if context.house == DEFAULT_HOUSE:
            self.faces = [_FACES[card_id] for card_id in hand]
        else:
            self.faces = [face(card_id, context.house) for card_id in hand]
        self.board = board = Board(len(hand), context.players, discards_of(context) if context.discard else ())
        self.suits: list[Trait] = [one.suit for one in self.faces]
        self.abilities: dict[Ability, int] = {}
        self.clearing: list[tuple[Mask, tuple[Trait, ...] | None, bool]] = []
        self.guarding: list[tuple[Mask, tuple[Trait, ...]]] = []
        self.penalties: list[tuple[Mask, Penalty, Penalty]] = []
        self.scoring: list[tuple[Mask, tuple[Worth, ...]]] = []
        self.limits: list[tuple[Mask, tuple[Bound, ...]]] = []
        self.aloof: Mask = 0
        self.ghosts: Mask = 0
        board.names = [one.name for one in self.faces]
        board.strengths = [one.strength for one in self.faces]
        held = board.held
        bit = 1
        for one in self.faces:
            held[one.suit] |= bit
            held[one.name] |= bit
            if one.worths:
                self.scoring.append((bit, one.worths))
                self.limits.append((bit, one.limits))
            if one.penalty is not None:
                self.penalties.append((bit, one.penalty, one.wordless))
            if not one.silent:
                self._add_special(one, bit)
            bit <<= 1

    def _add_special(self, one: Face, bit: Mask) -> None:
        if one.ability is not None:
            self.abilities[one.ability] = bit.bit_length() - 1
        for traits, word in one.clears:
            self.clearing.append((bit, traits, word))
        if one.guards:
            self.guarding.append((bit, one.guards))
        for suit in one.also:
            self.board.held[suit] |= bit
        if one.aloof:
            self.aloof |= bit
        if one.keeps:
            self.ghosts |= bit

    def at(self, card_id: CardId) -> int:
        """Its position; ValueError if it is not in the hand."""
        return self.hand.index(card_id)

    def set_suit(self, at: int, suit: Trait) -> None:
        """The card at this position has this suit now, in place of its own."""
        held, bit, old = self.board.held, 1 << at, self.suits[at]
        if old not in self.faces[at].also:
            held[old] &= ~bit
        held[suit] |= bit
        self.suits[at] = suit

    def set_name(self, at: int, name: Trait) -> None:
        """The card at this position has this name now."""
        board, bit = self.board, 1 << at
        board.held[board.names[at]] &= ~bit
        board.held[name] |= bit
        board.names[at] = name

    def copy_card(self, at: int, source: int) -> None:
        """The card at `at` takes name, strength, suit and penalty of the card at `source`, as they are printed."""
        one = self.faces[source]
        self.set_suit(at, one.suit)
        self.set_name(at, one.name)
        self.board.strengths[at] = one.strength
        if one.penalty is not None:
            self.penalties.append((1 << at, one.penalty, one.wordless))

    def choose(self, choices: Choices) -> None:
        """Carry out the choices that change cards, in the order of the rules. They must be legal."""
        if choices.doppelganger is not None:
            self.copy_card(self.abilities["doppelganger"], self.at(choices.doppelganger))
        if choices.mirage is not None:
            self._disguise(self.abilities["mirage"], choices.mirage)
        if choices.shapeshifter is not None:
            self._disguise(self.abilities["shapeshifter"], choices.shapeshifter)
        if choices.book is not None:
            self.set_suit(self.at(choices.book[0]), SUIT_TRAIT[choices.book[1]])

    def _disguise(self, at: int, guise: Guise) -> None:
        suit, name = guise_of(guise)
        self.set_suit(at, suit)
        if name is not None:  # a card without a name keeps its own here: no effect looks for it, and it is unique
            self.set_name(at, name)
