"""Makes small plain pages: the public sets have none, and a reader must not stumble over one paragraph and a header.

The words come from the pages of the sets; what is content and what is not is known, for we put it there.
"""

from __future__ import annotations

import random
from html import escape
from typing import NamedTuple


class Made(NamedTuple):
    """A page, all of its content, and the body of its article alone."""

    html: str
    content: str
    body: str


class Pools(NamedTuple):
    """What to make pages of."""

    prose: list[str]
    scraps: list[str]
    """Short texts that no truth holds."""


_ASIDES = (
    "header",
    "aside",
    "nav",
    "footer",
    "div class=sidebar",
    "div class='widget-area sidebar'",
    "div id=footer",
    "div class='cookie-banner'",
    "div role=complementary",
    "div class='newsletter signup'",
)
_PLACES = (
    "main",
    "article",
    "main><article",
    "div class=content",
    "div id=main",
    "section",
    "div",
    "",
    "",
    "div class='post'><div class='entry-content'",
    "table><tr><td",
)
_POSTS = ("post", "comment", "reply", "comments")
_SHARERS = ("share-buttons", "social-share", "sharing")
_TARGETS = ("x", "/a/b", "https://example.org/c")
_MISNAMED = (
    "header class=section",
    "fieldset class='sidebar menu'",
    "form",
    "div class=sidebar",
    "div class='popup'",
    "aside",
    "main><header",
    "table><tr><td><fieldset class='menu'",
    "div id=footer-wrap",
    "div class='related'",
)
"""What authors sometimes call the place of everything."""
_SHAPES = (
    "<p>{}</p>",
    "<div>{}</div>",
    "<h1>{}</h1>",
    "<h3>{}</h3>",
    "<ul><li>{}</li></ul>",
    "<a href='/x'>{}</a>",
    "{}",
    "<span>{}</span>",
)


_LABELS = (
    "Related", "Related stories", "Read more", "More from us", "Advertisement", "Newsletter", "Recommended", "Trending",
    "Share this", "Sign up", "Popular now", "Sponsored", "Don't miss", "Follow us", "Download",
)  # fmt: skip
_INTERRUPTIONS = (
    "aside", "aside", "div", "div", "div", "section", "div class=related", "div class=promo", "div class=box", "",
)  # fmt: skip


