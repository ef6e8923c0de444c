"""The vectors of the ledger: made by this program, and read by it. See test_independent_reader.py."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from frp2p.errors import PeerFault
from frp2p.ledger.fingerprint import fingerprint
from frp2p.ledger.signing import check_key, verify

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "protocol" / "vectors"


def vectors(name: str) -> list[dict[str, Any]]:
    data = json.loads((FOLDER / name).read_text(encoding="utf-8"))
    tests: list[dict[str, Any]] = data["tests"]
    assert data["count"] == len(tests) == len({test["id"] for test in tests})
    return tests


KEYS = vectors("keys.json")
SIGNATURES = vectors("signatures.json")


def ids(tests: list[dict[str, Any]]) -> list[str]:
    return [test["id"] for test in tests]


@pytest.mark.parametrize("test", KEYS, ids=ids(KEYS))
def test_keys(test: dict[str, Any]) -> None:
    key = bytes.fromhex(test["key"])
    if test["result"] == "valid":
        check_key(key)
        assert fingerprint(key) == test["fingerprint"]
    else:
        with pytest.raises(PeerFault) as caught:
            check_key(key)
        assert caught.value.check == test["check"]


@pytest.mark.parametrize("test", SIGNATURES, ids=ids(SIGNATURES))
def test_signatures(test: dict[str, Any]) -> None:
    key, body, signature = (bytes.fromhex(test[name]) for name in ("key", "body", "signature"))
    assert verify(key, test["kind"], body, signature) is (test["result"] == "valid")


def test_which_signatures_hold() -> None:
    """Said here once more, for the file is made by the program itself."""
    assert {test["id"] for test in SIGNATURES if test["result"] == "valid"} == {"deterministic", "neutral-commitment"}


def test_the_files_are_those_that_the_generator_writes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "scripts")
    import make_ledger_vectors

    for name, content in make_ledger_vectors.files().items():
        assert (FOLDER / name).read_text(encoding="utf-8") == content, (
            f"run scripts/{Path(make_ledger_vectors.__file__).name}"
        )
    del sys.modules["make_ledger_vectors"]
