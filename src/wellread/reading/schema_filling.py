"""Fills a record of a JSON schema from what a page declares, from its tables and its labelled lines; pure.

A field takes the property of the same name, or of a name of schema.org that means the same (`currency` is
`priceCurrency`). A value that does not fit the schema is not taken.
"""

from __future__ import annotations

import re
from collections import Counter, deque
from itertools import chain, islice
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from wellread.citations.quantities import quantities
from wellread.css.words import word_set
from wellread.metadata.declared_metadata import listed
from wellread.text import dates
from wellread.types import FactTable

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from wellread.types import DeclaredItem, FactOrigin

Schema = dict[str, Any]  # Any: JSON
_Index = dict[str, list[tuple[int, str, Any]]]  # Any: JSON
"""Normalized name -> place in the order of a breadth-first walk, names on the way, and the value."""
Pair = tuple[str, str]
"""A label and the text beside it."""
_Nodes = dict[str, dict[str, Any]]  # Any: JSON
"""`@id` -> the properties of the item that has it."""

MAX_LEVELS: Final = 5
"""Objects in objects that are looked through for a property."""
MAX_ITEM_PROPERTIES: Final = 5_000
"""Of an item, with those of the objects in it."""
MAX_PROPERTIES: Final = 100_000
"""Of all items."""
MAX_ITEMS: Final = 200
"""Declared items that fill fields."""
MAX_REFERENCES: Final = 100
"""In a list of references that are followed."""
MAX_SAME_REFERENCES: Final = 5
"""References of one item to the same node that have its value; those after them stay references."""
MAX_LABEL_CHARS: Final = 60
MAX_FIELDS: Final = 200
"""Of a schema."""
_NOT_WORD: Final = re.compile(r"[\W_]")
_SYNTAX_ORDER: Final = ("json-ld", "microdata", "rdfa", "open_graph", "twitter")
_SAME_NAMES: Final[dict[str, tuple[str, ...]]] = {
    "title": ("name", "headline"),
    "headline": ("name", "title"),
    "name": ("title", "headline"),
    "price": ("lowprice", "amount"),
    "currency": ("pricecurrency",),
    "rating": ("ratingvalue",),
    "reviews": ("reviewcount", "ratingcount"),
    "reviewcount": ("ratingcount",),
    "date": ("startdate", "datepublished", "dateposted", "publishedtime"),
    "published": ("datepublished", "publishedtime", "dateposted"),
    "publisheddate": ("datepublished", "publishedtime", "dateposted"),
    "modified": ("datemodified",),
    "start": ("startdate",),
    "end": ("enddate",),
    "posted": ("dateposted",),
    "deadline": ("validthrough",),
    "company": ("hiringorganization",),
    "employer": ("hiringorganization",),
    "salary": ("basesalary",),
    "minsalary": ("minvalue",),
    "maxsalary": ("maxvalue",),
    "free": ("isaccessibleforfree",),
    "isfree": ("isaccessibleforfree",),
    "city": ("addresslocality",),
    "country": ("addresscountry",),
    "postcode": ("postalcode",),
    "phone": ("telephone",),
    "picture": ("image",),
    "ingredients": ("recipeingredient",),
    "instructions": ("recipeinstructions",),
    "steps": ("recipeinstructions",),
    "servings": ("recipeyield",),
    "yield": ("recipeyield",),
    "venue": ("location",),
    "site": ("sitename",),
    "color": ("colour",),
    "colour": ("color",),
    "variants": ("hasvariant",),
    "breadcrumbs": ("breadcrumb",),
}
"""Names of fields -> names of properties that mean the same, all without case and signs."""
_ASIDE: Final = frozenset({"review", "isrelatedto", "issimilarto", "mentions", "comment", "subjectof", "publisher"})
"""Below these properties things speak of themselves."""
_OF_THE_SITE: Final = frozenset({"Organization", "WebSite", "WebPage", "BreadcrumbList", "Person", "ImageObject"})
"""Types of items that are mostly not what a page is about."""
_TRUTHS: Final = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
_IN_STOCK: Final = word_set("instock instoreonly limitedavailability onlineonly")
_FOR_ORDER: Final = word_set("backorder madetoorder preorder presale")
_NOT_SOLD: Final = word_set("outofstock oos soldout discontinued reserved")
"""The members of ItemAvailability (https://schema.org/ItemAvailability), and `oos` of Open Graph."""
_NOTHING: Final = object()
_DIGITS: Final = re.compile(r"\d(?:[\d.,'\u2019\s]{0,30}\d)?")
"""One number with its separators."""
_NEGATIVE: Final = re.compile(r"(?:^|[\s(€$£¥])-[€$£¥]?\d")
_GROUPED: Final = re.compile(r"[1-9]\d{0,2}(?:\.\d{3}){1,4}", re.ASCII)
"""Digits in groups of three, with the sign of thousands that many languages have."""
_WITH_COMMA: Final = re.compile(r"\d{1,3}(?:\.\d{3}){1,4},\d{1,10}|\d{1,10},\d{1,10}", re.ASCII)
_ENGLISH_GROUPED: Final = re.compile(r"[1-9]\d{0,2},\d{3}", re.ASCII)
_MONEY_LABEL: Final = re.compile(
    r"[$\u20ac\u00a3\u00a5\u20b9]|(?<![^\W_])(?:eur|usd|gbp|chf|prices?|costs?|salary|preise?|kosten|gehalt|prix|precios?)"
    r"(?![^\W_])"
)
"""In the label of an amount of money, which has no three decimals."""
_ONE_DOT: Final = re.compile(r"(?<![\d.,])\d{1,3}\.\d{3}(?![\d.,])", re.ASCII)
_MIN_GROUPED: Final = 10_000
"""A smaller number with one dot, such as `4.667`, may as well have three decimals."""
_COMMA_LANGUAGES: Final = word_set(
    "bg ca cs da de el es et eu fi fr gl hr hu id is it lt lv nb nl nn no pl pt ro ru sk sl sr sv tr uk vi"
)
"""Languages whose decimals follow a comma, so that a dot is no decimal sign."""
_DOT_LOCALES: Final = word_set("de-ch de-li es-mx es-us fr-ch it-ch")
"""Their regions with another decimal sign (Unicode CLDR, `decimal` of the number symbols)."""
_COMMA_DECIMALS: Final = re.compile(r"(?<![\d,.])\d{1,6},\d{1,2}(?![\d,.])", re.ASCII)
_UNIT: Final = re.compile(r"\s{0,3}[(\[][^()\[\]]{0,30}[)\]]\s{0,3}$|\s{1,3}in\s{1,3}\S{1,12}$|,\s{0,3}\S{1,8}$")
"""The unit after a name: `Length (m)`, `Price in €`, `Weight, kg`."""
_MIN_TRANSPOSED_COLUMNS: Final = 3
_MAX_TRANSPOSED_COLUMNS: Final = 200
"""As many as an HTML table has."""
_OLD_PRICES: Final = word_set("listprice strikethroughprice regularprice msrp srp")
"""Members of PriceTypeEnumeration (https://schema.org/PriceTypeEnumeration) that nobody pays."""
_LAST: Final = 1_000_000
"""Added to the place of a property that counts only where there is no other."""
_PLAIN_NUMBER: Final = re.compile(r"[-+]?\d{1,15}(?:\.\d{1,10})?", re.ASCII)


