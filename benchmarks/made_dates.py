"""Writes and measures a made test of days of publication in many languages, beside htmldate.

    python benchmarks/made_dates.py [--failures]

Needs Babel (BSD-3-Clause), which writes the dates as CLDR does for each language; htmldate is measured if it is
installed. Each language of `reader/made_languages.py` that Babel knows has a page of each layout below. The days are
drawn from a fixed seed. The set was written before anything was changed for it, and stays as it is.

Printed are the shares of right, missing and wrong days on pages that have one, and the share of pages without a day for
which one is given.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter, defaultdict
from datetime import UTC, date, datetime, timedelta
from html import escape
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from babel import Locale, UnknownLocaleError
from babel.dates import format_date, format_skeleton

from wellread import extract

sys.path.insert(0, str(Path(__file__).resolve().parent / "reader"))
from made_languages import LANGUAGES, Language

if TYPE_CHECKING:
    from collections.abc import Callable

SEED: Final = 20_261_127
_FIRST: Final = date(2009, 1, 1)
_DAYS: Final = 5_800


class DatedPage(NamedTuple):
    """A page, and the day on which it was published, or None."""

    name: str
    url: str
    html: str
    published: date | None


class Draw:
    """Draws sentences and days for a page in one language."""

    def __init__(self, language: Language, dice: random.Random) -> None:
        """Take the language and the source of chance."""
        self.language = language
        self._dice = dice
        self.published = self.day()
        self.modified = self.published + timedelta(days=dice.randint(2, 400))

    def day(self) -> date:
        """Return a day."""
        return _FIRST + timedelta(days=self._dice.randrange(_DAYS))

    def long(self, day: date) -> str:
        """Return a day as the language writes it with the name of the month."""
        return format_date(day, "long", locale=self.language.code)

    def short(self, day: date) -> str:
        """Return a day as the language writes it in digits, with four of the year."""
        return format_skeleton("yMd", datetime(day.year, day.month, day.day, tzinfo=UTC), locale=self.language.code)

    def sentence(self) -> str:
        """Return a sentence."""
        words = self._dice.choices(self.language.words, k=self._dice.randint(9, 24))
        return self.language.space.join(words).capitalize() + self.language.stop

    def paragraphs(self) -> str:
        """Return the paragraphs of an article; one mentions the day of something else."""
        texts = [" ".join(self.sentence() for _ in range(3)) for _ in range(5)]
        texts[2] += f" {self.long(self.day())}{self.language.comma} {self.sentence()}"
        return "".join(f"<p>{escape(text)}</p>" for text in texts)

    def label(self, name: str) -> str:
        """Return a label of the language."""
        return escape(self.language.labels[name])

    def cards(self, *, timed: bool) -> str:
        """Return a list of other articles with their days."""
        return "".join(self._card(timed=timed) for _ in range(5))

    def _card(self, *, timed: bool) -> str:
        day = self.day()
        stamp = f'<time datetime="{day.isoformat()}">{self.long(day)}</time>' if timed else f"<i>{self.long(day)}</i>"
        return f'<li><a href="/a/{self._dice.randint(1000, 9999)}">{escape(self.sentence())}</a> {stamp}</li>'


def _page(draw: Draw, *, head: str = "", above: str = "", below: str = "", side: str = "") -> str:
    title = escape(draw.sentence())
    return (
        f'<!doctype html><html lang="{draw.language.code}"><head><meta charset=utf-8><title>{title}</title>{head}'
        f"</head><body><header><a href=/>Portal</a></header>{side}<article><h1>{title}</h1>{above}"
        f"{draw.paragraphs()}{below}"
        f"</article><section><h2>{draw.label('related')}</h2><ul>{draw.cards(timed=False)}</ul></section>"
        "<footer>© 2007-2026 Portal</footer></body></html>"
    )


def _written(draw: Draw) -> str:
    updated = f"<span>{draw.label('updated')}: {draw.long(draw.modified)}</span>"
    return _page(draw, above=f"<div class=info><span>{draw.long(draw.published)}</span> {updated}</div>")


def _meta(draw: Draw) -> str:
    head = (
        f'<meta property="article:modified_time" content="{draw.modified.isoformat()}T10:00:00Z">'
        f'<meta property="article:published_time" content="{draw.published.isoformat()}T08:15:00+00:00">'
    )
    return _page(draw, head=head, side=f"<div class=today>{draw.long(draw.day())}</div>")


def _linked_data(draw: Draw) -> str:
    head = (
        '<script type="application/ld+json">{"@context":"https://schema.org","@graph":[{"@type":"WebSite","name":"Portal"},'
        f'{{"@type":"NewsArticle","dateModified":"{draw.modified.isoformat()}T23:10:00Z",'
        f'"datePublished":"{draw.published.isoformat()}T12:00:00Z"}}]}}</script>'
    )
    return _page(draw, head=head, side=f"<ul>{draw.cards(timed=True)}</ul>")


def _digits(draw: Draw) -> str:
    return _page(draw, above=f"<p class=meta>{draw.label('by')} Portal | {draw.short(draw.published)} 18:05</p>")


def _address(draw: Draw) -> str:
    return _page(draw)


def _no_day(draw: Draw) -> str:
    return _page(draw, side=f"<ul>{draw.cards(timed=False)}</ul>")


def _at_end(draw: Draw) -> str:
    return _page(draw, below=f"<p class=signature>({draw.long(draw.published)})</p>")


def _time_element(draw: Draw) -> str:
    above = f'<time datetime="{draw.published.isoformat()}T07:00">{draw.long(draw.published)}</time>'
    return _page(draw, above=above, side=f"<aside><ul>{draw.cards(timed=True)}</ul></aside>")


def _commented(draw: Draw) -> str:
    comments = "".join(
        f"<li><b>user{number}</b> <span>{draw.long(draw.published + timedelta(days=number))}</span>"
        f"<p>{escape(draw.sentence())}</p></li>"
        for number in range(1, 6)
    )
    below = f"<section class=comments><h3>{draw.label('comments')}</h3><ul>{comments}</ul></section>"
    return _page(draw, above=f"<div>{draw.long(draw.published)}</div>", below=below)


LAYOUTS: Final[tuple[Callable[[Draw], str], ...]] = (
    _written, _meta, _linked_data, _digits, _address, _no_day, _at_end, _time_element, _commented,
)  # fmt: skip


def pages() -> list[DatedPage]:
    """Return the pages of all languages."""
    dated = []
    for language in LANGUAGES:
        try:
            Locale.parse(language.code)
        except (UnknownLocaleError, ValueError):
            continue
        for layout in LAYOUTS:
            name = f"{language.code}{layout.__name__}"
            draw = Draw(language, random.Random(f"{SEED} {name}"))
            path = f"{draw.published:%Y/%m/%d}/" if layout is _address else ""
            published = None if layout is _no_day else draw.published
            dated.append(
                DatedPage(name, f"https://portal.example/{path}{language.code}-story", layout(draw), published)
            )
    return dated


def _finders() -> dict[str, Callable[[DatedPage], str | None]]:
    def ours(page: DatedPage) -> str | None:
        return extract(page.html, url=page.url).published_date

    finders: dict[str, Callable[[DatedPage], str | None]] = {"wellread": ours}
    if find_spec("htmldate"):
        import htmldate

        def theirs(page: DatedPage) -> str | None:
            day: str | None = htmldate.find_date(page.html, url=page.url, original_date=True)
            return day

        finders["htmldate"] = theirs
    return finders


def main() -> None:
    """Print the shares, for each finder of days."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--failures", action="store_true", help="list every answer that is not right")
    options = parser.parse_args()
    every = pages()
    print(f"{len(every)} pages, {len({page.name.partition('_')[0] for page in every})} languages")
    for finder, find in _finders().items():
        outcomes: dict[str, Counter[str]] = defaultdict(Counter)
        for page in every:
            found = (find(page) or "")[:10]
            expected = page.published.isoformat() if page.published else ""
            outcome = "right" if found == expected else "wrong" if found else "missing"
            layout = page.name.partition("_")[2]
            outcomes[layout][outcome] += 1
            if expected:
                outcomes["pages with a day"][outcome] += 1
            if options.failures and outcome != "right":
                print(f"  {finder} {page.name}: expected {expected or None}, found {found or None}")
        for layout, counts in outcomes.items():
            shares = "  ".join(f"{name} {counts[name] / counts.total():.3f}" for name in ("right", "missing", "wrong"))
            print(f"{finder:10} {layout:18} {counts.total():4} pages  {shares}")


if __name__ == "__main__":
    main()
