"""The one dealer for all seats does what the dealers of a table do."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from frp2p.cards import CardId
from frp2p.errors import LocalError
from frp2p.games.fantasy_realms import GAME, Options
from frp2p.games.fantasy_realms.state import State
from frp2p.games.game import Known, Move
from frp2p.games.verbs import TABLE, Cards, Draw, Exclude, Leave, Peek, Reveal, Seal, Seat, Shuffle, SlotId, Slots
from frp2p.players.quick import QuickCroupier
from frp2p.players.random_bot import Random
from frp2p.players.selfplay import ClearCroupier, run_quick

DECK = GAME.decks(Options())


def dealt(croupier: QuickCroupier | ClearCroupier) -> tuple[SlotId, ...]:
    """The slots of the shuffled deck."""
    (sealed,) = croupier.carry_out((Seal(cards=DECK[GAME.name], lock=TABLE),))
    assert isinstance(sealed, Slots)
    (mixed,) = croupier.carry_out((Shuffle(slots=sealed.slots, by=TABLE),))
    assert isinstance(mixed, Slots)
    return mixed.slots


def test_it_names_and_hides_slots_as_the_dealers_of_a_table_do() -> None:
    for croupier in (QuickCroupier(DECK, 3, seed=4), ClearCroupier(DECK, 3, seed=4)):
        slots = dealt(croupier)
        assert slots == tuple(range(53, 106))
        assert croupier.carry_out((Draw(slots=slots[:2], seat=1), Peek(slots=slots[2:3], viewer=2))) == (
            Slots(slots=slots[:2]),
            Slots(slots=slots[2:3]),
        )
        assert [set(croupier.known(seat)) for seat in range(3)] == [set(), set(slots[:2]), {slots[2]}]
        (shown,) = croupier.carry_out((Reveal(slots=slots[:1]),))
        assert isinstance(shown, Cards)
        (own,) = croupier.carry_out((Shuffle(slots=slots[1:2], by=1),))
        assert own == Slots(slots=(SlotId(106),))
        assert shown.cards[0] not in croupier.known(1).values()


def test_it_refuses_what_they_refuse() -> None:
    croupier = QuickCroupier(DECK, 3, seed=4)
    slots = dealt(croupier)
    croupier.carry_out((Draw(slots=slots[:1], seat=0),))
    for verb in (Draw(slots=slots[:1], seat=1), Shuffle(slots=slots[:1], by=1), Reveal(slots=(SlotId(0),))):
        with pytest.raises(LocalError) as error:
            croupier.carry_out((verb,))
        assert error.value.code == "deal-misuse"
    with pytest.raises(LocalError) as error:
        croupier.carry_out((Exclude(slots=slots[:1], cards=DECK[GAME.name]),))
    assert error.value.code == "exclude-false"


def test_after_a_broken_batch_a_slot_waits_for_the_seat_to_go() -> None:
    croupier = QuickCroupier(DECK, 3, seed=4)
    slots = dealt(croupier)
    croupier.interrupt((Draw(slots=slots[:1], seat=0),))
    with pytest.raises(LocalError):
        croupier.carry_out((Draw(slots=slots[:1], seat=0),))
    croupier.carry_out((Leave(seat=2),))
    assert croupier.carry_out((Draw(slots=slots[:1], seat=0),)) == (Slots(slots=slots[:1]),)


def test_the_same_seed_deals_the_same_cards_and_another_seed_others() -> None:
    def hands(seed: int) -> tuple[frozenset[CardId], ...]:
        found: list[tuple[frozenset[CardId], ...]] = []

        def watch(state: State, known: tuple[Known, ...], moves: Mapping[Seat, Move]) -> None:
            if state.turn == 1 and not found:
                found.append(tuple(frozenset(one.values()) for one in known))

        run_quick(GAME, Options(), [Random(1).choose] * 3, seed, watch)
        return found[0]

    assert hands(3) == hands(3) != hands(4)