class FilledField(NamedTuple):
    """A field with its value and its origin."""

    path: tuple[str, ...]
    value: Any  # Any: JSON
    origin: FactOrigin
    detail: str


class _Enumeration(NamedTuple):
    """The members of an enumeration of schema.org that make a boolean field true, and those that make it false."""

    property: str
    true: frozenset[str]
    false: frozenset[str]
    needs_all: bool = False
    """Of several values (offers), all must be true; else one is enough."""


_SOLD_OUT: Final = _Enumeration("availability", _NOT_SOLD, _IN_STOCK | _FOR_ORDER, needs_all=True)
_CANCELLED: Final = _Enumeration(
    "eventstatus",
    word_set("eventcancelled"),
    word_set("eventscheduled eventrescheduled eventpostponed eventmovedonline"),
)
_ENUMERATIONS: Final[dict[str, _Enumeration]] = {
    "instock": _Enumeration("availability", _IN_STOCK, _FOR_ORDER | _NOT_SOLD),
    "available": _Enumeration("availability", _IN_STOCK | _FOR_ORDER, _NOT_SOLD),
    "soldout": _SOLD_OUT,
    "outofstock": _SOLD_OUT,
    "online": _Enumeration(
        "eventattendancemode",
        word_set("onlineeventattendancemode mixedeventattendancemode"),
        word_set("offlineeventattendancemode"),
    ),
    "cancelled": _CANCELLED,
    "canceled": _CANCELLED,
    "remote": _Enumeration("joblocationtype", word_set("telecommute"), frozenset()),
    "new": _Enumeration(
        "itemcondition", word_set("newcondition"), word_set("usedcondition refurbishedcondition damagedcondition")
    ),
    "used": _Enumeration("itemcondition", word_set("usedcondition"), word_set("newcondition")),
}
"""Names of boolean fields, without `is`, case and signs -> the enumeration that answers them."""


