"""Reads HTML: one parse, one walk, a choice of the main content, and a tree of blocks built from the chosen leaves."""

from __future__ import annotations

import gc
import json
import re
from dataclasses import replace
from functools import partial
from itertools import compress
from typing import TYPE_CHECKING, Any, Final

from selectolax.lexbor import LexborHTMLParser

from wellread import metadata
from wellread.css.look import USUAL
from wellread.css.sheets import StyleSheets
from wellread.css.visibility import Judge
from wellread.errors import Empty, UnreadableError
from wellread.extraction import completeness, media_lines
from wellread.extraction.answer_marks import with_answer_marks
from wellread.extraction.document_builder import assembled
from wellread.extraction.learned_selector import LearnedSelector
from wellread.extraction.links import Links, all_links, next_page
from wellread.extraction.product_options import choices
from wellread.extraction.selected_elements import keep_only, selected_elements
from wellread.extraction.selected_fields import field_selectors, selected_record
from wellread.extraction.selection import BlockSelection, Post
from wellread.extractor_types import MEDIA_TYPES
from wellread.hidden_text import is_hidden_by_attributes
from wellread.metadata.cleaning import key
from wellread.metadata.declared_metadata import ProductData, accepted_texts
from wellread.metadata.structured_data import declared_items
from wellread.net import robots_directives
from wellread.net.media_types import decode
from wellread.seen import names
from wellread.seen.later import own_reason, place_streamed, shown_by_script
from wellread.seen.shadow import unslotted
from wellread.segmentation import panels
from wellread.segmentation.walk import STYLES_CUT, walked
from wellread.step_counter import StepCounter
from wellread.text.counts import count_of
from wellread.text.word_count import count_words, has_unspaced_words
from wellread.types import Extraction, Notice
from wellread.worker.prescan import exceeds_markup_limits, with_closed_noscripts, without_excess_markup

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from selectolax.lexbor import LexborNode

    from wellread.css.look import Look
    from wellread.extraction.selection import BlockSelector
    from wellread.metadata.visible_metadata import Attributes
    from wellread.segmentation.boxes import Walked
    from wellread.types import Metadata, PageLink, Source


_BODY: Final = re.compile(r"</head\b|<body\b", re.IGNORECASE)
_UNSCRIPTED: Final = re.compile(r"(<noscript\b[^<>]*>)(.*?)(?=</noscript)", re.IGNORECASE | re.DOTALL)
_FLOW: Final = re.compile(r"<(?!/|!|(?:link|meta|style|noscript)\b)", re.IGNORECASE)
"""Flow content may not stand in a <noscript> of the <head>: it would end the head, and the <noscript> with it."""
_THIN: Final = 200
_LONG: Final = 1_500
_SHELL: Final = 60
"""Characters that a page which waits for its scripts may say besides its headings."""
_LONGEST_HEAD: Final = 100_000
"""Characters."""
_REVEALED: Final = Notice("revealed_text", "the page hides its main content until its scripts run; it was read here")
_NOT_FREE: Final = Notice("subscribers_only", "the page declares a paywall; the text may be only its beginning")
_MIN_DECLARED_WORDS: Final = 100
_MIN_READ_SHARE: Final = 0.5
"""Of the words that a page declares. Of 107 pages of the benchmarks that declare them, the eight below it lack text
behind a paywall or hide it; all others but four have over .8 (2026-11-28)."""
_PAYWALL: Final = "paywall"
"""Class word of boxes that ask for a subscription..."""
_NO_WALL: Final = frozenset({"no", "non", "not", "free", "without", "hide", "hidden"})
"""...if they are not said to have none."""
_CONTINUED: Final = frozenset({"forum", "listing", "collection"})
"""Kinds that go on over several pages, whatever their addresses; the next of an article mostly is another article."""
MAX_LINKS: Final = 5_000
"""Of one page, where all of its links are wanted."""
_SOLD: Final = frozenset({"product", "service"})
"""Where pages with numbers are those of reviews."""
_OF_MANY: Final = frozenset({"listing", "collection", "product", "service"})
"""Where a byline or a day that is only shown is that of an entry, a review or a guest: of 20 bylines on WCXB's pages
none is the page's, nor of 20 days."""
_LONGEST_NEXT: Final = 300
_STREAMED: Final = Notice("revealed_text", "text that scripts move to another place was read")
_UNPLACED: Final = Notice("hidden_text", "text with no place in the shadow tree of its host was left out")
_HIDDEN: Final = "hidden_text"
_FRAME: Final = 1_000
"""Characters of a page's source: a shorter one is no frame that scripts would fill."""
_BESIDE: Final = " but what stands around one: a menu, links to skip it, a word while it loads"
_BESIDE_TITLE: Final = " but its title: the rest is hidden until scripts run"
_SCRIPT_HINT: Final = "the page needs a browser to show its text; use --render always"
_BEYOND_STYLES: Final = " that its styles are known to show: they ask for more work than is done for one page"
_BROWSER_HINT: Final = "open the page in a browser"
_SELECTOR_HINT: Final = "read the page without a selector to see what it has"
_RECALL_HINT: Final = "use the mode `recall`"


