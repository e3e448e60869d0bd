"""An article over several pages tells where it goes on."""

from __future__ import annotations

import pytest

from wellread import extract

PROSE = "".join(
    f"<p>{text}</p>"
    for text in (
        "The old pump house stands at the end of a lane that nobody has paved since the war, and people meet there.",
        "In the first year they replaced the roof, in the second the windows, and only then opened the valve chamber.",
        "A grant from the water board paid for a new bearing; the rest came from a sale of plants and two concerts.",
        "The pump now runs for an hour on open days, and children may pull the cord that sounds the whistle.",
    )
)
HERE = "https://quay.example/moorings"


def continued(pager: str, *, url: str | None = HERE, head: str = "", kind: str = "article") -> list[str]:
    page = (
        f"<html><head><title>The ten best moorings</title>{head}</head><body><nav><a "
        f"href=/>Home</a></nav><main><{kind}><h1>The "
        f"ten best moorings</h1>{PROSE}{pager}</{kind}></main></body></html>"
    )
    return [warning.detail for warning in extract(page, url=url).warnings if warning.code == "continued"]


@pytest.mark.parametrize(
    ("url", "following"),
    [
        (HERE, f"{HERE}?page=2"),
        (HERE, f"{HERE}/2"),
        (f"{HERE}/", f"{HERE}/2/"),
        (f"{HERE}/", f"{HERE}/page/2/"),
        (f"{HERE}.html", f"{HERE}-2.html"),
        (f"{HERE}.html", f"{HERE}_2.html"),
        (f"{HERE},123.html", f"{HERE},123,seite2.html"),
        (f"{HERE}?page=2", f"{HERE}?page=3"),
        (f"{HERE}/seite-2", f"{HERE}/seite-3"),
        (f"{HERE}?id=77", f"{HERE}?id=77&page=2"),
        (f"{HERE}.shtml", f"{HERE}_2.shtml"),
        (f"{HERE}?p=all&pagina=1", f"{HERE}?p=all&pagina=2"),
    ],
)
def test_next_page_in_head(url: str, following: str) -> None:
    assert continued("", url=url, head=f'<link rel="next" href="{following}">') == [
        f"the page continues at {following}"
    ]


@pytest.mark.parametrize(
    ("url", "other"),
    [
        (HERE, "https://quay.example/anchors"),
        (f"{HERE}-1", "https://quay.example/anchors-2"),
        ("https://quay.example/news/48211", "https://quay.example/news/48212"),
        ("https://quay.example/2024/05/moorings", "https://quay.example/2024/06/moorings"),
        (HERE, f"{HERE}/comment-page-2"),
        (f"{HERE}?page=3", f"{HERE}?page=2"),
        (HERE, "https://elsewhere.example/moorings?page=2"),
    ],
)
def test_next_article_in_head(url: str, other: str) -> None:
    assert continued("", url=url, head=f'<link rel="next" href="{other}">') == []


@pytest.mark.parametrize(
    "pager",
    [
        "<div><span>Page 1 of 3</span> <a href='/moorings?page=2'>2</a> <a href='/moorings?page=3'>3</a></div>",
        "<nav aria-label=Seiten><b>1</b> <a href='/moorings?page=2'>2</a> <a href='/moorings?page=3'>3</a></nav>",
        "<p>Seiten: <span>1</span> <a href='?page=2'><span>2</span></a></p>",
        "<p>Seite 1 von 3</p><a href='?page=2'>N\u00e4chste Seite</a>",
        "<div>1 / 3 <a href='https://quay.example/moorings?page=2'>Suivant \u203a</a></div>",
        "<div><a rel=next href='?page=2'>\u6b21\u306e\u30da\u30fc\u30b8</a></div>",
        "<ul><li>1</li><li><a href='?page=2'>\u0662</a></li></ul>",
    ],
)
def test_pager_below_article(pager: str) -> None:
    assert continued(pager) == ["the page continues at https://quay.example/moorings?page=2"]


@pytest.mark.parametrize(
    "links",
    [
        "<ol class=comments><li>First!</li></ol><div class=comment-pager><a href='?cpage=2#comments'>2</a></div>",
        "<a href='/moorings?page=1'>1</a> <b>2</b>",
        "<a href='/anchors?page=2'>2</a>",
        "<a href='#2'>2</a> <a href='/2'>2</a>",
        "<p>They came 2 of 3 times.</p><a href='/moorings?print=2'>Drucken</a>",
        "<p>See also <a href='/moorings-2'>the second visit</a>.</p>",
    ],
)
def test_links_that_are_no_pager(links: str) -> None:
    assert continued(links) == []


def test_page_without_address() -> None:
    head = '<link rel="canonical" href="https://quay.example/moorings">'
    pager = "<a href='/moorings?page=2'>2</a>"
    assert continued(pager, url=None, head=head) == ["the page continues at https://quay.example/moorings?page=2"]
    assert continued(pager, url=None) == []


@pytest.mark.parametrize(
    ("url", "following"),
    [
        ("https://quay.example/topic.php?t=12", "https://quay.example/topic.php?t=12&sid=a09a41d3bd22b539&start=15"),
        ("https://quay.example/talk-t173.html", "https://quay.example/talk-t173-s15.html?sid=b90b172701f8a6ccec27"),
        ("https://quay.example/thread/7", "https://quay.example/thread/7?offset=20"),
        ("https://quay.example/topic.php?t=12&start=15", "https://quay.example/topic.php?t=12&start=30"),
    ],
)
def test_thread_that_counts_posts_goes_on(url: str, following: str) -> None:
    pager = f'<ul><li class=next><a rel=next href="{following.replace("&", "&amp;")}">Next</a></ul>'
    assert continued(pager, url=url) == [f"the page continues at {following}"]


@pytest.mark.parametrize(
    ("url", "other"),
    [
        ("https://quay.example/topic.php?t=12&start=30", "https://quay.example/topic.php?t=12&start=15"),
        ("https://quay.example/topic.php?t=12", "https://quay.example/topic.php?t=12&sid=a09a41d3bd22b539"),
        ("https://quay.example/moorings", "https://quay.example/moorings?highlight=15"),
        ("https://quay.example/topic.php?t=12", "https://quay.example/topic.php?t=40"),
    ],
)
def test_thread_that_counts_posts_goes_on_elsewhere(url: str, other: str) -> None:
    assert continued(f'<a rel=next href="{other.replace("&", "&amp;")}">Next</a>', url=url) == []
