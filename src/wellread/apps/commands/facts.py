"""The command `facts`: what pages declare, their tables, and records of fields."""

from __future__ import annotations

import json as json_files
import tomllib
from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import click

from wellread.apps.commands.options import (
    AllNotices,
    AuthOption,
    BearerOption,
    Concurrency,
    CookiesOption,
    HeadersOption,
    Json,
    ProfileOption,
    ProxyOption,
    Record,
    RenderOption,
    Replay,
    Urls,
    given_urls,
    guarded,
    run,
    sign_in_options,
    web_url,
)
from wellread.apps.commands.parameters import Option
from wellread.apps.console import escape, stderr_console
from wellread.apps.serialize import as_json, error_json, with_notices
from wellread.apps.terminal import (
    blame,
    counted,
    say,
    say_json,
    show_facts,
    show_missing_facts,
    show_notices,
    without_controls,
)
from wellread.errors import InvalidInput, WellreadError, reason_line
from wellread.text.counts import count_of
from wellread.types import Facts, FactTable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wellread.apps.batch_output import JsonLinesOutput
    from wellread.apps.build import Web

MAX_FILE_BYTES = 1_000_000


def facts(
    context: click.Context,
    urls: Urls,
    *,
    schema: Annotated[
        Path | None,
        Option(help="JSON Schema of the record to fill, as a JSON or TOML file.", metavar="FILE"),
    ] = None,
    selectors: Annotated[
        Path | None,
        Option(help="Fields with CSS selectors, as a JSON or TOML file.", metavar="FILE"),
    ] = None,
    table: Annotated[
        int | None,
        Option(help="Print or write this table of the page as CSV, not all facts; 1 is the first.", min=1),
    ] = None,
    fresh: Annotated[bool, Option("--fresh", help="Fetch the page again instead of using the cache.")] = False,
    render: RenderOption = "auto",
    headers: HeadersOption = None,
    cookies: CookiesOption = None,
    auth: AuthOption = None,
    bearer: BearerOption = None,
    profile: ProfileOption = None,
    all_notices: AllNotices = False,
    concurrency: Concurrency = 8,
    out: Annotated[
        str | None,
        Option(
            "--out",
            "-o",
            help="Write to a .jsonl, .csv or .parquet file. An interrupted run continues.",
            metavar="FILE",
        ),
    ] = None,
    json: Json = False,
    proxy: ProxyOption = None,
    record: Record = None,
    replay: Replay = None,
) -> None:
    """Extract what pages declare for machines, and their tables, as JSON.

    JSON-LD, microdata, RDFa Lite, Open Graph and Twitter cards are read. With --schema or --selectors, a record is
    filled, and the source of each value is shown. --table N takes one of the tables as CSV. The exit code is 1 if one
    of several pages fails.
    """
    sign_in = guarded(
        lambda: sign_in_options(headers=headers, cookies=cookies, auth=auth, bearer=bearer, profile=profile), json=json
    )
    object_schema = guarded(lambda: _mapping(schema), json=json)
    field_selectors = guarded(lambda: _mapping(selectors), json=json)
    page_urls = guarded(lambda: given_urls(urls), json=json)
    if table is not None:
        guarded(lambda: _check_table_options(page_urls, out, has_record=bool(schema or selectors)), json=json)
    if len(page_urls) == 1 and out is None:
        collected = run(
            context,
            lambda web: web.facts(
                web_url(page_urls[0]),
                schema=object_schema,
                selectors=field_selectors,
                render=render,
                fresh=fresh,
                **sign_in,
            ),
            json=json,
            proxy=proxy,
            record=record,
            replay=replay,
        )
        collected = with_notices(collected, all_notices=all_notices)
        guarded(lambda: _show(collected, table, json=json), json=json)
        return
    results = _FactsPrinter(out, json=json, all_notices=all_notices, table_number=table)

    async def work(web: Web) -> None:
        sources: deque[str] = deque()

        def remaining() -> Iterator[str]:
            for url in page_urls:
                if not results.skip_if_done(url):
                    sources.append(url)
                    yield url

        with counted() as (advance, expect):
            expect(len(page_urls))
            pages = web.facts_many(
                remaining(),
                schema=object_schema,
                selectors=field_selectors,
                render=render,
                fresh=fresh,
                concurrency=concurrency,
                **sign_in,
            )
            async for result in pages:
                results.add(sources.popleft(), result)
                advance()

    with guarded(results.opened, json=json):
        run(context, work, json=json, proxy=proxy, record=record, replay=replay)
    guarded(results.finish, json=json)
    if results.failed:
        raise click.exceptions.Exit(1)


def _check_table_options(page_urls: Sequence[str], out: str | None, *, has_record: bool) -> None:
    """Check that --table fits the other options.

    Raises:
        InvalidInput: a record is to be filled, too, or the tables of several pages have no file, or one of JSON lines.
    """
    if has_record:
        raise InvalidInput("--table takes no record", hint="leave out --schema and --selectors, or --table")
    if out is None and len(page_urls) > 1:
        raise InvalidInput("--table of several pages needs a file", hint="give --out FILE.csv")
    if out is not None and out.endswith(".jsonl"):
        raise InvalidInput(f"{out} would have no table", hint="use .csv or .parquet; .jsonl has all tables")


