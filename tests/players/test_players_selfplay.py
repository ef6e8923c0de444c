"""Bots and scripts at the seats, whole games in one process."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from frp2p.cards import CARDS, CardId
from frp2p.deal.clear.dealer import ClearDealer
from frp2p.errors import LocalError, UserError
from frp2p.games.fantasy_realms import GAME, Options
from frp2p.games.fantasy_realms.moves import Discard, DrawDeck, TakeDiscard
from frp2p.games.fantasy_realms.offer import own_slots
from frp2p.games.fantasy_realms.ranking import sums
from frp2p.games.fantasy_realms.state import State
from frp2p.games.fantasy_realms.view import View
from frp2p.games.game import Deal, Known, Move
from frp2p.games.verbs import (
    TABLE,
    Cards,
    Coin,
    Draw,
    Number,
    Outcome,
    Reveal,
    Seal,
    Seat,
    Shuffle,
    SlotId,
    Slots,
    Verb,
)
from frp2p.players import selfplay
from frp2p.players.greedy import Greedy
from frp2p.players.random_bot import Random
from frp2p.players.scripted import Scripted
from frp2p.players.selfplay import ClearCroupier, run, run_quick
from frp2p.players.stacked import StackedCroupier

Choose = Callable[[Any, tuple[Move, ...]], Move]


def weakest_away(view: View, legal: tuple[Move, ...]) -> Move:
    """What a beginner does: draws, and discards the card with the lowest strength."""
    if view.phase == "discard":
        return Discard(slot=min(own_slots(view), key=lambda pair: CARDS[pair[1]].strength)[0])
    return GAME.default(view)


def always_default(view: View, legal: tuple[Move, ...]) -> Move:
    return GAME.default(view)


def points(deciders: list[Choose], seed: int) -> State:
    state: State = run_quick(GAME, Options(), deciders, seed)
    return state


def lead(rival: Callable[[int], Choose], games: int) -> tuple[float, int]:
    """Greedy against three rivals: points above the best of them on average, and games won alone."""
    above, won = 0, 0
    for seed in range(games):
        seat = seed % 4
        deciders = [rival(10 * seed + other) for other in range(4)]
        deciders[seat] = Greedy().choose
        state = points(deciders, seed)
        above += state.totals[seat] - max(total for other, total in enumerate(state.totals) if other != seat)
        won += state.ranks[seat] == 1 and state.ranks.count(1) == 1
    return above / games, won


def test_greedy_beats_random_play_by_far() -> None:
    above, won = lead(lambda seed: Random(seed).choose, 8)
    assert won == 8
    assert above > 40


@pytest.mark.parametrize(
    ("options", "seats"),
    [
        (Options(mode="duel"), 2),
        (Options(mode="duel", extra_suits=True), 2),
        (Options(extra_suits=True), 3),
        (Options(extra_suits=True, jester=True, phoenix="deluxe"), 7),
        (Options(rounds=2, phoenix="promo"), 2),
    ],
)
def test_greedy_beats_random_play_in_every_mode(options: Options, seats: int) -> None:
    """Over four games it has half as many points again as the others on average, and more than each of them."""
    mine, others = 0, 0
    for seed in range(4):
        deciders: list[Choose] = [Random(10 * seed + seat).choose for seat in range(seats)]
        deciders[seed % seats] = Greedy().choose
        state: State = run_quick(GAME, options, deciders, seed)
        totals = list(sums(state.rounds(), seats))
        own = totals.pop(seed % seats)
        assert own > max(totals)
        mine += own
        others += sum(totals)
    assert mine > 1.5 * others / (seats - 1)


def test_greedy_beats_those_who_keep_strong_cards() -> None:
    above, won = lead(lambda _seed: weakest_away, 12)
    assert won >= 8
    assert above > 30


def test_greedy_beats_the_default() -> None:
    above, won = lead(lambda _seed: always_default, 12)
    assert won >= 6
    assert above > 0


def test_bots_make_the_same_moves_from_the_same_view() -> None:
    def bots() -> list[Choose]:
        return [Greedy().choose, Random(5).choose, always_default]

    first, second = (points(bots(), 7) for _time in range(2))
    assert first == second
    assert points(bots(), 8) != first
    assert points([Greedy().choose, Random(6).choose, always_default], 7) != first


def first_view(top_first: str, coin: Seat = 0) -> tuple[State, View]:
    """The first state that asks somebody at a table of two with this deck, and the view of that seat."""
    croupier = StackedCroupier(tuple(map(CardId, top_first.split())), coin)
    state = GAME.start(Options(), 2)
    while isinstance(need := GAME.need(state), Deal):
        state = GAME.dealt(state, croupier.carry_out(need.verbs))
    return state, GAME.view(state, coin, croupier.known(coin))


def test_greedy_plays_from_what_it_may_know_only() -> None:
    """Two worlds that look alike from its seat get the same move: other cards in other hands change nothing."""
    mine = "FR31 FR32 FR20 FR25 FR09 FR16 FR47"
    _state, one = first_view(f"{mine} FR01 FR02 FR03 FR04 FR05 FR06 FR07 FR10 FR11")
    _state, other = first_view(f"{mine} FR41 FR42 FR43 FR44 FR45 FR46 FR48 FR11 FR10")
    assert one == other
    assert Greedy().choose(one, GAME.legal(one)) == Greedy().choose(other, GAME.legal(other))


def test_greedy_takes_the_discard_that_completes_its_hand() -> None:
    """King and Armies in hand, the Queen on the table."""
    seen: list[Move] = []

    def greedy(view: View, legal: tuple[Move, ...]) -> Move:
        seen.append(Greedy().choose(view, legal))
        return seen[-1]

    script = Scripted(["draw", "discard Queen"])

    def giver(view: View, legal: tuple[Move, ...]) -> Move:
        return script.choose(view, legal) if view.turn == 1 else GAME.default(view)

    hands = "FR31 FR21 FR22 FR25 FR20 FR24 FR35 FR32 FR37 FR38 FR39 FR40 FR41 FR42 FR10"
    run(GAME, Options(), [greedy, giver], StackedCroupier(tuple(map(CardId, hands.split())), coin=1))
    assert seen[0] == TakeDiscard(card=CardId("FR32"))


def test_a_player_decides_as_it_chooses() -> None:
    _state, view = first_view("")
    for player in (Greedy(), Random(1), Scripted(["draw"])):
        assert asyncio.run(player.decide(view, GAME.legal(view))) == DrawDeck()


def test_a_script_ends() -> None:
    script = Scripted(["pass", "nonsense"])
    view: Any = None
    script.choose(view, ())
    with pytest.raises(UserError, match="not a move"):
        script.choose(view, ())
    with pytest.raises(UserError, match="no move left"):
        script.choose(view, ())


def test_a_game_that_does_not_end_is_our_mistake(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selfplay, "STATES_MAX", 20)
    with pytest.raises(LocalError, match="no end after 20"):
        points([always_default, always_default], 1)


def test_dealers_that_do_not_agree_are_our_mistake(monkeypatch: pytest.MonkeyPatch) -> None:
    croupier = ClearCroupier(GAME.decks(Options()), 2, seed=1)
    finish = ClearDealer.finish

    def wrong(self: ClearDealer) -> tuple[Outcome, ...]:
        finish(self)
        return (Number(value=self.me or 0),)

    monkeypatch.setattr(ClearDealer, "finish", wrong)
    with pytest.raises(LocalError, match="do not agree"):
        croupier.carry_out((Coin(sides=4),))


def test_the_same_seed_deals_the_same_cards_and_another_seed_others() -> None:
    def deal(seed: int) -> tuple[Known, ...]:
        hands: list[tuple[Known, ...]] = []

        def watch(state: State, known: tuple[Known, ...], moves: Mapping[Seat, Move]) -> None:
            if state.turn == 1 and not hands:
                hands.append(tuple(dict(one) for one in known))

        run_quick(GAME, Options(), [always_default] * 3, seed, watch)
        return hands[0]

    assert deal(3) == deal(3) != deal(4)


def test_a_stacked_croupier_does_what_a_dealer_does() -> None:
    croupier = StackedCroupier((CardId("FR05"), CardId("FR04")), coin=5)
    (sealed,) = croupier.carry_out((Seal(cards=(CardId("FR01"), CardId("FR04"), CardId("FR05")), lock=TABLE),))
    assert isinstance(sealed, Slots)
    (mixed,) = croupier.carry_out((Shuffle(slots=sealed.slots, by=TABLE),))
    assert isinstance(mixed, Slots)
    assert not set(mixed.slots) & set(sealed.slots)
    assert croupier.known(0) == {}
    assert croupier.carry_out((Draw(slots=mixed.slots[:2], seat=0), Coin(sides=3))) == (
        Slots(slots=mixed.slots[:2]),
        Number(value=2),
    )
    assert croupier.known(0) == dict(zip(mixed.slots, (CardId("FR05"), CardId("FR04")), strict=False))
    assert croupier.known(1) == {}
    (own,) = croupier.carry_out((Shuffle(slots=mixed.slots[:2], by=0),))
    assert isinstance(own, Slots)
    assert list(croupier.known(0).values()) == [CardId("FR04"), CardId("FR05")]
    assert croupier.carry_out((Reveal(slots=(own.slots[1], mixed.slots[2])),)) == (
        Cards(cards=(CardId("FR05"), CardId("FR01"))),
    )
    with pytest.raises(KeyError):
        croupier.carry_out((Reveal(slots=(SlotId(0),)),))
    with pytest.raises(LocalError, match="does not know Verb"):
        croupier.carry_out((Verb(),))
