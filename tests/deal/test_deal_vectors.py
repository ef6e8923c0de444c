"""The published vectors of dealing: made by this program, and complete. See test_independent_reader.py."""

from __future__ import annotations

import csv
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from frp2p.deal.sealed.messages import Keys, SealedContribution, SealedItem, SetupMessage

ROOT = Path(__file__).resolve().parents[2]
VECTORS = ROOT / "protocol" / "vectors"
FILES = ("deal-primitives", "deal-proofs", "deal-games")


def load(name: str) -> list[dict[str, Any]]:
    return json.loads((VECTORS / f"{name}.json").read_text(encoding="utf-8"))["tests"]


def test_the_generator_makes_these_files() -> None:
    script = ROOT / "scripts" / "make_deal_vectors.py"
    done = subprocess.run([sys.executable, str(script), "--check"], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "")


def test_every_message_has_a_vector() -> None:
    tags = set()
    for game in load("deal-games"):
        rows = [*game["setup"], *([game["blamed"]["round"]] if "blamed" in game else [])]
        tags |= {msgspec.msgpack.decode(bytes.fromhex(data))[0] for row in rows for data in row.values()}
        for batch in game["batches"]:
            for row in batch["rounds"]:
                for data in row.values():
                    tags |= {item[0] for item in msgspec.msgpack.decode(bytes.fromhex(data))[1]}
    kinds = (*get_args(SetupMessage), *get_args(SealedItem))
    assert tags == {kind.__struct_config__.tag for kind in kinds}


def test_every_check_has_a_vector() -> None:
    """All checks of the layer that can be a peer's fault at a sealed table."""
    with (ROOT / "protocol" / "registry" / "error-codes.csv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["layer"] == "deal"]
    ours = {row["code"] for row in rows if row["meaning"].startswith("Own program")}
    listed = {row["code"] for row in rows} - ours - {"clear-token", "deal-joint-key"}
    used = {test["check"] for test in load("deal-proofs")}
    for game in load("deal-games"):
        blamed = [game["blamed"]] if "blamed" in game else []
        used |= {case["check"] for case in (*game["refused"], *blamed, *game.get("opened", ()))}
    assert used - {None} == listed


@pytest.mark.parametrize("name", FILES)
def test_the_files_keep_to_their_schemas(name: str) -> None:
    """Decoded strictly by the types that the schemas are generated from; an unknown field is refused."""
    sys.path.insert(0, str(ROOT / "scripts"))
    try:
        from deal_vectors.schema import FILES as types
        from deal_vectors.schema import schema
    finally:
        sys.path.remove(str(ROOT / "scripts"))
    data = (VECTORS / f"{name}.json").read_bytes()
    msgspec.json.decode(data, type=types[name])
    assert (VECTORS / "schema" / f"{name}.schema.json").read_text(encoding="utf-8") == schema(name)
    for wrong in (data.replace(b'"version": 1', b'"version": 2'), data.replace(b'"id":', b'"x": 1, "id":', 1)):
        with pytest.raises(msgspec.ValidationError):
            msgspec.json.decode(wrong, type=types[name])


def rows(name: str) -> list[dict[str, str]]:
    with (ROOT / "protocol" / "registry" / name).open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_the_registry_of_messages() -> None:
    batch = (*get_args(SealedItem), SealedContribution)
    kinds: dict[str, tuple[Any, ...]] = {"set-up": get_args(SetupMessage), "batch": batch, "open": (Keys,)}
    listed = [(row["stage"], row["tag"]) for row in rows("deal-messages.csv")]
    assert listed == sorted((stage, kind.__struct_config__.tag) for stage, own in kinds.items() for kind in own)


def test_the_registry_of_proofs() -> None:
    """Every type that the code begins a transcript with (`masks` is none: it only feeds nonces), and no other."""
    found = set()
    for file in (ROOT / "frp2p" / "deal").rglob("*.py"):
        found |= set(re.findall(r'\.transcript\("([a-z-]+)"\)', file.read_text(encoding="utf-8")))
    listed = [row["type"] for row in rows("proof-types.csv")]
    assert listed == sorted(found - {"masks"})
    page = (ROOT / "protocol" / "06-deal.md").read_text(encoding="utf-8")
    for row in rows("proof-types.csv"):
        assert re.search(rf"^### {re.escape(row['section'])} .*`{row['type']}`", page, re.MULTILINE)
    assert {test["type"] for test in load("deal-proofs")} == set(listed)


def test_every_check_of_the_code_is_registered() -> None:
    found = set()
    for file in (ROOT / "frp2p" / "deal").rglob("*.py"):
        text = file.read_text(encoding="utf-8")
        found |= set(re.findall(r'(?:PeerFault\(|code=|yield )"([a-z-]+)"', text))
        found |= set(re.findall(r'"(shuffle-[a-z-]+)"', text))
    assert "mask-repeat" in found
    assert found | {"pop-deck", "pop-view"} == {
        row["code"] for row in rows("error-codes.csv") if row["layer"] == "deal"
    }
