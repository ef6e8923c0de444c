"""The evidence that comes up at a table. Each piece is on disk as soon as it is here: the game may go on for hours, and
the program may not live to see its end."""

from __future__ import annotations

import contextlib
from pathlib import Path

from frp2p.errors import UserError
from frp2p.store.records import save_evidence


class SavedEvidence:
    """As many as there are seats that lie; each piece may be told of twice."""

    def __init__(self) -> None:
        self._unsaved: list[bytes] = []
        self._paths: set[Path] = set()

    @property
    def path(self) -> Path | None:
        """The file; where there are several, their folder."""
        first = min(self._paths, default=None)
        return first.parent if first is not None and len(self._paths) > 1 else first

    def take(self, evidence: bytes) -> None:
        """Save it. If that is not possible now, the last `save` tells why."""
        if evidence not in self._unsaved:
            self._unsaved.append(evidence)
        with contextlib.suppress(OSError, UserError):
            self.save()

    def save(self) -> None:
        """Save what is not on disk yet; OSError as the disk gives it, UserError if there can be no folder."""
        while self._unsaved:
            self._paths.add(save_evidence(self._unsaved[0]))
            del self._unsaved[0]