class SchemaField(NamedTuple):
    """A field of a schema that holds no other fields by name."""

    path: tuple[str, ...]
    schema: Schema


def schema_fields(schema: Schema, above: tuple[str, ...] = ()) -> Iterator[SchemaField]:
    """Yield the fields of an object's schema, those of objects in it one by one."""
    for name, part in schema.get("properties", {}).items():
        plain = _plain_schema(part)
        if plain.get("properties") and len(above) < MAX_LEVELS:
            yield from schema_fields(plain, (*above, name))
        else:
            yield SchemaField((*above, name), plain)


def filled_fields(
    schema: Schema,
    selected: Mapping[str, Any],  # Any: JSON
    items: Sequence[DeclaredItem],
    tables: Sequence[FactTable],
    lines: Sequence[Pair] = (),
    language: str | None = None,
    *,
    other_tables: Collection[int] = (),
) -> list[FilledField]:
    """Return the fields of a schema that selectors, declared items, tables and labelled lines fill, in this order.

    The language of the page tells whether `1.312` in a table or a line is an integer. `other_tables` are the places of
    tables about other things, which fill only lists of objects.
    """
    fields = list(schema_fields(schema))
    indexed = _indexed_items(items[:MAX_ITEMS])
    ranked = sorted(indexed, key=lambda item: _rank(fields, item))
    names = frozenset(normalized(field.path[-1]) for field in fields)
    labelled = [
        _labelled_table(table, language, names, is_of_other=at in other_tables) for at, table in enumerate(tables)
    ]
    line_texts = _LabelledTexts(lines, has_comma=_has_decimal_comma(language, (text for _, text in lines)))
    filled = (_filled(field, selected, ranked, labelled) or _of_lines(field, line_texts) for field in fields)
    return [field for field in filled if field is not None]


def placed(fields: Sequence[FilledField]) -> dict[str, Any]:  # Any: JSON
    """Return the record that has these fields."""
    record: dict[str, Any] = {}  # Any: JSON
    for field in fields:
        owner = record
        for name in field.path[:-1]:
            owner = owner.setdefault(name, {})
        owner[field.path[-1]] = field.value
    return record


def _rank(fields: Sequence[SchemaField], indexed: _IndexedItem) -> tuple[int, bool, int]:
    """Return the sort key of an item: those that fill most fields first, those about the site last."""
    filled_count = sum(_of_item(field, indexed) is not None for field in fields)
    return -filled_count, indexed.item.type in _OF_THE_SITE, _SYNTAX_ORDER.index(indexed.item.syntax)


def _filled(
    field: SchemaField,
    selected: Mapping[str, Any],  # Any: JSON
    items: Sequence[_IndexedItem],
    tables: Sequence[_LabelledTable],
) -> FilledField | None:
    name = field.path[-1]
    if len(field.path) == 1 and name in selected:
        value = fitting(selected[name], field.schema)
        if value is not _NOTHING:
            return FilledField(field.path, value, "selector", name)
    for item in items:
        if (filled := _of_item(field, item)) is not None:
            return filled
    return _of_items(field, items) or _of_tables(field, tables)


