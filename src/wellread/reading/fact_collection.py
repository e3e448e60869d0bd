"""Collects the facts of a page: what it declares, its tables, and a record with the proof of each value."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from anyio import to_thread

from wellread.citations import verification
from wellread.citations.value_places import QuotableText
from wellread.errors import Budget, ConfigError, InvalidInput, PluginError, UnavailableError
from wellread.reading import proved_fields
from wellread.reading.schema_filling import (
    MAX_FIELDS,
    MAX_ITEMS,
    MAX_LABEL_CHARS,
    FilledField,
    filled_fields,
    normalized,
    placed,
    schema_fields,
    table_of_records,
)
from wellread.types import TERM, Facts, FactTable, FieldSource, Kind, Notice, Passage, Style

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from wellread.ports import TextModel
    from wellread.reading.proved_fields import ProvedField
    from wellread.reading.read_result import ReadResult
    from wellread.reading.schema_filling import Schema, SchemaField
    from wellread.types import Block, Document

MAX_TABLES: Final = 100
MAX_ROWS: Final = 100_000
"""Of one table. Rows of sheets and delimited text are bounded by `extract.max_rows` before."""
MAX_HEADER_ROWS: Final = 4
MAX_LABELLED_LINES: Final = 2_000
MAX_HEADING_CHARS: Final = 200
_LEVEL_OF_LINE: Final = 7
"""Of a line in bold, below all headings."""
MAX_LINE_CHARS: Final = 500
"""Of the text beside a label."""
MIN_CITED_CHARS: Final = 2
_INSTALL: Final = "pip install 'wellread[assistant]'"

_Headings = tuple[tuple[int, int], ...]
"""Of the headings above a line, the outermost first: the level, and the place among all headings of the page."""
_OTHER_THINGS: Final = re.compile(
    r"(?<![^\W_])(?:(?:related|similar|recommended|other|more|popular|featured|matching|complementary|alternative)"
    r" (?:products?|items?|models?|articles?|offers?|books?|recipes?|events?|jobs?|listings?|accessories)"
    r"(?! (?:included|supplied|in the))"
    r"|(?:you|customers?|others) (?:may|might|will|could) also|(?:you|customers?|others) also"
    r" (?:like|love|enjoy|view|buy|bought|consider|search|purchase|order|shop|read|look|watch)(?:e?d)?"
    r"|you (?:may|might) like|often viewed|recently viewed|(?:also bought|bought together)"
    r"|(?:compare|compared|comparison) (?:with|to|similar|models|products)|pairs well with|recommended for you"
    r"|best[ -]?sellers(?=$|:| (?:in|of|from|for|by|this))"
    r"|(?:^|(?:cheaper|better|similar|other|our|best|top) )alternatives(?=$|:| (?:to|for|\u00e0) )"
    r"|(?:\u00e4hnliche|verwandte|weitere|andere|empfohlene|passende|beliebte) (?:produkte|artikel|modelle|angebote"
    r"|stellen|rezepte|b\u00fccher|veranstaltungen)|k\u00f6nnte (?:ihnen|dir|sie|dich)"
    r"|kunden (?:kauften|kaufen|interessier\w*)|(?:oft|h\u00e4ufig) zusammen gekauft|zuletzt angesehen"
    r"|im vergleich (?:mit|zu|zum|zur)|vergleichen mit|passt dazu|^alternativen(?=$|:| (?:zu|zum|zur|f\u00fcr) )"
    r"|(?:produits|articles|mod\u00e8les|offres|recettes|livres) (?:similaires|associ\u00e9s|li\u00e9s"
    r"|apparent\u00e9s|recommand\u00e9s)|vous aime(?:rez|riez) (?:aussi|\u00e9galement|peut-\u00eatre)"
    r"|vous pourriez (?:aussi |\u00e9galement )?(?:aimer|\u00eatre)"
    r"|pourrai(?:en)?t (?:aussi |\u00e9galement )?vous (?:int\u00e9resser|plaire)"
    r"|clients ont (?:aussi|\u00e9galement)|souvent achet\u00e9s"
    r"|(?:vus|consult\u00e9s) r\u00e9cemment|comparer (?:avec|\u00e0)"
    r"|(?:productos|art\u00edculos|modelos|ofertas|recetas|libros) (?:relacionad[oa]s|similares|recomendad[oa]s)"
    r"|(?:te|le) (?:puede|podr\u00eda) (?:interesar|gustar)|tambi\u00e9n (?:te|le) (?:gust|interes)\w*"
    r"|tambi\u00e9n (?:compraron|vieron)|vistos recientemente|comprados juntos|comparar con"
    r"|^alternativas(?=$|:| (?:a|al) ))"
    r"(?![^\W_])"
    "|(?:\u76f8\u5173|\u76f8\u4f3c|\u7c7b\u4f3c|\u5176\u4ed6|\u63a8\u8350|\u70ed\u95e8)"
    "(?:\u4ea7\u54c1|\u5546\u54c1|\u578b\u53f7|\u5b9d\u8d1d)"
    "(?=[^\u4e00-\u9fff]|$|\u63a8\u8350|\u5c55\u793a|\u5217\u8868|\u5bf9\u6bd4|[\u548c\u4e0e\u53ca])"
    "|\u731c[\u4f60\u60a8]\u559c\u6b22|\u770b\u4e86\u53c8\u770b"
    "|\u6700\u8fd1\u6d4f\u89c8(?!\u5668)|\u4e3a[\u4f60\u60a8]\u63a8\u8350"
    "|(?:^|\u4ea7\u54c1|\u5546\u54c1|\u578b\u53f7|\u673a\u578b"
    "|\u53c2\u6570|\u89c4\u683c|\u4ef7\u683c|\u914d\u7f6e)\u5bf9\u6bd4$"
    "|[\u4e0e\u548c\u8ddf].{1,40}\u5bf9\u6bd4$"
    "|\u5bf9\u6bd4(?:\u5176[\u4ed6\u5b83]|\u540c\u7c7b|\u7c7b\u4f3c|\u76f8\u4f3c)"
)
"""Headings of sections about other things, in English, German, French, Spanish and Chinese.

