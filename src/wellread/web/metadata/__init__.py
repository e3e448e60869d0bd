"""What a page says about itself, read once and made safe: Open Graph, JSON-LD, meta, then the page's own elements.

Where sources differ, what they have in common and where they stand decides (`choice`); what no source says is None.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from wellread.dates import iso, within
from wellread.types import Metadata
from wellread.web.metadata import head, jsonld, people, place, published, text_language, title, weights
from wellread.web.metadata.choice import best
from wellread.web.metadata.clean import key, line, prose, rich
from wellread.web.metadata.shown import WANTED, Scene, is_hidden

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

    from wellread.web.metadata.choice import Candidate
    from wellread.web.metadata.shown import Hides, Shown

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
    """Who wrote: as the page words it, and the names alone."""

    byline: str | None = None
    names: str | None = None
    shown: bool = False
    """The page does not declare them: they stand on it, and on a page of many things may be those of one."""


@dataclass(frozen=True, slots=True)
class Told:
    """All that a page tells about itself, before anything is chosen."""

    said: head.Head
    linked: jsonld.Linked
    shown: Shown
    scene: Scene
    url: str | None
    site: str | None
    at: place.Site
    language: str | None
    """What is declared, by which bylines and days are read."""
    spoken: str | None
    """The language of the text."""
    authors: Authors
    read_on: str | None = None

    @property
    def is_headed(self) -> bool:
        """A byline stands right below the headline: what the page shows of author and day is its own."""
        return people.is_headed(self.shown.lede, self.language)


def look(tree: LexborHTMLParser, url: str | None, hides: Hides = is_hidden, *, read_on: str | None = None) -> Told:
    """Gather what the page in `tree` declares and shows.

    `url` is where it came from, if that is known; `hides` tells of an element, with its tag and its attributes, that
    nobody sees what is in it. `read_on` is the day of the reading (ISO 8601).
    """
    declaring: list[LexborNode] = []
    showing: list[LexborNode] = []
    for node in tree.css(f"{head.WANTED}, {WANTED}")[:MAX_ELEMENTS]:
        declares = node.tag == "base" or (node.tag in head.TAGS and "itemprop" not in node.attributes)
        (declaring if declares else showing).append(node)
    said = head.scan(tree, declaring)
    linked = jsonld.read(said.scripts)
    scene = Scene(tree.body, showing, hides)
    shown = scene.look()
    site = place.site_name([said.first("og:site_name"), *said.every("application-name")], linked.names_of_site)
    scene.around(shown, key(" ".join([*said.titles[:1], said.first("og:title") or ""])[:2_000]))
    address = place.resolve(url, None)
    own = address or place.canonical([*said.links.get("canonical", []), *said.every("og:url")], None, None)
    titles = {place.squeeze(text) for text in (said.first("og:title"), *said.titles[:1]) if text}
    at = place.site(own, [site, *linked.names_of_site], titles)
    sample = _sample(tree)
    language = _language(said, linked, sample)
    spoken = text_language.spoken(language, sample)
    authors = _authors(said, linked, scene, shown, at, language)
    return Told(said, linked, shown, scene, address, site, at, language, spoken, authors, read_on)


def days(told: Told) -> list[Candidate]:
    """Return all that may be the date of publication, with what marks it; the empty one stands for none.

    Elements that only their class calls a date are slow to find and often a teaser's: they are looked for where the
    address is that of a story and no other day is told than in meta elements.
    """
    said, linked, shown = told.said, told.linked, told.shown
    dates = [
        *(("og", text) for text in said.every(*_OG_DATES)),
        *(("json-ld", text) for text in linked.published),
        *(("page", text) for text in linked.page_published),
        *(("meta", text) for text in said.every(*_META_DATES)),
        *_shown_days(shown),
        *(("later", text) for text in (*said.every(*_MODIFIED), *linked.modified)),
        *(("", stamp) for stamp in told.scene.stamps()),
    ]
    around, signed = (shown.eve, shown.lede), told.authors.names is not None
    latest = published.latest(told.read_on)
    found = published.candidates(dates, around, told.language, told.url, told.at, signed=signed, latest=latest)
    if len(told.at.slug) > 1 and {published.source(one) for one in found} <= {"meta", None}:
        only = {stamp for stamp, _ in within(told.scene.classed(), language=told.language)}
        dates += (("class", stamp) for stamp in only if len(only) == 1)  # lists of other stories tell several days
        return published.candidates(dates, around, told.language, told.url, told.at, signed=signed, latest=latest)
    return found


def _shown_days(shown: Shown) -> list[tuple[str, str]]:
    """Return the days that elements show, with their marks: what words call a revision is one beside another day."""
    others = any(not dated.updated and dated.mark != "modified" for dated in shown.dates)
    return [("modified" if dated.updated and others else dated.mark, dated.text) for dated in shown.dates]


def chosen(told: Told) -> Metadata:
    """Return what a page says about itself, of all that it tells."""
    said, linked, shown = told.said, told.linked, told.shown
    base = place.resolve(said.base, told.url) or told.url
    on = best(days(told), weights.PUBLISHED)
    where = published.source(on)
    pictures = _pictures(said, linked, shown, base)
    return Metadata(
        title=_title(told),
        byline=told.authors.byline,
        author=told.authors.names,
        description=_description(said, linked),
        published_date=on.value if where else None,
        published_source=where,
        modified_date=_modified(told),
        canonical_url=place.canonical([*said.links.get("canonical", []), *said.every("og:url")], base, told.url),
        language=told.spoken,
        direction=place.direction([said.root.get("dir"), said.body.get("dir")]),
        site_name=told.site,
        primary_image=pictures[0] if pictures else None,
        images=pictures,
    )


def _modified(told: Told) -> str | None:
    """Return the day of the last revision: declared, marked by an element, or told around the headline."""
    marked = (dated.text for dated in told.shown.dates if dated.mark == "modified" or dated.updated)
    texts = (*told.said.every(*_MODIFIED), *told.linked.modified, *marked)
    stamps = [stamp for text in texts if (stamp := iso(line(text, 200), told.language))]
    if shown := published.revised((told.shown.eve, told.shown.lede), told.language):
        stamps.append(shown)
    latest = published.latest(told.read_on)
    return next((stamp for stamp in stamps if latest is None or stamp[:10] <= latest), None)


def _title(told: Told) -> str | None:
    said = told.said
    declared = {
        "og": rich(said.first("og:title")),
        "ld": told.linked.headline,
        "meta": next((text for name in _TITLES if (text := rich(said.first(name)))), None),
        "twitter": rich(said.first("twitter:title")),
        "element": next((text for item in said.titles if (text := line(item))), None),
        "name": told.linked.name,
        "micro": rich(next(iter(told.shown.names.get("headline", [])), None)),
    }
    return title.choose(declared, told.shown.headings, told.at)


def _authors(
    said: head.Head, linked: jsonld.Linked, scene: Scene, shown: Shown, at: place.Site, language: str | None
) -> Authors:
    """Return the byline and the names: declared ones first, unless they only repeat the site's name."""
    sources = (said.every(*_OG_AUTHORS), linked.authors, *map(said.every, _META_AUTHORS), _card_author(said))
    declared = next((found for source in sources if (found := people.declared(source))), [])
    sites = {*at.names - {at.label}, *map(place.squeeze, (*said.every("og:site_name"), *linked.names_of_site))}
    line_told = line(", ".join(declared))
    if declared and not all(place.squeeze(name).removeprefix("the") in sites for name in declared):
        return Authors(line_told, people.unsigned(line_told) if len(declared) > 1 else people.names(line_told))
    around = "\n".join((shown.eve, shown.lede.partition("\n")[2]))
    byline, names = people.shown([*scene.bylines(shown.linked), *people.signed(around, language)], language)
    return Authors(byline, names, shown=True) if byline else Authors(line_told, line_told)


