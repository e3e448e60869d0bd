"""Makes news pages in many languages, with what news sites put around and amid an article.

The truth is as that of the set `news`: standfirst, section headings, paragraphs and lists of the article; no headline,
byline, date, caption, nor anything that leads elsewhere or asks for something. Boxes have usual names, names as build
tools make them, or none, so that structure has to be enough.
"""

from __future__ import annotations

import random
from html import escape
from typing import TYPE_CHECKING, Final, NamedTuple

from made_languages import LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Callable

    from made_languages import Language

NAMINGS: Final = ("none", "hashed", "hashed", "usual", "usual")
_USUAL: Final = {
    "page": ("page", "wrapper", "layout"), "body": ("article-body", "content", "story__text", "entry-content", "text"),
    "lead": ("lead", "standfirst", "summary"), "byline": ("byline", "author-line"), "date": ("date", "published"),
    "share": ("share", "social-bar"), "caption": ("caption", "figure-text"), "related": ("related", "more-stories"),
    "teaser": ("teaser", "card", "item"), "newsletter": ("newsletter", "signup-box"), "advert": ("ad-slot", "advert"),
    "tags": ("tags", "topics"), "author": ("author-box", "bio"), "comments": ("comments", "discussion"),
    "comment": ("comment", "entry"), "paywall": ("paywall", "subscribe-wall"), "ranking": ("most-read", "ranking"),
    "ticker": ("ticker", "breaking"), "menu": ("nav", "main-menu"), "crumbs": ("breadcrumb", "path"),
    "foot": ("footer", "site-footer"), "paragraph": ("", "", "", "paragraph", "text-block"), "also": ("also", "inline"),
    "quote": ("pullquote", "quote"),
}  # fmt: skip
_OUTER: Final = ("main><article", "main", "article", "div><div", "div", "section")


class MadeNews(NamedTuple):
    """A page, the text of its article, and its address."""

    html: str
    truth: str
    url: str


def pages(seed: int, of_each: int) -> list[MadeNews]:
    """Return pages in every language, the same for the same seed."""
    return [
        _Page(language, random.Random(f"{seed} {language.code} {n}")).made(n)
        for n in range(of_each)
        for language in LANGUAGES
    ]


