"""Decides which pictures and embedded content belong to the main content, and how they are printed.

The networks choose leaves of text. A picture is judged by where it stands among the kept ones, and not by its own
caption: the largest box around it without kept text (its frame) may hold a caption and little else. What stands in a
frame of other words is a card that leads elsewhere.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from wellread.css.words import word_set
from wellread.extraction import lexicon
from wellread.seen import names
from wellread.segmentation.boxes import Medium, is_linked
from wellread.segmentation.media_elements import EMBEDS, is_picture
from wellread.text.characters import on_one_line, without_invisible
from wellread.types import Span, Style

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from wellread.extraction.context_features import Floats, Integers
    from wellread.extraction.selection import BlockSelection
    from wellread.segmentation.boxes import Box, Leaf, Walked
    from wellread.types import Mode, PageType

_IMAGE: Final = int(Style.IMAGE)
_MAX_LABEL_CHARS: Final = 150
_MAX_CAPTION_WORDS: Final = 80
"""Of words beside a picture that no element calls its caption."""
_MAX_OTHER_WORDS: Final = 12
"""Words of a frame that are no caption: `Open in full screen`."""
_MOSTLY: Final = 0.5
"""The share of the words of a box that are kept, of content."""
_MAX_TRACKER_PX: Final = 2
_MAX_ICON_PX: Final = 64
_MAX_AVATAR_PX: Final = 100
_MIN_FRAME_PX: Final = 20
_LEAST_ROW: Final = 2
"""Linked pictures side by side that lead to other sites: buttons to share a page."""
_MOST_REPEATED: Final = 2
"""How often a picture may stand on a page before it is a bullet, star or icon."""
_MAX_SPLIT: Final = 8
"""Leaves that one paragraph with line breaks makes, among which a picture is looked for."""
_MAX_TITLE_WORDS: Final = 3
_MAX_EMOJI_CHARS: Final = 12
"""Of one that joins several."""
_MAX_PIXEL_DIGITS: Final = 5
_CAPTION: Final = word_set(
    "caption figcaption legend credit cutline bildunterschrift legende didascalia pie bijschrift"
)
_DECORATION: Final = word_set(
    "avatar avatars gravatar userpic icon icons emoji emoticon smiley smilies logo logos sprite pixel spacer beacon "
    "tracking button btn badge bullet arrow flag share sharing social"
)
_AD_SIZES: Final = frozenset(
    {(300, 250), (728, 90), (160, 600), (970, 250), (970, 90), (320, 50), (320, 100), (300, 600), (468, 60), (336, 280)}
)
"""Pixels, by the Interactive Advertising Bureau."""
_NO_CONTENT: Final = word_set(
    "optimizely prebid storage ad ads adserver adservice advert advertisement advertising doubleclick adnxs gtm "
    "googlesyndication googletagmanager "
    "taboola outbrain criteo sponsored analytics tracking tracker pixel beacon usersync consent cookie cookies "
    "cmp gdpr "
    "onetrust privacy recaptcha hcaptcha captcha turnstile challenge login signin signup newsletter subscribe "
    "mailchimp like likes follow comment comments disqus chat intercom checkout addthis sharethis oauth share tip"
)
"""Words in the host, the path or the name of a frame that is no part of an article."""
_KINDS: Final = (
    ("Audio", word_set("audio podcast podcasts soundcloud spotify bandcamp mixcloud deezer audioboom mp3 ogg wav m4a")),
    ("Map", word_set("map maps openstreetmap mapbox umap")),
    ("Slides", word_set("slides slideshare speakerdeck slideshow presentation")),
    ("Chart", word_set("chart charts datawrapper dwcdn infogram flourish tableau graph")),
    ("Form", word_set("form forms typeform survey surveymonkey poll")),
    ("Code", word_set("codepen jsfiddle gist codesandbox stackblitz repl replit glitch")),
    (
        "Post",
        word_set("twitter tweet instagram facebook tiktok reddit threads mastodon bsky bluesky linkedin pinterest"),
    ),
    ("Document", word_set("pdf document documents docs scribd issuu")),
    (
        "Video",
        word_set(
            "video videos youtube youtu vimeo dailymotion twitch wistia brightcove jwplayer kaltura bilibili rutube "
            "streamable loom player players vidyard mp4 webm m3u8 ogv mov film movie watch tv amp-video"
        ),
    ),
)
"""By the first words that an address, a class or a title has: what is embedded."""
_GENERIC: Final = word_set(
    "youtube you tube vimeo video player embed embedded iframe frame content third party external widget media "
    "the a of from "
    "and "
    "audio map google maps spotify twitter tweet instagram facebook post soundcloud untitled document html5 web page"
)
"""Words of titles that say no more than the kind of what is embedded."""
_POSTED: Final = word_set("embed tweet media post video twitter instagram tiktok reddit bluesky mastodon")
"""Words in the class of a <blockquote> that a script makes a post of a social network."""
_OUTSIDE: Final = frozenset({"nav", "footer"})
_OUTER_ROLES: Final = frozenset({"navigation", "banner"})
_EMBEDDING: Final = frozenset({"section", "blockquote"})
"""Boxes that may stand for embedded content."""
_PAGE: Final = "Embedded page"
_NO_DOCUMENTS: Final = (".json", ".js", ".css", ".xml", ".woff", ".woff2")
"""Suffixes of files that scripts load, and nobody opens."""
_MOVING: Final = frozenset({"autoplay", "loop", "muted"})
_WITH_FILMS: Final = ("article", "documentation", "forum", "unknown")
"""Where a film that plays by itself, without controls, shows what the text is about."""


class Insertion(NamedTuple):
    """A line that stands between leaves."""

    box: Box
    spans: tuple[Span, ...]


@dataclass(slots=True)
class PlacedMedia:
    """The lines that are printed besides the kept leaves."""

    is_kept: Sequence[bool]
    """The leaves that are kept, pictures without words among them."""
    captions: frozenset[int] = frozenset()
    """Leaves that are printed where pictures are: their captions, which were not kept."""
    decoration: frozenset[str] = frozenset()
    """Addresses of pictures that say nothing."""
    before: Mapping[int, Sequence[Insertion]] = field(default_factory=dict)
    """By leaf, what stands before it; by the number of leaves, what stands at the end."""


def with_lines(media: PlacedMedia, lines: Iterable[tuple[int, Insertion]], replaced: Collection[int]) -> PlacedMedia:
    """Return `media` with more lines, each before a leaf, and without the leaves that they replace."""
    before = {at: list(inserted) for at, inserted in media.before.items()}
    for at, line in lines:
        before.setdefault(at, []).append(line)
    is_kept = [keep and at not in replaced for at, keep in enumerate(media.is_kept)]
    return replace(media, is_kept=is_kept, before=before)


def place_media(walked: Walked, choice: BlockSelection, mode: Mode, *, keep_all: bool = False) -> PlacedMedia:
    """Return the pictures and embedded content of the kept leaves; `keep_all` takes the whole document for content."""
    boxes = [box for box in walked.boxes if box.tag in _EMBEDDING]
    framed = [medium for box in boxes if box.tag == "section" and (medium := _rendered_frame(box))]
    media = sorted((*walked.media, *_embedded_posts(boxes), *framed), key=lambda medium: medium.at)
    if not media:
        return PlacedMedia(choice.is_kept)
    judge = _MediaJudge(walked, choice, keep_all=keep_all)
    lines = _PlacedLines(walked, choice, judge.decoration(), captioned=mode != "precision")
    for medium in media:
        if medium.address not in lines.printed and judge.belongs(medium):
            if medium.is_picture:
                lines.add_picture(medium, judge)
            elif judge.is_content(medium, choice.page_type):
                lines.add_link(medium, judge.label(medium))
    return PlacedMedia(lines.is_kept, frozenset(lines.captions), lines.decoration, lines.before)


class _PlacedLines:
    """Collects the printed media, each address once."""

    def __init__(self, walked: Walked, choice: BlockSelection, decoration: frozenset[str], *, captioned: bool) -> None:
        # A picture on lines of its own is kept only if it is judged to belong to the content.
        self.is_kept = [
            keep and (bool(leaf.words) or not leaf.spans)
            for keep, leaf in zip(choice.is_kept, walked.leaves, strict=True)
        ]
        self.captions: set[int] = set()
        self.before: dict[int, list[Insertion]] = {}
        self.printed: set[str] = set()
        self.decoration: Final = decoration
        self._leaves: Final = walked.leaves
        self._captioned: Final = captioned

    def add_picture(self, medium: Medium, judge: _MediaJudge) -> None:
        """Add a picture and its caption."""
        if medium.address in self.decoration or judge.is_twin(medium):
            return
        self.printed.add(medium.address)
        at = self._leaf_of(medium)
        if at is not None and self._leaves[at].words and not self.is_kept[at]:
            self.captions.add(at)  # one line holds both
        elif at is not None:
            self.is_kept[at] = True
        else:
            text = without_invisible(_alternative(medium.attributes))[0]
            self._add(medium, Span(text, _IMAGE, medium.address))
        if self._captioned:
            self.captions.update(judge.captions(medium))

    def _leaf_of(self, medium: Medium) -> int | None:
        """Return the leaf that a picture is a part of: line breaks may have made several where it stood."""
        if not medium.in_leaf:
            return None
        near = range(medium.at, min(medium.at + _MAX_SPLIT, len(self._leaves)))
        return next((at for at in near if any(span.href == medium.address for span in self._leaves[at].spans)), None)

    def add_link(self, medium: Medium, label: str) -> None:
        """Add a link to embedded content."""
        self.printed.add(medium.address)
        self._add(medium, Span(label, 0, medium.address))

    def _add(self, medium: Medium, span: Span) -> None:
        self.before.setdefault(medium.at, []).append(Insertion(medium.box, (span,)))


def is_emoji(text: str) -> bool:
    """Tell whether the alternative text of a picture is the symbol that it draws."""
    kinds = {unicodedata.category(character) for character in text[:_MAX_EMOJI_CHARS]}
    return len(text) <= _MAX_EMOJI_CHARS and "So" in kinds and kinds <= {"So", "Sk", "Mn", "Me", "Cf"}


def _embedded_posts(boxes: Iterable[Box]) -> list[Medium]:
    """Return the posts of social networks that scripts make of a <blockquote>."""
    embedded_posts = []
    for box in boxes:
        if box.tag == "blockquote" and not _POSTED.isdisjoint(box.name_words):
            values = (value for name, value in box.attributes.items() if name == "cite" or name.startswith("data-"))
            address = next((value for value in values if value and value.startswith("https://")), "")
            if address:
                embedded_posts.append(
                    Medium("blockquote", box.attributes, address, box, None, box.first, is_picture=False)
                )
    return embedded_posts


def _rendered_frame(box: Box) -> Medium | None:
    """Return the frame that a browser's reading has made a <section> of, in which its own document may stand."""
    address = box.attributes.get("src")
    if not address:
        return None
    return Medium("section", box.attributes, address, box, None, box.first, is_picture=False)


