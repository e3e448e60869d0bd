"""A worker process of a batch that sends the frames of a script, as one would that a page has taken over."""

from __future__ import annotations

import json
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wellread.worker.child import Steps


def answer(task: bytes) -> Steps:
    """Send the frames that the option `member` has as JSON: kinds and contents."""
    script = json.loads(json.loads(task.partition(b"\n")[0])["options"]["member"])
    for kind, content in script:
        yield kind.encode(), content.encode()


def stuck(_task: bytes) -> Steps:
    """Read one page at once, and never end the next."""
    yield b"B", b"1"
    yield b"A", b"the row"
    yield b"B", b"2"
    threading.Event().wait()
