"""The sandbox of a command: by bubblewrap where it works, else by Landlock and seccomp, or none.

A wall is a way to write a command line; the limits are set by `confine`, the program that every command line begins
with. Whether a wall holds on this machine is found out by trying it.
"""

from __future__ import annotations

import json
import shutil
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from wellread.worker.program_runner import ProgramResult, run_program

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_CONFINE = Path(__file__).with_name("confine.py")
_SHELL = "/bin/sh"
_PATH = "/usr/local/bin:/usr/bin:/bin"
_SYSTEM = ("/usr", "/bin", "/lib", "/lib32", "/lib64", "/sbin", "/etc/alternatives", "/etc/ld.so.cache")
"""What a command may read and run, besides its folder."""
INSIDE = "/workspace"
_TMP_BYTES = 64 << 20
PROBE_S = 10.0
_LATER_S = 2
"""The clock ends what takes too long and says so; after that the bound on time at work ends what got away from it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SandboxLimits:
    """The limits of one command."""

    seconds: float = 30.0
    memory: int = 1_000_000_000
    """Bytes of address space of each process."""
    file_bytes: int = 100_000_000
    """Size of the largest file that it may write."""
    processes: int = 64
    """At a time, more than the user has already; root is not bound by it."""
    output_bytes: int = 100_000


class Sandbox:
    """One sandbox around one folder."""

    def __init__(self, name: str, folder: Path, limits: SandboxLimits) -> None:
        """Take the folder, which must exist."""
        self.name = name
        self._folder = folder.resolve()
        self._limits = limits

    async def run(self, command: str) -> ProgramResult:
        """Run a command line of the shell; its failure never raises."""
        words = self.words(command)
        return await run_program(words, self._limits.seconds, self._limits.output_bytes, folder=self._folder)

    def words(self, command: str) -> list[str]:
        """Return the command line that runs `command` in the sandbox."""
        walled = self.name == "landlock"
        orders = {
            **asdict(self._limits),
            "seconds": round(self._limits.seconds) + _LATER_S,
            "landlock": [str(self._folder), *_SYSTEM] if walled else None,
        }
        inner = [_SHELL, "-c", command]
        words = inner if walled else [*_bubblewrap(self._folder), *inner]
        return [sys.executable, "-I", "-S", str(_CONFINE), json.dumps(orders), *words]


async def find_sandbox(
    folder: Path, limits: SandboxLimits, *, kinds: Sequence[str] = ("bubblewrap", "landlock")
) -> Sandbox | None:
    """Return the first of `kinds` that works on this machine, or None where none does."""
    for kind in kinds:
        if kind == "bubblewrap" and shutil.which("bwrap", path=_PATH) is None:
            continue
        tried = Sandbox(kind, folder, SandboxLimits(seconds=PROBE_S, memory=limits.memory))
        if (await tried.run("exit 42")).status == 42:
            return Sandbox(kind, folder, limits)
    return None


def _bubblewrap(folder: Path) -> Iterator[str]:
    yield shutil.which("bwrap", path=_PATH) or "bwrap"
    yield from ("--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL", "--clearenv")
    for name, value in {"PATH": _PATH, "HOME": INSIDE, "LANG": "C.UTF-8", "TMPDIR": "/tmp"}.items():  # noqa: S108 - the sandbox's own
        yield from ("--setenv", name, value)
    for place in map(Path, _SYSTEM):
        if place.is_symlink():
            yield from ("--symlink", str(place.readlink()), str(place))
        elif place.exists():
            yield from ("--ro-bind", str(place), str(place))
    yield from ("--proc", "/proc", "--dev", "/dev", "--size", str(_TMP_BYTES), "--tmpfs", "/tmp")  # noqa: S108 - same
    yield from ("--bind", str(folder), INSIDE, "--remount-ro", "/", "--chdir", INSIDE, "--")
