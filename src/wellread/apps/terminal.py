"""Print results on a terminal: text on stdout, remarks on stderr, colours only on a terminal."""

from __future__ import annotations

import re
import sys
from collections import Counter
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING

from wellread.apps.console import console, escape, stderr_console
from wellread.apps.exit_codes import STATUS_BY_CODE
from wellread.apps.serialize import as_command_json, crawl_reason, error_json
from wellread.errors import BlockedAddress
from wellread.lazy_pattern import lazy_pattern
from wellread.text.counts import count_of
from wellread.text.prompt_quoting import without_leading_numbers
from wellread.types import Found, Missed, Page, ResearchFinding, ResearchPlan

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from wellread.apps.doctor import Finding
    from wellread.apps.indexing import IndexedPage, IndexSummary
    from wellread.apps.serialize import UncoveredText
    from wellread.crawl.crawler import CrawlProgress
    from wellread.errors import WellreadError
    from wellread.net.downloads import Download
    from wellread.types import (
        Answer,
        AnswerStep,
        CrawlRecord,
        CrawlState,
        Facts,
        Gathered,
        Matches,
        Notice,
        ResearchStep,
        SiteMap,
        Verdict,
    )

# Text from the web must not steer the terminal: C0 and C1 controls besides tab and newline go (ECMA-48).
_CONTROLS = lazy_pattern(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")

_STEERS = lazy_pattern(r"[\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")

_SHORT_PAGE_WORDS = 120
"""Below this number of words, the confidence is below 0.5, however good the reading is (`completeness.py`)."""
_AGE_UNITS = ((86_400, "days"), (3_600, "hours"), (60, "min"))
_VERIFIED, _NOT_VERIFIED, _REMARK = "[green]verified[/]", "[red]not verified[/]", "[yellow]![/]"
_MARKS = {True: "[green]ok  [/]", False: "[red]fail[/]", None: "[dim]-   [/]"}


def without_controls(text: str) -> str:
    """Return `text` without characters that would control a terminal."""
    return _CONTROLS.sub("", text)


def _safe(text: str | None) -> str:
    return escape(without_controls(text or ""))


def say(text: str) -> None:
    """Write text to stdout unchanged, except for control characters."""
    line = without_controls(text)
    if not text.endswith("\n"):
        line += "\n"
    console.write(line)


def say_json(value: object, *, indent: int | None = 2) -> None:
    """Write a value to stdout as JSON; with no `indent`, on one line."""
    # JSON may escape any character: those that steer a terminal are written so.
    text = _STEERS.sub(lambda match: f"\\u{ord(match[0]):04x}", as_command_json(value, indent=indent))
    console.write(f"{text}\n")


def say_findings(findings: Sequence[Finding], *, json: bool) -> None:
    """Print failures first, then missing parts that nothing needs, then what is healthy.

    Parts of one kind share a line where the same would help them all, and where they are healthy.
    """
    if json:
        say_json(findings)
        return
    for ok in (False, None, True):
        groups: dict[tuple[str, str], list[Finding]] = {}
        for finding in findings:
            if finding.ok is ok:
                groups.setdefault(_finding_group(finding), []).append(finding)
        for group in groups.values():
            console.print(f"{_MARKS[ok]} {escape(_group_line(group))}")


def _finding_group(finding: Finding) -> tuple[str, str]:
    """Return what the findings of one line share: the kind of part, and what would help."""
    kind = finding.name.rpartition(" ")[0]
    if not kind or finding.ok is False:
        return finding.name, ""
    if finding.ok:
        return kind, ""
    return kind, _detail_pattern(finding)


def _detail_pattern(finding: Finding) -> str:
    """Return the detail of a finding with `NAME` in place of the name of the part."""
    return finding.detail.replace(finding.name.rpartition(" ")[2], "NAME")


def _group_line(group: Sequence[Finding]) -> str:
    if len(group) == 1:
        return f"{group[0].name}: {group[0].detail}"
    kind = group[0].name.rpartition(" ")[0]
    line = f"{kind} {', '.join(finding.name.rpartition(' ')[2] for finding in group)}"
    patterns = {_detail_pattern(finding) for finding in group}
    if len(patterns) == 1:
        line += f": {patterns.pop()}"
    return line


def complain(error: WellreadError, *, as_json_too: bool) -> int:
    """Print a failure and its hint on stderr, or as JSON on stdout; return the exit code."""
    if as_json_too:
        say_json(error_json(error))
    else:
        message = error.message
        if error.owner_detail:
            message += f" ({error.owner_detail})"
        blame(error.code, message, error.hint)
    return STATUS_BY_CODE[error.code].exit_code


def blame(code: str, message: str, hint: str | None) -> None:
    """Print a failure on stderr in one line, with its hint."""
    line = f"[bold red]{code}[/]: {_safe(message)}"
    if hint:
        line += f" [dim]({_safe(hint)})[/]"
    stderr_console.print(line)


def show_empty(message: str, command: str) -> None:
    """Print on stderr that a list is empty, and the command that adds to it."""
    stderr_console.print(f"[dim]\u2014 {escape(message)}; to add one: {escape(command)}[/]")


_NOTICE_STYLES = {"info": "dim", "warning": "yellow"}


def notice_line(notice: Notice) -> str:
    """Return a notice as a line of rich's markup, with its count unless the sentence has it."""
    line = f"[{_NOTICE_STYLES[notice.level]}]! {notice.code}[/] {_safe(notice.detail)}"
    if notice.count and "(" not in notice.detail:
        line += f" ({notice.count:,})"
    return line


def show_notices(notices: Iterable[Notice]) -> None:
    """Print the notices of a result, one a line."""
    for notice in notices:
        stderr_console.print(notice_line(notice))


def show_page(page: Page, *, body_only: bool = False, age_s: float | None = None) -> None:
    """Print the text, below its title unless `body_only`; facts and notices go to stderr."""
    # Loaded here so that other commands do not wait for the printers of documents.
    from wellread.apps.page_title import text_with_headline

    say(page.text if body_only else text_with_headline(page))
    show_page_facts(page, age_s=age_s)


def show_page_facts(page: Page, *, age_s: float | None = None) -> None:
    """Print the facts of a page: title, confidence, notices, and the option that continues.

    `age_s` is the age of a page from the cache, where it is known.
    """
    facts = [
        _safe(page.title) or "untitled",
        count_of(page.word_count, "word"),
        *_confidence(page),
        *_extent(page),
        _source(page, age_s),
    ]
    stderr_console.print(f"[dim]— {' · '.join(facts)}[/]")
    show_notices(page.notices)
    if page.cursor:
        remaining_chars = page.total_chars - page.end
        stderr_console.print(f"[dim]— {count_of(remaining_chars, 'character')} remain: --cursor {page.cursor}[/]")


def _source(page: Page, age_s: float | None) -> str:
    """Return how long the page took, or that it is from the cache, and how old."""
    if not page.cached:
        return f"{page.total_time_ms} ms"
    if age_s is None:
        return "from the cache"
    unit_s, unit = next((pair for pair in _AGE_UNITS if age_s >= 2 * pair[0]), (1, "s"))
    return f"from the cache, {age_s / unit_s:.0f} {unit} old"


def _confidence(page: Page) -> list[str]:
    """Return the confidence, except of a complete short page: its confidence is low only because it is short."""
    if page.complete and page.word_count < _SHORT_PAGE_WORDS:
        return []
    return [f"confidence {page.confidence:.2f}"]


def _extent(page: Page) -> list[str]:
    """Return the extent of the text: characters of a piece, and whether the page is complete."""
    facts = []
    if page.end - page.start < page.total_chars:
        facts.append(f"characters {page.start:,} to {page.end:,} of {page.total_chars:,}")
    if not page.complete:
        return [*facts, "not complete"]
    return facts or ["complete"]


def show_hits(results: Found) -> None:
    """Print hits, then the outcome of each provider."""
    for hit in results.hits:
        console.print(f"[bold]{hit.rank}. {_safe(hit.title)}[/]\n   [cyan]{_safe(hit.url)}[/]")
        if hit.snippet:
            console.print(f"   {_marked(hit.snippet, hit.marks)}")
    for outcome in results.outcomes:
        line = f"{outcome.provider} {outcome.code}, {count_of(outcome.count, 'hit')}"
        if outcome.detail:
            line += f": {_safe(outcome.detail)}"
        stderr_console.print(f"[dim]— {line}[/]")


def _marked(text: str, marks: tuple[tuple[int, int], ...]) -> str:
    """Return `text` as markup, with the words of the query in bold."""
    position, markup = 0, ""
    for start, end in marks:
        markup += f"{_safe(text[position:start])}[bold yellow]{_safe(text[start:end])}[/]"
        position = end
    return markup + _safe(text[position:])


def show_gathered(gathered: Gathered) -> None:
    """Print passages with their citations, then the pages that were missed."""
    for number, passage in enumerate(gathered.passages, 1):
        title = f"[bold]\\[{number}] {_safe(passage.title)}[/]"
        if place := " > ".join(heading for heading in passage.headings if heading != passage.title):
            title += f" [dim]> {_safe(place)}[/]"
        console.print(title)
        console.print(without_controls(without_leading_numbers(passage.text.strip())), markup=False)
        extent = f"{passage.start}-{passage.end}, score {passage.score:.2f}"
        if passage.cut:
            extent += f", cut at its {passage.cut}"
        console.print(f"[cyan]{_safe(passage.fragment_url)}[/] [dim]{extent}[/]\n")
    _show_missed(gathered.missed)
    show_notices(gathered.notices)
    for outcome in gathered.outcomes:
        if outcome.code != "ok":
            stderr_console.print(f"[yellow]! {outcome.provider}[/] {outcome.code}: {_safe(outcome.detail)}")
    source_count = len({passage.url for passage in gathered.passages})
    stderr_console.print(
        f"[dim]— {count_of(len(gathered.passages), 'passage')} from {source_count} of "
        f"{count_of(len(gathered.pages), 'page')}, "
        f"{gathered.search_time_ms + gathered.gather_time_ms} ms[/]"
    )


def _show_missed(pages: Iterable[Missed]) -> None:
    """Print the pages that could not be read; a refused address with the setting that allows it."""
    for missed in pages:
        if missed.code == "outranked":  # it was read, and its passages were compared
            continue
        hint = ""
        if missed.code == BlockedAddress.code:
            hint = f" ({BlockedAddress.default_hint})"
        stderr_console.print(f"[yellow]! missed[/] {_safe(missed.url)}: {missed.code}, {_safe(missed.reason)}{hint}")


def show_answer(answer: Answer) -> None:
    """Print the sentences, their citations, and what was dropped."""
    if answer.text:
        say(f"{answer.text}\n")
    for number, passage in enumerate(answer.citations, 1):
        console.print(f"\\[{number}] [bold]{_safe(passage.title)}[/] [dim]{passage.start}-{passage.end}[/]")
        console.print(f"[cyan]{_safe(passage.fragment_url)}[/]")
    for claim in answer.dropped:
        reasons = ", ".join(claim.unsupported)
        stderr_console.print(f"[yellow]! dropped[/] {_safe(claim.text)} [dim]({_safe(reasons)})[/]")
    _show_missed(answer.gathered.missed)
    show_notices(answer.notices)
    counts = (
        f"{count_of(len(answer.citations), 'citation')} verified, {count_of(len(answer.gathered.pages), 'page')} read"
    )
    stderr_console.print(f"[dim]\u2014 by {answer.author}; {counts}[/]")


def show_research_step(step: ResearchStep) -> None:
    """Print what a step of a research has done, on stderr."""
    if isinstance(step, ResearchPlan):
        stderr_console.print(f"[dim]plan:[/] {count_of(len(step.queries), 'query')}")
    elif isinstance(step, ResearchFinding):
        sentences = f"{count_of(len(step.sources), 'page')} read, {count_of(len(step.claims), 'sentence')}"
        stderr_console.print(f"[dim]{_safe(step.query)}:[/] {sentences}")
    else:
        for work in step.left_out:
            stderr_console.print(f"[yellow]! left out[/] {_safe(work)}")
        show_notices(step.notices)
        counts = f"{count_of(len(step.citations), 'citation')} verified"
        counts += f", {count_of(len(step.contradictions), 'contradiction')}"
        if step.cost_usd is not None:
            counts += f", about ${step.cost_usd:.4f}"
        stderr_console.print(f"[dim]\u2014 {counts}[/]")


@contextmanager
def gather_progress(*, quiet: bool) -> Iterator[Callable[[AnswerStep], None]]:
    """Show on a terminal how far a gather is, until the end; yield a function that counts a step."""
    hit_count = 0
    counts: Counter[type] = Counter()
    with nullcontext(lambda _: None) if quiet else stderr_console.status("searching") as show:

        def count(step: AnswerStep) -> None:
            nonlocal hit_count
            if isinstance(step, Found):
                hit_count = len(step.hits)
            counts[type(step)] += 1
            show(f"{count_of(hit_count, 'hit')}, {count_of(counts[Page], 'page')} read, {counts[Missed]} missed")

        yield count


def show_matches(result: Matches) -> None:
    """Print each match with the words around it."""
    for match in result.matches:
        place = " > ".join(match.headings)
        before, text, after = (_safe(re.sub(r"\s+", " ", part)) for part in (match.before, match.text, match.after))
        console.print(f"[dim]{match.start}[/] …{before}[bold yellow]{text}[/]{after}… [dim]{_safe(place)}[/]")
    stderr_console.print(f"[dim]— {len(result.matches):,} of {count_of(result.total, 'match')}[/]")
    show_notices(result.notices)


def show_facts(facts: Facts) -> None:
    """Print the record, or all items and tables, and what was not found."""
    if facts.record is None:
        for declared in facts.items:
            console.print(f"[bold]{_safe(declared.type or 'item')}[/] [dim]{declared.syntax}[/]")
            say(_indented(declared.properties))
        for number, table in enumerate(facts.tables, 1):
            console.print(f"[bold]{_safe(f'Table {number}: {table.caption}'.rstrip(': '))}[/]")
            say("\n".join("\t".join(row) for row in (table.columns, *table.rows) if row))
            say("")
    else:
        say(_indented(facts.record))
        for source in facts.sources:
            place = "" if source.passage is None else f" at {source.passage.start}-{source.passage.end}"
            stderr_console.print(
                f"[dim]\u2014 {_safe(source.field)}: {source.origin}, {_safe(source.detail)}{place}[/]"
            )
    counts = f"{count_of(len(facts.items), 'item')}, {count_of(len(facts.tables), 'table')}"
    stderr_console.print(f"[dim]\u2014 {counts} at {_safe(facts.url)}[/]")
    show_missing_facts(facts)


def show_missing_facts(facts: Facts) -> None:
    """Print the fields that were not found, what would find them, and the notices."""
    if facts.missing:
        line = f"[yellow]! not found[/] {_safe(', '.join(facts.missing))}"
        if not facts.record and not any(notice.code == "fields_in_rows" for notice in facts.notices):
            line += " [dim](--selectors chooses elements of the page; `each` makes a record of each like element)[/]"
        stderr_console.print(line)
    show_notices(facts.notices)


def _indented(properties: Mapping[str, object], indent: str = "  ") -> str:
    """Return properties on lines of their own, those of objects below their name."""
    lines = []
    for name, part in properties.items():
        for entry in part if isinstance(part, list) else [part]:
            if isinstance(entry, dict):
                lines += [f"{indent}{name}:", _indented(entry, f"{indent}  ")]
            else:
                text = str(entry).replace("\n", f"\n{indent}  ")
                lines.append(f"{indent}{name}: {text}")
    return "\n".join(lines)


def show_site_map(site_map: SiteMap) -> None:
    """Print each URL with its date and title, and count what is missing."""
    for entry in site_map.entries:
        say("\t".join([entry.url, entry.modified_date or "", entry.title or ""]).rstrip("\t"))
    facts = [f"{len(site_map.entries):,} of {count_of(site_map.total, 'URL')}"]
    if site_map.other_hosts:
        facts.append(f"{site_map.other_hosts:,} on other hosts left out")
    if site_map.unread_maps:
        facts.append(f"{count_of(site_map.unread_maps, 'site map')} or pages not read because of a limit")
    stderr_console.print(f"[dim]\u2014 {' · '.join(facts)}[/]")
    for missed in site_map.missed:
        stderr_console.print(f"[yellow]! {missed.code}[/] {_safe(missed.reason)}")


def show_crawl_record(record: CrawlRecord, *, hint: bool) -> None:
    """Print the state and the URL of a record, and why it has no page; with `hint`, what would help."""
    reason = crawl_reason(record)
    if hint and record.error is not None and record.error.hint:
        reason += f" ({record.error.hint})"
    say("\t".join(filter(None, [record.state, record.url, reason])))


def show_crawl_summary(
    progress: CrawlProgress,
    folder: Path,
    run_states: Mapping[CrawlState, int],
    *,
    stopping_option: str,
    depth_option: str,
) -> None:
    """Print the states of all URLs of a crawl, what was left out, and why it ended.

    `run_states` counts the URLs of this run, which are named if earlier runs or other workers have done more.
    `stopping_option` is the option that ended the crawl, with its number; empty for none. `depth_option` is the option
    that bounds the depth.
    """
    counts = progress.counts
    stderr_console.print(f"[dim]\u2014 {escape(str(folder))}: {_crawl_states(progress, run_states)}[/]")
    if stopping_option:
        stderr_console.print(f"[yellow]! ended by {stopping_option}, which counts all runs; a higher one continues[/]")
    elif not run_states and not counts.waiting and not counts.leased:
        stderr_console.print("[dim]! finished; --recrawl changed asks again[/]")
    if progress.too_deep:
        links = count_of(progress.too_deep, "link")
        stderr_console.print(f"[yellow]! {links} deeper than {depth_option}; a higher one continues[/]")
    if progress.out_of_scope:
        stderr_console.print(f"[dim]! {count_of(progress.out_of_scope, 'link')} outside the crawl[/]")
    if progress.links_left_out:
        links = count_of(progress.links_left_out, "link")
        stderr_console.print(f"[yellow]! left out {links} of pages or site maps that have too many[/]")
    for trap in progress.traps:
        facts_of_trap = f"{count_of(trap.admitted, 'URL')} crawled, {count_of(trap.refused, 'link')} refused"
        stderr_console.print(f"[yellow]! trap[/] {trap.name} at {_safe(trap.group)}: {facts_of_trap}")


def show_crawl_interrupt(progress: CrawlProgress, folder: Path, run_states: Mapping[CrawlState, int]) -> None:
    """Print the states of all URLs of a crawl that Ctrl-C has ended, and how to continue it."""
    states = _crawl_states(progress, run_states)
    next_step = "interrupted: run the same command to go on"
    stderr_console.print(f"[dim]\u2014 {escape(str(folder))}: {states}; {next_step}[/]")


def _crawl_states(progress: CrawlProgress, run_states: Mapping[CrawlState, int]) -> str:
    """Return the number of URLs in each state, those of this run first if there are others."""
    counts = progress.counts
    totals = _state_counts(counts.states)
    if counts.waiting:
        totals.append(f"{counts.waiting:,} not asked for yet")
    summary = ", ".join(totals) or "no URL"
    if sum(counts.states.values()) == sum(run_states.values()):
        return summary
    ordered = {state: run_states.get(state, 0) for state in counts.states}
    return f"this run: {', '.join(_state_counts(ordered)) or 'no URL'}; in all: {summary}"


def _state_counts(states: Mapping[CrawlState, int]) -> list[str]:
    return [f"{count:,} {state}" for state, count in states.items() if count]


def show_frequent_error(code: str, *, count: int, total: int, next_step: str) -> None:
    """Print the code that `count` of the `total` failures of a crawl have, and what would help."""
    line = f"[yellow]! {code} ({count:,} of {count_of(total, 'failure')})[/]"
    if next_step:
        line += f": {_safe(next_step)}"
    stderr_console.print(line)


def show_download(saved: Download) -> None:
    """Print where the file is, its size and its checksum."""
    suffix = "  already existed" * saved.skipped
    console.print(f"{_safe(str(saved.path))}  {count_of(saved.bytes, 'byte')}  sha256 {saved.sha256}{suffix}")
    show_notices(saved.notices)


def show_verdicts(verdicts: tuple[Verdict, ...]) -> None:
    """Print which citations hold."""
    for number, verdict in enumerate(verdicts, 1):
        mark = _VERIFIED
        if not verdict.ok:
            mark = f"{_NOT_VERIFIED} ({_safe(verdict.reason)})"
        console.print(f"\\[{number}] {mark} [cyan]{_safe(verdict.passage.url)}[/]")


def show_uncovered(parts: tuple[UncoveredText, ...]) -> None:
    """Print the parts of an answer or a report that no cited sentence covers."""
    for part in parts:
        mark = _NOT_VERIFIED
        if part.ok:
            mark = _REMARK
        console.print(f"{mark} ({_safe(part.reason)})")


def show_outcome(row: IndexedPage) -> None:
    """Print the outcome of a page for the index."""
    line = f"{row.outcome}\t{row.url}"
    if row.code:
        line += f"\t{row.code}: {row.reason}"
    say(line.rstrip())


def show_index_summary(summary: IndexSummary) -> None:
    """Print the number of pages for each outcome, and the notes on skipped pages."""
    for note in summary.notes:
        stderr_console.print(f"{_REMARK} {_safe(note)}")
    stderr_console.print(f"[dim]— {', '.join(f'{count:,} {outcome}' for outcome, count in summary.counts.items())}[/]")


@contextmanager
def counted() -> Iterator[tuple[Callable[[], None], Callable[[int], None]]]:
    """Show a progress bar on a terminal; yield a function that advances it and one that sets the total."""
    if not stderr_console.is_terminal:
        yield lambda: None, lambda _: None
        return
    # Loaded here, as most commands show no progress bar.
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeElapsedColumn

    columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=stderr_console.rich, transient=True, redirect_stdout=sys.stdout.isatty()) as bar:
        task = bar.add_task("", total=None)
        yield lambda: bar.advance(task), lambda total: bar.update(task, total=total)
