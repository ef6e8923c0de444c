"""Who is blanked: Demon first, then the cards that blank others, then the cards that blank themselves."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from frp2p.cards import Suit
from frp2p.cards.effects import BlanksAlone, Effect
from frp2p.scoring.cast import Cast
from frp2p.scoring.face import Penalty
from frp2p.scoring.trace import Trace
from frp2p.scoring.traits import SUIT_TRAIT, SUITS, Mask

Aim: TypeAlias = tuple[Mask, Mask]
"""(bit of a card that blanks others, the cards that it would blank)."""

Active: TypeAlias = tuple[Mask, Penalty]
"""(bit of a card, its penalty in the form that is left of it)."""


def blank(cast: Cast, active: list[Active], angel: Mask, trace: Trace | None) -> None:
    """Set `alive` and `seen` of the board. `active`: the penalties that are not cleared. `angel`: whom Angel keeps."""
    board = cast.board
    alone, blankers, selves = _by_kind(active)
    if not (alone or blankers or selves):
        return
    kept = _kept(cast, angel, trace)
    if alone:
        blanked = _lonely(cast, alone) & ~kept & ~cast.aloof
        board.alive &= ~blanked
        if trace is not None:
            trace.blank("alone", sum(bit for bit, _ in alone), blanked)
    if blankers:
        aims = _aims(cast, [one for one in blankers if one[0] & board.alive], kept)
        for _, aim in aims:
            board.threatened |= aim
        _blank_others(cast, aims, trace)
    board.seen = board.alive | cast.ghosts
    selves = [(bit, penalty) for bit, penalty in selves if bit & board.alive & ~kept]
    if selves:
        _blank_selves(cast, selves, trace)


def doomed(cast: Cast, active: list[Active], angel: Mask) -> Mask:
    """Cards that are blanked whatever else happens, unless Angel chooses them: those that Demon finds, and those that a
    card finds which none can stop. For the search; at most what `blank` does, never more."""
    alone, blankers, _ = _by_kind(active)
    if not (alone or blankers):
        return 0
    kept = _kept(cast, angel, None)
    doom = _lonely(cast, alone) & ~kept & ~cast.aloof
    aims = _aims(cast, blankers, kept)
    stopped = doom
    for _, aim in aims:
        stopped |= aim
    for bit, aim in aims:
        if not bit & stopped:
            doom |= aim
    return doom


def _by_kind(active: list[Active]) -> tuple[list[Active], list[Active], list[Active]]:
    """The penalties that blank lonely cards, other cards, their own card."""
    alone, blankers, selves = [], [], []
    for one in active:
        penalty = one[1]
        if penalty.targets:
            blankers.append(one)
        if penalty.clauses:
            selves.append(one)
        if penalty.alone:
            alone.append(one)
    return alone, blankers, selves


def _kept(cast: Cast, angel: Mask, trace: Trace | None) -> Mask:
    """The cards that nothing can blank."""
    kept = angel
    if trace is not None and angel:
        trace.events.append(("guard", 1 << cast.abilities["angel"], angel))
    for bit, suits in cast.guarding:
        cards = 0
        for suit in suits:
            cards |= cast.board.held[suit]
        kept |= cards
        if trace is not None and cards:
            trace.events.append(("guard", bit, cards))
    return kept


def lonely(cast: Cast, effect: BlanksAlone) -> Mask:
    """The cards that are the only one in every suit that they have, those of exempt suits left out. (A Phoenix has
    company in any of its three suits.)"""
    board = cast.board
    spared = 0
    for mask in board.held[: len(SUITS)]:
        if mask & (mask - 1):
            spared |= mask
    for suit in effect.but:
        spared |= board.held[SUIT_TRAIT[suit]]
    return board.full & ~spared


def _lonely(cast: Cast, alone: list[Active]) -> Mask:
    found = 0
    for _, penalty in alone:
        for effect in penalty.alone:
            found |= lonely(cast, effect)
    return found


def _aims(cast: Cast, blankers: list[Active], kept: Mask) -> list[Aim]:
    """Whom each of these would blank."""
    held, full = cast.board.held, cast.board.full
    aims = []
    for bit, penalty in blankers:
        aim = 0
        for target in penalty.targets:
            aim |= target.find(held, bit, full)
        aim &= ~kept
        if cast.aloof:
            aim &= ~_aloof(cast, bit)
        aims.append((bit, aim))
    return aims


def _blank_others(cast: Cast, unresolved: list[Aim], trace: Trace | None) -> None:
    """Cards that no unresolved card would blank act; where only loops are left, a loop that none of the others reaches
    is blanked whole and blanks nothing else; and again, until all are resolved."""
    board = cast.board
    while unresolved:
        threatened = blanked = 0
        for _, aim in unresolved:
            threatened |= aim
        free = [one for one in unresolved if not one[0] & threatened]
        for bit, aim in free:
            blanked |= aim
            if trace is not None:
                trace.blank("blanks", bit, aim & board.alive)
        if not free:
            for loop in _first_loops(unresolved):
                blanked |= loop
                if trace is not None:
                    trace.blank("loop", loop, loop)
        board.alive &= ~blanked
        # those that were not free are threatened; the blanked ones of them are resolved too
        unresolved = [one for one in unresolved if one[0] & threatened & ~blanked]


def _aloof(cast: Cast, blanker: Mask) -> Mask:
    """The cards that this card can't blank because they are aloof."""
    if cast.aloof and not cast.house.phoenix_cleared and blanker & cast.board.held[SUIT_TRAIT[Suit.FLOOD]]:
        return 0
    return cast.aloof


