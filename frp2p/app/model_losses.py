"""What is done about players who are slow, gone or leave, in words: before the game and while it happens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from frp2p.app.model_clock import duration
from frp2p.app.model_table import names
from frp2p.app.model_text import clean
from frp2p.app.snapshot import Snapshot
from frp2p.games.verbs import Seat
from frp2p.ledger.provisions import Clock, Provisions
from frp2p.ledger.votes import How
from frp2p.locale import _, ngettext
from frp2p.table.events import Adjourned, Convicted, SeatsOut, TimeUp, VoteBegan

Loss: TypeAlias = SeatsOut | Convicted | TimeUp | VoteBegan | Adjourned


def provided(provisions: Provisions) -> tuple[str, ...]:
    """One short sentence a thing, for the lobby: keys, clocks, and what becomes of the game when somebody is lost."""
    away = duration(provisions.clock.away_seconds)
    if provisions.recovery:
        rows = [
            _("If one player is lost, the others can go on; all others together could look into a hand."),
            _("Who is away for {time} can be voted out.").format(time=away),
        ]
    elif provisions.on_loss == "stop":
        rows = [
            _("Nobody can ever look into your hand; if a player is lost, the game is stopped and scored."),
            _("Who is away for {time} can be voted out.").format(time=away),
        ]
    else:
        rows = [_("Nobody can ever look into your hand; if a player is lost, the game waits.")]
    rows += _limits(provisions.clock)
    if provisions.arbiter:
        rows.append(_("An arbiter, who has no cards, votes too."))
    if provisions.watched:
        rows.append(_("Others may watch."))
    if provisions.audit:
        rows.append(_("After the game all keys are opened: whoever has the record can read every hand."))
    return tuple(rows)


def agreed(provisions: Provisions) -> str:
    """What was agreed about losses and clocks, for whoever reads the record afterwards."""
    if provisions.recovery:
        rows = [_("If one player is lost, the others can go on.")]
    elif provisions.on_loss == "stop":
        rows = [_("If a player is lost, the game is stopped and scored.")]
    else:
        rows = [_("If a player is lost, the game waits.")]
    if provisions.recovery or provisions.on_loss == "stop":
        away = duration(provisions.clock.away_seconds)
        rows.append(_("Who is away for {time} can be voted out.").format(time=away))
    return " ".join([*rows, *_limits(provisions.clock)])


def whole(provisions: Provisions) -> tuple[str, ...]:
    """The same as paragraphs, with what it means."""
    clock = provisions.clock
    away = duration(clock.away_seconds)
    rows = [
        _("Keys are shared: if one player is lost, the others take that key off the cards and go on. The price: all "
          "others together, and only all of them, could look into a hand.")
        if provisions.recovery
        else _("Keys are not shared: nobody, and no group of players, can look into a hand. Who leaves for good with q "
               "takes the own key off the cards, and the others go on."),
    ]  # fmt: skip
    vote = _("Who can't be reached, or whose program does not answer, has {time}; then more than half of the seats can "
             "vote the player out.")  # fmt: skip
    if provisions.recovery:
        rows += [vote.format(time=away), _("If two are lost at once, the game is stopped and scored.")]
        if provisions.on_loss == "adjourn":
            rows[-1] = _("If two are lost at once, the game waits; frp2p resume goes on with it.")
    elif provisions.on_loss == "stop":
        rows += [
            vote.format(time=away),
            _("The game is stopped then: no card is drawn any more, the hands of the others are opened and scored."),
        ]
    else:
        rows.append(_("If a player is lost, nothing is decided: the game waits, and frp2p resume goes on with it."))
    if provisions.arbiter:
        rows.append(
            _("An arbiter has one vote more where it is decided about a lost player, so that two can go on as well. It "
              "has no cards, and sees what everybody at the table sees.")
        )  # fmt: skip
    if clock.limited:
        rows.append(" ".join([
            *_limits(clock),
            _("Whose time runs out is given a move by the own program; who does not move at all can be voted out."),
        ]))  # fmt: skip
    else:
        rows.append(_("Who is here may think as long as it takes."))
    if clock.bank_seconds or clock.move_seconds:
        rows.append(_("The time beside a player is what is left for the move, else what is in hand."))
    if provisions.watched:
        rows.append(_("Others on the network may watch what everybody at the table sees."))
    if provisions.audit:
        rows.append(_("After the game all keys are opened: whoever has the record can read every hand."))
    return tuple(rows)


def _limits(clock: Clock) -> list[str]:
    """The clock in one short sentence; empty where nobody has to hurry."""
    if not clock.limited:
        return []
    rows = []
    if clock.move_seconds:
        rows.append(_("{time} for a move").format(time=duration(clock.move_seconds)))
    if clock.bank_seconds:
        rows.append(_("{time} in hand for longer ones").format(time=duration(clock.bank_seconds)))
    if clock.increment_seconds:
        rows.append(_("{time} more with each").format(time=duration(clock.increment_seconds)))
    return [_("Clock: {times}.").format(times=", ".join(rows))]


def told(event: Loss, called: Sequence[str]) -> tuple[str, str]:
    """A row of the log, and its style. `called`: the names in seat order, already clean."""
    match event:
        case SeatsOut(seats=seats, how=how):
            return out_text(seats, how, called), "bad"
        case Convicted(seat=seat, check=check):
            text = _("{name} broke the protocol, and that is proved: {check}.")
            return text.format(name=_names((seat,), called), check=clean(check)), "bad"
        case TimeUp():
            return _("Your time was up: your program made a plain move for you."), "warn"
        case VoteBegan(seats=()):
            return _("The table votes about the last step."), "warn"
        case VoteBegan(seats=seats):
            return _("The table votes about {names}.").format(names=_names(seats, called)), "warn"
        case Adjourned(seats=seats):
            return stuck_text(seats, called), "warn"


def stuck_text(seats: Sequence[Seat], called: Sequence[str]) -> str:
    """That nothing can be decided about these seats, which are away."""
    return _("{names}: away. The table waits; nothing is lost.").format(names=_names(seats, called))


def out_text(seats: Sequence[Seat], how: How, called: Sequence[str]) -> str:
    """That these seats are out, and what the others do."""
    count = len(seats)
    if how == "stop":
        text = ngettext(
            "{names} is out: the game is stopped and scored.", "{names} are out: the game is stopped and scored.", count
        )
    elif how == "last":
        text = ngettext(
            "{names} is out: one player is left, the game is over.",
            "{names} are out: one player is left, the game is over.",
            count,
        )
    elif how == "end":
        text = ngettext("{names} did not sign the end.", "{names} did not sign the end.", count)
    elif how == "leave":
        text = ngettext("{names} has left for good: the others go on.", "{names} have left: the others go on.", count)
    else:
        text = ngettext("{names} is out: the others go on.", "{names} are out: the others go on.", count)
    return text.format(names=_names(seats, called))


def news(snapshot: Snapshot, seen: int) -> str:
    """The latest of what happened after the first `seen` events that everybody should notice; empty if nothing did."""
    fresh = max(0, min(snapshot.event_count - seen, len(snapshot.events)))
    for event in reversed(snapshot.events[len(snapshot.events) - fresh :]):
        if isinstance(event, SeatsOut | Convicted | TimeUp):
            return told(event, names(snapshot.status))[0]
    return ""


def _names(seats: Sequence[Seat], called: Sequence[str]) -> str:
    return ", ".join(called[seat] for seat in seats if 0 <= seat < len(called)) or "-"
