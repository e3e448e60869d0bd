"""Measures main-content extraction on WCXB, ours beside the peers, in one run and one process.

    python benchmarks/extraction.py --data DIR [--aeb DIR] [--trafeval DIR] [--folds DIR] [--weights FILE] [--blanked]
        [--peers] [--rendering] [--speed] [--memory]

DIR holds the Web Content Extraction Benchmark (WCXB v1.0, Murrough Foley, CC-BY-4.0): `html/NNNN.html.gz` and
`ground-truth/NNNN.json`. Peers: `pip install -r benchmarks/requirements.txt`.

`--aeb` and `--trafeval` hold two sets of articles, measured by `article_sets.py` beside this file. `--folds` holds the
weights of a cross-validation (`benchmarks/reader/train.py --out`): each page is then read with weights that never saw
its domain, which is the only figure to quote. `--weights` reads all pages with one set of weights, to compare two
versions of them on pages that both may know. `--speed` times whole calls, from bytes to markdown with links and
metadata, beside a bare parse and trafilatura's same call; `--memory` tells the most that a process of each held.
`--rendering` counts the pages that would be sent to a browser, of those that are tagged as built by scripts and of the
rest (`shells.py`).

F1 is over the multiset of lower-cased words (`\\w+`) of the text output against `main_content`, averaged over pages.
`with` and `without` are the shares of the truth's snippets present in the output, words alone compared. CPU time is
`time.process_time` around each call, all tools on one page before the next page, so that noise falls on all alike.
"""

from __future__ import annotations

import argparse
import gzip
import itertools
import json
import re
import statistics
import sys
import time
from collections import Counter, defaultdict
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import article_sets
import blanked
import shells
import timing

from wellread.errors import WellreadError
from wellread.extraction.html import HtmlExtractor
from wellread.extraction.learned_selector import LearnedSelector
from wellread.net.media_types import decode
from wellread.output import print_document
from wellread.types import Source

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from wellread.types import Document, Extraction, Mode

Tool = tuple[str, "Callable[[bytes, str | None, str], str]"]
WORD = re.compile(r"\w+")


class Truth(NamedTuple):
    """One page and what should come out of it."""

    name: str
    kind: str
    url: str | None
    body: bytes
    words: Counter[str]
    wanted: tuple[str, ...]
    unwanted: tuple[str, ...]
    english: bool | None
    """By what the page declares; None where it declares nothing."""
    spa: bool
    """Tagged as an application that scripts build: the truth is empty."""


class Score(NamedTuple):
    """How one tool did on one page."""

    f1: float
    precision: float
    recall: float
    wanted: float | None
    unwanted: float | None
    cpu_ms: float
    english: bool | None
    """As its page."""


def pages(data: Path, limit: int | None) -> Iterator[Truth]:
    for path in sorted((data / "html").glob("*.html.gz"))[:limit]:
        name = path.name.split(".")[0]
        told = json.loads((data / "ground-truth" / f"{name}.json").read_text(encoding="utf-8"))
        truth = told["ground_truth"]
        body = gzip.decompress(path.read_bytes())
        kind = told.get("_internal", {}).get("page_type") or truth.get("page_type") or "unknown"
        yield Truth(
            name,
            kind["primary"] if isinstance(kind, dict) else kind,
            told.get("url"),
            body,
            Counter(words(truth.get("main_content") or "")),
            tuple(folded(text) for text in truth.get("with") or ()),
            tuple(folded(text) for text in truth.get("without") or ()),
            article_sets.is_english(body),
            bool(told.get("_internal", {}).get("spa")),
        )


def words(text: str) -> list[str]:
    return WORD.findall(text.lower())


def folded(text: str) -> str:
    return " ".join(words(text))


def score(text: str, truth: Truth, cpu_s: float) -> Score:
    found = Counter(words(text))
    shared = sum((found & truth.words).values())
    precision = shared / max(1, sum(found.values()))
    recall = shared / max(1, sum(truth.words.values()))
    f1 = 2 * precision * recall / (precision + recall) if shared else float(not found and not truth.words)
    flat = f" {folded(text)} "
    wanted, unwanted = (
        sum(f" {snippet} " in flat for snippet in snippets) / len(snippets) if snippets else None
        for snippets in (truth.wanted, truth.unwanted)
    )
    return Score(f1, precision, recall, wanted, unwanted, cpu_s * 1000, truth.english)


