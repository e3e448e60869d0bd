"""Commands that read: read, search, verify."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Literal

import typer

from wellread.apps import outcomes
from wellread.apps.commands.options import (
    AllNotices,
    Json,
    MemberOption,
    ModeOption,
    Provider,
    Record,
    RenderOption,
    Replay,
    Url,
    UserAsked,
    guarded,
    run,
    web_url,
)
from wellread.apps.shapes import passages_from, with_notices
from wellread.apps.terminal import say_json, show_found, show_page, show_verdicts
from wellread.errors import InvalidInput
from wellread.types import Passage


def read(
    context: typer.Context,
    url: Url,
    *,
    format: Annotated[Literal["markdown", "text", "html", "json"], typer.Option(help="What to print.")] = "markdown",
    max_length: Annotated[int | None, typer.Option(help="Most characters; cut at a block border.", min=1)] = None,
    cursor: Annotated[str | None, typer.Option(help="Continue where the last piece ended.")] = None,
    mode: ModeOption = "balanced",
    images: Annotated[
        bool, typer.Option("--images", help="Print the images of the content as links, with their captions.")
    ] = False,
    no_cache: Annotated[bool, typer.Option("--no-cache", help="Fetch again, whatever is kept.")] = False,
    render: RenderOption = "auto",
    member: MemberOption = None,
    user_asked: UserAsked = False,
    all_notices: AllNotices = False,
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
            web_url(url),
            format="markdown" if format == "json" else format,
            max_length=max_length,
            cursor=cursor,
            mode=mode,
            images=images,
            fresh=no_cache,
            user_asked=user_asked,
            render=render,
            member=member,
        ),
        json=wants_json,
        record=record,
        replay=replay,
    )
    page = with_notices(page, all_notices=all_notices)
    say_json(page) if wants_json else show_page(page)


def search(
    context: typer.Context,
    query: Annotated[str, typer.Argument(help="What to search for, in words.", metavar="QUERY")],
    *,
    count: Annotated[int, typer.Option(help="Most hits.", min=1, max=100)] = 10,
    region: Annotated[str | None, typer.Option(help="Country code, such as US.")] = None,
    freshness: Annotated[
        Literal["day", "week", "month", "year"] | None, typer.Option(help="No older than this.")
    ] = None,
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
    raise typer.Exit(outcomes.searched(found))


def verify(
    context: typer.Context,
    file: Annotated[
        Path, typer.Argument(help="The JSON of `wellread gather --json`, or - for standard input.", metavar="FILE")
    ],
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
