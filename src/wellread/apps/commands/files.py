"""Commands that look into pages or keep what is there: find, download, index."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from wellread.apps.commands.options import (
    AllNotices,
    Json,
    OutOption,
    Record,
    RenderOption,
    Replay,
    Url,
    UserAsked,
    run,
    web_url,
)
from wellread.apps.commands.single_result import SingleResult
from wellread.apps.shapes import with_notices
from wellread.apps.terminal import counted, say, say_json, show_download, show_outcome, show_spots, show_told

if TYPE_CHECKING:
    from wellread.apps.build import Web
    from wellread.apps.indexing import Row, Told


def find(
    context: typer.Context,
    url: Url,
    pattern: Annotated[str, typer.Argument(help="What to look for, whatever its case.", metavar="PATTERN")],
    *,
    regex: Annotated[bool, typer.Option("--regex", help="The pattern is a regular expression.")] = False,
    limit: Annotated[int, typer.Option(help="Most spots to show.", min=1)] = 10,
    render: RenderOption = "auto",
    all_notices: AllNotices = False,
    out: OutOption = None,
    json: Json = False,
    record: Record = None,
    replay: Replay = None,
) -> None:
    """Find where something is said on a page. Exit code 1 when it is nowhere."""
    result = SingleResult(f"{url} {pattern}", out, json=json)
    spots = run(
        context,
        lambda web: web.find(web_url(url), pattern, regex=regex, limit=limit, render=render),
        json=json,
        record=record,
        replay=replay,
    )
    spots = with_notices(spots, all_notices=all_notices)
    result.show(spots, lambda: show_spots(spots))
    if not spots.spots:
        raise typer.Exit(1)


def download(
    context: typer.Context,
    url: Url,
    *,
    to: Annotated[str, typer.Option(help="A folder (reports/ is made), or the name of the file.")] = ".",
    sha256: Annotated[str | None, typer.Option(help="Refuse the file unless this is its checksum.")] = None,
    json: Json = False,
    record: Record = None,
    replay: Replay = None,
) -> None:
    """Save a file, safely named, never over another; go on where an earlier try was cut off."""
    saved = run(
        context, lambda web: web.download(web_url(url), to=to, sha256=sha256), json=json, record=record, replay=replay
    )
    say_json(saved) if json else show_download(saved)


def index(
    context: typer.Context,
    sources: Annotated[
        list[str] | None,
        typer.Argument(help="URLs, site maps, WARC files, files, folders, or - for standard input.", metavar="SOURCE"),
    ] = None,
    *,
    sitemap: Annotated[bool, typer.Option("--sitemap", help="A URL stands for all pages its site maps name.")] = False,
    other_hosts: Annotated[bool, typer.Option("--other-hosts", help="Site maps may lead to other hosts.")] = False,
    limit: Annotated[int, typer.Option(help="Most pages of one source.", min=1)] = 10_000,
    remove: Annotated[bool, typer.Option("--remove", help="Remove these URLs, files and folders instead.")] = False,
    listed: Annotated[bool, typer.Option("--list", help="List what the index holds.")] = False,
    url: Annotated[str | None, typer.Option(help="What standard input is called.")] = None,
    user_asked: UserAsked = False,
    json: Json = False,
    jsonl: Annotated[bool, typer.Option("--jsonl", help="One JSON object per page as it ends, then one sum.")] = False,
    record: Record = None,
    replay: Replay = None,
) -> None:
    """Keep pages in the local index, where search and gather find them.

    What is there already, unchanged, is skipped; so a run that was broken off goes on when it is started again.
    One page that fails never ends the run. Exit code 1 when any did.
    """
    voice = "json" if json else "jsonl" if jsonl else "text"
    if listed or not sources:
        _list(run(context, lambda web: web.indexed(), json=voice != "text", replay=replay), voice)
        return
    # Loaded here so that `wellread --help` does not wait for the parsers.
    from wellread.apps import indexing
    from wellread.apps.sources import Selection

    selection = Selection(limit=limit, sitemap=sitemap, other_hosts=other_hosts, user_asked=user_asked, url=url)

    async def work(web: Web) -> Told:
        if remove:
            return await indexing.remove(web, sources, tell=partial(_tell, voice))
        with counted() as (ended, expect):

            def tell(row: Row) -> None:
                ended()
                _tell(voice, row)

            return await indexing.index(web, sources, selection, tell=tell, expect=expect)

    told = run(context, work, json=voice != "text", record=record, replay=replay)
    _sum_up(told, voice)
    if not {"failed", "not there"}.isdisjoint(row.outcome for row in told.pages):
        raise typer.Exit(1)


def _list(urls: tuple[str, ...], voice: str) -> None:
    if voice == "json":
        say_json({"urls": urls})
        return
    for url in urls:
        say_json({"url": url}, indent=None) if voice == "jsonl" else say(url)


def _tell(voice: str, row: Row) -> None:
    if voice == "jsonl":
        say_json(row, indent=None)
    elif voice == "text":
        show_outcome(row)


def _sum_up(told: Told, voice: str) -> None:
    if voice == "json":
        say_json(told)
    elif voice == "jsonl":
        say_json({"counts": told.counts, "notes": told.notes}, indent=None)
    else:
        show_told(told)
