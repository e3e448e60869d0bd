"""Links of a page: absolute, of few kinds, and never told twice."""

from __future__ import annotations

from pages import KETTLE, article_beside_menu
from wellread.extraction.html import HtmlExtractor
from wellread.output import print_document
from wellread.types import Extraction, Source

URL = "https://example.org/tea/making?x=1"


def extracted(html: str, *, url: str | None = URL) -> Extraction:
    return HtmlExtractor().extract(Source(body=html.encode(), media_type="text/html", url=url))


def markdown(html: str, *, url: str | None = URL) -> str:
    return print_document(extracted(html, url=url).document, "markdown").text


def test_links_are_made_absolute_and_dangerous_ones_lose_their_target() -> None:
    page = article_beside_menu(
        "<p><a href='../cup?a=1&amp;b=2'>up</a> <a href='//cdn.example/x'>cdn</a> <a href='javascript:alert(1)'>js</a> "
        "<a href=' JaVaScRiPt:alert(1)'>js2</a> <a href='data:text/html,x'>data</a> <a href='#here'>here</a> "
        "<a href='mailto:a@b.c'>mail</a> <a href='http://['>bad</a></p>"
    )
    assert (
        "[up](https://example.org/cup?a=1&b=2) [cdn](https://cdn.example/x) js js2 data here [mail](mailto:a@b.c) bad"
        in markdown(page)
    )
    assert extracted(page).links == ("https://example.org/cup?a=1&b=2", "https://cdn.example/x")


def test_mail_link_without_subject_and_body() -> None:
    told = markdown(
        article_beside_menu(
            "<p><a href='mailto:jo@tide.example?subject=a)b&body=x'>Write</a> or <a href='mailto:jo@tide.example'>"
            "jo@tide.example</a>, not <a href='mailto:a@b.c%0d%0aBcc:d@e.f'>here</a>.</p>"
        )
    )
    assert "[Write](mailto:jo@tide.example) or jo@tide.example, not here." in told


def test_links_resolve_against_the_base_element() -> None:
    assert "(https://other.example/d/x)" in markdown(
        "<head><base href='https://other.example/d/'></head>"
        + article_beside_menu("<p>Look <a href=x>far</a> out.</p>")
    )


def test_relative_links_without_any_base_are_plain_text() -> None:
    assert "Look near now" in markdown(article_beside_menu("<p>Look <a href='/x'>near</a> now</p>"), url=None)


def test_empty_link_over_a_card_links_the_named_line() -> None:
    page = "<h1>News of the bay</h1>" + "".join(
        f"<div class=card><a class=over href='/story/{at}' aria-label='The tide took pier number {at} at dawn'{more}>"
        "</a>"
        f"<h3><span>Harbour</span> The tide took pier number {at} at dawn</h3><p>{KETTLE}</p></div>"
        for at, more in enumerate(["", "", "", " style=display:none"])
    )
    told = markdown(f"<main>{page}</main>")
    assert "### [Harbour The tide took pier number 0 at dawn](https://example.org/story/0)" in told
    assert "### [Harbour The tide took pier number 2 at dawn](https://example.org/story/2)" in told
    assert "### Harbour The tide took pier number 3 at dawn" in told, "nobody can press what is not shown"


def test_of_links_that_are_labelled_alike_none_is_that_of_a_line() -> None:
    cards = "".join(
        f"<div class=card><a href='/tea/{at}' aria-label='Black tea of the hills'></a><h3>Black tea of the hills</h3>"
        f"<p>{KETTLE}</p></div>"
        for at in range(2)
    )
    assert "### Black tea of the hills" in markdown(f"<main><h1>All of our teas</h1>{cards}</main>")


def test_link_of_a_page_to_itself() -> None:
    topic = "<h1><a href='/tea/making?x=1'>How tea is made, and why it takes an hour</a></h1>"
    blog = f"<h2 class=title><a href={URL} rel=bookmark>How tea is made, and why it takes an hour</a></h2>"
    for heading in (topic, blog):
        page = article_beside_menu(f"{heading}<p>{KETTLE * 3}</p>")
        assert "# How tea is made, and why it takes an hour\n" in markdown(page)
        assert extracted(page).links == ()


def test_links_to_other_pages_of_one_address() -> None:
    page = article_beside_menu(
        f"<p>{KETTLE} <a href='?x=2'>The second page</a>, and <a href=/tea/making>all of it</a>.</p>"
    )
    assert extracted(page).links == ("https://example.org/tea/making?x=2", "https://example.org/tea/making")


def test_line_break_within_a_link() -> None:
    landing = "<h3><a href=/kit>\n Kit&colon;<br> all parts of it\n</a></h3>"
    wiki = "<p>See <a href='/wiki/Kit'><b>Kit</b><br/>all parts of it</a>.</p>"
    assert "### [Kit: all parts of it](https://example.org/kit)\n" in markdown(
        article_beside_menu(landing + f"<p>{KETTLE * 3}</p>")
    )
    assert "See [**Kit** all parts of it](https://example.org/wiki/Kit)." in markdown(article_beside_menu(wiki))


def test_line_break_between_two_links() -> None:
    text = markdown(article_beside_menu("<p><a href=/kit>The kit</a><br><a href=/lid>The lid of it</a></p>"))
    assert "[The kit](https://example.org/kit)  \n[The lid of it](https://example.org/lid)" in text
