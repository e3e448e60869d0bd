"""Recorded sessions of MCP clients, played against the server: what each client shows its model holds the whole page.

`benchmarks/mcp_clients/run.py --record` writes the recordings; the first line names the client, its version and which
parts of a result it shows. No client library is needed to play them.
"""

from __future__ import annotations

import json
import runpy
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio
import pytest
from mcp.shared.memory import create_client_server_memory_streams
from mcp.shared.message import SessionMessage
from mcp.types import jsonrpc_message_adapter

from wellread import Settings, Web
from wellread.apps.mcp import server
from wellread.apps.mcp_clients import SHOWS_BOTH
from wellread.apps.operations.dispatcher import open_dispatcher
from wellread.apps.system_clock import SystemClock
from wellread.config import CacheSettings, SearchSettings

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable

    Answers = list[dict[str, Any]]
    Play = Callable[[Answers], Awaitable[Answers]]

EXCHANGES = sorted((Path(__file__).parent / "mcp_exchanges").glob("*.jsonl"))
PAGE = runpy.run_path(str(Path(__file__).parents[2] / "benchmarks" / "mcp_clients" / "long_page.py"))
LAST: str = PAGE["LAST"]
INFO = "io.modelcontextprotocol/clientInfo"


@pytest.fixture(scope="module")
def warc(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("recording") / "log.warc"
    PAGE["write_warc"](path)
    return path


@asynccontextmanager
async def serving(warc: Path, folder: Path) -> AsyncGenerator[Play, None]:
    """Serve over memory streams, with the default `server.mcp_answers`; yields what plays messages of a client."""
    settings = Settings(cache=CacheSettings(dir=folder), search=SearchSettings(providers=("local",)))
    async with Web(settings, replay=warc) as web:
        desk = open_dispatcher(settings, web, SystemClock())

        async def ready() -> Any:
            return desk

        mcp_server = server(ready, answers=settings.server.mcp_answers)
        async with create_client_server_memory_streams() as (client, (incoming, outgoing)):
            received, sent = client

            async def play(messages: Answers) -> Answers:
                answers = []
                for message in messages:
                    await sent.send(SessionMessage(jsonrpc_message_adapter.validate_python(message)))
                    while "id" in message and "method" in message:
                        item = await received.receive()
                        assert isinstance(item, SessionMessage)
                        answer = item.message.model_dump(mode="json", by_alias=True, exclude_none=True)
                        if answer.get("id") == message["id"]:
                            answers.append(answer)
                            break
                return answers

            async with anyio.create_task_group() as tasks:
                tasks.start_soon(mcp_server.run, incoming, outgoing, mcp_server.create_initialization_options())
                with anyio.fail_after(60):
                    yield play
                tasks.cancel_scope.cancel()


def recorded(path: Path) -> tuple[dict[str, Any], Answers]:
    head, *lines = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return head, [line["message"] for line in lines if line["from"] == "client"]


def client_name(messages: Answers) -> str:
    params = [message.get("params") or {} for message in messages]
    infos = [part.get("clientInfo") or part.get("_meta", {}).get(INFO) for part in params]
    return str(next(info["name"] for info in infos if info))


def visible(result: dict[str, Any], shows: str) -> str:
    """Return what the model sees, by the rule of its client."""
    content = "\n".join(block["text"] for block in result["content"] if block["type"] == "text")
    structured = json.dumps(result["structuredContent"], ensure_ascii=False) if "structuredContent" in result else ""
    return {"content": content, "structuredContent": structured, "both": content + structured}[shows]


@pytest.mark.parametrize("path", EXCHANGES, ids=lambda path: path.stem)
async def test_recorded_client_sees_whole_page(path: Path, warc: Path, tmp_path: Path) -> None:
    head, messages = recorded(path)
    async with serving(warc, tmp_path) as play:
        answers = await play(messages)
    (result,) = [answer["result"] for answer in answers if "content" in answer.get("result", {})]
    shown = visible(result, head["shows"])
    assert LAST in shown
    by_name = client_name(messages)
    assert ("structuredContent" in result) == (by_name not in SHOWS_BOTH)
    if by_name in SHOWS_BOTH:
        assert shown.count(LAST) == 1
    else:
        assert LAST in visible(result, "content")
        assert LAST in visible(result, "structuredContent")


def test_recordings_cover_both_eras() -> None:
    texts = [path.read_text(encoding="utf-8") for path in EXCHANGES]
    assert sum('"method": "initialize"' in text for text in texts) >= 2
    assert sum(INFO in text for text in texts) >= 2
    assert {recorded(path)[0]["shows"] for path in EXCHANGES} >= {"content", "structuredContent"}
