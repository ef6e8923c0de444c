"""What is wrong with a command line: one sentence in the language in use."""

from __future__ import annotations

import click

from frp2p.locale import _, translated
from frp2p.locale.reason import reason


def sentence(error: click.ClickException) -> str:
    """The sentence for the user; that of click where there is none of ours."""
    if isinstance(error, click.NoSuchOption):
        text = _("There is no option {name}.").format(name=error.option_name)
        if error.possibilities:
            text += " " + _("Did you mean {names}?").format(names=", ".join(sorted(error.possibilities)))
        return text
    if isinstance(error, click.MissingParameter):
        return _("{name} is missing.").format(name=_name(error))
    if isinstance(error, click.BadParameter) and error.param is not None:
        if isinstance(failed := error.__context__, OSError):  # of click.File
            return _("{file} can't be read: {reason}.").format(file=failed.filename, reason=reason(failed))
        return _bad_value(_name(error), error.param.type) or error.format_message()
    if isinstance(error, click.BadOptionUsage):
        return _bad_option(error)
    if type(error) is click.UsageError and error.ctx is not None and isinstance(error.ctx.command, click.Group):
        # The only thing that click itself says of a group: there are options, but nothing after them.
        return _("A command is missing.")
    return error.format_message()


def _bad_option(error: click.BadOptionUsage) -> str:
    """A value is missing, or is one too many."""
    known = error.ctx.command.params if error.ctx is not None else []
    if any(isinstance(one, click.Option) and one.is_flag and error.option_name in one.opts for one in known):
        return _("{name} takes no value.").format(name=error.option_name)
    return _("{name} needs a value after it.").format(name=error.option_name)


def _name(error: click.BadParameter) -> str:
    """How the option or argument is written."""
    if error.param is None:
        return str(error.param_hint or "")
    if isinstance(error.param, click.Option):
        return error.param.opts[-1]
    return translated(error.param.human_readable_name).rstrip(".")


def _bad_value(name: str, kind: object) -> str:
    """What may stand there, empty where only the message of click says it."""
    if isinstance(kind, click.Choice):
        return _("{name} takes one of these: {values}.").format(name=name, values=", ".join(map(str, kind.choices)))
    if isinstance(kind, click.IntRange):
        if kind.min is not None and kind.max is not None:
            return _("{name} takes a whole number from {least} to {most}.").format(
                name=name, least=kind.min, most=kind.max
            )
        if kind.min is not None:
            return _("{name} takes a whole number from {least} on.").format(name=name, least=kind.min)
    return ""
