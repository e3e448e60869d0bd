"""Measures main-content extraction on news pages of many countries, by country, language and script.

    python benchmarks/news.py --data DIR [--folds DIR] [--weights FILE] [--blanked] [--per-page FILE] [--metadata]

DIR holds `truth.json` (a list of pages: id, cc, url, text) and `html/ID.html.gz`: test pages of fundus (MIT), with the
text that its hand-written parser of each publisher finds, or those of `made_east_asian.py`. F1 is that of words, as for
WCXB, averaged over pages. Each character of Chinese, Japanese and Korean counts as a word.

`--folds` holds the weights of a cross-validation by publisher (`benchmarks/reader/train.py --out`), `--weights` is one
set of weights for all pages, and `--blanked` takes all words and names from the reader (`blanked.py`).

`--metadata` prints the share of titles, authors and days of publication instead that are those of the parser: a title
after case and punctuation are folded, all authors of a page, and the day alone.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import unicodedata
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
    """Return how often each word is in a text; a soft hyphen parts no word."""
    return Counter(_WORD.findall(text.replace("\u00ad", "").lower()))


def f1(text: str, truth: str) -> float:
    """Return the F1 of the words of `text`."""
    found, wanted = words(text), words(truth)
    shared = (found & wanted).total()
    return 2 * shared / (found.total() + wanted.total()) if shared else 0.0


def pool(country: str) -> str:
    """Return which languages a page of a country counts among; a few are written in another than most."""
    return next((name for name, countries in _POOLS.items() if country in countries), "other Latin script")


def print_metadata(readers: Readers, folder: Path) -> None:
    """Print the shares of titles, authors and days that are right, wrong and missing."""
    outcomes: dict[str, Counter[str]] = defaultdict(Counter)
    for page in json.loads((folder / "truth.json").read_text(encoding="utf-8")):
        html = gzip.decompress((folder / "html" / f"{page['id']}.html.gz").read_bytes())
        about = readers.extract(f"news/{page['id']}", html, page["url"]).metadata
        for field, expected, found in (
            ("title", folded(page["title"]), folded(about.title)),
            ("author", people(", ".join(page["authors"] or ())), people(about.author)),
            ("day", (page["date"] or "")[:10], (about.published_date or "")[:10]),
        ):
            if expected:
                outcomes[field]["right" if found == expected else "wrong" if found else "missing"] += 1
    for field, counts in outcomes.items():
        shares = "  ".join(f"{name} {counts[name] / counts.total():.3f}" for name in ("right", "wrong", "missing"))
        print(f"{field:28} {counts.total():4} pages  {shares}")


def folded(text: str | None) -> str:
    """Return the words of a text in lower case, with one space between them."""
    return " ".join(re.findall(r"\w+", unicodedata.normalize("NFKC", text or "").casefold()))


def people(names: str | None) -> frozenset[str]:
    """Return the names in a line of names."""
    return frozenset(name for part in re.split(r"[,;&]", names or "") if (name := folded(part)))


def main() -> None:
    """Print the F1 of each country, of five pools of languages, and of all pages, in both modes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder of truth.json and html/")
    parser.add_argument("--folds", type=Path, help="folder of cross-validated weights")
    parser.add_argument("--weights", type=Path, help="weights for pages of no fold, instead of those in the package")
    parser.add_argument("--blanked", action="store_true", help="read without words and names: see blanked.py")
    parser.add_argument("--per-page", type=Path, help="write one line of figures per page to this file")
    parser.add_argument("--metadata", action="store_true", help="measure titles, authors and days instead")
    options = parser.parse_args()
    data, readers = options.data, Readers(options.folds, options.weights, blank=options.blanked)
    if options.metadata:
        print_metadata(readers, data)
        return
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
