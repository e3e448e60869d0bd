"""The commands `read`, `search` and `verify`."""

from __future__ import annotations

import sys
from collections import deque
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

import click

from wellread.apps import exit_codes
from wellread.apps.commands.options import (
    AllNotices,
    AuthOption,
    BearerOption,
    Concurrency,
    CookiesOption,
    HeadersOption,
    Json,
    LinksOption,
    MemberOption,
    ModeOption,
    OutOption,
    ProfileOption,
    Provider,
    ProxyOption,
    Record,
    RenderOption,
    Replay,
    ScrollOption,
    SelectorOption,
    Urls,
    UserAsked,
    WaitOption,
    given_urls,
    guarded,
    run,
    sign_in_options,
    web_url,
)
from wellread.apps.commands.parameters import Argument, Option
from wellread.apps.commands.single_result import SingleResult
from wellread.apps.serialize import citations_from, error_row, page_row, with_notices
from wellread.apps.terminal import counted, say_json, show_hits, show_page, show_uncovered, show_verdicts
from wellread.errors import InvalidInput, InvalidUsage, WellreadError, reason_line

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator

    from wellread.apps.build import Web
    from wellread.apps.serialize import CitedResult
    from wellread.reading.read_options import ReadOptions
    from wellread.types import Page


def read(
    context: click.Context,
    urls: Urls,
    *,
    format: Annotated[
        Literal["markdown", "text", "html", "raw", "links", "json"],
        Option(
            help="Output format; raw: the source of the page; links: every link of the page with its place, menus and "
            "footer included."
        ),
    ] = "markdown",
    max_length: Annotated[
        int | None, Option(help="Maximum number of characters; the text is cut between blocks.", min=1)
    ] = None,
    max_tokens: Annotated[
        int | None, Option(help="Maximum number of tokens, by an upper estimate that holds for any model.", min=1)
    ] = None,
    cursor: Annotated[str | None, Option(help="Cursor of the last piece, to print the next one.")] = None,
    mode: ModeOption = "balanced",
    images: Annotated[
        bool, Option("--images", help="Print the images of the content as links, with their captions.")
    ] = False,
    links: LinksOption = "inline",
    all_links: Annotated[
        bool, Option("--all-links", help="Add every link of the page to the JSON, menus and footer included.")
    ] = False,
    fresh: Annotated[
        bool, Option("--fresh", "--no-cache", help="Fetch the page again instead of using the cache.")
    ] = False,
    render: RenderOption = "auto",
    scroll: ScrollOption = "auto",
    wait: WaitOption = None,
    selector: SelectorOption = None,
    member: MemberOption = None,
    headers: HeadersOption = None,
    cookies: CookiesOption = None,
    auth: AuthOption = None,
    bearer: BearerOption = None,
    profile: ProfileOption = None,
    user_asked: UserAsked = False,
    all_notices: AllNotices = False,
    concurrency: Concurrency = 8,
    out: OutOption = None,
    json: Json = False,
    proxy: ProxyOption = None,
    record: Record = None,
    replay: Replay = None,
) -> None:
    """Read pages and documents as clean markdown, text or HTML.

    The text is printed to standard output, below its title. Warnings and the cursor of the next piece are printed to
    standard error. With several URLs, the results are printed in the order of the URLs, with --json as one object per
    line, and the exit code is 1 if a page fails. To continue an interrupted run, give the same --out again.
    """
    wants_json = json or format == "json"
    sign_in = guarded(
        lambda: sign_in_options(headers=headers, cookies=cookies, auth=auth, bearer=bearer, profile=profile),
        json=wants_json,
    )
    options: ReadOptions = {
        "format": "markdown" if format == "json" else format,
        "all_links": all_links,
        "max_length": max_length,
        "max_tokens": max_tokens,
        "cursor": cursor,
        "mode": mode,
        "images": images,
        "links": links,
        "fresh": fresh,
        "user_asked": user_asked,
        "render": render,
        "scroll": scroll,
        "wait": wait,
        "selector": selector,
        "member": member,
        **sign_in,
    }
    if len(urls) > 1 or urls == ["-"] or out is not None:
        run_with_web = partial(run, context, json=wants_json, proxy=proxy, record=record, replay=replay)
        page_format = "json" if wants_json else format
        _read_many(run_with_web, urls, options, ManyPages(concurrency, out, page_format, all_notices))
        return

    async def work(web: Web) -> tuple[Page, float | None]:
        page = await web.read(web_url(urls[0]), **options)
        return page, await _age_s(web, page)

    page, age_s = run(
        context,
        work,
        json=wants_json,
        proxy=proxy,
        record=record,
        replay=replay,
    )
    page = with_notices(page, all_notices=all_notices)
    if wants_json:
        say_json(page)
    else:
        show_page(page, body_only=mode == "precision", age_s=age_s)


async def _age_s(web: Web, page: Page) -> float | None:
    """Return the age of a page from the cache in seconds; None for another page, or if its snapshot is gone."""
    from anyio import to_thread

    if not page.cached:
        return None
    snapshot = await to_thread.run_sync(web.parts.store.by_id, page.snapshot_id)
    if snapshot is None:
        return None
    return web.parts.clock.now().timestamp() - snapshot.fetched_at


class ManyPages(NamedTuple):
    """Options for reading and showing many pages."""

    concurrency: int
    out: str | None
    format: str
    all_notices: bool


