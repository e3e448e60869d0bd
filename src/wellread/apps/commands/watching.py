"""The command `watch`: pages that are checked for changes."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from wellread.apps.commands.options import (
    Json,
    ProxyOption,
    Replay,
    UserAsked,
    guarded,
    run,
    settings_of,
    web_url,
)
from wellread.apps.serialize import as_plain, error_json
from wellread.apps.terminal import blame, say, say_json
from wellread.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Callable

    from wellread.apps.build import Web
    from wellread.crawl.watch_store import Watch, WatchStore, WatchVersion
    from wellread.crawl.watcher import WatchOutcome

Action = Literal["add", "list", "diff", "remove", "run"]

_DURATION = re.compile(r"([0-9]{1,6}(?:\.[0-9]{1,3})?)\s?(s|m|min|h|d|w)?")
_UNIT_S = {None: 1, "s": 1, "m": 60, "min": 60, "h": 3_600, "d": 86_400, "w": 604_800}
_MAX_PAUSE_S = 60.0
"""While --loop waits: watches of other processes are noticed within this time."""


def watch(
    context: typer.Context,
    action: Annotated[Action, typer.Argument(help="Action to run.")] = "list",
    words: Annotated[
        list[str] | None,
        typer.Argument(help="add: the URL; diff and remove: the number of a watch; run: numbers.", metavar="WORDS"),
    ] = None,
    *,
    every: Annotated[
        str, typer.Option(help="add: time between two checks, such as 30m, 6h or 1d.", metavar="TIME")
    ] = "1h",
    selector: Annotated[
        str | None, typer.Option(help="add: compare only elements that match this CSS selector.", metavar="CSS")
    ] = None,
    find: Annotated[
        str | None, typer.Option(help="add: compare only lines that have these words.", metavar="WORDS")
    ] = None,
    webhook: Annotated[
        str | None, typer.Option(help="add: address that each change is posted to, signed.", metavar="URL")
    ] = None,
    keep: Annotated[int, typer.Option(help="add: versions of the text to store.", min=1, max=10_000)] = 50,
    count: Annotated[int, typer.Option(help="diff: number of changes to show, newest first.", min=1)] = 1,
    loop: Annotated[bool, typer.Option("--loop", help="run: go on, and check each page when it is due.")] = False,
    user_asked: UserAsked = False,
    json: Json = False,
    proxy: ProxyOption = None,
    replay: Replay = None,
) -> None:
    """Watch pages for changes of their text.

    Actions: add URL; list; diff ID; remove ID; run, which checks the pages that are due, or those of the numbers, once.
    Dates, counters and advertising are no changes. Exit code 1 when a page could not be checked.
    """
    arguments = words or []
    if action == "add":
        url = guarded(lambda: web_url(_single(arguments, "a URL")), json=json)
        every_s = guarded(lambda: _seconds(every), json=json)

        async def add(web: Web) -> WatchOutcome:
            with web.watcher() as watcher:
                return await watcher.add(
                    url, every_s=every_s, selector=selector, find=find,
                    webhook=webhook, keep=keep, user_asked=user_asked,
                )  # fmt: skip

        _show_outcomes([run(context, add, json=json, proxy=proxy, replay=replay)], json=json)
    elif action == "run":
        ids = guarded(lambda: _numbers(arguments, loop=loop), json=json)
        _run_checks(context, ids, loop=loop, json=json, proxy=proxy, replay=replay)
    else:
        guarded(lambda: _with_store(context, lambda store: _do(action, store, arguments, count, json=json)), json=json)


def _run_checks(
    context: typer.Context, ids: list[int], *, loop: bool, json: bool, proxy: ProxyOption, replay: Replay
) -> None:
    async def check(web: Web) -> bool:
        import anyio

        with web.watcher() as watcher:
            while True:
                outcomes = await watcher.check_due(ids)
                _show_outcomes(outcomes, json=json)
                if not loop:
                    return any(outcome.error is not None for outcome in outcomes)
                next_at = watcher.store.next_at()
                pause_s = _MAX_PAUSE_S
                if next_at is not None:
                    pause_s = min(max(next_at - web.parts.clock.now().timestamp(), 0.0), _MAX_PAUSE_S)
                await anyio.sleep(pause_s)

    if run(context, check, json=json, proxy=proxy, replay=replay):
        raise typer.Exit(1)


def _with_store(context: typer.Context, work: Callable[[WatchStore], None]) -> None:
    from wellread.crawl.watch_store import WatchStore

    store = WatchStore(settings_of(context)[0].cache.dir)
    try:
        work(store)
    finally:
        store.close()


def _do(action: Action, store: WatchStore, arguments: list[str], count: int, *, json: bool) -> None:
    if action == "list":
        _show_watches(store.watches(), json=json)
        return
    watch_id = _number(_single(arguments, "the number of a watch"))
    if action == "remove":
        removed = store.remove(watch_id)
        if json:
            say_json(removed)
        else:
            say(f"removed\t{removed.id}\t{removed.url}")
        return
    _show_versions(store.changes(watch_id, limit=count), json=json)


def _single(arguments: list[str], name: str) -> str:
    if len(arguments) != 1:
        raise InvalidInput(f"this action takes {name}", hint="see `wellread watch --help`")
    return arguments[0]


def _numbers(arguments: list[str], *, loop: bool) -> list[int]:
    if arguments and loop:
        raise InvalidInput("--loop checks all pages when they are due", hint="leave out the numbers, or --loop")
    return [_number(word) for word in arguments]


def _number(word: str) -> int:
    if not (word.isascii() and word.isdigit() and len(word) < 10):
        raise InvalidInput(f"{word[:40]!r} is not the number of a watch", hint="`wellread watch list` shows them")
    return int(word)


def _seconds(text: str) -> float:
    match = _DURATION.fullmatch(text.strip())
    if match is None:
        raise InvalidInput(f"{text[:40]!r} is not a time", hint="write it as 30m, 6h or 1d")
    return float(match[1]) * _UNIT_S[match[2]]


def _time_text(seconds: float | None) -> str:
    if seconds is None:
        return ""
    return datetime.fromtimestamp(seconds, tz=UTC).isoformat(timespec="seconds")


def _show_outcomes(outcomes: list[WatchOutcome], *, json: bool) -> None:
    """Print the state of each page, and the diff of those that have changed."""
    for outcome in outcomes:
        if json:
            fields: dict[str, object] = as_plain(outcome) | {"error": None, "webhook_error": None}
            if outcome.error is not None:
                fields |= error_json(outcome.error)
            if outcome.webhook_error is not None:
                fields["webhook_error"] = outcome.webhook_error.fields()
            say_json(fields, indent=None)
            continue
        facts = [outcome.state, str(outcome.id), outcome.url]
        if outcome.error is not None:
            facts.append(f"{outcome.error.code}: {outcome.error.message}")
        say("\t".join(facts))
        if outcome.diff:
            say(f"{outcome.earlier_snapshot_id} → {outcome.snapshot_id}\n{outcome.diff}")
        if outcome.webhook_error is not None:
            blame(outcome.webhook_error.code, outcome.webhook_error.message, outcome.webhook_error.hint)


def _show_watches(watches: list[Watch], *, json: bool) -> None:
    if json:
        say_json({"watches": watches})
        return
    for entry in watches:
        part = entry.selector or entry.find or ""
        checked = _time_text(entry.checked_at)
        say("\t".join([str(entry.id), entry.url, f"{entry.every_s:g} s", part, checked, entry.error or ""]).rstrip())


def _show_versions(versions: list[WatchVersion], *, json: bool) -> None:
    if json:
        say_json({"changes": versions})
        return
    for version in versions:
        say(f"{_time_text(version.found_at)}\n{version.earlier_snapshot_id} → {version.snapshot_id}\n{version.diff}")