# ------------------------------------------------------------------------------------------------- declared items


class _IndexedItem(NamedTuple):
    """An item with its properties by their normalized names."""

    item: DeclaredItem
    names: _Index


def _indexed_items(items: Sequence[DeclaredItem]) -> list[_IndexedItem]:
    nodes: _Nodes = {}
    for item in items:
        identifier = item.properties.get("@id")
        if isinstance(identifier, str) and len(item.properties) > 1:
            nodes.setdefault(identifier, item.properties)
    indexed = []
    remaining = MAX_PROPERTIES
    for item in items:
        index = _item_index(item, nodes, min(remaining, MAX_ITEM_PROPERTIES))
        remaining -= sum(map(len, index.values()))
        indexed.append(_IndexedItem(item, index))
    return indexed


def _item_index(item: DeclaredItem, nodes: _Nodes, max_properties: int) -> _Index:
    index = _index(item.properties, nodes, max_properties)
    if item.type == "BreadcrumbList" and "itemlistelement" in index:
        index["breadcrumb"] = index["itemlistelement"]
    return index


def _of_item(field: SchemaField, indexed: _IndexedItem) -> FilledField | None:
    item, index = indexed
    way = []
    for owner in field.path[:-1]:
        inner = next((part for _, part in _named(index, owner) if isinstance(_first(part), dict)), None)
        if inner is not None:
            index = _index(_first(inner), {})
            way.append(owner)
    for where, part in _named(index, field.path[-1]):
        value = fitting(part, field.schema)
        if value is not _NOTHING:
            return FilledField(field.path, value, "declared", f"{item.syntax} {item.type}: {'.'.join((*way, where))}")
    if (enumerated := _enumerated(index, field)) is not None:
        where, truth = enumerated
        return FilledField(field.path, truth, "declared", f"{item.syntax} {item.type}: {'.'.join((*way, where))}")
    return None


def _enumeration(field: SchemaField) -> _Enumeration | None:
    if _kind(field.schema) != "boolean":
        return None
    return _ENUMERATIONS.get(normalized(field.path[-1]).removeprefix("is"))


def _enumerated(index: _Index, field: SchemaField) -> tuple[str, bool] | None:
    """Return the value of a boolean field by the members of an enumeration, and the name on the way to them."""
    enumeration = _enumeration(field)
    if enumeration is None:
        return None
    places = [
        (where, truth)
        for _, where, part in sorted(index.get(enumeration.property, ()), key=itemgetter(0))
        for member in listed(part)
        if (truth := _truth(enumeration, member)) is not None
    ]
    if not places:
        return None
    truths = [truth for _, truth in places]
    if enumeration.needs_all:
        return places[0][0], all(truths)
    return places[0][0], any(truths)


def _truth(enumeration: _Enumeration, member: object) -> bool | None:
    name = normalized(str(member)[:100].rpartition("/")[2])
    if name in enumeration.true or name in enumeration.false:
        return name in enumeration.true
    return None


def _of_items(field: SchemaField, items: Sequence[_IndexedItem]) -> FilledField | None:
    """Return a list of all items of one type, where the field is a list of objects that they fit."""
    if _kind(field.schema) != "array":
        return None
    properties_by_type: dict[tuple[str, str], list[Any]] = {}  # Any: JSON
    for item, _ in items:
        properties_by_type.setdefault((item.syntax, item.type), []).append(item.properties)
    for (syntax, kind), alike in properties_by_type.items():
        value = fitting(alike, field.schema)
        if value is not _NOTHING and value:
            return FilledField(field.path, value, "declared", f"{syntax} {kind}")
    return None


def _named(index: _Index, name: str) -> Iterator[tuple[str, Any]]:  # Any: JSON
    """Yield the values of a property and where each is: of this name first, then of names that mean the same."""
    key = normalized(name)
    for same_names in ((key,), _SAME_NAMES.get(key, ())):
        places = sorted(chain.from_iterable(index.get(same, ()) for same in same_names), key=itemgetter(0))
        for _, where, part in places:
            yield where, part


