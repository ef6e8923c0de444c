"""`frp2p verify`: what a third person can find out from a file alone."""

from __future__ import annotations

import json
import os
import sys
from io import BufferedReader
from typing import Any

import click

from frp2p.app import model_losses
from frp2p.app.faults import sentence
from frp2p.app.model_options import described
from frp2p.app.model_scores import uncounted
from frp2p.cli.audit import audit_lines, audit_plain
from frp2p.cli.help import Command, prose
from frp2p.cli.language import lang_option
from frp2p.errors import PeerFault, UserError
from frp2p.ledger import evidence
from frp2p.ledger.audit import Audit, audit
from frp2p.ledger.evidence import MAX_EVIDENCE, Verdict, judge, read_evidence
from frp2p.ledger.fingerprint import fingerprint
from frp2p.ledger.provisions import named
from frp2p.ledger.verify import ArbiterReport, Report, SeatReport, TranscriptFault, verify
from frp2p.locale import N_, _, ngettext
from frp2p.locale.reason import reason

EXIT_FAILED = 1
EXIT_UNREADABLE = 2


@click.command(
    "verify",
    cls=Command,
    help=prose(
        N_("Check transcripts and evidence: who played, with which result, or which check failed."),
        N_(
            "Every signature, every link of the chain, every rule and every proof is checked again; nothing is "
            "believed and the network is not used."
        ),
        N_(
            "--audit also shows who held which cards when, who looked at which cards, and how the deck lay. It takes a "
            "table that agreed to it: its players opened their keys after the game."
        ),
        N_("Exit code 0: every file holds. 1: one does not, or has no keys for --audit. 2: one could not be read."),
    ),
)
@click.argument("files", nargs=-1, required=True, metavar=N_("FILE..."))
@click.option("--audit", "with_audit", is_flag=True, help=N_("Read all hands with the keys that were opened."))
@click.option(
    "--evidence", "only_evidence", is_flag=True, help=N_("Take nothing but evidence: a transcript is refused.")
)
@click.option("--json", "as_json", is_flag=True, help=N_("One JSON object a file, one a line."))
@lang_option
@click.pass_context
def command(ctx: click.Context, files: tuple[str, ...], with_audit: bool, only_evidence: bool, as_json: bool) -> None:
    ctx.exit(
        max(_verify_file(path, with_audit=with_audit, only_evidence=only_evidence, as_json=as_json) for path in files)
    )


def _verify_file(path: str, *, with_audit: bool, only_evidence: bool, as_json: bool) -> int:
    """Verify one file and say so; the exit code."""
    shown = printable(path)
    try:
        result = _read_file(path, shown, with_audit=with_audit, only_evidence=only_evidence)
    except UserError as error:
        click.echo(error.message, err=True)
        if as_json:
            said = {"ok": False, "check": error.code, "step": None, "seat": None, "message": error.message}
            click.echo(json.dumps({"file": path, **said}))
        return EXIT_UNREADABLE
    if as_json:
        click.echo(json.dumps({"file": path, **_plain(result)}))
    else:
        click.echo("\n".join(_lines(shown, result)))
    return EXIT_FAILED if isinstance(result, PeerFault) else 0


def _read_file(path: str, shown: str, *, with_audit: bool, only_evidence: bool) -> Audit | Report | Verdict | PeerFault:
    """What the file shows; UserError `file-unreadable`."""
    try:
        with open(path, "rb", opener=_open) as file:
            return _judge_file(file, with_audit=with_audit, only_evidence=only_evidence)
    except OSError as error:
        text = _("{file} can't be read: {reason}.").format(file=shown, reason=reason(error))
    except ValueError:  # a zero byte in the name
        text = _("{file} is not the name of a file.").format(file=shown)
    raise UserError(text, code="file-unreadable")


def _open(path: str, flags: int) -> int:
    """A pipe into which nobody writes is an empty file, and not one to wait for."""
    waiting = getattr(os, "O_NONBLOCK", 0)  # not on Windows, where a pipe has no name among the files
    opened = os.open(path, flags | waiting)
    if waiting:
        os.set_blocking(opened, True)
    return opened


def _judge_file(file: BufferedReader, *, with_audit: bool, only_evidence: bool) -> Audit | Report | Verdict | PeerFault:
    """What the file shows. Only the sealed dealer is believed: anybody could have looked into a clear one."""
    from frp2p.deal.sealed import SealedKind
    from frp2p.games.registry import games

    kind = SealedKind()
    dealers = {kind.name: kind}
    try:
        if only_evidence or file.peek(len(evidence.MAGIC)).startswith(evidence.MAGIC):
            if with_audit:
                raise PeerFault("audit-none", "Evidence has no hands.")
            return judge(read_evidence(file.read(MAX_EVIDENCE + 1)), games(), dealers)
        return (audit if with_audit else verify)(file, games(), dealers)
    except PeerFault as fault:
        return fault


