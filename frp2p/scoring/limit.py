"""The most that an effect can still bring, so that the search can leave out what can't become the best.

A limit is taken on a board with every card alive. It holds whatever is blanked or cleared afterwards, and if `spare` is
1 also for whatever suit Book of Changes gives to one card. The cards of `board.doomed` are blanked, except one that
Angel may save; of the others `board.slack` at most are blanked or moved. Most bonuses only grow with the cards that are
there; those that don't have a limit of their own here. Limits are bounds, not rules: they need not be sharp, only never
too low.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from frp2p.cards import effects as data
from frp2p.cards.effects import Effect, Look
from frp2p.scoring.board import Board
from frp2p.scoring.traits import SUIT_TRAIT, SUITS, Mask, Trait, positions
from frp2p.scoring.worth import MAKERS, by_length, traits_of

Limit: TypeAlias = Callable[[Board, Mask, int], int]


def _gather(board: Board, traits: tuple[Trait, ...]) -> Mask:
    held, mask = board.held, 0
    for trait in traits:
        mask |= held[trait]
    return mask


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
        if boost and (_gather(board, boost) or (spare and boost_movable)):
            return max(plain, boosted) * count
        return plain * count

    return limit


def _with(effect: data.With) -> Limit:
    looks = tuple((traits_of(look), bool(look.suits)) for look in effect.needs)
    points = effect.points

    def limit(board: Board, me: Mask, spare: int) -> int:
        for traits, movable in looks:
            if not (spare and movable) and not _gather(board, traits):
                return 0
        return points

    return limit


def _best_with(effect: data.BestWith) -> Limit:
    limits = tuple(_with(line) for line in effect.lines)
    return lambda board, me, spare: max(limit(board, me, spare) for limit in limits)


def _strengths(look: Look, together: Callable[[list[int]], int]) -> Limit:
    traits = traits_of(look)

    def limit(board: Board, me: Mask, spare: int) -> int:
        mask = _gather(board, traits)
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
        found = _gather(board, traits) & ~board.doomed
        return points if found.bit_count() <= board.slack else 0

    return limit


def _exactly(effect: data.Exactly) -> Limit:
    traits, points, wanted = traits_of(effect.look), effect.points, effect.count

    def limit(board: Board, me: Mask, spare: int) -> int:
        mask = _gather(board, traits)
        least = (mask & ~board.doomed).bit_count() - board.slack
        return points if least <= wanted <= mask.bit_count() + spare else 0

    return limit


def _all_different(effect: data.AllDifferent) -> Limit:
    points, suits = effect.points, len(SUITS)

    def limit(board: Board, me: Mask, spare: int) -> int:
        """The points, less the strengths that are lost for them: of each suit only one card can stay."""
        certain, strengths = board.full & ~board.doomed, board.strengths
        once = several = there = 0
        crowds = []
        for mask in board.held[:suits]:
            mask &= certain
            if mask:
                there += 1
                several |= once & mask
                once |= mask
                if mask & (mask - 1):
                    crowds.append(mask)
        # every card that stays needs a suit for itself
        if certain.bit_count() - there > board.slack:
            return 0
        lost = most = 0
        for mask in crowds:
            # a card of several suits is left out, so that nothing is lost twice
            crowd = sorted(max(0, strengths[at]) for at in positions(mask & ~several))
            if len(crowd) > 1:
                lost += sum(crowd[:-1])
                most = max(most, crowd[-2])
        return max(0, points - lost + (most if spare else 0))

    return limit


def _growing(effect: Effect) -> Limit:
    """For effects that no suit matters to and that only lose when cards are blanked: what they are worth now."""
    worth = MAKERS[type(effect)](effect)
    return lambda board, me, spare: worth(board, me, None)


WARY = (data.Without, data.Exactly, data.AllDifferent)
"""Effects that gain by blanking: their limits ask for `board.doomed` and `board.slack`, the others don't."""

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


def limits(effects: tuple[Effect, ...]) -> tuple[Limit, ...]:
    """The limits of those effects of a bonus that give points."""
    return tuple(_LIMITS[type(effect)](effect) for effect in effects if type(effect) in _LIMITS)
