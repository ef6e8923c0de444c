"""What the players agree on before a game of Fantasy Realms: the part of the charter that is ours."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Final, Literal, TypeAlias, get_args

import msgspec

from frp2p.cards import CardId, PhoenixOption
from frp2p.cards import deck as deck_of_cards
from frp2p.errors import UserError
from frp2p.locale import _
from frp2p.scoring import House

ModeName: TypeAlias = Literal["standard", "duel", "chaos"]
Hints: TypeAlias = Literal["off", "score", "what-if"]

MODES: Final[tuple[ModeName, ...]] = get_args(ModeName)

MAX_ROUNDS: Final = 20
"""Rounds of a match, also of one for points: with bad luck or bad will nobody ever reaches a target, and a round of
seven weighs up to 3 MB of the 64 MB that a record may weigh."""

MAX_POINTS: Final = 5_000
"""The highest target of points: what a good player collects in some twenty rounds."""


TICK_SECONDS: Final = 1
"""Seconds that a player has in each tick of Chaos Realms: quick enough to answer each other, and a tick of seven takes
a few hundredths of a second of this on a LAN."""

TABLES_KEPT: Final = 64
"""Options whose deck and numbers are remembered: a program sits at one table at a time, tests at many."""

SECONDS_MIN: Final = 10
"""The shortest trading time; an offer and its answer take two ticks."""

SECONDS_MAX: Final = 900
"""The longest trading time of a whole match. A tick of seven weighs 3 kB of the record (seven parts and acks of some
200 bytes each), and when all seven swap 43 kB more (fourteen gives, seven shuffles of a hand, their acks): were that so
in every tick, 900 of them would be 41 MB of the 64 MB, and 4 steps each 3,600 of the 50,000 steps, that a record may
have."""


class Options(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The options of a table.

    `unlinkable_hands`: after every draw and take the owner shuffles the own hand, so that nobody can tell from the
    place of a discard how long it was held. `hints`: what the program may tell a player about the own hand: nothing,
    its present score, or also the gain of each take and discard; no rule depends on it.

    `extra_suits`: the three suits of the Cursed Hoard with Garden and the eight changed cards. `rounds`: so many are
    played and added up. `points`: if not 0, rounds are played until somebody has so many (`rounds` is 1 then).
    `house`: contested rulings of scoring. `seconds`: of Chaos Realms, how long a round is traded; a second is a tick.
    """

    mode: ModeName = "standard"
    unlinkable_hands: bool = True
    hints: Hints = "what-if"
    extra_suits: bool = False
    jester: bool = False
    phoenix: PhoenixOption = "off"
    cursed_items: bool = False
    rounds: Annotated[int, msgspec.Meta(ge=1, le=MAX_ROUNDS)] = 1
    points: Annotated[int, msgspec.Meta(ge=0, le=MAX_POINTS)] = 0
    house: House = House()
    seconds: Annotated[int, msgspec.Meta(ge=SECONDS_MIN, le=SECONDS_MAX)] = 300

    @property
    def match(self) -> bool:
        """Whether several rounds may be played."""
        return self.rounds > 1 or self.points > 0

    def last_round(self) -> int:
        """The number of the round after which the match is over in any case."""
        return MAX_ROUNDS if self.points else self.rounds


class Measure(msgspec.Struct, frozen=True):
    """The numbers of a table: cards of a full hand, discards that end the game, the most cards that a hand may ever
    hold, and how many can play."""

    hand: int
    threshold: int
    cap: int
    seats_min: int
    seats_max: int


@lru_cache(maxsize=TABLES_KEPT)
def deck(options: Options) -> tuple[CardId, ...]:
    """The hand cards of a table with these options, in canonical order."""
    return deck_of_cards(extra_suits=options.extra_suits, jester=options.jester, phoenix=options.phoenix)


@lru_cache(maxsize=TABLES_KEPT)
def measure(options: Options) -> Measure:
    """The numbers that hold with these options.

    By turns a game takes as many draws as the threshold: so many cards must be left when the hands are dealt.
    """
    hand, threshold, cap = (8, 12, 9) if options.extra_suits else (7, 10, 8)
    if options.mode == "duel":
        return Measure(hand, threshold + 2, cap, 2, 2)
    if options.mode == "chaos":
        return Measure(hand, 0, cap, 3, 7)
    most = (len(deck(options)) - threshold) // hand
    return Measure(hand, threshold, cap, 2, most)


def check_options(options: Options, seats: int) -> None:
    """Raise UserError, with a sentence for the player, if no table can be opened this way."""
    numbers = measure(options)
    if options.mode == "duel" and seats != 2:
        raise UserError(_("A duel seats two players, not {seats}.").format(seats=seats))
    if options.mode == "chaos":
        _check_chaos(options)
    if seats == 7 and numbers.seats_max < 7:
        raise UserError(_("For seven players the deck is too small; the extra suits make it large enough."))
    if not numbers.seats_min <= seats <= numbers.seats_max:
        raise UserError(
            _("A table of the {mode} game seats {least} to {most} players, not {seats}.").format(
                mode=options.mode, least=numbers.seats_min, most=numbers.seats_max, seats=seats
            )
        )
    if options.points and options.rounds > 1:
        raise UserError(_("A match has either a number of rounds or a target of points, not both."))


def _check_chaos(options: Options) -> None:
    """What can't be had in Chaos Realms."""
    if options.cursed_items:
        raise UserError(_("Chaos Realms is played without cursed items."))
    if options.seconds * options.last_round() > SECONDS_MAX:
        raise UserError(
            _("All rounds of Chaos Realms together take at most {seconds} seconds.").format(seconds=SECONDS_MAX)
        )
