"""TLS: both ends proved by their Ed25519 keys, everything else refused."""

from __future__ import annotations

import contextlib
import datetime
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.x509.oid import NameOID
from hypothesis import given, settings
from hypothesis import strategies as st
from OpenSSL import SSL

from frp2p.errors import PeerFault
from frp2p.net import tls

ANA, BEN = (Ed25519PrivateKey.from_private_bytes(bytes([n]) * 32) for n in (1, 2))


def public(key: Ed25519PrivateKey) -> bytes:
    return key.public_key().public_bytes_raw()


def pair() -> tuple[tls.TlsChannel, tls.TlsChannel]:
    return tls.TlsChannel(tls.context(ANA), server=False), tls.TlsChannel(tls.context(BEN), server=True)


def shake(client: tls.TlsChannel, server: tls.TlsChannel) -> None:
    for _round in range(3):
        server.feed(client.drain())
        client.feed(server.drain())


def test_both_ends_know_each_other_and_the_channel() -> None:
    client, server = pair()
    shake(client, server)
    assert client.peer_key == public(BEN)
    assert server.peer_key == public(ANA)
    assert client.exporter == server.exporter
    assert client.exporter is not None
    assert len(client.exporter) == tls.EXPORTER_BYTES


def test_every_connection_is_another_channel() -> None:
    exporters = set()
    for _run in range(3):
        client, server = pair()
        shake(client, server)
        exporters.add(client.exporter)
    assert len(exporters) == 3


def test_plaintext_arrives_whole_and_the_end_is_seen() -> None:
    client, server = pair()
    shake(client, server)
    client.write(b"x" * 300_000)
    assert server.feed(client.drain()) == b"x" * 300_000
    client.close()
    assert server.feed(client.drain()) == b""
    assert server.ended


def test_nothing_can_be_read_before_the_handshake_is_done() -> None:
    client, server = pair()
    assert server.feed(client.drain()) == b""
    assert server.exporter is None
    assert server.peer_key is None


def test_a_certificate_is_always_the_same_and_valid_in_any_year() -> None:
    certificate = tls.certificate(ANA)
    assert certificate == tls.certificate(ANA)
    assert certificate.not_valid_before_utc.year == 2000
    assert certificate.not_valid_after_utc.year == 9999


def foreign_context(key: Any, certificate: x509.Certificate | None, *, newest: int = SSL.TLS1_3_VERSION) -> SSL.Context:
    context = SSL.Context(SSL.TLS_METHOD)
    context.set_max_proto_version(newest)
    context.set_verify(SSL.VERIFY_PEER, lambda *_arguments: True)
    if certificate is not None:
        context.use_certificate(certificate)
        context.use_privatekey(key)
    return context


def signed(key: Any, subject_key: Any) -> x509.Certificate:
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "somebody")])
    now = datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC)
    builder = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(subject_key.public_key())
    builder = builder.serial_number(7).not_valid_before(now).not_valid_after(now + datetime.timedelta(days=9999))
    return builder.sign(key, None if isinstance(key, Ed25519PrivateKey) else hashes.SHA256())


P256 = ec.generate_private_key(ec.SECP256R1())
STRANGERS = {
    "no certificate": (foreign_context(None, None), "tls"),
    "TLS 1.2": (foreign_context(ANA, tls.certificate(ANA), newest=SSL.TLS1_2_VERSION), "tls"),
    "a key that is not Ed25519": (foreign_context(P256, signed(P256, P256)), "tls-identity"),
}


def visit(context: SSL.Context, server: tls.TlsChannel) -> None:
    """Somebody with this context connects and says whatever OpenSSL lets him say."""
    connection = SSL.Connection(context, None)
    connection.set_connect_state()
    for _round in range(4):
        with contextlib.suppress(SSL.WantReadError):
            connection.do_handshake()
        with contextlib.suppress(SSL.WantReadError):
            server.feed(connection.bio_read(65536))
        if answer := server.drain():
            connection.bio_write(answer)


@pytest.mark.parametrize("stranger", STRANGERS)
def test_strangers_are_refused(stranger: str) -> None:
    context, check = STRANGERS[stranger]
    server = tls.TlsChannel(tls.context(BEN), server=True)
    with pytest.raises(PeerFault) as caught:
        visit(context, server)
    assert caught.value.check == check
    assert server.exporter is None


def test_a_man_in_the_middle_shows_his_own_key_and_another_channel() -> None:
    middle = Ed25519PrivateKey.from_private_bytes(bytes([3]) * 32)
    client, to_client = tls.TlsChannel(tls.context(ANA), server=False), tls.TlsChannel(tls.context(middle), server=True)
    to_server, server = tls.TlsChannel(tls.context(middle), server=False), tls.TlsChannel(tls.context(BEN), server=True)
    shake(client, to_client)
    shake(to_server, server)
    assert client.peer_key == server.peer_key == public(middle)
    assert client.exporter != server.exporter


def test_further_certificates_in_a_chain_say_nothing() -> None:
    context = foreign_context(ANA, signed(BEN, ANA))
    context.add_extra_chain_cert(tls.certificate(BEN))
    server = tls.TlsChannel(tls.context(BEN), server=True)
    visit(context, server)
    assert server.peer_key == public(ANA)


def test_garbage_and_clear_text_are_refused() -> None:
    for text in (b"GET / HTTP/1.1\r\n\r\n", bytes(64), b"\x16\x03\x01\xff\xff" + bytes(64)):
        server = tls.TlsChannel(tls.context(BEN), server=True)
        with pytest.raises(PeerFault):
            server.feed(text)


def test_an_endless_handshake_is_cut() -> None:
    server = tls.TlsChannel(tls.context(BEN), server=True)
    record = b"\x16\x03\x01\x40\x00" + b"\x01\x00\xff\xff" + bytes(0x4000 - 4)
    with pytest.raises(PeerFault):
        server.feed(record * 20)


@given(st.binary(max_size=400), st.integers(0, 200))
@settings(max_examples=60, deadline=None)
def test_bytes_changed_on_the_way_never_pass(noise: bytes, place: int) -> None:
    client, server = pair()
    shake(client, server)
    client.write(b"the cards are dealt" * 10)
    sent = client.drain()
    changed = sent[:place] + noise + sent[place + len(noise) :]
    if changed == sent:
        return
    with contextlib.suppress(PeerFault):
        assert server.feed(changed) == b""