@dataclass(slots=True)
class _PictureFrame:
    """The largest box around a picture in which no text is kept, and the text that it has."""

    first: int
    end: int
    around: Box | None
    """The box around it, which holds kept text."""
    captions: list[int] = field(default_factory=list)
    is_card: bool = False
    """It has words of its own besides captions: they lead elsewhere."""
    is_headed: bool = False
    """The headline of the page stands in it."""


class _MediaJudge:
    def __init__(self, walked: Walked, choice: BlockSelection, *, keep_all: bool) -> None:
        leaves = walked.leaves
        self._walked = walked
        self._kept = choice.is_kept
        self._keep_all = keep_all
        self._sizes: Floats = np.array([leaf.words.count(" ") + 1 if leaf.words else 0 for leaf in leaves], np.float32)
        is_kept = np.array(choice.is_kept, np.bool_) & (self._sizes > 0)
        self._kept_before = _prefix_sums(is_kept)
        self._surroundings = _BoxSurroundings(walked.boxes)
        self._frames: dict[int, _PictureFrame] = {}
        self._of: list[tuple[Medium, _PictureFrame]] = [
            (medium, self._frame(medium.box, medium.at)) for medium in walked.media
        ]
        self._frame_of = {id(medium): frame for medium, frame in self._of}
        self._silent = np.zeros(len(leaves), np.bool_)
        """Captions: a picture is not judged by them."""
        for _, frame in self._of:
            self._silent[frame.captions] = True
        worded = (self._sizes > 0) & ~self._silent
        spots = np.arange(len(leaves))
        self._last: Integers = np.insert(np.maximum.accumulate(np.where(worded, spots, -1)), 0, -1)
        """By place, the last leaf before it that has words."""
        following = np.minimum.accumulate(np.where(worded, spots, len(leaves))[::-1])[::-1] if leaves else spots
        self._next: Integers = np.append(following, len(leaves))
        self._words_before = _prefix_sums(self._sizes * worded)
        self._kept_words_before = _prefix_sums(self._sizes * (is_kept & worded))
        self._bylines = {at for post in choice.posts for at in range(post.box.first, post.opens)}

    # ------------------------------------------------------------------------------------------- frames

    def _frame(self, box: Box, at: int) -> _PictureFrame:
        """Return the frame of a medium in a box before a leaf."""
        inner: Box | None = None
        around: Box | None = box
        while around is not None and not self._kept_before[around.end] - self._kept_before[around.first]:
            inner, around = around, around.parent
        if inner is None:
            return _PictureFrame(at, at, around)
        if inner.index not in self._frames:
            self._frames[inner.index] = self._measured(inner, around)
        return self._frames[inner.index]

    def _measured(self, box: Box, around: Box | None) -> _PictureFrame:
        frame = _PictureFrame(box.first, box.end, around)
        others = []
        for at in range(box.first, box.end):
            leaf = self._walked.leaves[at]
            if not leaf.words:
                continue
            if self._surroundings.is_caption(leaf, box):
                frame.captions.append(at)
            else:
                others.append(at)
        other_leaves = [self._walked.leaves[at] for at in others]
        frame.is_headed = any(leaf.heading == 1 for leaf in other_leaves)
        leads = any(leaf.heading or is_linked(leaf) or lexicon.line_purpose(leaf.words) for leaf in other_leaves)
        size = float(self._sizes[others].sum()) if others else 0.0
        if not frame.captions and others and not leads and size <= _MAX_CAPTION_WORDS and around is not None:
            frame.captions = others  # no element calls it so, but there is nothing else in the box of the picture
        else:
            frame.is_card = not frame.is_headed and (leads or size > _MAX_OTHER_WORDS)
        return frame

    def captions(self, medium: Medium) -> list[int]:
        """Return the leaves that are the caption of a picture."""
        frame = self._frame_of[id(medium)]
        figures = self._surroundings.figures
        figure = figures[medium.box.index]
        return [
            at
            for at in frame.captions
            if figure is None or figures[self._walked.leaves[at].box.index] in {None, figure}
            if not lexicon.line_purpose(self._walked.leaves[at].words)
        ]

    def belongs(self, medium: Medium) -> bool:
        """Return whether a medium stands within the kept text."""
        if self._keep_all:
            return True
        frame = self._frame_of.get(id(medium)) or self._frame(medium.box, medium.at)
        around = frame.around
        if around is None or medium.at in self._bylines or self._surroundings.outside[medium.box.index]:
            return False
        if frame.is_card and medium.tag != "blockquote":
            return False
        return self._is_between(frame) or self._is_part(medium, frame, around)

    def _is_between(self, frame: _PictureFrame) -> bool:
        """Tell whether kept text is the nearest on both sides."""
        before, after = int(self._last[frame.first]), int(self._next[frame.end])
        return before >= 0 and after < len(self._kept) and bool(self._kept[before] and self._kept[after])

    def _is_part(self, medium: Medium, frame: _PictureFrame, around: Box) -> bool:
        """Tell whether something stands in a box of content: in its midst, or at an end as a figure does."""
        words = self._words_before[around.end] - self._words_before[around.first]
        kept_words = self._kept_words_before[around.end] - self._kept_words_before[around.first]
        if kept_words < _MOSTLY * words:
            return False
        inside = self._kept_before
        if inside[frame.first] > inside[around.first] and inside[around.end] > inside[frame.end]:
            return True
        is_set = bool(frame.captions) or self._is_in_figure(medium) or not medium.is_picture
        return is_set or frame.first == frame.end

    def _is_in_figure(self, medium: Medium) -> bool:
        return self._surroundings.figures[medium.box.index] is not None

    # --------------------------------------------------------------------------------------- decoration

    def decoration(self) -> frozenset[str]:
        """Return the addresses of pictures that say nothing: icons, portraits of authors, trackers, buttons."""
        repeated: dict[str, int] = {}
        rows: dict[int, list[tuple[Medium, _PictureFrame]]] = {}
        addresses = set()
        for medium, frame in self._of:
            if not medium.is_picture:
                continue
            repeated[medium.address] = repeated.get(medium.address, 0) + 1
            captioned = bool(frame.captions) and self._is_in_figure(medium)
            if _is_decoration(medium, captioned=captioned):
                addresses.add(medium.address)
            if medium.href and not captioned and not is_picture(medium.href) and self._leads_out(medium):
                row_key = frame.first
                if frame.first == frame.end:
                    row_key = -1 - medium.box.index
                rows.setdefault(row_key, []).append((medium, frame))
        addresses.update(address for address, count in repeated.items() if count > _MOST_REPEATED)
        for row in rows.values():
            if len({medium.href for medium, _ in row}) >= _LEAST_ROW:
                addresses.update(medium.address for medium, _ in row)
        return frozenset(addresses)

    def _leads_out(self, medium: Medium) -> bool:
        """Tell whether a picture is a link to another site."""
        host = _host(medium.href or "")
        return bool(host) and host not in {_host(self._walked.url or ""), _host(medium.address)}

    def is_twin(self, medium: Medium) -> bool:
        """Tell whether a picture in <noscript> stands beside the same one for pages with scripts."""
        noscript = next((box for box in medium.box.around() if box.tag == "noscript"), None)
        if noscript is None:
            return False
        around = noscript.parent
        return any(
            other.is_picture and other.box is around and noscript.first - 1 <= other.at <= noscript.end
            for other in self._walked.media
        )

    # ------------------------------------------------------------------------------- embedded content

    def is_content(self, medium: Medium, page_type: PageType) -> bool:
        """Tell whether embedded content is no advertisement, tracker, form of consent or button."""
        at = medium.attributes
        width, height = _pixels(at, "width"), _pixels(at, "height")
        if any(side is not None and side < _MIN_FRAME_PX for side in (width, height)):
            return False
        if (
            medium.tag in {"section", "blockquote"}
            and self._kept_before[medium.box.end] > self._kept_before[medium.box.first]
        ):
            return False  # what it shows is read
        kind = _kind(medium)
        is_backdrop = page_type not in _WITH_FILMS and at.keys() >= _MOVING and "controls" not in at
        if (
            not kind
            or medium.address.partition("?")[0].endswith(_NO_DOCUMENTS)
            or (is_backdrop and not self._title(medium))
        ):
            return False
        called = names.NONE
        if medium.tag != "blockquote":
            called = _address_words(medium.address) | names.of(at) | _title_words(at)
        return _NO_CONTENT.isdisjoint(called) and (kind == "Video" or (width, height) not in _AD_SIZES)

    def label(self, medium: Medium) -> str:
        """Return the label of embedded content: its kind, and its title if it has one."""
        kind = _kind(medium)
        title = on_one_line(self._title(medium))
        if len(title) > _MAX_LABEL_CHARS:
            title = f"{title[:_MAX_LABEL_CHARS].rstrip()}\u2026"
        return ": ".join(filter(None, (kind, title)))

    def _title(self, medium: Medium) -> str:
        titles = (medium.attributes.get(name) for name in ("title", "aria-label", "data-title", "playlabel"))
        telling_titles = (title for title in titles if title and not frozenset(names.split(title.lower())) <= _GENERIC)
        return next(telling_titles, "") or self._shown_title(medium)

    def _shown_title(self, medium: Medium) -> str:
        """Return the caption of a frame, or the first words of a post, where these are not kept."""
        frame = self._frame_of.get(id(medium)) or self._frame(medium.box, medium.at)
        leaves = self._walked.leaves
        if medium.tag == "blockquote":
            return next((leaves[at].words for at in range(medium.box.first, medium.box.end) if leaves[at].words), "")
        figures = self._surroundings.figures
        captions = [at for at in frame.captions if figures[leaves[at].box.index] is figures[medium.box.index]]
        return next((leaves[at].words for at in captions), "")


