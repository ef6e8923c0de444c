"""The registry of the protocol says what the program does."""

from __future__ import annotations

import csv
import re
from pathlib import Path
from typing import get_args

from frp2p.ledger import evidence, limits
from frp2p.ledger.records import Kind
from frp2p.ledger.transcript import Record
from frp2p.table.messages import CAPS, AnyMessage

ROOT = Path(__file__).parents[2]
REGISTRY = ROOT / "protocol" / "registry"

_CODE = re.compile(
    r"""(?:PeerFault|TableStop)\(\s*"([a-z0-9-]+)"|\bcode\s*=\s*"([a-z0-9-]+)"|return "(name-[a-z]+)\""""
)


def table(name: str) -> list[dict[str, str]]:
    with (REGISTRY / name).open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, strict=True))
    assert all(None not in row and None not in row.values() for row in rows), "a row has too many or too few fields"
    return rows


def codes_in(folder: Path) -> set[str]:
    """Every code that is written out in the sources of this folder."""
    found = (_CODE.findall(file.read_text(encoding="utf-8")) for file in folder.rglob("*.py"))
    return {code for matches in found for groups in matches for code in groups if code}


def test_every_code_of_the_program_is_listed() -> None:
    listed = {row["code"] for row in table("error-codes.csv")}
    used = codes_in(ROOT / "frp2p")
    assert len(used) > 50, "the pattern finds no codes"
    assert not used - listed


def test_every_code_of_the_ledger_is_found() -> None:
    """The pattern of this test sees what the module raises."""
    used = codes_in(ROOT / "frp2p" / "ledger")
    assert {"encoding-canonical", "signature", "transcript-order", "ack-state-digest", "name-marks"} <= used
    layers = {"encoding", "record", "identity", "name", "charter", "step", "transcript", "evidence", "vote", "audit"}
    mine = {row["code"] for row in table("error-codes.csv") if row["layer"] in layers}
    assert used <= mine


def test_the_codes_are_sorted_unique_and_explained() -> None:
    rows = table("error-codes.csv")
    keys = [(row["layer"], row["code"]) for row in rows]
    assert keys == sorted(keys)
    codes = [row["code"] for row in rows]
    assert len(set(codes)) == len(codes)
    assert all(re.fullmatch(r"[a-z0-9-]{1,64}", code) for code in codes)
    assert all(len(row["meaning"]) > 10 for row in rows)


def listed(layer: str) -> dict[str, int]:
    return {row["name"]: int(row["max_bytes"]) for row in table("messages.csv") if row["layer"] == layer}


def test_the_messages_are_those_of_the_program() -> None:
    rows = table("messages.csv")
    keys = [(row["layer"], row["name"]) for row in rows]
    assert keys == sorted(set(keys))
    assert listed("wire") == CAPS
    assert set(CAPS) == {kind.__struct_config__.tag for kind in get_args(AnyMessage)}
    assert listed("step") == limits.MAX_PAYLOAD
    assert set(get_args(Kind)) == set(limits.MAX_PAYLOAD)
    records = {kind.__struct_config__.tag: limits.MAX_RECORD for kind in get_args(Record)}
    assert listed("transcript") == records
    proofs = {kind.__struct_config__.tag for kind in get_args(evidence.Evidence)}
    assert listed("evidence") == dict.fromkeys(proofs, evidence.MAX_EVIDENCE - len(evidence.MAGIC))


def test_the_pages_state_the_limits_of_the_program() -> None:
    encoding, transcript = ((ROOT / "protocol" / page).read_text() for page in ("04-encoding.md", "10-transcript.md"))
    for number in (*limits.MAX_PAYLOAD.values(), limits.MAX_ELAPSED, limits.MAX_STEPS - 1, limits.MAX_OPTIONS):
        assert f"{number:,}" in encoding
    for number in (limits.MAX_RECORD, limits.MAX_TRANSCRIPT, limits.MAX_STEPS, evidence.MAX_EVIDENCE):
        assert f"{number:,}" in transcript
