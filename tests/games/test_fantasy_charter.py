"""What the charter binds of this game."""

from __future__ import annotations

from frp2p.cards import catalogue_digest
from frp2p.games.fantasy_realms import GAME, Options
from frp2p.games.registry import games


def test_the_game_is_known_by_its_name_on_the_wire() -> None:
    assert games()["fantasy-realms"] is GAME


def test_the_charter_binds_the_facts_of_the_cards_and_the_deck() -> None:
    assert GAME.catalogue() == catalogue_digest()
    assert len(set(GAME.decks(Options())[GAME.name])) == 53
