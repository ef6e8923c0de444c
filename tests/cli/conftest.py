"""The commands that check records use the rig of the ledger's own tests."""

from __future__ import annotations

import sys
from pathlib import Path

LEDGER = str(Path(__file__).resolve().parents[1] / "ledger")

if LEDGER not in sys.path:
    sys.path.append(LEDGER)
