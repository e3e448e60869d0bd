"""Two people with one assistant: what one tells, sends and plans does not exist for the other, on either database."""

from __future__ import annotations

import json
import re
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import anyio
import httpx2
import pytest
from anyio import to_thread

import warm
from botapi import BotApi, Message, exchange
from scenario.interfaces import settings as interface_settings
from scenario.telegram_day import Day, reached
from scenario.test_bot_command import environment, running
from talking import settings_in
from user_filter import watched
from wellread.apps.build import Web, assistant
from wellread.apps.http.api_keys import new_key
from wellread.apps.http.serve import serve
from wellread.apps.integration_setup import open_integrations
from wellread.apps.system_clock import SystemClock
from wellread.assistant import task_list
from wellread.assistant.memory.memory_store import waiting_accounts
from wellread.assistant.schedule import job_store
from wellread.assistant.tools.browsing_tools import Browsing, HeldTabs
from wellread.assistant.users import OWNER, Users
from wellread.errors import ConfigError, InvalidInput
from wellread.sections import AssistantSettings, ChannelSettings, IntegrationSettings, StoreSettings
from wellread.testing import Call, ScriptedModel
from wellread.types import PageSnapshot
from wellread.values import Address, Secret

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from pathlib import Path

    from scenario.telegram_day import Process
    from wellread.config import Settings
    from wellread.testing import ModelRequest

ANN, BEN = 77, 78
GROUP = -1_000_077
SECRET = "Petrel"
GUIDE = b"Boat manual\n\nThe boat Petrel needs new paint on her hull every year."
BOTH = (f"telegram:{ANN}", f"telegram:{BEN}")


def obey(asked: ModelRequest) -> Any:  # Any: a step
    """Learn what the user says as a fact, call the tool that he names, and hand on what it answers."""
    if _is_learning(asked):
        question = json.loads(str(asked.messages[-1].parts[-1].content))  # type: ignore[union-attr]  # a text
        said = next(it["text"] for it in question["turns"] if it["speaker"] == "user")
        facts = [] if "use " in said else [{"fact": said, "category": "personal"}]
        return json.dumps({"topic": said[:60], "facts": facts})
    last = asked.messages[-1].parts[-1]
    if last.part_kind == "tool-return":
        return f"It says: {last.content}"
    named = re.search(r"use (\w+) (\{.*\})", str(last.content))  # type: ignore[union-attr]  # a text
    return Call(named[1], json.loads(named[2])) if named else "Noted."


@dataclass
class Two(Day):
    """A day of Ann and Ben with one bot."""

    store_url: str = ""
    shared: tuple[Any, ...] = ()  # Any: words of the setting

    def settings(self, **given: Any) -> Settings:
        made = super().settings(**{"users": BOTH, **given})
        desk = replace(made.assistant, learn=True, workspace=self.folder / "desk", shared=self.shared)
        return replace(made, assistant=desk, store=StoreSettings(url=Address(self.store_url)))

    async def says(self, user: int, text: str, *, chat: int | None = None) -> Message:
        """Write to the bot, and return its last message once the answer has ended."""
        self.clock.advance(60)
        self.api.advance(60)
        where = chat or user
        before = len(self.api.texts(where))
        self.api.say(text, user=user, chat=chat)
        return await self.answered(where, before)

    async def answered(self, chat: int, before: int) -> Message:
        """Return the last message of an answer, or the question with buttons that follows it."""

        def whole() -> bool:
            sent = [it for it in self.api.messages if it.chat == chat][before:]
            if not sent or any(it.buttons for it in sent):
                return bool(sent)
            text = sent[-1].text
            # In a group, one message grows by edits; these signs stand at its end.
            ended = chat > 0 or any(sign in text for sign in ("\u2014 nothing", "\u2713", "\u26a0", "/help"))
            return ended and "waits for your approval" not in text

        await self.api.until(whole)
        return [it for it in self.api.messages if it.chat == chat][-1]


def use(tool: str, **arguments: object) -> str:
    return f"use {tool} {json.dumps(arguments)}"


def _is_learning(request: ModelRequest) -> bool:
    return request.instructions.startswith("You keep the memory")


async def learned(process: Process, last: str = "") -> None:
    """Wait until facts have been looked for in all that was said, in `last` too.

    A turn is noted for that behind its answer, so that nothing may be waiting although an answer has come.
    """
    everybody = process.home.database.for_all_users()
    with anyio.fail_after(60):
        while not any(_is_learning(request) and last in str(request.messages) for request in process.model.asked):
            await anyio.lowlevel.checkpoint()
        while await everybody.run(waiting_accounts):
            await anyio.lowlevel.checkpoint()


