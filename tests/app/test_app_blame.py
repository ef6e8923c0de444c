"""Who is named when a table has stopped, on a screen and without one, and what the owner of the key is told."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from frp2p import locale
from frp2p.app.faults import SENTENCES, sentence
from frp2p.app.model_blame import TWO_STATEMENTS
from frp2p.app.model_lobby import stopped
from frp2p.app.result import Result
from frp2p.app.snapshot import Snapshot
from frp2p.cli.outcome import summary, tell_people
from frp2p.ledger.provisions import provisions
from frp2p.table.status import Fault, SeatStatus, Status

OWN = {"en": "It is your own key that signed both.", "pt_BR": "Foi a sua própria chave que assinou as duas."}
BROKE = {"en": "{} broke the protocol.", "pt_BR": "{} violou o protocolo."}
PEOPLE = ("Ana", "Bob", "Eva", "Zoe")


@pytest.fixture(params=["en", "pt_BR"])
def language(request: pytest.FixtureRequest) -> Iterator[str]:
    locale.use(request.param)
    yield request.param
    locale.use("en")


def status(me: int, code: str, blamed: int | None) -> Status:
    """A table of three with an arbiter that has stopped, as the seat `me` (3: the arbiter) sees it."""
    everybody = tuple(SeatStatus(seat, name, b"", "", connected=True) for seat, name in enumerate(PEOPLE))
    return Status(
        phase="stopped", me=me if me < 3 else None, code="K7Q2MPX4", game="fantasy-realms", options=None,
        seats_wanted=3, seats=everybody[:3], step=9, waiting_for=(), asked=False, shuffled_by=(), verified_by=(),
        digest=None, fault=Fault(code, blamed, code), view=None, provisions=provisions(3, arbiter=True),
        arbitrating=me == 3, watching=me == 3, arbiter=everybody[3],
    )  # fmt: skip


def said(now: Status, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """What a person reads on the screen, and where there is none."""
    lines = ["".join(cell.text for cell in line) for line in stopped(Snapshot(now, (), 0, "", None, None, ""), 80)]
    assert len(lines) < 20
    assert max(map(len, lines)) <= 80
    capsys.readouterr()
    tell_people(Result(now, None, None, ""))
    return [" ".join(" ".join(lines).split()), " ".join(capsys.readouterr().err.split())]


@pytest.mark.parametrize("code", sorted(TWO_STATEMENTS | {"illegal-move", "dleq", "wrong-speaker"}))
@pytest.mark.parametrize("me", range(4))
def test_who_broke_what_is_named_and_the_owner_of_a_double_told_why(
    me: int, code: str, language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for blamed, name in enumerate(PEOPLE):
        now = status(me, code, blamed)
        assert summary(Result(now, None, None, ""))["seat"] == blamed
        for text in said(now, capsys):
            assert BROKE[language].format(name) in text
            assert sentence(code, code) in text
            assert (OWN[language] in text) == (blamed == me and code in TWO_STATEMENTS)


def test_nobody_is_named_where_nobody_is_to_blame(language: str, capsys: pytest.CaptureFixture[str]) -> None:
    now = status(0, "state-mismatch", None)
    assert summary(Result(now, None, None, ""))["seat"] is None
    for text in said(now, capsys):
        assert not [name for name in PEOPLE if BROKE[language].format(name) in text]
        assert OWN[language] not in text


def test_these_are_the_checks_of_two_statements() -> None:
    two = {SENTENCES[code] for code in TWO_STATEMENTS}
    assert {code for code, text in SENTENCES.items() if text in two} == TWO_STATEMENTS
