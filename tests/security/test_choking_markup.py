"""Markup made to choke the reader costs time in proportion, and what it makes stays small."""

from __future__ import annotations

import json

import pytest

from effort import costs_at_most
from wellread.extraction.html import HtmlExtractor
from wellread.output import print_document
from wellread.types import Extraction, Source
from wellread.worker.prescan import is_suspect

pytestmark = pytest.mark.untraced
PROSE = "<p>The pools lie dry at noon, and the gulls know it well.</p>"
ADVICE = "I think that you should try this one first, because it worked for me when I had the very same problem."


def extracted(page: str, url: str | None = None) -> Extraction:
    return HtmlExtractor().extract(Source(body=page.encode(), media_type="text/html", url=url))


def post(number: int, beside: str = "", more: str = "") -> str:
    return (
        f"<div class='post message'><div class=head><div class='author username'><a href='/user/n{number}'>"
        f"Bo{number}</a></div><div class=date>May {number}, 2024</div>{beside}</div>"
        f"<div class='content postbody'><p>{ADVICE} {more}</p></div></div>"
    )


def linked(data: str) -> str:
    return f"{PROSE}<script type='application/ld+json'>{data}</script>"


THREAD = "<title>How do I fix a tap</title><h1>How do I fix a tap</h1><div class='forum thread'>"
NOBODY = [{"@id": "x", "name": ["\u00ad" * 500] * 50}, *[{"author": {"@id": "x"}}] * 2_000]
TABBED = f"<button role=tab id=t aria-controls=x>Tab {'<wbr>' * 30_000}</button>"
SOLD = {"@type": "Product", "name": "Tea", "offers": {"price": "5"}}
NAMED = "a " * 300_000
UPPER = "\u00c9 " * 200_000
DEEP_IN_NAMES = f"<div class='price__x {'a ' * 1_800}'>" * 190
TABLE = "<tr><th>The name<th>The value<tr><td>some text here<td>and some more"


@pytest.mark.parametrize(
    "page",
    [
        linked("{" * 201 + '"' + '\\"' * 60_000),
        linked("{" * 201 + '"' + '\\"' * 60_000 + "\\"),
        linked('{"@type":"Product",' * 20 + '"' + '\\"' * 60_000),
        linked(json.dumps(NOBODY, ensure_ascii=False)),
        linked('{"@type":"Article","isAccessibleForFree":' * 190 + json.dumps(["x" * 900_000]) + "}" * 190),
        PROSE + "".join(f"<meta name=author content='{number}{'@' * 298}'>" for number in range(600)),
        f"{PROSE}<div class='{'lang ' * 12_000}'>{'<pre>a=1</pre>' * 4_000}</div>",
        f"{THREAD}{post(1)}{post(2)}{post(3, '<div>Bo3</div>' * 12_000, 'And it is the longest.')}{post(4)}</div>",
        f"<h1>Tides</h1>{PROSE}<table>{TABLE}{'<p><img src=a>' * 45_000}</table>",
        f"<h1>Tides</h1>{PROSE}<table>{'<tr><td colspan=200>a' * 15_000}</table>",
        PROSE + "".join(f"<a href=#fn{number}>{number}</a><p id=fn{number}>note</p>" for number in range(15_000)),
        f"{PROSE}{TABBED}{'<p role=tabpanel id=x>abc' * 20_000}",
        f"{PROSE}<div class='{NAMED}'>{'<p>ab cd' * 4_000}</div>",
        f"{linked(json.dumps(SOLD))}{DEEP_IN_NAMES}{'<p>ab cd' * 20_000}",
        f"<style>[class~=z] p{{display:none}}</style>{PROSE}<section class='{NAMED}'>{'<p>ab cd' * 4_000}</section>",
        f"<style>[class*=z i] p{{display:none}}</style>{PROSE}<div class='{UPPER}'>{'<p>ab cd' * 4_000}</div>",
        f"{PROSE}<a {'/'.join(map('={}'.format, range(100_000)))}>x</a>",
        PROSE + '<a"' * 300_000,
        PROSE + "<a=" * 300_000,
    ],
    ids=[
        "quotes",
        "quotes to the end",
        "product",
        "nobody",
        "free",
        "at signs",
        "language",
        "names of posts",
        "pictures",
        "spans",
        "notes",
        "tabs",
        "names",
        "prices",
        "names in styles",
        "case in styles",
        "attributes after slashes",
        "names of tags",
        "bare values",
    ],
)
def test_markup_made_to_choke_costs_a_second_or_two(page: str) -> None:
    assert costs_at_most(4, page)  # each took from 7 s to minutes


@pytest.mark.parametrize(
    "tag",
    [
        f'<p class="{NAMED}">',
        f"<p class='{NAMED}'>",
        f"<p CLASS = {'a&#32;' * 20_000}>",
        f'<!-- class=" --><p class="{NAMED}">',
        f"<p class='{'a ' * 2_000}'>" * 20,
    ],
)
def test_page_of_very_many_names_is_read_in_a_child_process(tag: str) -> None:
    assert is_suspect(f"{PROSE}{tag}{PROSE}".encode())


@pytest.mark.parametrize(
    "tag",
    [
        f"<p class='{'md:hover:text-blue-500 ' * 300}'>",
        f"<p class='{'md:hover:text-blue-500 ' * 20}'>" * 1_000,
        f"<img class=wide src='data:image/png;base64,{'aaaa' * 100_000}'>",
        f"<p style='background:url(data:image/png;base64,{'aaaa' * 100_000})'>",
    ],
)
def test_names_and_pictures_of_honest_length_are_nothing_to_suspect(tag: str) -> None:
    assert not is_suspect(f"{PROSE}{tag}{PROSE}".encode())


@pytest.mark.parametrize("url", [None, f"http://tide.example/{'b' * 19_000}"], ids=["base", "address"])
def test_short_links_on_a_long_base_make_no_long_text(url: str | None) -> None:
    base = "" if url else f"<base href='http://tide.example/{'b' * 1_900}/'>"
    links = " ".join(f"<a href='?{number}'>w</a>" for number in range(20_000))
    told = extracted(f"{base}{PROSE}<p>{links}</p>", url)
    assert len(print_document(told.document, "markdown").text) < 10_000_000
    assert sum(map(len, told.links)) < 10_000_000


def test_a_page_of_a_hundred_thousand_lines_ends_early_and_says_so() -> None:
    told = extracted("<p>The tide" * 121_000)
    assert len(told.document) == 100_000
    assert [notice.code for notice in told.notices] == ["cut_short"]


def test_a_rule_at_the_start_of_an_item_leaves_the_list_whole() -> None:
    told = print_document(extracted(f"{PROSE}<ul><li><p>one<li><hr><p>two<li><p>three</ul>").document, "markdown").text
    assert "- one\n\n- ***\n\n  two\n\n- three" in told