async def ids(process: Process, user: int) -> dict[str, str]:
    """Return what a user's things are called, for the other to try."""
    me = await process.home.of(f"telegram:{user}")
    (schedule, *_) = [it.id for it in await me.store.run(job_store.jobs)]
    (task, *_) = [it.id for it in await me.store.run(task_list.tasks)]
    (document, *_) = [it.source for it in await me.knowledge.documents()]
    (fact, *_) = [it.id for it in await me.memory.facts()]
    return {"schedule": schedule, "task": task, "document": document, "fact": fact}


async def ann_has_a_secret_of_each_kind(day: Two, process: Process) -> Message:
    """Let Ann say, send, note, schedule and ask for things; return the question that waits for her."""
    await day.says(ANN, f"My boat is called {SECRET}")
    await learned(process)
    before = len(day.api.texts(ANN))
    day.api.document("manual.txt", GUIDE, user=ANN)
    await day.answered(ANN, before)
    await day.says(ANN, use("task_create", title=f"paint the boat {SECRET}"))
    await day.says(ANN, use("remember", text=f"The mooring of the boat {SECRET} is number nine."))
    await day.says(ANN, use("schedule_create", when="every day at 9", task=f"boat {SECRET}", name=f"boat {SECRET}"))
    with day.web.watcher(f"assistant:telegram:{ANN}") as watcher:
        watcher.store.add(
            f"https://{SECRET}.example/boat", every_s=60, selector=None, find=None,
            webhook=None, keep=1, user_asked=False,
        )  # fmt: skip
    asked = await day.says(ANN, use("file_write", path="boat.txt", text=f"the boat {SECRET}"))
    before = len(day.api.texts(ANN))
    day.api.press(asked, "Do it", user=ANN)
    await day.answered(ANN, before)
    await day.says(ANN, use("send", to=f"the boat {SECRET}"))

    def questions() -> list[Message]:
        return [message for message in day.api.messages if message.chat == ANN and message.buttons]

    await day.api.until(lambda: bool(questions()))  # the question may follow the answer
    return questions()[-1]


def exercised(named: dict[str, str], secret_of: dict[str, str]) -> dict[str, str]:
    """Return what Ben sends for each tool that reaches what is kept, and for each command."""
    return {
        "memory_search": use("memory_search", query="boat"),
        "memory_forget": use("memory_forget", id=secret_of["fact"]),
        "remember": use("remember", text="A boat is a hole in the water."),
        "knowledge_search": use("knowledge_search", query="boat manual mooring"),
        "schedule_create": use("schedule_create", when="every day at 8", task="say hello", name="hello"),
        "schedule_list": use("schedule_list"),
        "schedule_update": use("schedule_update", which=secret_of["schedule"], paused=True),
        "schedule_delete": use("schedule_delete", which=secret_of["schedule"]),
        "task_create": use("task_create", title="buy bread"),
        "task_list": use("task_list"),
        "task_update": use("task_update", which=secret_of["task"], status="done"),
        "watch_list": use("watch_list"),
        "watch_run": use("watch_run"),
        "watch_remove": use("watch_remove", id=1),
        "file_list": use("file_list"),
        "file_read": use("file_read", path="boat.txt"),
    } | named


COMMANDS = {name: name for name in ("/memory", "/schedule", "/cost", "/help", "/start", "/new")}
HARMLESS = {
    "web_search", "web_read", "web_gather", "web_find", "http_request", "watch_add", "look", "note", "send",
    "service_open", "file_write", "browse_url", "page_read", "page_click", "page_type",
}  # fmt: skip
"""Tools that reach the world, or a tab (`test_a_tab_belongs_to_its_user`), and what this test adds."""


async def presses_the_others_button(day: Two, question: Message) -> Message:
    """Let Ben send, from his own chat, what Ann's button would send; return what he is told."""
    forged = Message(7, BEN, "?", [], [{"text": "Do it", "callback_data": question.button("Do it")}])
    day.api.press(forged, "Do it", user=BEN)

    # An answer to what Ben wrote before may arrive in between.
    def refusals() -> list[Message]:
        return [it for it in day.api.messages if it.chat == BEN and "not from this chat" in it.text]

    await day.api.until(lambda: bool(refusals()))
    assert day.deeds.effects() == []
    return refusals()[-1]


