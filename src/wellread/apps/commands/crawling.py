"""The commands `map`, `crawl` and `crawl-worker`, which work through whole sites."""

from __future__ import annotations

from collections import Counter
from contextlib import aclosing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import click

from wellread.apps.batch_output import require_pyarrow, to_parquet
from wellread.apps.commands.options import (
    Json,
    OutOption,
    ProxyOption,
    Record,
    Replay,
    ScrollOption,
    Url,
    Urls,
    UserAsked,
    given_urls,
    guarded,
    in_file,
    run,
    web_url,
)
from wellread.apps.commands.parameters import Option
from wellread.apps.commands.single_result import SingleResult
from wellread.apps.console import stderr_console
from wellread.apps.serialize import as_json, error_json
from wellread.apps.terminal import (
    say_json,
    show_crawl_interrupt,
    show_crawl_record,
    show_crawl_summary,
    show_frequent_error,
    show_site_map,
)
from wellread.errors import InvalidInput, reason_line
from wellread.text.counts import count_of
from wellread.types import Format, Render
from wellread.values import Address

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import BinaryIO

    from wellread.apps.build import Web
    from wellread.crawl.crawl import Crawl
    from wellread.crawl.crawl_options import CrawlArguments
    from wellread.crawl.crawler import CrawlProgress
    from wellread.types import CrawlRecord, CrawlState

_OWN_COLUMNS = {"url": str, "state": str, "depth": int, "parent": str, "duplicate_of": str, "reason": str}
"""Of Parquet, before those of a page."""
_REFRESH_S = 0.5
"""Between two lines of progress."""

FrontierOption = Annotated[
    str | None,
    Option(
        "--frontier",
        help="The PostgreSQL database that workers on other machines share, or @FILE that has it, in place of the "
        "setting crawl.frontier.",
        metavar="URL",
    ),
]
EventsOption = Annotated[
    Path | None, Option("--events", help="Append one JSON object per URL to this file.", metavar="FILE")
]
JsonlOption = Annotated[bool, Option("--jsonl", help="One JSON object per URL when it is done, then one sum.")]


@dataclass(frozen=True, slots=True)
class CrawlRun:
    """The end of a run of a crawl."""

    progress: CrawlProgress
    states: Mapping[CrawlState, int]
    """How many URLs this run has done, by state."""


def map(  # noqa: A001 - the name of the command
    context: click.Context,
    url: Url,
    *,
    search: Annotated[
        str | None, Option(help="Only URLs with some of these words, in URL or title.", metavar="WORDS")
    ] = None,
    limit: Annotated[int, Option(help="Most URLs to print.", min=1)] = 5_000,
    depth: Annotated[int, Option(help="Links to follow from URL; 0: site maps only.", min=0, max=10)] = 1,
    subdomains: Annotated[bool, Option("--subdomains", help="Also URLs on subdomains of the host.")] = False,
    user_asked: UserAsked = False,
    out: OutOption = None,
    json: Json = False,
    proxy: ProxyOption = None,
    record: Record = None,
    replay: Replay = None,
) -> None:
    """List the URLs of a site: from its site maps, its feeds and its links. Exit code 1 when there is none."""
    result = SingleResult(f"{url} {search or ''}".strip(), out, json=json)
    site_map = run(
        context,
        lambda web: web.map(
            web_url(url), search=search, limit=limit, depth=depth, subdomains=subdomains, user_asked=user_asked
        ),
        json=json,
        proxy=proxy,
        record=record,
        replay=replay,
    )
    result.show(site_map, lambda: show_site_map(site_map))
    if not site_map.entries:
        raise click.exceptions.Exit(1)


