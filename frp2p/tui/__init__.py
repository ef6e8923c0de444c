"""The full-screen client (prompt_toolkit)."""

from __future__ import annotations

from frp2p.tui.client import run

__all__ = ["run"]
