"""The written names of cards, items and suits: text becomes a card, or an error that says what was perhaps meant.

A name may be written in any case, without accents, in English or Portuguese, as an alias of an older printing, as an id
(`FR31`, `31`), or as any beginning that only one card of the pool has. What a text means depends on the pool (the cards
that may be meant here) and never on the language in use: a line that one person writes reads the same for another.
"""

from __future__ import annotations

import difflib
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from typing import TypeAlias

from frp2p.cards import sets
from frp2p.cards.card import Card, CardId, Item
from frp2p.cards.catalogue import CARDS, item
from frp2p.cards.suits import Suit, suit_name
from frp2p.errors import UserError
from frp2p.locale import LANGUAGES, _, language

MAX_NAME = 64
"""Characters of one written name; the longest printed one has 24."""

SUGGESTIONS = 3
"""Names that an error offers; more would not be read."""

_NEAR = 0.6
"""Similarity (0 to 1, the ratio of difflib) from which a name counts as a slip of another."""

_SHOWN = 40
"""Characters of a strange name that an error repeats."""

_POOLS = 32
"""Name tables kept: a deck for each combination of options, and the hands of the moment."""

Pool: TypeAlias = tuple[CardId, ...]

_EVERYTHING: Pool = (*CARDS, *sets.items())


class NameFault(UserError):
    """This name fits no card.

    Codes: `missing-name`, `unknown-card`, `ambiguous-card`, `card-not-in-play`, `unknown-suit`, `ambiguous-suit`.
    `suggestions` are names in the language in use; `card` is the card that was meant, where it is known and not there.
    """

    def __init__(
        self, message: str, *, code: str, suggestions: tuple[str, ...] = (), card: CardId | None = None
    ) -> None:
        self.suggestions = suggestions
        self.card = card
        super().__init__(message, code=code)


class _Table:
    """Every way to write the members of a pool: folded text -> who is meant."""

    def __init__(self, pool: Pool) -> None:
        self.exact: dict[str, set[CardId]] = {}
        for member in pool:
            for spelling in (*_ids(member), *_names(member)):
                self.exact.setdefault(fold(spelling), set()).add(member)

    def beginning(self, text: str) -> set[CardId]:
        found: set[CardId] = set()
        for spelling, members in self.exact.items():
            if spelling.startswith(text):
                found |= members
        return found

    def near(self, text: str) -> list[CardId]:
        """The members whose names look most like the text, best first."""
        found: list[CardId] = []
        for spelling in difflib.get_close_matches(text, self.exact, n=4 * SUGGESTIONS, cutoff=_NEAR):
            found += [member for member in sorted(self.exact[spelling]) if member not in found]
        return found[:SUGGESTIONS]


@lru_cache(maxsize=_POOLS)
def _table(pool: Pool) -> _Table:
    return _Table(pool)