def _plain(result: Audit | Report | Verdict | PeerFault) -> dict[str, Any]:
    """The object that `--json` prints; protocol/10-transcript.md names its fields."""
    if isinstance(result, Audit):
        return {**_plain(result.report), "audit": audit_plain(result)}
    if isinstance(result, PeerFault):
        step = result.step if isinstance(result, TranscriptFault) else None
        return {"ok": False, "check": result.check, "step": step, "seat": result.seat, "message": result.message}
    if isinstance(result, Verdict):
        return {
            "ok": True,
            "kind": "evidence",
            "check": result.check,
            "step": result.step,
            "seat": result.seat,
            "name": result.name,
            "key": result.key.hex(),
            "fingerprint": fingerprint(result.key),
        }
    return {
        "ok": True,
        "kind": "transcript",
        "game": result.game,
        "mode": getattr(result.options, "mode", ""),
        "code": result.code,
        "digest": result.digest.hex(),
        "steps": result.steps,
        "verified": result.attested,
        "stopped": result.stopped,
        "provisions": named(result.provisions),
        "seats": [
            {
                "seat": seat.seat,
                "name": seat.name,
                "key": seat.key.hex(),
                "fingerprint": seat.fingerprint,
                "score": seat.total,
                "rank": seat.rank,
                "out": seat.out,
                "how": seat.how,
            }
            for seat in result.seats
        ],
        "arbiter": None if result.arbiter is None else _arbiter(result.arbiter),
    }


def _arbiter(arbiter: ArbiterReport) -> dict[str, str]:
    return {"name": arbiter.name, "key": arbiter.key.hex(), "fingerprint": arbiter.fingerprint}


def _lines(file: str, result: Audit | Report | Verdict | PeerFault) -> list[str]:
    if isinstance(result, Audit):
        return [*_report_lines(file, result.report), "", *audit_lines(result)]
    if isinstance(result, Report):
        return _report_lines(file, result)
    if isinstance(result, Verdict):
        text = _("{file}: evidence. {name} ({fingerprint}) broke the protocol in step {step}: {check}.")
        name, key = result.name, fingerprint(result.key)
        return [text.format(file=file, name=name, fingerprint=key, step=result.step, check=result.check)]
    return [_failure_line(file, result)]


def _failure_line(file: str, fault: PeerFault) -> str:
    step = fault.step if isinstance(fault, TranscriptFault) else None
    if step is None:
        where = ""
    elif fault.seat is None:
        where = _(", step {step}").format(step=step)
    else:
        where = _(", step {step}, seat {seat}").format(step=step, seat=fault.seat)
    message = printable(sentence(fault.check, fault.message))
    text = _("{file} does not hold: {message} (check {check}{where})")
    if fault.check == "audit-none":  # nothing is wrong with the file
        text = _("{file} has no audit: {message} (check {check}{where})")
    return text.format(file=file, message=message, check=fault.check, where=where)


def _total(report: Report, seat: SeatReport) -> str:
    """The points of a seat, or why there are none; since when and how it is out."""
    if seat.total is not None:
        points = str(seat.total)
        return points if seat.how is None else _("{points}, did not sign the end").format(points=points)
    match seat.how:
        case None:
            return uncounted(sum(one.out is None for one in report.seats))
        case "leave":
            text = _("left for good in step {step}")
        case "recover":
            text = _("out since step {step}, the others went on")
        case "stop":
            text = _("out since step {step}, the game was stopped")
        case "last":
            text = _("out since step {step}, one player was left")
        case "end":
            text = _("out since step {step}, did not sign the end")
    return text.format(step=seat.out)


def _report_lines(file: str, report: Report) -> list[str]:
    head = ngettext(
        "{file} holds: table {code}, {game}, {steps} step.",
        "{file} holds: table {code}, {game}, {steps} steps.",
        report.steps,
    )
    ranked = sorted(report.seats, key=lambda seat: (seat.rank or 0, seat.seat))
    signed = _("Verified and signed by {count} of {seats}.")
    arbiter = _("Arbiter, with a vote and no cards: {name}  {fingerprint}")
    return [
        head.format(file=file, code=report.code, game=report.game, steps=report.steps),
        " ".join(described(report.options)),
        model_losses.agreed(report.provisions),
        *([_("The game was stopped, and scored as it stood.")] if report.stopped else []),
        *(f"{seat.rank}. {seat.name}: {_total(report, seat)}  {seat.fingerprint}" for seat in ranked),
        *([arbiter.format(name=who.name, fingerprint=who.fingerprint)] if (who := report.arbiter) else []),
        signed.format(count=report.attested, seats=sum(seat.out is None for seat in report.seats)),
        _("Digest {digest}").format(digest=report.digest.hex()),
    ]


def printable(text: str) -> str:
    """The text without anything that a terminal could obey, and in the letters that stdout has."""
    shown = "".join(character if character.isprintable() else "�" for character in text)
    encoding = sys.stdout.encoding or "ascii"
    return shown.encode(encoding, "replace").decode(encoding)