@asynccontextmanager
async def day_of_two(store_url: str, folder: Path, **given: Any) -> AsyncGenerator[tuple[Two, Process], None]:
    async with exchange() as line, Web(reached(settings_in(folder / "web"), line.port)) as web:
        line.api = BotApi(line.port)
        day = Two(line.api, web, folder, store_url=store_url, **given)
        async with day.living([obey] * 300) as process:
            yield day, process


async def test_nobody_sees_the_other(store_url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table: list[tuple[str, str]] = []
    with watched() as (asked, lacking):
        async with day_of_two(store_url, tmp_path) as (day, process):
            question = await ann_has_a_secret_of_each_kind(day, process)
            theirs = await ids(process, ANN)
            assert SECRET in (await day.says(ANN, use("memory_search", query="boat"))).text
            await learned(process, "use memory_search")
            first = len(process.model.asked)
            for name, text in exercised(COMMANDS, theirs).items():
                await day.says(BEN, "/new")  # no turn before has read words of others, so nothing is asked first
                answer = await day.says(BEN, text)
                table.append((name, "nothing" if SECRET not in answer.text else answer.text))
            ben = await process.home.of(f"telegram:{BEN}")
            assert set(ben.parts.dispatch.tools) - HARMLESS <= {name for name, _ in table}, "a tool is not tried"

            answer = await presses_the_others_button(day, question)
            table.append(("button of the other's question", "nothing" if SECRET not in answer.text else answer.text))

            prompts = [f"{it.instructions} {it.messages}" for it in process.model.asked[first:]]
            assert [it for it in prompts if SECRET in it] == []
            table.append(("prompts of the model", "nothing"))
            assert [text for text in day.api.texts(BEN) if SECRET in text] == []
            ann = await process.home.of(f"telegram:{ANN}")
            assert [it.id for it in await ann.memory.facts()] == [theirs["fact"]], "nothing of Ann's was changed"
            assert len(await ann.knowledge.documents()) == 2
    assert [it for it in table if it[1] != "nothing"] == []
    assert lacking == []
    assert len(asked) > 200
    with capsys.disabled():
        print(*(f"\n  {name:<32} {sees}" for name, sees in table))  # noqa: T201 - the table is the result


async def test_a_schedule_is_done_as_who_made_it(store_url: str, tmp_path: Path) -> None:
    async with day_of_two(store_url, tmp_path) as (day, process):
        await day.says(ANN, f"My boat is called {SECRET}")
        await learned(process)
        first = len(process.model.asked)
        for user in (ANN, BEN):
            task = use("memory_search", query="boat")
            await day.says(user, use("schedule_create", when="in 30 minutes", task=task, name="look"))
        counts = {user: len(day.api.texts(user)) for user in (ANN, BEN)}
        day.clock.advance(1_900)
        await day.pass_time(process, lambda: all(len(day.api.texts(it)) > counts[it] for it in counts))
        assert SECRET in day.api.texts(ANN)[-1]
        assert "It says" in day.api.texts(BEN)[-1]
        asked = [str(it.messages[-1]) + it.instructions for it in process.model.asked[first:]]
        assert sum(SECRET in it for it in asked) >= 1
        assert [text for text in day.api.texts(BEN) if SECRET in text] == []


async def test_a_group_knows_what_was_said_in_it_alone(store_url: str, tmp_path: Path) -> None:
    async with day_of_two(store_url, tmp_path) as (day, process):
        await day.says(ANN, f"My boat is called {SECRET}")
        await learned(process)
        first = len(process.model.asked)
        for writer in (ANN, BEN):
            answer = await day.says(writer, "/ask " + use("memory_search", query="boat"), chat=GROUP)
            assert SECRET not in answer.text
        await day.says(ANN, "/note Our group boat is the Albatross", chat=GROUP)
        answer = await day.says(BEN, "/ask " + use("memory_search", query="group boat"), chat=GROUP)
        assert "Albatross" in answer.text
        assert [it for it in process.model.asked[first:] if SECRET in f"{it.instructions} {it.messages}"] == []
        for writer in (ANN, BEN):
            assert "Albatross" not in (await day.says(writer, use("memory_search", query="group boat"))).text
        assert "stays in this group" in (await day.says(BEN, "/help", chat=GROUP)).text

        asked = await day.says(ANN, "/ask " + use("send", to="everybody"), chat=GROUP)
        before = len(day.api.texts(GROUP))
        day.api.press(asked, "Do it", user=BEN)
        await day.api.until(
            lambda: any("this question is not from this chat" in it for it in day.api.texts(GROUP)[before:])
        )
        await day.api.until(lambda: day.api.messages[-1].buttons)  # it is asked again, for it still waits
        assert day.deeds.effects() == []
        before = len(day.api.texts(GROUP))
        day.api.press(asked, "Do it", user=ANN)
        done = await day.answered(GROUP, before)
        assert day.deeds.effects() == ["send"], done.text


async def test_what_is_shared_is_shared_and_nothing_else(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/assistant.db"
    async with day_of_two(url, tmp_path, shared=("knowledge", "tasks")) as (day, process):
        await ann_has_a_secret_of_each_kind(day, process)
        assert SECRET not in (await day.says(BEN, use("memory_search", query="boat"))).text
        assert SECRET not in (await day.says(BEN, "/schedule")).text
        assert SECRET in (await day.says(BEN, use("knowledge_search", query="boat manual"))).text
        assert SECRET in (await day.says(BEN, use("task_list"))).text
        assert "All users share: knowledge, tasks." in (await day.says(BEN, "/start")).text


# ------------------------------------------------------------------------------------------------ HTTP


async def chat(client: httpx2.AsyncClient, key: str, body: object) -> tuple[int, str]:
    answer = await client.post("/v1/chat", json=body, headers={"authorization": f"Bearer {key}"})
    return answer.status_code, answer.text


async def test_http_callers_see_nothing_of_each_other(store_url: str, tmp_path: Path) -> None:
    (ann, ann_hash), (ben, ben_hash) = new_key("ann"), new_key("ben")
    given = interface_settings(tmp_path, keys={"ann": ann_hash, "ben": ben_hash})
    given = replace(given, assistant=AssistantSettings(learn=False), store=StoreSettings(url=Address(store_url)))
    model = ScriptedModel([obey], repeat=True)
    ready, urls = anyio.Event(), list[str]()

    def announce(url: str) -> None:
        urls.append(url)
        ready.set()

    async with Web(given) as web, anyio.create_task_group() as group:
        group.start_soon(
            lambda: serve(
                given, web, SystemClock(), announce=announce,
                open_assistant=lambda: assistant(given, web, models={"chat": model.model()}),
            )
        )  # fmt: skip
        await ready.wait()
        async with httpx2.AsyncClient(base_url=urls[0], timeout=60) as client:
            _, told = await chat(client, ann, {"message": f"My boat is called {SECRET}"})
            conversation = re.search(r'"conversation_id": ?"(\w+)"', told)
            assert conversation
            await chat(client, ann, {"message": use("remember", text=f"the boat {SECRET}")})
            first = len(model.asked)
            seen = [
                await chat(client, ben, {"message": use(tool, **given)})
                for tool, given in (
                    ("memory_search", {"query": "boat"}), ("knowledge_search", {"query": "boat"}),
                    ("schedule_list", {}),
                )
            ]  # fmt: skip
            seen.append(await chat(client, ben, {"message": "boat?", "conversation": conversation[1]}))
            listed = await client.get("/v1/chat", headers={"authorization": f"Bearer {ben}"})
            assert seen[-1][0] == 404
            assert [text for _, text in [*seen, (200, listed.text)] if SECRET in text] == []
            assert [it for it in model.asked[first:] if SECRET in f"{it.instructions} {it.messages}"] == []
            await chat(client, ann, {"message": use("schedule_create", when="in two seconds", task="say hello")})
            told = ""
            with anyio.fail_after(60):
                while "event: letter" not in told:
                    assert "event: letter" not in (await chat(client, ben, {"message": "Anything new?"}))[1]
                    _, told = await chat(client, ann, {"message": "Anything new?"})
        group.cancel_scope.cancel()


# ------------------------------------------------------------------------------------------------ processes


def wellread(folder: Path, env: dict[str, str], *words: str) -> str:
    done = warm.run(*words, home=folder, folder=folder, variables=env)
    assert done.code == 0, done.err
    return done.out


async def test_the_terminal_sees_nothing_of_people_in_telegram(store_url: str, tmp_path: Path) -> None:
    async with exchange() as line:
        env = {"WELLREAD_CHANNELS_USERS": ",".join(BOTH), "WELLREAD_STORE_URL": store_url}
        async with running(line, tmp_path, **env):
            line.api.document("manual.txt", GUIDE, user=ANN)
            await line.api.until(lambda: any("Kept" in text for text in line.api.texts(ANN)))
            for at, command in enumerate(("/memory", "/schedule", "/cost", "/help"), 1):
                line.api.advance(60)
                line.api.say(command, user=BEN)
                assert SECRET not in (await line.api.answer(at, chat=BEN)).text
        given = environment(line, tmp_path) | env
        for words in (
            ("knowledge", "list"), ("knowledge", "search", "boat"), ("memory", "list"), ("memory", "search", "boat"),
            ("tasks", "list"), ("schedule", "list", "--all"), ("chat", "--list"),
        ):  # fmt: skip
            told = await to_thread.run_sync(partial(wellread, tmp_path, given, *words, "--json"))
            assert "manual" not in told, words
            assert SECRET not in told, words
        mine = given | {"WELLREAD_ASSISTANT_OWNER": BOTH[0]}
        assert SECRET in await to_thread.run_sync(lambda: wellread(tmp_path, mine, "knowledge", "search", "boat"))
        shown = await to_thread.run_sync(lambda: wellread(tmp_path, mine, "config", "--json"))
        assert "assistant.owner" in shown
        assert "assistant.shared" in shown


# ------------------------------------------------------------------------------------------------ who is who


def users(*accounts: str, owner: tuple[str, ...] = (), shared: tuple[Any, ...] = ()) -> Users:
    return Users(AssistantSettings(owner=owner, shared=shared), ChannelSettings(users=accounts))


def test_the_only_person_is_the_owner() -> None:
    assert users(BOTH[0]).of(BOTH[0]).accounts == users(BOTH[0]).owner.accounts == (OWNER, BOTH[0])
    assert users(*BOTH).of(BOTH[0]).accounts == (BOTH[0],)
    assert users(*BOTH, owner=BOTH[1:]).of(BOTH[1]).is_owner
    assert not users(*BOTH, owner=BOTH[1:]).of(BOTH[0]).is_owner


def test_an_owner_who_may_not_talk_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"assistant.owner names 'telegram:1'"):
        users(*BOTH, owner=("telegram:1",))


def test_what_cannot_be_shared_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"assistant.shared names 'memory'"):
        users(*BOTH, shared=("memory",))


