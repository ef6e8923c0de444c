"""Evidence goes to disk when it comes up, all of it, and whatever else can't be saved."""

from __future__ import annotations

import asyncio
import contextlib
import errno
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from app_kit import Hasty, Slow, until

from frp2p.app import evidence, session, tables
from frp2p.app.evidence import SavedEvidence
from frp2p.app.result import Result
from frp2p.app.session import Session
from frp2p.app.tables import Seat, dealers
from frp2p.games.fantasy_realms.options import Options
from frp2p.games.registry import games
from frp2p.ledger.evidence import judge, read_evidence
from frp2p.ledger.provisions import provisions
from frp2p.ledger.records import Part, read_part_body, sign_part
from frp2p.net.address import Address
from frp2p.net.interfaces import LOOPBACK
from frp2p.store.identity import Identity
from frp2p.table.messages import decode, encode
from frp2p.table.outputs import Output, Send
from frp2p.table.peer import Peer

NAMES = ("Ana", "Bruno", "Cleo")
LIAR = NAMES[-1]
FULL = OSError(errno.ENOSPC, "no space")


class Lying(Peer):
    """From its first share on it has no proofs."""

    def outputs(self) -> list[Output]:
        return [Send(one.link, self._bent(one.frame)) if isinstance(one, Send) else one for one in super().outputs()]

    def _bent(self, frame: bytes) -> bytes:
        message = decode(frame, greeted=True)
        body = read_part_body(message.body) if isinstance(message, Part) else None
        if body is None or body.kind != "deal" or self.status().phase != "play" or body.seat != self.status().me:
            return frame
        return encode(sign_part(self._desk.signer, msgspec.structs.replace(body, payload=b"")))


def files(home: Path) -> list[Path]:
    return sorted((home / "evidence").glob("*")) if (home / "evidence").exists() else []


def test_one_is_a_file_and_several_are_their_folder(own_home: Path) -> None:
    kept = SavedEvidence()
    assert kept.path is None
    kept.take(b"one")
    assert [kept.path] == files(own_home)
    kept.take(b"one")
    assert [kept.path] == files(own_home)
    kept.take(b"two")
    assert kept.path == own_home / "evidence"
    assert {file.read_bytes() for file in files(own_home)} == {b"one", b"two"}


def test_what_the_disk_refuses_is_saved_later_and_it_is_said_why(
    own_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(content: bytes) -> Path:
        raise FULL

    kept = SavedEvidence()
    with monkeypatch.context() as patch:
        patch.setattr(evidence, "save_evidence", full)
        kept.take(b"one")
        kept.take(b"one")
        kept.take(b"two")
        assert kept.path is None
        with pytest.raises(OSError, match="no space"):
            kept.save()
    kept.save()
    assert {file.read_bytes() for file in files(own_home)} == {b"one", b"two"}


Running = tuple[list[Session], list[asyncio.Task[Result]]]


@contextlib.asynccontextmanager
async def table(monkeypatch: pytest.MonkeyPatch, player: Any, recovery: bool) -> AsyncIterator[Running]:
    """Three sessions, of which the last one lies; the host's comes first."""
    seats = [Seat(Identity(bytes([at]) * 32), name, player, loopback=True) for at, name in enumerate(NAMES, 1)]
    sessions = [seats[0].host(Options(), 3, provided=provisions(3, recovery=recovery))]
    for seat in seats[1:]:
        monkeypatch.setattr(tables, "Peer", Lying if seat is seats[-1] else Peer)
        sessions.append(seat.join((Address(LOOPBACK, seats[0].port),)))
    runs = [asyncio.create_task(one.run()) for one in sessions]
    try:
        yield sessions, runs
    finally:
        for run in runs:
            run.cancel()
        await asyncio.gather(*runs, return_exceptions=True)
        for seat in seats:
            seat.close()


async def test_evidence_is_on_disk_while_the_game_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    async with table(monkeypatch, Slow(), recovery=True) as (sessions, runs):
        await until(sessions[0], lambda now: now.status.seats and any(seat.out for seat in now.status.seats))
        now = sessions[0].snapshot()
        assert now.status.phase == "play"
        assert not runs[0].done()
        assert now.evidence is not None
        verdict = judge(read_evidence(now.evidence.read_bytes()), games(), dealers())
        assert verdict.name == LIAR


async def test_evidence_is_kept_where_the_transcript_can_not_be(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(content: bytes) -> Path:
        raise FULL

    monkeypatch.setattr(session, "save_transcript", full)
    async with table(monkeypatch, Hasty(), recovery=False) as (_sessions, runs):
        result = await runs[0]
    assert result.status.phase == "over"
    assert result.transcript is None
    assert result.problem.startswith("The record could not be saved: No space left on device; frp2p resume ")
    assert result.evidence is not None
    assert result.evidence.is_file()
