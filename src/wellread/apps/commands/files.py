"""Commands that look into a page or save what is there: find, download."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from wellread.apps.commands.options import Json, Record, Replay, run
from wellread.apps.terminal import say_json, show_download, show_spots

Url = Annotated[str, typer.Argument(help="An http or https URL.")]


def find(
    context: typer.Context,
    url: Url,
    pattern: Annotated[str, typer.Argument(help="What to look for, whatever its case.")],
    *,
    regex: Annotated[bool, typer.Option("--regex", help="The pattern is a regular expression.")] = False,
    limit: Annotated[int, typer.Option(help="Most spots to show.", min=1)] = 10,
    json: Json = False,
    record: Record = None,
    replay: Replay = None,
) -> None:
    """Find where something is said on a page. Exit code 1 when it is nowhere."""
    spots = run(
        context,
        lambda web: web.find(url, pattern, regex=regex, limit=limit),
        json=json,
        record=record,
        replay=replay,
    )
    say_json(spots) if json else show_spots(spots)
    if not spots.spots:
        raise typer.Exit(1)


def download(
    context: typer.Context,
    url: Url,
    *,
    to: Annotated[Path, typer.Option(help="A folder, or the name of the file.")] = Path(),
    sha256: Annotated[str | None, typer.Option(help="Refuse the file unless this is its checksum.")] = None,
    json: Json = False,
    record: Record = None,
    replay: Replay = None,
) -> None:
    """Save a file, safely named, never over another; go on where an earlier try was cut off."""
    saved = run(context, lambda web: web.download(url, to=to, sha256=sha256), json=json, record=record, replay=replay)
    say_json(saved) if json else show_download(saved)
