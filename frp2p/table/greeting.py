"""Hello: the first thing that both ends say on a link.

It is signed over the channel, so that a Hello can't be carried from one connection to another, whatever lies between.
"""

from __future__ import annotations

from typing import Any

from frp2p.errors import PeerFault
from frp2p.ledger.charter import VERSION
from frp2p.ledger.codec import encode
from frp2p.ledger.names import check_name
from frp2p.ledger.signing import check_key, verify
from frp2p.table.desk import Desk
from frp2p.table.links import Link
from frp2p.table.messages import Hello

_DOMAIN = "hello"


def make_hello(desk: Desk, link: Link) -> Hello:
    """My Hello on this link."""
    game, height = desk.phase.game, desk.phase.height
    body = _body(VERSION, desk.key, desk.name, game, height, link.channel)
    return Hello(VERSION, desk.key, desk.name, game, height, desk.signer.sign(_DOMAIN, body))


def check_hello(hello: Hello, link: Link) -> None:
    """PeerFault unless the Hello is of the one whom the channel proved, on this channel, under a name to be shown.

    Checks: those of `check_key`, `hello-key`, `hello-signature`, those of `check_name`.
    """
    check_key(hello.key)
    if hello.key != link.key:
        raise PeerFault("hello-key", "Another key than the one of the channel.")
    body = _body(hello.version, hello.key, hello.name, hello.game, hello.height, link.channel)
    if not verify(hello.key, _DOMAIN, body, hello.signature):
        raise PeerFault("hello-signature", "The Hello is not signed for this channel.")
    check_name(hello.name)


def _body(*items: Any) -> bytes:
    return encode(list(items))
