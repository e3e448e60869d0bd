"""Measures main-content extraction on news pages of many countries, by country and by script.

    python benchmarks/news.py --data DIR

DIR holds `truth.json` (a list of pages: id, cc, url, text) and `html/ID.html.gz`: test pages of fundus (MIT), with the
text that its hand-written parser of each publisher finds. F1 is that of words, as for WCXB, averaged over pages. Each
character of Chinese, Japanese and Korean counts as a word.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
from collections import Counter, defaultdict
from pathlib import Path
from statistics import mean
from typing import Final

import wellread
from wellread.errors import WellreadError

MODES: Final = ("balanced", "precision")
_WORD: Final = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\\W\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")
_EAST_ASIAN: Final = frozenset({"jp", "kr", "cn", "tw"})


def words(text: str) -> Counter[str]:
    """Return how often each word is in a text."""
    return Counter(_WORD.findall(text.lower()))


def f1(text: str, truth: str) -> float:
    """Return the F1 of the words of `text`."""
    found, wanted = words(text), words(truth)
    shared = (found & wanted).total()
    return 2 * shared / (found.total() + wanted.total()) if shared else 0.0


def main() -> None:
    """Print the F1 of each country, of two groups of scripts, and of all pages, in both modes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder of truth.json and html/")
    data = parser.parse_args().data
    scores: dict[str, list[tuple[float, ...]]] = defaultdict(list)
    for page in json.loads((data / "truth.json").read_text(encoding="utf-8")):
        html = gzip.decompress((data / "html" / f"{page['id']}.html.gz").read_bytes())
        row = []
        for mode in MODES:
            try:
                text = wellread.extract(html, url=page["url"], mode=mode, format="text").text
            except WellreadError:
                text = ""
            row.append(f1(text, page["text"]))
        group = "Chinese, Japanese, Korean" if page["cc"] in _EAST_ASIAN else "other scripts"
        for key in (page["cc"], group, "all"):
            scores[key].append(tuple(row))
    for key, rows in sorted(scores.items()):
        figures = "  ".join(f"{mode} {mean(row[at] for row in rows):.4f}" for at, mode in enumerate(MODES))
        print(f"{key:28} {len(rows):4} pages  {figures}")


if __name__ == "__main__":
    main()
