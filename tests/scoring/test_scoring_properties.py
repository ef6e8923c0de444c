"""What holds for every hand."""

from __future__ import annotations

import msgspec
import pytest
from hands import contexts, hands, legal_choices, tables
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from frp2p.cards import CARDS, CardId, Suit, card
from frp2p.cards import effects as data
from frp2p.scoring import Choices, Context, Score, best, best_total, score, tie_strength, total
from frp2p.scoring.blanking import mortal, survey
from frp2p.scoring.cast import Cast
from frp2p.scoring.ceiling import bonuses, ceiling
from frp2p.scoring.explain import angel_of, island_of
from frp2p.scoring.notice import Notice
from frp2p.scoring.resolve import active_penalties, resolve
from frp2p.scoring.trace import Trace
from frp2p.scoring.traits import SUIT_TRAIT, positions

MANY = settings(max_examples=120, deadline=None)
FEWER = settings(max_examples=50, deadline=None)

RUNE = CardId("FR50")
Table = tuple[tuple[CardId, ...], Choices, Context]


def told(result: Score) -> object:
    """The score as a set of facts, without the order of the hand."""
    return (
        result.total,
        result.strength,
        {
            one.card: (one.base, one.points, one.name, one.suits, _unordered(one.lines), _unordered(one.cleared))
            for one in result.cards
        },
        {one.card: one.blanked and (one.blanked.why, frozenset(one.blanked.by)) for one in result.cards},
        frozenset(
            (step.kind, step.card if step.kind != "loop" else "", frozenset(step.cards)) for step in result.steps
        ),
    )


def _unordered(lines: tuple[object, ...]) -> list[bytes]:
    """Points and kinds; causes of equal worth may differ (which of two equal cards a run takes)."""
    return sorted(msgspec.json.encode([getattr(line, "points", None), getattr(line, "side", line)]) for line in lines)


@given(tables(), st.randoms(use_true_random=False))
@MANY
def test_the_order_of_the_hand_never_matters(table: Table, source: object) -> None:
    hand, choices, context = table
    shuffled = list(hand)
    source.shuffle(shuffled)  # type: ignore[attr-defined]
    assert told(score(shuffled, choices, context)) == told(score(hand, choices, context))


@given(tables(), st.lists(st.sampled_from(["CH24", "CH39", "CH25", "CH46", "CH47"]), unique=True).map(tuple))
@MANY
def test_the_total_is_the_sum_of_the_lines(table: Table, items: tuple[CardId, ...]) -> None:
    hand, choices, context = table
    context = msgspec.structs.replace(context, items=items)
    result = score(hand, choices, context)
    assert [one.card for one in result.cards] == list(hand)
    for one in result.cards:
        assert one.points == one.base + sum(line.points for line in one.lines)
        assert all(line.points > 0 if line.side == "bonus" else line.points < 0 for line in one.lines)
        if one.blanked:
            assert (one.base, one.lines, one.points) == (0, (), 0)
    assert result.total == sum(one.points for one in result.cards) + sum(one.points for one in result.items)
    assert result.total == total(hand, choices, context)
    assert result.strength == tie_strength(hand, choices, context)
    assert result.strength == sum(one.base for one in result.cards)


@given(tables())
@MANY
def test_the_explanation_agrees_with_itself(table: Table) -> None:
    hand, choices, context = table
    result = score(hand, choices, context)
    blanked = {one.card for one in result.cards if one.blanked}
    stepped = {
        card_id for step in result.steps if step.kind in ("alone", "blank", "loop", "itself") for card_id in step.cards
    }
    assert stepped == blanked
    for one in result.cards:
        if one.blanked:
            assert one.blanked.by
            assert not any(step.kind == "guard" and one.card in step.cards for step in result.steps)
        if any(cleared.word is None for cleared in one.cleared):
            assert not any(line.side == "penalty" for line in one.lines)
        for line in one.lines:
            if not isinstance(line.effect, data.EachDiscard):
                ghosts = {one.card for one in result.cards if one.card == "FR55P"}
                assert set(line.causes) <= set(hand) - blanked | ghosts