def _read_many(
    run_with_web: Callable[[Callable[[Web], Awaitable[None]]], None],
    urls: list[str],
    options: ReadOptions,
    many: ManyPages,
) -> None:
    """Read several pages, or one into a file, and show or write each as it comes."""
    # Loaded here so that `wellread --help` does not wait for it.
    from wellread.apps.commands.page_results import ResultPrinter
    from wellread.apps.output_files import output_file

    json = many.format == "json"
    read_urls = guarded(lambda: _listed(urls, options), json=json)
    is_single = len(read_urls) == 1
    output = (
        guarded(lambda: many.out and output_file(many.out, format=many.format, single=is_single), json=json) or None
    )
    with output or nullcontext():
        body_only = options["mode"] == "precision"
        results = ResultPrinter(output, json=json, headed=not is_single, body_only=body_only)

        async def work(web: Web) -> None:
            sources: deque[str] = deque()

            def left() -> Iterator[str]:
                for url in read_urls:
                    if output is None or not output.skip_if_done(url):
                        sources.append(url)
                        yield url

            with counted() as (advance, expect):
                expect(len(read_urls))
                async for result in web.read_many(left(), concurrency=many.concurrency, **options):
                    results.add(sources.popleft(), _row(result, all_notices=many.all_notices))
                    advance()

        with results.interruption(many.out):
            run_with_web(work)
    if output is not None:
        results.sum_up(many.out)
    if results.failed:
        raise click.exceptions.Exit(exit_codes.STATUS_BY_CODE[results.code].exit_code if is_single else 1)


def _listed(urls: list[str], options: ReadOptions) -> list[str]:
    """Return the URLs to read.

    Raises:
        InvalidUsage: there are several, and an option is of one page.
    """
    read_urls = given_urls(urls)
    for name in ("cursor", "member"):
        if len(read_urls) != 1 and options.get(name) is not None:
            raise InvalidUsage(
                f"--{name} applies to one page, but {len(read_urls)} URLs are given", hint="give one URL"
            )
    return read_urls


def _row(result: Page | WellreadError, *, all_notices: bool) -> bytes:
    """Return the row of one of many results."""
    if isinstance(result, WellreadError):
        return error_row(result)
    return page_row(result, all_notices=all_notices)


def search(
    context: click.Context,
    query: Annotated[str, Argument(help="Words to search for.", metavar="QUERY")],
    *,
    count: Annotated[int, Option(help="Maximum number of hits.", min=1, max=100)] = 10,
    region: Annotated[str | None, Option(help="Country code, such as US.")] = None,
    freshness: Annotated[
        Literal["day", "week", "month", "year"] | None, Option(help="Maximum age of the hits.")
    ] = None,
    provider: Provider = None,
    out: OutOption = None,
    json: Json = False,
    proxy: ProxyOption = None,
    record: Record = None,
    replay: Replay = None,
) -> None:
    """Search the web with the configured services, or the local index.

    Without a configured service, the services that need no key are asked.
    """
    result = SingleResult(query, out, json=json)
    results = run(
        context,
        lambda web: web.search(query, count=count, region=region, freshness=freshness),
        json=json,
        providers=provider,
        proxy=proxy,
        record=record,
        replay=replay,
    )
    result.show(results, lambda: show_hits(results))
    raise click.exceptions.Exit(exit_codes.search_exit_code(results))


def verify(
    context: click.Context,
    file: Annotated[
        Path, Argument(help="JSON of gather, answer or research, or - for standard input.", metavar="FILE")
    ],
    *,
    read_again: Annotated[
        bool, Option("--read-again", help="If a snapshot is not stored, read its page again.")
    ] = False,
    profile: ProfileOption = None,
    json: Json = False,
    proxy: ProxyOption = None,
    replay: Replay = None,
) -> None:
    """Verify citations: compare each passage with the stored snapshot of its page.

    Each sentence of an answer must have its numbers with their units, its dates, names and negations in the passages
    that it cites, and the text of the answer must have no other sentences. The exit code is 1 if a citation is not
    verified. With --replay, the pages are read again from the recording.
    """
    cited = guarded(lambda: _cited(file), json=json)
    is_read_again = read_again or replay is not None
    verdicts = run(
        context,
        lambda web: web.verify(cited.passages, read_again=is_read_again, profile=profile),
        json=json,
        proxy=proxy,
        replay=replay,
    )
    from wellread.citations.verification import with_support  # other commands need no words and numbers of sentences

    verdicts = with_support(verdicts, cited.claims)
    if json:
        say_json([*verdicts, *cited.uncovered])
    else:
        show_verdicts(verdicts)
        show_uncovered(cited.uncovered)
    if not all(verdict.ok for verdict in verdicts) or not all(part.ok for part in cited.uncovered):
        raise click.exceptions.Exit(1)


def _cited(file: Path) -> CitedResult:
    cited = citations_from(_text_of(file))
    if not cited.passages and not cited.uncovered:
        raise InvalidInput(f"{file} has no citations")
    return cited


def _text_of(file: Path) -> str:
    return _bytes_of(file).decode("utf-8", "replace")


def _bytes_of(file: Path) -> bytes:
    try:
        return sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
    except OSError as error:
        raise InvalidInput(f"cannot read {file}: {reason_line(error)}") from error
