"""Replicas as processes of `wellread serve`, for tests and benchmarks."""

from __future__ import annotations

import subprocess
import sys
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING

import anyio
import httpx2

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from anyio.abc import Process

PAGE = "<title>Tides</title><p>" + "The tide comes in twice a day, and goes out again, as the moon has it. " * 8


@asynccontextmanager
async def serving_replica(options: list[str], key: str) -> AsyncIterator[tuple[Process, httpx2.AsyncClient]]:
    command = [sys.executable, "-m", "wellread", *options, "serve", "--port", "0"]
    async with await anyio.open_process(command, stdout=None, stderr=subprocess.PIPE) as process:
        try:
            assert process.stderr is not None
            root = (await process.stderr.receive()).decode().removeprefix("listening on ").split()[0]
            headers = {"authorization": f"Bearer {key}"}
            async with httpx2.AsyncClient(base_url=root, headers=headers, timeout=60) as client:
                yield process, client
        finally:
            with suppress(ProcessLookupError):
                process.kill()
