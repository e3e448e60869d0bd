"""Trains the weights by which the date of publication is chosen.

`python benchmarks/metadata_training.py --data DIR [--write]`: DIR/wcxb holds WCXB (Web Content Extraction Benchmark,
CC-BY-4.0): html/*.gz and ground-truth/*.json; DIR/readability holds Mozilla Readability's test pages (Apache-2.0),
which have no address. What is trained is a softmax over each page's candidates: the score of a candidate is the sum of
the weights of its marks. The accuracy by five-fold cross-validation over registered domains is printed; asked to write,
the weights that all pages give are put into the package.
"""

from __future__ import annotations

import argparse
import gzip
import json
import math
import random
from collections import Counter, defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ada_url import URL
from rich.console import Console
from rich.progress import track
from rich.table import Table
from selectolax.lexbor import LexborHTMLParser

from wellread.metadata import date_candidates, gather_facts
from wellread.metadata.publication_date import MetadataCandidate, best
from wellread.metadata.site_address import domain

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence


FOLDS = 5
EPOCHS = 20
RATE = 0.1
DECAY = 0.01
SEEN_ON = 5
"""Marks on fewer pages than this are left out."""
READINESS = 1.6
"""What is taken off the weight of giving no date: a wrong date on an undated page costs less than a missing one."""
HEADING = '"""What each mark is worth: written by `benchmarks/metadata_training.py`, trained on WCXB (see NOTICE)."""\n'
WEIGHTS = Path(__file__).parents[1] / "src/wellread/metadata/date_weights.py"


class Example(NamedTuple):
    """A page: what there is to choose from, and which of that is right."""

    domain: str
    candidates: list[MetadataCandidate]
    right: frozenset[int]
    kind: str
    """Its set and whether it calls itself English; `blank` where the truth is that there is nothing."""


class Truth(NamedTuple):
    """A page and what is true of it."""

    set: str
    owner: str
    page: bytes
    url: str | None
    day: str


def truths(root: Path) -> Iterator[Truth]:
    """Yield the pages of both sets."""
    for path in sorted((root / "wcxb/ground-truth").glob("*.json")):
        record: dict[str, Any] = json.loads(path.read_text("utf-8"))  # Any: JSON
        page = gzip.decompress((root / "wcxb/html" / f"{path.stem}.html.gz").read_bytes())
        url = record.get("url")
        day = (record["ground_truth"].get("publish_date") or "")[:10]
        yield Truth("wcxb", domain(URL(url).hostname) if url else path.stem, page, url, day)
    for path in sorted((root / "readability").glob("*/expected-metadata.json")):
        told = json.loads(path.read_text("utf-8"))
        day = (told.get("publishedTime") or "")[:10]
        yield Truth("readability", path.parent.name, (path.parent / "source.html").read_bytes(), None, day)


def examples(root: Path) -> list[Example]:
    """Return the pages with what they offer."""
    found: list[Example] = []
    for truth in track(list(truths(root)), "reading"):
        told = gather_facts(LexborHTMLParser(truth.page), truth.url)
        offered = date_candidates(told)
        right = frozenset(at for at, one in enumerate(offered) if one.value[:10] == truth.day)
        english = "English" if (told.language or "en").lower().startswith("en") else "other"
        kind = f"{truth.set} {english}{'' if truth.day else ' blank'}"
        found.append(Example(truth.owner, offered, right, kind))
    return found


def train(pages: Sequence[Example]) -> dict[str, float]:
    """Return the weight of each mark: the likelihood of the right candidates is raised page by page (AdaGrad)."""
    usual = {mark for mark, count in Counter(_all_marks(pages)).items() if count >= SEEN_ON}
    lessons = [
        ([sorted(one.marks & usual) for one in page.candidates], page.right)
        for page in pages
        if page.right and len(page.candidates) > 1
    ]
    weights: defaultdict[str, float] = defaultdict(float)
    squares: defaultdict[str, float] = defaultdict(lambda: 1e-6)
    sums: defaultdict[str, float] = defaultdict(float)
    order = random.Random(0)
    for _ in range(EPOCHS):
        order.shuffle(lessons)
        for marks, right in lessons:
            for mark, slope in _slopes(marks, right, weights).items():
                step = slope - DECAY * weights[mark]
                squares[mark] += step * step
                weights[mark] += RATE * step / math.sqrt(squares[mark])
        for mark, value in weights.items():
            sums[mark] += value / EPOCHS
    sums["none"] -= READINESS
    return dict(sums)


def _all_marks(pages: Sequence[Example]) -> Iterator[str]:
    for page in pages:
        yield from frozenset().union(*(one.marks for one in page.candidates))


def _slopes(marks: list[list[str]], right: frozenset[int], weights: Mapping[str, float]) -> dict[str, float]:
    scores = [sum(weights.get(mark, 0.0) for mark in own) for own in marks]
    highest = max(scores)
    odds = [math.exp(score - highest) for score in scores]
    whole, good = sum(odds), sum(odds[at] for at in right)
    slopes: defaultdict[str, float] = defaultdict(float)
    for at, own in enumerate(marks):
        slope = (odds[at] / good if at in right else 0.0) - odds[at] / whole
        for mark in own:
            slopes[mark] += slope
    return slopes


def validate(pages: Sequence[Example]) -> Table:
    """Return how often pages on domains that were not trained on get the right value, and could have got it."""
    owners = sorted({page.domain for page in pages})
    random.Random(1).shuffle(owners)
    fold = {owner: at % FOLDS for at, owner in enumerate(owners)}
    hits: defaultdict[str, list[tuple[bool, bool]]] = defaultdict(list)
    for held in range(FOLDS):
        weights = train([page for page in pages if fold[page.domain] != held])
        for page in (page for page in pages if fold[page.domain] == held):
            chosen = page.candidates.index(best(page.candidates, weights)) if page.candidates else -1
            for kind in (page.kind, page.kind.replace(" English", "").replace(" other", "")):
                hits[kind].append((chosen in page.right, bool(page.right)))
    table = Table("pages", "number", "right", "right among the candidates")
    for kind, told in sorted(hits.items()):
        shares = (f"{sum(column) / len(told):.3f}" for column in zip(*told, strict=True))
        table.add_row(kind, str(len(told)), *shares)
    return table


def main() -> None:
    """Cross-validate, and write the weights when asked to."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder with wcxb/ and readability/")
    parser.add_argument("--write", action="store_true", help="write the weights into the package")
    options = parser.parse_args()
    console = Console()
    pages = examples(options.data)
    console.print(validate(pages))
    rows = [f'    "{mark}": {weight:.2f},' for mark, weight in sorted(train(pages).items()) if abs(weight) >= 0.05]
    if options.write:
        WEIGHTS.write_text("\n".join((HEADING, "PUBLISHED = {", *rows, "}")) + "\n", "utf-8")


if __name__ == "__main__":
    main()
