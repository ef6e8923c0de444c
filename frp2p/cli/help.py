"""Commands whose help pages and usage errors are in the language in use.

Everything that a page says is marked with `N_` where the command is written and translated when the page is shown.
`Command` and `Group` take the place of click's; the options and arguments stay click's own. A help text is made by
`prose` of paragraphs, each one message, so that a translation is about sentences and not about lines.
"""

from __future__ import annotations

import copy
import difflib

import click

from frp2p.locale import N_, _, translated

SEPARATOR = "\n\n"

_HELP = N_("Show this page and exit.")


def prose(*paragraphs: str) -> str:
    """A help text of paragraphs that are marked with `N_`, or that are the same in every language."""
    return SEPARATOR.join(paragraphs)


def _paragraphs(marked: str | None) -> list[str]:
    return [translated(paragraph) for paragraph in (marked or "").split(SEPARATOR)]


def shown_metavar(parameter: click.Parameter, ctx: click.Context) -> str:
    """What stands for the value of an option or argument."""
    if parameter.metavar is None and isinstance(parameter.type, click.IntRange):
        return _("NUMBER")
    return translated(parameter.make_metavar(ctx))


def _row(option: click.Option, ctx: click.Context) -> tuple[str, str] | None:
    """An option on the page: how it is written, what it is; None if it is hidden."""
    if option.hidden:
        return None
    here = copy.copy(option)
    here.metavar = shown_metavar(option, ctx)
    extra, notes = option.get_help_extra(ctx), []
    if "default" in extra:
        notes.append(_("default: {default}").format(default=extra["default"]))
    if "range" in extra:
        notes.append(extra["range"])
    about = " ".join(_paragraphs(option.help))
    return here.get_help_spec(ctx), f"{about}  [{'; '.join(notes)}]" if notes else about


class Page(click.Command):
    """What the help pages of commands and of groups have in common."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        try:
            return super().parse_args(ctx, args)
        except click.BadOptionUsage as error:
            error.ctx = error.ctx or ctx  # click's parser forgets it, and the sentence depends on the option
            raise

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        option = super().get_help_option(ctx)
        if option is not None:
            option.help = _HELP
        return option

    def get_short_help_str(self, limit: int = 45) -> str:
        """The first sentence, never cut."""
        return _paragraphs(self.help)[0].partition(". ")[0].rstrip(".") + "."

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        arguments = [parameter for parameter in self.get_params(ctx) if isinstance(parameter, click.Argument)]
        return [_("[OPTIONS]"), *(shown_metavar(argument, ctx) for argument in arguments)]

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write_usage(ctx.command_path, " ".join(self.collect_usage_pieces(ctx)), _("Usage:") + " ")

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text(SEPARATOR.join(_paragraphs(self.help)))

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        options = [parameter for parameter in self.get_params(ctx) if isinstance(parameter, click.Option)]
        with formatter.section(_("Options")):
            formatter.write_dl([row for option in options if (row := _row(option, ctx)) is not None])


class Command(Page):
    """A command of ours."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.allow_extra_args = True  # so that click does not refuse them in English
        rest = super().parse_args(ctx, args)
        if rest and not ctx.resilient_parsing:
            raise click.UsageError(_("Nothing is known to do with this: {words}").format(words=" ".join(rest)), ctx)
        return rest


class Group(Page, click.Group):
    """A command of commands."""

    command_class = Command

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        return [*super().collect_usage_pieces(ctx), _("COMMAND [ARGUMENTS]...")]

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        super().format_options(ctx, formatter)
        self.format_commands(ctx, formatter)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section(_("Commands")):
            formatter.write_dl([(name, self.about(ctx, name)) for name in self.list_commands(ctx)])

    def about(self, ctx: click.Context, name: str) -> str:
        """The line of a command on the page of its group."""
        command = self.get_command(ctx, name)
        return "" if command is None else command.get_short_help_str()

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        names = self.list_commands(ctx)
        if args and args[0] not in names and not args[0].startswith("-"):
            close = difflib.get_close_matches(args[0], names, n=1)
            sentence = _("There is no command {name}.").format(name=repr(args[0]))
            raise click.UsageError(
                sentence + "".join(" " + _("Did you mean {names}?").format(names=name) for name in close)
            )
        return super().resolve_command(ctx, args)
