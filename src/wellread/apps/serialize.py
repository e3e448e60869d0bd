"""Results as JSON, in the same form at every interface."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

from wellread.errors import InvalidInput, WellreadError
from wellread.types import (
    COMPUTED_FIELDS,
    Claim,
    Contradiction,
    CrawlRecord,
    Found,
    Gathered,
    Missed,
    Page,
    Passage,
    ResearchFinding,
    Step,
    only_warnings,
)
from wellread.values import Secret

if TYPE_CHECKING:
    from collections.abc import Sequence

T = TypeVar("T")

SCALARS = (str, int, float, NoneType)
"""Types whose values are JSON already, as most are."""
_EVENTS: dict[type[Step], str] = {Found: "hits", Page: "page", Missed: "missed", Gathered: "done"}
"""The names of the steps of a gather, which are those of the events over HTTP (`apps/http/stream.py`)."""


def as_plain(value: object) -> Any:  # Any: JSON values are recursive, and callers hand them straight to json
    """Return `value` as dicts, lists, strings, numbers and None; secrets as `***`."""
    if isinstance(value, SCALARS):
        return value
    if isinstance(value, Secret | Path):
        return str(value)
    if dataclasses.is_dataclass(value) or (isinstance(value, tuple) and hasattr(value, "_asdict")):
        return {name: as_plain(getattr(value, name)) for name in field_names(value)}
    if isinstance(value, Mapping):
        return {str(name): as_plain(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [as_plain(part) for part in value]
    return value


def field_names(value: Any) -> tuple[str, ...]:  # Any: a dataclass or a named tuple
    """Return the names of the fields that the JSON of a result has, computed ones last."""
    kind: Any = type(value)  # Any: mypy does not take a type for hashable
    return _field_names(kind)


@cache
def _field_names(kind: Any) -> tuple[str, ...]:  # Any: as above
    computed = COMPUTED_FIELDS.get(kind, ())
    if dataclasses.is_dataclass(kind):
        return (*(field.name for field in dataclasses.fields(kind)), *computed)
    return (*kind._fields, *computed)


def with_notices(value: T, *, all_notices: bool) -> T:
    """Return a result as interfaces show it: without `info` notices, unless all are requested."""
    if all_notices or not dataclasses.is_dataclass(value) or isinstance(value, type):
        return value
    changes: dict[str, Any] = {}  # Any: arguments of `replace`
    if isinstance(notices := getattr(value, "notices", None), tuple):
        changes["notices"] = only_warnings(notices)
    if isinstance(value, Gathered):
        changes["pages"] = tuple(with_notices(page, all_notices=False) for page in value.pages)
    return dataclasses.replace(value, **changes) if changes else value


def as_json(value: object, *, indent: int | None = 2) -> str:
    """Return `value` as JSON text, Unicode kept."""
    return json.dumps(as_plain(value), ensure_ascii=False, indent=indent)


def as_command_json(value: object, *, indent: int | None = 2) -> str:
    """Return `value` as a command's JSON text: a page repeats its notices as `warnings`, their former name."""
    fields = as_plain(value)
    if isinstance(value, Page):
        fields["warnings"] = fields["notices"]
    return json.dumps(fields, ensure_ascii=False, indent=indent)


def event(step: Step, *, all_notices: bool = False) -> dict[str, object]:
    """Return a step of a gather under its name: hits, page, missed or done."""
    fields: dict[str, object] = as_plain(with_notices(step, all_notices=all_notices))
    return {"event": _EVENTS[type(step)]} | fields


def error_json(error: WellreadError) -> dict[str, dict[str, object]]:
    """Return an error in the JSON form of every interface."""
    return {"error": error.fields()}


ERROR_START: Final = b'{"error"'
"""How the row of an error begins."""


def page_row(page: Page, *, all_notices: bool) -> bytes:
    """Return a page as a row: its JSON on one line, in UTF-8."""
    return _row(as_command_json(with_notices(page, all_notices=all_notices), indent=None))


def error_row(error: WellreadError) -> bytes:
    """Return an error as the row of the page that cannot be read."""
    return _row(as_json(error_json(error), indent=None))


def _row(line: str) -> bytes:
    """Encode a line; one half of a surrogate pair, which UTF-8 cannot hold, becomes a question mark."""
    return line.encode("utf-8", "replace")


class UncoveredText(NamedTuple):
    """A part of an answer or a report that no cited sentence covers, in the place of a verdict."""

    passage: None
    ok: bool
    reason: str


