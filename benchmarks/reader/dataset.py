"""Builds the training set: every page of the four sets walked, labelled and measured, in one file.

    python benchmarks/reader/dataset.py --data DIR --out pages.pickle

DIR holds `wcxb/`, `aeb/` and `trafeval/`, each as its authors publish it, and `news/`, test pages of fundus with what
its parsers find in them (docs/reader.md names the sets and their authors). Made pages are added: small ones of the
texts of WCXB, and news pages in many languages.
"""

from __future__ import annotations

import argparse
import gzip
import json
import pickle
import sys
import time
from collections import defaultdict
from itertools import chain
from multiprocessing import Pool
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from zlib import crc32

import made_news
import numpy as np
import tldextract
from examples import FOLDS, Example, fold_of
from labels import labelled, words
from made import Maker, Pools
from selectolax.lexbor import LexborHTMLParser

from wellread.extraction.features import page_features
from wellread.extraction.html import PageVisibility, parse_page
from wellread.extraction.vocabulary import Vocabulary, element_names, head_and_tail_words, kind_key
from wellread.net.media_types import decode
from wellread.seen import names
from wellread.types import Style

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    from wellread.segmentation.boxes import Walked

_MADE = 1_000
"""Small pages made up."""
_MADE_NEWS = 13
"""News pages made up in each language."""
_NEWS_SEED = 7
_LEAST_NAME_SITES = 12
_LEAST_WORD_SITES = 12
_IMAGE = int(Style.IMAGE)
_domain = tldextract.TLDExtract(suffix_list_urls=(), cache_dir=None)


class Raw(NamedTuple):
    """A page and what its set says of it."""

    source: str
    """wcxb, aeb, trafeval or news."""
    name: str
    url: str
    path: str
    kind: str
    truth: str | None
    wanted: tuple[str, ...] = ()
    unwanted: tuple[str, ...] = ()
    site: str = ""
    """Its registered domain, where it is not that of its address."""

    def body(self) -> bytes:
        return gzip.decompress(Path(self.path).read_bytes())

    def domain(self) -> str:
        if self.site:
            return self.site
        found = _domain(self.url or self.name)
        return found.top_domain_under_public_suffix or found.domain or self.name


def wcxb(data: Path) -> Iterator[Raw]:
    for path in sorted((data / "wcxb" / "html").glob("*.html.gz")):
        name = path.name.split(".")[0]
        told = json.loads((data / "wcxb" / "ground-truth" / f"{name}.json").read_text(encoding="utf-8"))
        truth = told["ground_truth"]
        kind = told["_internal"]["page_type"]["primary"]
        yield Raw("wcxb", name, told.get("url") or "", str(path), kind, truth.get("main_content") or "")


def aeb(data: Path) -> Iterator[Raw]:
    told = json.loads((data / "aeb" / "ground-truth.json").read_text(encoding="utf-8"))
    for name, truth in told.items():
        path = data / "aeb" / "html" / f"{name}.html.gz"
        yield Raw("aeb", name, truth.get("url") or "", str(path), "article", truth.get("articleBody") or "")


def trafeval(data: Path) -> Iterator[Raw]:
    told = json.loads((data / "trafeval" / "evaldata.json").read_text(encoding="utf-8"))
    for url, truth in told.items():
        path = data / "trafeval" / "html" / f"{truth['file']}.gz"
        if path.exists():
            wanted, unwanted = (tuple(truth.get(kind_key) or ()) for kind_key in ("with", "without"))
            yield Raw("trafeval", truth["file"], url, str(path), "", None, wanted, unwanted)


def news(data: Path) -> Iterator[Raw]:
    """Yield the pages of the set; all those of a publisher have the domain of its first page."""
    sites: dict[str, str] = {}
    for page in json.loads((data / "news" / "truth.json").read_text(encoding="utf-8")):
        name, publisher = page["id"], page["publisher"]
        path = data / "news" / "html" / f"{name}.html.gz"
        raw = Raw("news", name, page["url"], str(path), "article", page["text"])
        yield raw._replace(site=sites.setdefault(publisher, raw.domain()))


def seen(raw: Raw) -> Walked:
    text, _ = decode(raw.body(), None, html=True)
    sight = PageVisibility(parse_page(text), text)
    page = sight.walked()
    chars = sum(leaf.chars for leaf in page.leaves)
    titled = any(leaf.heading == 1 for leaf in page.leaves)
    if chars < 200 or (not titled and page.withheld > 3 * chars):
        page = sight.walked(lenient=True)
    return page


def texts(page: Walked) -> list[str]:
    return ["".join(span.text for span in leaf.spans if not span.style & _IMAGE) for leaf in page.leaves]


def named(tag: str, attributes: Mapping[str, str | None]) -> set[str]:
    """Return what an element is called: `<tag`, the words of its names, and `role=`, as `Vocabulary` knows it."""
    of, role = kind_key(tag, attributes), attributes.get("role")
    return {
        f"<{tag}",
        *(word for one in element_names(of) for word in names.split(one)),
        *([f"role={role}"] if role else []),
    }


def vocabulary_of(raw: Raw) -> tuple[str, set[str], set[str]]:
    page = seen(raw)
    boxes = ((box.tag, box.attributes) for box in page.boxes if box.items)
    called = chain(boxes, *(leaf.inner for leaf in page.leaves))
    names = set().union(*(named(*one) for one in called))
    return raw.domain(), names, {word for text in texts(page) for word in head_and_tail_words(text)}


