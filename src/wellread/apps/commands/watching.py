"""The command `watch`: pages that are checked for changes."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Literal

import click

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
from wellread.apps.commands.parameters import Argument, Option
from wellread.apps.console import escape, stderr_console
from wellread.apps.serialize import as_plain, error_json
from wellread.apps.terminal import blame, say, say_json, show_empty, show_notices, without_controls
from wellread.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Callable

    from wellread.apps.build import Web
    from wellread.crawl.watch_store import Watch, WatchStore, WatchVersion
    from wellread.crawl.watcher import WatchOutcome

Action = Literal["add", "list", "diff", "remove", "run"]

_DURATION = re.compile(r"([0-9]{1,6}(?:\.[0-9]{1,3})?)\s?(s|m|min|h|d|w)?")
_UNIT_S = {None: 1, "s": 1, "m": 60, "min": 60, "h": 3_600, "d": 86_400, "w": 604_800}
_ADD = "wellread watch add URL"
_MAX_PAUSE_S = 60.0
"""While --loop waits: watches of other processes are noticed within this time."""


def watch(
    context: click.Context,
    action: Annotated[Action, Argument(help="Action to run.")] = "list",
    words: Annotated[
        list[str] | None,
        Argument(
            help="add: the URL; diff and remove: number or URL of a watch; run: the same, several.", metavar="WORDS"
        ),
    ] = None,
    *,
    every: Annotated[str, Option(help="add: time between two checks, such as 30m, 6h or 1d.", metavar="TIME")] = "1h",
    selector: Annotated[
        str | None, Option(help="add: compare only elements that match this CSS selector.", metavar="CSS")
    ] = None,
    find: Annotated[str | None, Option(help="add: compare only lines that have these words.", metavar="WORDS")] = None,
    webhook: Annotated[
        str | None, Option(help="add: address that each change is posted to, signed.", metavar="URL")
    ] = None,
    keep: Annotated[int, Option(help="add: versions of the text to store.", min=1, max=10_000)] = 50,
    count: Annotated[int, Option(help="diff: number of changes to show, newest first.", min=1)] = 1,
    loop: Annotated[bool, Option("--loop", help="run: go on, and check each page when it is due.")] = False,
    user_asked: UserAsked = False,
    json: Json = False,
    proxy: ProxyOption = None,
    replay: Replay = None,
) -> None:
    """Watch pages for changes of their text.

    Actions: add URL; list; diff and remove ID or URL; run, which checks once the pages that are due, or those that are
    named.
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
        if arguments and loop:
            guarded(_refuse_loop, json=json)
        _run_checks(context, arguments, loop=loop, json=json, proxy=proxy, replay=replay)
    else:
        guarded(lambda: _with_store(context, lambda store: _do(action, store, arguments, count, json=json)), json=json)


def _run_checks(
    context: click.Context, words: list[str], *, loop: bool, json: bool, proxy: ProxyOption, replay: Replay
) -> None:
    async def check(web: Web) -> bool:
        import anyio

        with web.watcher() as watcher:
            ids = [_watch_id(watcher.store, word) for word in words]
            while True:
                outcomes = await watcher.check_due(ids)
                _show_outcomes(outcomes, json=json)
                if not outcomes and not loop and not json:
                    _show_nothing_due(watcher.store)
                if not loop:
                    return any(outcome.error is not None for outcome in outcomes)
                next_at = watcher.store.next_at()
                pause_s = _MAX_PAUSE_S
                if next_at is not None:
                    pause_s = min(max(next_at - web.parts.clock.now().timestamp(), 0.0), _MAX_PAUSE_S)
                await anyio.sleep(pause_s)

    if run(context, check, json=json, proxy=proxy, replay=replay):
        raise click.exceptions.Exit(1)


def _with_store(context: click.Context, work: Callable[[WatchStore], None]) -> None:
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
    watch_id = _watch_id(store, _single(arguments, "the number or the URL of a watch"))
    if action == "remove":
        removed = store.remove(watch_id)
        if json:
            say_json(removed)
        else:
            say(f"removed\t{removed.id}\t{removed.url}")
        return
    versions = store.changes(watch_id, limit=count)
    _show_versions(versions, json=json)
    if not versions and not json:
        stderr_console.print(f"[dim]\u2014 no change of watch {watch_id} yet[/]")


def _single(arguments: list[str], name: str) -> str:
    if len(arguments) != 1:
        raise InvalidInput(f"this action takes {name}", hint="see `wellread watch --help`")
    return arguments[0]


def _refuse_loop() -> None:
    raise InvalidInput("--loop checks all pages when they are due", hint="leave out the numbers, or --loop")


def _watch_id(store: WatchStore, word: str) -> int:
    """Return the number of the watch that `word` is the number or the URL of.

    Raises:
        InvalidInput: no page with this URL is watched, or several parts of it are.
    """
    if word.isascii() and word.isdigit() and len(word) < 10:
        return int(word)
    ids = store.ids_of(word)
    if len(ids) > 1:
        numbers = ", ".join(map(str, ids))
        raise InvalidInput(f"{word[:200]} is watched as numbers {numbers}", hint="give one of the numbers")
    if not ids:
        message = f"{word[:200]!r} is neither the number nor the URL of a watch"
        raise InvalidInput(message, hint="`wellread watch list` shows them")
    return ids[0]


def _show_nothing_due(store: WatchStore) -> None:
    """Print that no page was checked, and which one is due next."""
    watches = store.watches()
    if not watches:
        show_empty("no page is watched", _ADD)
        return
    following = min(watches, key=lambda watch: watch.next_at)
    url = escape(without_controls(following.url))
    stderr_console.print(f"[dim]\u2014 0 checked; next: {url} at {_time_text(following.next_at)}[/]")


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
        show_notices(outcome.notices)


def _show_watches(watches: list[Watch], *, json: bool) -> None:
    if json:
        say_json({"watches": watches})
        return
    if not watches:
        show_empty("no page is watched", _ADD)
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
