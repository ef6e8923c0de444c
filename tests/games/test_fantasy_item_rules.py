"""Single rules of the cursed items, each in a state made for it."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from frp2p.cards import CARDS, CardId, sets
from frp2p.cards.items import ITEMS
from frp2p.cards.notation import find_card
from frp2p.errors import UserError
from frp2p.games.fantasy_realms import GAME, Options, notation
from frp2p.games.fantasy_realms.items.facts import Facts, why_not
from frp2p.games.fantasy_realms.items.prompt import MAX_ANSWERS, Prompt, answers, check_answer
from frp2p.games.fantasy_realms.moves import (
    Arrange,
    DrawDeck,
    FantasyMove,
    KeepItem,
    PickCards,
    PickExtra,
    PickSeat,
    PickSlots,
    PickSuit,
    SwapItem,
    TakeDiscard,
    UseItem,
)
from frp2p.games.fantasy_realms.state import State
from frp2p.games.fantasy_realms.view import View
from frp2p.games.game import Deal, IllegalMove
from frp2p.games.verbs import SlotId
from frp2p.players.greedy import Greedy
from frp2p.players.stacked import StackedCroupier

HANDS = (
    "Knights, King, Forest, Unicorn, Warhorse, Elven Archers, Necromancer",
    "Mountain, Cavern, Candle, Smoke, Island, Dragon, Wildfire",
)
DECK = "Queen, Princess, Rainstorm, Forge, Lightning, Warlord, Great Flood, Bell Tower, World Tree, Blizzard, Rangers"

PLENTY = Facts(
    moment="draw",
    deck=20,
    hand=7,
    takeable=5,
    uncovered=5,
    pile=0,
    spare=10,
    junk=(CardId("CH36"),),
    others=(CardId("CH33"),),
    hands=2,
)


def item(name: str) -> CardId:
    return find_card(name, sets.items())


class Board:
    """A game with stacked decks, driven line by line; seat 0 begins."""

    def __init__(self, items: str, deck: str = DECK, **options: Any) -> None:
        self.options = Options(cursed_items=True, **options)
        hand_deck = GAME.decks(self.options)[GAME.name]
        cards = [find_card(name, hand_deck) for text in (*HANDS, deck) for name in text.split(", ")]
        top = (*cards, *(item(name) for name in items.split(", ")))
        self.croupier = StackedCroupier(top, coin=0)
        self.state: State = GAME.start(self.options, 2)
        self.deal()

    def deal(self) -> None:
        while isinstance(need := GAME.need(self.state), Deal):
            self.state = GAME.dealt(self.state, self.croupier.carry_out(need.verbs))

    def view(self, seat: int | None) -> View:
        return GAME.view(self.state, seat, {} if seat is None else self.croupier.known(seat))

    def play(self, seat: int, *lines: str) -> None:
        for line in lines:
            self.state = GAME.apply(self.state, {seat: notation.parse(line, self.view(seat))})
            self.deal()

    def legal(self, seat: int) -> tuple[FantasyMove, ...]:
        return GAME.legal(self.view(seat))

    def refuses(self, seat: int, move: FantasyMove) -> str:
        with pytest.raises(IllegalMove) as caught:
            GAME.check(self.state, seat, move)
        return caught.value.message


# -- what an item needs ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("entry", [entry for entry in ITEMS if entry.timing != "after"], ids=lambda entry: entry.en)
def test_with_plenty_of_everything_an_item_can_be_used_before_the_draw(entry: Any) -> None:
    assert why_not(entry.id, PLENTY) is None


@pytest.mark.parametrize("entry", ITEMS, ids=lambda entry: entry.en)
def test_each_item_has_its_moment(entry: Any) -> None:
    allowed = [
        m for m in ("draw", "discard", "finish") if why_not(entry.id, msgspec.structs.replace(PLENTY, moment=m)) is None
    ]
    wanted = {"replace": ["draw"], "after": ["finish"]}.get(entry.timing, ["draw", "discard", "finish"])
    assert allowed == (["draw", "discard"] if entry.en == "Portal" else wanted)


@pytest.mark.parametrize(
    ("name", "lacks", "sentence"),
    [
        ("Gold Mirror", {"uncovered": 2}, "This needs 3 uncovered cards in the discard area."),
        ("Shovel", {"uncovered": 0}, "This needs an uncovered card in the discard area."),
        ("Sealed Vault", {"uncovered": 1}, "This needs 2 uncovered cards in the discard area."),
        ("Rake", {"takeable": 1}, "This needs 2 uncovered cards in the discard area."),
        ("Winged Boots", {"deck": 0}, "This needs a card in the deck."),
        ("Fishhook", {"deck": 1}, "This needs 2 cards in the deck."),
        ("Cauldron", {"deck": 2}, "This needs 3 cards in the deck."),
        ("Crystal Lens", {"deck": 0}, "This needs a card in the deck."),
        ("Wishing Ring", {"deck": 0}, "This needs a card in the deck."),
        ("Lantern", {"deck": 0}, "This needs a card in the deck."),
        ("Blindfold", {"deck": 0}, "This needs a card in the deck."),
        ("Sarcophagus", {"moment": "discard"}, "This item is used instead of a turn: before you draw or take a card."),
        ("Hourglass", {}, "This item is used after your turn, once you have discarded."),
        ("Portal", {"moment": "finish"}, "You have discarded already in this turn."),
        ("Staff of Transmutation", {"hand": 2}, "You have too few cards for this."),
        ("Spyglass", {"hands": 0}, "No other player has a card."),
        ("Backpack", {"spare": 0}, "There is no other item left."),
        ("Repair Kit", {"spare": 0}, "There is no other item left."),
        ("Larcenous Gloves", {"others": ()}, "No other player has an item that you could use now."),
        (
            "Larcenous Gloves",
            {"others": (CardId("CH38"),), "moment": "discard"},
            "No other player has an item that you could use now.",
        ),
        ("Junkyard Map", {"junk": ()}, "None of the 3 items discarded last could be used now."),
        (
            "Junkyard Map",
            {"junk": (CardId("CH36"), CardId("CH42"), CardId("CH42"), CardId("CH42"))},
            "None of the 3 items discarded last could be used now.",
        ),
    ],
)
def test_what_is_missing_is_said(name: str, lacks: dict[str, Any], sentence: str) -> None:
    assert why_not(item(name), msgspec.structs.replace(PLENTY, **lacks)) == sentence


def test_only_the_own_open_item_can_be_used_and_only_in_the_own_turn() -> None:
    board = Board("Winged Boots, Crystal Lens")
    assert board.refuses(0, UseItem(item=item("Crystal Lens"))) == "This item does not lie face up before you."
    assert "not this player's turn" in board.refuses(1, UseItem(item=item("Crystal Lens")))
    assert board.refuses(0, SwapItem()) == "Draw a card or take one first."
    assert board.refuses(0, PickSeat(seat=1)) == "Draw a card or take one first."
    board.play(0, "draw", "discard Queen")
    assert board.refuses(0, DrawDeck()) == "Leave your item, swap it or use it."


def test_a_used_item_can_not_be_used_again() -> None:
    board = Board("Winged Boots, Crystal Lens, Crystal Ball")
    board.play(0, "use Winged Boots")
    assert board.legal(0) == (DrawDeck(), TakeDiscard(card=board.state.discards[0]))
    board.play(0, "draw", "discard Princess")
    assert board.view(1).seat_in_turn == 1, "who has used its item is asked nothing at the end of the turn"
    assert board.view(None).seats[0].item == item("Crystal Ball")


# -- answers -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "move",
    [
        PickCards(cards=()),
        PickCards(cards=(CardId("FR01"),)),
        PickCards(cards=(CardId("FR01"), CardId("FR01"))),
        PickCards(cards=(CardId("FR01"), CardId("FR09"))),
        PickCards(cards=(CardId("FR01"), CardId("FR02"), CardId("FR03"))),
        PickSlots(slots=(SlotId(1), SlotId(2))),
        PickSeat(seat=1),
        PickSuit(suit="land"),
        Arrange(keep=SlotId(1), top=(), bottom=()),
        KeepItem(),
    ],
)
def test_only_an_answer_is_an_answer(move: FantasyMove) -> None:
    pool = tuple(CardId(f"FR0{number}") for number in range(1, 4))
    prompt = Prompt(item=CardId("CH32"), what="cover", kind="cards", least=2, most=2, cards=pool)
    check_answer(prompt, PickCards(cards=pool[:2][::-1]))
    with pytest.raises(IllegalMove):
        check_answer(prompt, move)


def test_cards_go_back_in_every_order_and_split() -> None:
    prompt = Prompt(item=CardId("CH44"), what="return", kind="arrange", slots=(SlotId(4), SlotId(5), SlotId(6)))
    ways = answers(prompt)
    assert len(set(ways)) == len(ways) == 3 * 2 * 3
    for way in ways:
        check_answer(prompt, way)
    for bad in (
        Arrange(keep=SlotId(4), top=(SlotId(5),), bottom=()),
        Arrange(keep=SlotId(4), top=(SlotId(5),), bottom=(SlotId(5),)),
        Arrange(keep=SlotId(4), top=(SlotId(5), SlotId(6)), bottom=(SlotId(6),)),
    ):
        with pytest.raises(IllegalMove):
            check_answer(prompt, bad)


def test_answers_are_bounded() -> None:
    many = tuple(CardId(f"FR{number:02}") for number in range(1, 54))
    assert (
        len(answers(Prompt(item=CardId("CH43"), what="bury", kind="cards", least=3, most=3, cards=many))) == MAX_ANSWERS
    )


@pytest.mark.parametrize("line", ["pick none", "return King", "use Excalibur", "seat one", "suit Cheese", "swap now"])
def test_lines_that_mean_nothing_are_refused(line: str) -> None:
    with pytest.raises(UserError):
        notation.parse(line, Board("Winged Boots, Crystal Lens").view(0))


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
    board = Board("Spyglass, Wishing Ring, Shovel")
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
