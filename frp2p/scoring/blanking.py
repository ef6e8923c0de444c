"""Who is blanked: Demon first, then the cards that blank others, then the cards that blank themselves."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from frp2p.cards import Suit
from frp2p.cards.effects import BlanksAlone, Effect
from frp2p.scoring.board import Board
from frp2p.scoring.cast import Cast
from frp2p.scoring.face import Penalty
from frp2p.scoring.trace import Trace
from frp2p.scoring.traits import SUIT_TRAIT, SUITS, Mask, gather

Aim: TypeAlias = tuple[Mask, Mask]
"""(bit of a card that blanks others, the cards that it would blank)."""

Active: TypeAlias = tuple[Mask, Penalty]
"""(bit of a card, its penalty in the form that is left of it)."""


class Deed(NamedTuple):
    """What a penalty may do to this hand, as sets of cards; those that nothing can blank are left out. `aim`: whom it
    would blank. `alone`: whom it blanks before all others. `clauses`: for each line by which its card blanks itself the
    cards that the line looks for; none if nothing can blank the card."""

    bit: Mask
    penalty: Penalty
    aim: Mask
    alone: Mask
    clauses: tuple[Mask, ...]


def blank(cast: Cast, active: list[Active], angel: Mask, trace: Trace | None) -> None:
    """Set `alive` and `seen` of the board. `active`: the penalties that are not cleared. `angel`: whom Angel keeps."""
    deeds = survey(cast, active, angel)
    if not deeds:
        return
    if trace is not None:
        if angel:
            trace.events.append(("guard", 1 << cast.abilities["angel"], angel))
        for bit, suits in cast.guarding:
            cards = gather(cast.board.held, suits)
            if cards:
                trace.events.append(("guard", bit, cards))
    settle(cast, deeds, 0, trace)


def survey(cast: Cast, active: list[Active], angel: Mask) -> tuple[Deed, ...]:
    """What blanking must know of the suits and names of the hand: where the deeds are equal, `settle` does the same.
    `angel`: whom Angel keeps."""
    held, full, aloof = cast.board.held, cast.board.full, cast.aloof
    guarded = angel
    for _, suits in cast.guarding:
        guarded |= gather(held, suits)
    deeds = []
    for bit, penalty in active:
        if penalty.blanks:
            aim = alone = 0
            for target in penalty.targets:
                aim |= target.find(held, bit, full)
            if aloof:
                aim &= ~_aloof(cast, bit)
            for effect in penalty.alone:
                alone |= lonely(cast, effect) & ~aloof
            clauses: list[Mask] = []
            if not bit & guarded:
                for _, traits, lives in penalty.clauses:
                    found = gather(held, traits)
                    clauses.append(found if lives else found & ~aloof)
            deeds.append(Deed(bit, penalty, aim & ~guarded, alone & ~guarded, tuple(clauses)))
    return tuple(deeds)


def mortal(deeds: tuple[Deed, ...]) -> Mask:
    """All cards that may be blanked."""
    found = 0
    for bit, _, aim, alone, clauses in deeds:
        found |= aim | alone
        if clauses:
            found |= bit
    return found


def settle(cast: Cast, deeds: tuple[Deed, ...], angel: Mask, trace: Trace | None = None) -> None:
    """Blank the cards: `alive` and `seen` of the board. Of suits and names it knows nothing but the deeds. `angel`: a
    card that Angel keeps, if the deeds don't know that yet."""
    board = cast.board
    lonely = 0
    for deed in deeds:
        lonely |= deed.alone
    lonely &= ~angel
    alive = board.alive = board.full & ~lonely
    if trace is not None:
        trace.blank("alone", sum(deed.bit for deed in deeds if deed.alone), lonely)
    aims = [(deed.bit, deed.aim & ~angel) for deed in deeds if deed.aim and deed.bit & alive]
    if aims:
        _blank_others(board, aims, trace)
    board.seen = board.alive | cast.ghosts
    selves = [deed for deed in deeds if deed.clauses and deed.bit & board.alive & ~angel]
    if selves:
        _blank_selves(cast, selves, trace)


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


def _aloof(cast: Cast, blanker: Mask) -> Mask:
    """The cards that this card can't blank because they are aloof."""
    if cast.aloof and not cast.house.phoenix_cleared and blanker & cast.board.held[SUIT_TRAIT[Suit.FLOOD]]:
        return 0
    return cast.aloof


def _blank_others(board: Board, unresolved: list[Aim], trace: Trace | None) -> None:
    """Cards that no unresolved card would blank act; where only loops are left, a loop that none of the others reaches
    is blanked whole and blanks nothing else; and again, until all are resolved."""
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


def _blank_selves(cast: Cast, selves: list[Deed], trace: Trace | None) -> None:
    """First whatever is certain whatever the unsettled ones do; where nothing is, the first in the fixed order."""
    board = cast.board
    unsettled = sorted(selves, key=lambda deed: (deed.penalty.rank, cast.hand[deed.bit.bit_length() - 1]))
    while unsettled:
        waiting = sum(deed.bit for deed in unsettled)
        fates = [(deed.bit, _fate(cast, deed, waiting)) for deed in unsettled]
        if all(fate is None for _, fate in fates):
            fates = [(unsettled[0].bit, _fate(cast, unsettled[0], 0))]
        for bit, fate in fates:
            if fate is not None:
                waiting &= ~bit
                if fate.blanked:
                    board.alive &= ~bit
                    if trace is not None:
                        trace.blank("itself", bit, bit, fate.effect, fate.causes)
        unsettled = [deed for deed in unsettled if deed.bit & waiting]
        board.seen = board.alive | cast.ghosts


class Fate(NamedTuple):
    """Whether a card blanks itself; if so, by which line and because of which cards."""

    blanked: bool
    effect: Effect | None = None
    causes: Mask = 0


def _fate(cast: Cast, deed: Deed, unsettled: Mask) -> Fate | None:
    """What happens to the card, or None if that depends on the unsettled cards. A card counts itself where its line
    looks for a suit that it has."""
    seen = cast.board.seen
    sure = seen & ~(unsettled & ~deed.bit & ~cast.ghosts)
    certain = True
    for (effect, _, lives), looked in zip(deed.penalty.clauses, deed.clauses, strict=True):
        found = looked & seen
        if lives:
            if not found:
                return Fate(True, effect)
            certain = certain and bool(found & sure)
        else:
            if found & sure:
                return Fate(True, effect, found & sure)
            certain = certain and not found
    return Fate(False) if certain else None
