"""Sentences for what is wrong with a record of a game, or with evidence."""

from __future__ import annotations

from frp2p.locale import N_

_TOO_LONG = N_("Something in it is longer than it may be.")
_FORM = N_("Something in it is not written as the protocol says.")
_KEY = N_("The key of a player is not one that can be trusted.")
_OTHER_TABLE = N_("This belongs to another table.")
_OTHER_STEP = N_("This belongs to another step of the game.")
_OTHER_PAST = N_("This continues another game than the one before it.")
_NOT_ASKED = N_("A seat spoke that was not asked.")
_TWO = N_("Two different statements were signed for one step.")
_HIDDEN = N_("In a vote a seat did not say what it had signed before.")
_STEPS = N_("The game has more steps than there can be.")
_SIZE = N_("The file is larger than the record of a game can be.")
_AUDIT = N_("This program made a mistake when it read the hands; the record itself holds.")

SENTENCES = {
    # encoding, record, identity
    "encoding-canonical": _FORM,
    "encoding-form": _FORM,
    "encoding-size": _TOO_LONG,
    "encoding-type": _FORM,
    "payload-size": _TOO_LONG,
    "seat-range": N_("This names a seat that the table does not have."),
    "signature": N_("A signature does not fit what it signs."),
    **dict.fromkeys(("key-canonical", "key-curve", "key-size", "key-small-order"), _KEY),
    # step
    "ack-game": _OTHER_TABLE,
    "ack-state-digest": N_("A seat confirmed another course of the game than the one that follows."),
    "ack-step": _OTHER_STEP,
    "ack-step-digest": N_("A seat confirmed other statements than those of this step."),
    "attest-digest": N_("At the end a seat signed another record."),
    "illegal-move": N_("The rules do not allow this move: {message}"),
    "part-game": _OTHER_TABLE,
    "part-kind": N_("A seat said something else than it was asked for."),
    "part-prev": _OTHER_PAST,
    "part-step": _OTHER_STEP,
    "wrong-speaker": _NOT_ASKED,
    # transcript
    "transcript-length": _TOO_LONG,
    "transcript-magic": N_("This is no record of a game, or one of another version."),
    "transcript-open": N_("The game in this record is not over."),
    "transcript-order": N_("Something is missing here, or is not in its place."),
    "transcript-size": _SIZE,
    "transcript-steps": _STEPS,
    "transcript-trailing": N_("Something follows after the end of the game."),
    "transcript-truncated": N_("The file ends too early."),
    # evidence
    "ack-or-promise": _HIDDEN,
    "evidence-magic": N_("This is no evidence, or of another version."),
    "evidence-right": N_("What it accuses is right, or wrong in another way than it says."),
    "evidence-same": N_("The two statements do not exclude each other."),
    "evidence-slot": N_("The statements are not of one seat about one step of this table."),
    "evidence-step": N_("What it accuses does not belong to the step that it names."),
    "two-acks": _TWO,
    "two-parts": _TWO,
    "two-votes": _TWO,
    "vote-or-promise": _HIDDEN,
    # vote
    "verdict-farewell": N_("Not those seats said farewell that leave."),
    "verdict-how": N_("The table does not provide that these seats are out in this way."),
    "verdict-keep": N_("A majority has decided about other statements than those of this step."),
    "verdict-seats": N_("A vote decided about seats that are not at the table."),
    "vote-elector": N_("Somebody voted who has no vote about this step."),
    "vote-game": _OTHER_TABLE,
    "vote-order": N_("The votes are not in the order of the seats."),
    "vote-prev": _OTHER_PAST,
    "vote-quorum": N_("There is no majority for what was decided."),
    "vote-split": N_("The votes are not about one and the same thing."),
    "vote-step": _OTHER_STEP,
    # audit
    **dict.fromkeys(("audit-card", "audit-differs", "audit-down", "audit-reveal", "audit-twice"), _AUDIT),
    "audit-none": N_("Nobody opened keys after this game, so nobody can read the hands."),
}
