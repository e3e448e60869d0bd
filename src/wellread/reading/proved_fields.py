"""Asks a language model for fields of a record, and takes only values that a quotation of the page proves; pure.

The text of the page is data in the question: it stands between marks that it cannot forge, and the model has no tools.
Whatever it answers, a value is taken only if its quotation stands in the text, word for word, and has the value: as a
whole number with its sign, or as words that their clause does not deny.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from wellread.citations.value_places import QuotableText
from wellread.reading.schema_filling import FilledField, fitting, is_filled
from wellread.text import dates
from wellread.text.prompt_quoting import NOTE, quoted_web_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wellread.reading.schema_filling import SchemaField

MAX_PAGE_CHARS: Final = 60_000
MAX_QUOTE_CHARS: Final = 500
MAX_ANSWER_CHARS: Final = 50_000
MAX_ANSWER_TOKENS: Final = 4_000
MAX_ROWS: Final = 1_000
INSTRUCTIONS: Final = f"""\
You fill the fields of a record from the text of one web page. {NOTE}

Answer with a JSON object and nothing else: {{"fields": [{{"name": "...", "value": ..., "quote": "..."}}]}}
name: the name of a field, as it is given.
value: its value in the type that its schema asks for. Use words and numbers of the text; do not translate.
quote: the shortest piece of the text, word for word, that has the value. A value without its quotation is refused.
Leave a field out that the text does not have. Never guess.
"""


class ProvedField(NamedTuple):
    """A field with the place of its quotation in the text of the page."""

    field: FilledField
    start: int
    end: int


class ModelFields(NamedTuple):
    """The fields of a model's answer that its quotations prove."""

    fields: tuple[ProvedField, ...] = ()
    refused: tuple[str, ...] = ()
    """Names of fields whose value no quotation proves."""


def question(fields: Sequence[SchemaField], text: str, url: str) -> str:
    """Return the question for the fields that are missing, with the text of the page as a quotation."""
    schemas_by_name = {".".join(field.path): field.schema for field in fields}
    return f"Fields: {json.dumps(schemas_by_name, ensure_ascii=False)}\n\n{quoted_web_text(text[:MAX_PAGE_CHARS], url)}"


def proved_fields(answer: str, fields: Sequence[SchemaField], text: str) -> ModelFields:
    """Return the fields of a model's answer that a quotation of `text` proves, and the names of the others."""
    by_name = {".".join(field.path): field for field in fields}
    quotable = QuotableText(text)
    proved: dict[str, ProvedField] = {}
    refused = []
    for row in json_rows(json_object(answer).get("fields")):
        field = by_name.get(str(row.get("name")))
        if field is None or ".".join(field.path) in proved:
            continue
        name = ".".join(field.path)
        value = fitting(row.get("value"), field.schema)
        quote = str(row.get("quote", ""))
        span = quotable.quotation(quote) if len(quote) <= MAX_QUOTE_CHARS else None
        if span is None or not is_filled(value) or not _is_proved(value, quotable, span):
            refused.append(name)
            continue
        proved[name] = ProvedField(FilledField(field.path, value, "model", "quoted by the model"), *span)
    return ModelFields(tuple(proved.values()), tuple(name for name in refused if name not in proved))


def json_object(answer: str) -> dict[str, Any]:  # Any: JSON of a model
    """Return the JSON object in a model's answer; empty where there is none."""
    answer = answer[:MAX_ANSWER_CHARS]
    try:
        parsed = json.loads(answer[answer.index("{") : answer.rindex("}") + 1])
    except (ValueError, RecursionError):
        return {}
    if not isinstance(parsed, dict):
        return {}
    return parsed


def json_rows(parsed: object) -> list[dict[str, Any]]:  # Any: JSON of a model
    """Return the objects of a list in a model's answer; none where it is no list."""
    if not isinstance(parsed, list):
        return []
    return [row for row in parsed[:MAX_ROWS] if isinstance(row, dict)]


def _is_proved(value: Any, text: QuotableText, quote: tuple[int, int]) -> bool:  # Any: JSON
    """Return whether a quotation has a value; a truth value is nowhere in a text, and is never proved."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return bool(value) and all(_is_proved(part, text, quote) for part in value)
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return False
    if text.value(value, quote) is not None:
        return True
    days = {stamp[:10] for stamp, _ in dates.within(text.text[slice(*quote)])}
    return isinstance(value, str) and value[:10] in days
