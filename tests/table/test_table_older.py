"""A seat whose folder was put back to an older state takes what it said from the others, and signs nothing twice that
they have heard."""

from __future__ import annotations

import pytest
from crash_kit import CrashRig

from frp2p.table.events import Convicted, Refused, Stopped

VICTIM = 1
FIRST = 2
"""The first write is the opening: without it there is no seat to come back to."""


class OlderRig(CrashRig):
    """Who comes back has forgotten this many writes."""

    forgotten = 0

    def revive(self, place: int) -> None:
        journal = self.network.journals[self.keys[place]]
        del journal[max(1, len(journal) - self.forgotten) :]
        super().revive(place)


def older(seats: int, at: int, forgotten: int, dealer: str) -> OlderRig:
    """The end of a table whose seat dies after this write and comes back without the last ones."""
    rig = OlderRig(seats, lambda place, n: "dies-after" if (place, n) == (VICTIM, at) else "fine", dealer=dealer)
    rig.forgotten = forgotten
    rig.play()
    return rig


@pytest.mark.parametrize("forgotten", [1, 2, 5, 99])
@pytest.mark.parametrize(
    ("seats", "dealer", "every"), [(2, "clear", 2), (3, "clear", 3), (4, "clear", 5), (3, "sealed", 12)]
)
def test_who_comes_back_with_an_older_folder_is_not_accused(
    seats: int, dealer: str, every: int, forgotten: int
) -> None:
    rig = OlderRig(seats, lambda _place, _number: "fine", dealer=dealer)
    rig.play()
    tried = range(FIRST + 1, rig.writes[VICTIM], every)
    assert len(tried) > 2
    for at in tried:
        rig = older(seats, at, forgotten, dealer)
        assert rig.killed == 1
        assert {peer.status().phase for peer in rig.peers} == {"over"}
        assert len({peer.status().digest for peer in rig.peers}) == 1
        for place in range(seats):
            assert not [one for one in rig.events(place) if isinstance(one, Refused | Stopped | Convicted)]
