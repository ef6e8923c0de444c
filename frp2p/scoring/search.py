"""The best choices of a hand, exactly.

Doppelgänger, Mirage, Shapeshifter and Book of Changes are tried in the order of the rules, one loop inside the other;
for each way, Island and Angel. Only choices that no card of the hand could tell from another one that is tried are left
out (notice.py), those of Island and Angel that can change nothing, and those whose limit (limit.py) shows that they
can't become the best.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal, NamedTuple, TypeAlias

from frp2p.cards import CARDS, CardId, PhoenixOption, Suit, deck
from frp2p.scoring.blanking import mortal, survey
from frp2p.scoring.cast import Cast
from frp2p.scoring.ceiling import Ceiling, bonuses, ceiling
from frp2p.scoring.choices import Choices, Guise
from frp2p.scoring.context import Context
from frp2p.scoring.endings import Ending, endings
from frp2p.scoring.notice import Notice
from frp2p.scoring.resolve import active_penalties, add, resolve
from frp2p.scoring.traits import NAME_TRAIT, SUIT_TRAIT, SUITS, Mask, Trait

ISLAND_TRAITS = tuple(SUIT_TRAIT[suit] for suit in (Suit.FLOOD, Suit.FLAME))

CODES = tuple(suit.value for suit in SUITS)

LOWEST = -(10**9)
"""Below the points of any hand."""

FAMILIES_KEPT = 12
"""Decks whose families are kept: all that the options allow."""

Rank: TypeAlias = tuple[int, int, int, int]
"""(choices used, place of the guises, number of the way to use Book of Changes, place of the ending): of equal totals
the way with the lower rank is kept."""

FIRST: Rank = (0, 0, 0, 0)
"""Before all others."""

Wild: TypeAlias = Literal["mirage", "shapeshifter"]


@lru_cache(maxsize=FAMILIES_KEPT)
def _families(extra_suits: bool, jester: bool, phoenix: PhoenixOption) -> dict[Suit, list[tuple[CardId, Trait]]]:
    """By suit, (id, name) of the cards of the deck with these options."""
    families: dict[Suit, list[tuple[CardId, Trait]]] = {suit: [] for suit in SUITS}
    for card_id in deck(extra_suits=extra_suits, jester=jester, phoenix=phoenix):
        card = CARDS[card_id]
        families[card.suit].append((card_id, NAME_TRAIT[card.en]))
    return families


def family_of(suit: Suit, context: Context) -> list[tuple[CardId, Trait]]:
    """(id, name) of the cards of this suit in the deck in use."""
    return _families(context.extra_suits, context.jester, context.phoenix)[suit]


class Part(NamedTuple):
    """One way to use a Mirage or Shapeshifter."""

    guise: Guise
    suit: Trait
    name: Trait


class Guises(NamedTuple):
    """How Doppelgänger (position of the card that it copies), Mirage and Shapeshifter are used. `used`: how many of the
    three are. `place`: its place among all that are tried, simplest first."""

    copied: int | None
    mirage: Part | None
    shapeshifter: Part | None
    ceiling: Ceiling
    used: int
    place: int


class Search:
    """One search. `total` and `choices` are the best found; of equals, the one with fewer choices, then the first in
    a fixed order of all ways (cards by id), whatever the order of the hand. With `above` only totals above it are
    looked for; where there is none, `total` stays what `above` was.

    What it took: `boards`, ways to use the first four; `settled`, how often blanking had to be worked out; `sums`, how
    often a hand was added up."""

    def __init__(self, hand: Sequence[CardId], context: Context, above: int = LOWEST) -> None:
        self.hand = tuple(sorted(hand))
        self.context = context
        self.cast = Cast(self.hand, context)
        self.total = above
        self.choices = Choices()
        self._rank: Rank = FIRST
        self._endings: dict[object, list[Ending]] = {}  # by all that they depend on; at most one for each board
        self._angel = 1 << self.cast.abilities["angel"] if "angel" in self.cast.abilities else 0
        self._book_suits: list[Trait] = []
        self._book: tuple[CardId, str] | None = None
        self.boards = self.settled = self.sums = 0

    def run(self) -> None:
        """Fill `total` and `choices`."""
        cast = self.cast
        if not cast.abilities:
            self.total = max(self.total, resolve(cast, 0, 0))
            return
        self.notice = Notice(self.hand, self.context.house)
        if "book" in cast.abilities:
            self._book_suits = [SUIT_TRAIT[suit] for suit in self.context.real_suits()]
            if self.context.house.book_wild:
                self._book_suits.append(SUIT_TRAIT[Suit.WILD])
        for guises in sorted(self._all_guises(), key=lambda one: -one.ceiling.total):
            if not self._hopeless(guises.ceiling.total, (guises.used, guises.place)):
                self._try(guises)

    def _hopeless(self, limit: int, rank: tuple[int, ...]) -> bool:
        """Whether nothing with this limit, at this rank or later, can replace the best."""
        return limit < self.total or (limit == self.total and rank >= self._rank)

    # Doppelgänger, Mirage, Shapeshifter

    def _all_guises(self) -> list[Guises]:
        """Every telling way to use the three, in order, with its limit."""
        found: list[Guises] = []
        parts = {ability: self._parts_of(ability) for ability in ("mirage", "shapeshifter")}
        for copied in self._copyable():
            self._copy(copied)
            for mirage in self._telling("mirage", parts["mirage"]):
                self._disguise("mirage", mirage)
                for shapeshifter in self._telling("shapeshifter", parts["shapeshifter"]):
                    self._disguise("shapeshifter", shapeshifter)
                    limit = ceiling(self.cast, self._angel, self._book_suits)
                    used = sum(part is not None for part in (copied, mirage, shapeshifter))
                    found.append(Guises(copied, mirage, shapeshifter, limit, used, len(found)))
                self._disguise("shapeshifter", None)
            self._disguise("mirage", None)
            self._copy(None)
        return found

    def _copyable(self) -> list[int | None]:
        """Whom Doppelgänger may copy. A copied wild card would be as wild as the Doppelgänger itself."""
        at = self.cast.abilities.get("doppelganger")
        if at is None:
            return [None]
        return [None, *(source for source, one in enumerate(self.cast.faces) if source != at and not one.takes)]

    def _copy(self, source: int | None) -> None:
        """Doppelgänger is a copy of this card; None: itself again."""
        cast = self.cast
        at = cast.abilities.get("doppelganger")
        if at is None:
            return
        if cast.penalties and cast.penalties[-1][0] == 1 << at:
            cast.penalties.pop()
        cast.copy_card(at, at if source is None else source)

    def _disguise(self, ability: Wild, part: Part | None) -> None:
        """The wild card takes this part; None: itself again."""
        cast = self.cast
        at = cast.abilities.get(ability)
        if at is not None:
            cast.set_suit(at, cast.faces[at].suit if part is None else part.suit)
            cast.set_name(at, cast.faces[at].name if part is None else part.name)

    def _parts_of(self, ability: Wild) -> list[Part]:
        """Every noticed name of every suit that the wild card may take, and for each suit one name that nobody notices
        and no card of the hand has (where there is none, the plain suit)."""
        at = self.cast.abilities.get(ability)
        if at is None:
            return []
        signs, names = self.notice.names, self.cast.board.names
        parts = []
        for suit in self.cast.faces[at].takes:
            trait = SUIT_TRAIT[suit]
            family = family_of(suit, self.context)
            parts += [Part(guise, trait, name) for guise, name in family if signs[name]]
            fresh = [Part(guise, trait, name) for guise, name in family if not signs[name] and name not in names]
            parts.append(fresh[0] if fresh else Part(suit.value, trait, names[at]))
        return parts

    def _telling(self, ability: Wild, parts: list[Part]) -> list[Part | None]:
        """None, and those of the parts that some card can tell from each other and from the wild card as it is."""
        at = self.cast.abilities.get(ability)
        found: list[Part | None] = [None]
        if at is None:
            return found
        held, notice, bit = self.cast.board.held, self.notice, 1 << at
        names = self.cast.board.names
        suits, compare = notice.compares_suits, notice.compares_names
        wild = self.cast.faces[at].suit
        seen = {(wild if suits and held[wild] & ~bit else -1, notice.suits(names[at])[wild], 0, False)}
        for part in parts:
            key = (
                part.suit if suits and held[part.suit] & ~bit else -1,
                notice.suits(part.name)[part.suit],
                notice.names[part.name],
                compare and part.name in names,
            )
            if key not in seen:
                seen.add(key)
                found.append(part)
        return found

    # Book of Changes, Island, Angel

    def _try(self, guises: Guises) -> None:
        """All ways to use the other three with these guises."""
        cast = self.cast
        self._copy(guises.copied)
        self._disguise("mirage", guises.mirage)
        self._disguise("shapeshifter", guises.shapeshifter)
        self._try_board(guises, guises.used, guises.ceiling.bonus)
        book = cast.abilities.get("book")
        if book is not None:
            for at, card_id in enumerate(self.hand):
                if at != book and not cast.aloof >> at & 1:
                    self._try_book(guises, at, card_id)

    def _try_book(self, guises: Guises, at: int, card_id: CardId) -> None:
        """Every telling suit for this card."""
        cast, limit, used = self.cast, guises.ceiling, guises.used + 1
        before = cast.suits[at]
        for suit in self._telling_suits(at):
            if not self._hopeless(limit.strength + limit.moved[suit], (used, guises.place)):
                cast.set_suit(at, suit)
                self._book = (card_id, CODES[suit])
                self._try_board(guises, used, limit.moved[suit])
        cast.set_suit(at, before)
        self._book = None

    def _telling_suits(self, at: int) -> list[Trait]:
        """The suits for Book of Changes that some card can tell from each other, and from the suit that it has.

        A wild card whose name nobody notices is not asked twice: it could have taken the suits of its family at once,
        and for the other suits it need not have taken a part before.
        """
        held, others, name = self.cast.board.held, ~(1 << at), self.cast.board.names[at]
        signs = self.notice.suits(name)
        before, face = self.cast.suits[at], self.cast.faces[at]
        compare = self.notice.compares_suits
        tried = self._book_suits
        if face.takes and not self.notice.names[name]:
            if before != face.suit:
                return []
            tried = [suit for suit in tried if SUITS[suit] not in face.takes]
        seen = {(before if compare and held[before] & others else -1, signs[before])}
        found = []
        for suit in tried:
            key = (suit if suit in face.also or (compare and held[suit] & others) else -1, signs[suit])
            if key not in seen:
                seen.add(key)
                found.append(suit)
        return found

    def _try_board(self, guises: Guises, used: int, most: int) -> None:
        """All ways to use Island and Angel with the hand as it is now. `used`: how many choices were made before;
        `most`: bonuses can't bring more."""
        cast, board = self.cast, self.cast.board
        self.boards += 1
        active = active_penalties(cast, 0)
        deeds = survey(cast, active, self._angel)
        clearable = [bit for bit, _ in active if bit & self._island()]
        key = (guises.copied, tuple(active), deeds, tuple(clearable))
        found = self._endings.get(key)
        strength = guises.ceiling.strength if found is None else found[0].strength
        if self._hopeless(strength + most, (used, guises.place)):
            return
        brought = bonuses(cast, active, mortal(deeds))
        bonus = sum([one for _, one in brought])
        if found is None:
            if self._hopeless(strength + bonus, (used, guises.place)):
                return
            self.settled += 1
            found = self._endings[key] = endings(cast, active, deeds, clearable)
        for ending in found:
            if ending.strength + bonus < self.total:
                return
            alive = ending.alive
            rank = (used + ending.used, guises.place, self.boards, ending.place)
            if not self._hopeless(ending.strength + sum([one for bit, one in brought if bit & alive]), rank):
                board.alive, board.seen = alive, ending.seen
                self.sums += 1
                total = add(cast, ending.active)
                if not self._hopeless(total, rank):
                    self.total, self._rank = total, rank
                    self.choices = self._choices(guises, ending)

    def _island(self) -> Mask:
        """The cards that Island may choose."""
        held = self.cast.board.held
        return held[ISLAND_TRAITS[0]] | held[ISLAND_TRAITS[1]] if "island" in self.cast.abilities else 0

    def _choices(self, guises: Guises, ending: Ending) -> Choices:
        """The choices that these ways come to, with Book of Changes as it is now."""
        island, angel = ending.island, ending.angel
        return Choices(
            doppelganger=None if guises.copied is None else self.hand[guises.copied],
            mirage=None if guises.mirage is None else guises.mirage.guise,
            shapeshifter=None if guises.shapeshifter is None else guises.shapeshifter.guise,
            book=self._book,
            island=self.hand[island.bit_length() - 1] if island else None,
            angel=self.hand[angel.bit_length() - 1] if angel else None,
        )