@given(tables(most=8))
@MANY
def test_with_the_rune_nothing_is_blanked_and_no_penalty_counts(table: Table) -> None:
    hand, choices, context = table
    assume(RUNE not in hand and RUNE not in context.discard)
    result = score((*hand, RUNE), choices, context)
    assert not any(one.blanked for one in result.cards)
    assert not any(line.side == "penalty" for one in result.cards for line in one.lines)


@given(tables(most=8), st.sampled_from(["Mountain", "Cavern", "Beastmaster", "Rangers", "Warship", "Protection Rune"]))
@MANY
def test_a_clearing_card_more_never_takes_a_clearing_away(table: Table, name: str) -> None:
    hand, choices, context = table
    clearer = next(card_id for card_id in context.deck() if card(card_id).en == name)
    assume(clearer not in hand)
    before = {one.card: set(one.cleared) for one in score(hand, choices, context).cards}
    after = {one.card: set(one.cleared) for one in score((*hand, clearer), choices, context).cards}
    assert all(before[card_id] <= after[card_id] for card_id in hand)


@given(st.data())
@FEWER
def test_the_best_is_at_least_any_choice(source: st.DataObject) -> None:
    context = source.draw(contexts())
    hand = source.draw(hands(context, 2, 8))
    choices, result = best(hand, context)
    assert result == score(hand, choices, context)  # which also refuses an illegal best
    assert best_total(hand, context) == result.total
    for _ in range(10):
        other = source.draw(legal_choices(hand, context))
        found = total(hand, other, context)
        assert (result.total, -choices.count()) >= (found, -other.count())


@given(st.data())
@FEWER
def test_the_best_does_not_depend_on_the_order_of_the_hand(source: st.DataObject) -> None:
    context = source.draw(contexts())
    hand = source.draw(hands(context, 2, 8))
    assert best(source.draw(st.permutations(hand)), context)[0] == best(hand, context)[0]


@given(tables(least=2))
@MANY
def test_no_score_is_above_its_limit(table: Table) -> None:
    """The search leaves out what has a low limit: a limit below a score would lose it."""
    hand, choices, context = table
    cast = Cast(hand, context)
    cast.choose(msgspec.structs.replace(choices, book=None))
    own = angel_of(cast, msgspec.structs.replace(choices, angel=None))
    suits = tuple(SUIT_TRAIT[suit] for suit in (*context.real_suits(), Suit.WILD))
    before = ceiling(cast, own, suits)
    moved = before.bonus
    if choices.book is not None:
        to = SUIT_TRAIT[choices.book[1]]
        cast.set_suit(cast.at(choices.book[0]), to)
        moved = before.moved[to]
    after = ceiling(cast, own, ())
    found = resolve(cast, island_of(cast, choices), angel_of(cast, choices))
    assert found <= before.strength + moved <= before.total
    assert found <= after.total == after.strength + after.bonus
    assert sum(cast.board.strengths[at] for at in positions(cast.board.alive)) <= after.strength


def test_a_card_that_gets_its_suit_back_is_what_it_was() -> None:
    """The search moves cards and sets them back."""
    for card_id in CARDS:
        cast = Cast((card_id,), Context())
        held, own = cast.board.held.copy(), cast.suits[0]
        for trait in SUIT_TRAIT.values():
            cast.set_suit(0, trait)
            cast.set_suit(0, own)
            assert (cast.board.held, cast.suits) == (held, [own]), card_id


def test_a_card_that_costs_points_may_be_blanked() -> None:
    genie_and_wildfire = Cast((CardId("CH06"), CardId("FR16")), Context(extra_suits=True))
    assert ceiling(genie_and_wildfire, 0, ()).total >= resolve(genie_and_wildfire, 0, 0) == 40


