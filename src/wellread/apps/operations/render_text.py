"""Render results as text for a model: facts first, then all text of the web as a quotation, then the call for more.

A result is never cut here: many MCP clients show a model nothing but this text.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from wellread.apps.page_title import says_title
from wellread.errors import SIMILAR_NAMES, InvalidInput, RateLimited, Upstream
from wellread.notice_levels import is_quoting
from wellread.text.counts import count_of
from wellread.text.prompt_quoting import quoted_web_text, without_leading_numbers

if TYPE_CHECKING:
    from collections.abc import Iterable

    from wellread.apps.operations.browser_handlers import Browsed, Closed, Evaluated, Picture
    from wellread.apps.operations.results import (
        CrawledUrls,
        Indexed,
        IndexedUrls,
        PageResults,
        ReadFailure,
        Saved,
        Watched,
    )
    from wellread.errors import WellreadError
    from wellread.types import (
        Answer,
        DeclaredItem,
        Element,
        Facts,
        FieldSource,
        Found,
        Gathered,
        Hit,
        Match,
        Matches,
        Notice,
        Page,
        PageLink,
        Passage,
        ProviderOutcome,
        Research,
        ResearchFinding,
        SiteMap,
        SiteMapEntry,
    )

MAX_URL_CHARS = 200
_LONG_URL = re.compile(rf"[A-Za-z][A-Za-z0-9+.-]{{0,30}}:\S{{{MAX_URL_CHARS},}}")
_MEDIA_TYPE = re.compile(r"[\w.+-]{1,60}/[\w.+-]{1,60}", re.ASCII)

Include = frozenset[str]
"""The lists that the caller has asked for: `include` of the arguments."""


def page_text(result: Page, include: Include) -> str:
    """Return place and warnings, the text under its title and the lists as quotations, and the call that continues."""
    lines = [
        result.final_url,
        f"Characters {result.start:,} to {result.end:,} of {result.total_chars:,}; confidence {result.confidence:.2f}; "
        + _extent(result),
        *_notices(result.notices),
        quoted_web_text(_titled(result), result.final_url),
    ]
    if lists := _lists(result, include):
        lines += ["Lists of the page:", quoted_web_text(lists, result.final_url)]
    if result.cursor:
        missing = result.total_chars - result.end
        more = f"The page continues: {missing:,} of its {count_of(result.total_chars, 'character')} are not shown yet."
        lines.append(_next_call(more, "web_read", {"url": result.url, "cursor": result.cursor}))
    return "\n".join(lines)


def facts_text(result: Facts, _include: Include) -> str:
    """Return the record or all facts of a page as a quotation of JSON, and what was not found."""
    lines = [result.url, *_notices(result.notices)]
    if result.record is None:
        facts: dict[str, object] = {
            "items": [declared._asdict() for declared in result.items],
            "tables": [table._asdict() for table in result.tables],
        }
    else:
        facts = result.record
        origins = (f"{source.field} ({source.origin}{_cited_place(source)})" for source in result.sources)
        lines.append(f"Snapshot {result.snapshot_id}. Sources: {_line('; '.join(origins)) or 'none'}")
    if result.missing:
        lines.append(f"Not found: {_line(', '.join(result.missing))}")
    lines.append(quoted_web_text(json.dumps(facts, ensure_ascii=False, indent=1), result.url))
    return "\n".join(lines)


def _cited_place(source: FieldSource) -> str:
    if source.passage is None:
        return ""
    return f", characters {source.passage.start} to {source.passage.end}"


def _extent(result: Page) -> str:
    if not result.complete:
        return "not complete: see the warnings."
    if (result.start, result.end) != (0, result.total_chars):
        return "a piece of the page."
    return "complete."


def page_results(result: PageResults, include: Include) -> str:
    """Return each page as `page_text` does, or the reason why it could not be read, below its number and URL."""
    parts = [f"{count_of(len(result.results), 'page')}, of which {result.failed} could not be read."]
    for number, page_result in enumerate(result.results, 1):
        parts.append(f"\nPage {number}: {_line(page_result.url)}")
        if page_result.page is not None:
            parts.append(page_text(page_result.page, include))
        if page_result.error is not None:
            parts += _read_failure(page_result.error)
    return "\n".join(parts)


def _read_failure(error: ReadFailure) -> list[str]:
    lines = [f"{error.code}: {_line(error.message)}. {_hint(error.hint) or 'Hint: none.'}"]
    if error.retryable:
        lines.append("The same call may work later.")
    return lines


def _notices(notices: Iterable[Notice]) -> list[str]:
    """Return a line for each notice; the detail of one that may have text of the web is a quotation."""
    lines = []
    for notice in notices:
        head = f"{notice.level.capitalize()}: {notice.code}:"
        if is_quoting(notice.code):
            lines += [head, quoted_web_text(_line(notice.detail))]
        else:
            lines.append(f"{head} {_line(notice.detail)}")
    return lines


def _hint(hint: str) -> str:
    """Return a hint as a sentence; names of an archive in it are a quotation."""
    if hint.startswith(SIMILAR_NAMES):
        return f"Hint: similar names:\n{quoted_web_text(_line(hint.removeprefix(SIMILAR_NAMES)))}\n"
    return f"Hint: {_short_urls(hint).removesuffix('.')}." if hint else ""


def _titled(result: Page) -> str:
    """Return the text of a page below its title, author and date; a later piece has no heading."""
    if result.start:
        return result.text
    author = _line(result.author or result.byline)
    labels = {
        "Title": "" if says_title(result) else _line(result.title),
        "Author": author,
        "Published": _line(result.published_date),
        "Updated": _line(result.modified_date),
    }
    head = "\n".join(f"{label}: {text}" for label, text in labels.items() if text)
    if not head:
        return result.text
    return f"{head}\n\n{result.text}"


def _declared_item(declared: DeclaredItem) -> str:
    """Return an item of structured data on one line."""
    return f"{declared.syntax} {_line(declared.type)}: {json.dumps(declared.properties, ensure_ascii=False)}"


def _lists(result: Page, include: Include) -> str:
    """Return the lists of a page that the caller has asked for, one entry a line."""
    entries = {
        "headings": [f"{heading.start}: {'#' * heading.level} {_line(heading.text)}" for heading in result.headings],
        "posts": [_post(post) for post in result.posts],
        "links": [_line(link) for link in result.links],
        "all_links": [_page_link(link) for link in result.all_links],
        "images": [_line(image) for image in result.images],
        "structured_data": [_declared_item(declared) for declared in result.structured_data],
    }
    return "\n\n".join("\n".join([f"{name}:", *rows]) for name, rows in entries.items() if name in include and rows)


def _post(post: Page.Post) -> str:
    line = f"{post.start} to {post.end}: {_line(post.author)}"
    if post.published_date:
        line += f", {_line(post.published_date)}"
    return line


def found(result: Found, _include: Include) -> str:
    """Return the hits and the remarks of the services: reasons of failure, or words without any match."""
    lines = [f"{count_of(len(result.hits), 'result')}." if result.hits else "No results."]
    lines += _failed_services(result.outcomes)
    if remarks := [f"{outcome.provider}: {_line(outcome.detail)}." for outcome in _with_remarks(result.outcomes)]:
        lines.append(quoted_web_text("\n".join(remarks), "remarks of search services"))
    if result.ignored_filters:
        lines.append(f"Filters that the service lacks: {', '.join(result.ignored_filters)}.")
    if result.hits:
        lines.append(quoted_web_text("\n".join(_hit(hit) for hit in result.hits), "search results"))
    return "\n".join(lines)


def _hit(hit: Hit) -> str:
    title = f"{hit.rank}. {_line(hit.title)}"
    if hit.published_date:
        title += f" ({_line(hit.published_date)})"
    lines = [title, f"   {hit.url}"]
    if hit.snippet:
        lines.append(f"   {_line(hit.snippet)}")
    return "\n".join(lines)


def _page_link(link: PageLink) -> str:
    parts = (f"{link.place}:", link.url, link.text, *(f"rel={word}" for word in link.rel))
    return " ".join(_line(part) for part in parts if part)


def gathered_text(result: Gathered, include: Include) -> str:
    """Return the passages with their citations, the pages that were missed, and the notices."""
    parts = [
        f"[{number}] {_line(passage.title)} - {passage.fragment_url} (score {passage.score:.2f}){_cut(passage)}\n"
        + without_leading_numbers(passage.text.strip())
        for number, passage in enumerate(result.passages, 1)
    ]
    lines = [f"{count_of(len(result.passages), 'passage')} from {count_of(len(result.pages), 'page')}."]
    unread = [missed for missed in result.missed if missed.code != "outranked"]
    lines += [f"Missed: {missed.url}: {missed.code}, {_line(missed.reason)}" for missed in unread]
    lines += _notices(result.notices)
    lines += _failed_services(result.outcomes)
    if parts:
        lines.append(quoted_web_text("\n\n".join(parts), "passages of the pages named"))
    if "pages" in include:
        lines += [page_text(page_of_result, frozenset()) for page_of_result in result.pages]
    return "\n".join(lines)


def answer_text(result: Answer, include: Include) -> str:
    """Return the answer with its citations, and what was left out."""
    citations = [
        f"[{number}] {_line(passage.title)} - {passage.fragment_url}\n{without_leading_numbers(passage.text.strip())}"
        for number, passage in enumerate(result.citations, 1)
    ]
    counts = f"{count_of(len(result.claims), 'sentence')} by {result.author}; {len(result.dropped)} dropped."
    lines = [counts, *_notices(result.notices)]
    if result.claims:
        lines.append(quoted_web_text("\n\n".join([result.text, *citations]), "passages of the pages named"))
    if "gathered" in include:
        lines.append(gathered_text(result.gathered, frozenset()))
    return "\n".join(lines)


def research_text(result: Research, include: Include) -> str:
    """Return the report of a research, with the texts that it cites, and what was left out."""
    contradictions = count_of(len(result.contradictions), "contradiction")
    lines = [f"{count_of(len(result.citations), 'citation')} verified, {contradictions}."]
    if result.cost_usd is not None:
        lines.append(f"Cost: about ${result.cost_usd:.4f}.")
    lines += _notices(result.notices)
    cited_texts = [
        f"[{number}] {without_leading_numbers(passage.text.strip())}"
        for number, passage in enumerate(result.citations, 1)
    ]
    lines.append(quoted_web_text("\n\n".join([result.text, *cited_texts]), "a report and the passages that it cites"))
    if "findings" in include:
        lines += [_finding(finding) for finding in result.findings]
    if "contradictions" in include:
        # Loaded here because most answers have none.
        from wellread.reading.research_report import contradiction_line

        pairs = [contradiction_line(contradiction, result.citations) for contradiction in result.contradictions]
        lines.append(quoted_web_text("\n".join(pairs), "pairs of sentences that contradict"))
    return "\n".join(lines)


def _finding(finding: ResearchFinding) -> str:
    counts = f"{count_of(finding.pages, 'page')}, {count_of(finding.tokens, 'token')}, {finding.elapsed_s:.1f} s"
    texts = [claim.text for claim in (*finding.claims, *finding.quotations)]
    texts += [f"{url} ({snapshot_id})" for url, snapshot_id in finding.sources]
    return f"{_line(finding.query)}: {counts}\n" + quoted_web_text("\n".join(texts), "sentences and sources")


def _failed_services(outcomes: tuple[ProviderOutcome, ...]) -> list[str]:
    failed = [outcome for outcome in outcomes if outcome.code != "ok"]
    return [f"{outcome.provider}: {outcome.code}. {_line(outcome.detail)}".rstrip() for outcome in failed]


def _with_remarks(outcomes: tuple[ProviderOutcome, ...]) -> list[ProviderOutcome]:
    return [outcome for outcome in outcomes if outcome.code == "ok" and outcome.detail]


def _cut(passage: Passage) -> str:
    if not passage.cut:
        return ""
    return f" (cut at its {passage.cut}: find or read the page for the rest)"


def matches(result: Matches, _include: Include) -> str:
    """Return each place with the words around it."""
    warnings = "".join(f"\n{line}" for line in _notices(result.notices))
    if not result.matches:
        return "The page has no match." + warnings
    text = f"{len(result.matches):,} of {count_of(result.total, 'match')}.{warnings}\n"
    text += quoted_web_text("\n".join(map(_match, result.matches)), "the page")
    if missing := result.total - len(result.matches):
        text += f"\nNot shown: {count_of(missing, 'match')}. Set a larger `limit`."
    return text


def _match(match: Match) -> str:
    place = f"at {match.start}"
    if match.headings:
        place += " under " + " > ".join(map(_line, match.headings))
    return f"{place}: \u2026{_line(f'{match.before}[{match.text}]{match.after}')}\u2026"


def site_map(result: SiteMap, _include: Include) -> str:
    """Return the URLs of a site with dates and titles, and the counts of what is missing."""
    lines = [f"{len(result.entries):,} of {count_of(result.total, 'URL')} of {_line(result.url)}."]
    if result.other_hosts:
        lines.append(f"Left out: {count_of(result.other_hosts, 'URL')} on other hosts.")
    if result.unread_maps:
        lines.append(f"Not read because of a limit: {count_of(result.unread_maps, 'site map')} or pages.")
    lines += [f"{missed.code}: {_line(missed.reason)}" for missed in result.missed]
    lines.append(quoted_web_text("\n".join(map(_map_entry, result.entries)), result.url))
    if missing := result.total - len(result.entries):
        lines.append(f"Not shown: {count_of(missing, 'URL')}. Ask with a larger `limit`, or with `search` words.")
    return "\n".join(lines)


def _map_entry(entry: SiteMapEntry) -> str:
    return " ".join(filter(None, [_line(entry.url), _line(entry.modified_date), _line(entry.title)]))


def crawled_urls(result: CrawledUrls, _include: Include) -> str:
    """Return the URLs of a small crawl with their states and titles, and what was not asked for."""
    lines = [f"{count_of(len(result.urls), 'URL')}; found and not asked for: {result.waiting:,} more."]
    if result.hint:
        lines.append(f"The crawl {_line(result.hint)}.")
    rows = [
        " ".join(filter(None, [row.state, _line(row.url), _line(row.title), _line(row.reason)])) for row in result.urls
    ]
    if result.urls:
        lines.append(quoted_web_text("\n".join(rows), result.urls[0].url))
    hints = {row.reason.partition(":")[0]: row.hint for row in result.urls if row.hint}
    lines += [f"Hint for {code}: {_short_urls(hint).removesuffix('.')}." for code, hint in hints.items()]
    lines.append("Read a page with web_read: new, changed and unchanged pages are stored.")
    return "\n".join(lines)


def watched(result: Watched, _include: Include) -> str:
    """Return watches, outcomes of checks and changes: facts as lines, with all text of pages as a quotation."""
    lines = [_line(f"Watch {row.id}: every {row.every_s:g} s: {row.url}") for row in result.watches]
    lines += [f"Watch {row.id}: its last check failed. {_line(row.error)}" for row in result.watches if row.error]
    for check in result.checks:
        lines.append(_line(f"Checked {check.id}: {check.state}: {check.url}"))
        if check.error is not None:
            lines += _read_failure(check.error)
        if check.diff:
            lines.append(quoted_web_text(check.diff, check.url))
    for change in result.changes:
        lines.append(f"{change.earlier_snapshot_id} to {change.snapshot_id}:")
        lines.append(quoted_web_text(change.diff, "the watched page"))
    if not lines:
        lines.append("Nothing to show.")
    if result.due:
        lines.append(f"Still due: {count_of(result.due, 'page')}. Call with the action run again.")
    return "\n".join([*lines, *_notices(result.notices)])


def saved(result: Saved, _include: Include) -> str:
    """Return name, size and checksum of a file."""
    match = _MEDIA_TYPE.match(result.content_type or "")
    media_type = match[0] if match else "unknown type"
    line = f"Saved: {count_of(result.bytes, 'byte')}, {media_type}, sha256 {result.sha256}. Resource: {result.uri}"
    return "\n".join([line, "Its name:", quoted_web_text(result.name), *_notices(result.notices)])


def indexed(result: Indexed, _include: Include) -> str:
    """Return the outcome for the page."""
    return f"{result.url}: {result.outcome}."


def listing(result: IndexedUrls, _include: Include) -> str:
    """Return the URLs, and the call that continues the list."""
    lines = [f"{count_of(result.total, 'page')} in the index.", *result.urls]
    if result.cursor:
        more = f"The list continues after {result.cursor} of {count_of(result.total, 'page')}."
        lines.append(_next_call(more, "index_list", {"cursor": result.cursor}))
    return "\n".join(lines)


def browsed(result: Browsed, include: Include) -> str:
    """Return the session, its notices, the content of the page as a quotation, and the call for its next part."""
    lines = [f"Session {result.session}:"]
    head = []
    if not result.incremental:  # else the caller has seen both
        lines[0] += f" {result.url}"
        head = [f"Title: {_line(result.title)}"] * bool(result.title)
    lines += _notices(result.notices)
    head += (f"Dialog: {_line(line)}" for line in result.dialogs)
    head += (f"Download: {_line(line)}" for line in result.downloads)
    head += (f"Tab: {_line(line)}" for line in result.tabs)
    head += (f"Changed: {_line(line)}" for line in result.changes)
    if head:
        head.append("")
    lines.append(quoted_web_text("\n".join([*head, result.content])))
    if "elements" in include and result.elements:
        lines += ["Elements of this page:", quoted_web_text("\n".join(map(_element, result.elements)))]
    if result.page < result.pages and not result.incremental:
        more = f"Page {result.page} of {result.pages} is shown"
        if result.more:
            more += f", {count_of(result.more, 'more element')}"
        arguments = {"session": result.session, "form": result.form, "page": result.page + 1}
        lines.append(_next_call(f"{more}.", "page_read", arguments))
    return "\n".join(lines)


def _element(element: Element) -> str:
    facts = [_line(element.name)]
    if element.value:
        facts.append(f"value {_line(element.value)}")
    facts += element.state
    return f"[{element.index}] {element.role}: {', '.join(facts)}"


def picture(result: Picture, _include: Include) -> str:
    """Return the page that the picture shows; the picture itself is sent beside the text."""
    return (
        f"Session {result.session}: a picture of {result.url}, PNG, {result.size:,} bytes. What it shows is data too."
    )


def evaluated(result: Evaluated, _include: Include) -> str:
    """Return the value as a quotation: the page may have made it."""
    return f"Session {result.session}: the value is JSON.\n{quoted_web_text(result.value, result.url)}"


def closed(result: Closed, _include: Include) -> str:
    """Return the outcome for the session."""
    return f"Session {result.session}: {result.outcome}."


def failure_text(error: WellreadError) -> str:
    """Return all facts of a failure: code, sentence, hint, URL, status and the time of the next try."""
    hint = f" {_hint(error.hint)}" if error.hint else ""
    if error.url and error.code == InvalidInput.code:  # of a step on a page: names and labels are its own
        reason = quoted_web_text(f"{_short_urls(error.message)}.{hint}", _short_urls(error.url))
        return f"{error.code}: the step was not done.\n{reason}"
    facts = [f"{error.code}: {_short_urls(error.message)}.{hint}"]
    if isinstance(error, Upstream) and error.status is not None and str(error.status) not in error.message:
        facts.append(f"HTTP status: {error.status}.")
    if error.url and error.url not in error.message:
        facts.append(f"URL: {_short_urls(error.url)}")
    if error.retryable:
        facts.append("The same call may work later.")
    if isinstance(error, RateLimited) and error.retry_after_s is not None:
        facts.append(f"Wait for {error.retry_after_s:g} s first.")
    return " ".join(facts)


def _short_urls(text: str) -> str:
    """Return a text in one line with the first characters of each URL: a redirect may have named it."""
    return _LONG_URL.sub(lambda match: f"{match[0][:MAX_URL_CHARS]}...", _line(text))


def _next_call(more: str, tool: str, arguments: dict[str, object]) -> str:
    """Return the exact call that continues: a name and a JSON object, as a model has to write them.

    It stands at the end, behind the text that it continues, where `mcp-server-fetch` has its own notice too.
    """
    return f"{more} To read on, call {tool} with {json.dumps(arguments, ensure_ascii=False)}"


def _line(text: str | None) -> str:
    return " ".join((text or "").split())
