"""gettext catalogues and the language in use.

Everything a person sees goes through `_` or `ngettext` at the moment it is shown (never at import), so that a face can
switch the language while it runs. The names of cards are data of the catalogue, not messages.
"""

from __future__ import annotations

import gettext
import locale
import os
from pathlib import Path

DOMAIN = "frp2p"
LANGUAGES = ("en", "pt_BR")
_FOLDER = Path(__file__).parent

_language = "en"
_messages: gettext.NullTranslations = gettext.NullTranslations()


def use(language: str) -> None:
    """Show everything in this language from now on; ValueError if it is not one of LANGUAGES."""
    global _language, _messages  # noqa: PLW0603 - one process speaks one language
    if language not in LANGUAGES:
        raise ValueError(language)
    _language = language
    _messages = (
        gettext.NullTranslations() if language == "en" else gettext.translation(DOMAIN, _FOLDER, languages=[language])
    )


def language() -> str:
    """The language in use."""
    return _language


def preferred() -> str:
    """The first of LANGUAGES that the environment asks for (LANGUAGE, LC_ALL, LC_MESSAGES, LANG), else English."""
    wanted = [os.environ.get(name, "") for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")]
    for tag in ":".join(wanted).split(":"):
        plain = locale.normalize(tag).split(".")[0] if tag else ""
        for known in LANGUAGES:
            if plain == known or (plain and plain.split("_")[0] == known.split("_")[0]):
                return known
    return "en"


def _(message: str) -> str:
    """The message in the language in use."""
    return _messages.gettext(message)


def ngettext(singular: str, plural: str, number: int) -> str:
    """The message for this number in the language in use."""
    return _messages.ngettext(singular, plural, number)


def N_(message: str) -> str:
    """The message itself: marks a literal that is written at import and shown later, by `translated`."""
    return message


def translated(marked: str) -> str:
    """A text that `N_` marked, in the language in use; any other text as it is."""
    return _(marked) if marked else ""