class HtmlExtractor:
    """Extracts the main content of HTML pages. Stateless, so safe in threads."""

    name: Final = "html"
    media_types = MEDIA_TYPES["html"]

    def __init__(self, selector: BlockSelector | None = None) -> None:
        """Take the selector that decides which blocks are main content."""
        self._selector = selector or LearnedSelector()

    def extract(self, source: Source) -> Extraction:
        """Read `source` into a tree of blocks.

        Raises:
            Empty: there is nothing on the page that a person could see and would read, or only its frame: see
                `frames`. Not where it is a product that the page declares, nor where `source.field_selectors` asks for
                facts, and the page has some.
            UnreadableError: it asks for more work than the limit for a page of its length, or is nested too deep.
        """
        # Nothing of a page refers to itself in a ring, so that reference counts free it all. To the collector it is
        # tens of thousands of young objects, for which it looks through all that the process holds: 14 % of the CPU
        # time where that is much (measured). Where another thread keeps it from work already, this one leaves it alone.
        collects = gc.isenabled()
        gc.disable()
        try:
            return self._extracted(source)
        except Empty as error:
            if not source.field_selectors:
                raise
            return _facts_alone(source, error)
        except RecursionError as error:
            what = source.url or "the page"
            raise UnreadableError(f"{what} is nested too deeply", url=source.url, hint="read another source") from error
        except UnreadableError as error:
            error.url = error.url or source.url
            raise
        finally:
            if collects:
                gc.enable()

    def _extracted(self, source: Source) -> Extraction:
        text, _ = decode(source.body, source.charset, html=True)
        tree = _parsed(text, source)
        selected = _selected(tree, source)
        lost = unslotted(tree) if tree.css_first("template[shadowrootmode]") is not None else 0
        sight = PageVisibility(tree, text, source.url, StepCounter(len(text)))
        walked, choice = self._read(sight, source)
        sold = choice.page_type == "product"
        facts, notices = sight.declared.beyond(_text(walked, choice.is_kept)) if sold else ((), ())
        if not facts and completeness.is_plea([*compress(walked.leaves, choice.is_kept)]):
            raise _no_text_error(source.url, " but a request to turn JavaScript on", scripted=True)
        if not facts and source.mode != "recall" and len(text) >= _FRAME and completeness.is_frame(walked.leaves):
            raise _no_text_error(source.url, _BESIDE, scripted=sight.scripted)
        if not facts and source.mode != "recall" and sight.scripted and _is_title_of_more(text, walked):
            raise _no_text_error(source.url, _BESIDE_TITLE, scripted=True)
        unplaced = (_UNPLACED._replace(count=lost),) if lost else ()
        hides = partial(sight.hides, walked)
        page_facts = metadata.gather_facts(tree, source.url, hides, read_on=source.read_on)
        of_many = choice.page_type in _OF_MANY and not page_facts.is_headed
        if page_facts.authors.shown and of_many:
            page_facts = replace(page_facts, authors=metadata.Authors())
        about = metadata.with_signature(metadata.choose_metadata(page_facts), _last_lines(walked, choice), page_facts)
        if about.published_source in {"text", "time"} and of_many:
            about = replace(about, published_date=None, published_source=None)
        opens = bool(choice.posts) and "prev" not in page_facts.page_head.links
        if opens:
            choice = _with_opening_post(choice, walked, about)
        if choice.posts:
            choice = choice._replace(posts=with_answer_marks(choice, walked, accepted_texts(tree, text)))
        # A saved page has no address, but mostly names its own: its links are relative to that.
        links = Links(source.url or about.canonical_url, page_facts.page_head.base, sight.covers(walked))
        labels = panels.labels(tree, text, walked, sight.looks, sight.sees)
        offered = choices(walked, choice, source.mode, sight.looks, sight.sees)
        placed = media_lines.with_lines(
            media_lines.place_media(walked, choice, source.mode), offered.lines, offered.replaced
        )
        document, link_urls = assembled(walked, choice, links, labels, placed)
        structured_data, cut = declared_items(tree, text, page_facts.base)
        beyond = _elsewhere_notices(page_facts, links, walked, choice, tree, source.url or about.canonical_url)
        if not document:
            beside = _BEYOND_STYLES if STYLES_CUT in walked.notices else ""
            raise _no_text_error(source.url, beside, scripted=completeness.has_scripts(tree))
        if opens:
            about = _thread_metadata(about, choice, walked, is_declared=not page_facts.authors.shown)
        return Extraction(
            document=(*document, *facts),
            metadata=about,
            method=self._selector.name,
            page_type=choice.page_type,
            links=link_urls,
            all_links=_all_links(tree, source),
            structured_data=structured_data,
            notices=(*walked.notices, *choice.notices, *unplaced, *notices, *beyond, *cut),
            source_chars=len(text),
            scripted=len(_text(walked, choice.is_kept)) <= completeness.MAX_CHARS
            and completeness.is_unbuilt(tree, text),
            selected=selected,
            has_scripts=bool(source.field_selectors) and completeness.has_scripts(tree),
        )

    def _read(self, sight: PageVisibility, source: Source) -> tuple[Walked, BlockSelection]:
        walked, mode = sight.walked(), source.mode
        if source.selector:
            return walked, BlockSelection([True] * len(walked.leaves), "unknown")
        if sight.streamed:
            walked = walked._replace(notices=(*walked.notices, _STREAMED if sight.scripted else _REVEALED))
        choice = self._selector.select(walked, mode)
        chars = len(_text(walked, choice.is_kept))
        bare = chars < _THIN and sight.scripted
        least = max(_THIN, 2 * chars) if bare else max(_LONG, 3 * chars)
        titled = chars >= _THIN and any(leaf.heading == 1 for leaf in walked.leaves)
        if not bare and (titled or walked.withheld <= least):
            return walked, choice
        # What says something itself does not wait: text that it places out of sight is hidden from people alone.
        prose_chars = sum(leaf.chars for leaf in compress(walked.leaves, choice.is_kept) if not leaf.heading)
        more = sight.walked(lenient=True, withheld=walked.withheld, waits=bare and prose_chars <= _SHELL)
        chosen = self._selector.select(more, mode)
        links = 0 if bare else sum(leaf.link_chars for leaf in compress(more.leaves, chosen.is_kept))
        if len(_text(more, chosen.is_kept)) - links <= least:  # a menu is not what a page is about that shows something
            return walked, choice
        return more._replace(notices=(*more.notices, _REVEALED)), chosen


