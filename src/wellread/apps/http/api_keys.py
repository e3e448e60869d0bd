"""API keys: created here, shown once, stored only as hashes."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from typing import TYPE_CHECKING

from wellread.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Mapping

_HASH = re.compile(r"sha256:[0-9a-f]{64}")
_NAME = re.compile(r"[A-Za-z0-9_.-]{1,64}")


def new_key(name: str) -> tuple[str, str]:
    """Return a key for the caller `name`, and the hash to keep in `server.keys`.

    The key has 256 random bits, so that a plain SHA-256 hides it (slow hashes are for what people choose).

    Raises:
        ConfigError: the name is not made of letters, digits, `_`, `.` and `-`.
    """
    if not _NAME.fullmatch(name):
        raise ConfigError(
            f"{name!r} is not a valid name for a key", hint="use letters, digits, underscores, dots and dashes"
        )
    key = f"wr_{secrets.token_urlsafe(32)}"
    return key, _hash(key)


def check(keys: Mapping[str, str]) -> None:
    """Refuse keys in the settings that are not hashes.

    Raises:
        ConfigError: a value is not a hash, or a name is not valid.
    """
    for name, hashed in keys.items():
        if not _NAME.fullmatch(name) or not _HASH.fullmatch(hashed):
            raise ConfigError(
                f"server.keys: the value of {name[:64]!r} is not a hash",
                hint="create a key with `wellread serve --new-key NAME`, and store the hash that it prints",
            )


def key_owner(keys: Mapping[str, str], authorization: str | None) -> str | None:
    """Return the name of the key in an Authorization header (RFC 6750), or None; compared in constant time."""
    scheme, _, key = (authorization or "").partition(" ")
    if scheme.lower() != "bearer":
        return None
    hashed = _hash(key.strip())
    owners = [name for name, stored in keys.items() if hmac.compare_digest(stored, hashed)]
    return next(iter(owners), None)


def _hash(key: str) -> str:
    return f"sha256:{hashlib.sha256(key.encode('utf-8', 'surrogatepass')).hexdigest()}"
