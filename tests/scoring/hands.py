"""Random hands for property tests: any deck, rich in special cards, with legal choices."""

from __future__ import annotations

from brute_force import options
from hypothesis import strategies as st

from frp2p.cards import CardId, card
from frp2p.scoring import Choices, Context, House, IllegalChoices, ability_of, check_choices

MEDDLERS = {
    *("Basilisk", "Great Flood", "Wildfire", "Rainstorm", "Blizzard", "Demon", "Crypt", "Smoke", "Warship", "Garden"),
    *("War Dirigible", "Phoenix", "Lich", "Necromancer", "Mountain", "Cavern", "Rangers", "Beastmaster"),
    *("Protection Rune", "Collector", "World Tree", "Judge", "Chapel", "Gem of Order", "Jester"),
}
"""Cards that meddle with others or look at the whole hand."""


@st.composite
def contexts(draw: st.DrawFn) -> Context:
    around = Context(
        extra_suits=draw(st.booleans()),
        jester=draw(st.booleans()),
        phoenix=draw(st.sampled_from(("off", "deluxe", "promo"))),
    )
    return Context(
        players=draw(st.integers(2, 6)),
        discard=tuple(draw(st.lists(st.sampled_from(around.deck()), max_size=8, unique=True))),
        extra_suits=around.extra_suits,
        jester=around.jester,
        phoenix=around.phoenix,
        house=draw(st.one_of(st.just(House()), st.builds(House, *[st.booleans()] * len(House.__struct_fields__)))),
    )


@st.composite
def hands(draw: st.DrawFn, context: Context, least: int = 1, most: int = 9) -> tuple[CardId, ...]:
    """Cards of the deck in use that don't lie in the discard area, every second one of them a meddler or a chooser."""
    deck = [card_id for card_id in context.deck() if card_id not in context.discard]
    special = [card_id for card_id in deck if card(card_id).en in MEDDLERS or ability_of(card_id) is not None]
    one = st.one_of(st.sampled_from(special), st.sampled_from(deck))
    return tuple(draw(st.lists(one, min_size=least, max_size=most, unique=True)))


@st.composite
def legal_choices(draw: st.DrawFn, hand: tuple[CardId, ...], context: Context) -> Choices:
    picked: dict[str, object] = {}
    for ability in sorted(ability for ability in map(ability_of, hand) if ability is not None):
        picked[ability] = draw(st.sampled_from(options(ability, hand, context)))
    return legalised(picked, hand, context)


def legalised(picked: dict[str, object], hand: tuple[CardId, ...], context: Context) -> Choices:
    """These choices without those that aren't allowed."""
    legal: dict[str, object] = {}
    for ability in ("doppelganger", "mirage", "shapeshifter", "book", "island", "angel"):
        try:
            check_choices(hand, Choices(**{**legal, ability: picked.get(ability)}), context)  # type: ignore[arg-type]
        except IllegalChoices:
            continue
        legal[ability] = picked.get(ability)
    return Choices(**legal)  # type: ignore[arg-type]


@st.composite
def tables(draw: st.DrawFn, least: int = 1, most: int = 9) -> tuple[tuple[CardId, ...], Choices, Context]:
    """(hand, choices, context)"""
    context = draw(contexts())
    hand = draw(hands(context, least, most))
    return hand, draw(legal_choices(hand, context)), context