def _prefix_sums(values: NDArray[Any]) -> NDArray[np.float64]:  # Any: booleans or numbers
    """Return the sums of the values before each place."""
    sums = np.zeros(len(values) + 1, np.float64)
    np.cumsum(values, out=sums[1:])
    return sums


class _BoxSurroundings:
    """The surroundings of each box by its index; one pass is enough, because boxes come after the boxes around them."""

    def __init__(self, boxes: Sequence[Box]) -> None:
        self.figures: list[Box | None] = []
        """The nearest <figure>."""
        self.outside: list[bool] = []
        """Whether a box is part of a menu or of the foot of a page."""
        self._captions: list[int] = []
        """The index of the nearest box that is called a caption; -1 for none."""
        for box in boxes:
            parent, attributes = box.parent, box.attributes
            figure, outside, caption = None, False, -1
            if parent is not None:
                figure, outside, caption = (
                    self.figures[parent.index],
                    self.outside[parent.index],
                    self._captions[parent.index],
                )
            if box.tag == "figure":
                figure = box
            if box.tag in {"figure", "figcaption"} or (attributes and _is_called_caption(box)):
                caption = box.index
            self.figures.append(figure)
            self.outside.append(outside or box.tag in _OUTSIDE or (bool(attributes) and _has_outer_role(box)))
            self._captions.append(caption)

    def is_caption(self, leaf: Leaf, frame: Box) -> bool:
        """Tell whether an element says that a leaf is a caption: no box around the frame counts."""
        return self._captions[leaf.box.index] >= frame.index and not (leaf.heading and leaf.links)


