"""What is played and provided, from the command line: `--mode`, `--extra-suits`, `--rounds` and so on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from frp2p.cli.options import PROVIDED
from frp2p.errors import UserError
from frp2p.games.fantasy_realms.options import MAX_POINTS, MAX_ROUNDS, SECONDS_MAX, SECONDS_MIN, Options
from frp2p.ledger.provisions import MIN_RECOVERY_SEATS, Clock, Provisions, provisions
from frp2p.locale import _
from frp2p.scoring import House

SWITCH = {"on": True, "true": True, "yes": True, "1": True, "off": False, "false": False, "no": False, "0": False}


def provided(terms: Mapping[str, Any], seats: int, *, watched: bool, arbiter: bool = False) -> Provisions:
    """What is done at a table with so many seats about players who are slow or lost, and after the game; UserError if
    that can't be."""
    recovery = bool(terms.get("recovery"))
    if recovery and seats < MIN_RECOVERY_SEATS:
        raise UserError(_("--recovery takes at least {count} players.").format(count=MIN_RECOVERY_SEATS))
    times = {name: terms[name] for name in PROVIDED if name.endswith("_seconds") and name in terms}
    clock = Clock(**times)
    if clock.increment_seconds and not clock.limited:
        raise UserError(_("--increment adds to a limit: say --move-seconds or --bank too."))
    if arbiter and seats < MIN_RECOVERY_SEATS and terms.get("on_loss") == "adjourn":
        raise UserError(_("--on-loss adjourn and --arbiter do not go together for two: an arbiter is there to decide."))
    return provisions(
        seats,
        clock,
        recovery=recovery,
        on_loss=terms.get("on_loss"),
        watched=watched,
        audit=bool(terms.get("open_audit")),
        arbiter=arbiter,
    )


def options(terms: Mapping[str, Any], seats: int) -> Options:
    """The options of a table with so many seats; two play a duel unless they say otherwise. UserError for values that
    mean nothing; whether they go together is judged where the table is opened."""
    given = {name: value for name, value in terms.items() if name not in PROVIDED}
    given["mode"] = given.get("mode") or ("duel" if seats == 2 else "standard")
    given["seconds"] = given.pop("chaos_seconds", Options().seconds)
    given["house"] = house(given.get("house", ()))
    if given.get("rounds", 1) > MAX_ROUNDS:
        raise UserError(_("A match has at most {count} rounds.").format(count=MAX_ROUNDS))
    if given.get("points", 0) > MAX_POINTS:
        raise UserError(_("The target of a match is at most {count} points.").format(count=MAX_POINTS))
    if not SECONDS_MIN <= given["seconds"] <= SECONDS_MAX:
        text = _("Chaos Realms is traded for {least} to {most} seconds.")
        raise UserError(text.format(least=SECONDS_MIN, most=SECONDS_MAX))
    return Options(**given)


def house(switches: Iterable[str]) -> House:
    """The rulings with these changes, each `name=on` or `name=off`; the name may be written with hyphens."""
    found = House()
    for switch in switches:
        name, _equals, value = switch.partition("=")
        field = name.strip().replace("-", "_")
        if field not in House.__struct_fields__ or value.strip().lower() not in SWITCH:
            names = ", ".join(House.__struct_fields__)
            text = _("--house {switch} is not a ruling: NAME=on or NAME=off, with one of the names {names}.")
            raise UserError(text.format(switch=ascii(switch)[:80], names=names))
        found = msgspec.structs.replace(found, **{field: SWITCH[value.strip().lower()]})
    return found
