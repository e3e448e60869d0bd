"""Pages that tests of several files read: articles with something between their paragraphs, and forum threads."""

from __future__ import annotations

from wellread import extract

KETTLE = "The kettle was filled before dawn, and nobody in the house had slept well, because the wind kept rising. "
"""A sentence of prose, to be repeated until a page has an article."""
PUMP = "The pump was tried before dawn, and nobody in the house had slept well, for the wind kept rising. "
PUMP_PARAGRAPH = f"<p>{PUMP * 4}"
"""A paragraph without its end tag."""

WALK_URL = "https://coast.example/walks/flats"
BEFORE = (
    "The old pump house stands at the end of a lane that nobody has paved since the war, and the people who look after "
    "it meet there every second Saturday of the month to oil what moves and paint what does not."
)
AFTER = (
    "In the first year they replaced the roof, in the second the windows, and only in the third did anyone dare "
    "to open "
    "the valve chamber below the floor, where the water had stood since the summer of the flood."
)
LAST = (
    "A grant from the water board paid for a new bearing; the rest of the money came from a sale of plants and "
    "from two "
    "concerts in the yard, at which the whistle was sounded for the first time in sixty years."
)


def document(body: str, *, title: str = "", head: str = "", attributes: str = "") -> str:
    """Return an HTML document; `attributes` are those of its body, with a space before them."""
    titled = f"<title>{title}</title>" if title else ""
    return f"<html><head>{titled}{head}</head><body{attributes}>{body}</body></html>"


def kettle_article(*parts: str) -> str:
    """Return an article with `parts` between two paragraphs."""
    return f"<article><h1>Tea</h1><p>{KETTLE * 4}</p>{''.join(parts)}<p>{KETTLE * 4}</p></article>"


def pump_article(*parts: str) -> str:
    """Return an article with `parts` between two paragraphs without end tags."""
    return f"<article><h1>Pump</h1>{PUMP_PARAGRAPH}{''.join(parts)}{PUMP_PARAGRAPH}</article>"


def article_beside_menu(inner: str) -> str:
    """Return a page with a menu, and an article of `inner` between two paragraphs."""
    return document(f"<nav>Home Shop</nav><article><p>{PUMP * 2}</p>{inner}<p>{KETTLE * 3}</p></article>")


def walk_article(inner: str, *, head: str = "", tail: str = "") -> str:
    """Return a page of an article of three paragraphs, with `inner` between the first two of them."""
    return (
        f"<html lang=en><head><title>A walk on the flats</title></head><body><header><a "
        f"href='/'>Coast</a></header><main>"
        f"<article><h1>A walk on the "
        f"flats</h1>{head}<p>{BEFORE}</p>{inner}<p>{AFTER}</p><p>{LAST}</p></article>{tail}</main>"
        f"<footer><a href='/terms'>Terms</a></footer></body></html>"
    )


def read_walk(html: str, *, images: bool = True) -> str:
    """Return the text of a page under the address of the walk."""
    return extract(html, url=WALK_URL, images=images).text


def forum_thread(title: str, posts: str, *, head: str = "") -> str:
    """Return a page of a forum: its menu, the title of the thread, and `posts`."""
    menu = "<div class=nav><a href=/>Yard</a><a href=/login>Log in</a></div>"
    return document(f"{menu}<h1>{title}</h1>{posts}", title=title, head=head, attributes=" class=forum")
