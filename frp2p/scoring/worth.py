"""What each kind of effect is worth: one small function an effect, made once from its data.

A function takes the settled board, the bit of the card that has the effect, and a list for notes or None; it returns
points. Plain and explained scores call the same function; only the notes differ. A note is (effect, points, causes,
suit); it is left out where the points are 0.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from frp2p.cards import Suit
from frp2p.cards import effects as data
from frp2p.cards.effects import Effect, Look
from frp2p.scoring.board import Board
from frp2p.scoring.traits import NAME_TRAIT, SUIT_TRAIT, SUITS, Mask, Trait, positions

Note: TypeAlias = tuple[Effect, int, Mask, Suit | None]
Notes: TypeAlias = "list[Note] | None"
Worth: TypeAlias = Callable[[Board, Mask, Notes], int]


def traits_of(look: Look) -> tuple[Trait, ...]:
    """All suits and names that it looks for."""
    return tuple(SUIT_TRAIT[suit] for suit in look.suits) + tuple(NAME_TRAIT[name] for name in look.names)


def find(board: Board, traits: tuple[Trait, ...]) -> Mask:
    """The cards that have any of these traits."""
    held = board.held
    mask = 0
    for trait in traits:
        mask |= held[trait]
    return mask & board.seen


def _each(effect: data.Each) -> Worth:
    traits = traits_of(effect.look)
    boost = traits_of(effect.boost) if effect.boost is not None else ()
    plain, boosted, other = effect.points, effect.boosted, effect.look.other

    def worth(board: Board, me: Mask, notes: Notes) -> int:
        held, seen = board.held, board.seen & ~me if other else board.seen
        count = causes = 0
        for trait in traits:
            mask = held[trait] & seen
            if mask:
                count += mask.bit_count()
                causes |= mask
        if not count:
            return 0
        points = plain * count
        if boost:
            booster = find(board, boost)
            if booster:
                points = boosted * count
                causes |= booster
        if notes is not None:
            notes.append((effect, points, causes, None))
        return points

    return worth


def _with(effect: data.With) -> Worth:
    looks = tuple(traits_of(look) for look in effect.needs)
    points = effect.points

    def worth(board: Board, me: Mask, notes: Notes) -> int:
        causes = 0
        for traits in looks:
            mask = find(board, traits)
            if not mask:
                return 0
            causes |= mask
        if notes is not None:
            notes.append((effect, points, causes, None))
        return points

    return worth


def _best_with(effect: data.BestWith) -> Worth:
    lines = tuple(_with(line) for line in effect.lines)

    def worth(board: Board, me: Mask, notes: Notes) -> int:
        for line in lines:
            points = line(board, me, notes)
            if points:
                return points
        return 0

    return worth


def _without(effect: data.Without) -> Worth:
    traits, points = traits_of(effect.look), effect.points

    def worth(board: Board, me: Mask, notes: Notes) -> int:
        if find(board, traits):
            return 0
        if notes is not None:
            notes.append((effect, points, 0, None))
        return points

    return worth


def _sum_of_strengths(effect: data.SumOfStrengths) -> Worth:
    traits = traits_of(effect.look)

    def worth(board: Board, me: Mask, notes: Notes) -> int:
        mask = find(board, traits) & board.alive
        points = sum(board.strengths[at] for at in positions(mask))
        if points and notes is not None:
            notes.append((effect, points, mask, None))
        return points

    return worth


def _best_strength(effect: data.BestStrength) -> Worth:
    traits, other = traits_of(effect.look), effect.look.other

    def worth(board: Board, me: Mask, notes: Notes) -> int:
        best = chosen = 0
        mask = find(board, traits) & board.alive
        for at in positions(mask & ~me if other else mask):
            if board.strengths[at] > best:
                best, chosen = board.strengths[at], 1 << at
        if best and notes is not None:
            notes.append((effect, best, chosen, None))
        return best

    return worth


def _first_and_further(effect: data.FirstAndFurther) -> Worth:
    traits = tuple(SUIT_TRAIT[suit] for suit in effect.suits)
    first, further, other = effect.first, effect.further, effect.other

    def worth(board: Board, me: Mask, notes: Notes) -> int:
        held, seen = board.held, board.seen & ~me if other else board.seen
        total = 0
        for trait in traits:
            mask = held[trait] & seen
            if mask:
                points = first + further * (mask.bit_count() - 1)
                total += points
                if notes is not None:
                    notes.append((effect, points, mask, SUITS[trait]))
        return total

    return worth


def _exactly(effect: data.Exactly) -> Worth:
    traits, points, wanted = traits_of(effect.look), effect.points, effect.count

    def worth(board: Board, me: Mask, notes: Notes) -> int:
        mask = find(board, traits)
        if mask.bit_count() != wanted:
            return 0
        if notes is not None:
            notes.append((effect, points, mask, None))
        return points

    return worth


def by_length(table: tuple[tuple[int, int], ...]) -> Callable[[int], int]:
    """Points of a run or set of this length: the entry of the longest length that is not above it."""
    longest = table[-1][0]
    points = [max((worth for least, worth in table if least <= length), default=0) for length in range(longest + 1)]
    return lambda length: points[min(length, longest)]


def _runs(effect: data.Runs) -> Worth:
    score = by_length(effect.table)

    def worth(board: Board, me: Mask, notes: Notes) -> int:
        by_strength: dict[int, list[int]] = {}
        for at in positions(board.alive):
            by_strength.setdefault(board.strengths[at], []).append(at)
        total = 0
        # As long as can be is the best way to share out cards: points grow faster than length.
        while by_strength:
            strength, length, mask = min(by_strength), 0, 0
            while cards := by_strength.pop(strength, None):
                mask |= 1 << cards.pop()
                if cards:
                    by_strength[strength] = cards
                strength, length = strength + 1, length + 1
            points = score(length)
            total += points
            if points and notes is not None:
                notes.append((effect, points, mask, None))
        return total

    return worth


def _sets(effect: data.Sets) -> Worth:
    score = by_length(effect.table)
    smallest = effect.table[0][0]

    def worth(board: Board, me: Mask, notes: Notes) -> int:
        held, seen, names = board.held, board.seen, board.names
        total = 0
        for trait, suit in enumerate(SUITS):
            mask = held[trait] & seen
            if mask.bit_count() < smallest:
                continue
            points = score(len({names[at] for at in positions(mask)}))
            total += points
            if points and notes is not None:
                notes.append((effect, points, mask, suit))
        return total

    return worth


def _all_different(effect: data.AllDifferent) -> Worth:
    points, suits = effect.points, range(len(SUITS))

    def worth(board: Board, me: Mask, notes: Notes) -> int:
        held, alive = board.held, board.alive
        for trait in suits:
            mask = held[trait] & alive
            if mask & (mask - 1):
                return 0
        if notes is not None:
            notes.append((effect, points, alive, None))
        return points

    return worth


def _odd_strengths(effect: data.OddStrengths) -> Worth:
    each, whole = effect.each, effect.whole

    def worth(board: Board, me: Mask, notes: Notes) -> int:
        odd = sum(1 << at for at in positions(board.alive) if board.strengths[at] % 2)
        if odd == board.full:
            points = whole
        else:
            odd &= ~me
            points = each * odd.bit_count()
        if points and notes is not None:
            notes.append((effect, points, odd, None))
        return points

    return worth


def _each_penalty(effect: data.EachPenalty) -> Worth:
    def worth(board: Board, me: Mask, notes: Notes) -> int:
        mask = board.penalised & board.alive
        points = effect.points * mask.bit_count()
        if points and notes is not None:
            notes.append((effect, points, mask, None))
        return points

    return worth


def _each_player(effect: data.EachPlayer) -> Worth:
    def worth(board: Board, me: Mask, notes: Notes) -> int:
        points = effect.points * (board.players - 1)
        if points and notes is not None:
            notes.append((effect, points, 0, None))
        return points

    return worth


def _each_discard(effect: data.EachDiscard) -> Worth:
    traits = frozenset(traits_of(effect.look))

    def worth(board: Board, me: Mask, notes: Notes) -> int:
        mask = 0  # positions in the discard area, not in the hand
        for at, (suit, name) in enumerate(board.discards):
            if suit in traits or name in traits:
                mask |= 1 << at
        points = effect.points * mask.bit_count()
        if points and notes is not None:
            notes.append((effect, points, mask, None))
        return points

    return worth


MAKERS: dict[type[Effect], Callable[..., Worth]] = {
    data.Each: _each,
    data.With: _with,
    data.BestWith: _best_with,
    data.Without: _without,
    data.SumOfStrengths: _sum_of_strengths,
    data.BestStrength: _best_strength,
    data.FirstAndFurther: _first_and_further,
    data.Exactly: _exactly,
    data.Runs: _runs,
    data.Sets: _sets,
    data.AllDifferent: _all_different,
    data.OddStrengths: _odd_strengths,
    data.EachPenalty: _each_penalty,
    data.EachPlayer: _each_player,
    data.EachDiscard: _each_discard,
}


def worths(effects: tuple[Effect, ...]) -> tuple[Worth, ...]:
    """The functions of those effects that give points, in order."""
    return tuple(MAKERS[type(effect)](effect) for effect in effects if type(effect) in MAKERS)
