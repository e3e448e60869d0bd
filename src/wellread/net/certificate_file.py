"""Tells whether a file of certificates can be right, without loading TLS."""

from __future__ import annotations

from base64 import b64decode
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

_DER_BEGIN: Final = b"\x30\x82"
"""A sequence whose length has two bytes, as every certificate is (X.690)."""


def has_certificates(path: Path) -> bool:
    """Return whether a file has certificates, and each is DER in base64 (RFC 7468, section 5).

    SSL_CERT_FILE is set on many machines, and to load all of its certificates takes 30 ms.
    """
    try:
        blocks = path.read_bytes().split(b"-----BEGIN CERTIFICATE-----")[1:]
        bodies = [b64decode(block.partition(b"-----END CERTIFICATE-----")[0]) for block in blocks]
    except (OSError, ValueError):
        return False
    return bool(bodies) and all(
        der[:2] == _DER_BEGIN and int.from_bytes(der[2:4], "big") == len(der) - 4 for der in bodies
    )