Each phrase ends with a word: `Best Sellers Rank` and `Weitere Artikelnummern` are properties of the page's own thing.
"""


def checked_schema(schema: object) -> Schema:
    """Return a JSON schema of an object, without references; a pydantic model gives its own.

    Raises:
        InvalidInput: it is not the schema of an object.
        ConfigError: the library that validates is not installed.
    """
    make_schema = getattr(schema, "model_json_schema", None)
    if isinstance(schema, type) and callable(make_schema):
        schema = make_schema()
    if not isinstance(schema, dict):
        raise InvalidInput("the schema is not a JSON object", hint="give a JSON schema with `properties`")
    if isinstance(properties := schema.get("properties"), dict):
        _refuse_excess_fields(len(properties))  # before the check, which takes 0.6 ms for each
    try:
        from wellread import schemas
    except ModuleNotFoundError as error:
        raise ConfigError(f"schemas need {error.name}, which is not installed", hint=_INSTALL) from error
    try:
        schemas.check(schema, "the facts")
        plain_schema = schemas.weakened(schema)
    except PluginError as error:
        raise InvalidInput(f"this is not a JSON schema: {error.message[:300]}", hint=error.hint) from error
    if plain_schema.get("type") == "array":
        hint = 'put the list into a property: {"properties": {"rows": SCHEMA}} with this schema as SCHEMA'
        raise InvalidInput("the schema is that of a list, and a record is an object", hint=hint)
    if not isinstance(plain_schema.get("properties"), dict):
        raise InvalidInput("the schema has no properties", hint='such as {"properties": {"price": {"type": "number"}}}')
    _refuse_excess_fields(sum(1 for _ in schema_fields(plain_schema)))
    return plain_schema


def _refuse_excess_fields(count: int) -> None:
    if count > MAX_FIELDS:
        raise InvalidInput(
            f"the schema has {count:,} fields, and {MAX_FIELDS} is the limit", hint="ask for fewer fields"
        )


async def collected_facts(
    result: ReadResult,
    *,
    selected: Mapping[str, Any] | None,  # Any: JSON
    schema: Schema | None,
    model: TextModel | None,
) -> Facts:
    """Return the facts of a page that was read; `selected` are the values of selectors.

    With a schema, the model is asked only for the fields that nothing else fills.
    """
    snapshot = result.snapshot
    document = snapshot.extraction.document
    tables, notices = await to_thread.run_sync(fact_tables, document)
    items = snapshot.extraction.structured_data
    facts = Facts(
        url=snapshot.final_url,
        title=snapshot.extraction.metadata.title,
        snapshot_id=snapshot.id,
        items=items,
        tables=tables,
        notices=(*snapshot.extraction.notices, *notices),
    )
    if schema is None and selected is None:
        return facts
    if schema is None:
        fields = [FilledField((name,), value, "selector", name) for name, value in (selected or {}).items()]
        return await to_thread.run_sync(_with_record, facts, result, fields, (), (), abandon_on_cancel=True)
    if len(items) > MAX_ITEMS:
        detail = f"the fields were looked for in the first {MAX_ITEMS} of {len(items):,} declared items"
        facts = replace(facts, notices=(*facts.notices, Notice("facts_cut", detail)))
    lines = await to_thread.run_sync(labelled_lines, document)
    other_tables = await to_thread.run_sync(tables_of_other_things, document)
    fill = partial(filled_fields, language=snapshot.extraction.metadata.language)
    fill_own = partial(fill, lines=lines.page_lines, other_tables=other_tables)
    fields = await to_thread.run_sync(fill_own, schema, selected or {}, items, tables)
    filled_paths = {field.path for field in fields}
    unfilled = [field for field in schema_fields(schema) if field.path not in filled_paths]
    proved: tuple[ProvedField, ...] = ()
    model_notices: tuple[Notice, ...] = ()
    if unfilled and model is not None and result.canonical_text:
        proved, model_notices = await _asked_fields(result, unfilled, model)
    proved_paths = {proof.field.path for proof in proved}
    missing = tuple(".".join(field.path) for field in unfilled if field.path not in proved_paths)
    facts = await to_thread.run_sync(_with_record, facts, result, fields, proved, missing, abandon_on_cancel=True)
    if missing:
        other_fields = await to_thread.run_sync(partial(fill, lines=lines.other_lines), schema, {}, (), tables)
        model_notices += _notices_of_other_things(other_fields, missing)
        model_notices += await to_thread.run_sync(_notices_of_rows, schema, tables, missing)
    schema_notices = await to_thread.run_sync(_schema_notices, facts, schema)
    return replace(facts, notices=(*facts.notices, *model_notices, *schema_notices))


def _notices_of_other_things(other_fields: Sequence[FilledField], missing: Sequence[str]) -> tuple[Notice, ...]:
    """Return a notice of the missing fields that only sections about other things have."""
    names = [name for field in other_fields if (name := ".".join(field.path)) in missing]
    if not names:
        return ()
    # Without the headings of the sections, which are text of the page.
    detail = f"only sections about other things, such as related products, have {', '.join(names)[:300]}"
    return (Notice("fields_of_other_things", detail, len(names)),)


def _notices_of_rows(schema: Schema, tables: Sequence[FactTable], missing: Sequence[str]) -> tuple[Notice, ...]:
    """Return a notice of the missing fields that a table has once a row, which only a list of records can take."""
    table = table_of_records(schema, tables)
    if table is None:
        return ()
    names = [name for name in table.fields if name in missing]
    if not names:
        return ()
    detail = (
        f"table {table.number} has {', '.join(names)[:300]} as columns, a record in each of {table.row_count:,} rows:"
        ' a list takes them, {"properties": {"rows": {"type": "array", "items": SCHEMA}}} with this schema as SCHEMA;'
        f" the table alone is in the facts without a schema (--table {table.number})"
    )
    return (Notice("fields_in_rows", detail, len(names)),)


async def _asked_fields(
    result: ReadResult, fields: Sequence[SchemaField], model: TextModel
) -> tuple[tuple[ProvedField, ...], tuple[Notice, ...]]:
    """Ask the model for fields; return those that are proved, and what is to be reported."""
    text = result.canonical_text
    notices = []
    if len(text) > proved_fields.MAX_PAGE_CHARS:
        detail = f"the model saw the first {proved_fields.MAX_PAGE_CHARS:,} of {len(text):,} characters"
        notices.append(Notice("facts_cut", detail))
    question = proved_fields.question(fields, text, result.snapshot.final_url)
    try:
        answer = await model.answer(proved_fields.INSTRUCTIONS, question, max_tokens=proved_fields.MAX_ANSWER_TOKENS)
    except (Budget, UnavailableError) as error:
        return (), (Notice("model_failed", f"the language model did not answer: {error.message[:200]}"),)
    model_fields = await to_thread.run_sync(proved_fields.proved_fields, answer, fields, text)
    if model_fields.refused:
        names = ", ".join(model_fields.refused)[:300]
        detail = f"values of the language model that the text does not prove were refused: {names}"
        notices.append(Notice("unproved_values", detail, len(model_fields.refused)))
    return model_fields.fields, tuple(notices)


def _schema_notices(facts: Facts, schema: Schema) -> tuple[Notice, ...]:
    from wellread import schemas

    # Its keyword and place alone: the message of the library quotes the record, which is text of the page.
    keyword_and_place = schemas.fault_place(facts.record, schema)
    if not keyword_and_place:
        return ()
    return (Notice("schema_unmet", f"the record does not fit its schema: {keyword_and_place[:300]}"),)


def _with_record(
    facts: Facts,
    result: ReadResult,
    fields: Sequence[FilledField],
    proved: Sequence[ProvedField],
    missing: tuple[str, ...],
) -> Facts:
    text = QuotableText(result.canonical_text)
    sources = [_source(field, _value_passage(field.value, result, text)) for field in fields]
    sources += [_source(proof.field, _passage(result, proof.start, proof.end)) for proof in proved]
    record = placed([*fields, *(proof.field for proof in proved)])
    return replace(facts, record=record, sources=tuple(sources), missing=missing)


def _source(field: FilledField, passage: Passage | None) -> FieldSource:
    return FieldSource(field=".".join(field.path), origin=field.origin, detail=field.detail, passage=passage)


def _value_passage(value: object, result: ReadResult, text: QuotableText) -> Passage | None:
    """Return the citation of a value that stands in the text of the page; None where it does not."""
    if not isinstance(value, str | int | float) or isinstance(value, bool):
        return None
    if not MIN_CITED_CHARS <= len(str(value)) <= proved_fields.MAX_QUOTE_CHARS:
        return None
    place = text.value(value)
    if place is None:
        return None
    return _passage(result, *place)


def _passage(result: ReadResult, start: int, end: int) -> Passage:
    snapshot = result.snapshot
    return verification.cited(
        Passage(
            text=result.canonical_text[start:end],
            url=snapshot.final_url,
            title=snapshot.extraction.metadata.title,
            snapshot_id=snapshot.id,
            start=start,
            end=end,
        )
    )


# --------------------------------------------------------------------------------------------------------- tables


def fact_tables(document: Document) -> tuple[tuple[FactTable, ...], tuple[Notice, ...]]:
    """Return the tables of a document as rows, and a notice where there are more than are returned."""
    blocks = list(_table_blocks(document))
    tables = tuple(_fact_table(block, heading) for block, heading in blocks[:MAX_TABLES])
    notices: list[Notice] = []
    if missing_count := len(blocks) - len(tables):
        notices.append(
            Notice("facts_cut", f"the first {MAX_TABLES} of {len(blocks):,} tables are given", missing_count)
        )
    for number, (block, _) in enumerate(blocks[:MAX_TABLES], 1):
        row_count = sum(child.kind is Kind.ROW for child in block.children)
        if row_count > MAX_ROWS:
            detail = f"the first {MAX_ROWS:,} of {row_count:,} rows of table {number} are given"
            notices.append(Notice("facts_cut", detail, row_count - MAX_ROWS))
    return tables, tuple(notices)


def _table_blocks(document: Document) -> Iterator[tuple[Block, str]]:
    """Yield each table with the text of the heading above it."""
    heading = ""
    waiting = list(reversed(document))
    while waiting:
        block = waiting.pop()
        if block.kind is Kind.HEADING:
            heading = _plain_text(block)
        if block.kind is Kind.TABLE:
            yield block, heading
        else:
            waiting.extend(reversed(block.children))


def _fact_table(table: Block, heading: str) -> FactTable:
    captions = (_plain_text(child) for child in table.children if child.kind is not Kind.ROW)
    caption = next(captions, "") or heading
    rows = [row for row in table.children if row.kind is Kind.ROW][:MAX_ROWS]
    texts: list[tuple[str, ...]] = []
    above: tuple[str, ...] = ()
    for row in rows:
        above = _row_texts(row, above)
        texts.append(above)
    header_count = _header_count(rows)
    if not header_count:
        return FactTable((), tuple(texts), caption)
    return FactTable(_column_names(texts[:header_count]), tuple(texts[header_count:]), caption)


def _header_count(rows: Sequence[Block]) -> int:
    """Return how many rows name the columns: several where the first has names of groups of columns."""
    if not rows or not all(cell.level for cell in rows[0].children):
        return 0
    count = 1
    while count < min(MAX_HEADER_ROWS, len(rows) - 1) and any(
        cell.label == "left" for cell in rows[count - 1].children
    ):
        cells = rows[count].children
        names_columns = sum(not cell.label and bool(cell.spans) for cell in cells) > 1
        if not names_columns or not all(cell.level or cell.label == "above" for cell in cells):
            break
        count += 1
    return count


def _column_names(header: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """Return the name of each column, with those of its groups before it: `group / name`."""
    width = max(map(len, header))
    columns = ([row[column] for row in header if column < len(row)] for column in range(width))
    return tuple(" / ".join(dict.fromkeys(filter(None, column))) for column in columns)


def _row_texts(row: Block, above: tuple[str, ...]) -> tuple[str, ...]:
    """Return the texts of a row; a cell that another covers has its text."""
    texts: list[str] = []
    for column, cell in enumerate(row.children):
        text = _plain_text(cell)
        if cell.label == "above" and column < len(above):
            text = above[column]
        elif cell.label == "left" and texts:
            text = texts[-1]
        texts.append(text)
    return tuple(texts)


def tables_of_other_things(document: Document) -> frozenset[int]:
    """Return the places of the tables below a heading such as `Related products`, and of those with such a caption."""
    sections = _SectionWalk()
    places: list[bool] = []
    waiting = list(reversed(document))
    while waiting and len(places) < MAX_TABLES:
        block = waiting.pop()
        sections.pass_block(block)
        if block.kind is Kind.TABLE:
            captions = (child for child in block.children if child.kind is not Kind.ROW)
            places.append(sections.is_of_other or any(map(_names_other_things, captions)))
        else:
            waiting.extend(reversed(block.children))
    return frozenset(at for at, is_of_other in enumerate(places) if is_of_other)


def _names_other_things(block: Block) -> bool:
    return _OTHER_THINGS.search(_plain_text(block)[:MAX_HEADING_CHARS].casefold()) is not None


class _SectionWalk:
    """The headings above the blocks of a document, one block after the other."""

    def __init__(self) -> None:
        self.headings: _Headings = ()
        self._count = 0
        self._others: set[tuple[int, int]] = set()
        self._is_at_top = True

    @property
    def is_of_other(self) -> bool:
        """Whether a heading above says that the section is about other things; the title of a page never does."""
        return not self._others.isdisjoint(self.headings)

    def pass_block(self, block: Block) -> None:
        """Take a heading, or a short line in bold that parts a page as a heading does, for the blocks below it.

        A term of a definition list parts nothing: `Alternatives` has its text beside it, and `Weight` is the next term.
        """
        is_line = block.kind is Kind.PARAGRAPH and block.label != TERM and _is_term(block)
        level = block.level
        if is_line and _names_other_things(block):
            level = _LEVEL_OF_LINE
        elif block.kind is not Kind.HEADING:
            self._is_at_top = self._is_at_top and _may_stand_above_title(block)
            return
        self._count += 1
        heading = (level, self._count)
        self.headings = (*(above for above in self.headings if above[0] < level), heading)
        is_title = level == 1 or (self._is_at_top and not is_line)
        self._is_at_top = False
        if not is_title and _names_other_things(block):
            self._others.add(heading)


def _may_stand_above_title(block: Block) -> bool:
    """Return whether a block is a short line without a label, such as a date or a trail of links."""
    text = "".join(span.text for span in block.spans[:MAX_LABEL_CHARS])
    is_label = block.kind is Kind.PARAGRAPH and _is_term(block)
    return block.kind is not Kind.TABLE and len(text) <= MAX_LABEL_CHARS and not is_label and ":" not in text


# ------------------------------------------------------------------------------------------------- labelled lines


class _LabelledLine(NamedTuple):
    """A label with the text beside it, and the headings above both."""

    headings: _Headings
    label: str
    text: str
    is_of_other: bool
    """Whether a heading says that the section is about other things."""


class LabelledLines(NamedTuple):
    """The labels of a page with their texts."""

    page_lines: tuple[tuple[str, str], ...]
    """About the thing of the page, each label once."""
    other_lines: tuple[tuple[str, str], ...]
    """In sections about other things."""


def labelled_lines(document: Document) -> LabelledLines:
    """Return labels with their first texts: terms of definition lists, and lines such as `Weight: 12 kg`.

    A section that repeats a label of another section is about another thing, and none of its labels count: `Weight`
    below the name of another product. Sections with labels of their own are about the same thing, if their headings do
    not name others, such as `Often bought together`.
    """
    all_lines = [line for line in islice(_labelled_lines(document), MAX_LABELLED_LINES) if normalized(line.label)]
    lines = [line for line in all_lines if not line.is_of_other]
    first_places: dict[str, _Headings] = {}
    other_sections: set[_Headings] = set()
    for line in lines:
        name = normalized(line.label)
        first_place = first_places.get(name)
        if _is_below(line.headings, other_sections):
            continue
        if first_place is None or _is_below(first_place, other_sections):
            first_places[name] = line.headings
        elif first_place != line.headings:
            shared_count = len(set(first_place) & set(line.headings))
            other_sections.add(line.headings[: shared_count + 1])
    first_lines: dict[str, tuple[str, str]] = {}
    for line in lines:
        if not _is_below(line.headings, other_sections):
            first_lines.setdefault(normalized(line.label), (line.label, line.text))
    other_lines = [(line.label, line.text) for line in all_lines if normalized(line.label) not in first_lines]
    return LabelledLines(tuple(first_lines.values()), tuple(other_lines))


def _is_below(headings: _Headings, sections: set[_Headings]) -> bool:
    return any(headings[:count] in sections for count in range(1, len(headings) + 1))


def _labelled_lines(document: Document) -> Iterator[_LabelledLine]:
    sections = _SectionWalk()
    term = ""
    waiting = list(reversed(document))
    while waiting:
        block = waiting.pop()
        if block.kind is Kind.TABLE:
            continue
        sections.pass_block(block)
        waiting.extend(reversed(block.children))
        is_of_other = sections.is_of_other
        text = "".join(span.text for span in block.spans)
        if term and block.kind is Kind.PARAGRAPH and not _is_term(block):
            yield _LabelledLine(sections.headings, term, " ".join(text[:MAX_LINE_CHARS].split()), is_of_other)
        term = ""
        if block.kind is Kind.PARAGRAPH and _is_term(block):
            term = text.strip().rstrip(" :")
        if block.kind in {Kind.PARAGRAPH, Kind.ITEM}:
            for label, line_text in _lines_with_label(text):
                yield _LabelledLine(sections.headings, label, line_text, is_of_other)


def _is_term(block: Block) -> bool:
    """Return whether a paragraph is printed as the terms of definition lists are: short, and all bold."""
    spans = [span for span in block.spans if span.text.strip()]
    is_short = sum(len(span.text) for span in spans) <= MAX_LABEL_CHARS
    return bool(spans) and is_short and all(span.style & Style.STRONG for span in spans)


def _lines_with_label(text: str) -> Iterator[tuple[str, str]]:
    for line in text.splitlines():
        label, colon, rest_of_line = line.partition(":")
        line_text = rest_of_line.strip()
        is_url = rest_of_line.startswith("//")
        if colon and line_text and not is_url and len(label) <= MAX_LABEL_CHARS and len(line_text) <= MAX_LINE_CHARS:
            yield label.strip(), line_text


def _plain_text(cell: Block) -> str:
    parts = [span.text for span in cell.spans]
    waiting = list(reversed(cell.children))
    while waiting:
        block = waiting.pop()
        parts.extend(span.text for span in block.spans)
        waiting.extend(reversed(block.children))
        parts.append(" ")
    return " ".join("".join(parts).split())
