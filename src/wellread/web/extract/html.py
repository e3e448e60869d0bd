"""Reads HTML: one parse, one walk, a choice of the main content, and a tree of blocks built from what was chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from selectolax.lexbor import LexborHTMLParser

from wellread.errors import Empty
from wellread.net.content import decode
from wellread.types import Extraction, Notice
from wellread.web import metadata
from wellread.web.extract import names
from wellread.web.extract.armour import blunted, is_suspect
from wellread.web.extract.assemble import assembled
from wellread.web.extract.density import DensitySelector
from wellread.web.extract.hidden import StyleSheets, concealed, shown_by_script
from wellread.web.extract.links import Links
from wellread.web.extract.walk import walked
from wellread.web.metadata.shown import is_hidden

if TYPE_CHECKING:
    from collections.abc import Sequence

    from selectolax.lexbor import LexborNode

    from wellread.types import Mode, Source
    from wellread.web.extract.boxes import BlockSelector, Walked
    from wellread.web.metadata.shown import Attributes, Hides

_THIN: Final = 200
_REVEALED: Final = Notice("revealed_text", "the page hides its main content until its scripts run; it was read here")
_LONGEST_NAME: Final = 400
_SCRIPT_HINT: Final = "the page is built by scripts: it needs a browser to show anything"


class HtmlExtractor:
    """Extracts the main content of HTML pages. Stateless, so safe in threads."""

    name: Final = "html"
    media_types: Final = ("text/html", "application/xhtml+xml")

    def __init__(self, selector: BlockSelector | None = None) -> None:
        """Take the selector that decides which blocks are main content."""
        self._selector = selector or DensitySelector()

    def extract(self, source: Source) -> Extraction:
        """Read `source` into a tree of blocks.

        Raises:
            Empty: there is nothing on the page that a person could see and would read.
        """
        text, _ = decode(source.body, source.charset, html=True)
        is_odd = is_suspect(source.body) if source.suspect is None else source.suspect
        tree = LexborHTMLParser(blunted(text) if is_odd else text)
        sheets = StyleSheets([style.text() for style in tree.css("style")], shown=shown_by_script(text))
        seen, kept = self._read(tree, sheets, source.mode)
        base = tree.css_first("base[href]")
        links = Links(source.url, base.attributes.get("href") if base is not None else None)
        document, found = assembled(seen, kept, links)
        scripted = tree.css_first("script") is not None
        if not document:
            where = source.url or "the page"
            empty = Empty(f"{where} shows no text", url=source.url, hint=_SCRIPT_HINT if scripted else None)
            empty.scripted = scripted
            raise empty
        return Extraction(
            document=document,
            metadata=metadata.read(tree, source.url, is_hidden if _REVEALED in seen.notices else _hidden_by(sheets)),
            method=self._selector.name,
            links=found,
            notices=tuple(seen.notices),
            source_chars=len(text),
            scripted=scripted,
        )

    def _read(self, tree: LexborHTMLParser, sheets: StyleSheets, mode: Mode) -> tuple[Walked, Sequence[bool]]:
        seen = walked(tree, sheets)
        kept = self._selector.select(seen, mode)
        chars = _chars(seen, kept)
        if chars >= _THIN or tree.css_first("script") is None:
            return seen, kept
        more = walked(tree, sheets, lenient=True)
        kept_more = self._selector.select(more, mode)
        if _chars(more, kept_more) <= max(_THIN, 2 * chars):
            return seen, kept
        return more._replace(notices=(*more.notices, _REVEALED)), kept_more


def _hidden_by(sheets: StyleSheets) -> Hides:
    """Return what tells metadata the elements that the walk leaves out because nobody sees them."""

    def hides(node: LexborNode, tag: str, attributes: Attributes) -> bool:
        if attributes.get("id") in sheets.shown:
            return False
        style, called = attributes.get("style"), attributes.get("class")
        if is_hidden(node, tag, attributes) or attributes.get("aria-hidden") == "true":
            return True
        if (style and concealed(style)) or (called and names.kind(called[:_LONGEST_NAME]) == "unseen"):
            return True
        return bool(sheets) and sheets.reason(tag, attributes) is not None

    return hides


def _chars(seen: Walked, kept: Sequence[bool]) -> int:
    return sum(leaf.chars for leaf, keep in zip(seen.leaves, kept, strict=True) if keep)