def crawl(
    context: click.Context,
    urls: Urls,
    *,
    out: Annotated[Path, Option("--out", "-o", help="The folder of the crawl.", metavar="DIR")],
    limit: Annotated[int, Option(help="Most URLs to ask for, over all runs.", min=1)] = 100,
    depth: Annotated[int, Option(help="Links to follow from a URL.", min=0)] = 5,
    include: Annotated[list[str] | None, Option(help="Only URLs that match; may be repeated.", metavar="GLOB")] = None,
    exclude: Annotated[list[str] | None, Option(help="No URLs that match; may be repeated.", metavar="GLOB")] = None,
    subdomains: Annotated[bool, Option("--subdomains", help="Also subdomains of the hosts.")] = False,
    sitemap: Annotated[
        Literal["include", "only", "skip"], Option(help="Site maps beside links, alone, or not at all.")
    ] = "include",
    max_bytes: Annotated[int | None, Option(help="Most bytes of all pages, over all runs.", min=1)] = None,
    max_time: Annotated[
        float | None, Option(help="Seconds after which no page is asked for, over all runs.", min=1)
    ] = None,
    render: Annotated[Render, Option(help="Use a browser; what it loads is not recorded.")] = "never",
    scroll: ScrollOption = "auto",
    format: Annotated[Format, Option(help="The format of the text.")] = "markdown",
    index: Annotated[bool, Option("--index", help="Add each page to the local index.")] = False,
    recrawl: Annotated[Literal["changed"] | None, Option(help="Ask for the pages of a finished crawl again.")] = None,
    concurrency: Annotated[int, Option(help="Hosts that are asked at a time.", min=1, max=100)] = 8,
    user_asked: UserAsked = False,
    frontier: FrontierOption = None,
    parquet: Annotated[bool, Option("--parquet", help="At the end, also write DIR/pages.parquet.")] = False,
    events: EventsOption = None,
    json: Json = False,
    jsonl: JsonlOption = False,
    proxy: ProxyOption = None,
    replay: Replay = None,
) -> None:
    """Crawl sites into a folder: pages.jsonl, the recorded traffic, and the state that the same command goes on from.

    Exit code 1 when pages were asked for and none could be read.
    """
    options: CrawlArguments = {
        "limit": limit,
        "depth": depth,
        "include": tuple(include or ()),
        "exclude": tuple(exclude or ()),
        "subdomains": subdomains,
        "sitemap": sitemap,
        "max_bytes": max_bytes,
        "max_time_s": max_time,
        "render": render,
        "scroll": scroll,
        "format": format,
        "index": index,
        "user_asked": user_asked,
        "recrawl": recrawl,
        "concurrency": concurrency,
    }
    output_format = _output_format(json=json, jsonl=jsonl)
    starts = guarded(lambda: given_urls(urls), json=json)
    if parquet:
        guarded(require_pyarrow, json=json)

    async def work(web: Web) -> CrawlRun | None:
        if frontier is not None:
            options["frontier"] = Address(in_file(frontier).strip())
        return await _show_records(web.crawl(starts, out=out, **options), out, output_format, events)

    ended = run(context, work, json=json, proxy=proxy, replay=replay)
    if ended is None:
        return
    if parquet:
        from wellread.crawl.crawl_folder import PAGES

        to_parquet(out / PAGES, out / "pages.parquet", _OWN_COLUMNS)
    bounds = {
        "limit": f"--limit {limit}",
        "depth": f"--depth {depth}",
        "bytes": f"--max-bytes {max_bytes}",
        "time": f"--max-time {max_time or 0:g}",
    }
    _show_end(ended, out, output_format, bounds=bounds, user_asked=user_asked)


def crawl_worker(
    context: click.Context,
    *,
    out: Annotated[Path, Option("--out", "-o", help="The folder of this worker.", metavar="DIR")],
    frontier: FrontierOption = None,
    max_time: Annotated[
        float | None, Option(help="Seconds after which no page is asked for, over all runs.", min=1)
    ] = None,
    index: Annotated[bool, Option("--index", help="Add each page to the local index.")] = False,
    concurrency: Annotated[int, Option(help="Hosts that are asked at a time.", min=1, max=100)] = 8,
    events: EventsOption = None,
    json: Json = False,
    jsonl: JsonlOption = False,
    proxy: ProxyOption = None,
) -> None:
    """Help with a crawl that `crawl --frontier` has started, from this or another machine, until it ends.

    Exit code 1 when pages were asked for and none could be read.
    """
    output_format = _output_format(json=json, jsonl=jsonl)

    async def work(web: Web) -> CrawlRun | None:
        address = Address(in_file(frontier).strip()) if frontier is not None else None
        records = web.crawl_worker(out=out, frontier=address, concurrency=concurrency, index=index, max_time_s=max_time)
        return await _show_records(records, out, output_format, events)

    ended = run(context, work, json=json, proxy=proxy)
    if ended is not None:
        bounds = {
            "limit": "--limit of `wellread crawl`",
            "depth": "--depth of `wellread crawl`",
            "time": f"--max-time {max_time or 0:g}",
        }
        _show_end(ended, out, output_format, bounds=bounds, user_asked=False)


def _output_format(*, json: bool, jsonl: bool) -> str:
    if json:
        return "json"
    return "jsonl" if jsonl else "text"


