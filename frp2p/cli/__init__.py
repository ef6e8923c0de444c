"""The command `frp2p`: a group whose commands are imported only when they run, so that `--help` is quick.

Each command is a module of this package with a click command named `command`. Data goes to stdout, talk to stderr.
Exit codes: 0 done (a game: ended and verified), 1 it did not come out well, 2 what was asked for is not possible,
128 + n ended by signal n.
"""

from __future__ import annotations

import contextlib
import errno
import importlib
import logging
import os
import sys
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import click

from frp2p import __version__, locale
from frp2p.cli.help import Group, prose
from frp2p.cli.language import choose
from frp2p.errors import Frp2pError, UserError
from frp2p.locale import N_, _

COMMANDS = (
    "play",
    "host",
    "join",
    "watch",
    "arbiter",
    "resume",
    "headless",
    "bot",
    "score",
    "verify",
    "cards",
    "rules",
    "identity",
    "doctor",
)
"""Every command, in the order of the help page."""

EXIT_FAILED = 1
EXIT_USAGE = 2
EXIT_INTERRUPTED = 130

SILENCE = logging.NullHandler()


class _Group(Group):
    """Finds commands by module name; turns every expected error into one sentence on stderr."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command = importlib.import_module(f"frp2p.cli.{cmd_name}").command
        if not isinstance(command, click.Command):
            raise TypeError(cmd_name)
        return command

    def about(self, ctx: click.Context, name: str) -> str:
        return _about(name)

    def main(self, *args: Any, **kwargs: Any) -> Any:
        standalone = kwargs.pop("standalone_mode", True)
        kwargs["standalone_mode"] = False
        if not standalone:
            return super().main(*args, **kwargs)
        sys.exit(self._run(*args, **kwargs))

    def _run(self, *args: Any, **kwargs: Any) -> int:
        open_closed_streams()
        # What libraries log is no talk with the user, and the full-screen client owns the terminal.
        logging.getLogger().addHandler(SILENCE)
        with contextlib.suppress(OSError):  # the texts are not installed; `choose` says so
            kwargs["obj"] = _wanted(kwargs.get("args") or sys.argv[1:])
            locale.use(kwargs["obj"] or locale.preferred())
        try:
            code = super().main(*args, **kwargs)
        except click.exceptions.NoArgsIsHelpError as error:
            click.echo(error.format_message())
            return 0
        except click.ClickException as error:
            from frp2p.cli.usage import sentence

            return _say(sentence(error), error.exit_code)
        except Frp2pError as error:
            return _fault(error)
        except (click.Abort, KeyboardInterrupt):
            return EXIT_INTERRUPTED
        except BrokenPipeError:
            return _reader_went_away()
        except OSError as error:
            if error.errno == errno.ENOSPC:
                return _say(_("The disk is full."), EXIT_FAILED)
            return _own_mistake(error)
        except Exception as error:
            return _own_mistake(error)
        return code if isinstance(code, int) else 0


def _wanted(arguments: Sequence[str]) -> str | None:
    """The language that the line asks for anywhere, before click has read it: whatever is wrong with the rest of the
    line is said in it. None if it asks for none."""
    for name, value in pairwise([*" ".join(arguments).replace("--lang=", "--lang ").split(" "), ""]):
        if name == "--lang" and value in locale.LANGUAGES:
            return value
    return None


def _about(command: str) -> str:
    """The line of a command on the help page; here and not in its module, which the help page does not import."""
    return {
        "play": _("A table on this machine: you and bots."),
        "host": _("Open a table on the LAN."),
        "join": _("Sit down at a table on the LAN."),
        "watch": _("Watch a table on the LAN."),
        "arbiter": _("Be the arbiter of a table on the LAN: a vote, and no cards."),
        "resume": _("Back to a table that you left, by a crash or on purpose."),
        "headless": _("A program at a seat: JSON lines on stdin and stdout."),
        "bot": _("A bot at somebody's table."),
        "score": _("The explained score of any hand."),
        "verify": _("Check transcripts: who, what, final scores, or which check failed."),
        "cards": _("The card reference."),
        "rules": _("The rules: how the game is played."),
        "identity": _("Show, export or import the key that is you."),
        "doctor": _("Find out why nobody is found on this network."),
    }[command]


def _say(sentence: str, code: int) -> int:
    click.echo(sentence, err=True)
    return code


def _fault(error: Frp2pError) -> int:
    """What was wrong, in the language in use."""
    from frp2p.app.faults import SENTENCES, sentence

    message = sentence(error.code, error.message)
    if isinstance(error, UserError):
        return _say(message, EXIT_USAGE)
    if error.code not in SENTENCES:
        return _own_mistake(error)
    return _say(_("{message} (code {code})").format(message=message, code=error.code), EXIT_FAILED)


def _own_mistake(error: Exception) -> int:
    """A sentence for the user; the traceback goes to a file, for a report to us."""
    import traceback

    from frp2p.store.home import crash_log

    path, name = crash_log("".join(traceback.format_exception(error))), type(error).__name__
    said = error.code if isinstance(error, Frp2pError) else error
    if path is None:
        last = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{os.path.basename(last.filename)}:{last.lineno}"
        return _say(
            _("frp2p made a mistake ({name}: {error}; {where}).").format(name=name, error=said, where=where),
            EXIT_FAILED,
        )
    return _say(
        _("frp2p made a mistake ({name}: {error}). Details: {path}").format(name=name, error=said, path=path),
        EXIT_FAILED,
    )


def open_closed_streams() -> None:
    """Give a program that was started with closed standard streams (`<&-`, `>&-`) empty ones.

    Without this they are None, and the first socket would become descriptor 0, 1 or 2, which bots inherit.
    """
    for handle, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - stays open as the stream
        try:
            os.fstat(handle)
        except OSError:
            os.dup2(getattr(sys, name).fileno(), handle)


def _reader_went_away() -> int:
    drop_output()
    return EXIT_FAILED


def drop_output() -> None:
    """Nobody is there to read any more: Python flushes stdout once more at its end, and would print a traceback."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _show_version(ctx: click.Context, _parameter: click.Parameter, value: bool) -> None:
    if value:
        click.echo(f"frp2p {__version__}")
        ctx.exit()


@click.group(
    cls=_Group,
    help=prose(N_("Fantasy Realms in a terminal on a LAN: no server, no trust.")),
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option("--lang", type=click.Choice(locale.LANGUAGES), help=N_("Language of everything shown."))
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_show_version, help=N_("The version.")
)
@click.pass_context
def main(ctx: click.Context, lang: str | None) -> None:
    choose(lang or ctx.obj)
    if os.environ.get("NO_COLOR"):
        ctx.color = False
