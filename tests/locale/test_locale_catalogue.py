"""Every sentence that a person can see has a Brazilian Portuguese one with the same blanks."""

from __future__ import annotations

import ast
import string
from collections.abc import Iterator
from pathlib import Path
from typing import TypeAlias

import polib
import pytest
from babel.messages.extract import extract_from_dir

import frp2p
from frp2p import locale

PACKAGE = Path(frp2p.__file__).parent
CATALOGUE = PACKAGE / "locale" / "pt_BR" / "LC_MESSAGES" / "frp2p.po"
KEYWORDS = {"_": None, "N_": None, "ngettext": (1, 2)}

Message: TypeAlias = tuple[str, str]
"""Singular and plural; the plural is empty for a message without one."""


def messages() -> dict[Message, str]:
    """Everything that the source shows, with the file that shows it."""
    found: dict[Message, str] = {}
    for file, _line, message, _comments, _context in extract_from_dir(str(PACKAGE), keywords=KEYWORDS):
        pair = (message, "") if isinstance(message, str) else (message[0], message[1])
        found.setdefault(pair, file)
    return found


def catalogue() -> dict[Message, polib.POEntry]:
    return {(entry.msgid, entry.msgid_plural): entry for entry in polib.pofile(str(CATALOGUE))}


def blanks(text: str) -> set[str]:
    """The names of the blanks of a format string."""
    return {name for _text, name, _format, _conversion in string.Formatter().parse(text) if name is not None}


def test_every_message_is_translated() -> None:
    have = catalogue()
    missing = [f"{file}: {message}" for message, file in messages().items() if message not in have]
    assert not missing, "\n".join(missing)


def test_nothing_is_empty_or_fuzzy_or_stale() -> None:
    shown = messages()
    for message, entry in catalogue().items():
        assert message in shown, f"nothing shows this any more: {message}"
        assert "fuzzy" not in entry.flags, message
        texts = list(entry.msgstr_plural.values()) if entry.msgid_plural else [entry.msgstr]
        assert len(texts) == (2 if entry.msgid_plural else 1), message
        assert all(text.strip() for text in texts), message


def test_translations_have_the_same_blanks() -> None:
    for (singular, plural), entry in catalogue().items():
        texts = list(entry.msgstr_plural.values()) if plural else [entry.msgstr]
        for original, text in zip((singular, plural), texts, strict=False):
            assert blanks(text) == blanks(original), original
            assert (text[0].isspace(), text[-1].isspace()) == (original[0].isspace(), original[-1].isspace())
            assert (text[-1] == ".") == (original[-1] == "."), original


def calls(tree: ast.AST) -> Iterator[ast.Call]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in KEYWORDS:
            yield node


@pytest.mark.parametrize("path", sorted(PACKAGE.rglob("*.py")), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_messages_can_be_extracted(path: Path) -> None:
    """A message is a literal, and no call hides in an f-string, where the extractor of Python 3.11 does not look."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for call in calls(tree):
        assert call.args, f"{path}:{call.lineno}"
        for argument in call.args[: 2 if call.func.id == "ngettext" else 1]:  # type: ignore[attr-defined]
            if path.parts[-2:] != ("locale", "__init__.py"):
                assert isinstance(argument, ast.Constant), f"{path}:{call.lineno}: not a literal"
    for joined in (node for node in ast.walk(tree) if isinstance(node, ast.JoinedStr)):
        assert not list(calls(joined)), f"{path}:{joined.lineno}: a message inside an f-string"


def test_the_header_says_how_to_read_it() -> None:
    header = polib.pofile(str(CATALOGUE)).metadata
    assert header["Language"] == "pt_BR"
    assert "UTF-8" in header["Content-Type"]
    assert header["Plural-Forms"] == "nplurals=2; plural=(n > 1);"


@pytest.mark.parametrize(
    ("environment", "wanted"),
    [
        ({}, "en"),
        ({"LANG": "pt_BR.UTF-8"}, "pt_BR"),
        ({"LANG": "pt_PT"}, "pt_BR"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "C"}, "en"),
        ({"LANG": "en_US.UTF-8", "LC_ALL": "pt_BR.UTF-8"}, "pt_BR"),
        ({"LANGUAGE": "fr:pt_BR:en", "LANG": "en_US.UTF-8"}, "pt_BR"),
    ],
)
def test_the_environment_chooses_the_language(
    environment: dict[str, str], wanted: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert locale.preferred() == wanted


def test_the_language_can_be_switched_and_refused() -> None:
    try:
        locale.use("pt_BR")
        assert locale.language() == "pt_BR"
        assert locale._("It is not your turn.") == "Não é a sua vez."
        assert locale.ngettext("{count} card", "{count} cards", 2) == "{count} cards"
        with pytest.raises(ValueError, match="xx"):
            locale.use("xx")
        assert locale.language() == "pt_BR"
    finally:
        locale.use("en")
    assert locale._("It is not your turn.") == "It is not your turn."
