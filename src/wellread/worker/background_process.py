"""Start a Python module as a process that outlives this one."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def start_background_process(module: str, message: bytes, *, extra: Sequence[str] = ()) -> bytes:
    """Run `module` in a session of its own with `message` as its input; return the first line of its output.

    The line is empty if the module ended without one. Secrets belong in `message`: others can see arguments.
    """
    process = subprocess.Popen(  # noqa: S603 - this interpreter, with our own module
        [sys.executable, "-m", module, *extra],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    with process.stdin, process.stdout:
        process.stdin.write(message)
        process.stdin.close()
        line = process.stdout.readline()
    process.returncode = 0  # it goes on alone: nothing waits for it, and nothing warns of it
    return line