def _first_loops(aims: list[Aim]) -> list[Mask]:
    """The loops (sets of cards that all reach each other) that no card outside reaches. Every card is threatened."""
    everyone = sum(bit for bit, _ in aims)
    reach = {bit: aim & everyone for bit, aim in aims}
    for middle in reach:
        for bit in reach:
            if reach[bit] & middle:
                reach[bit] |= reach[middle]
    loops = []
    for bit in reach:
        reached_by = sum(other for other in reach if reach[other] & bit)
        # whoever reaches it is reached by it: a loop that nothing enters. Taken at its lowest bit, so once.
        if not reached_by & ~reach[bit] and reached_by & -reached_by == bit:
            loops.append(reached_by)
    return loops


def _blank_selves(cast: Cast, selves: list[Active], trace: Trace | None) -> None:
    """First whatever is certain whatever the unsettled ones do; where nothing is, the first in the fixed order."""
    board = cast.board
    unsettled = sorted(selves, key=lambda one: (one[1].rank, cast.hand[one[0].bit_length() - 1]))
    while unsettled:
        waiting = sum(bit for bit, _ in unsettled)
        fates = [(bit, _fate(cast, bit, penalty, waiting)) for bit, penalty in unsettled]
        if all(fate is None for _, fate in fates):
            bit, penalty = unsettled[0]
            fates = [(bit, _fate(cast, bit, penalty, 0))]
        for bit, fate in fates:
            if fate is not None:
                waiting &= ~bit
                if fate.blanked:
                    board.alive &= ~bit
                    if trace is not None:
                        trace.blank("itself", bit, bit, fate.effect, fate.causes)
        unsettled = [one for one in unsettled if one[0] & waiting]
        board.seen = board.alive | cast.ghosts


class Fate(NamedTuple):
    """Whether a card blanks itself; if so, by which line and because of which cards."""

    blanked: bool
    effect: Effect | None = None
    causes: Mask = 0


def _fate(cast: Cast, bit: Mask, penalty: Penalty, unsettled: Mask) -> Fate | None:
    """What happens to the card, or None if that depends on the unsettled cards. A card counts itself where its line
    looks for a suit that it has."""
    board = cast.board
    sure = board.seen & ~(unsettled & ~bit & ~cast.ghosts)
    certain = True
    for effect, traits, lives in penalty.clauses:
        found = 0
        for trait in traits:
            found |= board.held[trait]
        found &= board.seen
        if lives:
            if not found:
                return Fate(True, effect)
            certain = certain and bool(found & sure)
        else:
            found &= ~cast.aloof
            if found & sure:
                return Fate(True, effect, found & sure)
            certain = certain and not found
    return Fate(False) if certain else None