def _card_author(said: head.Head) -> list[str]:
    """Return the author on a Twitter card: `twitter:label1` says what `twitter:data1` is."""
    pairs = ((said.first(f"twitter:label{n}"), said.first(f"twitter:data{n}")) for n in (1, 2))
    return [value for label, value in pairs if label and value and label.lower() in {"written by", "by", "author"}]


def _description(said: head.Head, linked: jsonld.Linked) -> str | None:
    told = [said.first("og:description"), linked.description, *map(said.first, _DESCRIPTIONS)]
    return next((text for item in told if (text := prose(item))), None)


def _language(said: head.Head, linked: jsonld.Linked, sample: str) -> str | None:
    declared = map(said.first, ("content-language", "dc:language", "language"))
    told = (said.root.get("lang"), said.root.get("xml:lang"), *declared, linked.language, said.first("og:locale"))
    tags = [tag for value in told if (tag := place.language([value]))]
    return text_language.weighed(tags, sample)


def _sample(tree: LexborHTMLParser) -> str:
    """Return text of the page to tell its language by: its paragraphs, else all of it."""
    paragraphs = tree.css("p")[:MAX_SAMPLED] if tree.body is not None else []
    text = " ".join(node.text() or "" for node in paragraphs)[:MAX_SAMPLE_CHARS]
    return text if len(text) > MIN_SAMPLE_CHARS or tree.body is None else (tree.body.text() or "")[:MAX_SAMPLE_CHARS]


def _pictures(said: head.Head, linked: jsonld.Linked, shown: Shown, base: str | None) -> tuple[str, ...]:
    og = said.every("og:image", "og:image:url", "og:image:secure_url")
    other = said.every("twitter:image", "twitter:image:src", "sailthru:image:full", "parsely-image-url", "thumbnail")
    shown_here = shown.names.get("image", [])
    return place.images([*og, *linked.images, *other, *said.links.get("image_src", []), *shown_here], base)
