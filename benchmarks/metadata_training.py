"""Trains the weights by which titles and dates are chosen: `python benchmarks/metadata_training.py --data DIR [--write]`.

DIR/wcxb holds WCXB (Web Content Extraction Benchmark, CC-BY-4.0): html/*.gz and ground-truth/*.json. What is trained is
a softmax over each page's candidates: the score of a candidate is the sum of the weights of its marks. First the
accuracy by five-fold cross-validation over registered domains is printed, then, asked to write, the weights of all pages
are written into the package.
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
from selectolax.lexbor import LexborHTMLParser

from wellread.web.metadata import days, look, titles
from wellread.web.metadata.choice import Candidate, best
from wellread.web.metadata.place import domain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from wellread.web.metadata import Told

FOLDS = 5
EPOCHS = 10
RATE = 0.1
DECAY = 0.01
SEEN_ON = 5
"""Marks on fewer pages than this are left out."""
READINESS = 0.8
"""What is taken off the weight of giving no date: a wrong date on an undated page costs less than a missing one."""
QUOTES = str.maketrans("\u2018\u2019\u201c\u201d", "''\"\"")
WEIGHTS = Path(__file__).parents[1] / "src/wellread/web/metadata/weights.py"


class Example(NamedTuple):
    """A page: what there is to choose from, and which of that is right."""

    domain: str
    candidates: list[Candidate]
    right: frozenset[int]
    blank: bool
    """The truth is that there is nothing."""


class Task(NamedTuple):
    """A field to choose for."""

    name: str
    offer: Callable[[Told], list[Candidate]]
    truth: str
    fold: Callable[[str], str]
    readiness: float


TASKS = (
    Task("TITLE", titles, "title", lambda text: " ".join(text.split()).translate(QUOTES).casefold(), 0),
    Task("PUBLISHED", days, "publish_date", lambda text: text[:10], READINESS),
)


def examples(root: Path) -> dict[str, list[Example]]:
    """Return the examples of each task."""
    found: dict[str, list[Example]] = {task.name: [] for task in TASKS}
    for path in track(sorted((root / "ground-truth").glob("*.json")), "reading"):
        record: dict[str, Any] = json.loads(path.read_text("utf-8"))  # Any: JSON
        page = gzip.decompress((root / "html" / f"{path.stem}.html.gz").read_bytes())
        url = record.get("url")
        told = look(LexborHTMLParser(page), url)
        owner = domain(URL(url).hostname) if url else path.stem
        for task in TASKS:
            wanted = task.fold(record["ground_truth"].get(task.truth) or "")
            offered = task.offer(told)
            right = frozenset(at for at, one in enumerate(offered) if task.fold(one.value) == wanted)
            found[task.name].append(Example(owner, offered, right, not wanted))
    return found


def train(pages: Sequence[Example], readiness: float) -> dict[str, float]:
    """Return the weight of each mark: the likelihood of the right candidates is raised page by page (AdaGrad)."""
    usual = {mark for mark, count in Counter(_all_marks(pages)).items() if count >= SEEN_ON}
    lessons = [
        ([sorted(one.marks & usual) for one in page.candidates], page.right)
        for page in pages
        if page.right and len(page.candidates) > 1
    ]
    weights: defaultdict[str, float] = defaultdict(float)
    squares: defaultdict[str, float] = defaultdict(lambda: 1e-6)
    order = random.Random(0)
    for _ in range(EPOCHS):
        order.shuffle(lessons)
        for marks, right in lessons:
            for mark, slope in _slopes(marks, right, weights).items():
                step = slope - DECAY * weights[mark]
                squares[mark] += step * step
                weights[mark] += RATE * step / math.sqrt(squares[mark])
    weights["none"] -= readiness
    return dict(weights)


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


def validate(pages: Sequence[Example], readiness: float) -> str:
    """Return the accuracy on domains that were not trained on."""
    owners = sorted({page.domain for page in pages})
    random.Random(1).shuffle(owners)
    fold = {owner: at % FOLDS for at, owner in enumerate(owners)}
    hits: Counter[tuple[str, bool]] = Counter()
    for held in range(FOLDS):
        weights = train([page for page in pages if fold[page.domain] != held], readiness)
        for page in (page for page in pages if fold[page.domain] == held):
            kind = "blank" if page.blank else "told"
            hits["can" + kind, bool(page.right)] += 1
            chosen = page.candidates.index(best(page.candidates, weights)) if page.candidates else -1
            hits[kind, chosen in page.right] += 1
    told = hits["told", True] / (hits["told", True] + hits["told", False])
    possible = hits["cantold", True] / (hits["cantold", True] + hits["cantold", False])
    blank = hits["blank", False] / ((hits["blank", True] + hits["blank", False]) or 1)
    return f"right {told:.3f} (among the candidates {possible:.3f}), given where truth has none {blank:.3f}"


def main() -> None:
    """Cross-validate, and write the weights when asked to."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder with wcxb/")
    parser.add_argument("--write", action="store_true", help="write the weights into the package")
    options = parser.parse_args()
    console = Console()
    found = examples(options.data / "wcxb")
    tables = ['"""What each mark is worth: written by `benchmarks/metadata_training.py`, trained on WCXB (see NOTICE)."""\n']
    for task in TASKS:
        pages = found[task.name]
        console.print(f"{task.name}: {validate(pages, task.readiness)}")
        weights = sorted(train(pages, task.readiness).items())
        rows = [f'    "{mark}": {weight:.2f},' for mark, weight in weights if abs(weight) >= 0.05]
        tables += [f"{task.name} = {{", *rows, "}"]
    if options.write:
        WEIGHTS.write_text("\n".join(tables) + "\n", "utf-8")


if __name__ == "__main__":
    main()
