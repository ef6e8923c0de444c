"""What is made when the package is built or installed: the compiled message catalogues (the .mo files are not in git),
and in a wheel the pages that the program shows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polib
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PAGES = ("rules.md", "rules.pt_BR.md")
"""Files of docs/ that the program shows; where it looks for them stands in frp2p/cli/pages.py."""


class CompileCatalogues(BuildHookInterface):  # type: ignore[misc]
    """Write a .mo file beside each .po file; put the pages into a wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if self.target_name == "wheel" and version == "standard":
            build_data["force_include"] |= {f"docs/{page}": f"frp2p/docs/{page}" for page in PAGES}
        for path in Path(self.root, "frp2p", "locale").glob("*/LC_MESSAGES/*.po"):
            polib.pofile(str(path)).save_as_mofile(str(path.with_suffix(".mo")))
