"""`frp2p identity`: the key that is you."""

from __future__ import annotations

import sys

import click

from frp2p.cli.help import Group, prose
from frp2p.cli.language import lang_option
from frp2p.cli.lines import json_line
from frp2p.locale import N_

MAX_TEXT = 1024
"""Characters read from stdin; a key takes 64."""


@click.group(
    "identity",
    cls=Group,
    help=prose(
        N_("Show, export or import the key that is you. Whoever has it can play in your name."),
    ),
)
@lang_option
def command() -> None:
    """What can be done with the key."""


@command.command(
    "show",
    help=prose(
        N_("Your name, the fingerprint that others compare, and where the key is."),
    ),
)
@click.option("--json", "as_json", is_flag=True, help=N_("As one JSON object."))
@lang_option
def show(as_json: bool) -> None:
    import msgspec

    from frp2p.locale import _
    from frp2p.store import identity, settings

    mine = identity.load()
    name = settings.load().name or mine.default_name()
    if as_json:
        fields = {"name": name, "fingerprint": mine.fingerprint, "key": mine.public_key.hex(), "path": str(mine.path)}
        click.echo(msgspec.json.encode(fields))
        return
    click.echo(_("Name: {name}").format(name=name))
    click.echo(_("Fingerprint: {fingerprint}").format(fingerprint=mine.fingerprint))
    click.echo(_("Key file: {path}").format(path=mine.path))


@command.command(
    "export",
    help=prose(
        N_("Print the secret key, 64 hexadecimal digits. Keep it to yourself."),
    ),
)
@lang_option
def export() -> None:
    from frp2p.store import identity

    click.echo(identity.load().secret().hex())


@command.command(
    "import",
    help=prose(
        N_("Make this secret key yours: 64 hexadecimal digits, or - to read them from stdin."),
    ),
)
@click.argument("key", metavar="HEX | -", default="-")
@click.option("--json", "as_json", is_flag=True, help=N_("As one JSON object."))
@lang_option
def import_key(key: str, as_json: bool) -> None:
    from frp2p.errors import UserError
    from frp2p.locale import _
    from frp2p.store import identity

    text = sys.stdin.read(MAX_TEXT) if key == "-" else key
    try:
        seed = bytes.fromhex(text.strip())
    except ValueError:
        raise UserError(_("A key is 64 hexadecimal digits.")) from None
    mine = identity.install(seed)
    if as_json:
        click.echo(json_line({"fingerprint": mine.fingerprint, "key": mine.public_key.hex(), "path": str(mine.path)}))
        return
    click.echo(_("Fingerprint: {fingerprint}").format(fingerprint=mine.fingerprint))
