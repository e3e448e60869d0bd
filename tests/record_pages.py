"""Pages of products, events, jobs and a recipe with the records that a schema asks of them: the truth beside each page.

The truth was written before the code that fills the records, and is not changed to fit it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from fact_pages import page, script

Record = dict[str, Any]  # Any: JSON

TYPES: dict[str, Record] = {
    "boolean": {"type": "boolean"},
    "number": {"type": "number"},
    "integer": {"type": "integer"},
    "string": {"type": "string"},
    "date": {"type": "string", "format": "date"},
}


class RecordPage(NamedTuple):
    """A page, the fields that are asked for with their types, and the record that it has."""

    name: str
    html: str
    fields: dict[str, str]
    record: Record

    @property
    def schema(self) -> Record:
        """The JSON Schema of the fields."""
        return {"type": "object", "properties": {name: TYPES[kind] for name, kind in self.fields.items()}}


def _declared(name: str, declared: Record, fields: dict[str, str], record: Record) -> RecordPage:
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
