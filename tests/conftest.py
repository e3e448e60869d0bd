"""What every test shares: the event loop, and a watch that lets no connection leave loopback."""

from __future__ import annotations

import sys

import pytest

LOOPBACK = ("127.", "::1", "localhost")


def _watch(event: str, args: tuple[object, ...]) -> None:
    if event == "socket.connect" and isinstance(args[1], tuple) and not str(args[1][0]).startswith(LOOPBACK):
        raise AssertionError(f"a test tried to reach {args[1]!r}; only loopback is allowed")


sys.addaudithook(_watch)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"