def _is_called_caption(box: Box) -> bool:
    return not _CAPTION.isdisjoint(box.name_words)


def _has_outer_role(box: Box) -> bool:
    return box.attributes.get("role") in _OUTER_ROLES


def _is_decoration(medium: Medium, *, captioned: bool) -> bool:
    at = medium.attributes
    sides = [side for name in ("width", "height") if (side := _pixels(at, name)) is not None]
    if any(side <= _MAX_TRACKER_PX for side in sides):
        return True
    if captioned:
        return False
    if sides and max(sides) <= _MAX_ICON_PX:
        return True
    if sides and max(sides) > _MAX_AVATAR_PX:
        return False
    file = medium.address.partition("?")[0].rpartition("/")[2]
    return not (_DECORATION.isdisjoint(names.of(at)) and _DECORATION.isdisjoint(names.split(file)))


def _pixels(attributes: Mapping[str, str | None], name: str) -> int | None:
    """Return a side of an element in pixels, where it is written."""
    side = (attributes.get(name) or "").strip().removesuffix("px")
    if side.isascii() and side.isdigit() and len(side) <= _MAX_PIXEL_DIGITS:
        return int(side)
    return None


def _alternative(attributes: Mapping[str, str | None]) -> str:
    text = attributes.get("alt") or attributes.get("aria-label") or attributes.get("data-alt") or ""
    return " ".join(text.split())


