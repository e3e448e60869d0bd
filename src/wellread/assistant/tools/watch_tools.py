"""Watched pages as tools: add, list, show changes, check and remove the pages that the user watches."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from anyio import to_thread

from wellread.assistant.tool_types import Effect, Tool, ToolResult
from wellread.assistant.tools.argument_schemas import (
    arguments_schema,
    integer_argument,
    integer_schema,
    string_argument,
    string_schema,
)
from wellread.crawl.opened_watcher import opened_watcher
from wellread.text.counts import count_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from contextlib import AbstractContextManager

    from wellread.crawl.watch_store import Watch, WatchVersion
    from wellread.crawl.watcher import Watcher, WatchOutcome

    OpenWatcher = Callable[[], AbstractContextManager[Watcher]]

SERVICE: Final = "watch"
DEFAULT_EVERY_MINUTES: Final = 60
MAX_EVERY_MINUTES: Final = 525_600
MAX_CHANGES: Final = 5
"""Changes of one page that are shown, newest first."""
_ID = integer_schema(minimum=1, maximum=1_000_000_000)


def watch_tools(open_watcher: OpenWatcher) -> tuple[Tool, ...]:
    """Return the tools for the watches that `open_watcher` opens."""
    return _add(open_watcher), _list(open_watcher), _run(open_watcher), _remove(open_watcher)


def _add(open_watcher: OpenWatcher) -> Tool:
    async def run(arguments: Mapping[str, object]) -> ToolResult:
        async with opened_watcher(open_watcher()) as watcher:
            outcome = await watcher.add(
                string_argument(arguments, "url"),
                every_s=60.0 * integer_argument(arguments, "every_minutes", DEFAULT_EVERY_MINUTES),
                selector=string_argument(arguments, "selector") or None,
                find=string_argument(arguments, "find") or None,
            )
            watch = await to_thread.run_sync(watcher.store.watch, outcome.id)
        return _changed("added", watch)

    return Tool(
        "watch_add",
        "Watch a page for changes of its text, or of the elements or lines named.",
        arguments_schema(
            ("url",),
            url=string_schema(max_length=8_000),
            every_minutes=integer_schema(minimum=1, maximum=MAX_EVERY_MINUTES),
            selector=string_schema("CSS.", max_length=1_000),
            find=string_schema("Words.", max_length=1_000),
        ),
        run,
        effect=Effect.OWN,
        simple=True,
        service=SERVICE,
    )


def _list(open_watcher: OpenWatcher) -> Tool:
    async def run(arguments: Mapping[str, object]) -> ToolResult:
        watch_id = integer_argument(arguments, "id", 0)
        async with opened_watcher(open_watcher()) as watcher:
            if watch_id:
                find_changes = partial(watcher.store.changes, watch_id, limit=MAX_CHANGES)
                return _changes_result(await to_thread.run_sync(find_changes))
            return _watches_result(await to_thread.run_sync(watcher.store.watches))

    return Tool(
        "watch_list",
        "List the watched pages, or the last changes of one.",
        arguments_schema(id=_ID),
        run,
        service=SERVICE,
    )


def _run(open_watcher: OpenWatcher) -> Tool:
    async def run(arguments: Mapping[str, object]) -> ToolResult:
        watch_id = integer_argument(arguments, "id", 0)
        ids = (watch_id,) if watch_id else ()
        async with opened_watcher(open_watcher()) as watcher:
            outcomes = await watcher.check_due(ids, all_callers=False)
            due_count = await watcher.due_count()
        lines = [_outcome_text(outcome) for outcome in outcomes]
        if due_count:
            lines.append(f"Still due: {count_of(due_count, 'page')}. Check again.")
        return ToolResult("\n\n".join(lines) or "No page is due.", tainted=bool(outcomes))

    return Tool(
        "watch_run",
        "Check one watched page, or all that are due.",
        arguments_schema(id=_ID),
        run,
        service=SERVICE,
    )


def _remove(open_watcher: OpenWatcher) -> Tool:
    async def run(arguments: Mapping[str, object]) -> ToolResult:
        async with opened_watcher(open_watcher()) as watcher:
            watch = await to_thread.run_sync(watcher.store.remove, integer_argument(arguments, "id", 0))
        return _changed("removed", watch)

    return Tool(
        "watch_remove",
        "Stop watching a page.",
        arguments_schema(("id",), id=_ID),
        run,
        effect=Effect.OWN,
        simple=True,
        service=SERVICE,
    )


def _watches_result(watches: Sequence[Watch]) -> ToolResult:
    lines = []
    for watch in watches:
        lines.append(f"[{watch.id}] {_watch_line(watch)}")
        if watch.error is not None:
            lines.append(f"Its last check failed: {watch.error}")
    quotes_pages = any(watch.error is not None for watch in watches)
    return ToolResult("\n".join(lines) or "No page is watched.", tainted=quotes_pages)


def _changes_result(changes: Sequence[WatchVersion]) -> ToolResult:
    texts = [f"{change.earlier_snapshot_id} to {change.snapshot_id}:\n{change.diff}" for change in changes]
    return ToolResult("\n\n".join(texts) or "The page has not changed yet.", tainted=bool(texts))


def _changed(action: str, watch: Watch) -> ToolResult:
    receipt = f"watch {action}: {_watch_line(watch)}"
    return ToolResult(f"{receipt[0].upper()}{receipt[1:]} [{watch.id}]", receipts=(receipt,))


def _watch_line(watch: Watch) -> str:
    part = watch.selector or watch.find
    line = f"{watch.url}, every {watch.every_s / 60:g} minutes"
    if part is not None:
        line += f", only {part}"
    return line


def _outcome_text(outcome: WatchOutcome) -> str:
    lines = [f"[{outcome.id}] {outcome.state}: {outcome.url}"]
    if outcome.error is not None:
        lines.append(f"{outcome.error.code}: {outcome.error.message}")
    if outcome.diff:
        lines.append(outcome.diff)
    return "\n".join(lines)
