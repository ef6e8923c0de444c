"""What a proof is made and checked in: a group, a table and epoch (ctx), a request and its sender (event)."""

from __future__ import annotations

from dataclasses import dataclass

from frp2p.deal.group import Group
from frp2p.deal.transcript import Transcript


@dataclass(frozen=True, slots=True)
class Scope:
    """A proof made in one scope fails in every other one."""

    group: Group
    ctx: bytes
    event: bytes

    def transcript(self, proof: str) -> Transcript:
        """A transcript that has absorbed version, proof type, ctx and event."""
        return Transcript(proof, ctx=self.ctx, event=self.event)
