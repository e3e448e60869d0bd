"""The commands `find`, `download` and `index`."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import click

from wellread.apps.commands.options import (
    AllNotices,
    AuthOption,
    BearerOption,
    Concurrency,
    CookiesOption,
    HeadersOption,
    Json,
    OutOption,
    ProfileOption,
    ProxyOption,
    Record,
    RenderOption,
    Replay,
    ScrollOption,
    Url,
    Urls,
    UserAsked,
    given_urls,
    guarded,
    run,
    sign_in_options,
    web_url,
)
from wellread.apps.commands.parameters import Argument, Option
from wellread.apps.commands.single_result import SingleResult
from wellread.apps.serialize import as_plain, error_json, with_notices
from wellread.apps.terminal import (
    blame,
    counted,
    say,
    say_json,
    show_download,
    show_empty,
    show_index_summary,
    show_matches,
    show_outcome,
)
from wellread.errors import InvalidUsage, WellreadError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from wellread.apps.build import Web
    from wellread.apps.indexing import IndexedPage, IndexSummary
    from wellread.net.downloads import Download


def find(
    context: click.Context,
    url: Url,
    pattern: Annotated[str, Argument(help="Text to find; upper and lower case are equal.", metavar="PATTERN")],
    *,
    regex: Annotated[bool, Option("--regex", help="Treat PATTERN as a regular expression.")] = False,
    limit: Annotated[int, Option(help="Maximum number of matches to show.", min=1)] = 10,
    render: RenderOption = "auto",
    scroll: ScrollOption = "auto",
    headers: HeadersOption = None,
    cookies: CookiesOption = None,
    auth: AuthOption = None,
    bearer: BearerOption = None,
    profile: ProfileOption = None,
    all_notices: AllNotices = False,
    out: OutOption = None,
    json: Json = False,
    proxy: ProxyOption = None,
    record: Record = None,
    replay: Replay = None,
) -> None:
    """Find text on a page and show each match with its context.

    The exit code is 1 if nothing matches.
    """
    sign_in = guarded(
        lambda: sign_in_options(headers=headers, cookies=cookies, auth=auth, bearer=bearer, profile=profile), json=json
    )
    result = SingleResult(f"{url} {pattern}", out, json=json)
    matches = run(
        context,
        lambda web: web.find(web_url(url), pattern, regex=regex, limit=limit, render=render, scroll=scroll, **sign_in),
        json=json,
        proxy=proxy,
        record=record,
        replay=replay,
    )
    matches = with_notices(matches, all_notices=all_notices)
    result.show(matches, lambda: show_matches(matches))
    if not matches.matches:
        raise click.exceptions.Exit(1)


def download(
    context: click.Context,
    urls: Urls,
    *,
    to: Annotated[str, Option(help="Folder or file to save to; a folder that ends with / is created.")] = ".",
    sha256: Annotated[str | None, Option(help="Fail if the SHA-256 checksum of the file is different.")] = None,
    skip_existing: Annotated[bool, Option("--skip-existing", help="Skip files whose name already exists.")] = False,
    overwrite: Annotated[bool, Option("--overwrite", help="Replace existing files.")] = False,
    concurrency: Concurrency = 4,
    headers: HeadersOption = None,
    cookies: CookiesOption = None,
    auth: AuthOption = None,
    bearer: BearerOption = None,
    profile: ProfileOption = None,
    json: Json = False,
    proxy: ProxyOption = None,
    record: Record = None,
    replay: Replay = None,
) -> None:
    """Download files under safe names, and resume interrupted downloads.

    Existing files are not replaced unless --overwrite is set. With several URLs, the results are printed in the order
    of the URLs, with --json as one object per line, and the exit code is 1 if a download fails.
    """
    if skip_existing and overwrite:
        raise InvalidUsage("--skip-existing and --overwrite exclude each other", hint="use one of them")
    sign_in = guarded(
        lambda: sign_in_options(headers=headers, cookies=cookies, auth=auth, bearer=bearer, profile=profile), json=json
    )
    if len(urls) > 1 or urls == ["-"]:
        if sha256 is not None or not (to.endswith("/") or Path(to).is_dir()):
            raise InvalidUsage(
                "with several URLs, --to must be a folder and --sha256 cannot be used", hint="use --to files/"
            )
        listed_urls = guarded(lambda: given_urls(urls), json=json)

        async def work(web: Web) -> int:
            results = web.download_many(
                listed_urls,
                to=to,
                skip_existing=skip_existing,
                overwrite=overwrite,
                concurrency=concurrency,
                **sign_in,
            )
            return await _download_many(results, listed_urls, json=json)

        failed = run(context, work, json=json, proxy=proxy, record=record, replay=replay)
        if failed:
            raise click.exceptions.Exit(1)
        return
    saved = run(
        context,
        lambda web: web.download(
            web_url(urls[0]), to=to, sha256=sha256, skip_existing=skip_existing, overwrite=overwrite, **sign_in
        ),
        json=json,
        proxy=proxy,
        record=record,
        replay=replay,
    )
    if json:
        say_json(saved)
    else:
        show_download(saved)


async def _download_many(results: AsyncIterator[Download | WellreadError], urls: list[str], *, json: bool) -> int:
    """Show each file or error as it comes, and return the number of errors."""
    failed = 0
    for url in urls:
        result = await anext(results)
        failed += isinstance(result, WellreadError)
        if json:
            fields = error_json(result) if isinstance(result, WellreadError) else as_plain(result)
            say_json({"source": url} | fields, indent=None)
        elif isinstance(result, WellreadError):
            blame(result.code, f"{url}: {result.message}", result.hint)
        else:
            show_download(result)
    return failed


_ACTIONS = {
    "add": "index SOURCE...",
    "list": "index --list",
    "remove": "index --remove SOURCE...",
    "search": "search WORDS --provider local",
}
"""Actions of other commands with a list -> how to run them with the index."""


def index(
    context: click.Context,
    sources: Annotated[
        list[str] | None,
        Argument(
            help="URLs, site maps, files, folders, WARC files, or - for standard input. Without a source, "
            "the index is listed.",
            metavar="SOURCE",
        ),
    ] = None,
    *,
    sitemap: Annotated[bool, Option("--sitemap", help="Add all pages that the site maps of the URL list.")] = False,
    other_hosts: Annotated[bool, Option("--other-hosts", help="Also add pages and site maps on other hosts.")] = False,
    limit: Annotated[int, Option(help="Maximum number of pages per source.", min=1)] = 10_000,
    remove: Annotated[bool, Option("--remove", help="Remove these URLs, files and folders from the index.")] = False,
    listed: Annotated[bool, Option("--list", help="List the pages in the index.")] = False,
    url: Annotated[str | None, Option(help="Address of standard input in hits and citations.")] = None,
    user_asked: UserAsked = False,
    json: Json = False,
    jsonl: Annotated[
        bool,
        Option("--jsonl", help="Print one JSON object per page when it is done, and one with the totals at the end."),
    ] = False,
    proxy: ProxyOption = None,
    record: Record = None,
    replay: Replay = None,
) -> None:
    """Add pages and files to the local index, which `search` and `gather` can use.

    Unchanged pages are skipped, so an interrupted run continues when you start it again. A page that fails does not end
    the run; the exit code is then 1.
    """
    output_format = "text"
    if json:
        output_format = "json"
    elif jsonl:
        output_format = "jsonl"
    if sources and sources[0] in _ACTIONS and not Path(sources[0]).exists():
        raise InvalidUsage(f"{sources[0]} is not a file, folder or URL", hint=f"run `wellread {_ACTIONS[sources[0]]}`")
    if listed or not sources:
        _list(
            run(context, lambda web: web.indexed(), json=output_format != "text", proxy=proxy, replay=replay),
            output_format,
        )
        return
    # Loaded here so that `wellread --help` does not wait for the parsers.
    from wellread.apps import indexing
    from wellread.apps.index_sources import SourceSelection

    selection = SourceSelection(limit=limit, sitemap=sitemap, other_hosts=other_hosts, user_asked=user_asked, url=url)

    async def work(web: Web) -> IndexSummary:
        if remove:
            return await indexing.remove(web, sources, tell=partial(_tell, output_format))
        with counted() as (advance, expect):

            def tell(row: IndexedPage) -> None:
                advance()
                _tell(output_format, row)

            return await indexing.index(web, sources, selection, tell=tell, expect=expect)

    summary = run(context, work, json=output_format != "text", proxy=proxy, record=record, replay=replay)
    _sum_up(summary, output_format)
    if not {"failed", "not there"}.isdisjoint(row.outcome for row in summary.pages):
        raise click.exceptions.Exit(1)


def _list(urls: tuple[str, ...], output_format: str) -> None:
    if output_format == "json":
        say_json({"urls": urls})
        return
    if not urls and output_format == "text":
        show_empty("the local index is empty", "wellread index URL")
    for url in urls:
        if output_format == "jsonl":
            say_json({"url": url}, indent=None)
        else:
            say(url)


def _tell(output_format: str, row: IndexedPage) -> None:
    if output_format == "jsonl":
        say_json(row, indent=None)
    elif output_format == "text":
        show_outcome(row)


def _sum_up(summary: IndexSummary, output_format: str) -> None:
    if output_format == "json":
        say_json(summary)
    elif output_format == "jsonl":
        say_json({"counts": summary.counts, "notes": summary.notes}, indent=None)
    else:
        show_index_summary(summary)