class _Page:
    """Writes one page; notes what of it is the article."""

    def __init__(self, language: Language, dice: random.Random) -> None:
        self.language = language
        self.dice = dice
        self.truth: list[str] = []
        self.naming = dice.choice(NAMINGS)
        self.names: dict[str, str] = {}
        self.paragraph_tag = dice.choice(("p", "p", "p", "div", "span"))
        self.boxed = dice.random() < 0.25
        """Whether each part of the article stands in a box of its own."""

    # ------------------------------------------------------------------------------------------ texts

    def words(self, least: int, most: int) -> str:
        language = self.language
        count = self.dice.randint(least, most)
        chosen = [self.dice.choice(language.words) for _ in range(count)]
        if self.dice.random() < 0.3:
            chosen.insert(self.dice.randrange(count), str(self.dice.randint(2, 2_030)))
        return language.space.join(chosen)

    def sentence(self) -> str:
        language, dice = self.language, self.dice
        text = self.words(5, 14)
        if dice.random() < 0.6:
            text += f"{language.comma}{language.space}{self.words(4, 12)}"
        text = text[:1].upper() + text[1:]
        if dice.random() < 0.12:
            text = f"{language.quotes[0]}{text}{language.quotes[1]}"
        return text + language.stop.replace("\u200b", " ")

    def sentences(self, least: int, most: int) -> str:
        return self.language.space.join(self.sentence() for _ in range(self.dice.randint(least, most))).strip()

    def headline(self) -> str:
        text = self.words(5, 12)
        return text[:1].upper() + text[1:]

    def name(self) -> str:
        return self.language.space.join(
            word.capitalize() for word in self.words(2, 2).split(self.language.space or None)
        )

    def date(self) -> str:
        dice = self.dice
        year, month, day = dice.randint(2018, 2026), dice.randint(1, 12), dice.randint(1, 28)
        clock = f" {dice.randint(0, 23):02}:{dice.randint(0, 59):02}" if dice.random() < 0.7 else ""
        pattern = dice.choice(("{d:02}.{m:02}.{y}", "{y}-{m:02}-{d:02}", "{d}/{m}/{y}", "{y}/{m:02}/{d:02}"))
        if self.language.code in {"ja", "zh"}:
            pattern = "{y}年{m}月{d}日"
        return pattern.format(y=year, m=month, d=day) + clock

    def label(self, name: str) -> str:
        return self.language.labels[name]

    def article(self, text: str) -> str:
        """Note a text as the article's, and return it as HTML, here and there with a link or bold words."""
        self.truth.append(text)
        marked = escape(text, quote=False)
        words = marked.split(" ")
        if len(words) > 8 and self.dice.random() < 0.2:
            at = self.dice.randrange(len(words) - 4)
            tag = self.dice.choice(("<a href='/topic/x'>{}</a>", "<b>{}</b>", "<em>{}</em>"))
            words[at : at + 3] = [tag.format(" ".join(words[at : at + 3]))]
        return " ".join(words)

    # ------------------------------------------------------------------------------------------ boxes

    def box(self, role: str, inner: str, tag: str = "div") -> str:
        return f"<{tag}{self.called(role)}>{inner}</{tag}>"

    def called(self, role: str) -> str:
        if self.naming == "none":
            return ""
        if role not in self.names:
            hashed = f"{self.dice.choice('abcdefghs')}{self.dice.randrange(16**6):06x}"
            self.names[role] = hashed if self.naming == "hashed" else self.dice.choice(_USUAL[role])
        return f' class="{self.names[role]}"' if self.names[role] else ""

    def href(self) -> str:
        dice = self.dice
        slug = "-".join(f"{dice.randrange(16**4):x}" for _ in range(dice.randint(1, 7)))
        return dice.choice((f"/{slug}-{dice.randrange(10**7)}", f"/news/{slug}.html", f"https://site.example/a/{slug}"))

    def link(self, text: str) -> str:
        return f'<a href="{self.href()}">{escape(text, quote=False)}</a>'

    def menu(self) -> str:
        entries = "".join(
            f"<li><a href='/s/{n}'>{self.words(1, 2)}</a></li>" for n in range(self.dice.choice((5, 12, 40)))
        )
        tag = self.dice.choice(("nav", "div", "header"))
        return self.box("menu", f"<ul>{entries}</ul>", tag)

    def ticker(self) -> str:
        return self.box("ticker", "".join(f"<div>{self.date()} {self.link(self.headline())}</div>" for _ in range(4)))

    def crumbs(self) -> str:
        return self.box("crumbs", " / ".join(self.link(self.words(1, 2)) for _ in range(3)))

    def share(self) -> str:
        entries = (
            self.label("share"),
            "Facebook",
            "X",
            "WhatsApp",
            f"{self.label('comments')} {self.dice.randint(0, 300)}",
        )
        shape = self.dice.choice(("<li>{}</li>", "<button>{}</button>", "<a href='#'>{}</a> ", "<span>{}</span> "))
        return self.box("share", "".join(shape.format(entry) for entry in entries))

    def figure(self) -> str:
        text = self.dice.choice((self.sentence(), self.words(3, 8)))
        credit = self.dice.choice((self.label("credit"), f"({self.label('credit')})", ""))
        if self.dice.random() < 0.6:
            caption = self.box("caption", f"{text} {credit}", "figcaption")
            return f"<figure><img src=/a.jpg alt=''>{caption}</figure>"
        return f"<div><img src=/a.jpg alt=''><div{self.called('caption')}>{text} <span>{credit}</span></div></div>"

    def also(self) -> str:
        """Return a line amid the text that leads to another article."""
        label, text = self.label("also"), self.headline()
        shapes = (
            f"<p>{label}: {self.link(text)}</p>", f"<p><b>{label}</b> {self.link(text)}</p>",
            f"<p>{self.link(text)}</p>", f"<p>{self.link(f'{label}: {text}')}</p>",
            self.box("also", f"<b>{label}</b><ul><li>{self.link(text)}</li></ul>"),
            self.box("also", f"<div>{label}</div><a href='{self.href()}'><h3>{text}</h3><p>{self.sentence()}</p></a>"),
            self.box("also", f"<p>{label}</p>{self.link(text)}{self.link(self.headline())}", "aside"),
        )  # fmt: skip
        return self.dice.choice(shapes)

    def advert(self) -> str:
        return self.box("advert", f"<span>{self.label('advert')}</span>")

    def newsletter(self) -> str:
        text = self.label("newsletter")
        return self.box("newsletter", f"<h4>{text}</h4><p>{self.sentence()}</p><form><input><button>OK</button></form>")

    def teasers(self, role: str, count: int) -> str:
        """Return entries that lead elsewhere: titles, with dates, beginnings and pictures or without."""
        dice = self.dice
        dated, begun, level = dice.random() < 0.5, dice.random() < 0.4, dice.choice(("h3", "h4", "div", "p", "span"))
        entries = []
        for _ in range(count):
            inner = f"<{level}>{self.link(self.headline())}</{level}>"
            inner += f"<p>{self.sentences(1, 2)}</p>" if begun else ""
            inner += f"<time>{self.date()}</time>" if dated else ""
            entries.append(self.box("teaser", inner, "li" if role == "ranking" else "div"))
        tag = dice.choice(("h2", "h3", "div"))
        head = f"<{tag}>{self.label(dice.choice(('related', 'ranking')))}</{tag}>"
        return self.box(role, head + "".join(entries), dice.choice(("div", "section", "aside")))

    def comments(self) -> str:
        count = self.dice.randint(2, 8)
        entries = "".join(
            self.box("comment", f"<b>{self.name()}</b> <span>{self.date()}</span><p>{self.sentences(1, 3)}</p>")
            for _ in range(count)
        )
        return self.box("comments", f"<h3>{self.label('comments')} ({count})</h3>{entries}")

    def tags(self) -> str:
        return self.box("tags", f"{self.label('tags')}: " + " ".join(self.link(self.words(1, 2)) for _ in range(4)))

    def author(self) -> str:
        return self.box("author", f"<h4>{self.name()}</h4><p>{self.sentences(1, 2)}</p>")

    def paywall(self) -> str:
        return self.box(
            "paywall", f"<p>{self.label('paywall')}</p><ul><li>{self.words(4, 8)}</li><li>{self.words(4, 8)}</li></ul>"
        )

    # ---------------------------------------------------------------------------------------- article

    def head(self, title: str) -> str:
        dice = self.dice
        parts = [f"<h1>{escape(title)}</h1>"]
        if dice.random() < 0.6:
            tag = dice.choice(("p", "h2", "div", "p"))
            parts.append(self.box("lead", self.article(self.sentences(1, 2)), tag))
        if dice.random() < 0.7:
            parts.insert(
                dice.randint(1, len(parts)), self.box("byline", f"{self.label('by')} {self.link(self.name())}")
            )
        if dice.random() < 0.8:
            dated = dice.choice((self.date(), f"{self.label('updated')}: {self.date()}"))
            parts.insert(dice.randint(0, len(parts)), self.box("date", dated))
        if dice.random() < 0.5:
            parts.append(self.share())
        if dice.random() < 0.6:
            parts.append(self.figure())
        return "".join(parts)

    def body(self) -> str:
        """Return the article's text, with what interrupts it."""
        dice = self.dice
        count = dice.choice((2, 4, 6, 8, 12, 20, 30))
        if dice.random() < 0.1:
            texts = [self.article(self.sentences(1, 4)) for _ in range(count)]
            return self.box("body", "<br><br>".join(texts))
        parts = []
        interruptions: list[Callable[[], str]] = [
            self.also, self.also, self.advert, self.newsletter, self.figure, lambda: self.teasers("related", 3)
        ]  # fmt: skip
        for number in range(count):
            roll = dice.random()
            if number and roll < 0.12:
                tag = dice.choice(("h2", "h3"))
                parts.append(f"<{tag}>{self.article(self.words(2, 6))}</{tag}>")
            if number > 1 and roll > 0.85:
                parts.append(dice.choice(interruptions)())
            parts.append(self.paragraph())
        if dice.random() < 0.15:
            items = "".join(f"<li>{self.article(self.words(4, 14))}</li>" for _ in range(dice.randint(2, 5)))
            parts.insert(dice.randint(1, len(parts)), f"<ul>{items}</ul>")
        if self.boxed:
            parts = [f"<div>{part}</div>" for part in parts]
        return self.box("body", "".join(parts))

    def paragraph(self) -> str:
        if self.dice.random() < 0.06:
            return f"<blockquote><p>{self.article(self.sentence())}</p></blockquote>"
        text = self.article(self.sentences(1, 4))
        if self.paragraph_tag == "span":
            return f"<p><span>{text}</span></p>"
        return self.box("paragraph", text, self.paragraph_tag)

    def following(self) -> str:
        """Return the next article, as sites append it for those who go on reading."""
        text = "".join(
            self.box("paragraph", self.sentences(1, 3), self.paragraph_tag) for _ in range(self.dice.randint(2, 6))
        )
        head = self.dice.choice(("h1", "h2"))
        return (
            f"<div><{head}>{self.link(self.headline())}</{head}><div>{self.date()}</div>{self.box('body', text)}</div>"
        )

    def made(self, number: int) -> MadeNews:
        dice = self.dice
        title = self.headline()
        inner = self.head(title) + self.body()
        after: list[Callable[[], str]] = [
            self.paywall, self.tags, self.share, self.author, self.comments, self.newsletter, self.advert,
            lambda: self.teasers("related", dice.choice((3, 6, 20, 50))),
        ]  # fmt: skip
        inner += "".join(part() for part in dice.sample(after, dice.randint(1, 5)))
        outer = dice.choice(_OUTER).split("><")
        page = "".join(f"<{tag}>" for tag in outer) + inner + "".join(f"</{tag}>" for tag in reversed(outer))
        if dice.random() < 0.2:
            page += "".join(self.following() for _ in range(dice.randint(1, 2)))
        if dice.random() < 0.6:
            page += self.teasers("ranking", dice.choice((5, 10, 30)))
        before = [part() for part in (self.menu, self.ticker, self.crumbs) if dice.random() < 0.6]
        if dice.random() < 0.25:
            before.append(self.teasers("ranking", dice.choice((5, 15))))
        page = "".join(before) + page + self.box("foot", f"<p>{self.sentence()}</p>{self.menu()}")
        title = f"<title>{escape(title)} - {self.words(1, 2)}</title>"
        html = f"<html><head><meta charset=utf-8>{title}</head><body>{self.box('page', page)}</body></html>"
        return MadeNews(
            html,
            "\n".join(self.truth),
            f"https://made.example/news/{self.language.code}-{number}{dice.randrange(10**6)}",
        )
