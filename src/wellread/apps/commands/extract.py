"""The command `extract`: read saved pages, one for a person or a hundred thousand into a file."""

from __future__ import annotations

from contextlib import closing, contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import click

from wellread.apps.commands.options import AllNotices, LinksOption, MemberOption, ModeOption, guarded, settings_of
from wellread.apps.commands.page_results import ResultPrinter
from wellread.apps.commands.parameters import Argument, Option
from wellread.apps.console import stderr_console
from wellread.errors import InvalidUsage

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wellread.apps.local_inputs import RemoteSource
    from wellread.apps.output_files import OutputFile
    from wellread.apps.remote_inputs import RemoteFiles
    from wellread.apps.shard_run import PageRow
    from wellread.config import Settings

COMMON_CRAWL = "https://data.commoncrawl.org/"
"""Where Common Crawl serves its WARC files."""


def extract(
    context: click.Context,
    files: Annotated[
        list[str] | None,
        Argument(
            help="Saved pages, documents, folders, WARC files (also their URLs), objects, or - for standard input.",
            metavar="FILE",
        ),
    ] = None,
    *,
    format: Annotated[Literal["markdown", "text", "html", "json"], Option(help="Output format.")] = "markdown",
    mode: ModeOption = "balanced",
    url: Annotated[str | None, Option(help="Address of the page, to make its links absolute.")] = None,
    images: Annotated[
        bool, Option("--images", help="Print the images of the content as links, with their captions.")
    ] = False,
    links: LinksOption = "inline",
    member: MemberOption = None,
    all_notices: AllNotices = False,
    jobs: Annotated[int | None, Option(help="Number of processes; by default one per core.", min=1)] = None,
    out: Annotated[
        str | None,
        Option(
            "--out",
            "-o",
            help="Write to a file, continue a .jsonl or .parquet file (also s3://, gs://, hf://), or write one file "
            "per page into FOLDER/. Results that a .jsonl file or a folder already has are skipped.",
            metavar="PATH",
        ),
    ] = None,
    cdx: Annotated[
        str | None,
        Option(help="Read the records that this index (CDX, CDXJ, JSON) names, by range requests.", metavar="FILE|URL"),
    ] = None,
    warc_prefix: Annotated[
        str, Option(help="Address below which the WARC files of --cdx are.", metavar="URL")
    ] = COMMON_CRAWL,
    json: Annotated[
        bool, Option("--json", help="Print one JSON object per line: `source` and the fields of the page.")
    ] = False,
) -> None:
    """Read saved pages and documents; the network is used only for what you name by URL or by --cdx.

    Folders are read with all files in them, WARC files page by page. A file that cannot be read is reported, and the
    other files are read; the exit code is then 1. To continue an interrupted run, give the same --out again.
    """
    # Loaded here so that `wellread --help` does not wait for the parsers.
    from wellread.apps import batch
    from wellread.apps.local_inputs import is_object_url, is_remote, kind
    from wellread.apps.page_rows import BatchOptions
    from wellread.apps.system_clock import SystemClock
    from wellread.config import usable_processors

    files = files or []
    json = json or format == "json"
    settings = guarded(lambda: _settings(context, url, files, member, cdx), json=json)
    options = BatchOptions(
        format="markdown" if format == "json" else format,
        mode=mode,
        images=images,
        links=links,
        all_notices=all_notices,
        url=url,
        member=member or "",
        max_bytes=settings.fetch.max_bytes,
        extract=settings.extract,
    )
    # A few files for a person are read here.
    is_to_object = out is not None and is_object_url(out)
    needs_network = cdx is not None or is_to_object or any(map(is_remote, files))
    is_single = not needs_network and {"folder", "recording"}.isdisjoint(kind(Path(file)) for file in files)
    processes = jobs or usable_processors()
    if jobs is None and out is None and is_single:
        processes = 0
    clock = SystemClock()
    start = clock.monotonic()
    with (
        _remote_files(settings) if needs_network else nullcontext() as remote,
        _open_output(
            out, remote, format="json" if json else format, single=cdx is None and _is_single_file(files)
        ) as output,
    ):
        sources: list[Path | RemoteSource] = [Path(file) for file in files] if remote is None else remote.sources(files)
        if cdx is not None and remote is not None:
            sources.append(remote.index(cdx, warc_prefix))
        headed = out is None and (not is_single or len(files) > 1)
        results = ResultPrinter(output, json=json, headed=headed, body_only=mode == "precision")
        batch_rows = batch.rows(
            sources, options, settings, processes=processes, output=output, skipped_records=results.skipped_records
        )
        with results.interruption(out), closing(batch_rows) as rows:
            for row in _watched(rows) if output is not None else rows:
                results.add(row.source, row.content)
    if out is not None:
        results.show_rate(clock.monotonic() - start, processes)
    results.sum_up(out)
    if results.failed:
        raise click.exceptions.Exit(1)


