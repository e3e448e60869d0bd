"""What a page says about itself, read once and made safe: Open Graph, JSON-LD, meta, then the page's own elements.

Nothing is guessed: what no source says is None.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellread.types import Metadata
from wellread.web.metadata import elements, head, jsonld, people, place, title
from wellread.web.metadata.clean import key, line, prose, rich
from wellread.web.metadata.dates import day, iso

if TYPE_CHECKING:
    from collections.abc import Iterable

    from selectolax.lexbor import LexborHTMLParser

_OG_DATES = ("article:published_time", "og:article:published_time", "og:published_time", "og:pubdate")
_META_DATES_WORDS = """
article:published datepublished date pubdate pub_date publishdate publish-date publish_date published-date
publication_date publication-date dc:date:issued dcterms:issued dc:issued dcterms:created dc:date:created
dc:date dcterms:date parsely-pub-date sailthru:date citation_publication_date citation_online_date
citation_date article_date_original originalpublicationdate article:created cxenseparse:recs:publishtime
bt:pubdate rnews:datepublished release_date displaydate ptime pdate
"""
_META_DATES = _META_DATES_WORDS.split()
_MODIFIED_WORDS = """
article:modified_time og:article:modified_time og:updated_time og:modified_time article:modified
datemodified dcterms:modified dc:date:modified last-modified lastmod revised
"""
_MODIFIED = _MODIFIED_WORDS.split()
_TITLES = ("dc:title", "dcterms:title", "citation_title", "parsely-title", "sailthru:title", "twitter:title", "title")
_DESCRIPTIONS = ("description", "dc:description", "dcterms:description", "twitter:description", "sailthru:description")
_OG_AUTHORS = ("article:author", "og:article:author", "og:author", "book:author")
_META_AUTHORS_WORDS = "dc:creator dcterms:creator author citation_author parsely-author sailthru:author byl byline"
_META_AUTHORS = _META_AUTHORS_WORDS.split()


def read(tree: LexborHTMLParser, url: str | None) -> Metadata:
    """Return what the page in `tree` says about itself; `url` is where it came from, if that is known."""
    url = place.resolve(url, None)
    said = head.scan(tree)
    linked = jsonld.read(said.scripts)
    shown = elements.scan(tree)
    base = place.resolve(said.base, url) or url
    published, source = _published(said, linked, shown)
    pictures = _pictures(said, linked, shown, base)
    site = place.site_name([said.first("og:site_name"), *said.every("application-name")], linked.names_of_site)
    byline, author = _authors(said, linked, shown, site)
    return Metadata(
        title=_title(said, linked, shown, [site, *linked.names_of_site, author], url),
        byline=byline,
        author=author,
        description=_description(said, linked),
        published_date=published,
        published_source=source,
        modified_date=_first_date([*said.every(*_MODIFIED), *linked.modified, *shown.modified]),
        canonical_url=place.canonical([*said.links.get("canonical", []), *said.every("og:url")], base, url),
        language=_language(said, linked),
        direction=place.direction([said.root.get("dir"), said.body.get("dir")]),
        site_name=site,
        primary_image=pictures[0] if pictures else None,
        images=pictures,
    )


def _title(
    said: head.Head, linked: jsonld.Linked, shown: elements.Shown, sites: Iterable[str | None], url: str | None
) -> str | None:
    element = next((text for item in said.titles if (text := line(item))), None)
    headline = linked.name if linked.name in shown.headings else linked.headline
    declared = [rich(text) for text in (said.first("og:title"), headline, *map(said.first, _TITLES))]
    named = [*declared, _microdata(shown, "headline"), element, *shown.headings]
    wordings = [text for text in named if text]
    if not wordings:
        return None
    host, label = place.names_of_host(url)
    known = title.site([*sites, *host], label, front=place.is_front(url))
    return title.trim(wordings[0], shown.headings, wordings, known)


def _microdata(shown: elements.Shown, name: str) -> str | None:
    return rich(next(iter(shown.names.get(name, [])), None))


def _authors(
    said: head.Head, linked: jsonld.Linked, shown: elements.Shown, site: str | None
) -> tuple[str | None, str | None]:
    """Return the byline and the names: declared ones first, unless they only repeat the site's name."""
    sources = (
        said.every(*_OG_AUTHORS),
        linked.authors,
        *(said.every(name) for name in _META_AUTHORS),
        _card_author(said),
    )
    people_declared = next((found for source in sources if (found := people.declared(source))), [])
    sites = {key(name) for name in (site, *linked.names_of_site) if name}
    if people_declared and not all(key(name) in sites for name in people_declared):
        told = line(", ".join(people_declared))
        return told, told if len(people_declared) > 1 else people.names(told)
    byline, names = people.shown(shown.bylines)
    told = line(", ".join(people_declared))
    return (byline, names) if byline else (told, told)


def _card_author(said: head.Head) -> list[str]:
    """Return the author on a Twitter card: `twitter:label1` says what `twitter:data1` is."""
    pairs = ((said.first(f"twitter:label{n}"), said.first(f"twitter:data{n}")) for n in (1, 2))
    return [value for label, value in pairs if label and value and label.lower() in {"written by", "by", "author"}]


def _published(said: head.Head, linked: jsonld.Linked, shown: elements.Shown) -> tuple[str | None, str | None]:
    """Return the date of publication and where it was found, the strongest source first.

    Where Open Graph and JSON-LD disagree the earlier wins: publishing again does not undo the first time.
    """
    og, ld = _first_date(said.every(*_OG_DATES)), _first_date(linked.published)
    if og and ld:
        return (og, "og") if og[:10] <= ld[:10] else (ld, "json-ld")
    rest = (
        ("og", og),
        ("json-ld", ld),
        ("meta", _first_date(said.every(*_META_DATES))),
        ("time", _first_date(shown.published)),
    )
    found = next(((stamp, source) for source, stamp in rest if stamp), None)
    if found:
        return found
    lone = {day(stamp): stamp for text in shown.times if (stamp := iso(text)) and day(stamp)}
    if len(lone) == 1 and (said.first("og:type") or "").startswith("article"):
        return next(iter(lone.values())), "time"
    return None, None


def _first_date(texts: Iterable[str]) -> str | None:
    return next((found for text in texts if (found := iso(line(text, 200)))), None)


def _description(said: head.Head, linked: jsonld.Linked) -> str | None:
    told = [said.first("og:description"), linked.description, *map(said.first, _DESCRIPTIONS)]
    return next((text for item in told if (text := prose(item))), None)


def _language(said: head.Head, linked: jsonld.Linked) -> str | None:
    told = (
        said.root.get("lang"),
        said.root.get("xml:lang"),
        *map(said.first, ("content-language", "dc:language", "language")),
    )
    return place.language([*told, linked.language, said.first("og:locale")])


def _pictures(said: head.Head, linked: jsonld.Linked, shown: elements.Shown, base: str | None) -> tuple[str, ...]:
    og = said.every("og:image", "og:image:url", "og:image:secure_url")
    other = said.every("twitter:image", "twitter:image:src", "sailthru:image:full", "parsely-image-url", "thumbnail")
    shown_here = shown.names.get("image", [])
    return place.images([*og, *linked.images, *other, *said.links.get("image_src", []), *shown_here], base)
