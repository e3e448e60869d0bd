"""Two bounds of a gather, measured: when the best passage is weak, and when two pages are the same but for trifles.

    python benchmarks/gathering.py --data DIR [--pages]

DIR holds `xquad/LANG.json` (SQuAD format, CC-BY-SA-4.0, https://github.com/google-deepmind/xquad), any languages. Of
each, 300 questions are asked of the paragraphs of nine articles, their own among them: as they are, without the
paragraph that answers, and without its whole article. Printed is how often the best passage is taken for weak.
`--pages` compares every two pages of `wcxb` (Web Content Extraction Benchmark v1.0, CC-BY-4.0), and 200 of them with
copies of which a part was replaced.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
from collections import Counter, defaultdict
from itertools import combinations
from pathlib import Path

from wellread import extract
from wellread.errors import WellreadError
from wellread.rank.bm25 import score_bm25
from wellread.rank.diversify import PassageLimits
from wellread.rank.near_duplicate import BOUND, jaccard_similarity, shingles
from wellread.rank.ranking import rank_passages, weak_bound
from wellread.types import Passage

ARTICLES = 9
QUESTIONS = 300
COPIES = 200
COMMON = 200
"""A run of words that more pages than this have is a phrase of the trade: it makes no two of them alike."""


def weakness(file: Path) -> None:
    """Print how often the best passage is weak, with its answer there and without."""
    articles = json.loads(file.read_text(encoding="utf-8"))["data"]
    texts = [[paragraph["context"] for paragraph in article["paragraphs"]] for article in articles]
    asked = [
        (row["question"], at, number)
        for at, article in enumerate(articles)
        for number, paragraph in enumerate(article["paragraphs"])
        for row in paragraph["qas"]
    ]
    chance = random.Random(5)
    weak: Counter[str] = Counter()
    for question, own, number in chance.sample(asked, QUESTIONS):
        others = chance.sample([at for at in range(len(articles)) if at != own], ARTICLES - 1)
        rest = [text for at in others for text in texts[at]]
        without = [text for at, text in enumerate(texts[own]) if at != number]
        weak["answer there"] += is_weak(question, texts[own] + rest)
        weak["without its paragraph"] += is_weak(question, without + rest)
        weak["without its article"] += is_weak(question, rest)
    told = ", ".join(f"{case} {count / QUESTIONS:.2f}" for case, count in weak.items())
    print(f"{file.stem}: taken for weak: {told}")


def is_weak(question: str, texts: list[str]) -> bool:
    """Rank as a gather does."""
    passages = [
        Passage(text=text, url=f"http://{at}.example/", title=None, snapshot_id="", start=0, end=len(text))
        for at, text in enumerate(texts)
    ]
    bound = weak_bound(question, len(passages))
    return rank_passages(passages, score_bm25(question, passages), PassageLimits(8, 5), bound=bound).weak


def twins(folder: Path) -> None:
    """Print the pairs of pages that are most alike, and which share of altered copies is still known."""
    texts = dict(_texts(folder))
    runs = {name: shingles(text) for name, text in texts.items()}
    holders: defaultdict[int, list[str]] = defaultdict(list)
    for name, found in runs.items():
        for run in found:
            holders[run].append(name)
    pairs: set[tuple[str, str]] = set()
    for names in holders.values():
        if len(names) <= COMMON:
            pairs.update(combinations(sorted(names), 2))
    alike = sorted(((jaccard_similarity(runs[one], runs[other]), one, other) for one, other in pairs), reverse=True)
    print(f"{len(texts)} pages; those most alike (the bound is {BOUND}):")
    for share, one, other in alike[:8]:
        print(f"  {share:.3f} {one} {other}")
    chance = random.Random(3)
    long = [name for name, text in texts.items() if len(text) > 1500]
    for part in (0.05, 0.1, 0.2):
        known = sum(
            jaccard_similarity(runs[name], shingles(_altered(texts[name], texts[chance.choice(long)], part, chance)))
            >= BOUND
            for name in chance.sample(long, COPIES)
        )
        print(f"copies of which {part:.0%} went and as much was added: {known / COPIES:.2f} known")


def _texts(folder: Path) -> list[tuple[str, str]]:
    found = []
    for file in sorted((folder / "html").glob("*.html.gz")):
        try:
            page = extract(gzip.decompress(file.read_bytes()))
        except WellreadError:
            continue
        found.append((file.name.partition(".")[0], page.text))
    return found


def _altered(text: str, other: str, part: float, chance: random.Random) -> str:
    paragraphs, strange = text.split("\n\n"), other.split("\n\n")
    kept = [paragraph for paragraph in paragraphs if chance.random() > part]
    added = chance.sample(strange, min(len(strange), max(1, int(len(paragraphs) * part))))
    half = len(added) // 2
    return "\n\n".join((*added[:half], *kept, *added[half:]))


def main() -> None:
    """Print what was measured."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--pages", action="store_true", help="compare pages, too")
    given = parser.parse_args()
    for file in sorted((given.data / "xquad").glob("*.json")):
        weakness(file)
    if given.pages:
        twins(given.data / "wcxb")


if __name__ == "__main__":
    main()
