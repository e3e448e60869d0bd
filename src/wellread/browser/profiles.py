"""Cookies and local storage by name, kept between jobs where a caller asks for it: one private file each."""

from __future__ import annotations

import json
import os
import re
import secrets
from typing import TYPE_CHECKING, Any

from wellread.errors import InvalidInput

if TYPE_CHECKING:
    from pathlib import Path

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")


def place(folder: Path, name: str) -> Path:
    """Return the file of the profile `name`.

    Raises:
        InvalidInput: the name could mean another file.
    """
    if not _NAME.fullmatch(name):
        hint = "letters, digits, - and _, 64 at most"
        raise InvalidInput(f"{name[:80]!r} cannot be the name of a profile", hint=hint)
    return folder / f"{name}.json"


def load(path: Path) -> dict[str, Any] | None:  # Any: the driver's own shape
    """Return what is kept, or None where nothing is.

    Raises:
        InvalidInput: the file cannot be read.
    """
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise InvalidInput(f"the profile {path} cannot be read: {error}", hint="remove the file") from error
    if not isinstance(told, dict):
        raise InvalidInput(f"the profile {path} is damaged", hint="remove the file")
    return told


def save(path: Path, state: object) -> None:
    """Keep `state` in one step, readable by its owner alone: cookies are keys.

    Raises:
        InvalidInput: the file cannot be written.
    """
    part = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
            json.dump(state, file)
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise InvalidInput(f"the profile {path} cannot be written: {error}") from error