# ----------------------------------------------------------------------------------------------- tools


class Readers:
    """Our extractors: one with the weights in the package, or one for each fold."""

    def __init__(self, folds: Path | None, weights: Path | None = None, *, blank: bool = False) -> None:
        selector = blanked.selector if blank else LearnedSelector
        self._default = HtmlExtractor(selector(weights))
        self._of: dict[str, int] = {}
        self._folds: dict[int, HtmlExtractor] = {}
        if folds:
            self._of = json.loads((folds / "folds.json").read_text(encoding="utf-8"))
            paths = {number: folds / f"fold-{number}.npz" for number in set(self._of.values())}
            self._folds = {number: HtmlExtractor(selector(path)) for number, path in paths.items()}

    def read(self, page: str, body: bytes, url: str | None, mode: Mode = "balanced") -> Document:
        """Return the content of a page, named as `wcxb/0001`; nothing when there is none."""
        try:
            return self.extract(page, body, url, mode).document
        except WellreadError:
            return ()

    def extract(self, page: str, body: bytes, url: str | None, mode: Mode = "balanced") -> Extraction:
        """Return what is read of a page.

        Raises:
            Empty: it shows no text.
        """
        extractor = self._folds[self._of[page]] if page in self._of else self._default
        return extractor.extract(Source(body=body, media_type="text/html", url=url, mode=mode))


def ours(readers: Readers) -> Tool:
    def run(body: bytes, url: str | None, page: str) -> str:
        return print_document(readers.read(f"wcxb/{page}", body, url), "text").text

    return f"wellread {version('wellread')}", run


def peers() -> list[Tool]:
    """Return the peers, each called as its README shows, on text decoded by us."""
    import readability
    import trafilatura
    from resiliparse.extract.html2text import extract_plain_text

    def with_trafilatura(body: bytes, url: str | None, _page: str) -> str:
        return trafilatura.extract(decode(body, None, html=True)[0], url=url) or ""

    def with_readability(body: bytes, url: str | None, _page: str) -> str:
        document: Any = readability.Document(decode(body, None, html=True)[0], url=url)  # Any: the peer is untyped
        tree = document.summary(html_partial=True)
        return re.sub(r"<[^>]+>", " ", tree)

    def with_resiliparse(body: bytes, _url: str | None, _page: str) -> str:
        return str(extract_plain_text(decode(body, None, html=True)[0], main_content=True, alt_texts=False))

    return [
        (f"trafilatura {version('trafilatura')}", with_trafilatura),
        (f"readability-lxml {version('readability-lxml')}", with_readability),
        (f"resiliparse {version('resiliparse')}", with_resiliparse),
    ]


def measured(tool: Tool, truth: Truth) -> Score:
    began = time.process_time()
    try:
        text = tool[1](truth.body, truth.url, truth.name)
    except Exception as error:  # noqa: BLE001 - a peer's crash is a score of nought, not the end of the run
        print(f"{tool[0]} failed on {truth.name}: {error!r}"[:200], file=sys.stderr)
        text = ""
    return score(text, truth, time.process_time() - began)


# ---------------------------------------------------------------------------------------------- report


def mean(values: list[float]) -> float:
    return statistics.fmean(values) if values else 0.0


