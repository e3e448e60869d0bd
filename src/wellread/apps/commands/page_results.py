"""Show many pages: each result as it comes, on standard output or into a file, and the totals at the end."""

from __future__ import annotations

import json as json_lines
import re
from collections import Counter
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from wellread.apps.batch_output import JsonLinesOutput, row_with_source
from wellread.apps.console import escape, stderr_console
from wellread.apps.page_title import text_with_headline
from wellread.apps.serialize import ERROR_START
from wellread.apps.terminal import blame, say, show_page, show_page_facts, without_controls
from wellread.lazy_pattern import lazy_pattern
from wellread.text.counts import count_of
from wellread.types import COMPUTED_FIELDS, Heading, Notice, Page

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wellread.apps.output_files import OutputFile

_HEAD = lazy_pattern(r"^==>", re.MULTILINE)
"""How the line begins that says which page follows: in the text of a page a backslash stands before it."""


class ResultPrinter:
    """A printer for the result of each page as it comes, and for the totals."""

    def __init__(self, output: OutputFile | None, *, json: bool, headed: bool, body_only: bool) -> None:
        self._output = output
        self._body_only = body_only
        self._json = json
        self._headed = headed
        self._hinted: set[str] = set()
        self._count = 0
        self.failed = 0
        self.code = ""
        """Of the last failure."""
        self._codes: Counter[str] = Counter()
        self.skipped_records: Counter[str] = Counter()
        """What is no page in WARC files, by what it is."""

    def add(self, source: str, row: bytes) -> None:
        """Add the row of a page or of an error: JSON on one line, without the source."""
        is_error = row.startswith(ERROR_START)
        # JSON lines hold errors and notices; beside text files they are printed here.
        in_line = self._json if self._output is None else isinstance(self._output, JsonLinesOutput)
        page = None if is_error or in_line else _page(json_lines.loads(row))
        if isinstance(self._output, JsonLinesOutput):
            self._output.add_row(source, row)
        elif self._output is not None:
            self._output.add(row_with_source(source, row).decode(), self._text(page))
        elif self._json:
            say(row_with_source(source, row).decode())
        self._count += 1
        self.failed += is_error
        if is_error:
            self._failed(source, json_lines.loads(row)["error"], quiet=in_line and self._json)
        elif page is not None and self._output is None:
            self._show(source, page)
        elif page is not None:
            stderr_console.print(f"[dim]==> {escape(without_controls(source))} <==[/]")
            show_page_facts(page)

    def _text(self, page: Page | None) -> str | None:
        """Return the text for a page's own file, below its title; None where the JSON line itself is written."""
        if page is None or self._body_only:
            return None
        return text_with_headline(page)

    def _failed(self, source: str, error: dict[str, str], *, quiet: bool) -> None:
        """Count the code of a failure; show it under its source, and each hint once."""
        self.code = error["code"]
        self._codes[self.code] += 1
        if quiet:
            return
        message, hint = error["message"], error["hint"]
        if source not in message:
            message = f"{source}: {message}"
        blame(error["code"], message, None if hint in self._hinted else hint)
        self._hinted.add(hint)

    def _show(self, source: str, page: Page) -> None:
        """Print a page; one of several is headed by its source, as `head` and `tail` do."""
        if self._headed:
            say(f"==> {source} <==\n\n")
            page = replace(page, text=_HEAD.sub(r"\\\g<0>", page.text))
        show_page(page, body_only=self._body_only)
        if self._headed:
            say("")

    @contextmanager
    def interruption(self, out: str | None) -> Iterator[None]:
        """Report the progress of a run that is interrupted or cannot write, and how to continue it."""
        try:
            yield
        except (KeyboardInterrupt, OSError):
            if out is not None:
                progress = f"interrupted: {count_of(self._count, 'page')} added to {out}"
                next_step = "run the same command again to continue"
                stderr_console.print(f"[dim]\u2014 {escape(f'{progress}; {next_step}')}[/]")
            raise

    def sum_up(self, out: str | None) -> None:
        """Report the results of a batch in a line, and the skipped records of WARC files in another."""
        if self._output is not None:
            stderr_console.print(f"[dim]\u2014 {escape('; '.join(self._sums(self._output, out)))}[/]")
            self.failed += sum(self._output.failed.values())
        if self.skipped_records:
            skipped = ", ".join(f"{content_kind} ({count:,})" for content_kind, count in self.skipped_records.items())
            stderr_console.print(f"[dim]\u2014 skipped in WARC files: {skipped}[/]")

    def _sums(self, output: OutputFile, out: str | None) -> Iterator[str]:
        """Yield the totals: pages added, pages from an earlier run, and errors that were retried or remain."""
        if isinstance(output, JsonLinesOutput):  # which has a line for each error, too
            added, errors = count_of(self._count, "page"), count_of(self.failed, "error")
            yield f"{added} added to {out}, with {errors}{self._by_code()}"
        else:
            written = count_of(self._count - self.failed, "page")
            yield f"{written} written to {out}, {self.failed:,} failed{self._by_code()}"
        if output.already_written:
            skipped = f"skipped {count_of(output.already_written, 'page')} that an earlier run wrote"
            yield f"{skipped}; format and mode may differ"
        if output.retried:
            yield f"{count_of(output.retried, 'error')} of an earlier run retried"
        if standing := sum(output.failed.values()):
            yield f"left of an earlier run: {count_of(standing, 'error')} of sources that were not given now"

    def _by_code(self) -> str:
        """Return the count of failures with each code, the most frequent first; nothing without a failure."""
        codes = ", ".join(f"{code} {count:,}" for code, count in self._codes.most_common())
        return f" ({codes})" if codes else ""

    def show_rate(self, seconds: float, processes: int) -> None:
        """Report how fast the pages of a batch were read."""
        rate = self._count / max(seconds, 0.001)
        per_process = f"{rate / processes:,.1f} for each of {count_of(processes, 'process')}"
        stderr_console.print(f"[dim]\u2014 {rate:,.1f} pages/s, {per_process}[/]")


def _page(fields: dict[str, Any]) -> Page:  # Any: JSON that this program has just written
    stored = {name: value for name, value in fields.items() if name not in {"warnings", *COMPUTED_FIELDS[Page]}}
    headings = tuple(Heading(**heading) for heading in fields["headings"])
    return Page(**{**stored, "headings": headings, "notices": tuple(map(_notice, fields["notices"]))})


def _notice(fields: dict[str, Any]) -> Notice:  # Any: JSON that this program has just written
    return Notice._make((fields["code"], fields["detail"], fields["count"]))
