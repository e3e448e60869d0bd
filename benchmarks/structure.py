"""Measures the structure of markdown on WCXB, ours beside trafilatura's, in one run.

    python benchmarks/structure.py --data DIR [--folds DIR] [--peers] [--limit N]
    python benchmarks/structure.py --data DIR --kind "code block" --list

With `--folds` (weights of `benchmarks/reader/train.py --out`) each page is read with weights that never saw its domain.
DIR holds WCXB v1.0 (Murrough Foley, CC-BY-4.0): `html/NNNN.html.gz` and `ground-truth/NNNN.json`; the files that have
`main_content_markdown` count. Both sides are parsed by markdown-it and taken apart by kind: headings, list items (each
without the lists inside it), table rows (cells in order), code blocks, links (words and URL), paragraphs. Per kind: F1
of the multisets of normalised texts (lower case, words alone; code with its white space folded; URLs resolved against
the page's, for some truths have relative ones, and an empty path as `/`, RFC 3986, 6.2.3), over the pages whose truth
has the kind. A page's score is the mean over its kinds.

`--list` prints for each page with the parts of one `--kind` which ones the truth or our text alone has, with a likely
cause, and how many parts have each cause. Many truths of WCXB have lost code fences, comment signs or links: there the
words stand in the truth as text.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import statistics
from collections import Counter, defaultdict
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

from extraction import Readers
from markdown_it import MarkdownIt

from wellread.net.media_types import decode
from wellread.output import print_document

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from markdown_it.token import Token

    Tool = tuple[str, Callable[[bytes, str, str], str]]
    Parts = dict[str, Counter[str]]

KINDS = ("heading", "list item", "table row", "code block", "link", "paragraph")
_WORD = re.compile(r"\w+")
_SHOWN = 110
"""Characters of a part in a list."""
_MARKDOWN = MarkdownIt("commonmark").enable("table")


def parts(markdown: str, page: str) -> Parts:
    """Take a document apart by kind; `page` is the address of the page it was made of."""
    apart = _Apart(page)
    before = ""
    for token in _MARKDOWN.parse(markdown):
        apart.take(token, before)
        before = token.type
    return apart.found


class _Apart:
    def __init__(self, page: str) -> None:
        self.page = page
        self.found: Parts = {kind: Counter() for kind in KINDS}
        self.items: list[list[str]] = []
        self.row: list[str] | None = None

    def take(self, token: Token, before: str) -> None:
        if token.type == "list_item_open":
            self.items.append([])
        elif token.type == "list_item_close":
            _add(self.found["list item"], " ".join(self.items.pop()))
        elif token.type == "tr_open":
            self.row = []
        elif token.type == "tr_close":
            _add(self.found["table row"], " | ".join(self.row or ()))
            self.row = None
        elif token.type in {"fence", "code_block"}:
            self.found["code block"][" ".join(token.content.split())] += 1
        elif token.type == "inline":
            self._take_text(token, before)

    def _take_text(self, token: Token, before: str) -> None:
        text = _words(token.children or ())
        if self.row is not None:
            self.row.append(text)
        elif before == "heading_open":
            _add(self.found["heading"], text)
        elif self.items:
            self.items[-1].append(text)
        else:
            _add(self.found["paragraph"], text)
        self.found["link"].update(_links(token.children or (), self.page))


def _add(counter: Counter[str], text: str) -> None:
    if text.strip(" |"):
        counter[text] += 1


def _words(tokens: Sequence[Token]) -> str:
    text = "".join(_text(token) for token in tokens)
    return " ".join(_WORD.findall(text.lower()))


def _text(token: Token) -> str:
    if token.type in {"softbreak", "hardbreak"}:
        return " "
    return token.content if token.type in {"text", "code_inline"} else ""


def _links(tokens: Sequence[Token], page: str) -> Iterator[str]:
    open_at: int | None = None
    for at, token in enumerate(tokens):
        if token.type == "link_open":
            open_at = at
        elif token.type == "link_close" and open_at is not None:
            words = _words(tokens[open_at:at])
            if words:
                yield f"{words} -> {_address(urljoin(page, str(tokens[open_at].attrs['href'])))}"
            open_at = None


def _address(url: str) -> str:
    """Return a URL as links are compared by: without its fragment and the last slash, with a path before a query."""
    place = urlsplit(url)._replace(fragment="")
    if place.netloc and place.query and not place.path:
        place = place._replace(path="/")
    return place.geturl().rstrip("/").lower()


def f1(found: Counter[str], truth: Counter[str]) -> float:
    shared = (found & truth).total()
    return 2 * shared / (found.total() + truth.total()) if shared else 0.0


# ------------------------------------------------------------------------------------------------ causes


def cause(part: str, others: Counter[str], text: str, kind: str) -> str:
    """Return why a part has no equal on the other side.

    `others` are the parts that the other side alone has, `text` the words of its whole document.
    """
    words, _, url = part.partition(" -> ") if kind == "link" else (part, "", "")
    label = _fold(words)
    for other in others:
        other_words, _, other_url = other.partition(" -> ") if kind == "link" else (other, "", "")
        other_label = _fold(other_words)
        if kind == "link" and url == other_url:
            return "same URL, other words"
        if label == other_label:
            return "same words, other URL" if kind == "link" else "same words, other signs"
        if kind != "link" and label and other_label and (label in other_label or other_label in label):
            return "longer on one side"
    if f" {label} " in f" {text} ":
        return f"words without a {kind}"
    return "words not there"


def _fold(text: str) -> str:
    return " ".join(_WORD.findall(text.lower()))


def listing(page: str, kind: str, sides: tuple[str, str], parts_of: tuple[Counter[str], Counter[str]]) -> list[str]:
    """Return lines on the parts of a page that the truth or our text alone has; `sides` are the two documents."""
    truth, ours = parts_of
    lines = [f"{page}  F1 {f1(ours, truth):.3f}  truth {truth.total()}, ours {ours.total()}"]
    lost, added = truth - ours, ours - truth
    for sign, side, alone, others, text in (
        ("-", "truth only", lost, added, sides[1]),
        ("+", "ours only", added, lost, sides[0]),
    ):
        words = _fold(text)
        lines += [
            f"  {sign} {side}: {cause(part, others, words, kind)}: {part[:_SHOWN]}"
            for part, count in alone.items()
            for _ in range(count)
        ]
    return lines


# ----------------------------------------------------------------------------------------------- tools


def ours(readers: Readers) -> Tool:
    def run(body: bytes, url: str, page: str) -> str:
        return print_document(readers.read(f"wcxb/{page}", body, url), "markdown").text

    return f"wellread {version('wellread')}", run


def peers() -> list[Tool]:
    import trafilatura

    def with_trafilatura(body: bytes, url: str, _page: str) -> str:
        text = decode(body, None, html=True)[0]
        return (
            trafilatura.extract(text, url=url, output_format="markdown", include_links=True, include_formatting=True)
            or ""
        )

    return [(f"trafilatura {version('trafilatura')}", with_trafilatura)]


# ---------------------------------------------------------------------------------------------- report


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True, help="folder of WCXB: html/ and ground-truth/")
    parser.add_argument("--folds", type=Path, help="folder of cross-validated weights")
    parser.add_argument("--peers", action="store_true", help="measure trafilatura as well")
    parser.add_argument("--limit", type=int, help="only the first N pages")
    parser.add_argument("--per-page", type=Path, help="write one line of figures per page to this file")
    parser.add_argument("--kind", choices=KINDS, help="the kind of which --list prints the parts")
    parser.add_argument("--list", action="store_true", help="print the parts of one kind that only one side has")
    options = parser.parse_args()
    if options.list and not options.kind:
        parser.error("--list needs a --kind")
    return options


def main() -> None:
    options = _arguments()
    causes: Counter[str] = Counter()
    tools = [ours(Readers(options.folds)), *(peers() if options.peers else [])]
    scores: dict[str, dict[str, list[float]]] = {name: defaultdict(list) for name, _ in tools}
    lines = []
    for path in sorted((options.data / "ground-truth").glob("*.json"))[: options.limit]:
        told = json.loads(path.read_text(encoding="utf-8"))
        url = told.get("url") or ""
        markdown = told["ground_truth"].get("main_content_markdown") or ""
        truth = parts(markdown, url)
        kinds = [kind for kind in KINDS if truth[kind]]
        if not kinds or (options.list and options.kind not in kinds):
            continue
        body = gzip.decompress((options.data / "html" / f"{path.stem}.html.gz").read_bytes())
        for name, run in tools:
            text = run(body, url, path.stem)
            found = parts(text, url)
            if options.list:
                listed = listing(path.stem, options.kind, (markdown, text), (truth[options.kind], found[options.kind]))
                print("\n".join(listed))
                causes.update(": ".join(line.split(": ")[:2]).strip() for line in listed[1:])
            by_kind = {kind: f1(found[kind], truth[kind]) for kind in kinds}
            for kind, value in by_kind.items():
                scores[name][kind].append(value)
            scores[name]["page"].append(statistics.fmean(by_kind.values()))
            shown = "\t".join(f"{kind}={value:.3f}" for kind, value in by_kind.items())
            lines.append(f"{path.stem}\t{name}\t{statistics.fmean(by_kind.values()):.3f}\t{shown}\n")
    for told_cause, count in causes.most_common():
        print(f"{count:7}  {told_cause}")
    names = list(scores)
    print(f"{'':12}{'pages':>7}" + "".join(f"{name:>22}" for name in names))
    for kind in ("page", *KINDS):
        cells = "".join(f"{statistics.fmean(scores[name][kind] or [0.0]):22.4f}" for name in names)
        print(f"{kind:12}{len(scores[names[0]][kind]):7}{cells}")
    if options.per_page:
        options.per_page.write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