def fold(text: str) -> str:
    """The text as it is compared: no accents, no case, everything but letters and digits a single space."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(c))
    return " ".join("".join(c if c.isalnum() else " " for c in plain).split())


def named(card_id: CardId) -> Card | Item:
    """The card or cursed item with this id; KeyError if there is none."""
    return CARDS[card_id] if card_id in CARDS else item(card_id)


def shown_name(card_id: CardId) -> str:
    """The name in the language in use."""
    return named(card_id).name(language())


def find_card(text: str, pool: Pool) -> CardId:
    """The card or item of the pool that the text means; NameFault if there is not exactly one.

    An id or a whole name wins over the beginning of another name. The name of a card that two printings share means
    the one of the pool.
    """
    wanted = _folded(text)
    table = _table(pool)
    found = whole_name(text, pool)
    if found is not None:
        return found
    elsewhere = _table(_EVERYTHING).exact.get(wanted)
    if elsewhere:
        raise _not_in_play(min(elsewhere), pool)
    beginning = table.beginning(wanted)
    if beginning:
        return _only(text, beginning)
    elsewhere = _table(_EVERYTHING).beginning(wanted)
    if len(elsewhere) == 1:
        raise _not_in_play(min(elsewhere), pool)
    raise _unknown(text, table.near(wanted))


def find_printings(text: str, pool: Pool) -> tuple[CardId, ...]:
    """As `find_card`, but a name means all printings of the card in the pool."""
    wanted = _folded(text)
    found = _table(pool).exact.get(wanted) or _table(pool).beginning(wanted)
    if len({named(member).en for member in found}) == 1:
        return tuple(sorted(found))
    return (find_card(text, pool),)


def whole_name(text: str, pool: Pool) -> CardId | None:
    """The card of the pool that has exactly this id, name or alias."""
    exact = _table(pool).exact.get(fold(text))
    return _only(text, exact) if exact else None


def find_suit(text: str) -> Suit:
    """The suit that the text means, by code, name or beginning of a name in any language; else NameFault."""
    wanted = _folded(text)
    spellings = _suit_spellings()
    found = whole_suit(text)
    if found is not None:
        return found
    beginning = {suit for spelling, suit in spellings.items() if spelling.startswith(wanted)}
    if len(beginning) == 1:
        return beginning.pop()
    near = [spellings[spelling] for spelling in difflib.get_close_matches(wanted, spellings, SUGGESTIONS, _NEAR)]
    names = tuple(suit_name(suit, language()) for suit in Suit if suit in (beginning or near))
    if beginning:
        meant = either(_suit_as_meant(suit, wanted) for suit in Suit if suit in beginning)
        sentence = _('"{text}" may be {names}.').format(text=clean(text), names=meant)
        raise NameFault(sentence, code="ambiguous-suit", suggestions=names)
    sentence = _('There is no suit "{text}".').format(text=clean(text))
    raise NameFault(_with_hint(sentence, names), code="unknown-suit", suggestions=names)


def whole_suit(text: str) -> Suit | None:
    """The suit that has exactly this code or name in any language."""
    return _suit_spellings().get(fold(text))


def _suit_as_meant(suit: Suit, beginning: str) -> str:
    name = suit_name(suit, language())
    if fold(name).startswith(beginning):
        return name
    other = next(text for text, meant in _suit_spellings().items() if meant is suit and text.startswith(beginning))
    return f"{name} ({other})"


@lru_cache(maxsize=1)
def _suit_spellings() -> dict[str, Suit]:
    return {
        fold(spelling): suit
        for suit in Suit
        for spelling in (suit.value, *(suit_name(suit, tongue) for tongue in LANGUAGES))
    }


def either(names: Iterable[str]) -> str:
    """`A, B or C` in the language in use."""
    return _joined(list(names), _("{names} or {last}"))


def both(names: Iterable[str]) -> str:
    """`A, B and C` in the language in use."""
    return _joined(list(names), _("{names} and {last}"))


def clean(text: str) -> str:
    """The text as an error may repeat it: short, and nothing in it that a terminal obeys."""
    safe = "".join(c if c.isprintable() else "?" for c in " ".join(text[: 4 * _SHOWN].split()))
    return safe if len(safe) <= _SHOWN else safe[: _SHOWN - 3] + "..."


def _joined(names: list[str], last_two: str) -> str:
    if len(names) < 2:
        return "".join(names)
    return last_two.format(names=", ".join(names[:-1]), last=names[-1])


def _folded(text: str) -> str:
    if len(text) > MAX_NAME:
        raise NameFault(_('"{text}" is too long for a name.').format(text=clean(text)), code="unknown-card")
    wanted = fold(text)
    if not wanted:
        raise NameFault(_("A name is missing."), code="missing-name")
    return wanted


def _ids(member: CardId) -> tuple[str, ...]:
    """`FR31` may be written `31`: the cards of the base game and the promos are known by their numbers."""
    return (member, member.removeprefix("FR").lstrip("0")) if member.startswith("FR") else (member,)


def _names(member: CardId) -> tuple[str, ...]:
    this = named(member)
    return (*(this.name(tongue) for tongue in LANGUAGES), *this.aliases)


def _only(text: str, found: set[CardId]) -> CardId:
    if len(found) == 1:
        return min(found)
    names = tuple(_as_meant(member, fold(text)) for member in sorted(found))
    if len(names) > SUGGESTIONS:
        sentence = _('"{text}" may be {names} or another card.').format(
            text=clean(text), names=", ".join(names[:SUGGESTIONS])
        )
    else:
        sentence = _('"{text}" may be {names}.').format(text=clean(text), names=either(names))
    suggestions = tuple(shown_name(member) for member in sorted(found))[:SUGGESTIONS]
    raise NameFault(sentence, code="ambiguous-card", suggestions=suggestions)


def _as_meant(member: CardId, beginning: str) -> str:
    """The shown name, and beside it the other one that has this beginning: `Queen (Rainha)`."""
    name = shown_name(member)
    if fold(name).startswith(beginning):
        return name
    other = next((spelling for spelling in _names(member) if fold(spelling).startswith(beginning)), member)
    return f"{name} ({other})"


def _unknown(text: str, near: list[CardId]) -> NameFault:
    names = tuple(dict.fromkeys(shown_name(member) for member in near))
    sentence = _('Nothing here is called "{text}".').format(text=clean(text))
    return NameFault(_with_hint(sentence, names), code="unknown-card", suggestions=names)


def _with_hint(sentence: str, names: tuple[str, ...]) -> str:
    if not names:
        return sentence
    return _("{sentence} Did you mean {names}?").format(sentence=sentence, names=either(names))


def _not_in_play(member: CardId, pool: Pool) -> NameFault:
    """The card exists, but not here: say which set it belongs to, and which printing is here instead."""
    name = shown_name(member)
    where = set_name(member)
    twin = next((other for other in pool if named(other).en == named(member).en), None)
    if twin is None:
        sentence = _("{name} is not among these cards: it belongs to {set}.").format(name=name, set=where)
        return NameFault(sentence, code="card-not-in-play", card=member)
    sentence = _("{id} is {name} of {set}; here it is {twin}, of {its_set}.").format(
        id=member, name=name, set=where, twin=twin, its_set=set_name(twin)
    )
    return NameFault(sentence, code="card-not-in-play", suggestions=(twin,), card=member)


def set_name(member: CardId) -> str:
    """The box or part of a box that the card comes from, in the language in use."""
    this = named(member)
    if isinstance(this, Item):
        return _("the cursed items")
    if this.home == "promo" and this.replaces is not None:
        return _("the first promo printing")
    return {"base": _("the base game"), "promo": _("the promos"), "hoard": _("the extra suits")}[this.home]