def _index(properties: Any, nodes: _Nodes, max_properties: int = MAX_ITEM_PROPERTIES) -> _Index:  # Any: JSON
    """Return the values below `properties` by their normalized names, the nearest first.

    A reference to one of the `nodes` has the value of that node. Each object is indexed once: an item may refer to the
    same large node thousands of times.
    """
    index: _Index = {}
    references = _References(nodes)
    queue: deque[tuple[Any, tuple[str, ...]]] = deque([(properties, ())])  # Any: JSON
    indexed_ids: set[int] = set()
    place = 0
    while queue and place < max_properties:
        part, way = queue.popleft()
        if isinstance(part, list):
            queue.extend((inner, way) for inner in part[:100] if isinstance(inner, dict | list))
        if not isinstance(part, dict) or id(part) in indexed_ids:
            continue
        indexed_ids.add(id(part))
        offset = _LAST if _is_old_price(part) else 0
        for inner_name, referring in islice(part.items(), max_properties - place):
            inner = references.resolved(referring)
            key = normalized(inner_name)
            place += 1
            index.setdefault(key, []).append((place + offset, ".".join((*way, inner_name)), inner))
            if isinstance(inner, dict | list) and key not in _ASIDE and len(way) < MAX_LEVELS:
                queue.append((inner, (*way, inner_name)))
    return index


class _References:
    """Puts nodes in the place of the references of one item."""

    def __init__(self, nodes: _Nodes) -> None:
        self._nodes = nodes
        self._counts: Counter[str] = Counter()

    def resolved(self, part: Any) -> Any:  # Any: JSON
        """Return the node that `{"@id": ...}` refers to, in a list each of them; other values as they are."""
        if isinstance(part, list) and len(part) <= MAX_REFERENCES:
            return [self._node(element) for element in part]
        return self._node(part)

    def _node(self, part: Any) -> Any:  # Any: JSON
        if not isinstance(part, dict) or part.keys() - {"@id", "@type"}:
            return part
        identifier = str(part.get("@id"))
        if identifier not in self._nodes or self._counts[identifier] >= MAX_SAME_REFERENCES:
            return part
        self._counts[identifier] += 1
        return self._nodes[identifier]


def _is_old_price(part: dict[str, Any]) -> bool:  # Any: JSON
    return normalized(str(part.get("priceType"))[:100].rpartition("/")[2]) in _OLD_PRICES


def normalized(name: str) -> str:
    """Return a name without case and signs, and without the prefix of Open Graph."""
    return _NOT_WORD.sub("", name.rpartition(":")[2]).casefold()


def _first(part: Any) -> Any:  # Any: JSON
    if isinstance(part, list):
        return next(iter(part), None)
    return part


# --------------------------------------------------------------------------------------------------------- tables


def _has_decimal_comma(language: str | None, texts: Iterable[str]) -> bool:
    """Return whether texts write decimals with a comma: by the language of their page, or by one of them."""
    locale = (language or "").casefold().replace("_", "-")
    if locale.partition("-")[0] in _COMMA_LANGUAGES and locale not in _DOT_LOCALES:
        return True
    return any(_COMMA_DECIMALS.search(text[:100]) for text in texts)


class _LabelledTexts:
    """The first text beside each label, by the normalized names of these, with their units and without."""

    def __init__(self, pairs: Iterable[Pair], *, has_comma: bool) -> None:
        self.has_comma = has_comma
        """Whether decimals follow a comma."""
        self.exact: dict[str, Pair] = {}
        self.without_unit: dict[str, Pair] = {}
        for label, text in pairs:
            name = label.rstrip(" :")
            self.exact.setdefault(normalized(name), (name, text))  # another text is that of another thing
            self.without_unit.setdefault(normalized(_UNIT.sub("", name)), (name, text))


class _LabelledTable(NamedTuple):
    table: FactTable
    texts: _LabelledTexts


def _labelled_table(
    table: FactTable, language: str | None, names: Collection[str], *, is_of_other: bool
) -> _LabelledTable:
    has_comma = _has_decimal_comma(language, chain.from_iterable(table.rows))
    pairs = () if is_of_other else _pairs(table, names)
    return _LabelledTable(table, _LabelledTexts(pairs, has_comma=has_comma))