def _watched(rows: Iterator[PageRow]) -> Iterator[PageRow]:
    """Show the progress on a terminal, and nothing elsewhere."""
    if not stderr_console.is_terminal:
        yield from rows
        return
    # Loaded here so that other commands do not wait for it.
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    with Progress(
        SpinnerColumn(), TextColumn("pages: {task.completed}"), TimeElapsedColumn(), console=stderr_console.rich
    ) as progress:
        pages = progress.add_task("pages", total=None)
        for result in rows:
            yield result
            progress.advance(pages)


def _remote_files(settings: Settings) -> RemoteFiles:
    # Loaded here because local inputs need no network.
    from wellread.apps.remote_inputs import RemoteFiles

    return RemoteFiles(settings)


@contextmanager
def _open_output(
    out: str | None, remote: RemoteFiles | None, *, format: str, single: bool
) -> Iterator[OutputFile | None]:
    """Open the output, of a `single` file or of many.

    One in object storage is written at the end, also of a run that was interrupted.
    """
    # Loaded here for the same reason.
    from wellread.apps.batch_output import JsonLinesOutput
    from wellread.apps.local_inputs import is_object_url
    from wellread.apps.output_files import output_file

    json = format == "json"
    if out is None:
        yield None
        return
    if remote is None or not is_object_url(out):
        with guarded(lambda: output_file(out, format=format, single=single), json=json) as output:
            yield output
        return
    path = guarded(lambda: remote.open_output(out), json=json)
    try:
        with guarded(lambda: JsonLinesOutput(path), json=json) as output:
            yield output
    finally:
        guarded(lambda: remote.upload_output(path, out), json=json)


def _settings(
    context: click.Context, url: str | None, files: list[str], member: str | None, cdx: str | None
) -> Settings:
    """Return the settings; refuse a command without files, and `--url` and `--member` without one single file."""
    # Loaded here for the same reason as above.
    from wellread.apps.local_inputs import address

    if not files and cdx is None:
        raise InvalidUsage("no file is given", hint="name a file, or an index with --cdx")
    is_single_file = cdx is None and _is_single_file(files)
    if url is not None and not is_single_file:
        raise InvalidUsage(
            "--url applies to one page, not to several files, a folder or a WARC file",
            hint="give one file, or - for standard input",
        )
    if member is not None and not is_single_file:
        raise InvalidUsage(
            "--member applies to one archive, not to several files, a folder or a WARC file",
            hint="give one archive, or - for standard input",
        )
    address(url)
    return settings_of(context)[0]


def _is_single_file(files: list[str]) -> bool:
    """Return whether the arguments are one file, one object or standard input, which is no folder and no WARC file."""
    # Loaded here for the same reason as above.
    from wellread.apps.local_inputs import is_object_url, kind

    if len(files) != 1:
        return False
    is_object_folder = is_object_url(files[0]) and files[0].endswith("/")
    return not is_object_folder and kind(Path(files[0])) in {"file", "stdin"}