def _show_end(ended: CrawlRun, out: Path, output_format: str, *, bounds: Mapping[str, str], user_asked: bool) -> None:
    """Show the totals of a crawl; exit with 1 if pages were asked for and none could be read.

    `bounds` has the options that bound it.
    """
    from wellread.crawl.url_targets import READ_STATES

    progress = ended.progress
    states = progress.counts.states
    read_count = sum(states[state] for state in READ_STATES)
    if output_format == "text":
        show_crawl_summary(
            progress,
            out,
            ended.states,
            stopping_option=bounds.get(progress.stopped_by, ""),
            depth_option=bounds["depth"],
        )
        if states["failed"]:
            _show_frequent_error(out, "failed", user_asked=user_asked)
        elif states["skipped"] and not read_count:
            _show_frequent_error(out, "skipped", user_asked=user_asked)
    else:
        is_line = output_format == "jsonl"
        say_json({"summary": progress} if is_line else progress, indent=None if is_line else 2)
    if progress.counts.asked_count and not read_count:
        raise click.exceptions.Exit(1)


def _show_frequent_error(out: Path, state: CrawlState, *, user_asked: bool) -> None:
    """Show the most frequent error of the URLs in `state`, of all runs into the folder, with one next step."""
    from wellread.crawl.crawl_folder import may_succeed, stored_errors

    errors = list(stored_errors(out, state))
    if not errors:
        return
    ((code, count),) = Counter(error["code"] for error in errors).most_common(1)
    error = next(error for error in errors if error["code"] == code)
    steps = list(filter(None, [error["hint"]]))
    if may_succeed(error, render="always", user_asked=user_asked):  # as the hint of a page that needs a browser says
        steps.append("run the same command again")
    show_frequent_error(code, count=count, total=len(errors), next_step=", then ".join(steps))


@contextmanager
def _event_file(path: Path | None) -> Iterator[BinaryIO | None]:
    """Open the file of --events to append to it.

    Raises:
        InvalidInput: it cannot be written.
    """
    if path is None:
        yield None
        return
    try:
        file = path.open("ab", buffering=0)
    except OSError as error:
        raise InvalidInput(f"cannot write {path}: {reason_line(error)}", hint="name another file") from error
    with file:
        yield file


async def _show_records(records: Crawl, out: Path, output_format: str, events: Path | None) -> CrawlRun | None:
    """Show each record as it comes, and the progress in one line at a terminal; return the last progress.

    After Ctrl-C, show what was done and how to continue.
    """
    import anyio

    states: Counter[CrawlState] = Counter()
    try:
        await _show_each_record(records, output_format, events, states)
    except anyio.get_cancelled_exc_class():  # Ctrl-C cancels the main task
        progress = records.progress()
        if progress is not None:
            show_crawl_interrupt(progress, out, states)
        raise
    last_progress = records.progress()
    if last_progress is None:
        return None
    return CrawlRun(last_progress, states)


async def _show_each_record(
    records: Crawl, output_format: str, events: Path | None, states: Counter[CrawlState]
) -> None:
    """Show each record as it comes, and count it in `states`."""
    import anyio

    errors: Counter[str] = Counter()
    started_at = shown_at = anyio.current_time()
    with _event_file(events) as event_file, stderr_console.status("crawling") as show_status:
        async with aclosing(records):
            async for record in records:
                states[record.state] += 1
                if record.error is not None:
                    errors[record.error.code] += 1
                if event_file is not None:
                    event_file.write(as_json(_event(record), indent=None).encode("utf-8", "replace") + b"\n")
                if output_format == "jsonl":
                    say_json(_event(record), indent=None)
                elif output_format == "text":
                    is_first = record.error is not None and errors[record.error.code] == 1
                    show_crawl_record(record, hint=is_first)
                now = anyio.current_time()
                if now - shown_at < _REFRESH_S:
                    continue
                progress = await anyio.to_thread.run_sync(records.progress)
                if progress is not None:
                    show_status(_progress_line(progress, states.total() / (now - started_at), errors))
                    shown_at = now


def _event(record: CrawlRecord) -> dict[str, object]:
    """Return a record without the text of its page, which is in `pages.jsonl`."""
    fields = record.own_fields()
    if record.error is not None:
        fields |= error_json(record.error)
    return fields


def _progress_line(progress: CrawlProgress, pages_per_s: float, errors: Counter[str]) -> str:
    """Return how far a crawl is: done and known URLs, pages per second, hosts, time left, errors by code."""
    counts = progress.counts
    done = sum(counts.states.values())
    facts = [
        f"{done:,} of {done + counts.waiting + counts.leased:,}",
        f"{pages_per_s:.1f}/s",
        count_of(counts.hosts, "host"),
    ]
    if pages_per_s > 0:
        facts.append(f"{counts.waiting / pages_per_s:,.0f} s left")
    facts += [f"{code} {count:,}" for code, count in errors.most_common(3)]
    return " · ".join(facts)
