"""What a person sees: text on stdout, remarks on stderr, colours only on a terminal."""

from __future__ import annotations

import re
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Self

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeElapsedColumn

from wellread.apps.headline import text_with_headline
from wellread.apps.outcomes import DOORS
from wellread.apps.shapes import as_command_json, failure
from wellread.types import Found, Missed, Page
from wellread.web.quoting import unnumbered

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from wellread.apps.checkup import Finding
    from wellread.apps.indexing import Row, Told
    from wellread.errors import WellreadError
    from wellread.net.downloads import Download
    from wellread.types import Gathered, Notice, Step, Verdict
    from wellread.web.find import Spots

# Text from the web must not steer the terminal: C0 and C1 controls besides tab and newline go (ECMA-48).
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")

_STEERS = re.compile(r"[\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")

_MARKS = {True: "[green]ok  [/]", False: "[red]fail[/]", None: "[dim]-   [/]"}

console = Console(highlight=False, soft_wrap=True)
remarks = Console(stderr=True, highlight=False, soft_wrap=True)


def tame(text: str) -> str:
    """Return `text` without characters that a terminal would obey."""
    return _CONTROLS.sub("", text)


def _safe(text: str | None) -> str:
    return escape(tame(text or ""))


def say(text: str) -> None:
    """Write text to stdout as it is, but for control characters."""
    sys.stdout.write(tame(text))
    if not text.endswith("\n"):
        sys.stdout.write("\n")
    sys.stdout.flush()


def say_json(value: object, *, indent: int | None = 2) -> None:
    """Write a value to stdout as JSON; with no `indent`, on one line."""
    # JSON may escape any character: those that steer a terminal are written so.
    sys.stdout.write(_STEERS.sub(lambda found: f"\\u{ord(found[0]):04x}", as_command_json(value, indent=indent)) + "\n")
    sys.stdout.flush()


def say_findings(findings: Sequence[Finding], *, json: bool) -> None:
    """Show what was checked, a line each; what is neither here nor needed is neither well nor amiss."""
    if json:
        say_json(findings)
        return
    for finding in findings:
        console.print(f"{_MARKS[finding.ok]} {escape(f'{finding.name}: {finding.detail}')}")


def complain(error: WellreadError, *, as_json_too: bool) -> int:
    """Show one line with a hint, on stderr, or JSON on stdout; return the exit code."""
    if as_json_too:
        say_json(failure(error))
    else:
        blame(error.code, error.message, error.hint)
    return DOORS[error.code].exit_code


def blame(code: str, message: str, hint: str | None) -> None:
    """Show a failure on stderr: one line with what would help."""
    helps = f" [dim]({_safe(hint)})[/]" if hint else ""
    remarks.print(f"[bold red]{code}[/]: {_safe(message)}{helps}")


_NOTICE_STYLES = {"info": "dim", "warning": "yellow"}


def notice_line(notice: Notice) -> str:
    """Return a notice as a line of rich's markup, with its number where the words do not give it."""
    count = f" ({notice.count:,})" if notice.count and "(" not in notice.detail else ""
    return f"[{_NOTICE_STYLES[notice.level]}]! {notice.code}[/] {_safe(notice.detail)}{count}"


def show_notices(notices: Iterable[Notice]) -> None:
    """Say what should be known about an answer, a line each."""
    for notice in notices:
        remarks.print(notice_line(notice))


def show_page(page: Page, *, body_only: bool = False) -> None:
    """Print the text, below its title unless the `body_only` is asked for; what should be known goes to stderr."""
    say(page.text if body_only else text_with_headline(page))
    show_page_facts(page)


def show_page_facts(page: Page) -> None:
    """Say what should be known about a page: its title, how sure its reading is, notices, and how to read on."""
    facts = [
        _safe(page.title) or "untitled",
        f"{page.word_count:,} words",
        f"confidence {page.confidence:.2f}",
        *_extent(page),
        "from the cache" if page.cached else f"{page.total_time_ms} ms",
    ]
    remarks.print(f"[dim]— {' · '.join(facts)}[/]")
    show_notices(page.notices)
    if page.cursor:
        left = page.total_chars - page.end
        remarks.print(f"[dim]— {left:,} characters follow: --cursor {page.cursor}[/]")


def _extent(page: Page) -> list[str]:
    """Return whether all of the page is shown: a piece is told by its place, and is complete only with the others."""
    is_piece = page.end - page.start < page.total_chars
    facts = [f"characters {page.start:,} to {page.end:,} of {page.total_chars:,}"] if is_piece else []
    if not page.complete:
        return [*facts, "not complete"]
    return facts or ["complete"]


def show_found(found: Found) -> None:
    """Print hits, then how each provider ended."""
    for hit in found.hits:
        console.print(f"[bold]{hit.rank}. {_safe(hit.title)}[/]\n   [cyan]{_safe(hit.url)}[/]")
        if hit.snippet:
            console.print(f"   {_marked(hit.snippet, hit.marks)}")
    for outcome in found.outcomes:
        detail = f": {_safe(outcome.detail)}" if outcome.detail else ""
        remarks.print(f"[dim]— {outcome.provider} {outcome.code}, {outcome.count} hits{detail}[/]")