def _of_tables(field: SchemaField, tables: Sequence[_LabelledTable]) -> FilledField | None:
    for number, (table, texts) in enumerate(tables, 1):
        if _kind(field.schema) == "array":
            value = _rows(table, _plain_schema(field.schema.get("items", {})), has_comma=texts.has_comma)
        else:
            _, value = _labelled_value(texts, field)
        if value is not _NOTHING and value != []:
            return FilledField(field.path, value, "table", f"table {number}")
    return None


def _of_lines(field: SchemaField, texts: _LabelledTexts) -> FilledField | None:
    if _kind(field.schema) == "array":
        return None
    label, value = _labelled_value(texts, field)
    if value is _NOTHING:
        return None
    return FilledField(field.path, value, "text", label)


def _rows(table: FactTable, row_schema: Schema, *, has_comma: bool) -> Any:  # Any: JSON
    """Return the rows of a table as objects, where its columns, or its rows, are the fields of an object."""
    fields = row_schema.get("properties", {})
    named = _named_columns(table, fields)
    if named is None:
        return _NOTHING
    upright, names = named
    rows = (
        {
            name: _with_decimal_point(cell, fields[name], label, has_comma=has_comma)
            for name, label, cell in zip(names, upright.columns, row, strict=False)
            if name and cell
        }
        for row in upright.rows
        if not _is_subheading(row)
    )
    return fitting([row for row in rows if row], {"type": "array", "items": row_schema})


def _named_columns(table: FactTable, fields: Collection[str]) -> tuple[FactTable, list[str | None]] | None:
    """Return a table and the field of each of its columns, where more than half of the fields have one.

    It is transposed where its rows have the names of the fields.
    """
    for upright, is_transposed in ((table, False), (_transposed(table), True)):
        names = _column_fields(upright.columns, fields, has_names_first=is_transposed)
        if fields and len(set(filter(None, names))) * 2 > len(fields):
            return upright, names
    return None


class TableOfRecords(NamedTuple):
    """A table that has a record of a schema in each of its rows."""

    number: int
    """Of the tables of the page, from 1."""
    row_count: int
    fields: tuple[str, ...]
    """Those that have a column."""


def table_of_records(schema: Schema, tables: Sequence[FactTable]) -> TableOfRecords | None:
    """Return the first table with several rows whose columns have the names of most fields of an object's schema."""
    for number, table in enumerate(tables, 1):
        named = _named_columns(table, schema.get("properties", {}))
        if named is not None and len(named[0].rows) > 1:
            return TableOfRecords(number, len(named[0].rows), tuple(dict.fromkeys(filter(None, named[1]))))
    return None


def _transposed(table: FactTable) -> FactTable:
    """Return a table with a column for each row; one without columns where it is too narrow for that."""
    grid = list(islice(filter(None, chain((table.columns,), table.rows)), _MAX_TRANSPOSED_COLUMNS))
    if not grid or min(map(len, grid)) < _MIN_TRANSPOSED_COLUMNS:
        return FactTable((), (), table.caption)
    columns, *rows = zip(*grid, strict=False)
    return FactTable(columns, tuple(rows), table.caption)


def _column_fields(columns: Sequence[str], fields: Iterable[str], *, has_names_first: bool) -> list[str | None]:
    """Return the field of each column, None where it has none.

    Columns that have the name of a field come first, then those that have it without their unit or their group. A
    first column that is no other field is that of the field `name` if it has no name, or `has_names_first`: it was the
    header of a transposed table, with what the table compares in its corner (`Model`).
    """
    names = {normalized(name): name for name in fields}
    labels = [column.rstrip(" :") for column in columns]
    matched: list[str | None] = [names.get(normalized(label)) for label in labels]
    without_units = [_UNIT.sub("", label) for label in labels]
    for shorter in (without_units, [label.rpartition(" / ")[2] for label in without_units]):
        keys = [normalized(label) for label in shorter]
        counts = Counter(keys)
        for column, key in enumerate(keys):
            name = names.get(key)
            if name and counts[key] == 1 and matched[column] is None and name not in matched:
                matched[column] = name
    if labels and matched[0] is None and (has_names_first or not labels[0]) and names.get("name") not in matched:
        matched[0] = names["name"]
    return matched


