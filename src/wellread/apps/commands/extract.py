"""The command that reads saved pages: one for a person, or a hundred thousand into a file."""

from __future__ import annotations

import json as json_lines
from contextlib import closing, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from wellread.apps.commands.options import ModeOption, guarded, settings_of
from wellread.apps.terminal import blame, remarks, say, show_page
from wellread.errors import InvalidUsage
from wellread.types import Format, Notice, Page

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wellread.apps.ledger import Ledger
    from wellread.config import Settings


def extract(
    context: typer.Context,
    files: Annotated[
        list[Path],
        typer.Argument(help="Saved pages, folders of them, WARC files, or - for standard input.", metavar="FILE"),
    ],
    *,
    format: Annotated[Format, typer.Option(help="What to print.")] = "markdown",
    mode: ModeOption = "balanced",
    url: Annotated[str | None, typer.Option(help="Where the page came from, to make links absolute.")] = None,
    jobs: Annotated[int | None, typer.Option(help="Processes; by default one for each core.", min=1)] = None,
    out: Annotated[
        Path | None, typer.Option(help="A .jsonl or .parquet file to write, or to go on with.", metavar="FILE")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON object per line: `source` and the page.")] = False,
) -> None:
    """Read saved pages: no network. One that cannot be read is named, and the others go on.

    Folders are read with all that is in them, WARC files page by page, all in the order given. A run that was cut off
    goes on where it ended when it is given the same --out again.
    """
    # Loaded here so that `wellread --help` does not wait for the parsers.
    from wellread.apps import batch
    from wellread.apps.inputs import inputs, kind
    from wellread.apps.ledger import Ledger

    settings = guarded(lambda: _settings(context, url, files), json=json)
    job = batch.Job(format=format, mode=mode, url=url, max_bytes=settings.fetch.max_bytes)
    count = failed = 0
    hinted: set[str] = set()
    book = nullcontext() if out is None else guarded(lambda: Ledger(out), json=json)
    with book as ledger:
        left = (each for each in inputs(files) if ledger is None or not ledger.is_done(each[0]))
        # A few files for a person are read here: a process would take longer to start than they to be read.
        single = {"folder", "recording"}.isdisjoint(map(kind, files))
        here = jobs is None and out is None and single
        several = not single or len(files) > 1
        told = (
            batch.lines_here(left, job, settings)
            if here
            else batch.lines(left, job, settings, processes=jobs or batch.cores())
        )
        with closing(told) as lines:
            for source, line in _watched(lines) if ledger is not None else lines:
                broken = line.startswith('{"error"')
                count, failed = count + 1, failed + broken
                if ledger is not None:
                    ledger.add(batch.with_source(source, line))
                elif json:
                    say(batch.with_source(source, line))
                if not json and (broken or ledger is None):
                    _show(source, line, hinted, headed=several and ledger is None)
    if ledger is not None:
        failed += _summed_up(ledger, f"{_of(count, 'page')} added to {out}, {failed:,} of them errors")
    if failed:
        raise typer.Exit(1)


def _summed_up(ledger: Ledger, added: str) -> int:
    """Say what became of a batch; return how many errors of an earlier run stand, which nothing read again."""
    told, standing = [added], sum(ledger.failed.values())
    if ledger.passed:
        told.append(f"{ledger.passed:,} were there from an earlier run, in whatever format and mode that had")
    if ledger.retried:
        told.append(f"{_of(ledger.retried, 'error')} of an earlier run tried again")
    if standing:
        told.append(f"{_of(standing, 'error')} of an earlier run left, whose sources were not given now")
    remarks.print(f"[dim]\u2014 {escape('; '.join(told))}[/]")
    return standing


def _of(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def _watched(lines: Iterator[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Show on a terminal how far it is; elsewhere nothing."""
    if not remarks.is_terminal:
        yield from lines
        return
    with Progress(
        SpinnerColumn(), TextColumn("{task.completed} pages"), TimeElapsedColumn(), console=remarks
    ) as progress:
        pages = progress.add_task("pages", total=None)
        for each in lines:
            yield each
            progress.advance(pages)


def _show(source: str, line: str, hinted: set[str], *, headed: bool) -> None:
    """Print a page, where there are several below its source, as `head` and `tail` do it; each hint once."""
    told = json_lines.loads(line)
    if "error" in told:
        error = told["error"]
        message = error["message"]
        hint = error["hint"] if error["hint"] not in hinted else None
        blame(error["code"], message if source in message else f"{source}: {message}", hint)
        hinted.add(error["hint"])
    else:
        if headed:
            say(f"==> {source} <==\n\n")
        show_page(Page(**{**told, "warnings": tuple(map(_notice, told["warnings"]))}))
        if headed:
            say("")


def _notice(told: dict[str, Any]) -> Notice:  # Any: JSON that this program has just written
    return Notice._make((told["code"], told["detail"], told["count"]))


def _settings(context: typer.Context, url: str | None, files: list[Path]) -> Settings:
    """Return the settings, if what was typed makes sense."""
    if url is not None and (len(files) > 1 or files[0].is_dir()):
        raise InvalidUsage("--url is the address of one page, and several files are given", hint="give one file")
    return settings_of(context)[0]
