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
from frp2p.scoring.blanking import doomed, lonely
from frp2p.scoring.cast import Cast
from frp2p.scoring.choices import Choices, Guise
from frp2p.scoring.context import Context
from frp2p.scoring.notice import Notice
from frp2p.scoring.resolve import active_penalties, resolve
from frp2p.scoring.traits import NAME_TRAIT, SUIT_TRAIT, SUITS, Mask, Trait, positions

ISLAND_TRAITS = tuple(SUIT_TRAIT[suit] for suit in (Suit.FLOOD, Suit.FLAME))

LOWEST = -(10**9)
"""Below the points of any hand."""

FAMILIES_KEPT = 12
"""Decks whose families are kept: all that the options allow."""

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
    """How Doppelgänger (position of the card that it copies), Mirage and Shapeshifter are used. `limit`: no score of
    the hand with these is above it. `place`: its place among all that are tried, simplest first."""

    copied: int | None
    mirage: Part | None
    shapeshifter: Part | None
    limit: int
    place: int

    def used(self) -> int:
        """How many of the three are used."""
        return sum(part is not None for part in (self.copied, self.mirage, self.shapeshifter))


class Search:
    """One search. `total` and `choices` are the best found; of equals, the one with fewer choices, then the first in
    a fixed order of all ways (cards by id), whatever the order of the hand."""

    def __init__(self, hand: Sequence[CardId], context: Context) -> None:
        self.hand = tuple(sorted(hand))
        self.context = context
        self.cast = Cast(self.hand, context)
        self.total = LOWEST
        self.choices = Choices()
        self._rank = (0, 0)  # (count, place) of the best
        self._lowest = min(self.cast.board.strengths, default=0)
        self._bonuses: dict[Mask, int] = {}  # what limit() found, by card
        self._mortal: Mask = 0
        self._limit = 0
        self._wary = [(bit, limits) for bit, limits in self.cast.limits if self.cast.faces[bit.bit_length() - 1].wary]
        self._now = Guises(None, None, None, 0, 0)
        self._book: tuple[CardId, str] | None = None

    def run(self) -> None:
        """Fill `total` and `choices`."""
        cast = self.cast
        if not cast.abilities:
            self.total = resolve(cast, 0, 0)
            return
        self.notice = Notice(self.hand, self.context.house)
        self._book_suits = [SUIT_TRAIT[suit] for suit in self.context.real_suits()]
        if self.context.house.book_wild:
            self._book_suits.append(SUIT_TRAIT[Suit.WILD])
        for guises in sorted(self._all_guises(), key=lambda one: -one.limit):
            if not self._hopeless(guises.limit, guises.used(), guises.place):
                self._try(guises)

    def _hopeless(self, limit: int, count: int, place: int) -> bool:
        """Whether nothing with this limit, this many choices or more, at this place, can replace the best."""
        return limit < self.total or (limit == self.total and (count, place) >= self._rank)

    def limit(self, spare: int) -> int:
        """What the hand as it is now can bring at most; `spare`: with Book of Changes to come."""
        cast = self.cast
        board = cast.board
        full = board.full
        board.alive = board.seen = full
        owners = mortal = 0
        for bit, penalty, _ in cast.penalties:
            owners |= bit
            for target in penalty.targets:
                mortal |= target.find(board.held, bit, full)
            if penalty.clauses:
                mortal |= bit
            for effect in penalty.alone:
                mortal |= full if spare else lonely(cast, effect)
        board.penalised = owners
        board.doomed = 0
        board.slack = mortal.bit_count() + spare
        total = sum(board.strengths)
        if self._lowest < 0:
            total -= sum(board.strengths[at] for at in positions(full if spare else mortal) if board.strengths[at] < 0)
        for bit, limits in cast.limits:
            bonus = 0
            for limit in limits:
                bonus += limit(board, bit, spare)
            self._bonuses[bit] = bonus
            total += bonus
        self._mortal, self._limit = mortal, total
        return total

    def limit_without(self, doom: Mask, gains: dict[int, int]) -> int:
        """What `limit(0)` found a moment ago, if these cards (with their gains) bring nothing, unless one is saved."""
        board, bonuses = self.cast.board, self._bonuses
        board.doomed = doom
        board.slack = (self._mortal & ~doom).bit_count()
        total = self._limit - sum(gains.values())
        for bit, limits in self._wary:
            if not bit & doom:
                total += sum(limit(board, bit, 0) for limit in limits) - bonuses[bit]
        return total

    def gain(self, at: int) -> int:
        """What this card brought to the limit."""
        return max(0, self.cast.board.strengths[at]) + self._bonuses.get(1 << at, 0)

    # Doppelgänger, Mirage, Shapeshifter

    def _all_guises(self) -> list[Guises]:
        """Every telling way to use the three, in order, with its limit."""
        cast = self.cast
        spare = 1 if "book" in cast.abilities else 0
        found: list[Guises] = []
        parts = {ability: self._parts_of(ability) for ability in ("mirage", "shapeshifter")}
        for copied in self._copyable():
            self._copy(copied)
            for mirage in self._telling("mirage", parts["mirage"]):
                self._disguise("mirage", mirage)
                for shapeshifter in self._telling("shapeshifter", parts["shapeshifter"]):
                    self._disguise("shapeshifter", shapeshifter)
                    found.append(Guises(copied, mirage, shapeshifter, self.limit(spare), len(found)))
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
        signs, names = self.notice.signs, self.cast.board.names
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
                found.append(part)
        return found

    # Book of Changes, Island, Angel

    def _try(self, guises: Guises) -> None:
        """All ways to use the other three with these guises."""
        cast = self.cast
        self._copy(guises.copied)
        self._disguise("mirage", guises.mirage)
        self._disguise("shapeshifter", guises.shapeshifter)
        self._now = guises
        self._try_island(guises.used())
        book = cast.abilities.get("book")
        if book is not None:
            for at, card_id in enumerate(self.hand):
                if at != book and not cast.aloof >> at & 1:
                    self._try_book(at, card_id)
        self._disguise("mirage", None)
        self._disguise("shapeshifter", None)
        self._copy(None)

    def _try_book(self, at: int, card_id: CardId) -> None:
        """Every telling suit for this card."""
        cast = self.cast
        before = cast.suits[at]
        for suit in self._telling_suits(at):
            cast.set_suit(at, suit)
            self._book = (card_id, SUITS[suit].value)
            self._try_island(self._now.used() + 1)
        cast.set_suit(at, before)
        self._book = None

    def _telling_suits(self, at: int) -> list[Trait]:
        """The suits for Book of Changes that some card can tell from each other, and from the suit that it has.

        A wild card whose name nobody notices is not asked twice: it could have taken the suits of its family at once,
        and for the other suits it need not have taken a part before.
        """
        held, signs, others = self.cast.board.held, self.notice.signs, ~(1 << at)
        before, face = self.cast.suits[at], self.cast.faces[at]
        compare = self.notice.compares_suits
        tried = self._book_suits
        if face.takes and not signs[self.cast.board.names[at]]:
            if before != face.suit:
                return []
            tried = [suit for suit in tried if SUITS[suit] not in face.takes]
        seen = {(before if compare and held[before] & others else -1, signs[before])}
        found = []
        for suit in tried:
            key = (suit if suit in face.also or (compare and held[suit] & others) else -1, signs[suit])
            if key not in seen and suit != before:
                seen.add(key)
                found.append(suit)
        return found

    def _try_island(self, count: int) -> None:
        """With and without Island; `count`: the choices made before."""
        cast = self.cast
        limit = self.limit(0)
        if self._hopeless(limit, count, self._now.place):
            return
        self._try_angel(0, limit, count)
        if "island" in cast.abilities:
            held = cast.board.held
            owners = sum(bit for bit, _, _ in cast.penalties)
            for at in positions((held[ISLAND_TRAITS[0]] | held[ISLAND_TRAITS[1]]) & owners):
                self._try_angel(1 << at, limit, count + 1)

    def _try_angel(self, island: Mask, limit: int, count: int) -> None:
        """With and without Angel's choice. It matters only for cards that are blanked or would blank others if they
        weren't stopped."""
        cast, place = self.cast, self._now.place
        if self._hopeless(limit, count, place):
            return
        at = cast.abilities.get("angel")
        if at is None:
            self._offer(resolve(cast, island, 0), count, island, 0)
            return
        own, board = 1 << at, cast.board
        doom = doomed(cast, active_penalties(cast, island), own)
        gains = {}
        if doom:
            gains = {chosen: self.gain(chosen) for chosen in positions(doom)}
            limit = self.limit_without(doom, gains)
        if self._hopeless(limit, count, place):
            candidates = list(gains)
        else:
            self._offer(resolve(cast, island, own), count, island, 0)
            candidates = positions(((board.full & ~board.alive) | board.threatened) & ~own)
        for chosen in candidates:
            if not self._hopeless(limit + gains.get(chosen, 0), count + 1, place):
                self._offer(resolve(cast, island, own | 1 << chosen), count + 1, island, 1 << chosen)

    def _offer(self, total: int, count: int, island: Mask, angel: Mask) -> None:
        """Keep this way if it is better than the best so far."""
        now = self._now
        rank = (count, now.place)
        if total < self.total or (total == self.total and rank >= self._rank):
            return
        self.total, self._rank = total, rank
        self.choices = Choices(
            doppelganger=None if now.copied is None else self.hand[now.copied],
            mirage=None if now.mirage is None else now.mirage.guise,
            shapeshifter=None if now.shapeshifter is None else now.shapeshifter.guise,
            book=self._book,
            island=self.hand[island.bit_length() - 1] if island else None,
            angel=self.hand[angel.bit_length() - 1] if angel else None,
        )
