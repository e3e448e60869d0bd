"""The commands schedule and tasks: what they print as JSON, and how they end when something is wrong."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from warm import MAIN, cold, run

if TYPE_CHECKING:
    from pathlib import Path


def test_a_schedule_is_kept_from_one_command_to_the_next(tmp_path: Path) -> None:
    code, out, _ = run(
        "schedule", "add", "0 9 * * 1", "read", "the", "news", "--zone", "asia/tokyo", "--json", home=tmp_path
    )
    made = json.loads(out)
    assert (code, made["task"], made["zone"], made["state"]) == (0, "read the news", "Asia/Tokyo", "active")
    code, out, _ = run("schedule", "show", made["id"][:4], "--json", home=tmp_path)
    assert (code, json.loads(out)) == (0, {**made, "runs": []})
    code, out, _ = run("schedule", "list", "--json", home=tmp_path)
    assert json.loads(out) == {"schedules": [made]}


def test_what_is_wrong_with_a_command_is_said_in_one_line(tmp_path: Path) -> None:
    code, _, err = run("schedule", "add", "every day at 9", home=tmp_path)
    assert (code, "takes WHEN and TASK" in err) == (4, True)
    code, out, _ = run("schedule", "when", "someday", "--json", home=tmp_path)
    assert (code, json.loads(out)["error"]["code"]) == (4, "invalid_input")
    code, _, err = run("tasks", "done", home=tmp_path)
    assert (code, "takes ID" in err) == (4, True)
    code, _, err = run("--set", "store.url=mysql://x/y", "tasks", home=tmp_path)
    assert (code, "is not supported" in err) == (3, True)
    code, _, err = run("--set", "store.url=postgresql://me:sesame@127.0.0.1:1/x", "tasks", home=tmp_path)
    assert (code, "does not answer" in err, "sesame" in err) == (5, True, False)


def test_a_task_is_changed_by_every_option_that_change_takes(tmp_path: Path) -> None:
    run("tasks", "add", "mend the gauge", home=tmp_path)
    told = ("--status", "done", "--title", "mend the tide gauge", "--notes", "the float sticks", "--due", "tomorrow")
    code, out, _ = run("tasks", "change", "mend the gauge", *told, "--json", home=tmp_path)
    changed = json.loads(out)
    assert (code, changed["status"], changed["title"]) == (0, "done", "mend the tide gauge")
    assert (changed["notes"], None in {changed["due_ms"], changed["ended_ms"]}) == ("the float sticks", False)
    _, out, _ = run("tasks", "--status", "done", "--json", home=tmp_path)
    assert json.loads(out) == {"tasks": [changed]}


def test_an_option_that_would_do_nothing_is_refused(tmp_path: Path) -> None:
    code, _, err = run("tasks", "done", "mend the gauge", "--status", "dropped", home=tmp_path)
    assert (code, "tasks done takes no --status" in err) == (4, True)
    code, _, err = run("tasks", "add", "mend the gauge", "--status", "doing", home=tmp_path)
    assert (code, "tasks add takes no --status" in err) == (4, True)
    code, _, err = run("tasks", "--due", "tomorrow", home=tmp_path)
    assert (code, "tasks list takes no --due" in err) == (4, True)
    code, _, err = run("tasks", "change", "mend the gauge", home=tmp_path)
    assert (code, "tasks change needs something to change" in err) == (4, True)


def test_without_the_extra_the_commands_say_what_to_install(tmp_path: Path) -> None:
    bare = f"sys.modules |= dict.fromkeys(('sqlalchemy', 'sqlalchemy.orm')); {MAIN}"
    code, _, err = cold("schedule", home=tmp_path, code=bare)
    assert (code, "pip install 'wellread[assistant]'" in err) == (3, True)


def test_the_store_may_be_on_a_server(store_url: str, tmp_path: Path) -> None:
    told = ["--set", f"store.url={store_url}"]
    code, _, err = run(*told, "tasks", "add", "mend the gauge", "--due", "tomorrow", home=tmp_path)
    assert (code, err) == (0, "")
    code, out, _ = run(*told, "tasks", "--json", home=tmp_path)
    assert [task["title"] for task in json.loads(out)["tasks"]] == ["mend the gauge"]
