"""CPace against the test vectors of draft-irtf-cfrg-cpace-21, appendix B.3, and against those who cheat."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frp2p.deal.group import IDENTITY
from frp2p.deal.group.choose import default_group
from frp2p.errors import PeerFault
from frp2p.table import cpace

PRS = b"Password"
CI = bytes.fromhex("0b415f696e69746961746f720b425f726573706f6e646572")
SID = bytes.fromhex("7e4b4791d6a8ef019b936c79fb7f2c57")
G = "222b6b195fe84b1652badb6f6a3ae3d24341e7306967f0b8115b40d5698c7e56"
YA_SCALAR = bytes.fromhex("da3d23700a9e5699258aef94dc060dfda5ebb61f02a5ea77fad53f4ff0976d08")
YB_SCALAR = bytes.fromhex("d2316b454718c35362d83d69df6320f38578ed5984651435e2949762d900b80d")
YA = "d6bac480f2c386c394efc7c47adb9925dcd2630b64f240c50f8d0eec482b9157"
YB = "3ea7e0b19560d7c0b0f5734f63b955286dfa8232b5ebe63324e2d9e7433f7258"
K = "80b69a8a76457ab6a4d7f887a4bf6b55a2f80ac19c333f917a05fc9887c8b40f"
ISK = (
    "b69effbf61b51d56401c0f65601abe428de8206feaaf0e32198896dcae7b35cd"
    "2b38950a39dfd5d4a79164614c2984f7daa460b588c1e80c3fa2068af7900447"
)
VALID_SCALAR = bytes.fromhex("7cd0e075fa7955ba52c02759a6c90dbbfc10e6d40aea8d283e407d88cf538a05")
VALID_POINT = "2c3c6b8c4f3800e7aef6864025b4ed79bd599117e427c41bd47d93d654b4a51c"
VALID_PRODUCT = "7c13645fe790a468f62c39beb7388e541d8405d1ade69d1778c5fe3e7f6b600e"
NO_POINT = "2b3c6b8c4f3800e7aef6864025b4ed79bd599117e427c41bd47d93d654b4a51c"


def run(scalar: bytes = YA_SCALAR, *, prs: bytes = PRS, ci: bytes = CI, sid: bytes = SID, initiator: bool) -> cpace.Run:
    return cpace.Run(prs, ci, sid, b"ADa" if initiator else b"ADb", lambda _size: scalar, initiator=initiator)


def pair(*, second: cpace.Run | None = None) -> tuple[cpace.Tags, cpace.Tags]:
    a, b = run(initiator=True), second or run(YB_SCALAR, initiator=False)
    return a.finish(b.share, b"ADb"), b.finish(a.share, b"ADa")


def test_strings_of_the_draft() -> None:
    assert cpace.prepend_len(b"1234").hex() == "0431323334"
    assert cpace.prepend_len(bytes(127))[:1].hex() == "7f"
    assert cpace.prepend_len(bytes(range(128))) == bytes.fromhex("8001") + bytes(range(128))
    assert cpace.lv_cat(b"1234", b"5", b"", b"6789").hex() == "04313233340135000436373839"
    text = cpace.generator_string(PRS, CI, SID)
    assert len(text) == 170
    assert text.hex().startswith("11435061636552697374726574746f3235350850617373776f726464" + "00" * 100)
    assert text.endswith(cpace.lv_cat(CI, SID))
    assert hashlib.sha512(text).hexdigest().startswith("da6d3ddc8802fca9058755ffd3ebde08a9c2c74945901a258482a288")


def test_points_and_key_of_the_draft() -> None:
    assert cpace.generator(PRS, CI, SID).hex() == G
    assert run(YA_SCALAR, initiator=True).share.hex() == YA
    assert run(YB_SCALAR, initiator=False).share.hex() == YB
    for scalar, share in ((YA_SCALAR, YB), (YB_SCALAR, YA)):
        assert cpace.scalar_mult_vfy(int.from_bytes(scalar, "little"), bytes.fromhex(share)).hex() == K
    first, second = (bytes.fromhex(YA), b"ADa"), (bytes.fromhex(YB), b"ADb")
    assert cpace.session_key(SID, bytes.fromhex(K), first, second).hex() == ISK


def test_valid_and_invalid_shares_of_the_draft() -> None:
    scalar = int.from_bytes(VALID_SCALAR, "little")
    assert cpace.scalar_mult_vfy(scalar, bytes.fromhex(VALID_POINT)).hex() == VALID_PRODUCT
    assert cpace.scalar_mult_vfy(scalar, bytes.fromhex(NO_POINT)) == IDENTITY
    assert cpace.scalar_mult_vfy(scalar, IDENTITY) == IDENTITY


@pytest.mark.parametrize("share", [bytes.fromhex(NO_POINT), IDENTITY, b"", b"\xff" * 32, b"\1" * 31, b"\1" * 33])
@pytest.mark.parametrize("initiator", [True, False])
def test_a_run_ends_at_a_share_that_is_no_share(share: bytes, initiator: bool) -> None:
    with pytest.raises(PeerFault, match="share") as fault:
        run(initiator=initiator).finish(share, b"AD")
    assert fault.value.check == "pake-share"


def test_both_sides_come_to_the_same_key_and_their_tags_differ() -> None:
    a, b = pair()
    assert a.fits(b.mine)
    assert b.fits(a.mine)
    assert a.mine != b.mine
    assert not a.fits(a.mine)  # what was sent does not come back as an answer
    assert not b.fits(b.mine)
    assert not a.fits(b"")


@pytest.mark.parametrize("what", [{"prs": b"password"}, {"ci": CI + b"x"}, {"sid": SID[::-1]}, {"initiator": True}])
def test_any_other_input_gives_another_key(what: dict[str, object]) -> None:
    arguments: dict[str, object] = {"initiator": False, **what}
    other = cpace.Run(
        prs=arguments.get("prs", PRS),  # type: ignore[arg-type]
        ci=arguments.get("ci", CI),  # type: ignore[arg-type]
        sid=arguments.get("sid", SID),  # type: ignore[arg-type]
        ad=b"ADb",
        entropy=lambda _size: YB_SCALAR,
        initiator=bool(arguments["initiator"]),
    )
    a, b = pair(second=other)
    assert not a.fits(b.mine)
    assert not b.fits(a.mine)


def test_a_share_that_comes_back_makes_no_key_that_its_sender_knows() -> None:
    """Whoever sends our share back knows the tag that we send, not the one that we want."""
    host = run(initiator=True)
    tags = host.finish(host.share, b"ADb")
    assert not tags.fits(tags.mine)


@settings(max_examples=25, deadline=None)
@given(st.binary(max_size=200), st.binary(max_size=200), st.integers(1, (1 << 252) - 1))
def test_two_passwords_agree_only_where_they_are_one(first: bytes, second: bytes, scalar: int) -> None:
    a = cpace.Run(first, CI, SID, b"a", lambda size: scalar.to_bytes(size, "little"), initiator=True)
    b = cpace.Run(second, CI, SID, b"b", lambda _size: YB_SCALAR, initiator=False)
    tags = a.finish(b.share, b"b"), b.finish(a.share, b"a")
    assert tags[0].fits(tags[1].mine) == tags[1].fits(tags[0].mine) == (first == second)


def test_a_scalar_is_below_the_order() -> None:
    share = cpace.Run(PRS, CI, SID, b"", lambda size: b"\xff" * size, initiator=True).share
    wanted = default_group().mul(cpace.generator(PRS, CI, SID), (1 << 252) - 1)
    assert share == wanted
