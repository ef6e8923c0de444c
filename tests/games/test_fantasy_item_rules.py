"""Single rules of the cursed items, each in a state made for it; and what the bot does with them."""

from __future__ import annotations

from typing import Any

import pytest
from item_board import DECK, Board, item

from frp2p.cards import CARDS, CardId
from frp2p.cards.notation import find_card
from frp2p.games.fantasy_realms import GAME
from frp2p.games.fantasy_realms.moves import (
    DrawDeck,
    FantasyMove,
    KeepItem,
    PickExtra,
    PickSlots,
    SwapItem,
    TakeDiscard,
    UseItem,
)
from frp2p.games.fantasy_realms.view import View
from frp2p.games.game import IllegalMove
from frp2p.players.greedy import Greedy

# -- what is seen ------------------------------------------------------------------------------------------------------


def hand(view: View, seat: int) -> set[CardId | None]:
    return {entry.card for entry in view.seats[seat].hand}


def test_a_spyglass_shows_a_hand_to_one_until_its_owner_shuffles() -> None:
    board = Board("Spyglass, Shovel")
    board.play(0, "use Spyglass", "seat 1")
    assert len(hand(board.view(0), 1)) == 7
    assert None not in hand(board.view(0), 1)
    assert hand(board.view(None), 1) == hand(board.view(1), 0) == {None}
    board.play(0, "draw", "discard Queen")
    board.play(1, "draw")
    assert hand(board.view(0), 1) == {None}


def test_a_shuffle_voids_what_was_seen_of_the_deck() -> None:
    board = Board("Wishing Ring, Book of Prophecy, Shovel")
    board.play(0, "draw", "discard Queen", "leave")
    board.play(1, "use Book of Prophecy")
    assert [one.place for one in board.view(1).seen] == list(range(31, 38))
    board.play(1, "draw", "discard Princess")
    board.play(0, "use Wishing Ring", "pick Warlord")
    assert board.view(1).seen == ()
    assert board.view(0).seen[0].card == find_card("Warlord", GAME.decks(board.options)[GAME.name])
    assert len(board.view(0).seen) == board.view(0).deck_left
    assert board.view(None).seen == ()
    board.play(0, "draw", "discard Knights")
    assert board.view(0).seen == ()


def test_everybody_follows_a_buried_card_until_a_shuffle() -> None:
    board = Board("Shovel, Rake")
    board.play(0, "draw", "discard Queen", "use Shovel", "pick Queen")
    [seen] = board.view(None).seen
    assert seen.place == board.view(None).deck_left - 1
    assert board.view(None).discards == ()


def test_cards_of_a_suit_can_not_be_held_back() -> None:
    board = Board("Crystal Ball, Shovel")
    board.play(0, "use Crystal Ball", "suit Flame")
    view = board.view(1)
    [true] = board.legal(1)
    assert isinstance(true, PickSlots)
    assert len(true.slots) == 2
    false = PickSlots(slots=true.slots[:1])
    GAME.check(board.state, 1, false)  # nobody else can tell, before the proof
    with pytest.raises(IllegalMove):
        GAME.check_known(view, false)
    GAME.check_known(view, true)
    board.play(1, "pick Candle, Wildfire")
    assert [CARDS[card].en for card in board.view(0).seats[1].holds] == ["Candle", "Wildfire"]


# -- covered cards -----------------------------------------------------------------------------------------------------


def covered() -> Board:
    """Seat 1 has covered Queen and Princess, the only discards."""
    board = Board("Shovel, Sealed Vault, Winged Boots")
    board.play(0, "draw", "discard Queen", "leave")
    board.play(1, "draw", "discard Princess", "use Sealed Vault", "pick Queen, Princess")
    return board


def test_only_its_owner_takes_a_covered_card_and_the_other_stays_covered() -> None:
    board = covered()
    queen, princess = board.state.discards
    assert board.refuses(0, TakeDiscard(card=queen)) == "This card can't be taken from the discard area."
    assert "uncovered" in board.refuses(0, UseItem(item=item("Shovel")))
    assert board.legal(0) == (DrawDeck(),)
    board.play(0, "draw", "discard Rainstorm", "leave")
    assert TakeDiscard(card=queen) in board.legal(1)
    board.play(1, "take Queen")
    assert [one.card for one in board.view(None).covered] == [princess]