class Maker:
    """Makes pages, the same for the same seed."""

    def __init__(self, pools: Pools, seed: int) -> None:
        self.pools = pools
        self.dice = random.Random(seed)

    def page(self) -> Made:
        dice = self.dice
        self.content: list[str] = []
        self.body: list[str] = []
        inner = self.forum() if dice.random() < 0.12 else self.listing() if dice.random() < 0.1 else self.article()
        place = dice.choice(_MISNAMED if len(self.content) > 4 and dice.random() < 0.15 else _PLACES)
        if place:
            closing = "".join(f"</{part.split()[0]}>" for part in reversed(place.split("><")))
            inner = f"<{place}>{inner}{closing}"
        parts = [self.aside() for _ in range(dice.choice((0, 0, 1, 1, 2, 3, 5)))]
        parts.insert(dice.randint(0, len(parts)), inner)
        if dice.random() < 0.15:
            parts.insert(dice.randint(0, len(parts)), self.menu())
        title = f"<title>{escape(self.content[0][:60])}</title>" if dice.random() < 0.5 else ""
        return Made(
            f"<html><head>{title}</head><body>{''.join(parts)}</body></html>",
            "\n".join(self.content),
            "\n".join(self.body),
        )

    # ------------------------------------------------------------------------------------------ pieces

    def prose(self) -> str:
        text = self.dice.choice(self.pools.prose)
        return " ".join(self.nonsense() for _ in range(self.dice.randint(4, 30))) if self.dice.random() < 0.1 else text

    def scrap(self) -> str:
        roll = self.dice.random()
        if roll < 0.25:
            return "".join(self.nonsense() for _ in range(self.dice.randint(1, 20)))
        return self.prose() if roll < 0.35 else self.dice.choice(self.pools.scraps)

    def nonsense(self) -> str:
        return "".join(self.dice.choice("abcdefghijklmnopqrstuvwxyz") for _ in range(self.dice.randint(4, 9)))

    def short(self) -> str:
        words = self.prose().split()
        return " ".join(words[: self.dice.randint(1, 7)])

    def keep(self, text: str, *, body: bool = True) -> str:
        self.content.append(text)
        if body:
            self.body.append(text)
        return escape(text)

    def aside(self) -> str:
        tag = self.dice.choice(_ASIDES)
        shape = self.dice.choice(_SHAPES)
        inner = "".join(shape.format(escape(self.scrap())) for _ in range(self.dice.choice((1, 1, 1, 2, 4, 8))))
        return f"<{tag}>{inner}</{tag.split()[0]}>"

    # ------------------------------------------------------------------------------------------- pages

    def article(self) -> str:
        dice = self.dice
        parts = []
        if dice.random() < 0.6:
            head = f"<h1>{self.keep(self.short(), body=False)}</h1>"
            if dice.random() < 0.4:
                head = f"<header>{head}<div>By {escape(self.short())}</div></header>"
            parts.append(head)
        makers = (
            self.paragraph,
            self.remark,
            self.paragraph,
            self.note,
            self.figure,
            self.paragraph,
            self.section,
            self.points,
            self.table,
            self.code,
            self.quote,
            self.figure,
            self.note,
            self.terms,
            self.lines,
        )
        parts.append(self.paragraph())
        parts.extend(dice.choice(makers)() for _ in range(dice.choice((0, 0, 1, 2, 4, 8))))
        if dice.random() < 0.1:
            parts.append(self.notes())
        if dice.random() < 0.25:
            parts.extend(self.paragraph() for _ in range(dice.choice((3, 6, 12, 24))))
            for _ in range(dice.choice((1, 1, 2))):
                parts.insert(dice.randint(1, len(parts) - 1), self.interruption())
        if dice.random() < 0.25:
            parts.append(self.related())
        if dice.random() < 0.15:
            parts.insert(
                dice.randint(1, len(parts)),
                f"<div class='{dice.choice(_SHARERS)}'><a href=/s>{escape(self.scrap())}</a></div>",
            )
        if dice.random() < 0.12:
            parts.insert(dice.randint(0, len(parts)), f"<aside><p>{escape(self.scrap())}</p></aside>")
        if dice.random() < 0.2:
            comments = "".join(f"<p>{escape(self.prose())}</p>" for _ in range(dice.choice((1, 1, 3))))
            parts.append(f"<div class=comments>{comments}</div>")
        return "".join(parts)

    def related(self) -> str:
        title = self.dice.choice(
            ("Related posts", "Read more", "You may also like", "More from us", "Recent posts", "Related articles")
        )
        items = self.links(self.dice.choice((1, 2, 5)))
        return f"<h2>{title}</h2>" + (
            f"<ul>{items}</ul>" if self.dice.random() < 0.7 else f"<p>{escape(self.prose())}</p>"
        )

    def links(self, count: int) -> str:
        return "".join(f"<li><a href=/{n}>{escape(self.short())}</a></li>" for n in range(count))

    def interruption(self) -> str:
        """Return a box amid an article, mostly with a heading of its own; the article goes on behind it."""
        dice = self.dice
        tag, level = dice.choice(_INTERRUPTIONS), dice.choice(("h2", "h3", "h3", "h4", "p"))
        head = f"<{level}>{escape(dice.choice(_LABELS) if dice.random() < 0.7 else self.scrap())}</{level}>"
        links = self.links(dice.choice((1, 2, 4)))
        one = f"<a href=/1>{escape(self.short())}</a>"
        inner = head + dice.choice((f"<ul>{links}</ul>", one, f"<p>{one}</p>", f"<p>{escape(self.scrap())}</p>", ""))
        return f"<{tag}>{inner}</{tag.split()[0]}>" if tag else inner

    def forum(self) -> str:
        name = self.dice.choice(("forum-thread", "topic discussion", "thread", "postbit forum"))
        posts = "".join(
            f"<div class={self.dice.choice(_POSTS)}><p>{self.keep(self.prose())}</p></div>"
            for _ in range(self.dice.choice((2, 3, 6)))
        )
        return f"<div class='{name}'><h1>{self.keep(self.short(), body=False)}</h1>{posts}</div>"

    def listing(self) -> str:
        rows = "".join(self.row(number) for number in range(self.dice.choice((5, 12, 30))))
        return f"<h1>{self.keep(self.short(), body=False)}</h1><ul>{rows}</ul>"

    def row(self, number: int) -> str:
        name, price = self.keep(self.short()), self.keep(f"$ {self.dice.randint(2, 99)}.99")
        return f"<li><a href='/p/{number}'>{name}</a> <b>{price}</b></li>"

    def paragraph(self) -> str:
        return self.dice.choice(("<p>{}</p>", "<p>{}</p>", "<div>{}</div>")).format(self.linked(self.prose()))

    def remark(self) -> str:
        tag = self.dice.choice(("p", "p", "div"))
        called = f" class='{self.nonsense()[: self.dice.randint(1, 6)]}'" if self.dice.random() < 0.4 else ""
        return f"<{tag}{called}>{self.linked(self.short())}</{tag}>"

    def linked(self, text: str) -> str:
        """Keep a text; here and there a run of its words is a link."""
        kept = self.keep(text)
        words = kept.split(" ")
        if self.dice.random() < 0.7:
            return kept
        start = self.dice.randrange(len(words))
        end = min(len(words), start + self.dice.randint(1, 4))
        link = f"<a href='{self.dice.choice(_TARGETS)}'>{' '.join(words[start:end])}</a>"
        return " ".join([*words[:start], link, *words[end:]])

    def menu(self) -> str:
        items = "".join(
            f"<li><a href=/{n}>{escape(self.dice.choice(('Entry', 'Page', 'Topic')))} {n}</a></li>"
            for n in range(self.dice.choice((12, 40, 160)))
        )
        called = self.dice.choice(("", "", " class=menu", " class=nav"))
        return f"<div><ul{called}>{items}</ul></div>"

    def section(self) -> str:
        return f"<h2>{self.keep(self.short())}</h2><p>{self.keep(self.prose())}</p>"

    def points(self) -> str:
        tag = self.dice.choice(("ul", "ol"))
        items = "".join(f"<li>{self.keep(self.short())}</li>" for _ in range(self.dice.randint(2, 6)))
        return f"<{tag}>{items}</{tag}>"

    def table(self) -> str:
        columns = self.dice.randint(2, 4)
        rows = "".join(
            "<tr>" + "".join(f"<td>{self.keep(self.short())}</td>" for _ in range(columns)) + "</tr>"
            for _ in range(self.dice.randint(2, 4))
        )
        return f"<table>{rows}</table>"

    def code(self) -> str:
        text = "\n".join(
            f"{self.nonsense()} = {self.nonsense()}({self.dice.randint(0, 9)})" for _ in range(self.dice.randint(1, 4))
        )
        return f"<pre><code>{self.keep(text)}</code></pre>"

    def quote(self) -> str:
        return f"<blockquote><p>{self.keep(self.short())}</p></blockquote>" + self.dice.choice(("", "<hr>"))

    def figure(self) -> str:
        return f"<figure><img src=a.jpg><figcaption>{self.keep(self.short(), body=False)}</figcaption></figure>"

    def note(self) -> str:
        return f"<aside class={self.dice.choice(('note', 'tip', 'warning'))}><p>{self.keep(self.short())}</p></aside>"

    def terms(self) -> str:
        return f"<dl><dt>{self.keep(self.short())}</dt><dd>{self.keep(self.short())}</dd></dl>"

    def notes(self) -> str:
        items = "".join(
            f"<li id=fn{n}><p>{self.keep(self.short())}</p></li>" for n in range(self.dice.choice((1, 2, 5)))
        )
        return f"<section class=footnotes><ol>{items}</ol></section>"

    def lines(self) -> str:
        tag, gap = self.dice.choice(("p", "div")), self.dice.choice(("<br>", "<br><br>"))
        return f"<{tag}>{self.keep(self.short())}<br>{self.keep(self.nonsense())}{gap}{self.keep(self.short())}</{tag}>"
