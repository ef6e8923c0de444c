"""The most that an effect can still bring, so that the search can leave out what can't become the best.

A limit is taken on a board with every card alive. It holds whatever is blanked or cleared afterwards, and if `spare` is
1 also for whatever suit Book of Changes gives to one card. No card but those of `board.mortal` is blanked (and, with
`spare`, the one that moves). Most bonuses only grow with the cards that are
there; those that don't have a limit of their own here. Limits are bounds, not rules: they need not be sharp, only never
too low.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeAlias

from frp2p.cards import Suit
from frp2p.cards import effects as data
from frp2p.cards.effects import Effect, Look
from frp2p.scoring.board import Board
from frp2p.scoring.traits import SUIT_TRAIT, SUITS, Mask, Trait, gather, positions
from frp2p.scoring.worth import MAKERS, by_length, traits_of

Limit: TypeAlias = Callable[[Board, Mask, int], int]


def _each(effect: data.Each) -> Limit:
    traits, movable = traits_of(effect.look), bool(effect.look.suits)
    boost = traits_of(effect.boost) if effect.boost is not None else ()
    boost_movable = effect.boost is not None and bool(effect.boost.suits)
    plain, boosted, other = effect.points, effect.boosted, effect.look.other

    def limit(board: Board, me: Mask, spare: int) -> int:
        held, count = board.held, spare if movable else 0
        for trait in traits:
            mask = held[trait] & ~me if other else held[trait]
            if mask:
                count += mask.bit_count()
        if boost and (gather(board.held, boost) or (spare and boost_movable)):
            return max(plain, boosted) * count
        return plain * count

    return limit


def _with(effect: data.With) -> Limit:
    looks = tuple((traits_of(look), bool(look.suits)) for look in effect.needs)
    points = effect.points

    def limit(board: Board, me: Mask, spare: int) -> int:
        for traits, movable in looks:
            if not (spare and movable) and not gather(board.held, traits):
                return 0
        return points

    return limit


def _best_with(effect: data.BestWith) -> Limit:
    limits = tuple(_with(line) for line in effect.lines)
    return lambda board, me, spare: max(limit(board, me, spare) for limit in limits)


def _strengths(look: Look, together: Callable[[list[int]], int]) -> Limit:
    traits = traits_of(look)

    def limit(board: Board, me: Mask, spare: int) -> int:
        mask = gather(board.held, traits)
        inside = [max(0, board.strengths[at]) for at in positions(mask)]
        if spare:
            inside.append(max((board.strengths[at] for at in positions(board.full & ~mask)), default=0))
        return together(inside)

    return limit


def _first_and_further(effect: data.FirstAndFurther) -> Limit:
    traits = tuple(SUIT_TRAIT[suit] for suit in effect.suits)
    first, further, other = effect.first, effect.further, effect.other

    def limit(board: Board, me: Mask, spare: int) -> int:
        total = spare * max(first, further)
        for trait in traits:
            mask = board.held[trait] & ~me if other else board.held[trait]
            if mask:
                total += first + further * (mask.bit_count() - 1)
        return total

    return limit


def _sets(effect: data.Sets) -> Limit:
    score = by_length(effect.table)

    def limit(board: Board, me: Mask, spare: int) -> int:
        total = more = 0
        for trait in range(len(SUITS)):
            mask = board.held[trait]
            if mask:
                size = len({board.names[at] for at in positions(mask)})
                total += score(size)
                more = max(more, score(size + 1) - score(size))
        return total + more if spare else total

    return limit


def _without(effect: data.Without) -> Limit:
    traits, points = traits_of(effect.look), max(0, effect.points)

    def limit(board: Board, me: Mask, spare: int) -> int:
        sure = gather(board.held, traits) & ~board.mortal
        return points if sure.bit_count() <= spare else 0

    return limit


def _exactly(effect: data.Exactly) -> Limit:
    traits, points, wanted = traits_of(effect.look), effect.points, effect.count

    def limit(board: Board, me: Mask, spare: int) -> int:
        mask = gather(board.held, traits)
        sure = mask & ~board.mortal
        return points if sure.bit_count() - spare <= wanted <= mask.bit_count() + spare else 0

    return limit


def _all_different(effect: data.AllDifferent) -> Limit:
    points, suits = effect.points, len(SUITS)

    def limit(board: Board, me: Mask, spare: int) -> int:
        immortal, clashes = ~board.mortal, 0
        for mask in board.held[:suits]:
            sure = mask & immortal
            if sure & (sure - 1):
                clashes += sure.bit_count() - 1
        return points if clashes <= spare else 0  # one card that moves away ends one clash

    return limit


def _growing(effect: Effect) -> Limit:
    """For effects that no suit matters to and that only lose when cards are blanked: what they are worth now."""
    worth = MAKERS[type(effect)](effect)
    return lambda board, me, spare: worth(board, me, None)


_LIMITS: dict[type[Effect], Callable[..., Limit]] = {
    data.Each: _each,
    data.With: _with,
    data.BestWith: _best_with,
    data.Without: _without,
    data.SumOfStrengths: lambda effect: _strengths(effect.look, sum),
    data.BestStrength: lambda effect: _strengths(effect.look, lambda found: max(found, default=0)),
    data.FirstAndFurther: _first_and_further,
    data.Exactly: _exactly,
    data.Runs: _growing,
    data.Sets: _sets,
    data.AllDifferent: _all_different,
    data.OddStrengths: _growing,
    data.EachPenalty: _growing,
    data.EachPlayer: _growing,
    data.EachDiscard: _growing,
}


_ANY_MOVE = (data.Without, data.Exactly, data.Sets, data.AllDifferent)
"""Effects that may gain by any card that changes its suit, whatever the suit."""


class Bound(NamedTuple):
    """The limit of one effect. `suits`: the suits that a card must get so that the effect may gain by the move."""

    limit: Limit
    suits: tuple[Trait, ...]


def _gaining(effect: Effect) -> Iterator[Suit]:
    """The suits of which one card more may be worth something to the effect."""
    if isinstance(effect, _ANY_MOVE):
        yield from SUITS
    elif isinstance(effect, data.FirstAndFurther):
        yield from effect.suits
    elif isinstance(effect, data.BestWith):
        for line in effect.lines:
            yield from _gaining(line)
    else:
        for look in (getattr(effect, "look", None), getattr(effect, "boost", None), *getattr(effect, "needs", ())):
            if look is not None:
                yield from look.suits


def limits(effects: tuple[Effect, ...]) -> tuple[Bound, ...]:
    """The limits of those effects of a bonus that give points."""
    return tuple(
        Bound(_LIMITS[type(effect)](effect), tuple({SUIT_TRAIT[suit] for suit in _gaining(effect)}))
        for effect in effects
        if type(effect) in _LIMITS
    )