def report(scores: dict[str, dict[str, list[Score]]], count: int) -> None:
    names = list(scores)
    kinds = sorted(next(iter(scores.values())), key=lambda kind: -len(scores[names[0]][kind]))
    print(f"\nWCXB, {count} pages: mean F1 by page type")
    print(f"{'':20}{'pages':>6}" + "".join(f"{name:>26}" for name in names))
    for kind in kinds:
        cells = "".join(f"{mean([one.f1 for one in scores[name][kind]]):26.4f}" for name in names)
        print(f"{kind:20}{len(scores[names[0]][kind]):6}{cells}")
    every = {name: [one for kind in kinds for one in scores[name][kind]] for name in names}
    rows: dict[str, Callable[[list[Score]], str]] = {
        "all pages, F1": lambda all_: f"{mean([one.f1 for one in all_]):.4f}",
        "precision": lambda all_: f"{mean([one.precision for one in all_]):.4f}",
        "recall": lambda all_: f"{mean([one.recall for one in all_]):.4f}",
        "with (share kept)": lambda all_: f"{mean([one.wanted for one in all_ if one.wanted is not None]):.4f}",
        "without (leaked)": lambda all_: f"{mean([one.unwanted for one in all_ if one.unwanted is not None]):.4f}",
        "F1, declared English": lambda all_: f"{mean([one.f1 for one in all_ if one.english]):.4f}",
        "F1, another language": lambda all_: f"{mean([one.f1 for one in all_ if one.english is False]):.4f}",
        "CPU ms, mean": lambda all_: f"{mean([one.cpu_ms for one in all_]):.2f}",
        "CPU ms, median": lambda all_: f"{statistics.median(one.cpu_ms for one in all_):.2f}",
        "CPU ms, slowest": lambda all_: f"{max(one.cpu_ms for one in all_):.0f}",
    }
    others = sum(one.english is False for one in every[names[0]])
    print(f"{sum(bool(one.english) for one in every[names[0]])} pages declare English, {others} another language")
    for label, value in rows.items():
        print(f"{label:26}" + "".join(f"{value(every[name]):>26}" for name in names))
    own = mean([one.cpu_ms for one in every[names[0]]])
    for name in names[1:]:
        print(f"{names[0]} takes {own / mean([one.cpu_ms for one in every[name]]):.2f} of the CPU time of {name}")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True, help="folder of WCXB: html/ and ground-truth/")
    parser.add_argument("--aeb", type=Path, help="folder of AEB: html/ and ground-truth.json")
    parser.add_argument("--trafeval", type=Path, help="folder of trafilatura's set: html/ and evaldata.json")
    parser.add_argument("--folds", type=Path, help="folder of cross-validated weights")
    parser.add_argument("--weights", type=Path, help="weights for pages of no fold, instead of those in the package")
    parser.add_argument("--blanked", action="store_true", help="read without words and names: see blanked.py")
    parser.add_argument("--speed", action="store_true", help="time whole calls on every fifth page")
    parser.add_argument("--memory", action="store_true", help="measure the memory of a process that reads every fifth")
    parser.add_argument("--rendering", action="store_true", help="count the pages that would be sent to a browser")
    parser.add_argument("--peers", action="store_true", help="measure the peers as well")
    parser.add_argument("--limit", type=int, help="only the first N pages")
    parser.add_argument("--per-page", type=Path, help="write one line of figures per page to this file")
    return parser.parse_args()


def main() -> None:
    options = _options()
    readers = Readers(options.folds, options.weights, blank=options.blanked)
    tools = [ours(readers), *(peers() if options.peers else [])]
    scores: dict[str, dict[str, list[Score]]] = {name: defaultdict(list) for name, _ in tools}
    lines = []
    count = 0
    for truth in pages(options.data, options.limit):
        for tool in tools:
            one = measured(tool, truth)
            scores[tool[0]][truth.kind].append(one)
            lines.append(f"{truth.name}\t{truth.kind}\t{tool[0]}\t{one.f1:.4f}\t{one.cpu_ms:.2f}\t{truth.url}\n")
        count += 1
    report(scores, count)
    for mode in ("balanced", "precision"):
        if options.aeb:
            print(article_sets.aeb(options.aeb, readers.read, mode))
        if options.trafeval:
            print(article_sets.trafeval(options.trafeval, readers.read, mode))
    if options.rendering:
        shells.report(readers.extract, pages(options.data, options.limit))
    if options.speed:
        timing.report(truth.body for truth in itertools.islice(pages(options.data, options.limit), 0, None, 5))
    if options.memory:
        timing.peaks([truth.body for truth in itertools.islice(pages(options.data, options.limit), 0, None, 5)])
    if options.per_page:
        options.per_page.write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
