"""What a failed check means to people. The message of a fault is for those who read the protocol, and in English."""

from __future__ import annotations

from frp2p.locale import _


def sentence(code: str, message: str) -> str:
    """The fault in the language in use, or its own message where only its code says more to anybody."""
    return {
        "name-taken": _("Somebody at this table has a name like yours; choose another one with --name."),
        "table-full": _("All seats of this table are taken."),
        "wrong-version": _("This table is played with another version of the program."),
        "host-left": _("The host has gone away."),
        "removed": _("The host did not want you at this table."),
        "not-admitted": _("The host did not let you in."),
        "passphrase-needed": _("This table has a passphrase: join it with --passphrase."),
        "passphrase-tries": _("The host asks for the passphrase again and again; it may be somebody else."),
        "wrong-passphrase": _("That is not the passphrase of this table."),
        "nobody-asks": _("This player is not here any more."),
        "not-host": _("Only the host says who sits down, before the game begins."),
        "not-watched": _("This table is not to be watched."),
        "nobody-shows": _("Nobody of this table shows it (any more)."),
        "not-locked": _("This table has no passphrase, so it is not the one that you mean."),
        "lobby-changed": _("The host changed what will be played."),
        "unknown-game": _("This program does not know the game of this table."),
        "table-lost": _("Somebody is gone, and the game had not begun."),
        "two-votes": _("Two different statements were signed for one step."),
        "two-parts": _("Two different statements were signed for one step."),
        "two-acks": _("Two different statements were signed for one step."),
        "signature": _("A signature does not fit what it signs."),
        "transcript-magic": _("This is no record of a game, or one of another version."),
        "transcript-truncated": _("The file ends too early."),
        "transcript-trailing": _("Something follows after the end of the game."),
        "transcript-open": _("The game in this record is not over."),
        "charter-dealer": _("The cards were dealt openly or in an unknown way; anybody could have looked."),
        "audit-none": _("Nobody opened keys after this game, so nobody can read the hands."),
        "evidence-magic": _("This is no evidence, or of another version."),
    }.get(code, message)