def parse_page(text: str, *, odd: bool = True) -> LexborHTMLParser:
    """Parse a page, defused if it is `odd`, and as a browser reads it that runs scripts."""
    if odd:
        text = without_excess_markup(text)
    text = with_closed_noscripts(text)
    body = _BODY.search(text, 0, _LONGEST_HEAD)
    head = text[: body.start() if body else _LONGEST_HEAD]
    if "<noscript" in head:
        head = head[: head.lower().rfind("</noscript") + len("</noscript")]
        text = _UNSCRIPTED.sub(_without_flow, head) + text[len(head) :]
    return LexborHTMLParser(text)


def _parsed(text: str, source: Source) -> LexborHTMLParser:
    """Return a page with the text of the elements that are asked for alone, or with all of it.

    Raises:
        Empty: there are no such elements.
        Unsupported: the selector takes too many steps on this page.
    """
    tree = parse_page(text, odd=source.suspect is not False and exceeds_markup_limits(source.body))
    if not source.selector:
        return tree
    chosen = selected_elements(tree, source.selector, source.url)
    if not chosen:
        what = source.url or "the page"
        empty = Empty(f"no element of {what} matches {source.selector[:80]!r}", url=source.url, hint=_SELECTOR_HINT)
        empty.scripted = completeness.has_scripts(tree)
        raise empty
    keep_only(tree, chosen)
    return tree