def test_the_necromancer_takes_no_card_that_another_has_covered() -> None:
    board = covered()
    lines = (
        "draw",
        "discard Rainstorm",
        "leave",
        "draw",
        "discard Lightning",
        "leave",
        "draw",
        "discard Great Flood",
        "leave",
    )
    others = (
        "draw",
        "discard Forge",
        "leave",
        "draw",
        "discard Warlord",
        "leave",
        "draw",
        "discard Bell Tower",
        "leave",
    )
    for at in range(3):
        board.play(0, *lines[3 * at : 3 * at + 3])
        board.play(1, *others[3 * at : 3 * at + 3])
    board.play(0, "draw", "discard World Tree", "leave")
    board.play(1, "draw", "discard Blizzard")
    assert board.view(0).phase == "extra"
    picks = {move.card for move in board.legal(0) if isinstance(move, PickExtra)}
    cards = GAME.decks(board.options)[GAME.name]
    assert picks == {None, find_card("Warlord", cards)}
    assert "can't take" in board.refuses(0, PickExtra(card=find_card("Queen", cards)))


# -- the deck of items -------------------------------------------------------------------------------------------------


def test_discarded_items_become_the_deck_when_it_is_empty() -> None:
    board = Board("Shovel, Sealed Vault")
    board.play(0, "draw", "discard Queen", "swap")
    for turn in range(40):
        seat = 1 - turn % 2
        card = board.state.discards[0]
        board.play(seat, f"take {card}", f"discard {card}", "swap")
        shelf = board.state.items
        assert len(shelf.deck) + len(shelf.discards) + 2 == 24
        assert all(shelf.face_up)
    assert len(board.state.items.discards) < 24 - 2


def test_a_backpack_comes_before_the_deck_and_can_not_be_robbed() -> None:
    board = Board("Backpack, Larcenous Gloves, Portal, Rake, Spyglass")
    board.play(0, "use Backpack", "draw", "discard Queen")
    assert board.view(0).prompt is not None
    assert board.view(0).prompt.what == "aside"  # type: ignore[union-attr]
    assert board.view(1).using == item("Backpack")
    board.play(0, "pick Spyglass")
    assert board.view(None).seats[0].aside == (item("Portal"), item("Rake"))
    board.play(1, "use Larcenous Gloves", "seat 0")
    assert board.view(1).prompt is None
    board.play(0, "pick Rake")
    assert board.view(None).seats[0].item == item("Rake")
    assert board.view(1).prompt is not None


def test_a_second_portal_does_not_break_the_cap() -> None:
    board = Board("Portal, Shovel, Repair Kit, Rake")
    board.play(0, "use Portal", "draw")
    assert len(board.state.hands[0]) == 8
    board.play(1, "draw", "discard Princess", "leave")
    board.play(0, "use Repair Kit", "pick Portal", "draw")
    assert board.view(0).phase == "discard"
    board.play(0, "discard Knights")
    assert len(board.state.hands[0]) == 8


# -- the bot -----------------------------------------------------------------------------------------------------------


def choice(board: Board, seat: int) -> FantasyMove:
    move: Any = Greedy().choose(board.view(seat), board.legal(seat))
    return move


def test_the_bot_swaps_what_never_helps_and_leaves_what_may() -> None:
    board = Board("Spyglass, Blindfold, Shovel")
    assert choice(board, 0) != UseItem(item=item("Spyglass"))
    board.play(0, "draw", "discard Queen")
    assert choice(board, 0) == SwapItem()
    board.play(0, "leave")
    board.play(1, "draw", "discard Princess")
    assert choice(board, 1) == KeepItem()


def test_the_bot_uses_a_chest_that_will_pay() -> None:
    board = Board("Crystal Lens, Shovel, Winged Boots, Treasure Chest")
    board.play(0, "use Crystal Lens", "draw", "discard Queen")
    board.play(1, "draw", "discard Princess", "leave")
    board.play(0, "use Winged Boots", "draw", "discard Forge")
    board.play(1, "draw", "discard Lightning", "leave")
    assert choice(board, 0) == UseItem(item=item("Treasure Chest"))


def test_the_bot_swaps_a_chest_that_will_not_be_filled() -> None:
    """Nobody fills it in a turn or two: with nothing in the pile and eight discards it is worth what it costs."""
    board = Board("Treasure Chest, Blindfold")
    for seat, name in zip((0, 1) * 4, DECK.split(", "), strict=False):
        board.play(seat, "draw", f"discard {name}", "leave")
    assert choice(board, 0) != UseItem(item=item("Treasure Chest"))
    board.play(0, "draw", "discard World Tree")
    assert choice(board, 0) == SwapItem()
