"""Reads HTML: one parse, one walk, a choice of the main content, and a tree of blocks built from what was chosen."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from selectolax.lexbor import LexborHTMLParser

from wellread.errors import Empty
from wellread.net.content import decode
from wellread.types import Extraction, Notice
from wellread.web import metadata
from wellread.web.extract.armour import blunted
from wellread.web.extract.assemble import assembled
from wellread.web.extract.hidden import shown_by_script
from wellread.web.extract.links import Links
from wellread.web.extract.reader import LearnedSelector
from wellread.web.extract.sheets import StyleSheets
from wellread.web.extract.walk import walked

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from wellread.types import Mode, Source
    from wellread.web.extract.boxes import BlockSelector, Selection, Walked

_THIN: Final = 200
_REVEALED: Final = Notice("revealed_text", "the page hides its main content until its scripts run; it was read here")
_FOREIGN: Final = 'link[rel~="stylesheet" i], script[src]'
"""What may bring styles that are not read here."""
_SCRIPT_HINT: Final = "the page is built by scripts: it needs a browser to show anything"


class HtmlExtractor:
    """Extracts the main content of HTML pages. Stateless, so safe in threads."""

    name: Final = "html"
    media_types: Final = ("text/html", "application/xhtml+xml")

    def __init__(self, selector: BlockSelector | None = None) -> None:
        """Take the selector that decides which blocks are main content."""
        self._selector = selector or LearnedSelector()

    def extract(self, source: Source) -> Extraction:
        """Read `source` into a tree of blocks.

        Raises:
            Empty: there is nothing on the page that a person could see and would read.
        """
        text, _ = decode(source.body, source.charset, html=True)
        tree = LexborHTMLParser(blunted(text))
        seen, choice = self._read(tree, text, source.mode)
        base = tree.css_first("base[href]")
        links = Links(source.url, base.attributes.get("href") if base is not None else None)
        document, found = assembled(seen, choice.kept, links)
        if not document:
            scripted = tree.css_first("script") is not None
            where = source.url or "the page"
            raise Empty(f"{where} shows no text", url=source.url, hint=_SCRIPT_HINT if scripted else None)
        return Extraction(
            document=document,
            metadata=metadata.read(tree, source.url),
            method=self._selector.name,
            page_type=choice.page_type,
            links=found,
            notices=tuple(seen.notices),
            source_chars=len(text),
        )

    def _read(self, tree: LexborHTMLParser, text: str, mode: Mode) -> tuple[Walked, Selection]:
        look = sight(tree, text)
        seen = look()
        choice = self._selector.select(seen, mode)
        chars = _chars(seen, choice.kept)
        if chars >= _THIN or tree.css_first("script") is None:
            return seen, choice
        more = look(lenient=True)
        chosen = self._selector.select(more, mode)
        if _chars(more, chosen.kept) <= max(_THIN, 2 * chars):
            return seen, choice
        return more._replace(notices=(*more.notices, _REVEALED)), chosen


def sight(tree: LexborHTMLParser, text: str) -> Callable[..., Walked]:
    """Return what walks `tree` as its reader sees it; `text` is the source, and `lenient=True` looks behind covers."""
    scripted = tree.css_first("script") is not None
    plain = tree.css_first(_FOREIGN) is None and "@import" not in text
    sheets = StyleSheets(tree, scripted=scripted, plain=plain)
    return partial(walked, tree, sheets, shown=shown_by_script(text))


def _chars(seen: Walked, kept: Sequence[bool]) -> int:
    return sum(leaf.chars for leaf, keep in zip(seen.leaves, kept, strict=True) if keep)