def _marked(text: str, marks: tuple[tuple[int, int], ...]) -> str:
    """Return `text` as markup, with the words in bold that were asked for."""
    at, told = 0, ""
    for start, end in marks:
        told += f"{_safe(text[at:start])}[bold yellow]{_safe(text[start:end])}[/]"
        at = end
    return told + _safe(text[at:])


def show_gathered(told: Gathered) -> None:
    """Print passages with their citations, then what was missed."""
    for number, passage in enumerate(told.passages, 1):
        place = " > ".join(heading for heading in passage.headings if heading != passage.title)
        console.print(f"[bold]\\[{number}] {_safe(passage.title)}[/]" + (f" [dim]> {_safe(place)}[/]" if place else ""))
        console.print(tame(unnumbered(passage.text.strip())), markup=False, emoji=False)
        cut = f", cut at its {passage.cut}" if passage.cut else ""
        console.print(f"[cyan]{_safe(passage.fragment_url)}[/] [dim]{passage.start}-{passage.end}{cut}[/]\n")
    for missed in told.missed:
        remarks.print(f"[yellow]! missed[/] {_safe(missed.url)}: {missed.code}, {_safe(missed.reason)}")
    show_notices(told.notices)
    for outcome in told.outcomes:
        if outcome.code != "ok":
            remarks.print(f"[yellow]! {outcome.provider}[/] {outcome.code}: {_safe(outcome.detail)}")
    remarks.print(
        f"[dim]— {len(told.passages)} passages from {len(told.pages)} pages, "
        f"{told.search_time_ms + told.gather_time_ms} ms[/]"
    )


class Steps:
    """Says on a terminal how far a gather is, and leaves nothing behind."""

    def __init__(self, *, quiet: bool) -> None:
        """Say nothing when `quiet`, or where nobody watches."""
        self._status = remarks.status("searching") if remarks.is_terminal and not quiet else None
        self._hits = self._read = self._missed = 0

    def __enter__(self) -> Self:
        """Begin."""
        if self._status:
            self._status.start()
        return self

    def __exit__(self, *_exc: object) -> None:
        """Wipe the line away."""
        if self._status:
            self._status.stop()

    def show(self, step: Step) -> None:
        """Count one step."""
        if isinstance(step, Found):
            self._hits = len(step.hits)
        self._read += isinstance(step, Page)
        self._missed += isinstance(step, Missed)
        if self._status:
            self._status.update(f"{self._hits} hits, {self._read} pages read, {self._missed} missed")


def show_spots(spots: Spots) -> None:
    """Print each spot with the words around it."""
    for spot in spots.spots:
        place = " > ".join(spot.headings)
        before, text, after = (_safe(re.sub(r"\s+", " ", part)) for part in (spot.before, spot.text, spot.after))
        console.print(f"[dim]{spot.start}[/] …{before}[bold yellow]{text}[/]{after}… [dim]{_safe(place)}[/]")
    remarks.print(f"[dim]— {len(spots.spots)} of {spots.total} spots[/]")
    show_notices(spots.notices)


def show_download(saved: Download) -> None:
    """Print where the file is, its size and its checksum."""
    there = "  was there" * saved.skipped
    console.print(f"{_safe(str(saved.path))}  {saved.bytes:,} bytes  sha256 {saved.sha256}{there}")
    show_notices(saved.notices)


def show_verdicts(verdicts: tuple[Verdict, ...]) -> None:
    """Print which citations stand."""
    for number, verdict in enumerate(verdicts, 1):
        mark = "[green]stands[/]" if verdict.ok else f"[red]falls[/] ({_safe(verdict.reason)})"
        console.print(f"\\[{number}] {mark} [cyan]{_safe(verdict.passage.url)}[/]")


def show_outcome(row: Row) -> None:
    """Print how a page that was to be kept ended."""
    why = f"{row.code}: {row.reason}" if row.code else ""
    say(f"{row.outcome}\t{row.url}\t{why}".rstrip())


def show_told(told: Told) -> None:
    """Print how many pages ended how, and what was passed over."""
    for note in told.notes:
        remarks.print(f"[yellow]![/] {_safe(note)}")
    remarks.print(f"[dim]— {', '.join(f'{count:,} {outcome}' for outcome, count in told.counts.items())}[/]")


@contextmanager
def counted() -> Iterator[tuple[Callable[[], None], Callable[[int], None]]]:
    """Show on a terminal how far a long run is; yield what counts one more, and what says how many there are."""
    columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    quiet = not remarks.is_terminal
    with Progress(*columns, console=remarks, transient=True, disable=quiet, redirect_stdout=sys.stdout.isatty()) as bar:
        task = bar.add_task("", total=None)
        yield lambda: bar.advance(task), lambda total: bar.update(task, total=total)
