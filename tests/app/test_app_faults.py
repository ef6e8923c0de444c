"""Faults in words: every code is a registered one, and its sentence is in both languages."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

import pytest

from frp2p import locale
from frp2p.app.faults import sentence

REGISTRY = Path(__file__).parents[2] / "protocol" / "registry" / "error-codes.csv"


@pytest.fixture(autouse=True)
def english_again() -> Iterator[None]:
    yield
    locale.use("en")


def told() -> list[str]:
    with REGISTRY.open(encoding="utf-8", newline="") as file:
        codes = [row["code"] for row in csv.DictReader(file)]
    return [code for code in codes if sentence(code, "") != ""]


def test_what_people_meet_has_a_sentence() -> None:
    """A full table, a taken name, another version; and a file that is cut off or no record at all."""
    met = {"name-taken", "table-full", "wrong-version", "host-left", "transcript-truncated", "transcript-magic"}
    assert met <= set(told())


def test_each_sentence_speaks_the_language_in_use() -> None:
    english = {code: sentence(code, "") for code in told()}
    locale.use("pt_BR")
    for code, text in english.items():
        assert sentence(code, "") != text


def test_other_faults_keep_their_message() -> None:
    assert sentence("shuffle-chain", "Link 3 is wrong.") == "Link 3 is wrong."
