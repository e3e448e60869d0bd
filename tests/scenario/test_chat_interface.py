"""The assistant over HTTP: a turn as server-sent events, consent by a second request, conversations kept apart."""

from __future__ import annotations

import json
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import anyio
import httpx2

from scenario.interfaces import settings
from talking import Deeds
from wellread.apps.build import Web, assistant
from wellread.apps.http.api_keys import new_key
from wellread.apps.http.serve import serve
from wellread.apps.system_clock import SystemClock
from wellread.sections import AssistantSettings
from wellread.testing import Call, ScriptedModel

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from pathlib import Path


@asynccontextmanager
async def interface(
    folder: Path, script: list[Any], deeds: Deeds, *, offered: bool = True, **server: Any
) -> AsyncGenerator[httpx2.AsyncClient, None]:
    given = replace(settings(folder, **server), assistant=AssistantSettings(learn=False))
    models = {"chat": ScriptedModel(script).model()}
    listening: list[str] = []
    ready = anyio.Event()

    def announce(url: str) -> None:
        listening.append(url)
        ready.set()

    async with Web(given) as web, anyio.create_task_group() as tasks:

        async def run() -> None:
            await serve(
                given,
                web,
                SystemClock(),
                announce=announce,
                open_assistant=(lambda: assistant(given, web, models=models, tools=deeds.tools)) if offered else None,
            )

        tasks.start_soon(run)
        with anyio.fail_after(60):
            await ready.wait()
        async with httpx2.AsyncClient(base_url=listening[0], timeout=60) as client:
            yield client
        tasks.cancel_scope.cancel()


async def ask(client: httpx2.AsyncClient, body: object, **headers: str) -> list[tuple[str, Any]]:
    answer = await client.post("/v1/chat", json=body, headers=headers)
    if answer.headers["content-type"].startswith("application/problem"):
        return [("problem", answer.json())]
    blocks = [block for block in answer.text.split("\n\n") if block.startswith("event:")]
    return [(block.split("\n")[0][7:], json.loads(block.split("\n")[1][6:])) for block in blocks]


async def test_a_turn_is_streamed_and_goes_on_in_its_conversation(tmp_path: Path) -> None:
    async with interface(tmp_path, ["The sea is calm.", "It was you."], Deeds()) as client:
        events = await ask(client, {"message": "How is the sea?"})
        names = [name for name, _ in events]
        assert names == ["heard"] * 4 + ["reply"]
        reply = events[-1][1]
        assert (reply["text"], reply["receipts"]) == ("The sea is calm.", [])
        again = await ask(client, {"message": "Who asked?", "conversation": reply["conversation_id"]})
        assert again[-1][1]["text"] == "It was you."


async def test_what_happens_is_told_while_it_happens(tmp_path: Path) -> None:
    seen = anyio.Event()

    async def hold(_given: object) -> None:
        await seen.wait()  # an interface that told everything at the end would never come to it

    deeds = Deeds()
    deeds.hold = hold
    async with interface(tmp_path, [Call("look"), "The sea is calm."], deeds) as client:
        with anyio.fail_after(60):
            async with client.stream("POST", "/v1/chat", json={"message": "How is the sea?"}) as answer:
                names = []
                async for line in answer.aiter_lines():
                    if line.startswith("event: "):
                        names.append(line[7:])
                        if names[-1] == "using":
                            seen.set()
    assert names[:2] == ["using", "used"]
    assert names[-1] == "reply"


async def test_consent_is_given_by_a_request_of_its_own(tmp_path: Path) -> None:
    deeds = Deeds()
    async with interface(tmp_path, [Call("send", {"to": "Ann"}), "It went out."], deeds) as client:
        events = await ask(client, {"message": "Write to Ann"})
        asked = next(data for name, data in events if name == "asked")["approval"]
        assert (asked["preview"], deeds.effects()) == ("send {'to': 'Ann'}", [])
        after = await ask(client, {"approval": asked["id"], "agreed": True})
        assert after[-1][1]["receipts"] == ["send: {'to': 'Ann'}"]
        ((_, problem),) = await ask(client, {"approval": asked["id"], "agreed": True})
        assert problem["code"] == "consent"
    assert deeds.effects() == ["send"]


async def test_what_belongs_to_another_caller_does_not_exist(tmp_path: Path) -> None:
    (ann, ann_hash), (bo, bo_hash) = new_key("ann"), new_key("bo")
    deeds = Deeds()
    script = [Call("send"), "It went out."]
    async with interface(tmp_path, script, deeds, keys={"ann": ann_hash, "bo": bo_hash}) as client:
        events = await ask(client, {"message": "Send it"}, authorization=f"Bearer {ann}")
        reply = events[-1][1]
        for body in (
            {"message": "And?", "conversation": reply["conversation_id"]},
            {"approval": reply["asked"][0]["id"], "agreed": True},
        ):
            ((_, problem),) = await ask(client, body, authorization=f"Bearer {bo}")
            assert (problem["code"], problem["status"]) == ("gone", 404)
        ((_, problem),) = await ask(client, {"message": "Hello"})
        assert problem["code"] == "unauthorized"
    assert deeds.effects() == []


async def test_a_caller_lists_the_conversations_that_are_its_own(tmp_path: Path) -> None:
    (ann, ann_hash), (bo, bo_hash) = new_key("ann"), new_key("bo")
    keys = {"ann": ann_hash, "bo": bo_hash}
    async with interface(tmp_path, ["The sea is calm.", "Brown.", "Still."], Deeds(), keys=keys) as client:
        mine = {"authorization": f"Bearer {ann}"}
        reply = (await ask(client, {"message": "How is the sea?"}, **mine))[-1][1]
        await ask(client, {"message": "What colour is a whelk?"}, authorization=f"Bearer {bo}")
        await ask(client, {"message": "And now?", "conversation": reply["conversation_id"]}, **mine)
        told = await client.get("/v1/chat", headers=mine)
        (listed,) = told.json()["conversations"]
        assert (listed["id"], listed["opening"]) == (reply["conversation_id"], "How is the sea?")
        assert (listed["messages"], listed["topics"]) == (4, [])
        assert listed["begun_ms"] <= listed["last_ms"]
        assert (await client.get("/v1/chat")).status_code == 401


async def test_a_body_that_is_neither_message_nor_word_is_refused(tmp_path: Path) -> None:
    async with interface(tmp_path, [], Deeds()) as client:
        bodies: list[object] = [
            {},
            [],
            {"message": ""},
            {"approval": "x"},
            {"message": "a", "agreed": True},
            {"msg": "a"},
        ]
        for body in bodies:
            ((_, problem),) = await ask(client, body)
            assert (problem["code"], problem["status"]) == ("invalid_input", 400)


async def test_the_assistant_is_not_there_unless_it_is_offered(tmp_path: Path) -> None:
    async with interface(tmp_path, [], Deeds(), offered=False) as client:
        ((_, problem),) = await ask(client, {"message": "Hello"})
    assert problem["code"] == "not_found"