def _selected(tree: LexborHTMLParser, source: Source) -> dict[str, Any] | None:  # Any: JSON
    """Return the values of the fields that are asked for; None where none are."""
    if not source.field_selectors:
        return None
    selectors = json.loads(source.field_selectors)
    if not selectors:
        return {}
    return selected_record(tree, source.url or "", field_selectors(selectors))


def _facts_alone(source: Source, error: Empty) -> Extraction:
    """Return what a page without text declares, and the values of the fields that are asked for.

    Raises:
        Empty: `error`, where the page has nothing of these.
    """
    text, _ = decode(source.body, source.charset, html=True)
    tree = _parsed(text, source)
    selected = _selected(tree, source)
    sight = PageVisibility(tree, text, source.url, StepCounter(len(text)))
    page_facts = metadata.gather_facts(tree, source.url, partial(sight.hides, sight.walked()), read_on=source.read_on)
    structured_data, cut = declared_items(tree, text, page_facts.base)
    if not structured_data and not selected:
        raise error
    return Extraction(
        document=(),
        metadata=metadata.choose_metadata(page_facts),
        method="facts",
        structured_data=structured_data,
        notices=(Notice("no_text", f"{error.message}, only data for machines"), *cut),
        source_chars=len(text),
        scripted=error.scripted,
        selected=selected,
        has_scripts=completeness.has_scripts(tree),
    )


def _all_links(tree: LexborHTMLParser, source: Source) -> tuple[PageLink, ...]:
    if not source.all_links or source.url is None:
        return ()
    return tuple(all_links(tree, source.url, max_links=MAX_LINKS)[0])


def _without_flow(noscript: re.Match[str]) -> str:
    """Return a <noscript> of the head as it is, or its opening tag alone where it holds flow content."""
    if _FLOW.search(noscript[2]):
        return noscript[1]
    return noscript[0]


def _partial_text(declared_count: int, text: str) -> Iterator[Notice]:
    """Yield a notice if the main content has far fewer words than the page says of its article."""
    count = count_words(text)
    is_far_less = declared_count >= _MIN_DECLARED_WORDS and count < _MIN_READ_SHARE * declared_count
    if is_far_less and not has_unspaced_words(text):
        detail = f"the page declares {count_of(declared_count, 'word')}, and its main content has {count:,}"
        yield Notice("partial_text", detail, declared_count - count)


def _elsewhere_notices(
    page_facts: metadata.PageFacts,
    links: Links,
    walked: Walked,
    choice: BlockSelection,
    tree: LexborHTMLParser,
    url: str | None,
) -> Iterator[Notice]:
    """Yield notices of text that the page says is elsewhere: behind a paywall, or on the next page of a list."""
    if page_facts.linked.word_count and choice.page_type != "unknown":  # unknown: elements that a selector chose
        yield from _partial_text(page_facts.linked.word_count, _text(walked, choice.is_kept))
    classes = {box.attributes.get("class") or "" for box in walked.boxes if box.attributes and box.items}
    walls = (names.words(called) for called in classes if _PAYWALL in called.lower())
    if page_facts.linked.closed or any(_PAYWALL in words and _NO_WALL.isdisjoint(words) for words in walls):
        yield _NOT_FREE
    if asked := robots_directives.known(
        word
        for value in page_facts.page_head.every(*robots_directives.META_NAMES)
        for word in robots_directives.directives(value)
    ):
        yield Notice("robots_directives", robots_directives.notice_detail("page", asked, "meta robots"))
    if links.adrift:
        yield Notice("relative_links", "links are relative, because the address of the page is not known", links.adrift)
    goes_on = page_facts.page_head.links.get("next", [])
    following = links.resolve(goes_on[0]) if goes_on and choice.page_type in _CONTINUED else None
    if not following and choice.page_type not in _SOLD:
        following = next_page(tree, goes_on, url, links)
    if following and len(following) <= _LONGEST_NEXT and links.leads_within(following):
        yield Notice("continued", f"the page continues at {following}")


