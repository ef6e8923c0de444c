"""Why the system refuses something: the same words on every system, in both languages."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from frp2p import locale
from frp2p.locale.reason import _WORDS, reason


@pytest.fixture(autouse=True)
def english_again() -> Iterator[None]:
    yield
    locale.use("en")


@pytest.mark.parametrize("number", _WORDS, ids=lambda number: errno.errorcode[number])
def test_each_reason_is_said_in_the_language_in_use(number: int) -> None:
    error = OSError(number, os.strerror(number), "/path")
    english = reason(error)
    assert "/path" not in english
    locale.use("pt_BR")
    assert reason(error) != english


def test_a_real_error_is_in_the_words_of_linux(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as caught:
        (tmp_path / "none").read_bytes()
    assert reason(caught.value) == "No such file or directory"


def test_a_rare_error_is_in_the_words_that_it_brings() -> None:
    assert reason(OSError(errno.EXDEV, "Invalid cross-device link")) == "Invalid cross-device link"
    assert reason(OSError("just a text")) == "just a text"
    assert reason(TimeoutError()) == "TimeoutError"
