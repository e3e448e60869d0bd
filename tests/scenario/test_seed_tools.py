"""The assistant's tools by their names, as `wellread tools` lists them, each at its real work through the loop."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from contract.integration_fakes.services import services
from scenario import test_google, test_linear
from scenario.test_connect_command import flags
from sites import Site, need_browser, serving, settings_for
from talking import Talk, talking
from wellread.apps.build import Web
from wellread.apps.cli import app
from wellread.config import SearchSettings
from wellread.sections import AssistantSettings, RenderSettings
from wellread.testing import Call

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from wellread.config import Settings
    from wellread.testing import ModelRequest

NAMES = {
    *("web_search", "knowledge_search", "remember", "schedule_create", "schedule_list", "schedule_update"),
    *("schedule_delete", "browse_url", "page_click", "page_type", "page_read", "shell_exec", "file_read", "file_write"),
    *("file_list", "http_request", "memory_search", "memory_forget", "task_create", "task_list"),
    *("linear_create_issue", "linear_list_issues", "linear_update_issue", "linear_search", "google_connect"),
    *("calendar_list_events", "calendar_create_event", "calendar_update_event", "calendar_delete_event"),
    *("gmail_search", "gmail_read", "gmail_draft", "gmail_send", "gmail_reply"),
}
FERRY = "<title>Ferry</title><main><h1>Ferry</h1><p>" + "The ferry leaves at noon from pier four. " * 8
DESK = (
    "<title>Desk</title><form onsubmit=\"document.title = 'sent ' + n.value; return false\">"
    "<label>Name <input id=n></label><button>Send</button></form>"
)


def first_id(asked: ModelRequest) -> dict[str, str]:
    return {"id": asked.results()[-1].rpartition("\n- ")[2].partition(":")[0]}


Turn = list[tuple[str, Any, str]]
"""Calls: a tool, its arguments or who finds them in what was told before, and what it tells. Any: as said."""
STORIES: dict[str, list[Turn]] = {
    "the web is searched": [[("web_search", {"query": "ferry noon"}, "SITE/ferry")]],
    "a page is worked": [
        [
            ("browse_url", {"url": "SITE/desk"}, "[1] textbox Name"),
            ("page_read", {}, "[2] button Send"),
            ("page_type", {"index": 1, "text": "Ann"}, "[1] textbox Name Ann"),
            ("page_click", {"index": 2}, "sent Ann"),
        ]
    ],
    "files are kept": [
        [
            ("file_write", {"path": "log/sea.txt", "text": "calm and grey"}, "log/sea.txt was written"),
            ("file_list", {"path": "log"}, "sea.txt"),
            ("file_read", {"path": "log/sea.txt"}, "calm and grey"),
        ]
    ],
    "a command is run": [[("shell_exec", {"command": "echo $((6 * 7)) herrings"}, "exit status 0\n42 herrings")]],
    "a request is sent": [[("http_request", {"method": "GET", "url": "SITE/ferry"}, "from pier four")]],
    "a text is kept and found": [
        [("remember", {"text": "The key lies behind the blue door.", "title": "Key"}, "Remembered as ")],
        [("knowledge_search", {"query": "where is the key"}, "behind the blue door")],
    ],
    "a fact is found and forgotten": [
        [
            ("memory_search", {"query": "boat"}, "The user's boat is called Petrel."),
            ("memory_forget", first_id, "Forgotten, with 0 turns"),
        ],
        [("memory_search", {"query": "boat"}, "The memory holds nothing about that.")],
    ],
    "a schedule is made, listed, changed and deleted": [
        [("schedule_create", {"when": "every weekday at 9", "task": "Say how the sea is.", "name": "sea"}, "created")],
        [("schedule_list", {}, "sea, at 09:00 on Monday through Friday")],
        [("schedule_update", {"which": "sea", "when": "every day at 10"}, "at 10:00")],
        [("schedule_delete", {"which": "sea"}, "deleted")],
        [("schedule_list", {}, "There are no schedules.")],
    ],
    "a task is noted and listed": [
        [("task_create", {"title": "paint the hull"}, "Task created")],
        [("task_list", {}, "paint the hull")],
    ],
}


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    served = Site(pages={"/desk": DESK, "/ferry": FERRY})
    server = serving(served)
    yield served
    server.shutdown()
    server.server_close()


def settings(site: Site, folder: Path) -> Settings:
    return replace(
        settings_for(site, folder / "store"),
        assistant=AssistantSettings(workspace=folder / "desk", shell=True),
        search=SearchSettings(providers=("local",)),
        render=RenderSettings(enabled=False),
    )


async def took(talk: Talk, turn: Turn) -> str:
    """Have a turn with these calls, say yes to whatever is asked, and return all that the tools have told."""

    def step(name: str, given: Any) -> Any:  # Any: arguments, or what finds them
        return (lambda asked: Call(name, given(asked))) if callable(given) else Call(name, given)

    talk.model.script = [*(step(name, given) for name, given, _ in turn), "Done."]
    talk.model.asked.clear()
    reply = await talk.say("Go on, please")
    while reply.asked:
        reply = await talk.decide(reply.asked[0].id, agreed=True)
    return "\n".join([*talk.model.asked[-1].results(), reply.text])


@pytest.mark.parametrize("story", STORIES)
async def test_a_tool_does_its_work_through_the_loop(story: str, site: Site, tmp_path: Path) -> None:
    turns, given = STORIES[story], settings(site, tmp_path)
    if "browse_url" in str(turns):
        need_browser()
    async with Web(given) as web:
        await web.index(site.url("/ferry"))
    async with talking(tmp_path, [], settings=given) as talk:
        if "shell_exec" in str(turns) and "shell_exec" not in talk.assistant.parts.dispatch.tools:
            pytest.skip("no sandbox holds on this machine")
        await talk.assistant.memory.add("The user's boat is called Petrel.")
        for turn in turns:
            told = await took(talk, [(name, _there(given, site), wanted) for name, given, wanted in turn])
            assert [wanted for _, _, wanted in turn if wanted.replace("SITE", site.url("")) not in told] == [], told


def _there(given: Any, site: Site) -> Any:  # Any: arguments, or what finds them
    if callable(given):
        return given
    return {name: it.replace("SITE", site.url("")) if isinstance(it, str) else it for name, it in given.items()}


def test_no_tool_of_the_table_is_without_a_story_of_its_own() -> None:
    told = {name for story in STORIES.values() for turn in story for name, _, _ in turn}
    told |= {row.tool for row in (*test_google.READS, *test_google.DEEDS)}
    told |= {row.tool for row in (*test_linear.READS, *test_linear.DEEDS)}
    assert NAMES - told == {"google_connect"}, "test_connecting has the story of that"


def test_every_tool_of_the_table_is_listed_once_it_is_set_up(tmp_path: Path) -> None:
    with services() as made:
        desk = ("--set", f"assistant.workspace={tmp_path}", "--set", "assistant.shell=true")
        listed = CliRunner().invoke(app, [*flags(made.settings(tmp_path)), *desk, "tools"]).stdout
    names = {line.split()[0] for line in listed.splitlines() if line.strip()}
    assert NAMES - names <= {"shell_exec"}, "a command is offered only where a sandbox holds"
