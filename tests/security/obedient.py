"""What a child process serves in the tests: it does what a hostile document would make its parser do."""

from __future__ import annotations

import ctypes
import os
import sys


def obey(task: bytes) -> bytes:
    """Do what the task says."""
    match task.partition(b" ")[0]:
        case b"spin":
            return bytes(sum(range(10**12)))
        case b"grow":
            return bytes(10**12)
        case b"crash":
            return ctypes.string_at(0)
        case b"raise":
            raise KeyError("what nobody expected")
        case b"flood":
            return bytes(1 << 27)
        case b"print":
            sys.stdout.write("noise" * 1_000)
            os.write(1, b"more noise")
        case b"pid":
            return str(os.getpid()).encode()
    return task
