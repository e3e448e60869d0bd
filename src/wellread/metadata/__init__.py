"""Reads the metadata of a page and makes it safe: Open Graph, JSON-LD, meta, then the page's own elements.

Where sources differ, their common values and their places decide. A field without a source is None.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from wellread.metadata import (
    authors,
    date_weights,
    publication_date,
    site_address,
    text_language,
    title,
)
from wellread.metadata.cleaning import key, line, prose, rich
from wellread.metadata.declared_metadata import (
    HEAD_ELEMENTS,
    HEAD_TAGS,
    HeadDeclarations,
    LinkedData,
    head_declarations,
    linked_data,
)
from wellread.metadata.publication_date import best
from wellread.metadata.visible_metadata import WANTED, MetadataScene, is_hidden
from wellread.text.dates import iso, within
from wellread.types import Metadata

if TYPE_CHECKING:
    from collections.abc import Sequence

    from selectolax.lexbor import LexborHTMLParser, LexborNode

    from wellread.metadata.publication_date import MetadataCandidate
    from wellread.metadata.visible_metadata import Hides, VisibleMetadata

MAX_ELEMENTS = 3_000
MAX_SAMPLED = 40
MAX_SAMPLE_CHARS = 4_000
MIN_SAMPLE_CHARS = 100
_OG_DATES = ("article:published_time", "og:article:published_time", "og:published_time", "og:pubdate")
_META_DATES_WORDS = """
article:published published datepublished date pubdate pub_date publishdate publish-date publish_date published-date
publication_date publication-date dc:date:issued dcterms:issued dc:issued dcterms:created dc:date:created
dc:date dcterms:date parsely-pub-date sailthru:date citation_publication_date citation_online_date
citation_date article_date_original originalpublicationdate article:created cxenseparse:recs:publishtime
bt:pubdate rnews:datepublished ms:date release_date displaydate ptime pdate
"""
_META_DATES = _META_DATES_WORDS.split()
_MODIFIED_WORDS = """
article:modified_time og:article:modified_time og:updated_time og:modified_time article:modified
datemodified dcterms:modified dc:date:modified last-modified lastmod revised
"""
_MODIFIED = _MODIFIED_WORDS.split()
_TITLES = ("dc:title", "dcterms:title", "citation_title", "parsely-title", "sailthru:title", "title")
_DESCRIPTIONS = ("description", "dc:description", "dcterms:description", "twitter:description", "sailthru:description")
_OG_AUTHORS = ("article:author", "og:article:author", "og:author", "book:author")
_META_AUTHORS_WORDS = "dc:creator dcterms:creator author citation_author parsely-author sailthru:author byl byline"
_META_AUTHORS = _META_AUTHORS_WORDS.split()


class Authors(NamedTuple):
    """The authors: the byline as the page words it, and the names alone."""

    byline: str | None = None
    names: str | None = None
    shown: bool = False
    """The page does not declare them: they stand on it, and on a page of many things may be those of one."""


@dataclass(frozen=True, slots=True)
class PageFacts:
    """All facts that a page gives about itself, before anything is chosen."""

    page_head: HeadDeclarations
    linked: LinkedData
    shown: VisibleMetadata
    scene: MetadataScene
    url: str | None
    site: str | None
    at: site_address.Site
    language: str | None
    """The declared language, by which bylines and days are read."""
    spoken: str | None
    """The language of the text."""
    authors: Authors
    read_on: str | None = None
    month_first: bool | None = None
    """Whether the page's dates in numbers name the month first; None where they do not say so."""

    @property
    def base(self) -> str | None:
        """The address that relative addresses of the page are resolved with."""
        return site_address.resolve(self.page_head.base, self.url) or self.url

    @property
    def is_headed(self) -> bool:
        """Whether a byline stands right below the headline: the visible author and day are then the page's own."""
        return authors.is_headed(self.shown.lede, self.language)


