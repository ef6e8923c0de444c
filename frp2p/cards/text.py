"""The rule text of a card, made from its effects: one sentence an effect, in the language in use.

Wording is ours; every number, suit and name in it comes from the data.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import singledispatch

from frp2p.cards import effects as fx
from frp2p.cards import sets
from frp2p.cards.card import CardId
from frp2p.cards.catalogue import CARDS
from frp2p.cards.notation import both, either, named, shown_name
from frp2p.cards.suits import Suit, suit_name
from frp2p.errors import LocalError
from frp2p.locale import _, language


def card_text(card_id: CardId) -> tuple[str, ...]:
    """What the card says: a sentence for each effect, bonus before penalty. KeyError if there is no such card."""
    return tuple(map(effect_text, CARDS[card_id].effects))


def points_text(points: int) -> str:
    """`+15`, `-8`, `0`."""
    return f"{points:+d}" if points else "0"


@singledispatch
def effect_text(effect: fx.Effect) -> str:
    """One effect as one sentence."""
    raise LocalError(f"no wording for {type(effect).__name__}", code="no-card-text")


@effect_text.register
def _each(effect: fx.Each) -> str:
    points, cards = points_text(effect.points), _each_of(effect.look)
    if effect.boost is None:
        return _("{points} for {cards}.").format(points=points, cards=cards)
    sentence = _("{points} for {cards}; with {boost} {boosted} instead.")
    boost, boosted = _present(effect.boost), points_text(effect.boosted)
    return sentence.format(points=points, cards=cards, boost=boost, boosted=boosted)


@effect_text.register
def _with(effect: fx.With) -> str:
    return _("{points} with {cards}.").format(points=points_text(effect.points), cards=_needs(effect.needs))


@effect_text.register
def _best_with(effect: fx.BestWith) -> str:
    lines = [
        _("{points} with {cards}").format(points=points_text(line.points), cards=_needs(line.needs))
        for line in effect.lines
    ]
    text = lines[0]
    for line in lines[1:]:
        text = _("{text}, or else {line}").format(text=text, line=line)
    return _("{text}.").format(text=text)


@effect_text.register
def _without(effect: fx.Without) -> str:
    return _("{points} without {cards}.").format(points=points_text(effect.points), cards=_present(effect.look))


@effect_text.register
def _sum_of_strengths(effect: fx.SumOfStrengths) -> str:
    return _("Adds the base strength of {cards}.").format(cards=_each_of(effect.look))


@effect_text.register
def _best_strength(effect: fx.BestStrength) -> str:
    cards = either(_parts(effect.look))
    if effect.look.other:
        return _("Adds the base strength of one other {cards} (the highest).").format(cards=cards)
    return _("Adds the base strength of one {cards} (the highest).").format(cards=cards)


@effect_text.register
def _first_and_further(effect: fx.FirstAndFurther) -> str:
    first = _("the first other {suit}") if effect.other else _("the first {suit}")
    cards = both(first.format(suit=name) for name in _suits(effect.suits))
    points = points_text(effect.first)
    if not effect.further:
        return _("{points} for {cards}.").format(points=points, cards=cards)
    sentence = _("{points} for {cards}; {further} for each further one.")
    return sentence.format(points=points, cards=cards, further=points_text(effect.further))


@effect_text.register
def _exactly(effect: fx.Exactly) -> str:
    sentence = _("{points} if {cards} together are exactly {count} cards.")
    return sentence.format(points=points_text(effect.points), cards=both(_parts(effect.look)), count=effect.count)


@effect_text.register
def _runs(effect: fx.Runs) -> str:
    return _("For every run of consecutive base strengths: {table}.").format(table=_table(effect.table))


@effect_text.register
def _sets(effect: fx.Sets) -> str:
    return _("For every suit, counting different names: {table}.").format(table=_table(effect.table))


@effect_text.register
def _all_different(effect: fx.AllDifferent) -> str:
    return _("{points} if no two cards share a suit.").format(points=points_text(effect.points))


@effect_text.register
def _odd_strengths(effect: fx.OddStrengths) -> str:
    sentence = _("{each} for each other card of odd base strength; {whole} instead if the whole hand is odd.")
    return sentence.format(each=points_text(effect.each), whole=points_text(effect.whole))


@effect_text.register
def _each_penalty(effect: fx.EachPenalty) -> str:
    sentence = _("{points} for each card with a penalty that is not wholly cleared.")
    return sentence.format(points=points_text(effect.points))


@effect_text.register
def _each_player(effect: fx.EachPlayer) -> str:
    return _("{points} for each other player.").format(points=points_text(effect.points))


@effect_text.register
def _each_discard(effect: fx.EachDiscard) -> str:
    sentence = _("{points} for {cards} in the discard area at the end.")
    return sentence.format(points=points_text(effect.points), cards=_each_of(effect.look))


@effect_text.register
def _clears(effect: fx.Clears) -> str:
    suits = both(_suits(effect.suits))
    if effect.word is None:
        return _("Clears the penalty of each {suits}.").format(suits=suits) if suits else _("Clears every penalty.")
    word = suit_name(effect.word, language())
    if suits:
        return _("Clears the word {word} from the penalty of each {suits}.").format(word=word, suits=suits)
    return _("Clears the word {word} from every penalty.").format(word=word)


@effect_text.register
def _clears_chosen(effect: fx.ClearsChosen) -> str:
    return _("Clears the penalty of one {suits} that you choose.").format(suits=either(_suits(effect.suits)))


@effect_text.register
def _guards(effect: fx.Guards) -> str:
    return _("No {suits} can be blanked.").format(suits=either(_suits(effect.suits)))


@effect_text.register
def _guards_chosen(_effect: fx.GuardsChosen) -> str:
    return _("This card, and one other that you choose, cannot be blanked.")


@effect_text.register
def _also_suits(effect: fx.AlsoSuits) -> str:
    return _("In a hand it is also {suits}.").format(suits=both(_suits(effect.suits)))


@effect_text.register
def _aloof(_effect: fx.Aloof) -> str:
    return _("Its suit cannot be changed; it blanks no card, and no other card blanks it.")


@effect_text.register
def _keeps_suits(_effect: fx.KeepsSuits) -> str:
    return _("When blanked it keeps its suits, at strength 0.")


@effect_text.register
def _takes_name(effect: fx.TakesName) -> str:
    return _("May take the name and suit of any {suits} of the game.").format(suits=either(_suits(effect.suits)))


@effect_text.register
def _copies(_effect: fx.Copies) -> str:
    return _("May take name, base strength, suit and penalty of one other card of the hand.")


@effect_text.register
def _changes_suit(_effect: fx.ChangesSuit) -> str:
    return _("May change the suit of one other card of the hand.")


@effect_text.register
def _takes_card(effect: fx.TakesCard) -> str:
    if effect.source == "top":
        return _("At the end the top card of the deck joins the hand.")
    if effect.source == "deck":
        return _("At the end look through the deck and take one card.")
    sentence = _("At the end you may take one {suits} from the discard area.")
    return sentence.format(suits=either(_suits(effect.suits)))


@effect_text.register
def _blanks(effect: fx.Blanks) -> str:
    if effect.all_but:
        spared = [part for look in effect.targets for part in _parts(look)]
        return _("Blanks every card except {cards}.").format(cards=both(spared))
    return _("Blanks {cards}.").format(cards=both(_each_of(look) for look in effect.targets))


@effect_text.register
def _blanks_alone(effect: fx.BlanksAlone) -> str:
    sentence = _("Before any other blanking, blanks each card that is alone in its suit, except {suits}.")
    return sentence.format(suits=both(_suits(effect.but)))


@effect_text.register
def _blanked_unless(effect: fx.BlankedUnless) -> str:
    return _("Blanked without {cards}.").format(cards=_present(effect.look))


@effect_text.register
def _blanked_with(effect: fx.BlankedWith) -> str:
    return _("Blanked with {cards}.").format(cards=_present(effect.look))


def _suits(suits: Iterable[Suit]) -> list[str]:
    return [suit_name(suit, language()) for suit in suits]


def _names(names: Iterable[str]) -> list[str]:
    return [rule_name(name) for name in names]


def rule_name(name: str) -> str:
    """A name of the rules (the English one) of a card or item in the language in use."""
    for member in (*CARDS, *sets.items()):
        if named(member).en == name:
            return shown_name(member)
    raise LocalError(f"no card is named {name}", code="no-card-text")


def _parts(look: fx.Look) -> list[str]:
    return _suits(look.suits) + _names(look.names)


def _each_of(look: fx.Look) -> str:
    """`each Army and Flame`, `each other Land`, `each Land except Mountain`."""
    text = _("each other {cards}") if look.other else _("each {cards}")
    text = text.format(cards=both(_parts(look)))
    if look.but:
        text = _("{cards} except {names}").format(cards=text, names=both(_names(look.but)))
    return text


def _present(look: fx.Look) -> str:
    """`any Wizard or Undead`, `Smoke`: one such card is enough. A name needs no "any"."""
    parts = either(_parts(look))
    if not look.suits:
        return parts
    return (_("any other {cards}") if look.other else _("any {cards}")).format(cards=parts)


def _needs(needs: tuple[fx.Look, ...]) -> str:
    """`Rainstorm and either Blizzard or Great Flood`: one card for each look."""
    if len(needs) == 1:
        return _present(needs[0])
    several = _("either {cards}")
    return both(several.format(cards=_present(need)) if len(_parts(need)) > 1 else _present(need) for need in needs)


def _table(table: tuple[tuple[int, int], ...]) -> str:
    *fixed, last = [(count, points_text(points)) for count, points in table]
    rows = [_("{count} cards {points}").format(count=count, points=points) for count, points in fixed]
    rows.append(_("{count} or more cards {points}").format(count=last[0], points=last[1]))
    return ", ".join(rows)