def _with_opening_post(choice: BlockSelection, walked: Walked, about: Metadata) -> BlockSelection:
    """Head the opening of a thread with its author and date, where only the page's own data tell them.

    Not with a day that may be a post's: a page that declares none is dated by the first that it shows.
    """
    first, day = choice.posts[0], about.published_date
    opens = _opening(choice, walked)
    if opens is None or about.author is None or day is None or _names_author(about.author, first):
        return choice
    if any(answer.stamp.startswith(day) for answer in choice.posts):
        return choice
    post = Post(walked.boxes[0], about.author, day[:10], day, frozenset(), opens)
    return choice._replace(posts=(post, *choice.posts))


def _opening(choice: BlockSelection, walked: Walked) -> int | None:
    """Return the first line of the text above the posts of a thread; None where the first post opens it."""
    above = range(choice.posts[0].box.first)
    lines = (at for at in above if choice.is_kept[at] and not walked.leaves[at].heading)
    return next((at for at in lines if at != choice.title), None)


def _is_before(stamp: str | None, other: str) -> bool:
    """Tell whether a time is known to be before another one; a day alone is not before the times of that day."""
    return stamp is not None and stamp < other and not other.startswith(stamp)


def _thread_metadata(about: Metadata, choice: BlockSelection, walked: Walked, *, is_declared: bool) -> Metadata:
    """Return the metadata of a thread: author and date of its first post, where the page declares none.

    A byline of which its name is but a part says more than that: `Started by`, ranks, counts. A byline that the page
    shows, and does not declare, is that of a later post if it names its author and the first post opens the thread
    (VirtualBox' forum). A thread that is older than its first post was opened by somebody else (a link at Reddit).
    """
    post, byline = choice.posts[0], about.byline
    is_later = (
        byline is not None
        and not is_declared
        and not _is_before(about.published_date, post.stamp)
        and _opening(choice, walked) is None
        and any(_names_author(byline, later) for later in choice.posts[1:])
    )
    if byline is None or is_later or _names_author(byline, post):
        about = replace(about, byline=post.author, author=post.author)
    if about.published_date is None and post.stamp:
        about = replace(about, published_date=post.stamp, published_source="text")
    return about


def _last_lines(walked: Walked, choice: BlockSelection) -> list[str]:
    """Return the last line of an article that is kept, and the one below it in the same box, without links."""
    last = max(compress(range(len(walked.leaves)), choice.is_kept), default=-1)
    if last < 0 or choice.page_type != "article":
        return []
    around = walked.leaves[last].box.parent
    lines = (leaf for leaf in walked.leaves[last : last + 2] if leaf.box.parent is around and not leaf.links)
    return [leaf.words.strip() for leaf in lines]


def _names_author(byline: str, post: Post) -> bool:
    return re.search(rf"(?<!\w){re.escape(post.author)}(?!\w)", byline) is not None


def _is_title_of_more(text: str, walked: Walked) -> bool:
    """Tell whether a page shows no more than its title, and hides some text."""
    hidden = any(notice.code == _HIDDEN for notice in walked.notices)
    return hidden and len(text) >= _FRAME // 2 and completeness.is_title_alone(walked.leaves, walked.title)


def _no_text_error(url: str | None, beside: str, *, scripted: bool) -> Empty:
    hint = _RECALL_HINT if beside else None
    if beside == _BEYOND_STYLES:
        hint = _BROWSER_HINT
    elif scripted:
        hint = _SCRIPT_HINT
    empty = Empty(f"{url or 'the page'} has no text{beside}", url=url, hint=hint)
    empty.scripted = scripted
    return empty


def _text(walked: Walked, is_kept: Sequence[bool]) -> str:
    return " ".join(leaf.words for leaf, keep in zip(walked.leaves, is_kept, strict=True) if keep)


# ----------------------------------------------------------------------------------------------------------- visibility
# The visibility of one page's elements: its own styles, the text that its scripts show, and the walk under both.

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