def gather_facts(
    tree: LexborHTMLParser, url: str | None, hides: Hides = is_hidden, *, read_on: str | None = None
) -> PageFacts:
    """Gather the facts that the page in `tree` declares and shows.

    `url` is the page's URL, if known; `hides` returns whether nobody sees the content of an element, given its tag and
    its attributes. `read_on` is the day of the reading (ISO 8601).
    """
    declaring: list[LexborNode] = []
    showing: list[LexborNode] = []
    for node in tree.css(f"{HEAD_ELEMENTS}, {WANTED}")[:MAX_ELEMENTS]:
        declares = node.tag == "base" or (node.tag in HEAD_TAGS and "itemprop" not in node.attributes)
        (declaring if declares else showing).append(node)
    page_head = head_declarations(tree, declaring)
    linked = linked_data(page_head.scripts)
    scene = MetadataScene(tree.body, showing, hides)
    shown = scene.look()
    site = site_address.site_name(
        [page_head.first("og:site_name"), *page_head.every("application-name")], linked.names_of_site
    )
    scene.around(shown, key(" ".join([*page_head.titles[:1], page_head.first("og:title") or ""])[:2_000]))
    address = site_address.resolve(url, None)
    page_address = address or site_address.canonical(
        [*page_head.links.get("canonical", []), *page_head.every("og:url")], None, None
    )
    titles = {site_address.squeeze(text) for text in (page_head.first("og:title"), *page_head.titles[:1]) if text}
    at = site_address.site(page_address, [site, *linked.names_of_site], titles)
    sample = _sample(tree)
    language = _language(page_head, linked, sample)
    spoken = text_language.spoken(language, sample)
    authors = _authors(page_head, linked, scene, shown, at, language)
    month_first = _month_first(tree, shown)
    return PageFacts(
        page_head, linked, shown, scene, address, site, at, language, spoken, authors, read_on, month_first
    )


def _month_first(tree: LexborHTMLParser, shown: VisibleMetadata) -> bool | None:
    """Tell in which order the page writes day and month, if that decides what a date around its headline means."""
    if tree.body is None or not any(map(publication_date.is_ambiguous, (shown.before_headline, shown.lede))):
        return None
    return publication_date.page_month_first(tree.body.text(separator=" ") or "")


def date_candidates(facts: PageFacts) -> list[MetadataCandidate]:
    """Return all candidates for the date of publication, with their marks; the empty one stands for no date.

    Elements that only their class calls a date are slow to find and often a teaser's: they are looked for where the
    address is that of a story and no other day is told than in meta elements.
    """
    page_head, linked, shown = facts.page_head, facts.linked, facts.shown
    dates = [
        *(("og", text) for text in page_head.every(*_OG_DATES)),
        *(("json-ld", text) for text in linked.published),
        *(("page", text) for text in linked.page_published),
        *(("meta", text) for text in page_head.every(*_META_DATES)),
        *_shown_days(shown, has_declared=bool(linked.published or page_head.first(*_OG_DATES))),
        *(("later", text) for text in (*page_head.every(*_MODIFIED), *linked.modified)),
        *(("", stamp) for stamp in facts.scene.stamps()),
    ]
    around, signed = (shown.before_headline, shown.lede), facts.authors.names is not None
    latest = publication_date.latest(facts.read_on)
    candidates = publication_date.candidates(
        dates, around, facts.language, facts.url, facts.at, signed=signed, latest=latest, month_first=facts.month_first
    )
    if len(facts.at.slug) > 1 and {publication_date.source(candidate) for candidate in candidates} <= {"meta", None}:
        only = {stamp for stamp, _ in within(facts.scene.classed(), language=facts.language)}
        dates += (("class", stamp) for stamp in only if len(only) == 1)  # lists of other stories tell several days
        return publication_date.candidates(
            dates,
            around,
            facts.language,
            facts.url,
            facts.at,
            signed=signed,
            latest=latest,
            month_first=facts.month_first,
        )
    return candidates


