"""Stores tokens encrypted in the assistant's store: the file alone is of no use to a thief."""

from __future__ import annotations

import json
import os
import secrets
from functools import partial
from typing import TYPE_CHECKING, Any

import keyring
from anyio import to_thread
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt
from keyring.errors import KeyringError
from sqlalchemy import LargeBinary, Text, delete, select
from sqlalchemy.orm import Mapped, mapped_column

from wellread.assistant.database import Base, Private
from wellread.errors import Auth, ConfigError, reason_line

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from sqlalchemy.orm import Session

    from wellread.assistant.database import UserStore
    from wellread.ports import Clock
    from wellread.values import Secret

FILE = "tokens.key"
NONCE_BYTES = 12
"""NIST SP 800-38D section 8.2: 96 random bits for each message."""
MIN_CHARS = 20
_SERVICE, _USER = "wellread", "tokens"


class SealedRow(Private, Base):
    """One secret, encrypted."""

    __tablename__ = "sealed"

    user_id: Mapped[str] = mapped_column(Text, primary_key=True)
    name: Mapped[str] = mapped_column(Text, primary_key=True)
    sealed: Mapped[bytes] = mapped_column(LargeBinary)
    at_ms: Mapped[int]


class TokenVault:
    """The secrets of one user, by name."""

    def __init__(self, store: UserStore, find_key: Callable[[], bytes], clock: Clock) -> None:
        """Take the store, and the function that returns the key on first use."""
        self._store = store
        self._find_key = find_key
        self._clock = clock
        self._cipher: AESGCM | None = None

    async def put(self, name: str, value: dict[str, Any]) -> None:  # Any: a JSON object
        """Store `value` under `name`, in place of an earlier one."""
        nonce = secrets.token_bytes(NONCE_BYTES)
        sealed = nonce + (await self._opened()).encrypt(nonce, json.dumps(value).encode(), name.encode())
        row = SealedRow(name=name, sealed=sealed, at_ms=self._clock.now_ms())
        await self._store.run(lambda session: _merge(session, row))

    async def get(self, name: str) -> dict[str, Any] | None:  # Any: a JSON object
        """Return the value stored under `name`.

        Raises:
            Auth: it was encrypted with another key.
        """
        sealed = await self._store.run(lambda session: _sealed(session, name))
        if sealed is None:
            return None
        try:
            plain = (await self._opened()).decrypt(sealed[:NONCE_BYTES], sealed[NONCE_BYTES:], name.encode())
        except InvalidTag as error:
            raise Auth(
                f"the tokens of {name} were encrypted with another key",
                hint="set integrations.token_key to its old value, or connect again with `wellread connect`",
            ) from error
        value: dict[str, Any] = json.loads(plain)  # Any: as above
        return value

    async def drop(self, name: str) -> bool:
        """Delete the value under `name`; return whether this call deleted it: of two calls, only one does."""
        return await self._store.run(lambda session: _drop(session, name))

    async def _opened(self) -> AESGCM:
        if self._cipher is None:
            self._cipher = AESGCM(await to_thread.run_sync(self._find_key))
        return self._cipher


def _merge(session: Session, row: SealedRow) -> None:
    _drop(session, row.name)
    session.add(row)


def _sealed(session: Session, name: str) -> bytes | None:
    # A person with several accounts may have connected each of them: the last time counts.
    newest = select(SealedRow.sealed).where(SealedRow.name == name).order_by(SealedRow.at_ms.desc())
    return session.scalars(newest.limit(1)).first()


def _drop(session: Session, name: str) -> bool:
    return bool(session.execute(delete(SealedRow).where(SealedRow.name == name).returning(SealedRow.name)).all())


def vault_key(token_key: Secret | None, folder: Path) -> bytes:
    """Return 32 bytes: of the setting, of the key file if there is one, of the keyring, or of a new key file.

    Raises:
        ConfigError: the setting is too short, or no file can be written.
    """
    if token_key is not None:
        return _stretched(token_key.reveal())
    file = folder / FILE
    try:
        if not file.exists():
            if keyring_key := _ringed():
                return keyring_key
            _write(file)
        return _decoded(file.read_text(encoding="ascii"), str(file))
    except OSError as error:
        raise ConfigError(
            f"cannot write a key to {file}: {reason_line(error)}", hint="set integrations.token_key"
        ) from error


def _stretched(words: str) -> bytes:
    if len(words) < MIN_CHARS:
        raise ConfigError(
            f"integrations.token_key has fewer than {MIN_CHARS} characters",
            hint="python3 -c 'import secrets; print(secrets.token_urlsafe(32))' prints a new key",
        )
    # One user's key for one store: the salt only keeps this use of the words apart from others.
    return Scrypt(salt=b"wellread tokens", length=32, n=2**14, r=8, p=1).derive(words.encode())


def _ringed() -> bytes | None:
    """Return the key of the system's keyring, made on first use; None where no keyring works."""
    try:
        encoded = keyring.get_password(_SERVICE, _USER)
        if encoded is None:
            encoded = secrets.token_hex(32)
            keyring.set_password(_SERVICE, _USER, encoded)
    except KeyringError:  # none here, or locked: the file does it
        return None
    return _decoded(encoded, "the keyring")


def _decoded(text: str, place: str) -> bytes:
    try:
        key_bytes = bytes.fromhex(text.strip())
    except ValueError:
        key_bytes = b""
    if len(key_bytes) != 32:
        raise ConfigError(f"{place} has no valid key", hint="restore the key, or delete it and connect again")
    return key_bytes


def _write(file: Path) -> None:
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = file.with_name(f"{FILE}.{secrets.token_hex(8)}")
    with open(draft, "x", encoding="ascii", opener=partial(os.open, mode=0o600)) as out:
        out.write(secrets.token_hex(32))
    try:
        os.link(draft, file)  # of two that make one at once, the second finds the first one's, whole
    except FileExistsError:
        return
    finally:
        draft.unlink()
