"""Pages of products, events, jobs, tables and lines, with the records that a schema asks of them beside each.

The truth was written before the code that fills the records, and is not changed to fit it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from fact_pages import page, script

if TYPE_CHECKING:
    from collections.abc import Mapping

Record = dict[str, Any]  # Any: JSON

TYPES: dict[str, Record] = {
    "boolean": {"type": "boolean"},
    "number": {"type": "number"},
    "integer": {"type": "integer"},
    "string": {"type": "string"},
    "date": {"type": "string", "format": "date"},
    "strings": {"type": "array", "items": {"type": "string"}},
}


class RecordPage(NamedTuple):
    """A page, the fields that are asked for with their types, and the record that it has."""

    name: str
    html: str
    fields: Mapping[str, str | Record]
    """The name of a type, or the fields of the objects of a list."""
    record: Record

    @property
    def schema(self) -> Record:
        """The JSON Schema of the fields."""
        return _object_schema(self.fields)


def _object_schema(fields: Mapping[str, str | Record]) -> Record:
    properties = {
        name: TYPES[kind] if isinstance(kind, str) else {"type": "array", "items": _object_schema(kind)}
        for name, kind in fields.items()
    }
    return {"type": "object", "properties": properties}


def _declared(name: str, declared: Record, fields: Mapping[str, str | Record], record: Record) -> RecordPage:
    return RecordPage(
        name, page(name, head=script({"@context": "https://schema.org", **declared})).html, fields, record
    )


def _offer(state: str, **more: object) -> Record:
    return {"@type": "Offer", "price": "9.50", "priceCurrency": "EUR", "availability": state, **more}


def record_pages() -> list[RecordPage]:
    """Return the pages."""
    stock = {"in_stock": "boolean", "available": "boolean", "sold_out": "boolean"}
    kettle = {"@type": "Product", "name": "Kettle"}
    event = {"@type": "Event", "name": "Harbour concert"}
    job = {"@type": "JobPosting", "title": "Keeper"}
    open_graph = (
        '<meta property="og:type" content="product"><meta property="og:title" content="Rope">'
        '<meta property="product:availability" content="out of stock">'
    )
    rows = "<table><tr><td>Availability</td><td>In stock</td></tr><tr><td>Price</td><td>1.299,00 €</td></tr></table>"
    return [
        *_linked_pages(), *_table_pages(), *_line_pages(),
        _declared(
            "product in stock", kettle | {"offers": _offer("https://schema.org/InStock", price="EUR 1,299.00")},
            {**stock, "price": "number"}, {"in_stock": True, "available": True, "sold_out": False, "price": 1299},
        ),
        _declared(
            "product out of stock", kettle | {"offers": _offer("http://schema.org/OutOfStock")},
            stock, {"in_stock": False, "available": False, "sold_out": True},
        ),
        _declared(
            "product for order", kettle | {"offers": _offer("PreOrder")},
            stock, {"in_stock": False, "available": True, "sold_out": False},
        ),
        _declared(
            "product of two offers",
            kettle | {"offers": [_offer("https://schema.org/SoldOut"), _offer("https://schema.org/LimitedAvailability")]},
            stock, {"in_stock": True, "available": True, "sold_out": False},
        ),
        _declared(
            "product beside another",
            kettle | {"isRelatedTo": {"@type": "Product", "offers": _offer("https://schema.org/InStock")}},
            stock, {},
        ),
        RecordPage("product of Open Graph", page("r", head=open_graph).html, stock | {"name": "string"},
                   {"in_stock": False, "available": False, "sold_out": True, "name": "Rope"}),
        RecordPage("product of a table", page("t", body=rows).html, {"in_stock": "boolean", "price": "number"},
                   {"in_stock": True, "price": 1299}),
        _declared(
            "event online",
            event | {
                "startDate": "2026-12-03T19:30:00+01:00", "eventStatus": "https://schema.org/EventCancelled",
                "eventAttendanceMode": "https://schema.org/MixedEventAttendanceMode", "isAccessibleForFree": True,
            },
            {"date": "date", "online": "boolean", "cancelled": "boolean", "is_free": "boolean"},
            {"date": "2026-12-03", "online": True, "cancelled": True, "is_free": True},
        ),
        _declared(
            "event on the pier",
            event | {
                "startDate": "3 December 2026", "eventStatus": "EventRescheduled", "isAccessibleForFree": "False",
                "eventAttendanceMode": "OfflineEventAttendanceMode", "offers": {"price": "£12.50"},
            },
            {"start_date": "date", "online": "boolean", "cancelled": "boolean", "free": "boolean", "price": "number"},
            {"start_date": "2026-12-03", "online": False, "cancelled": False, "free": False, "price": 12.5},
        ),
        _declared(
            "job at home",
            job | {
                "jobLocationType": "TELECOMMUTE", "datePosted": "2026-11-02", "validThrough": "2026-12-01T00:00",
                "baseSalary": {"currency": "EUR", "value": {"minValue": 41000, "maxValue": 52000, "unitText": "YEAR"}},
            },
            {"remote": "boolean", "posted": "date", "deadline": "date", "min_salary": "number", "max_salary": "number"},
            {"remote": True, "posted": "2026-11-02", "deadline": "2026-12-01", "min_salary": 41000,
             "max_salary": 52000},
        ),
        _declared(
            "job in the lighthouse",
            job | {"baseSalary": {"value": {"value": "38.500,00 EUR"}}, "hiringOrganization": {"name": "Harbour"}},
            {"remote": "boolean", "salary": "number", "company": "string"}, {"salary": 38500, "company": "Harbour"},
        ),
        _declared(
            "used product",
            kettle | {"itemCondition": "https://schema.org/UsedCondition", "aggregateRating": {"ratingValue": "4,6"},
                      "weight": {"value": "900", "unitCode": "GRM"}, "offers": {"price": "5 to 10 EUR"}},
            {"used": "boolean", "new": "boolean", "rating": "number", "weight": "integer", "price": "number"},
            {"used": True, "new": False, "rating": 4.6, "weight": 900},
        ),
    ]  # fmt: skip


def _linked_pages() -> list[RecordPage]:
    """Return pages whose JSON-LD has references, old prices, variants, breadcrumbs and comments."""
    graph = [
        {"@type": "WebSite", "@id": "#site", "name": "Kelp"},
        {"@type": ["Product", "Thing"], "name": "Float", "brand": {"@id": "#brand"}, "offers": [{"@id": "#offer"}]},
        {"@type": "Brand", "@id": "#brand", "name": "Buoyant"},
        {"@type": "Offer", "@id": "#offer", "price": "18.50", "availability": "http://schema.org/OutOfStock"},
    ]
    prices = [
        {"price": 149, "priceType": "https://schema.org/StrikethroughPrice"},
        {"price": 119, "priceCurrency": "EUR"},
    ]
    shoes = [
        {"@type": "Product", "sku": "D41", "offers": {"price": 79, "availability": "InStock"}},
        {"@type": "Product", "sku": "D42", "offers": {"price": 82, "availability": "SoldOut"}},
    ]
    crumbs = [{"position": 1, "item": {"@id": "/a", "name": "Boats"}}, {"position": 2, "name": "Dinghies"}]
    comments = """//<![CDATA[
        {"@context": "https://schema.org", // the vocabulary
        /* an event */ "@type": "Event", "name": "Shanties // songs", "url": "https://x.example/"}
        //]]>"""
    return [
        _declared(
            "graph with references", {"@graph": graph},
            {"name": "string", "brand": "string", "price": "number", "in_stock": "boolean"},
            {"name": "Float", "brand": "Buoyant", "price": 18.5, "in_stock": False},
        ),
        _declared(
            "old price first", {"@type": "Product", "name": "Oilskin", "offers": {"priceSpecification": prices}},
            {"price": "number", "currency": "string"}, {"price": 119, "currency": "EUR"},
        ),
        _declared(
            "only a list price", {"@type": "Product", "name": "Cap", "offers": {"priceSpecification": prices[:1]}},
            {"price": "number"}, {"price": 149},
        ),
        _declared(
            "variants", {"@type": "ProductGroup", "name": "Shoe", "hasVariant": shoes},
            {"variants": {"sku": "string", "price": "number", "in_stock": "boolean"}},
            {"variants": [{"sku": "D41", "price": 79, "in_stock": True},
                          {"sku": "D42", "price": 82, "in_stock": False}]},
        ),
        _declared(
            "breadcrumbs", {"@type": "BreadcrumbList", "itemListElement": crumbs},
            {"breadcrumbs": "strings"}, {"breadcrumbs": ["Boats", "Dinghies"]},
        ),
        RecordPage(
            "comments in JSON-LD", page("comments", head=script(comments)).html,
            {"name": "string", "url": "string"}, {"name": "Shanties // songs", "url": "https://x.example/"},
        ),
    ]  # fmt: skip