def with_signature(about: Metadata, lines: Sequence[str], facts: PageFacts) -> Metadata:
    """Return the metadata with the day and the author that the `lines` below a text are, where the page gives neither.

    The name of the site stands for an author that the page does not declare.
    """
    latest = publication_date.latest(facts.read_on)
    days = (publication_date.signed_day(text, facts.language) for text in lines)
    day = next((day for day in days if day and (latest is None or day <= latest)), None)
    if about.published_date is None and day is not None:
        about = replace(about, published_date=day, published_source="text")
    name = next((text for text in lines if authors.is_full_name(text)), None)
    if name is None or not _is_site_author(about, facts):
        return about
    return replace(about, byline=name, author=name)


def _is_site_author(about: Metadata, facts: PageFacts) -> bool:
    """Tell whether the author is nobody, or the site."""
    if about.author is None:
        return True
    site_names = {*_names_of_site(facts.page_head, facts.linked, facts.at), facts.at.label}
    return site_address.squeeze(about.author).removeprefix("the") in site_names


def _shown_days(shown: VisibleMetadata, *, has_declared: bool) -> list[tuple[str, str]]:
    """Return the days that elements show, with their marks; a day called a revision is one only beside another day.

    That may be a declared day of publication (`has_declared`), if microdata declares the revision. A day that is only
    called a revision is the truth's day of publication on 12 of 13 such pages of WCXB.
    """
    marks = [publication_date.REVISION if dated.declared and has_declared else dated.mark for dated in shown.dates]
    if any(not dated.updated and dated.mark != "modified" for dated in shown.dates):
        marks = [
            "modified" if dated.updated and mark != publication_date.REVISION else mark
            for dated, mark in zip(shown.dates, marks, strict=True)
        ]
    return [(mark, dated.text) for dated, mark in zip(shown.dates, marks, strict=True)]


def choose_metadata(facts: PageFacts) -> Metadata:
    """Choose the metadata of a page from all its facts."""
    page_head, linked, shown = facts.page_head, facts.linked, facts.shown
    on = best(date_candidates(facts), date_weights.PUBLISHED)
    where = publication_date.source(on)
    pictures = _pictures(page_head, linked, shown, facts.base)
    return Metadata(
        title=_title(facts),
        byline=facts.authors.byline,
        author=facts.authors.names,
        description=_description(page_head, linked),
        published_date=on.value if where else None,
        published_source=where,
        modified_date=_modified(facts),
        canonical_url=site_address.canonical(
            [*page_head.links.get("canonical", []), *page_head.every("og:url")], facts.base, facts.url
        ),
        language=facts.spoken,
        direction=site_address.direction([page_head.root.get("dir"), page_head.body.get("dir")]),
        site_name=facts.site,
        primary_image=pictures[0] if pictures else None,
        images=pictures,
    )


def _modified(facts: PageFacts) -> str | None:
    """Return the day of the last revision: declared, marked by an element, or told around the headline."""
    marked = (dated.text for dated in facts.shown.dates if dated.mark == "modified" or dated.updated)
    texts = (*facts.page_head.every(*_MODIFIED), *facts.linked.modified, *marked)
    stamps = [stamp for text in texts if (stamp := iso(line(text, 200), facts.language))]
    around = (facts.shown.before_headline, facts.shown.lede)
    if shown := publication_date.revised(around, facts.language, month_first=facts.month_first):
        stamps.append(shown)
    latest = publication_date.latest(facts.read_on)
    return next((stamp for stamp in stamps if latest is None or stamp[:10] <= latest), None)


def _title(facts: PageFacts) -> str | None:
    page_head = facts.page_head
    declared = {
        "og": rich(page_head.first("og:title")),
        "ld": facts.linked.headline,
        "meta": next((text for name in _TITLES if (text := rich(page_head.first(name)))), None),
        "twitter": rich(page_head.first("twitter:title")),
        "element": next((text for item in page_head.titles if (text := line(item))), None),
        "name": facts.linked.name,
        "micro": rich(next(iter(facts.shown.names.get("headline", [])), None)),
    }
    return title.choose(declared, facts.shown.headings, facts.at)