def _host(address: str) -> str:
    parts = address.split("/", 3)
    if len(parts) < 3 or parts[1]:
        return ""
    return parts[2].removeprefix("www.").lower()


def _address_words(address: str) -> frozenset[str]:
    """Return the words of a host, and of the parts of a path that are written in small letters: others are codes."""
    host, path = "", address
    if "//" in address:
        host, _, path = address.partition("//")[2].partition("/")
    parts = path.partition("?")[0].partition("#")[0].split("/")
    plain = [part for part in parts if part.islower() and not any(map(str.isdigit, part))]
    return frozenset(names.split(host)).union(*(names.split(part) for part in plain))


def _title_words(attributes: Mapping[str, str | None]) -> frozenset[str]:
    """Return the words of a title of three words or fewer: a longer one may be about anything."""
    words = names.split(attributes.get("title") or attributes.get("aria-label") or "")
    if len(words) > _MAX_TITLE_WORDS:
        return names.NONE
    return frozenset(words)


def _kind(medium: Medium) -> str:
    """Return the kind of embedded content in a word; "" for a component that may load a part of the page itself."""
    if medium.tag in {"video", "audio"}:
        return medium.tag.capitalize()
    if medium.tag == "blockquote":
        return "Post"
    media_type = (medium.attributes.get("type") or "").partition(";")[0]
    for words in (
        names.split(medium.tag),
        _address_words(medium.address),
        names.split(media_type),
        _name_words(medium),
    ):
        for kind, kind_words in _KINDS:
            if not kind_words.isdisjoint(words):
                return kind
    allowed = medium.attributes.get("allow") or ""
    if "picture-in-picture" in allowed or "encrypted-media" in allowed:
        return "Video"
    if medium.tag in EMBEDS or medium.tag == "section":
        return _PAGE
    return ""


def _name_words(medium: Medium) -> Iterator[str]:
    yield from names.of(medium.attributes)
    yield from names.split(medium.address.partition("?")[0].rpartition(".")[2])
