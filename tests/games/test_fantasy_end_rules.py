"""Single rules of the end of a round of Fantasy Realms, each in a state made for it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rule_table import HANDS, Table, cards

from frp2p.games.fantasy_realms import GAME
from frp2p.games.fantasy_realms.moves import Choose, DrawDeck, PickExtra
from frp2p.games.fantasy_realms.ranking import ranks
from frp2p.games.game import Deal, IllegalMove, Over
from frp2p.games.verbs import Reveal
from frp2p.scoring import Choices

NECROMANCER = (
    "Necromancer, King, Knights, Light Cavalry, Elven Archers, Dwarvish Infantry, Rangers, "
    "Mountain, Cavern, Bell Tower, Forest, Earth Elemental, Swamp, Fire Elemental"
)


def ended(hands: str, discards: str) -> Table:
    """Two seats with these hands, every card of `discards` drawn and discarded at once."""
    table = Table(f"{hands}, {discards}")
    for number, name in enumerate(discards.split(", ")):
        table.move(number % 2, DrawDeck())
        table.discard(number % 2, name)
    return table


def test_the_tenth_discard_ends_the_game_in_mid_round() -> None:
    table = ended(
        HANDS[: HANDS.index(", Unicorn")],
        "Unicorn, Dragon, Necromancer, Lightning, Rainstorm, Blizzard, Magic Wand, Beastmaster, Warlord",
    )
    assert table.view(None).phase == "draw"
    table.move(1, DrawDeck())
    state = GAME.apply(table.state, {1: table.legal(1)[0]})
    need = GAME.need(state)
    assert isinstance(need, Deal)
    state = GAME.dealt(state, table.croupier.carry_out(need.verbs))
    need = GAME.need(state)
    assert isinstance(need, Deal)
    assert need.verbs == (Reveal(slots=state.hands[0]), Reveal(slots=state.hands[1]))
    assert (state.seat_in_turn, len(state.discards)) == (None, 10)


def test_the_necromancer_takes_by_printed_suit() -> None:
    table = ended(NECROMANCER, "Queen, Dragon, Mirage, Smoke, Princess, Candle, Unicorn, Forge, Warlord, Lightning")
    view = table.view(0)
    assert (view.phase, view.asked) == ("extra", (0,))
    offered = (None, *cards("Queen, Dragon, Princess, Unicorn, Warlord"))
    assert table.legal(0) == tuple(PickExtra(card=card) for card in offered)
    assert GAME.default(view) == PickExtra(card=cards("Queen")[0])
    assert table.refuses(0, PickExtra(card=cards("Mirage")[0])) == "The Necromancer can't take this card."
    assert table.refuses(0, DrawDeck()) == "Name the card for the Necromancer, or none."
    table.move(0, PickExtra(card=cards("Queen")[0]))
    assert table.state.extras == (cards("Queen"), ())
    assert cards("Queen")[0] not in table.state.discards
    assert len(table.state.discards) == 9
    assert table.view(1).seats[0].extras == cards("Queen")
    assert table.state.ranks == (1, 2)


def test_an_extra_card_may_ask_for_a_choice() -> None:
    """Island is a Flood, so nobody can take it; but the eighth card counts in the choices of the others."""
    hands = NECROMANCER.replace("King", "Doppelgänger")
    table = ended(hands, "Queen, Dragon, Mirage, Smoke, Princess, Candle, Unicorn, Forge, Warlord, Lightning")
    table.move(0, PickExtra(card=cards("Warlord")[0]))
    assert table.view(0).phase == "choices"
    copy = Choose(choices=Choices(doppelganger=cards("Warlord")[0]))
    assert copy in table.legal(0)
    table.move(0, copy)
    assert GAME.need(table.state) == Over()


NOTHING_TO_TAKE = "Smoke, Gem of Order, Candle, World Tree, Forge, Magic Wand, Lightning, Rainstorm, Blizzard"


@pytest.mark.parametrize(("tenth", "asked"), [("Basilisk", (0,)), ("Water Elemental", ())])
def test_the_necromancer_is_only_asked_if_there_is_something_to_take(tenth: str, asked: tuple[int, ...]) -> None:
    table = ended(NECROMANCER, f"{tenth}, {NOTHING_TO_TAKE}")
    assert table.view(0).asked == asked


def test_choices_that_the_hand_does_not_allow_are_refused() -> None:
    hands = NECROMANCER.replace("Necromancer", "Mirage").replace("Mountain", "Book of Changes")
    discards = "Queen, Dragon, Necromancer, Smoke, Princess, Candle, Unicorn, Forge, Warlord, Lightning"
    table = ended(hands, discards)
    assert (table.view(None).phase, table.view(None).asked) == ("choices", (0, 1))
    for choices in (
        Choices(mirage="FR99"),
        Choices(mirage="beast"),
        Choices(island=cards("King")[0]),
        Choices(doppelganger=cards("King")[0]),
    ):
        with pytest.raises(IllegalMove):
            GAME.check(table.state, 0, Choose(choices=choices))
    with pytest.raises(IllegalMove, match="Choose for your wild cards"):
        GAME.check(table.state, 0, PickExtra(card=None))
    for moves in ({}, {0: Choose(choices=Choices())}, {0: DrawDeck(), 1: DrawDeck()}):
        with pytest.raises(IllegalMove):
            GAME.apply(table.state, moves)
    mine, theirs = (GAME.default(table.view(seat)) for seat in (0, 1))
    assert mine == table.legal(0)[0]
    assert all(not GAME.check(table.state, seat, move) for seat in (0, 1) for move in table.legal(seat))
    table.state = GAME.apply(table.state, {0: mine, 1: theirs})
    assert table.state.choices == (mine.choices, theirs.choices)


@pytest.mark.parametrize(
    ("totals", "strengths", "expected"),
    [
        ((10, 20, 30), (1, 1, 1), (3, 2, 1)),
        ((30, 30, 20), (50, 40, 1), (2, 1, 3)),
        ((30, 30, 20), (40, 40, 1), (1, 1, 3)),
        ((5, 5, 5, 5), (2, 1, 2, 1), (3, 1, 3, 1)),
        ((-3, 0), (0, 0), (2, 1)),
    ],
)
def test_ranks(totals: tuple[int, ...], strengths: tuple[int, ...], expected: tuple[int, ...]) -> None:
    assert ranks(totals, strengths) == expected


@given(st.lists(st.tuples(st.integers(-99, 399), st.integers(0, 300)), min_size=1, max_size=7))
def test_ranks_order_all_seats(pairs: list[tuple[int, int]]) -> None:
    found = ranks(tuple(total for total, _ in pairs), tuple(strength for _, strength in pairs))
    assert min(found) == 1
    for (total, strength), rank in zip(pairs, found, strict=True):
        assert rank == 1 + sum(t > total or (t == total and s < strength) for t, s in pairs)
