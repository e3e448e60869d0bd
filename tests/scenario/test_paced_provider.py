"""Ten callers at once share the pace of a service that takes one request in a second, and refuses the second."""

from __future__ import annotations

import json
import time
from collections import Counter
from typing import TYPE_CHECKING

import anyio
import pytest

from scenario.loopback import serving, whole
from wellread import Settings, Web
from wellread.config import CacheSettings, NetSettings, SearchSettings
from wellread.values import Address, Secret

if TYPE_CHECKING:
    from pathlib import Path

    from anyio.abc import SocketStream

FOUND = {"type": "search", "web": {"results": [{"url": "http://a.example/", "title": "A", "description": "a"}]}}
REFUSED = {"type": "ErrorResponse", "error": {"code": "RATE_LIMITED", "detail": "Too many requests", "status": 429}}
OK = whole(json.dumps(FOUND).encode(), Content_Type="application/json")
TOO_MANY = whole(json.dumps(REFUSED).encode(), "429 Too Many Requests", Content_Type="application/json")


class Strict:
    """Answers as Brave does on its plan of one request in a second.

    It counts from the first one: a request that a busy machine holds up on its way does not make the next one early.
    """

    def __init__(self) -> None:
        self.first = float("inf")
        self.log: list[int] = []

    async def __call__(self, stream: SocketStream, _: bytes) -> None:
        now = time.monotonic()
        self.first = min(self.first, now)
        early = now < self.first + len(self.log)
        self.log.append(429 if early else 200)
        await stream.send(TOO_MANY if early else OK)


@pytest.mark.parametrize(("patience_s", "least"), [(4.0, 2), pytest.param(14.0, 10, marks=pytest.mark.slow)])
async def test_ten_callers_of_a_service_of_one_request_per_second(
    tmp_path: Path, patience_s: float, least: int
) -> None:
    ends: Counter[str] = Counter()
    async with serving() as server:
        strict = server.anything = Strict()
        settings = Settings(
            net=NetSettings(allow_hosts=(f"127.0.0.1:{server.port}",)),
            cache=CacheSettings(dir=tmp_path),
            search=SearchSettings(
                providers=("brave",),
                keys={"brave": Secret("k")},
                urls={"brave": Address(server.url(""))},
                timeout_s=patience_s,
                provider_timeout_s=patience_s,
            ),
        )

        async def caller(web: Web, number: int) -> None:
            found = await web.search(f"question {number}")
            ends[found.outcomes[0].code] += 1

        with anyio.fail_after(60):
            async with Web(settings) as web, anyio.create_task_group() as tasks:
                for number in range(10):
                    tasks.start_soon(caller, web, number)
    assert 429 not in strict.log
    # Those for whom the pace leaves no time are told so at once, with the time to come back; only to the last whose
    # turn still comes it may leave too little for the answer.
    assert ends["ok"] >= least
    assert ends["timeout"] <= 1
    assert ends["ok"] + ends["rate_limited"] + ends["timeout"] == 10
