"""TLS 1.3 with both sides known by their Ed25519 keys, as a sans-io value: bytes in, bytes out.

Certificates are self-signed and carry nothing but the identity key; who that key belongs to is decided above. The
verify callback of OpenSSL accepts any single certificate (depth 0), the handshake proves that the peer holds its key,
and our own check then insists on Ed25519. See protocol/03-session.md.
"""

from __future__ import annotations

import datetime
import hashlib

from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.x509.oid import NameOID
from OpenSSL import SSL, crypto

from frp2p.errors import PeerFault

EXPORTER_LABEL = b"EXPORTER-frp2p"
EXPORTER_BYTES = 32
MAX_HANDSHAKE_BYTES = 16 * 1024
"""Bytes of one side's handshake: a certificate of ours takes 2 KiB; the rest is room for other TLS libraries."""
READ_BYTES = 64 * 1024
"""What is taken from OpenSSL at once; four TLS records."""
# Clocks on a LAN are often wrong, and an identity has no date.
_VALID_FROM = datetime.datetime(2000, 1, 1, tzinfo=datetime.UTC)
_VALID_UNTIL = datetime.datetime(9999, 12, 31, tzinfo=datetime.UTC)


def certificate(key: Ed25519PrivateKey) -> x509.Certificate:
    """The self-signed certificate of an identity; the same key always gives the same bytes."""
    public = key.public_key()
    digest = hashlib.sha256(public.public_bytes_raw()).digest()
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, f"frp2p {digest[:8].hex()}")])
    serial = int.from_bytes(digest[8:24]) | 1
    builder = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(public).serial_number(serial)
    return builder.not_valid_before(_VALID_FROM).not_valid_after(_VALID_UNTIL).sign(key, None)


def context(key: Ed25519PrivateKey) -> SSL.Context:
    """The OpenSSL context of an identity, for both directions."""
    made = SSL.Context(SSL.TLS_METHOD)
    made.set_min_proto_version(SSL.TLS1_3_VERSION)
    made.set_max_proto_version(SSL.TLS1_3_VERSION)
    made.set_options(SSL.OP_NO_TICKET | SSL.OP_NO_COMPRESSION)
    made.set_session_cache_mode(SSL.SESS_CACHE_OFF)
    made.set_verify(SSL.VERIFY_PEER | SSL.VERIFY_FAIL_IF_NO_PEER_CERT, _accept_single)
    made.use_certificate(certificate(key))
    made.use_privatekey(key)
    return made


def _accept_single(_connection: SSL.Connection, _peer: crypto.X509, _error: int, depth: int, _fine: int) -> bool:
    return depth == 0


class TlsChannel:
    """One end of a TLS connection. `peer_key` (32 bytes) and `exporter` (32 bytes, equal at both ends) are None until
    the handshake is done here; a client learns only from the first bytes it reads that the server accepted it too.

    After each call the caller sends what `drain` returns. A PeerFault from `feed` ends the channel.
    """

    def __init__(self, ssl_context: SSL.Context, *, server: bool) -> None:
        self.peer_key: bytes | None = None
        self.exporter: bytes | None = None
        self.ended = False
        """The peer has closed its side in the orderly way."""
        self._handshake_bytes = 0
        self._connection = SSL.Connection(ssl_context, None)
        if server:
            self._connection.set_accept_state()
        else:
            self._connection.set_connect_state()
            self._shake_hands()

    def feed(self, data: bytes) -> bytes:
        """Take bytes from the wire, return the plaintext that they complete. PeerFault: `tls`, `tls-identity`."""
        if self.exporter is None:
            self._handshake_bytes += len(data)
            if self._handshake_bytes > MAX_HANDSHAKE_BYTES + READ_BYTES:
                raise PeerFault("tls", "the handshake is too long")
        if data:
            self._connection.bio_write(data)
        if self.exporter is None:
            self._shake_hands()
        return b"" if self.exporter is None else self._read()

    def write(self, plaintext: bytes) -> None:
        """Encrypt; only after the handshake."""
        try:
            self._connection.sendall(plaintext)
        except SSL.Error as error:
            raise PeerFault("tls", _reason(error)) from None

    def close(self) -> None:
        """Say that nothing more comes from this side."""
        try:
            self._connection.shutdown()
        except SSL.Error:
            return  # a connection that failed, or never was, has nobody to tell

    def drain(self) -> bytes:
        """The bytes that are due on the wire."""
        parts: list[bytes] = []
        while not parts or len(parts[-1]) == READ_BYTES:
            try:
                parts.append(self._connection.bio_read(READ_BYTES))
            except SSL.WantReadError:
                break
        return b"".join(parts)

    def _shake_hands(self) -> None:
        try:
            self._connection.do_handshake()
        except SSL.WantReadError:
            return
        except SSL.Error as error:
            raise PeerFault("tls", _reason(error)) from None
        try:
            presented = self._connection.get_peer_certificate(as_cryptography=True)
            public = presented.public_key() if presented else None
        except (ValueError, UnsupportedAlgorithm):
            public = None
        if not isinstance(public, Ed25519PublicKey):
            raise PeerFault("tls-identity", "the certificate holds no Ed25519 key")
        self.peer_key = public.public_bytes_raw()
        self.exporter = self._connection.export_keying_material(EXPORTER_LABEL, EXPORTER_BYTES, b"")

    def _read(self) -> bytes:
        parts = []
        while True:
            try:
                parts.append(self._connection.recv(READ_BYTES))
            except SSL.WantReadError:
                break
            except SSL.ZeroReturnError:
                self.ended = True
                break
            except SSL.Error as error:
                raise PeerFault("tls", _reason(error)) from None
        return b"".join(parts)


def _reason(error: SSL.Error) -> str:
    """OpenSSL's own words for the first of its errors."""
    try:
        return str(error.args[0][0][2]) or "tls"
    except (IndexError, TypeError):
        return "the connection broke"
