"""What the screens say where there is an arbiter: in the lobby of both sides, and while somebody is away."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest

from frp2p.app import model_leaving, model_lobby, model_losses, model_waiting
from frp2p.app.model_table import names
from frp2p.app.model_text import Line
from frp2p.app.snapshot import Snapshot
from frp2p.ledger.provisions import Clock, provisions
from frp2p.locale import use
from frp2p.table.events import Convicted
from frp2p.table.status import SeatStatus, Status, Wait

replace = msgspec.structs.replace

ANA = SeatStatus(0, "Ana", bytes(32), "K7Q2-M0PX-44RA", connected=True)
BEN = SeatStatus(1, "Ben", b"\1" * 32, "AAAA-BBBB-CCCC", connected=True)
ZOE = SeatStatus(2, "Zoe", b"\2" * 32, "ZZZZ-YYYY-XXXX", connected=True, arbiter=True)
LOBBY = Status(
    phase="lobby",
    me=0,
    code="",
    game="fantasy-realms",
    options=None,
    seats_wanted=2,
    seats=(ANA,),
    step=0,
    waiting_for=(),
    asked=False,
    shuffled_by=(),
    verified_by=(),
    digest=None,
    fault=None,
    view=None,
    provisions=provisions(2, Clock(away_seconds=60), arbiter=True),
)


@pytest.fixture(params=["en", "pt_BR"])
def language(request: pytest.FixtureRequest) -> str:
    use(request.param)
    return str(request.param)


def shot(status: Status) -> Snapshot:
    return Snapshot(status, (), 0, "192.168.0.7:47377", None, None, "")


def text(lines: list[Line]) -> str:
    return "\n".join("".join(cell.text for cell in line) for line in lines)


def lobby(status: Status, columns: int = 80) -> str:
    return text(model_lobby.lobby(shot(status), columns))


@pytest.fixture(autouse=True)
def _english_again() -> object:
    yield
    use("en")


def test_a_lobby_says_who_is_missing_and_what_the_arbiter_types(language: str) -> None:
    full = replace(LOBBY, seats=(ANA, BEN))
    for status in (LOBBY, full):
        shown = lobby(status)
        assert "frp2p arbiter 192.168.0.7:47377" in shown
        assert {"en": "place of the arbiter", "pt_BR": "lugar do árbitro"}[language] in shown
        said = {"en": "An arbiter, who has no cards,", "pt_BR": "Um árbitro, que não tem cartas,"}[language]
        assert said in " ".join(shown.split())
    assert {"en": "Waiting for the arbiter.", "pt_BR": "Esperando o árbitro."}[language] in lobby(full)
    locked = lobby(replace(full, locked=True))
    assert "frp2p arbiter 192.168.0.7:47377 --passphrase" in locked


def test_a_lobby_with_its_arbiter_names_it_to_everybody(language: str) -> None:
    there = replace(LOBBY, arbiter=ZOE)
    for status in (there, replace(there, me=1, seats=(ANA, BEN)), replace(there, me=None, watching=True)):
        shown = lobby(status)
        assert {"en": "Zoe (arbiter)", "pt_BR": "Zoe (árbitro)"}[language] in shown
        assert "ZZZZ-YYYY-XXXX" in shown
        assert "frp2p arbiter" not in shown
    mine = lobby(replace(there, me=None, watching=True, arbitrating=True))
    assert {"en": "You are the arbiter;", "pt_BR": "Você é o árbitro;"}[language] in mine
    assert {"en": "Zoe (you)", "pt_BR": "Zoe (você)"}[language] in mine


def test_a_lobby_fits_the_smallest_screen(language: str) -> None:
    for status in (LOBBY, replace(LOBBY, arbiter=ZOE), replace(LOBBY, seats=(ANA, BEN), asking=(ZOE,))):
        for columns in (60, 80):
            lines = model_lobby.lobby(shot(status), columns)
            assert all(sum(len(cell.text) for cell in line) <= columns for line in lines)
            assert len(lines) <= 24


def test_a_host_can_send_the_arbiter_away_and_sees_who_asks_for_what() -> None:
    assert model_lobby.guests(replace(LOBBY, seats=(ANA, BEN), arbiter=ZOE)) == (BEN, ZOE)
    assert model_lobby.guests(replace(LOBBY, asking=(ZOE,))) == (ZOE,)
    assert "Zoe (arbiter)" in lobby(replace(LOBBY, asking=(ZOE,)))


def test_a_table_without_an_arbiter_says_nothing_of_one(language: str) -> None:
    plain = replace(LOBBY, provisions=provisions(2))
    assert "rbit" not in lobby(plain)
    assert not any("rbit" in row for row in model_losses.whole(provisions(3)))


def test_what_an_arbiter_means_is_said_in_whole(language: str) -> None:
    for columns in (60, 80):
        for provided in (provisions(2, arbiter=True), provisions(4, arbiter=True, recovery=True)):
            rows = model_losses.whole(provided)
            said = {"en": "An arbiter has one vote", "pt_BR": "Um árbitro tem mais um voto"}[language]
            assert sum(said in row for row in rows) == 1
        assert text(model_lobby.arbiter_lines(columns)).count("\n") < 6


# -- in the game -------------------------------------------------------------------------------------------------------

GONE = replace(BEN, connected=False)
PLAY = replace(
    LOBBY,
    phase="play",
    code="K7Q2-MPXA",
    seats=(ANA, GONE),
    arbiter=ZOE,
    waiting_for=(1,),
    waits=(Wait(1, connected=False, seconds_left=42.0),),
)


def test_two_and_an_arbiter_can_vote_as_long_as_two_of_them_are_here() -> None:
    assert model_waiting.can_vote(PLAY)
    assert "42 s" in model_waiting.waiting_text(shot(PLAY)) or "0:42" in model_waiting.waiting_text(shot(PLAY))
    alone = replace(PLAY, arbiter=replace(ZOE, connected=False))
    assert not model_waiting.can_vote(alone)
    assert "1 of 3" in model_waiting.waiting_text(shot(alone))
    assert not model_waiting.can_vote(replace(PLAY, arbiter=None))


def test_the_arbiter_itself_counts_as_here() -> None:
    itself = replace(PLAY, me=None, watching=True, arbitrating=True, seats=(ANA, GONE))
    assert model_waiting.here(itself) == 2
    assert model_waiting.can_vote(itself)


PARTINGS: dict[str, tuple[Callable[[Status], Status], str]] = {
    "with an arbiter": (lambda status: status, "then they can vote you out, and the game is over"),
    "without": (lambda status: replace(status, arbiter=None, provisions=provisions(2)), "The game waits for you."),
}


@pytest.mark.parametrize("which", PARTINGS)
def test_who_goes_away_from_a_table_of_two_is_told_what_becomes_of_it(which: str) -> None:
    change, said = PARTINGS[which]
    [away, *_rest] = model_leaving.ways(change(replace(PLAY, seats=(ANA, BEN))))
    assert said in away.text


def test_a_convicted_arbiter_is_called_by_its_name() -> None:
    assert names(PLAY) == ("Ana", "Ben", "Zoe")
    line, _style = model_losses.told(Convicted(2, "two-votes", b""), names(PLAY))
    assert line.startswith("Zoe broke the protocol")
