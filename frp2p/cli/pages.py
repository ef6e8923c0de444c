"""The pages that are installed with the program, and the parts that they are made of."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Callable
from pathlib import Path

import msgspec

import frp2p
from frp2p.errors import UserError
from frp2p.locale import _

_PART = re.compile(r'^<a id="([a-z-]+)"></a>\n+## (.+)$', re.MULTILINE)

NEAR, NEAR_RATIO = 3, 0.75
"""Names that are offered for one that is not there, and how like it they must be (difflib's ratio)."""

_PACKAGE = Path(frp2p.__file__).parent


class Part(msgspec.Struct, frozen=True):
    """A part of a page. `name` is the same in every language; `text` is Markdown, its heading included."""

    name: str
    title: str
    text: str


def rules(language: str) -> tuple[Part, ...]:
    """The page of the rules in this language, its head first (without a name)."""
    file = "rules.md" if language == "en" else f"rules.{language}.md"
    return parts(read(file))


def read(file: str) -> str:
    """A page: of an installed package in it, of a checkout beside it."""
    for folder in (_PACKAGE / "docs", _PACKAGE.parent / "docs"):
        if (folder / file).is_file():
            return (folder / file).read_text(encoding="utf-8")
    raise UserError(_("The page {file} is not installed.").format(file=file), code="no-page")


def parts(page: str) -> tuple[Part, ...]:
    """What stands before the first marked heading, then a part for each."""
    found = list(_PART.finditer(page))
    starts = [*(one.start() for one in found), len(page)]
    head = page[: starts[0]]
    title = head.partition("\n")[0].lstrip("# ")
    return (
        Part("", title, head.strip()),
        *(Part(one[1], one[2], page[one.start() : end].strip()) for one, end in zip(found, starts[1:], strict=True)),
    )


def find(page: tuple[Part, ...], wanted: str) -> Part:
    """The part with this name or title, or of which this is the beginning or a piece; UserError with near names."""
    named = page[1:]
    for fits in _WAYS:
        found = [part for part in named if fits(_key(wanted), part)]
        if len(found) == 1:
            return found[0]
        if found and _key(wanted):
            raise UserError(_several(wanted, found), code="no-part")
    raise UserError(_none(wanted, named), code="no-part")


def _several(wanted: str, found: list[Part]) -> str:
    text = _("Several parts are named like {name}: {names}.")
    return text.format(name=repr(wanted), names=", ".join(part.name for part in found))


def _none(wanted: str, named: tuple[Part, ...]) -> str:
    known = {_key(word): part.name for part in named for word in (part.title, *part.title.split(), part.name)}
    near = list(dict.fromkeys(known[key] for key in difflib.get_close_matches(_key(wanted), known, NEAR, NEAR_RATIO)))
    sentence = _("There is no part {name}.").format(name=repr(wanted))
    if near:
        return f"{sentence} " + _("Did you mean {names}?").format(names=", ".join(near))
    return f"{sentence} " + _("There are: {names}.").format(names=", ".join(part.name for part in named))


def _key(text: str) -> str:
    """As people type it: without accents, small letters, single blanks."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return " ".join(plain.casefold().split())


_WAYS: tuple[Callable[[str, Part], bool], ...] = (
    lambda key, part: key in (part.name, _key(part.title)),
    lambda key, part: part.name.startswith(key) or _key(part.title).startswith(key),
    lambda key, part: key in part.name or key in _key(part.title),
)
"""How a key may fit a part, the strictest first."""
