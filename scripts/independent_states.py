"""Check the encodings in fantasy-realms-states.json: protocol/11-fantasy-realms-state.md, section 1.

What happens to a state is not looked at: the rules of the game are in no file here. See independent_ledger.py.
"""

from __future__ import annotations

from hashlib import sha256

from independent_encoding import array, by_tag, integer, maybe, plain, read, record, text
from independent_ledger import MOST_OF, MOST_OPTIONS, OPTIONS, SEAT, TRUTH, same
from verify_vectors_independent import expect, unhex

# Page 11, second part: the state of a game with n seats.

CARD, SLOT, WHOLE = text(4, 5, "(FR|CH)[0-9]{2}P?"), integer(0, 2**32 - 1), plain(int)
TAGGED = plain(list, lambda value: value and type(value[0]) is str)  # a task, a move
OUTCOME = by_tag(
    Slots=record("Slots", slots=array(SLOT)),
    Cards=record("Cards", cards=array(CARD)),
    Number=record("Number", value=integer(0, 2**32 - 1)),
)


def pair(first, second):
    return record("", first=first, second=second)


def state_of(n):
    def row(kind):
        return array(kind, n, n)

    def later(kind):
        return plain(list, lambda value: len(value) in (0, n), lambda value: [kind(item) for item in value])

    cards, slots = array(CARD), array(SLOT)
    result = {"totals": later(maybe(WHOLE)), "ranks": later(WHOLE)}
    shelf = {"face_up": row(maybe(CARD)), "aside": row(cards), "piles": row(slots), "opened": row(cards)}
    shelf |= {"deck": slots, "discards": cards, "covered": array(pair(CARD, SEAT)), "shown": array(pair(SEAT, CARD))}
    fields = {"options": OPTIONS, "seats": integer(n, n), "out": array(SEAT), "stopped": TRUTH, "agenda": array(TAGGED)}
    fields |= {"round": WHOLE, "past": array(record("", **result)), "deck": slots, "hands": row(slots)}
    fields |= {"holds": row(cards), "named": array(pair(SLOT, CARD)), "discards": cards, "first_seat": maybe(SEAT)}
    fields |= {"seat_in_turn": maybe(SEAT), "turn": WHOLE, "took": maybe(CARD), "drawn": slots, "dry": WHOLE}
    fields |= {"opened": later(cards), "extras": row(cards), "spent": cards, "searched": maybe(CARD)}
    fields |= {"choices": row(maybe(array(lambda value: value, 6, 6))), **result}
    return record("", **fields, items=record("", **shelf, skip=TRUTH, again=TRUTH, mix=TRUTH))


def check_states(test):
    """Every value is the one encoding of its type, and the states that are given whole have their hash."""
    n, raw = test["seats"], unhex(test["options"])
    options, kind = read(raw, MOST_OPTIONS, OPTIONS), state_of(n)
    whole = [told for told in (test["start"], *test["events"]) if "state" in told]
    expect(test["id"], whole[0] is test["start"], True)
    for told in whole:
        state = unhex(told["state"])
        expect(test["id"], sha256(state).hexdigest(), told["sha256"])
        same(test["id"], read(state, len(state), kind)["options"], options)
    for event in test["events"]:
        expect(test["id"], len({"moves", "outcomes", "out", "stop"} & set(event)), 1)
        for moved in event.get("moves", {}).values():
            read(unhex(moved), MOST_OF["move"], TAGGED)
        for came in event.get("outcomes", ()):
            read(unhex(came), len(came), OUTCOME)
