"""A strict fake of Google Cloud Storage on loopback, from the reference of its XML API, which obstore speaks.

https://docs.cloud.google.com/storage/docs/xml-api/reference-methods; lists, ranges and uploads in parts are those of
S3. Requests carry a JWT that the service account signed itself (RFC 7519, and "Service account authorization without
OAuth" of Google).
"""

from __future__ import annotations

import json
import re
from base64 import urlsafe_b64decode
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.hazmat.primitives.hashes import SHA256

from object_server import ObjectServer, failure

if TYPE_CHECKING:
    from sites import Answer, Asked

EMAIL, KEY_ID = "reader@tides.iam.gserviceaccount.example", "half-past-nine"
_TOKEN = re.compile(r"Bearer ([\w-]+)\.([\w-]+)\.([\w-]+)")


@cache
def _private_key() -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


def service_account() -> str:
    """Return the JSON of a key that the server knows."""
    pem = _private_key().private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    account = {"type": "service_account", "project_id": "tides", "client_email": EMAIL, "private_key_id": KEY_ID}
    return json.dumps({**account, "private_key": pem.decode()})


@dataclass
class GoogleServer(ObjectServer):
    """Answers requests for the objects of one server, by `bucket/key`."""

    public: frozenset[str] = field(default_factory=frozenset)
    """Buckets that are read without a key."""

    def refusal(self, asked: Asked) -> Answer | None:
        bucket = unquote(urlsplit(asked.path).path[1:]).partition("/")[0]
        authorization = asked.headers.get("Authorization")
        if authorization is None:
            is_read = asked.method in {"GET", "HEAD"} and bucket in self.public
            return None if is_read else failure(401, "AuthenticationRequired")
        return None if _is_signed(authorization) else failure(401, "InvalidSecurity")


def _is_signed(authorization: str) -> bool:
    match = _TOKEN.fullmatch(authorization)
    if match is None:
        return False
    head, claims = (json.loads(_decoded(part)) for part in match.groups()[:2])
    signed = f"{match[1]}.{match[2]}".encode()
    try:
        _private_key().public_key().verify(_decoded(match[3]), signed, padding.PKCS1v15(), SHA256())
    except InvalidSignature:
        return False
    is_short = 0 < claims["exp"] - claims["iat"] <= 3_600
    return (head["alg"], head["kid"], claims["iss"], claims["sub"], is_short) == ("RS256", KEY_ID, EMAIL, EMAIL, True)


def _decoded(part: str) -> bytes:
    return urlsafe_b64decode(part + "=" * (-len(part) % 4))
