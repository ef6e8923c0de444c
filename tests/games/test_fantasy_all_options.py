"""Two thousand random games over a clear dealer: every combination of the options that change the course of a game."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Final

import pytest

from frp2p.cards import sets
from frp2p.games.fantasy_realms import GAME, Options
from frp2p.games.fantasy_realms.options import measure
from frp2p.games.fantasy_realms.state import State
from frp2p.games.game import Over
from frp2p.games.verbs import Seat
from frp2p.players.random_bot import Random
from frp2p.players.selfplay import Decider, run_quick
from frp2p.scoring import House

GAMES: Final = 2_000
CHUNKS: Final = 40
"""The games are so many tests, for as many processors as there are."""


def tables() -> Iterator[tuple[Options, int]]:
    """Every mode with every number of seats, each with every combination of the other options; and each of these with
    the fewest seats as a match too. The hints and the six house rules, which only a count reads, go round beside that.
    """
    switches = itertools.product((False, True), (False, True), (False, True), (False, True), ("off", "deluxe", "promo"))
    beside = itertools.count()
    for (extra, jester, items, linkable, phoenix), rounds in itertools.product(switches, (1, 2)):
        for mode in ("standard", "duel", "chaos"):
            if mode == "chaos" and items:
                continue
            bits = next(beside)
            options = Options(
                mode=mode,
                unlinkable_hands=not linkable,
                hints=("off", "score", "what-if")[bits % 3],
                extra_suits=extra,
                jester=jester,
                phoenix=phoenix,
                cursed_items=items,
                rounds=rounds if bits % 4 else 1,
                points=120 * (rounds - 1) if bits % 4 == 0 else 0,
                house=House(*(bool(bits >> at & 1) for at in range(6))),
                seconds=10,
            )
            numbers = measure(options)
            most = numbers.seats_min if options.match else numbers.seats_max
            yield from ((options, seats) for seats in range(numbers.seats_min, most + 1))


TABLES: Final = tuple(tables())
QUICK: Final = tuple((options, seats) for options, seats in TABLES if not options.match and seats <= 4)


def play(number: int) -> tuple[Options, int, State]:
    """The end of this game. Every table comes once, then those of one round and few seats again, with other cards."""
    again = number - len(TABLES)
    options, seats = TABLES[number] if again < 0 else QUICK[again % len(QUICK)]
    deciders: list[Decider] = [Random(10 * number + seat).choose for seat in range(seats)]
    return options, seats, run_quick(GAME, options, deciders, number)


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_random_games_with_all_options_come_to_a_good_end(chunk: int) -> None:
    for number in range(chunk, GAMES, CHUNKS):
        options, seats, last = play(number)
        assert GAME.need(last) == Over()
        assert len(last.totals) == len(last.ranks) == seats
        assert min(last.ranks) == 1
        assert len(last.rounds()) == last.round <= options.last_round()
        everything_is_there(options, last)


def everything_is_there(options: Options, last: State) -> None:
    """At the end all cards but those of the decks lie open, each once; no hand is over its limit."""
    decks = GAME.decks(options)
    cards = last.open_cards()
    assert len(set(cards)) == len(cards)
    assert len(cards) + len(last.deck) - (last.searched is not None) == len(decks[GAME.name])
    seats: tuple[Seat, ...] = tuple(range(last.seats))
    assert all(len(last.cards_of(seat)) <= measure(options).cap for seat in seats)
    shelf = last.items
    shown = [*shelf.discards, *filter(None, shelf.face_up), *(i for row in (*shelf.aside, *shelf.opened) for i in row)]
    assert len(set(shown)) == len(shown)
    assert len(shown) + len(shelf.deck) == (len(sets.items()) if options.cursed_items else 0)


def test_the_tables_are_all_that_can_be_opened() -> None:
    """Every combination of mode, seats and the five switches is there, all of them within the two thousand."""
    keys = {
        (one.mode, seats, one.extra_suits, one.jester, one.phoenix, one.cursed_items, one.unlinkable_hands, one.match)
        for one, seats in TABLES
    }
    switches = 2 * 3 * 2  # Jester, Phoenix, own shuffles
    standard, extra, duel, chaos = 5, 6, 1, 5  # numbers of seats
    single = switches * (2 * (standard + extra + 2 * duel) + 2 * chaos)  # with items or not; duel, chaos: two decks
    matches = switches * (2 * (1 + 1 + 2) + 2)
    assert len(TABLES) == len(keys) == single + matches
    assert len(TABLES) <= GAMES
    for one, seats in TABLES:
        GAME.check_options(one, seats)
    assert len({one.house for one, _seats in TABLES}) == 2 ** len(House.__struct_fields__)
    assert {one.hints for one, _seats in TABLES} == {"off", "score", "what-if"}
