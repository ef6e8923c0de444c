"""Every reader against bytes of all kinds: arbitrary ones, and good ones that were bent."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from targets import TARGETS, samples


@pytest.mark.parametrize("name", TARGETS)
@given(data=st.data())
@settings(max_examples=60, deadline=None)
def test_arbitrary_bytes(name: str, data: st.DataObject) -> None:
    TARGETS[name](data.draw(st.binary(max_size=400)))


@pytest.mark.parametrize("name", TARGETS)
@given(data=st.data())
@settings(max_examples=60, deadline=None)
def test_good_bytes_that_were_bent(name: str, data: st.DataObject) -> None:
    sample = bytearray(data.draw(st.sampled_from(samples()[name])))
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, max(0, len(sample) - 1)))
        match data.draw(st.sampled_from(("flip", "cut", "insert", "repeat"))):
            case "flip" if sample:
                sample[at] ^= 1 << data.draw(st.integers(0, 7))
            case "cut":
                del sample[at:]
            case "insert":
                sample[at:at] = data.draw(st.binary(max_size=6))
            case _:
                sample += sample[at : at + 50]
    TARGETS[name](bytes(sample))


def test_every_target_has_good_samples() -> None:
    assert samples().keys() == TARGETS.keys()
    for name in ("codec", "message", "stream", "transcript", "notation"):
        for sample in samples()[name]:
            TARGETS[name](sample)


@pytest.mark.parametrize("name", ["codec", "message", "stream"])
def test_a_target_notices_what_is_wrong(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Readers that take what they should not: a target that never raises proves nothing."""
    import targets

    def anything(data: bytes, *_more: object, **_named: object) -> str:
        return data.hex()

    monkeypatch.setattr(targets.codec, "decode", anything)
    monkeypatch.setattr(targets.messages, "decode", anything)
    monkeypatch.setattr(targets.frames.FrameDecoder, "frames", lambda self: iter([len(self._buffer)]))
    with pytest.raises(ValueError, match=r"two encodings|depend"):
        TARGETS[name](b"some bytes")
