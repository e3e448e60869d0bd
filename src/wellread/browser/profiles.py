"""Profiles: the named storage states that browser sessions keep between runs; a private file each.

Several sessions, also of several processes, may use one profile: the file is read, changed and written under a lock of
its folder, and replaced in one step.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import secrets
import sys
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from wellread.browser.storage_state import StorageState, validated
from wellread.errors import InvalidInput, reason_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
MAX_BYTES = 200_000_000
"""Most bytes of a profile that is read: the driver takes a state as one message."""
_ANEW = "delete the profile, and sign in again: wellread profile delete NAME, wellread login URL --profile NAME"


@dataclass(frozen=True, slots=True)
class Profile:
    """A profile as it is stored."""

    state: StorageState
    id: str
    """It stays while cookies change with visits, and is a new one after each sign-in and import."""


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Hold the lock of `folder`, where the system has locks; the lock ends with the process that holds it."""
    if sys.platform == "win32":
        yield
        return
    import fcntl

    descriptor = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):  # a filesystem without locks
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def try_turn(folder: Path, name: str, domain: str) -> ExitStack | None:
    """Lock the reads of `domain` with the profile `name` among processes; None while another holds the lock.

    The lock ends when it is closed, or with the process. Where the system or the filesystem has no locks, nothing is
    locked.
    """
    lock = ExitStack()
    if sys.platform == "win32":
        return lock
    import fcntl

    key = hashlib.sha256(f"{name} {domain}".encode()).hexdigest()[:16]
    try:
        file = lock.enter_context((folder / f".turn-{key}").open("ab"))
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.close()
        return None
    except OSError:  # a folder that cannot be written, or a filesystem without locks
        pass
    return lock


def profile_path(folder: Path, name: str) -> Path:
    """Return the file of the profile `name`.

    Raises:
        InvalidInput: the name could mean another file.
    """
    if not _NAME.fullmatch(name):
        hint = "use at most 64 letters, digits, - and _"
        raise InvalidInput(f"{name[:80]!r} cannot be the name of a profile", hint=hint)
    return folder / f"{name}.json"


def names(folder: Path) -> tuple[str, ...]:
    """Return the profiles in `folder`, sorted."""
    with suppress(FileNotFoundError):
        return tuple(
            sorted(path.stem for path in folder.iterdir() if path.suffix == ".json" and _NAME.fullmatch(path.stem))
        )
    return ()


def load(path: Path) -> StorageState | None:
    """Return the state in a profile, or None where there is none.

    Raises:
        InvalidInput: the file cannot be read.
    """
    profile = load_profile(path)
    if profile is None:
        return None
    return profile.state


def load_profile(path: Path) -> Profile | None:
    """Return a profile, or None where there is none; a file without an id has the hash of its content.

    Raises:
        InvalidInput: the file cannot be read.
    """
    try:
        if path.stat().st_size > MAX_BYTES:
            raise InvalidInput(f"{path} is larger than {MAX_BYTES:,} bytes", hint=_ANEW)
        content = path.read_bytes()
        fields = json.loads(content.decode("utf-8"))
        profile_id = hashlib.sha256(content).hexdigest()
        state = validated(fields)
        if isinstance(fields.get("id"), str):
            profile_id = fields["id"]
        return Profile(state, profile_id)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise InvalidInput(f"{path} cannot be read: {reason_line(error)}") from error
    except (ValueError, RecursionError) as error:
        # The text of a JSON error has a position, never a piece of the file.
        raise InvalidInput(f"{path} is not a storage state: {error}", hint=_ANEW) from error


def update(
    path: Path,
    change: Callable[[StorageState], StorageState],
    *,
    is_sign_in: bool = False,
    profile_id: str | None = None,
) -> StorageState:
    """Replace the state of a profile by `change` of it, an empty one where there is none; return the new state.

    A sign-in may be that of another person, so it gives the profile a new id. With `profile_id`, a profile that has
    another id by now stays as it is. The file is readable by its owner alone, because cookies are keys.

    Raises:
        InvalidInput: the file cannot be read or written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with _locked(path.parent):
            stored = load_profile(path) or Profile({}, "")
            if profile_id not in {None, stored.id}:
                return stored.state
            state = change(stored.state)
            new_id = stored.id
            if is_sign_in or not new_id:
                new_id = secrets.token_hex(16)
            if Profile(state, new_id) != stored:
                write(path, state | {"id": new_id})
    except OSError as error:
        raise InvalidInput(f"{path} cannot be written: {reason_line(error)}") from error
    return state


def write(path: Path, state: StorageState) -> None:
    """Write `state` into a private file in one step.

    Raises:
        OSError: the file cannot be written.
    """
    part = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
            json.dump(state, file)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def renew_id(path: Path) -> None:
    """Give a profile a new id, if there is one, because another person may have signed in.

    Raises:
        InvalidInput: the file cannot be read or written.
    """
    if path.exists():
        update(path, lambda state: state, is_sign_in=True)


def delete(folder: Path, name: str) -> bool:
    """Delete a profile; False where there is none.

    Raises:
        InvalidInput: the name is none, or the file cannot be removed.
    """
    path = profile_path(folder, name)
    try:
        path.unlink()
    except FileNotFoundError:
        return False
    except OSError as error:
        raise InvalidInput(f"{path} cannot be removed: {reason_line(error)}") from error
    return True
