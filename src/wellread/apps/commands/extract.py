"""The command that reads saved pages: one for a person, or a hundred thousand into a file."""

from __future__ import annotations

import json as json_lines
from collections import Counter
from contextlib import closing, contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from wellread.apps.commands.options import AllNotices, MemberOption, ModeOption, guarded, settings_of
from wellread.apps.terminal import blame, remarks, say, show_page
from wellread.errors import InvalidUsage
from wellread.types import COMPUTED_FIELDS, Format, Notice, Page

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wellread.apps.ledger import Ledger
    from wellread.config import Settings

_NO_DOCUMENT = "images, styles and scripts"


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
    images: Annotated[
        bool, typer.Option("--images", help="Print the images of the content as links, with their captions.")
    ] = False,
    member: MemberOption = None,
    all_notices: AllNotices = False,
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

    settings = guarded(lambda: _settings(context, url, files, member), json=json)
    job = batch.Job(
        format=format,
        mode=mode,
        images=images,
        all_notices=all_notices,
        url=url,
        member=member or "",
        max_bytes=settings.fetch.max_bytes,
        extract=settings.extract,
    )
    # A few files for a person are read here.
    single = {"folder", "recording"}.isdisjoint(map(kind, files))
    processes = 0 if jobs is None and out is None and single else jobs or batch.cores()
    book = nullcontext() if out is None else guarded(lambda: Ledger(out), json=json)
    with book as ledger:
        told = _Told(ledger, json=json, headed=out is None and (not single or len(files) > 1))
        left = (each for each in inputs(files, told.passed) if ledger is None or not ledger.is_done(each[0]))
        with told.interruption(out), closing(batch.lines(left, job, settings, processes=processes)) as lines:
            for source, line in _watched(lines) if ledger is not None else lines:
                told.tell(source, line)
    told.sum_up(out)
    if told.failed:
        raise typer.Exit(1)


class _Told:
    """Reports the result of each page as it comes, and the totals at the end."""

    def __init__(self, ledger: Ledger | None, *, json: bool, headed: bool) -> None:
        self._ledger = ledger
        self._json = json
        self._headed = headed
        self._hinted: set[str] = set()
        self._count = 0
        self.failed = 0
        self.passed: Counter[str] = Counter()
        """What is no page in WARC files, by what it is."""

    def tell(self, source: str, line: str) -> None:
        if not line:
            self.passed[_NO_DOCUMENT] += 1
            return
        broken = line.startswith('{"error"')
        self._count, self.failed = self._count + 1, self.failed + broken
        whole = f'{{"source": {json_lines.dumps(source, ensure_ascii=False)}, {line[1:]}'
        if self._ledger is not None:
            self._ledger.add(whole)
        elif self._json:
            say(whole)
        if broken and not self._json:
            self._blame(source, json_lines.loads(line)["error"])
        elif self._ledger is None and not self._json:
            self._show(source, json_lines.loads(line))

    def _blame(self, source: str, error: dict[str, str]) -> None:
        """Show a failure under its source, and each hint once."""
        message, hint = error["message"], error["hint"]
        said = message if source in message else f"{source}: {message}"
        blame(error["code"], said, None if hint in self._hinted else hint)
        self._hinted.add(hint)

    def _show(self, source: str, told: dict[str, Any]) -> None:  # Any: JSON that this program has just written
        """Print a page, where there are several below its source, as `head` and `tail` do it."""
        if self._headed:
            say(f"==> {source} <==\n\n")
        fields = {name: value for name, value in told.items() if name not in {"warnings", *COMPUTED_FIELDS[Page]}}
        show_page(Page(**{**fields, "notices": tuple(map(_notice, told["notices"]))}))
        if self._headed:
            say("")

    @contextmanager
    def interruption(self, out: Path | None) -> Iterator[None]:
        """Report what is kept of an interrupted run, and how to continue it."""
        try:
            yield
        except KeyboardInterrupt:
            if out is not None:
                kept = f"broken off: {_of(self._count, 'page')} added to {out}; the same command goes on from there"
                remarks.print(f"[dim]\u2014 {escape(kept)}[/]")
            raise

    def sum_up(self, out: Path | None) -> None:
        """Report the results of a batch in a line, and the skipped records of WARC files in another."""
        if self._ledger is not None:
            remarks.print(f"[dim]\u2014 {escape('; '.join(self._sums(self._ledger, out)))}[/]")
            self.failed += sum(self._ledger.failed.values())
        if self.passed:
            told = ", ".join(f"{what} ({count:,})" for what, count in self.passed.items())
            remarks.print(f"[dim]\u2014 passed over in WARC files: {told}[/]")

    def _sums(self, ledger: Ledger, out: Path | None) -> Iterator[str]:
        """Say what was added and what was there; errors of an earlier run count that nothing read again."""
        yield f"{_of(self._count, 'page')} added to {out}, {self.failed:,} of them errors"
        if ledger.passed:
            yield f"{ledger.passed:,} were there from an earlier run, in whatever format and mode that had"
        if ledger.retried:
            yield f"{_of(ledger.retried, 'error')} of an earlier run tried again"
        if standing := sum(ledger.failed.values()):
            yield f"{_of(standing, 'error')} of an earlier run left, whose sources were not given now"


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


def _notice(told: dict[str, Any]) -> Notice:  # Any: JSON that this program has just written
    return Notice._make((told["code"], told["detail"], told["count"]))


def _settings(context: typer.Context, url: str | None, files: list[Path], member: str | None) -> Settings:
    """Return the settings, if what was typed makes sense."""
    # Loaded here for the same reason as above.
    from wellread.apps.inputs import address

    if url is not None and (len(files) > 1 or files[0].is_dir()):
        raise InvalidUsage("--url is the address of one page, and several files are given", hint="give one file")
    if member is not None and (len(files) > 1 or files[0].is_dir()):
        raise InvalidUsage("--member is a file in one archive, and several files are given", hint="give one archive")
    address(url)
    return settings_of(context)[0]
