"""The page's own headline stands first in the text, wherever it stands on the page, and once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

import wellread
from pages import KETTLE
from wellread.apps.cli import app
from wellread.apps.operations import render_text

if TYPE_CHECKING:
    from pathlib import Path

_ARTICLE = "".join(f"<p>Part {at} of the tale: {KETTLE}{KETTLE}</p>" for at in range(70))
_APART = f"<title>A night of wind | The Coast</title><header><h1>A night of wind</h1></header><main>{_ARTICLE}</main>"
_WITHIN = f"<title>A night of wind</title><main><article><h1>A night of wind</h1>{_ARTICLE}</article></main>"


def _printed(folder: Path, page: str, *options: str) -> str:
    file = folder / "page.html"
    file.write_text(page)
    return CliRunner().invoke(app, ["extract", str(file), *options]).stdout


@pytest.mark.parametrize("page", [_APART, _WITHIN])
@pytest.mark.parametrize(("format", "line"), [("markdown", "# A night of wind"), ("text", "A night of wind")])
def test_headline_of_long_article_is_printed_once(tmp_path: Path, page: str, format: str, line: str) -> None:
    text = _printed(tmp_path, page, "--format", format)
    assert text.startswith(f"{line}\n\n")
    assert text.count("A night of wind") == 1


def test_body_alone_has_no_headline(tmp_path: Path) -> None:
    assert "A night of wind" not in _printed(tmp_path, _APART, "--mode", "precision")


def test_page_with_a_headline_of_other_words_gets_no_second(tmp_path: Path) -> None:
    page = (
        f"<title>Wind and kettles - The Coast</title><main><article><h1>What we heard</h1>{_ARTICLE}</article></main>"
    )
    headings = [line for line in _printed(tmp_path, page).split("\n") if line.startswith("# ")]
    assert len(headings) == 1


def test_model_is_told_the_title_once() -> None:
    long = render_text.page_text(wellread.extract(_APART, url="https://coast.example/tales/wind"), frozenset())
    assert long.count("A night of wind") == long.count("Title: A night of wind") == 1
    short_page = f"<title>A night of wind</title><main><h1>A night of wind</h1><p>{KETTLE * 4}</p></main>"
    short = render_text.page_text(wellread.extract(short_page, url="https://coast.example/tales/wind"), frozenset())
    assert short.count("A night of wind") == short.count("# A night of wind") == 1


_CARDS = "".join(f"<li><h3><a href=/l/{at}>Lamp number {at} of oak</a></h3><p>{KETTLE}</p></li>" for at in range(30))


@pytest.mark.parametrize(
    ("title", "heading"),
    [
        ("Lamps for boats - Quay", "<h1><img src=logo.png></h1><div><h1>Lamps for boats</h1></div>"),
        ("Lamps for Low-Light Boats | Quay", "<header><h1>Lamps for<br>low light boats</h1></header>"),
        ("quay(1) - lamps manual", "<header><h1>quay(1) \u2014 Lamps manual</h1></header>"),
        (
            "Quay - all that shines",
            "<div class=hero><div class=text><h1>Find, light and keep your lamps</h1></div></div>",
        ),
    ],
)
def test_headline_of_list_outside_of_it(title: str, heading: str) -> None:
    menu = "".join(f"<li><a href=/m/{at}>Menu {at}</a></li>" for at in range(30))
    page = f"<title>{title}</title><body><nav><ul>{menu}</ul></nav>{heading}<main><ul>{_CARDS}</ul></main></body>"
    text = wellread.extract(page, url="https://quay.example/collections/lamps").text
    assert text.startswith("# ")
    assert text.count("\n# ") == 0