def _is_subheading(row: Sequence[str]) -> bool:
    """Return whether a row is one cell across all columns, which names the rows below it."""
    return len(row) > 1 and len(set(row)) == 1 and not any(map(str.isdigit, row[0]))


def _pairs(table: FactTable, names: Collection[str]) -> Iterator[Pair]:
    """Yield the labels of a table with their cells: the rows of two columns, or of more without a header.

    A header whose cells all have the `names` of fields is no label with its cell: `Price` is not the name of a thing.
    """
    is_header = all(normalized(_UNIT.sub("", title)) in names for title in table.columns)
    for row in table.rows if is_header else (table.columns, *table.rows):
        if _is_subheading(row) or len(row) % 2 or (table.columns and len(row) > 2):
            continue
        yield from zip(row[::2], row[1::2], strict=True)


def _labelled_value(texts: _LabelledTexts, field: SchemaField) -> tuple[str, Any]:  # Any: JSON
    """Return the label that has the name of a field, or has it with a unit, and the text beside it."""
    key = normalized(field.path[-1])
    enumeration = _enumeration(field)
    for by_name in (texts.exact, texts.without_unit):
        for name in (key, *_SAME_NAMES.get(key, ())):
            if name not in by_name:
                continue
            label, text = by_name[name]
            value = fitting(_with_decimal_point(text, field.schema, label, has_comma=texts.has_comma), field.schema)
            if value is not _NOTHING:
                return label, value
        if enumeration is not None and enumeration.property in by_name:
            label, text = by_name[enumeration.property]
            return label, fitting(_truth(enumeration, text), field.schema)
    return "", _NOTHING


# --------------------------------------------------------------------------------------------------------- values


def fitting(part: Any, schema: Schema) -> Any:  # Any: JSON
    """Return a value in the form that a schema asks for, or `_NOTHING` where it does not fit."""
    value = _converted(part, schema, 0)
    if value is _NOTHING or _fault(value, schema):
        return _NOTHING
    return value


def is_filled(value: object) -> bool:
    """Return whether `fitting` has found a value."""
    return value is not _NOTHING


def _fault(value: object, schema: Schema) -> str:
    from wellread import schemas  # needs jsonschema, of the extra `assistant`

    return schemas.fault(value, schema)


def _converted(part: Any, schema: Schema, level: int) -> Any:  # Any: JSON
    schema = _plain_schema(schema)
    kind = _kind(schema)
    if level > MAX_LEVELS or part is None:
        return _NOTHING
    if kind == "array":
        if isinstance(part, dict) and "itemListElement" in part:
            part = part["itemListElement"]
        converted = (_converted(element, schema.get("items") or {}, level + 1) for element in listed(part))
        return [element for element in converted if element is not _NOTHING]
    if isinstance(part, list):
        return next(
            (value for value in (_converted(element, schema, level) for element in part) if value is not _NOTHING),
            _NOTHING,
        )
    if kind == "object":
        return _object(part, schema, level)
    if isinstance(part, dict):
        part = part.get("name") or part.get("value") or part.get("text") or part.get("url") or part.get("item")
        return _converted(part, schema, level + 1)
    return _scalar(part, schema, kind)


def _object(part: Any, schema: Schema, level: int) -> Any:  # Any: JSON
    if not isinstance(part, dict):
        return _NOTHING
    properties = schema.get("properties")
    if not properties:
        return part
    index = _index(part, {})
    values = {name: _property(index, name, inner_schema, level) for name, inner_schema in properties.items()}
    record = {name: value for name, value in values.items() if value is not _NOTHING}
    return record or _NOTHING


def _property(index: _Index, name: str, schema: Any, level: int) -> Any:  # Any: JSON
    for _, inner in _named(index, name):
        value = _converted(inner, schema, level + 1)
        if value is not _NOTHING and not _fault(value, schema):
            return value
    enumerated = _enumerated(index, SchemaField((name,), _plain_schema(schema)))
    if enumerated is None:
        return _NOTHING
    return enumerated[1]