def _authors(
    page_head: HeadDeclarations,
    linked: LinkedData,
    scene: MetadataScene,
    shown: VisibleMetadata,
    at: site_address.Site,
    language: str | None,
) -> Authors:
    """Return the byline and the names: declared ones first, unless they only repeat the site's name."""
    sources = (
        page_head.every(*_OG_AUTHORS),
        linked.authors,
        *map(page_head.every, _META_AUTHORS),
        _card_author(page_head),
    )
    declared = authors.best_declared([authors.declared_authors(source) for source in sources])
    declared_line = line(", ".join(declared))
    squeezed = {site_address.squeeze(name).removeprefix("the") for name in declared}
    site_names = _names_of_site(page_head, linked, at)
    if squeezed and not squeezed <= {*site_names, at.label}:
        if len(declared) > 1:
            return Authors(declared_line, authors.without_by(declared_line))
        return Authors(declared_line, authors.names(declared_line))
    around = "\n".join((shown.before_headline, shown.lede.partition("\n")[2]))
    byline, names = authors.shown_authors(
        [*scene.bylines(shown.linked), *authors.signed_lines(around, language)], language
    )
    # The label of the host may be a person's name: that of janedoe.example.
    is_label = squeezed == {at.label} and at.label not in site_names
    if byline and not (is_label and not authors.is_full_name(names)):
        return Authors(byline, names, shown=True)
    if is_label:
        return Authors(declared_line, authors.names(declared_line))
    return Authors(declared_line, declared_line)


def _names_of_site(page_head: HeadDeclarations, linked: LinkedData, at: site_address.Site) -> set[str]:
    """Return the names that the site gives itself, without spaces and signs."""
    declared = map(site_address.squeeze, (*page_head.every("og:site_name"), *linked.names_of_site))
    return {*at.names - {at.label}, *declared}


def _card_author(page_head: HeadDeclarations) -> list[str]:
    """Return the author on a Twitter card: `twitter:label1` is the label of `twitter:data1`."""
    pairs = ((page_head.first(f"twitter:label{n}"), page_head.first(f"twitter:data{n}")) for n in (1, 2))
    return [value for label, value in pairs if label and value and label.lower() in {"written by", "by", "author"}]


def _description(page_head: HeadDeclarations, linked: LinkedData) -> str | None:
    candidates = [page_head.first("og:description"), linked.description, *map(page_head.first, _DESCRIPTIONS)]
    return next((text for item in candidates if (text := prose(item))), None)


def _language(page_head: HeadDeclarations, linked: LinkedData, sample: str) -> str | None:
    declared = map(page_head.first, ("content-language", "dc:language", "language"))
    declarations = (
        page_head.root.get("lang"),
        page_head.root.get("xml:lang"),
        *declared,
        linked.language,
        page_head.first("og:locale"),
    )
    tags = [tag for value in declarations if (tag := site_address.language([value]))]
    return text_language.weighed(tags, sample)


def _sample(tree: LexborHTMLParser) -> str:
    """Return text of the page to tell its language by: its paragraphs, else all of it."""
    if tree.body is None:
        return ""
    text = " ".join(node.text() or "" for node in tree.css("p")[:MAX_SAMPLED])[:MAX_SAMPLE_CHARS]
    if len(text) > MIN_SAMPLE_CHARS:
        return text
    return (tree.body.text() or "")[:MAX_SAMPLE_CHARS]


def _pictures(
    page_head: HeadDeclarations,
    linked: LinkedData,
    shown: VisibleMetadata,
    base: str | None,
) -> tuple[str, ...]:
    og = page_head.every("og:image", "og:image:url", "og:image:secure_url")
    other = page_head.every(
        "twitter:image", "twitter:image:src", "sailthru:image:full", "parsely-image-url", "thumbnail"
    )
    shown_here = shown.names.get("image", [])
    return site_address.images([*og, *linked.images, *other, *page_head.links.get("image_src", []), *shown_here], base)
