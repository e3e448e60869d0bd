"""Requests between processes of one user over a Unix socket: one line of JSON each way, then the connection ends.

The folder of the sockets is private (0700), and both ends check the user of the other (SO_PEERCRED, where the system
has it), so that a socket put there by somebody else is neither asked nor answered.
"""

from __future__ import annotations

import asyncio
import errno
import json
import os
import socket
import stat
import struct
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from wellread.errors import BrowserFailed, ConfigError, Gone, InvalidInput, Timeout, reason_line

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator
    from pathlib import Path

    Message = dict[str, Any]  # Any: JSON
    Answer = Callable[[Message], Awaitable[Message]]

MAX_REQUEST_BYTES = 1_000_000
_MAX_PATH_BYTES = 100
"""Less than the 104 (macOS) and 108 bytes (Linux) of `sun_path`."""
_CREDENTIALS = struct.Struct("3i")
_CONNECT_S = 5.0
_LAST_REPLIES_S = 5.0
_CHUNK_BYTES = 1 << 16


def is_supported() -> bool:
    """Return whether the system has Unix sockets."""
    return hasattr(socket, "AF_UNIX") and hasattr(os, "geteuid")


def private_folder(folder: Path) -> Path:
    """Return `folder`, made where it is missing.

    Raises:
        ConfigError: another user owns it or may enter it, or it cannot be made.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        status = folder.lstat()
    except OSError as error:
        raise ConfigError(f"{folder} cannot be made: {reason_line(error)}", hint="set cache.dir") from error
    if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.geteuid():
        raise ConfigError(f"{folder} is not a folder of this user", hint="remove it, or set cache.dir")
    if stat.S_IMODE(status.st_mode) & 0o077:
        raise ConfigError(f"other users may enter {folder}", hint=f"run `chmod 700 {folder}`")
    return folder


# ----------------------------------------------------------------------------------------------------- the server


@dataclass(frozen=True, slots=True)
class LocalListener:
    """A socket that listens at a path."""

    socket: socket.socket
    path: Path
    inode: int
    """Of the path, which another process may have taken over since."""

    def release(self) -> None:
        """Free the path for another process; requests that were made before are still answered."""
        with suppress(OSError):
            if self.path.stat().st_ino == self.inode:
                self.path.unlink()


@contextmanager
def listening(path: Path) -> Iterator[LocalListener]:
    """Listen at `path` while the block lasts.

    Raises:
        InvalidInput: another process listens there.
        ConfigError: the path is too long for a socket, or cannot be made.
    """
    with listener_at(path) as listener:
        bound = LocalListener(listener, path, path.stat().st_ino)
        try:
            yield bound
        finally:
            bound.release()


def listener_at(path: Path) -> socket.socket:
    """Return a socket that listens at `path`, which is left when the socket is closed.

    Raises:
        InvalidInput: another process listens there.
        ConfigError: the path is too long for a socket, or cannot be made.
    """
    if len(os.fsencode(path)) > _MAX_PATH_BYTES:
        raise ConfigError(f"{path} is too long for a socket", hint="set cache.dir to a shorter path")
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        _bind(listener, path)
        path.chmod(0o600)
        listener.listen()
    except OSError as error:
        listener.close()
        if error.errno == errno.EADDRINUSE:
            raise InvalidInput(f"another process listens at {path}") from error
        raise ConfigError(f"{path} cannot be made: {reason_line(error)}", hint="set cache.dir") from error
    return listener


def _bind(listener: socket.socket, path: Path) -> None:
    try:
        listener.bind(str(path))
    except OSError as error:
        if error.errno != errno.EADDRINUSE or is_alive(path):
            raise
        path.unlink(missing_ok=True)
        listener.bind(str(path))


@asynccontextmanager
async def answering(listener: LocalListener, answer: Answer) -> AsyncGenerator[None, None]:
    """Answer requests of this user at `listener` while the block lasts; replies that are under way are sent."""
    connections: set[asyncio.Task[None]] = set()

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        connections.add(task)
        with suppress(OSError, ValueError):  # the other end is gone, or does not keep to the protocol
            if _peer_user(writer.get_extra_info("socket")) == os.geteuid():
                reply = await answer(json.loads(await reader.readline()))
                writer.write(_line(reply))
                await writer.drain()
        writer.close()
        connections.discard(task)

    server = await asyncio.start_unix_server(connected, sock=listener.socket, limit=MAX_REQUEST_BYTES)
    try:
        yield
    finally:
        server.close()
        if connections:
            await asyncio.wait(connections, timeout=_LAST_REPLIES_S)


# ----------------------------------------------------------------------------------------------------- the client


def is_alive(path: Path) -> bool:
    """Return whether a process listens at `path`."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as client:
        client.settimeout(_CONNECT_S)
        try:
            client.connect(str(path))
        except TimeoutError:
            return True
        except OSError:
            return False
    return True


def ask(path: Path, request: Message, *, timeout_s: float, removes_stale: bool = True) -> Message:
    """Send a request to the process that listens at `path`, and return its reply.

    Without `removes_stale`, a path stays at which a process that is starting does not listen yet.

    Raises:
        Gone: no process of this user listens there; a stale socket is removed.
        Timeout: there was no reply in time.
        BrowserFailed: the process ended without a reply.
    """
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as client:
        _connect(client, path, removes_stale=removes_stale)
        client.settimeout(timeout_s)
        reply = b""
        try:
            client.sendall(_line(request))
            while piece := client.recv(_CHUNK_BYTES):
                reply += piece
        except TimeoutError as error:
            raise Timeout(f"there was no reply within {timeout_s:g} s", hint="") from error
        except OSError as error:
            raise BrowserFailed(f"the process of the session ended: {reason_line(error)}") from error
    if not reply.endswith(b"\n"):
        raise BrowserFailed("the process of the session ended before the step did")
    message: Message = json.loads(reply)
    return message


def process_id(path: Path) -> int:
    """Return the id of the process that listens at `path`; 0 where there is none, or the system does not tell.

    Raises:
        Gone: no process of this user listens there.
    """
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as client:
        _connect(client, path)
        return _credentials(client)[0]


def _connect(client: socket.socket, path: Path, *, removes_stale: bool = True) -> None:
    client.settimeout(_CONNECT_S)
    try:
        client.connect(str(path))
    except TimeoutError as error:
        raise Timeout(f"{path.stem} does not react", hint="") from error
    except OSError as error:
        if removes_stale and error.errno == errno.ECONNREFUSED:
            with suppress(OSError):
                path.unlink()
        raise Gone(f"nothing listens at {path}") from error
    if _peer_user(client) != os.geteuid():
        raise Gone(f"another user listens at {path}")


def _credentials(connection: socket.socket) -> tuple[int, int]:
    """Return the process and the user at the other end; on systems without SO_PEERCRED, 0 and this user."""
    option: int | None = getattr(socket, "SO_PEERCRED", None)
    if option is None:  # macOS: the private folder alone keeps others away
        return 0, os.geteuid()
    process, user, _ = _CREDENTIALS.unpack(connection.getsockopt(socket.SOL_SOCKET, option, _CREDENTIALS.size))
    return process, user


def _peer_user(connection: socket.socket) -> int:
    return _credentials(connection)[1]


def _line(message: Message) -> bytes:
    return json.dumps(message).encode() + b"\n"