def vocabulary(pages: list[Raw], pool: Any) -> tuple[list[str], list[str]]:  # Any: multiprocessing's own type
    """Return the names and words that enough sites use: no site's own habits, and no label is looked at."""
    names: dict[str, set[str]] = defaultdict(set)
    said: dict[str, set[str]] = defaultdict(set)
    for domain, here, there in pool.imap_unordered(vocabulary_of, pages, chunksize=8):
        for name in here:
            names[name].add(domain)
        for word in there:
            said[word].add(domain)
    return (
        sorted(name for name, sites in names.items() if len(sites) >= _LEAST_NAME_SITES),
        sorted(word for word, sites in said.items() if len(sites) >= _LEAST_WORD_SITES),
    )


_known: list[Vocabulary] = []


def _start(names: list[str], said: list[str]) -> None:
    _known.append(Vocabulary(names, said))


def made_pages(examples: list[Example], raws: list[Raw]) -> list[Example]:
    """Return small pages made of the texts of big ones, those of each fold for themselves."""
    known = {one.name: one.labels for one in examples if one.source == "wcxb"}
    pools = {fold: Pools([], []) for fold in range(FOLDS)}
    domains: dict[int, str] = {}
    for raw in raws[::4]:
        labels, fold = known.get(raw.name), fold_of(raw.domain())
        if raw.source != "wcxb" or labels is None:
            continue
        domains[fold] = raw.domain()
        for text, keep in zip(texts(seen(raw)), labels.kept, strict=True):
            if keep and 40 < len(text) < 800:
                pools[fold].prose.append(text)
            elif not keep and 2 < len(text) < 80:
                pools[fold].scraps.append(text)
    found = []
    for fold, pool in pools.items():
        maker = Maker(pool, fold)
        for _ in range(_MADE // FOLDS):
            one = maker.page()
            page = PageVisibility(LexborHTMLParser(one.html), one.html).walked()
            for source, truth in (("made", one.content), ("made-body", one.body)):
                if truth:
                    made = _example(Raw(source, "", "", "", "", truth), page, clean=False)
                    found.append(made._replace(domain=domains[fold]))
    return found


def made_news_pages() -> list[Example]:
    """Return made news pages; no fold holds them, for they are made of no page."""
    found = []
    for made in made_news.pages(_NEWS_SEED, _MADE_NEWS):
        page = PageVisibility(LexborHTMLParser(made.html), made.html, made.url).walked()
        found.append(_example(Raw("made-news", "", made.url, "", "", made.truth), page, clean=False))
    return [one._replace(domain="", url="") for one in found]


def example(raw: Raw) -> Example | None:
    page = seen(raw)
    return _example(raw, page, clean=True) if page.leaves else None


def _example(raw: Raw, page: Walked, *, clean: bool) -> Example:
    said = texts(page)
    leaves = [words(text) for text in said]
    whole = raw.truth is not None
    return Example(
        source=raw.source,
        name=raw.name,
        url=raw.url,
        domain=raw.domain(),
        kind=raw.kind,
        features=page_features(page, _known[0]),
        labels=labelled(leaves, words(raw.truth or ""), clean=clean) if whole else None,
        marks=None if whole else [_mark(" ".join(text.split()), raw) for text in said],
        sizes=[len(leaf) for leaf in leaves],
        tokens=_numbers([word for leaf in leaves for word in leaf]),
        truth=_numbers(words(raw.truth or "")),
    )


def _numbers(said: list[str]) -> NDArray[np.int64]:
    return np.array([crc32(word.encode()) for word in said], np.int64)


def _mark(text: str, raw: Raw) -> int:
    if any(" ".join(chunk.split()) in text for chunk in raw.wanted):
        return 1
    return 0 if any(" ".join(chunk.split()) in text for chunk in raw.unwanted) else -1


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    began = time.time()
    pages = [*wcxb(options.data), *aeb(options.data), *trafeval(options.data), *news(options.data)]
    with Pool(options.jobs) as pool:
        names, said = vocabulary(pages, pool)
    print(f"{len(pages)} pages, {len(names)} names, {len(said)} words, {time.time() - began:.0f} s", file=sys.stderr)
    with Pool(options.jobs, _start, (names, said)) as pool:
        examples = [one for one in pool.imap(example, pages, chunksize=8) if one is not None]
    _start(names, said)
    examples += made_pages(examples, pages)
    examples += made_news_pages()
    with options.out.open("wb") as file:
        pickle.dump({"names": names, "words": said, "examples": examples}, file, protocol=5)
    report(examples)
    print(f"{time.time() - began:.0f} s", file=sys.stderr)


def report(examples: list[Example]) -> None:
    """Print what a perfect choice of leaves would score: the walk bounds everything."""
    for source in ("wcxb", "aeb", "news"):
        best: dict[str, list[float]] = defaultdict(list)
        for one in examples:
            if one.source == source and one.labels is not None:
                best[one.kind].append(one.labels.best)
                best["all"].append(one.labels.best)
        for kind, values in best.items():
            print(f"oracle {source} {kind:15}{len(values):5}  {sum(values) / len(values):.4f}")
    marks = [mark for one in examples for mark in one.marks or ()]
    print(f"trafeval: {marks.count(1)} leaves wanted, {marks.count(0)} unwanted")
    print(f"{sum(len(one.sizes) for one in examples)} leaves")


if __name__ == "__main__":
    main()
