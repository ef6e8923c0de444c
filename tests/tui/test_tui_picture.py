"""The picture in the README is what the client shows."""

from __future__ import annotations

import runpy
from pathlib import Path
from xml.etree import ElementTree as ET

SCRIPT = Path(__file__).parents[2] / "scripts" / "picture.py"


def test_the_picture_is_up_to_date() -> None:
    script = runpy.run_path(str(SCRIPT))
    drawn, kept = script["picture"](), script["PICTURE"].read_text(encoding="utf-8")
    assert drawn == kept, "run: .venv/bin/python scripts/picture.py"
    tree = ET.fromstring(drawn)  # noqa: S314 - our own text
    words = " ".join(text.text or "" for text in tree.iter("{http://www.w3.org/2000/svg}text"))
    for word in ("Your hand", "Discard area", "Log", "Gem of Order", "You 140"):
        assert word in words