def test_a_card_that_moves_may_leave_another_one_to_the_demon() -> None:
    """Two Weathers: if one becomes an Army, Demon blanks the other, and the Elven Archers get their five points."""
    hand = tuple(map(CardId, ("CH10", "FR22", "FR21", "FR11", "FR15")))
    cast = Cast(hand, Context(extra_suits=True))
    army = SUIT_TRAIT[Suit.ARMY]
    moved = ceiling(cast, 0, (army,)).moved[army]
    cast.set_suit(3, army)
    assert resolve(cast, 0, 0) == 45 + 10 + 5 + 20 - 8 + 8
    assert moved >= 5


@pytest.mark.parametrize(
    ("line", "worth"),
    [
        ("FR22 FR13", 5),  # Smoke, the only Weather, blanks itself
        ("CH04 FR37 FR31 FR32 FR35 FR26 FR28", 40),  # Basilisk blanks three Leaders and leaves Chapel two Wizards
        ("FR48 FR37 FR23 FR24", 50),  # and two Armies, so that World Tree sees no suit twice
    ],
)
def test_no_limit_relies_on_a_card_that_may_be_blanked(line: str, worth: int) -> None:
    hand = tuple(map(CardId, line.split()))
    cast = Cast(hand, Context(extra_suits=True))
    active = active_penalties(cast, 0)
    limit = dict(bonuses(cast, active, mortal(survey(cast, active, 0))))[1]
    assert limit >= worth == next(one.points - one.base for one in score(hand).cards)


@given(tables(least=2))
@MANY
def test_no_bonus_is_above_its_limit(table: Table) -> None:
    hand, choices, context = table
    cast = Cast(hand, context)
    cast.choose(choices)
    active = active_penalties(cast, 0)
    may = mortal(survey(cast, active, angel_of(cast, msgspec.structs.replace(choices, angel=None))))
    limits = dict(bonuses(cast, active, may))
    trace = Trace()
    resolve(cast, island_of(cast, choices), angel_of(cast, choices), trace)
    for bit, notes in trace.bonuses.items():
        assert sum(points for _, points, _, _ in notes) <= limits.get(bit, 0)


@given(tables(least=2))
@MANY
def test_only_mortal_cards_are_blanked(table: Table) -> None:
    hand, choices, context = table
    cast = Cast(hand, context)
    cast.choose(choices)
    angel = angel_of(cast, choices)
    may = mortal(survey(cast, active_penalties(cast, 0), angel))
    resolve(cast, island_of(cast, choices), angel)
    assert not cast.board.full & ~cast.board.alive & ~may


@given(tables(least=2), st.data())
@MANY
def test_suits_that_no_card_can_tell_apart_score_alike(table: Table, source: st.DataObject) -> None:
    """The search tries only one of them."""
    hand, choices, context = table
    cast = Cast(hand, context)
    cast.choose(msgspec.structs.replace(choices, book=None))
    notice = Notice(hand, context.house)
    at = source.draw(st.sampled_from(range(len(hand))))
    assume(not cast.faces[at].also)
    angel = angel_of(cast, choices)
    signs = notice.suits(cast.board.names[at])
    alike: dict[int, set[int]] = {}
    for suit, sign in enumerate(signs):
        if not (notice.compares_suits and cast.board.held[suit] & ~(1 << at)):
            cast.set_suit(at, suit)
            alike.setdefault(sign, set()).add(resolve(cast, 0, angel))
    assert all(len(totals) == 1 for totals in alike.values())


@given(tables())
@MANY
def test_resolving_twice_gives_the_same(table: Table) -> None:
    hand, choices, context = table
    cast = Cast(hand, context)
    cast.choose(choices)
    island, angel = island_of(cast, choices), angel_of(cast, choices)
    assert resolve(cast, island, angel) == resolve(cast, island, angel) == total(hand, choices, context)