async def test_keys_of_the_settings_are_the_owners_alone(tmp_path: Path) -> None:
    from wellread.apps.assistant_database import assistant_store
    from wellread.apps.build import integration_context

    keys = {name: Secret("x") for name in ("linear", "google_client_id", "google_client_secret")}
    settings = replace(settings_in(tmp_path), integrations=IntegrationSettings(keys=keys))
    database = assistant_store(settings)
    names: dict[str, set[str]] = {}
    known = users(*BOTH, owner=BOTH[:1])
    for account in (*BOTH, "group:telegram:-1"):
        async with open_integrations(
            integration_context(settings, database.for_user(known.of(account)), SystemClock())
        ) as ready:
            names[account] = {it.integration.name for it in ready}
            for it in ready:
                if it.grant is not None and account == BOTH[0]:
                    await it.grant._vault.put("google", {"access": "a", "refresh": "r", "until_ms": 0, "scopes": []})
                elif it.grant is not None:
                    assert await it.grant._vault.get("google") is None
    database.close()
    assert names == {BOTH[0]: {"google", "linear"}, BOTH[1]: {"google"}, "group:telegram:-1": set()}


class Tab:
    """A tab that shows a secret."""

    snapshot = PageSnapshot(url="https://a.example/", title=SECRET, content=SECRET)


async def test_a_tab_belongs_to_its_user() -> None:
    @asynccontextmanager
    async def open_tab(_url: str, *, profile: str | None = None) -> AsyncGenerator[Any, None]:
        assert profile is None
        yield Tab()

    tabs = HeldTabs(open_tab)
    async with anyio.create_task_group() as group:
        group.start_soon(tabs.hold)
        await anyio.wait_all_tasks_blocked()
        ann, ben = ({it.name: it for it in Browsing(tabs).tools} for _ in range(2))
        assert SECRET in (await ann["browse_url"].run({"url": "https://a.example/"})).text
        with pytest.raises(InvalidInput, match="no page is open"):
            await ben["page_read"].run({})
        group.cancel_scope.cancel()
