"""Transcripts and evidence on disk. File names come from the date and the content's hash, never from a peer."""

from __future__ import annotations

import datetime
import hashlib
from pathlib import Path

from frp2p.store.home import folder, home, write_new

TRANSCRIPT_SUFFIX = ".frp2p"
EVIDENCE_SUFFIX = ".evidence"
_HASH_LETTERS = 16
"""64 bits: no two files of one user meet."""


def save_transcript(content: bytes) -> Path:
    """Save the record of a finished game; OSError as the disk gives it, UserError if there can be no folder."""
    return _save("transcripts", TRANSCRIPT_SUFFIX, content)


def save_evidence(content: bytes) -> Path:
    """Save the signed bytes that show who broke the protocol."""
    return _save("evidence", EVIDENCE_SUFFIX, content)


def _save(kind: str, suffix: str, content: bytes) -> Path:
    day = datetime.datetime.now(datetime.UTC).date().isoformat()
    path = folder(home() / kind) / f"{day}-{hashlib.sha256(content).hexdigest()[:_HASH_LETTERS]}{suffix}"
    try:
        write_new(path, content)
    except FileExistsError:
        if path.is_symlink() or path.read_bytes() != content:
            raise
    return path
