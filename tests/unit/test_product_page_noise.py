"""Pages of products without what stands there for scripts, and without headings of sections that are left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import wellread

if TYPE_CHECKING:
    from collections.abc import Callable

_ABOUT = (
    "<h1>Harbour rain coat</h1><p>$129.00</p><p>The Harbour rain coat keeps you dry on the longest walk along the "
    "shore. It is cut from waxed cotton, has two deep pockets and a hood that can be taken off, and is sewn in a small "
    "factory by the sea.</p><h2>Care</h2><p>Wash by hand in cold water, without soap, and hang it up to dry in the "
    "shade. Wax it once a year, best in autumn, with a soft cloth and a warm iron.</p>"
)
_DECLARED = (
    '{"@context": "https://schema.org", "@type": "Product", "name": "Harbour rain coat", '
    '"offers": {"@type": "Offer", "price": "129.00", "priceCurrency": "USD"}}'
)


def _read(body: str) -> str:
    head = f"<title>Harbour rain coat</title><script type='application/ld+json'>{_DECLARED}</script>"
    page = f"<html lang=en><head>{head}</head><body><main>{_ABOUT}{body}</main></body></html>"
    return wellread.extract(page.encode(), url="https://shop.example/products/harbour").text


def _terms(fields: dict[str, str]) -> str:
    return "<dl class=info>" + "".join(f"<dt>{name}:</dt><dd>{text}</dd>" for name, text in fields.items()) + "</dl>"


def _table(fields: dict[str, str]) -> str:
    rows = "".join(f"<tr><th>{name}</th><td>{text}</td></tr>" for name, text in fields.items())
    return f"<table class=more>{rows}</table>"


_FIELDS = {
    "swatch_image_Navy": "https://cdn.example/coat/navy_160.jpg",
    "swatch_image_Sand": "https://cdn.example/coat/sand_160.jpg",
    "swatch_image_Moss": "https://cdn.example/coat/moss_160.jpg",
    "badge_background_colour": "#0a3b5c",
    "grid_stock_limit": "10000",
    "Material": "Waxed cotton, 220 g",
}


@pytest.mark.parametrize("markup", [_terms, _table])
def test_fields_of_a_shop_database(markup: Callable[[dict[str, str]], str]) -> None:
    text = _read(markup(_FIELDS))
    assert "swatch_image" not in text
    assert "Waxed cotton, 220 g" in text
    assert "10000" not in text


@pytest.mark.parametrize("markup", [_terms, _table])
def test_named_fields_with_words_stay(markup: Callable[[dict[str, str]], str]) -> None:
    fields = {
        "outer_shell": "Waxed cotton from Scotland", "lining_fabric": "Brushed cotton twill",
        "main_zip": "Brass, made in Italy", "care_label": "Wash by hand in cold water",
        "fit_type": "Regular, room for a jumper",
    }  # fmt: skip
    assert "Brushed cotton twill" in _read(markup(fields))


def test_parameters_of_documentation_stay() -> None:
    fields = {f"max_{name}": str(at * 100) for at, name in enumerate(("size", "age", "depth", "rows", "width"))}
    text = "<p>These settings bound what a job may use; each takes a number, and none may be left out of the file.</p>"
    page = f"<html><title>Settings reference</title><main><h1>Settings</h1>{text * 3}{_terms(fields)}</main></html>"
    assert "max_depth" in wellread.extract(page.encode(), url="https://docs.example/reference/settings").text


def test_heading_without_any_text_stays() -> None:
    questions = ("Is the hood lined?", "Does it fit over a suit?", "Which wax is used?")
    text = _read("<h2>Questions</h2>" + "".join(f"<h3>{question}</h3><div></div>" for question in questions))
    assert all(question in text for question in questions)
