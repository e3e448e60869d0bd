"""Counts the pictures with captions that are printed, on WCXB's pages.

    python benchmarks/pictures.py --data DIR [--every N] [--list]

DIR holds WCXB v1.0 (Murrough Foley, CC-BY-4.0): `html/NNNN.html.gz` and `ground-truth/NNNN.json`. A picture with a
caption is a `<figure>` that holds an `<img>`, or a box of WordPress called `wp-caption`, with words in its caption and
an address in its markup (some of the set's pages have lost those that scripts put in place). It belongs to the article
if the truth has its caption, or both of the paragraphs around it. The page is read with `images=True`; the picture is
printed if an address that its markup gives for it is the target of an image link, and its caption if the text has the
first words of that. Printed pictures with captions of which the truth has no paragraph beside them are counted, too:
those may be decoration.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote, urljoin, urlsplit

from selectolax.lexbor import LexborHTMLParser

from wellread import extract
from wellread.errors import WellreadError
from wellread.net.media_types import decode

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selectolax.lexbor import LexborNode

_WORD = re.compile(r"\w+")
_IMAGE_LINK = re.compile(r"!\[(?:[^\]\\]|\\.)*\]\(([^()\s]*(?:\([^()\s]*\)[^()\s]*)*)\)")
_SHORTEST_PARAGRAPH = 40
"""Characters: shorter lines are labels."""
_COMPARED_WORDS = 8


class Captioned(NamedTuple):
    """A picture with a caption on a page."""

    caption: str
    addresses: frozenset[str]
    """Paths that its markup names, with their hosts."""
    before: str
    """The words of the paragraph before it."""
    after: str


def words(text: str) -> str:
    """Return the words of `text` in lower case, with single spaces."""
    return " ".join(_WORD.findall(text.lower()))


def opening(text: str) -> str:
    """Return the first words of `text`."""
    return " ".join(_WORD.findall(text.lower())[:_COMPARED_WORDS])


def path(address: str) -> str:
    """Return host and path of an address, by which two spellings of it are compared."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return ""
    return unquote(f"{parts.netloc}{parts.path}")


def addresses(figure: LexborNode, url: str) -> frozenset[str]:
    """Return all that the attributes of the pictures in a figure may name."""
    nodes = figure.css("img, source, amp-img, [data-src]")
    attributes = [(name, value) for node in nodes for name, value in node.attributes.items() if value]
    values = [
        value
        for name, value in attributes
        if name not in {"alt", "title", "style", "class", "sizes"} and not value.startswith("data:")
    ]
    found = {part.strip(",") for value in values for part in value.split() if "/" in part or "." in part}
    return frozenset(path(joined) for part in found if (joined := _joined(url, part))) - {""}


def _joined(url: str, address: str) -> str:
    try:
        return urljoin(url, address)
    except ValueError:
        return ""


def captioned(tree: LexborHTMLParser, url: str) -> Iterator[Captioned]:
    """Yield the pictures with captions of a page, in order."""
    rows: list[tuple[str, str, frozenset[str]]] = []
    inside: set[int] = set()
    body = tree.body
    for node in body.traverse() if body is not None else ():
        if node.parent is not None and node.parent.mem_id in inside:
            inside.add(node.mem_id)
            continue
        classes = (node.attributes.get("class") or "").split()
        if node.tag == "figure" or (node.tag == "div" and "wp-caption" in classes):
            inside.add(node.mem_id)
            caption = node.css_first("figcaption, .wp-caption-text")
            text = words(caption.text(deep=True) or "") if caption is not None else ""
            if node.css_first("img") is not None and text and (found := addresses(node, url)):
                rows.append((text, "figure", found))
        elif node.tag == "p" and len(text := (node.text(deep=True) or "").strip()) >= _SHORTEST_PARAGRAPH:
            rows.append((words(text), "p", frozenset()))
    for at, (text, kind, found) in enumerate(rows):
        if kind == "figure":
            before = next((row[0] for row in reversed(rows[:at]) if row[1] == "p"), "")
            after = next((row[0] for row in rows[at + 1 :] if row[1] == "p"), "")
            yield Captioned(text, found, before, after)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--every", type=int, default=1, help="take every Nth page")
    parser.add_argument("--list", action="store_true", help="name the pictures of the article that are not printed")
    return parser.parse_args()


def main() -> None:
    """Print the counts."""
    asked = _arguments()
    total = printed = with_caption = images = foreign = pages = 0
    for file in sorted((asked.data / "html").glob("*.html.gz"))[:: asked.every]:
        body = gzip.decompress(file.read_bytes())
        if b"<figure" not in body and b"wp-caption" not in body and b"<img" not in body:
            continue
        truth = json.loads((asked.data / "ground-truth" / f"{file.name.split('.')[0]}.json").read_text("utf-8"))
        url = truth.get("url") or "https://example.com/"
        article = f" {words(truth['ground_truth'].get('main_content') or '')} "
        try:
            page = extract(body, url=url, images=True)
        except WellreadError:
            continue
        pages += 1
        targets = {path(found) for found in _IMAGE_LINK.findall(page.text)} - {""}
        images += len(targets)
        text = f" {words(page.text)} "
        source, _ = decode(body, None, html=True)
        for picture in captioned(LexborHTMLParser(source), url):
            around = [f" {opening(part)} " in article for part in (picture.before, picture.after) if part]
            belongs = f" {picture.caption} " in article or (len(around) == 2 and all(around))
            is_printed = not targets.isdisjoint(picture.addresses)
            foreign += is_printed and not belongs and not any(around)
            total += belongs
            printed += belongs and is_printed
            with_caption += belongs and is_printed and f" {opening(picture.caption)} " in text
            if asked.list and belongs and not is_printed:
                print(file.name.split(".")[0], picture.caption[:60], sorted(picture.addresses)[:2])
    print(f"{pages} pages; {images} pictures printed")
    print(
        f"of {total} pictures with captions in the articles {printed} are printed, {with_caption} with their captions"
    )
    print(f"{foreign} pictures with captions are printed that stand beside no paragraph of the truth")


if __name__ == "__main__":
    main()
