"""Measures main-content extraction on news pages of many countries, by country, language and script.

    python benchmarks/news.py --data DIR [--folds DIR] [--weights FILE] [--blanked] [--per-page FILE]

DIR holds `truth.json` (a list of pages: id, cc, url, text) and `html/ID.html.gz`: test pages of fundus (MIT), with the
text that its hand-written parser of each publisher finds, or those of `made_east_asian.py`. F1 is that of words, as for
WCXB, averaged over pages. Each character of Chinese, Japanese and Korean counts as a word.

`--folds` holds the weights of a cross-validation by publisher (`benchmarks/reader/train.py --out`), `--weights` is one
set of weights for all pages, and `--blanked` takes all words and names from the reader (`blanked.py`).
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
from collections import Counter, defaultdict
from pathlib import Path
from statistics import mean
from typing import TYPE_CHECKING, Final

from extraction import Readers

from wellread.output import print_document

if TYPE_CHECKING:
    from wellread.types import Mode

MODES: Final[tuple[Mode, ...]] = ("balanced", "precision")
_WORD: Final = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\\W\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")
_POOLS: Final = {
    "Chinese, Japanese, Korean": ("jp", "kr", "cn", "tw"),
    "German": ("de", "at", "ch", "lu"),
    "English": ("us", "uk", "ca", "au", "za", "tz", "my", "ng"),
    "other scripts": ("il", "ind", "ru", "ua", "bd", "gr", "eg", "ir"),
}


def words(text: str) -> Counter[str]:
    """Return how often each word is in a text."""
    return Counter(_WORD.findall(text.lower()))


def f1(text: str, truth: str) -> float:
    """Return the F1 of the words of `text`."""
    found, wanted = words(text), words(truth)
    shared = (found & wanted).total()
    return 2 * shared / (found.total() + wanted.total()) if shared else 0.0


def pool(country: str) -> str:
    """Return which languages a page of a country counts among; a few are written in another than most."""
    return next((name for name, countries in _POOLS.items() if country in countries), "other Latin script")


def main() -> None:
    """Print the F1 of each country, of five pools of languages, and of all pages, in both modes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder of truth.json and html/")
    parser.add_argument("--folds", type=Path, help="folder of cross-validated weights")
    parser.add_argument("--weights", type=Path, help="weights for pages of no fold, instead of those in the package")
    parser.add_argument("--blanked", action="store_true", help="read without words and names: see blanked.py")
    parser.add_argument("--per-page", type=Path, help="write one line of figures per page to this file")
    options = parser.parse_args()
    data, readers = options.data, Readers(options.folds, options.weights, blank=options.blanked)
    scores: dict[str, list[tuple[float, ...]]] = defaultdict(list)
    lines = []
    for page in json.loads((data / "truth.json").read_text(encoding="utf-8")):
        html = gzip.decompress((data / "html" / f"{page['id']}.html.gz").read_bytes())
        documents = (readers.read(f"news/{page['id']}", html, page["url"], mode) for mode in MODES)
        row = tuple(f1(print_document(document, "text").text, page["text"]) for document in documents)
        for key in (page["cc"], pool(page["cc"]), "all"):
            scores[key].append(row)
        lines.append("\t".join([page["id"], page["cc"], *(f"{score:.4f}" for score in row)]) + "\n")
    for key, rows in sorted(scores.items()):
        figures = "  ".join(f"{mode} {mean(row[at] for row in rows):.4f}" for at, mode in enumerate(MODES))
        print(f"{key:28} {len(rows):4} pages  {figures}")
    if options.per_page:
        options.per_page.write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
