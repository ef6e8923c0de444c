"""Sentences for what goes wrong at a table: between its programs, in its lobby, and with what is kept of it."""

from __future__ import annotations

from frp2p.locale import N_

_TOO_LONG = N_("A message is longer than it may be.")
_NO_MESSAGE = N_("Something was sent that is no message of this program.")
_WHO = N_("The other side has not proved who it is.")
_TOO_MANY = N_("Too many want to connect at once.")
_SEATS = N_("A table has two to seven players.")
_OTHER_TABLE = N_("This belongs to another table.")
_NAME = N_("A name can't be shown: it has to be 1 to 16 visible characters.")

SENTENCES = {
    # general
    "client-failed": N_("Too much went wrong inside this program."),
    # name
    **dict.fromkeys(("name-character", "name-empty", "name-form", "name-marks", "name-space", "name-width"), _NAME),
    # link
    "closed": N_("The other side closed the connection."),
    "frame-count": _NO_MESSAGE,
    "frame-kind": _NO_MESSAGE,
    "frame-length": _TOO_LONG,
    "frame-timeout": N_("A message did not arrive whole in time."),
    "handshake-timeout": N_("The other side did not say who it is in time."),
    "other-interface": N_("The connection came through a network that was not chosen."),
    "send-overflow": N_("The other side does not read what it is sent."),
    "silent": N_("Nothing was heard from the other side for too long."),
    "tls": N_("The encrypted connection could not be made, or it broke."),
    "tls-identity": _WHO,
    "too-many-knocks": N_("Too many connections or wrong passphrases came from one address."),
    "too-many-links": _TOO_MANY,
    "wrong-identity": N_("Somebody else answers there."),
    # journal
    "journal-corrupt": N_("The journal of this table is damaged."),
    "journal-differs": N_("The journal does not lead to what was said before."),
    "journal-form": N_("This is not the journal of this seat, or it is damaged."),
    "journal-size": N_("The journal of this table is as large as it may be."),
    "journal-version": N_("The journal was written by another version of the program."),
    "not-kept": N_("Nothing could be written to the disk until the end."),
    # the program at a seat
    "lines-unread": N_("Nobody reads what this program writes; it has left the table."),
    # table: who may come, and who goes
    "busy": _TOO_MANY,
    "charter-seat": N_("The host began a table at which you do not sit as you joined it."),
    "charter-terms": N_("The host began another table than the one that was shown."),
    "host-left": N_("The host has gone away."),
    "join-timeout": N_("Somebody looked at the table for too long without sitting down."),
    "left": N_("You left the table."),
    "lobby-changed": N_("The host changed what will be played."),
    "name-taken": N_("Somebody at this table has a name like yours; choose another one with --name."),
    "no-arbiter": N_("This table has no place for an arbiter, or it is taken."),
    "nobody-asks": N_("This player is not here any more."),
    "nobody-shows": N_("Nobody of this table shows it (any more)."),
    "not-admitted": N_("The host did not let you in."),
    "not-asked": N_("It is not your turn."),
    "not-host": N_("Only the host says who sits down, before the game begins."),
    "not-locked": N_("This table has no passphrase, so it is not the one that you mean."),
    "not-watched": N_("This table is not to be watched."),
    "own-key": N_("The other side has your own key."),
    "pake-share": N_("The proof that somebody knows the passphrase is not as it should be."),
    "passphrase-needed": N_("This table has a passphrase: join it with --passphrase."),
    "passphrase-tries": N_("The host asks for the passphrase again and again; it may be somebody else."),
    "removed": N_("The host did not want you at this table."),
    "replaced": N_("A newer connection of the same player has taken the place of this one."),
    "seats-wanted": _SEATS,
    "table-full": N_("All seats of this table are taken."),
    "table-lost": N_("Somebody is gone, and the game had not begun."),
    "unknown-game": N_("This program does not know the game of this table."),
    "watcher-speaks": N_("Somebody who only watches wanted more than to see."),
    "wrong-passphrase": N_("That is not the passphrase of this table."),
    "wrong-version": N_("This table is played with another version of the program."),
    # table: what is said there
    "frame-size": _TOO_LONG,
    "hello-key": _WHO,
    "hello-signature": _WHO,
    "hello-timeout": N_("The other side did not say who it is in time."),
    "hello-twice": N_("The other side said twice who it is."),
    "record-wrong": N_("This program's own record of the game does not hold."),
    "state-mismatch": N_("The same moves led to different games: the programs differ, or one of them lies."),
    "too-many-steps": N_("The game does not come to an end."),
    "unknown-kind": _NO_MESSAGE,
    "wrong-game": _OTHER_TABLE,
    # charter
    "charter-arbiter": N_("This table provides for an arbiter and names none, or the other way round."),
    "charter-catalogue": N_("This table is played with other cards than this program has."),
    "charter-dealer": N_("The cards were dealt openly or in an unknown way; anybody could have looked."),
    "charter-game": N_("This program does not know the game of this table."),
    "charter-keys": N_("One key has two places at this table."),
    "charter-names": N_("Two names at this table look alike."),
    "charter-options": N_("There can be no such table: {message}"),
    "charter-provisions": N_("What this table provides for time and for lost players can't be."),
    "charter-seats": _SEATS,
    "charter-version": N_("This table is played with another version of the program."),
}
