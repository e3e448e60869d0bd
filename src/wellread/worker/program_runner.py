"""Run one program to its end or its deadline, keep the beginning of its output, and leave no process behind."""

from __future__ import annotations

import os
import signal
from dataclasses import dataclass
from subprocess import DEVNULL, PIPE, STDOUT
from typing import TYPE_CHECKING

import anyio

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from anyio.abc import Process

GRACE_S = 5.0
"""After the kill, for the pipe to close."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramResult:
    """The output of a program and how it ended."""

    status: int | None
    """Its exit status; negative for a signal, None where its time ran out."""
    output: str
    """Both output streams, interleaved as they came."""
    cut: bool = False
    """The program wrote more than the limit, and was ended for it."""


async def run_program(words: Sequence[str], seconds: float, output_bytes: int, *, folder: Path) -> ProgramResult:
    """Run a program in a session of its own, with no input and no environment but a locale and a path."""
    environment = {"PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": str(folder)}
    process = await anyio.open_process(
        list(words), stdin=DEVNULL, stdout=PIPE, stderr=STDOUT, cwd=folder, env=environment, start_new_session=True
    )
    output = bytearray()
    cut = False
    try:
        with anyio.move_on_after(seconds) as scope:
            cut = await _read(process, output, output_bytes)
            if not cut:
                await process.wait()
    finally:
        with anyio.CancelScope(shield=True):
            await _end(process)
    status = None if scope.cancelled_caught else process.returncode
    return ProgramResult(status=status, output=bytes(output).decode("utf-8", "replace"), cut=cut)


async def _read(process: Process, output: bytearray, max_bytes: int) -> bool:
    """Append to `output`, which stays also when the deadline cancels; return whether `max_bytes` were reached."""
    assert process.stdout is not None
    async for piece in process.stdout:
        output += piece[: max_bytes - len(output)]
        if len(output) >= max_bytes:
            return True
    return False


async def _end(process: Process) -> None:
    """Kill the whole session: background processes would hold the folder, and time."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        if process.returncode is None:
            process.kill()
    with anyio.move_on_after(GRACE_S):
        await process.wait()
    await process.aclose()