class CitedResult(NamedTuple):
    """The citations in the JSON of a result."""

    passages: tuple[Passage, ...]
    claims: tuple[Claim, ...] = ()
    """The sentences that cite them."""
    uncovered: tuple[UncoveredText, ...] = ()


def citations_from(text: str) -> CitedResult:
    """Parse the JSON of a gather, an answer or a research, its last line, or a list of passages.

    Raises:
        InvalidInput: not JSON, or not of that shape; or a sentence that cites nothing.
    """
    # Loaded here because only this needs the words and numbers of sentences.
    from wellread.citations.verification import claim_of, passage_of

    try:
        result = _last(text)
        if not isinstance(result, dict):
            return CitedResult(tuple(map(passage_of, result)))
        claim_rows = [*result.get("claims", ())]
        for part in (*result.get("findings", ()), *result.get("contradictions", ())):
            claim_rows += part["claims"]
        claims = tuple(map(claim_of, claim_rows))
        passages = [passage_of(row) for row in result["citations" if "citations" in result else "passages"]]
        listed = set(passages)
        of_claims = dict.fromkeys(passage for claim in claims for passage in claim.passages)
        passages += [passage for passage in of_claims if passage not in listed]
        uncovered = [
            UncoveredText(None, ok=is_ok, reason=reason)
            for is_ok, reason in _uncovered_reasons(result, claims, passages)
        ]
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise InvalidInput(
            "this is not the JSON of a gather, an answer or a research",
            hint="create the file with `wellread gather QUESTION --json`",
        ) from error
    uncited = next((claim.text for claim in claims if not claim.passages), None)
    if uncited is not None:
        raise InvalidInput(f"a sentence cites no passage: {uncited[:200]!r}", hint="remove it, or add its passages")
    return CitedResult(tuple(passages), claims, tuple(uncovered))


_REPORT_KEYS: Final = ("question", "findings", "contradictions", "not_found", "left_out")
"""The parts of the text of a report."""
_LEFT_OUT_KEYS: Final = frozenset({"findings", "contradictions"})
"""What HTTP and MCP leave out of a report where `include` does not ask for it."""


def _uncovered_reasons(
    result: dict[str, Any],  # Any: JSON
    claims: Sequence[Claim],
    passages: Sequence[Passage],
) -> list[tuple[bool, str]]:
    """Return the parts of a text that no sentence covers, or the keys that it lacks; and whether either is in order.

    The text of a report cannot be compared without its keys. It is in order that it lacks those that HTTP and MCP leave
    out: the reason is shown, and no failure.
    """
    missing = [key for key in _REPORT_KEYS if key not in result]
    if missing and result.get("text") and "claims" not in result:
        reason = f"the text is not compared, because the JSON lacks {', '.join(map(repr, missing))}"
        return [(_LEFT_OUT_KEYS.issuperset(missing), reason)]
    parts = _uncovered_parts(result, claims, passages)
    return [(False, f"no sentence with a citation covers the text {part[:200]!r}") for part in parts]


def _uncovered_parts(
    result: dict[str, Any],  # Any: JSON
    claims: Sequence[Claim],
    passages: Sequence[Passage],
) -> list[str]:
    """Return the parts of the text of an answer or a report that its sentences do not make."""
    # Loaded here: only this command compares a text with its sentences.
    from wellread.citations.verification import claim_of
    from wellread.reading import answering, research_report

    text = str(result.get("text") or "")
    if "claims" in result:
        return answering.uncovered_text(text, claims, passages)
    if not text:
        return []
    findings = [
        ResearchFinding(query=str(row["query"]), claims=tuple(map(claim_of, row["claims"])))
        for row in result["findings"]
    ]
    differing = [
        Contradiction(kind=row["kind"], claims=tuple(map(claim_of, row["claims"]))) for row in result["contradictions"]
    ]
    work = (list(map(str, result["not_found"])), list(map(str, result["left_out"])))
    return research_report.uncovered_lines(text, str(result["question"]), findings, differing, passages, work)


def _last(text: str) -> Any:  # Any: JSON, which the caller looks into
    """Return the JSON value of `text`, or else of its last line."""
    try:
        return json.loads(text)
    except ValueError:
        return json.loads(text.strip().rpartition("\n")[2])


def crawl_reason(record: CrawlRecord) -> str:
    """Return why a URL of a crawl has no page of its own, in one line; empty where it has one."""
    if record.error is not None:
        return f"{record.error.code}: {record.error.message}"
    if record.duplicate_of is not None:
        return f"{record.reason}: {record.duplicate_of}"
    return record.reason
