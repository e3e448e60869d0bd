"""Measures authors and days of publication in many languages: python benchmarks/languages.py.

The pages are in tests/unit/language_pages.py. Three shares each are printed for authors and days: right answers where
the page gives one, wrong answers there, and answers where the page gives none.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from wellread import extract

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
from unit.language_pages import language_pages

if TYPE_CHECKING:
    from collections.abc import Callable

    from unit.language_pages import LanguagePage
    from wellread.types import Page


def main() -> None:
    """Print the shares and every wrong answer."""
    pages = [(page, extract(page.html, url=f"https://portal.example/{page.name}")) for page in language_pages()]
    print(f"{len(pages)} pages")
    _report("author", pages, lambda page: page.author, lambda result: result.author)
    _report("date", pages, lambda page: page.published, lambda result: (result.published_date or "")[:10] or None)


def _report(
    name: str,
    pages: list[tuple[LanguagePage, Page]],
    expected_of: Callable[[LanguagePage], str | None],
    answer_of: Callable[[Page], str | None],
) -> None:
    answers = [(page.name, expected_of(page), answer_of(result)) for page, result in pages]
    given = [answer for answer in answers if answer[1] is not None]
    right = sum(expected == answer for _, expected, answer in given)
    wrong = sum(answer not in {expected, None} for _, expected, answer in given)
    invented = sum(answer is not None for _, expected, answer in answers if expected is None)
    print(
        f"{name}: right {right}/{len(given)} = {right / len(given):.3f}, wrong {wrong}, where none is given {invented}"
    )
    for page_name, expected, answer in answers:
        if expected != answer:
            print(f"  {page_name}: expected {expected!r}, got {answer!r}")


if __name__ == "__main__":
    main()
