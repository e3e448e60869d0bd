"""The visibility of one page's elements: its own styles, the text that its scripts show, and the walk under both."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from wellread.css.look import USUAL
from wellread.css.sheets import StyleSheets
from wellread.css.visibility import Judge
from wellread.extraction.declared_facts import ProductData
from wellread.extraction.free_text import show_free_text
from wellread.hidden_text import is_hidden_by_attributes
from wellread.metadata.cleaning import key
from wellread.seen import names
from wellread.seen.later import own_reason, place_streamed, shown_by_script
from wellread.segmentation.walk import walked

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

    from wellread.css.look import Look
    from wellread.metadata.visible_metadata import Attributes
    from wellread.segmentation.boxes import Walked
    from wellread.step_counter import StepCounter

_FOREIGN: Final = 'link[rel~="stylesheet" i]:not([href^="data:" i]), script[src]'
"""Elements that may bring styles that are not read here."""
_MOST_COVERS: Final = 1_000
_LONGEST_COVER: Final = 300
"""Characters of its label."""


class PageVisibility:
    """One parsed page as its reader sees it."""

    def __init__(
        self, tree: LexborHTMLParser, text: str, url: str | None = None, counter: StepCounter | None = None
    ) -> None:
        """Take the page, its source, its URL, and the counter of the steps that it takes."""
        self.scripted: Final = tree.css_first("script") is not None
        plain = tree.css_first(_FOREIGN) is None and "@import" not in text
        self._tree: Final = tree
        self._url: Final = url
        self.declared: Final = ProductData(tree, text)
        self._sheets: Final = StyleSheets(tree, scripted=self.scripted, plain=plain, counter=counter)
        streamed = shown_by_script(tree, text)
        self.streamed: Final = bool(streamed)
        """Text is read that scripts move into its place."""
        place_streamed(tree, streamed)
        self.freed: Final = show_free_text(tree, text)
        """Text is read that the page hides, but declares to be free."""
        self._judge: Final = Judge(self._sheets)
        self._looks: Final[dict[int, Look]] = {}

    def walked(self, *, lenient: bool = False, withheld: int = 0, waits: bool = False) -> Walked:
        """Return the text that is seen as leaves and boxes; see `walk.walked`."""
        walked_page = walked(self._tree, self._sheets, lenient=lenient, withheld=withheld, waits=waits)
        declared = self.declared
        return walked_page._replace(sells=declared.sells, is_news=declared.is_news, url=self._url, lenient=lenient)

    def looks(self, node: LexborNode) -> Look:
        """Return how text looks in an element that a walk came to, by itself and all around it."""
        way: list[LexborNode] = []
        at: LexborNode | None = node
        while at is not None and at.mem_id not in self._looks:
            way.append(at)
            at = at.parent
        look = self._looks[at.mem_id] if at is not None else USUAL
        for at in reversed(way):
            element_look = self._judge.see(at, at.tag or "", at.attributes or {}, look)
            if element_look.gone is not None:  # the walk went on, so that its readers or scripts show it
                element_look = self._judge.revealed(element_look, look)
            look = self._looks[at.mem_id] = element_look
        return look

    def sees(self, node: LexborNode, look: Look) -> Look | None:
        """Return how text looks in an element, by how it looks around it; None where nobody sees its content."""
        tag, attributes = node.tag or "", node.attributes
        if _is_hidden(tag, attributes):
            return None
        element_look = self._judge.see(node, tag, attributes, look)
        if element_look.gone is not None:
            return None
        return element_look

    def covers(self, walk: Walked) -> dict[str, str]:
        """Return by the keys of their labels the links without words that lie over cards; of two as one none."""
        hrefs: dict[str, str] = {}
        for node in self._tree.css("a[href][aria-label]")[:_MOST_COVERS]:
            at = node.attributes
            label, href = key((at["aria-label"] or "")[:_LONGEST_COVER]), at["href"] or ""
            if label and not (node.text(deep=True) or "").strip() and not self.hides(walk, node, "a", at):
                hrefs[label] = href if hrefs.get(label, href) == href else ""
        return hrefs

    def hides(self, walk: Walked, node: LexborNode, tag: str, attributes: Attributes) -> bool:
        """Tell metadata the elements that nobody sees: by a walk's word, or their own styles where it did not go.

        A lenient walk goes where the page hides what it shows later.
        """
        if walk.lenient:
            return names.kind(attributes.get("class") or "") == "unseen" or is_hidden_by_attributes(attributes)
        veiled = walk.veiled.get(node.mem_id)
        if veiled is not None:
            return veiled
        if _is_hidden(tag, attributes):
            return True
        look = self._judge.see(node, tag, attributes, USUAL)
        return look.gone is not None or look.veil is not None


def _is_hidden(tag: str, attributes: Attributes) -> bool:
    """Tell whether an element hides itself, whatever the style sheets say."""
    kind = names.kind(attributes.get("class") or "")
    return is_hidden_by_attributes(attributes) or own_reason(tag, attributes, kind) is not None