def _scalar(part: Any, schema: Schema, kind: str) -> Any:  # Any: JSON
    text = str(part).strip()
    if choices := schema.get("enum"):
        keys = {normalized(str(choice)): choice for choice in choices}
        return keys.get(normalized(text.rpartition("/")[2]), _NOTHING)
    if kind == "string" and schema.get("format") == "date":
        return dates.day(dates.iso(text[:100])) or _NOTHING
    if kind == "boolean":
        word = text.rpartition("/")[2].casefold()
        return _TRUTHS.get(word, _NOTHING)
    if kind in {"number", "integer"} and not isinstance(part, bool):
        return _number_of_kind(text, kind)
    return {"string": text, "": part}.get(kind, _NOTHING)


def _with_decimal_point(text: str, schema: Any, label: str, *, has_comma: bool) -> str:  # Any: JSON
    """Return the text of a number as pages write it whose decimals follow a dot, any other text as it is.

    Where no sign of the page tells, `12.500` as an integer or as money has a dot between thousands.
    """
    kind = _kind(_plain_schema(schema))
    digits = _DIGITS.findall(text)
    if kind not in {"integer", "number"} or len(digits) != 1:
        return text
    number = digits[0]
    plain = number
    if _GROUPED.fullmatch(number):
        is_large = kind == "integer" and _integer(number) >= _MIN_GROUPED
        if has_comma or is_large or _MONEY_LABEL.search(label[:MAX_LABEL_CHARS].casefold()):
            plain = number.replace(".", "")
    elif has_comma and _WITH_COMMA.fullmatch(number) and (kind == "number" or not _ENGLISH_GROUPED.fullmatch(number)):
        plain = number.replace(".", "").replace(",", ".")
    return text.replace(number, plain)


def _integer(number: str) -> int:
    return int(number.replace(".", ""))


def _number_of_kind(text: str, kind: str) -> int | float | object:
    number = _number(text)
    if number is not None and number.is_integer():
        return int(number)
    if number is None or kind == "integer":
        return _NOTHING
    return number


def _number(text: str) -> float | None:
    """Return the only number in a text, or None."""
    text = text[:100].replace("\u2212", "-")
    if _PLAIN_NUMBER.fullmatch(text):
        return float(text)
    magnitude = _magnitude(text)
    if magnitude is not None and _NEGATIVE.search(text):
        return -magnitude
    return magnitude


def _magnitude(text: str) -> float | None:
    """Return the only number in a text without its sign.

    Of `4.667`, the dot is that of decimals, but prices have no three of them: `12.500 \u20ac`.
    """
    text_quantities = quantities(text)
    if len(_DIGITS.findall(text)) > 1 or len(text_quantities) != 1:
        return None
    quantity = text_quantities[0]
    values = quantity.values if quantity.factor != 1 else quantity.digits
    if len(values) == 1:
        return min(values)
    # `1.299,00`: of the ways to read it, the one with decimals; `1,299` has three digits behind its only sign.
    integers = [value for value in values if value.is_integer()]
    decimals = [value for value in values if not value.is_integer()]
    is_price = quantity.is_money and not text[quantity.end :].lstrip().startswith("/")
    has_decimals = re.search(r"[.,]\d{1,2}(?!\d)", text) is not None
    if has_decimals or (_ONE_DOT.search(text) and not is_price):
        return min(decimals or integers, default=None)
    return max(integers, default=None)


def _kind(schema: Schema) -> str:
    if "type" not in schema and "properties" in schema:
        return "object"
    return next((str(name) for name in listed(schema.get("type")) if name not in {"null", None}), "")


def _plain_schema(schema: Any) -> Schema:  # Any: JSON
    """Return the only alternative of a schema that may also be null."""
    if not isinstance(schema, dict):
        return {}
    for word in ("anyOf", "oneOf", "allOf"):
        parts = [part for part in schema.get(word, ()) if isinstance(part, dict) and part.get("type") != "null"]
        if len(parts) == 1:
            return {**{name: part for name, part in schema.items() if name != word}, **parts[0]}
    return schema
