"""Commands that read and gather: read, search, gather, index, verify, extract."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer
from rich.markup import escape

from wellread.apps.commands.options import Json, Provider, Record, Replay, UserAsked, guarded, run
from wellread.apps.shapes import as_json, passages_from
from wellread.apps.terminal import remarks, say, say_json, show_found, show_gathered, show_page, show_verdicts, tame
from wellread.errors import InvalidInput, WellreadError
from wellread.types import Format, Mode, Passage
from wellread.web.second_look import Render

if TYPE_CHECKING:
    from wellread.apps.build import Web

Url = Annotated[str, typer.Argument(help="An http or https URL.")]
ModeOption = Annotated[Mode, typer.Option(help="precision: the article body only. recall: when in doubt, keep.")]


def read(
    context: typer.Context,
    url: Url,
    *,
    format: Annotated[Literal["markdown", "text", "html", "json"], typer.Option()] = "markdown",
    max_length: Annotated[int | None, typer.Option(help="Most characters; cut at a block border.", min=1)] = None,
    cursor: Annotated[str | None, typer.Option(help="Continue where the last piece ended.")] = None,
    mode: ModeOption = "balanced",
    images: Annotated[bool, typer.Option("--images", help="Print images as links.")] = False,
    no_cache: Annotated[bool, typer.Option("--no-cache", help="Fetch again, whatever is kept.")] = False,
    render: Annotated[
        Render, typer.Option(help="In a browser: auto where HTTP reads too little, always, or never.")
    ] = "auto",
    user_asked: UserAsked = False,
    json: Json = False,
    record: Record = None,
    replay: Replay = None,
) -> None:
    """Read a page as clean markdown, text or HTML.

    The text goes to stdout; title, confidence, warnings and the cursor of the next piece go to stderr.
    """
    wants_json = json or format == "json"
    page = run(
        context,
        lambda web: web.read(
            url,
            format="markdown" if format == "json" else format,
            max_length=max_length,
            cursor=cursor,
            mode=mode,
            images=images,
            fresh=no_cache,
            user_asked=user_asked,
            render=render,
        ),
        json=wants_json,
        record=record,
        replay=replay,
    )
    say_json(page) if wants_json else show_page(page)


def search(
    context: typer.Context,
    query: Annotated[str, typer.Argument()],
    *,
    count: Annotated[int, typer.Option(min=1, max=100)] = 10,
    region: Annotated[str | None, typer.Option(help="Country code, such as US.")] = None,
    freshness: Annotated[Literal["day", "week", "month", "year"] | None, typer.Option()] = None,
    provider: Provider = None,
    json: Json = False,
    record: Record = None,
    replay: Replay = None,
) -> None:
    """Search with the services that are set, with those that need no key, or in the local index."""
    found = run(
        context,
        lambda web: web.search(query, count=count, region=region, freshness=freshness),
        json=json,
        providers=provider,
        record=record,
        replay=replay,
    )
    say_json(found) if json else show_found(found)


def gather(
    context: typer.Context,
    question: Annotated[str, typer.Argument()],
    *,
    pages: Annotated[int | None, typer.Option(help="Pages to read.", min=1)] = None,
    provider: Provider = None,
    json: Json = False,
    record: Record = None,
    replay: Replay = None,
) -> None:
    """Find the passages that answer a question, with citations that `wellread verify` can prove."""
    told = run(
        context,
        lambda web: web.gather(question, gather_top=pages),
        json=json,
        providers=provider,
        record=record,
        replay=replay,
    )
    say_json(told) if json else show_gathered(told)


def index(
    context: typer.Context,
    urls: Annotated[list[str] | None, typer.Argument(help="Pages to read and keep in the local index.")] = None,
    *,
    remove: Annotated[bool, typer.Option("--remove", help="Forget these pages instead.")] = False,
    user_asked: UserAsked = False,
    json: Json = False,
    record: Record = None,
    replay: Replay = None,
) -> None:
    """Read pages into the local index, where search and gather find them; without pages, list what it holds."""

    async def work(web: Web) -> list[dict[str, object]]:
        if not urls:
            return [{"url": url, "outcome": "indexed", "reason": ""} for url in await web.indexed()]
        rows: list[dict[str, object]] = []
        for url in urls:
            try:
                if remove:
                    outcome = "removed" if await web.forget(url) else "not there"
                else:
                    outcome = "indexed" if await web.index(url, user_asked=user_asked) else "unchanged"
                rows.append({"url": url, "outcome": outcome, "reason": ""})
            except WellreadError as error:
                rows.append({"url": url, "outcome": error.code, "reason": error.message})
        return rows

    rows = run(context, work, json=json, record=record, replay=replay)
    failed = [row for row in rows if row["outcome"] not in {"indexed", "unchanged", "removed"}]
    if json:
        say_json(rows)
    else:
        for row in rows:
            say(f"{row['outcome']}\t{row['url']}\t{row['reason']}".rstrip())
    if failed:
        raise typer.Exit(1)


def verify(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(help="The JSON of `wellread gather --json`, or - for standard input.")],
    *,
    read_again: Annotated[
        bool, typer.Option("--read-again", help="Read pages again whose snapshot is not kept.")
    ] = False,
    json: Json = False,
    replay: Replay = None,
) -> None:
    """Prove citations again: each passage against the snapshot that it names. Exit code 1 when one falls.

    With --replay, the pages are read again from the recording.
    """
    cited = guarded(lambda: _cited(file), json=json)
    again = read_again or replay is not None
    verdicts = run(context, lambda web: web.verify(cited, read_again=again), json=json, replay=replay)
    say_json(verdicts) if json else show_verdicts(verdicts)
    if not all(verdict.ok for verdict in verdicts):
        raise typer.Exit(1)


def extract(
    files: Annotated[list[Path], typer.Argument(help="Saved pages, or - for standard input.")],
    *,
    format: Annotated[Format, typer.Option()] = "markdown",
    mode: ModeOption = "balanced",
    url: Annotated[str | None, typer.Option(help="Where the page came from, to make links absolute.")] = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON object per line: `source` and the page.")] = False,
) -> None:
    """Read saved pages: no network. One that cannot be read is named, and the others go on."""
    from wellread.apps.build import extract as extract_page

    failed = False
    for file in files:
        try:
            page = extract_page(_bytes_of(file), url=url, format=format, mode=mode)
        except WellreadError as error:
            failed = True
            remarks.print(f"[bold red]{error.code}[/]: {escape(tame(f'{file}: {error.message}'))}")
            continue
        say(as_json({"source": str(file)} | _fields(page), indent=None)) if json else show_page(page)
    if failed:
        raise typer.Exit(1)


def _fields(page: object) -> dict[str, object]:
    from wellread.apps.shapes import plain

    fields = plain(page)
    assert isinstance(fields, dict)
    return fields


def _cited(file: Path) -> list[Passage]:
    cited = passages_from(_text_of(file))
    if not cited:
        raise InvalidInput(f"{file} holds no citations to prove")
    return cited


def _text_of(file: Path) -> str:
    return _bytes_of(file).decode("utf-8", "replace")


def _bytes_of(file: Path) -> bytes:
    try:
        return sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
    except OSError as error:
        raise InvalidInput(f"cannot read {file}: {error.strerror or error}") from error