def _numbered_table(facts: Facts, number: int) -> FactTable:
    """Return a table of a page by its number.

    Raises:
        InvalidInput: the page has fewer tables.
    """
    if number > len(facts.tables):
        message = f"there is no table {number} in {facts.url}, which has {len(facts.tables)}"
        raise InvalidInput(message, hint="without --table, each table is printed below its number")
    return facts.tables[number - 1]


def _show(facts: Facts, table_number: int | None, *, json: bool) -> None:
    """Print the facts of one page, or one of its tables.

    Raises:
        InvalidInput: the page has fewer tables.
    """
    from wellread.apps.facts_output import table_csv

    result: Facts | FactTable = facts
    if table_number is not None:
        result = _numbered_table(facts, table_number)
    if isinstance(result, FactTable):
        if json:
            say_json(result)
        else:
            say(table_csv(result))
        show_notices(facts.notices)
    elif json:
        say_json(result)
    else:
        show_facts(result)


class _FactsPrinter:
    """A printer of the facts of several pages, to standard output or into a file."""

    def __init__(self, out: str | None, *, json: bool, all_notices: bool, table_number: int | None) -> None:
        self._path = None if out is None else Path(out)
        self._table_number = table_number
        self._output: JsonLinesOutput | None = None
        self._json = json
        self._all_notices = all_notices
        self.failed = 0
        self._count = 0
        self._table_count = 0

    def opened(self) -> _FactsPrinter:
        """Open the file.

        Raises:
            InvalidInput: its name has another suffix, or it cannot be written.
        """
        # Loaded here so that `wellread --help` does not wait for it.
        from wellread.apps.batch_output import JsonLinesOutput, require_pyarrow
        from wellread.apps.facts_output import SUFFIXES

        if self._path is None:
            return self
        if self._path.suffix == ".parquet":
            require_pyarrow()
        lines = self._path
        if self._path.suffix in SUFFIXES:
            lines = self._path.with_name(f"{self._path.name}.jsonl")
        elif self._path.suffix != ".jsonl":
            raise InvalidInput(f"{self._path} has no known suffix", hint="use .jsonl, .csv or .parquet")
        self._lines = lines
        self._output = JsonLinesOutput(lines)
        return self

    def __enter__(self) -> None:
        """Use the file until the end of the block."""

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        """Close the file."""
        if self._output is not None:
            self._output.__exit__(kind, error, trace)

    def skip_if_done(self, url: str) -> bool:
        """Return whether an earlier run has written this page, and cross it off."""
        return self._output is not None and self._output.skip_if_done(url)

    def add(self, source: str, result: Facts | WellreadError) -> None:
        """Write or print one result."""
        self._count += 1
        if isinstance(result, WellreadError):
            self.failed += 1
            line = as_json(error_json(result), indent=None)
            blame(result.code, f"{source}: {result.message}", result.hint)
        else:
            result = with_notices(result, all_notices=self._all_notices)
            if result.record is None:
                self._table_count += len(result.tables)
            if self._table_number is not None:
                self._check_table(source, result, self._table_number)
            line = as_json(result, indent=None)
        line = f'{{"source": {json_files.dumps(source, ensure_ascii=False)}, {line[1:]}'
        if self._output is not None:
            self._output.add(line)
            if not isinstance(result, WellreadError):
                _show_missing(source, result)
        elif self._json:
            say(line)
        elif not isinstance(result, WellreadError):
            show_facts(result)

    def _check_table(self, source: str, facts: Facts, number: int) -> None:
        try:
            _numbered_table(facts, number)
        except InvalidInput as error:
            self.failed += 1
            blame(error.code, f"{source}: {error.message}", None)

    def finish(self) -> None:
        """Turn the lines into a table where that was asked for, and report the totals."""
        from wellread.apps.facts_output import SUFFIXES, write_table

        if self._path is None:
            return
        if self._path.suffix in SUFFIXES:
            write_table(self._lines, self._path, table_number=self._table_number)
            self._lines.unlink()
            if self._table_number is None and self._table_count:
                count = count_of(self._table_count, "table")
                stderr_console.print(
                    f"[dim]\u2014 not in this file: {count} of the pages; --table N writes one of each[/]"
                )
        stderr_console.print(
            f"[dim]\u2014 {count_of(self._count, 'page')} written to {self._path}, {self.failed:,} failed[/]"
        )


def _show_missing(source: str, facts: Facts) -> None:
    """Print below the source of a page what its facts in a file lack, if anything."""
    if facts.missing or facts.notices:
        stderr_console.print(f"[dim]==> {escape(without_controls(source))} <==[/]")
        show_missing_facts(facts)


def _mapping(path: Path | None) -> dict[str, Any] | None:  # Any: JSON
    """Return the object in a JSON or TOML file.

    Raises:
        InvalidInput: it cannot be read, or holds something else.
    """
    if path is None:
        return None
    try:
        with path.open("rb") as file:
            text = file.read(MAX_FILE_BYTES + 1).decode("utf-8")
        parsed = tomllib.loads(text) if path.suffix == ".toml" else json_files.loads(text)
    except OSError as error:
        raise InvalidInput(f"cannot read {path}: {reason_line(error)}") from error
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"{path} is not a JSON or TOML file: {error}") from error
    if not isinstance(parsed, dict):
        raise InvalidInput(f"{path} has no object", hint='such as {"price": ".price"}')
    return parsed
