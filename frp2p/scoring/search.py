"""The best choices of a hand, exactly.

Doppelgänger, Mirage, Shapeshifter and Book of Changes are tried in the order of the rules, one loop inside the other;
for each way, Island and Angel. Only choices that no card of the hand could tell from another one that is tried are left
out (notice.py), and those of Island and Angel that can change nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Literal, NamedTuple

from frp2p.cards import CARDS, CardId, Suit
from frp2p.scoring.cast import Cast
from frp2p.scoring.choices import Choices, Guise
from frp2p.scoring.context import Context
from frp2p.scoring.notice import Notice
from frp2p.scoring.resolve import resolve
from frp2p.scoring.traits import NAME_TRAIT, NAMELESS, SUIT_TRAIT, SUITS, Mask, Trait, positions

ISLAND_TRAITS = tuple(SUIT_TRAIT[suit] for suit in (Suit.FLOOD, Suit.FLAME))

LOWEST = -(10**9)
"""Below the points of any hand."""


class Part(NamedTuple):
    """One way to use a Mirage or Shapeshifter."""

    guise: Guise
    suit: Trait
    name: Trait


class Search:
    """One search. `total` and `choices` are the best found; of equals, the one with fewer choices, then the first in
    catalogue order, whatever the order of the hand."""

    def __init__(self, hand: Sequence[CardId], context: Context) -> None:
        self.hand = tuple(sorted(hand))
        self.context = context
        self.cast = Cast(self.hand, context)
        self.notice = Notice(self.hand, context.house)
        self.total = LOWEST
        self.choices = Choices()
        self._book_suits = [SUIT_TRAIT[suit] for suit in context.real_suits()]
        if context.house.book_wild:
            self._book_suits.append(SUIT_TRAIT[Suit.WILD])
        self._parts = {
            ability: self._parts_of(self.cast.abilities[ability])
            for ability in ("mirage", "shapeshifter")
            if ability in self.cast.abilities
        }
        self._copied: CardId | None = None
        self._guise: dict[str, Guise | None] = {"mirage": None, "shapeshifter": None}
        self._book: tuple[CardId, str] | None = None

    def run(self) -> None:
        """Fill `total` and `choices`."""
        if self.cast.abilities:
            self._try_doppelganger()
        else:
            self.total = resolve(self.cast, 0, 0)

    def _try_doppelganger(self) -> None:
        cast = self.cast
        self._try_wild("mirage", self._try_shapeshifter)
        at = cast.abilities.get("doppelganger")
        if at is None:
            return
        face = cast.faces[at]
        for source, one in enumerate(cast.faces):
            if source == at or one.takes:  # a copied wild card is as wild as the Doppelgänger itself
                continue
            cast.copy_card(at, source)
            self._copied = one.id
            self._try_wild("mirage", self._try_shapeshifter)
            cast.set_suit(at, face.suit)
            cast.set_name(at, face.name)
            cast.board.strengths[at] = face.strength
            if one.penalty is not None:
                cast.penalties.pop()
        self._copied = None

    def _try_shapeshifter(self) -> None:
        self._try_wild("shapeshifter", self._try_book)

    def _try_wild(self, ability: Literal["mirage", "shapeshifter"], then: Callable[[], None]) -> None:
        cast = self.cast
        then()
        at = cast.abilities.get(ability)
        if at is None:
            return
        face = cast.faces[at]
        for part in self._telling(at, self._parts[ability]):
            cast.set_suit(at, part.suit)
            cast.set_name(at, part.name)
            self._guise[ability] = part.guise
            then()
        cast.set_suit(at, face.suit)
        cast.set_name(at, face.name)
        self._guise[ability] = None

    def _parts_of(self, at: int) -> list[Part]:
        """Every noticed name of every suit that the wild card may take, and for each suit one name that nobody notices
        and no card of the hand has (where there is none, the plain suit)."""
        signs, names = self.notice.signs, self.cast.board.names
        deck = [CARDS[card_id] for card_id in self.context.deck()]
        parts = []
        for suit in self.cast.faces[at].takes:
            trait = SUIT_TRAIT[suit]
            family = [(card.id, NAME_TRAIT[card.en]) for card in deck if card.suit is suit]
            parts += [Part(guise, trait, name) for guise, name in family if signs[name]]
            fresh = [Part(guise, trait, name) for guise, name in family if not signs[name] and name not in names]
            parts.append(fresh[0] if fresh else Part(suit.value, trait, NAMELESS))
        return parts

    def _telling(self, at: int, parts: list[Part]) -> Iterator[Part]:
        """Those of the parts that some card can tell from each other, and from the wild card as it is."""
        held, signs, bit = self.cast.board.held, self.notice.signs, 1 << at
        names = self.cast.board.names
        suits, compare = self.notice.compares_suits, self.notice.compares_names
        wild = self.cast.faces[at].suit
        seen = {(wild if suits and held[wild] & ~bit else -1, signs[wild], 0, False)}
        for part in parts:
            key = (
                part.suit if suits and held[part.suit] & ~bit else -1,
                signs[part.suit],
                signs[part.name],
                compare and part.name in names,
            )
            if key not in seen:
                seen.add(key)
                yield part

    def _try_book(self) -> None:
        cast = self.cast
        self._try_island()
        book = cast.abilities.get("book")
        if book is None:
            return
        for at, card_id in enumerate(self.hand):
            if at == book or cast.aloof >> at & 1:
                continue
            before = cast.suits[at]
            for suit in self._telling_suits(at):
                cast.set_suit(at, suit)
                self._book = (card_id, SUITS[suit].value)
                self._try_island()
            cast.set_suit(at, before)
        self._book = None

    def _telling_suits(self, at: int) -> list[Trait]:
        """The suits for Book of Changes that some card can tell from each other, and from the suit that it has."""
        held, signs, others = self.cast.board.held, self.notice.signs, ~(1 << at)
        before, also = self.cast.suits[at], self.cast.faces[at].also
        compare = self.notice.compares_suits
        seen = {(before if compare and held[before] & others else -1, signs[before])}
        found = []
        for suit in self._book_suits:
            key = (suit if suit in also or (compare and held[suit] & others) else -1, signs[suit])
            if key not in seen and suit != before:
                seen.add(key)
                found.append(suit)
        return found

    def _try_island(self) -> None:
        cast = self.cast
        self._try_angel(0)
        if "island" in cast.abilities:
            held = cast.board.held
            targets = (held[ISLAND_TRAITS[0]] | held[ISLAND_TRAITS[1]]) & cast.board.penalised
            for at in positions(targets):
                self._try_angel(1 << at)

    def _try_angel(self, island: Mask) -> None:
        cast = self.cast
        at = cast.abilities.get("angel")
        own = 0 if at is None else 1 << at
        self._offer(resolve(cast, island, own), island, 0)
        if own:
            board = cast.board
            for chosen in positions(((board.full & ~board.alive) | board.threatened) & ~own):
                self._offer(resolve(cast, island, own | 1 << chosen), island, 1 << chosen)

    def _offer(self, total: int, island: Mask, angel: Mask) -> None:
        """Keep this way if it is better than the best so far."""
        if total < self.total:
            return
        choices = Choices(
            doppelganger=self._copied,
            mirage=self._guise["mirage"],
            shapeshifter=self._guise["shapeshifter"],
            book=self._book,
            island=self.hand[island.bit_length() - 1] if island else None,
            angel=self.hand[angel.bit_length() - 1] if angel else None,
        )
        if total > self.total or choices.count() < self.choices.count():
            self.total, self.choices = total, choices