def _table_pages() -> list[RecordPage]:
    """Return pages with tables that group, transpose, or name units."""
    groups = (
        "<table><tr><th rowspan=2>Port<th colspan=2>Water<th colspan=2>Air<tr><th>Level (cm)<th>Temp<th>Temp"
        "<th>Wind, m/s<tr><td>Emden<td>498<td>12.0<td>10.4<td>\u22124</table>"
    )
    upright = (
        "<table><tr><th><th>Tern 5<th>Tern 7<tr><th>Price<td>¥12,000<td>CHF 1\u2019299.\u2013"
        "<tr><th>Weight in kg<td>12<td>15</table>"
    )
    menu = (
        "<table><tr><th>Dish<th>Price<tr><th colspan=2>Starters<tr><td>Soup<td>6 €<tr><th colspan=2>Mains"
        "<tr><td>Cod<td>18 €</table>"
    )
    pairs = "<table><tr><th>Length [m]<td>9<th>Color<td>red<tr><th>Draught, m<td>1,4<th>Reviews<td>1.312</table>"
    days = "<table><tr><th>Event<th>Date<tr><td>Fête<td>14 juillet 2025<tr><td>祭り<td>2025年7月20日</table>"
    return [
        RecordPage(
            "groups of columns", page("groups", body=groups).html,
            {"ports": {"port": "string", "level": "number", "wind": "number"}},
            {"ports": [{"port": "Emden", "level": 498, "wind": -4}]},
        ),
        RecordPage(
            "products across", page("products", body=upright).html,
            {"boats": {"name": "string", "price": "number", "weight": "integer"}},
            {"boats": [{"name": "Tern 5", "price": 12000, "weight": 12},
                       {"name": "Tern 7", "price": 1299, "weight": 15}]},
        ),
        RecordPage(
            "headings between rows", page("menu", body=menu).html, {"dishes": {"dish": "string", "price": "number"}},
            {"dishes": [{"dish": "Soup", "price": 6}, {"dish": "Cod", "price": 18}]},
        ),
        RecordPage(
            "two pairs in a row", page("pairs", body=pairs).html,
            {"length": "number", "colour": "string", "draught": "number", "reviews": "integer"},
            {"length": 9, "colour": "red", "draught": 1.4, "reviews": 1312},
        ),
        RecordPage(
            "dates in words", page("days", body=days).html, {"events": {"event": "string", "date": "date"}},
            {"events": [{"event": "Fête", "date": "2025-07-14"}, {"event": "祭り", "date": "2025-07-20"}]},
        ),
    ]  # fmt: skip


def _line_pages() -> list[RecordPage]:
    """Return pages whose text has labels, in definition lists and in lines."""
    terms = "<dl><dt>Hull material<dd>Oak<dt>Built<dd>1911<dt>Entry fee (adults)<dd>7,50 €</dl>"
    lines = "<ul><li>Berths: 5<li><b>Flag:</b> NL</ul><p>Price: 12 € and 3 € for post<br>Owner: Ida Roe</p>"
    return [
        RecordPage(
            "definition list", page("terms", body=terms).html,
            {"hull_material": "string", "built": "integer", "entry_fee": "number"},
            {"hull_material": "Oak", "built": 1911, "entry_fee": 7.5},
        ),
        RecordPage(
            "labelled lines", page("lines", body=lines).html,
            {"berths": "integer", "flag": "string", "owner": "string", "price": "number"},
            {"berths": 5, "flag": "NL", "owner": "Ida Roe"},
        ),
    ]  # fmt: skip
