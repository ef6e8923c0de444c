"""Compile the message catalogues when the package is built or installed (the .mo files are not in git)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polib
from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompileCatalogues(BuildHookInterface):  # type: ignore[misc]
    """Write a .mo file beside each .po file."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        for path in Path(self.root, "frp2p", "locale").glob("*/LC_MESSAGES/*.po"):
            polib.pofile(str(path)).save_as_mofile(str(path.with_suffix(".mo")))
