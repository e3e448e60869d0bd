"""Field accuracy of what a page says of itself, on public sets, as the whole reader tells it.

    python benchmarks/metadata.py --data DIR [--folds DIR] [--failures]

With `--folds` (weights of `benchmarks/reader/train.py --out`) each page of WCXB is read with weights that never saw its
domain: its kind decides whether a byline or a day that it shows may be its own.

DIR/readability holds Mozilla Readability's test pages (github.com/mozilla/readability, Apache-2.0): one folder per page
with source.html and expected-metadata.json. DIR/wcxb holds WCXB (Web Content Extraction Benchmark, CC-BY-4.0):
html/*.gz and ground-truth/*.json.

A field counts on the pages whose truth has it, after white space is folded. `exact` asks for the same string. Where a
field has an `equal` figure it asks for the same meaning: dates as instants (Mozilla copies the page's own spelling, we
print ISO 8601), and titles without the site's name behind them (Mozilla keeps what og:title says, we clean it). The
figure to hold against a target is `exact` for all fields but publishedTime, and there `equal`.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import statistics
import time
from collections import Counter, defaultdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from extraction import Readers
from rich.console import Console
from rich.table import Table

from wellread.errors import Empty
from wellread.types import Metadata

if TYPE_CHECKING:
    from collections.abc import Callable

TARGETS = {"title": 0.85, "byline": 0.80, "publishedTime": 0.95, "lang": 0.97, "siteName": 0.95}
FIELDS: dict[str, Callable[[Metadata], str | None]] = {
    "title": lambda found: found.title,
    "byline": lambda found: found.byline,
    "publishedTime": lambda found: found.published_date,
    "lang": lambda found: found.language,
    "siteName": lambda found: found.site_name,
    "excerpt": lambda found: found.description,
    "dir": lambda found: found.direction,
}


def fold(text: str | None) -> str:
    """Return a text with its white space folded."""
    return " ".join((text or "").split())


def plain(text: str | None) -> str:
    """Return a text folded, in lower case, with typewriter quotes."""
    return fold(text).translate(str.maketrans("\u2018\u2019\u201c\u201d", "''\"\"")).casefold()


def people(text: str | None) -> str:
    """Return a line of names with one separator."""
    return re.sub(r"\s*(?:,?\s+and\s+|\s&\s|[,;])\s*", ", ", plain(text))


def instant(text: str | None) -> datetime | None:
    """Return a date as an instant; one without a zone counts as UTC on both sides."""
    try:
        stamp = datetime.fromisoformat(text or "")
    except ValueError:
        return None
    return stamp if stamp.tzinfo else stamp.replace(tzinfo=UTC)


def same(field: str, expected: str, found: str | None) -> bool:
    """Say whether two values mean the same."""
    if field == "publishedTime":
        return instant(expected) is not None and instant(expected) == instant(found)
    if field == "title" and found:
        return bool(re.fullmatch(re.escape(plain(found)) + r"(?:\s*[|\u2013\u2014_:-]\s*.{1,40})?", plain(expected)))
    return fold(expected) == fold(found)


def told(readers: Readers, page: str, body: bytes, url: str | None) -> Metadata:
    """Return what is read of a page; nothing where it shows no text."""
    try:
        return readers.extract(page, body, url).metadata
    except Empty:
        return Metadata()


def readability(readers: Readers, root: Path, failures: list[str]) -> Table:
    """Return the table of Mozilla's fields."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for folder in sorted(path for path in root.iterdir() if path.is_dir()):
        expected: dict[str, Any] = json.loads((folder / "expected-metadata.json").read_text("utf-8"))  # Any: JSON
        found = told(readers, f"readability/{folder.name}", (folder / "source.html").read_bytes(), None)
        for field, get in FIELDS.items():
            value, count = get(found), counts[field]
            if not expected.get(field):
                count["false"] += value is not None
                continue
            count["pages"] += 1
            count["exact"] += fold(expected[field]) == fold(value)
            count["equal"] += same(field, expected[field], value)
            if not same(field, expected[field], value):
                failures.append(f"readability/{folder.name} {field}: wanted {expected[field]!r}, found {value!r}")
    table = Table("field", "pages", "exact", "equal", "target", "given where truth has none", title="readability")
    for field, count in counts.items():
        pages = count["pages"] or 1
        shares = (f"{count[kind] / pages:.3f}" for kind in ("exact", "equal"))
        table.add_row(field, str(count["pages"]), *shares, str(TARGETS.get(field, "")), str(count["false"]))
    return table


def wcxb(readers: Readers, root: Path, failures: list[str]) -> Table:
    """Return the table of title, author and date; a date counts by its day."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for path in sorted((root / "ground-truth").glob("*.json")):
        record: dict[str, Any] = json.loads(path.read_text("utf-8"))  # Any: JSON
        truth = record["ground_truth"]
        page = gzip.decompress((root / "html" / f"{path.stem}.html.gz").read_bytes())
        started = time.process_time()
        found = told(readers, f"wcxb/{path.stem}", page, record.get("url"))
        counts["ms"][f"{(time.process_time() - started) * 1000:.3f}"] += 1
        for field, value, wanted in (
            ("title", plain(found.title), plain(truth.get("title"))),
            ("author", people(found.author), people(truth.get("author"))),
            ("date", (found.published_date or "")[:10], truth.get("publish_date") or ""),
        ):
            count = counts[field]
            if not wanted:
                count["blank"] += 1
                count["false"] += bool(value)
                continue
            count["pages"] += 1
            count["exact"] += value == wanted
            count["given"] += bool(value)
            if value != wanted:
                failures.append(f"wcxb/{path.stem} {field}: wanted {wanted!r}, found {value!r}")
    spent = [float(ms) for ms, times in counts.pop("ms").items() for _ in range(times)]
    speed = f"whole page: median {statistics.median(spent):.2f} ms, mean {statistics.mean(spent):.2f} ms"
    table = Table("field", "pages", "exact", "given", "pages without", "false there", title=f"wcxb ({speed})")
    for field, count in counts.items():
        shares = (f"{count[kind] / (count['pages'] or 1):.3f}" for kind in ("exact", "given"))
        table.add_row(
            field, str(count["pages"]), *shares, str(count["blank"]), f"{count['false'] / (count['blank'] or 1):.3f}"
        )
    return table


def main() -> None:
    """Print a table for each set that is there."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder with readability/ and wcxb/")
    parser.add_argument("--folds", type=Path, help="folder of cross-validated weights")
    parser.add_argument("--failures", action="store_true", help="list every miss")
    options = parser.parse_args()
    console = Console()
    readers = Readers(options.folds)
    failures: list[str] = []
    for name, measure in (("readability", readability), ("wcxb", wcxb)):
        if (options.data / name).is_dir():
            console.print(measure(readers, options.data / name, failures))
    if options.failures:
        console.print("\n".join(failures), markup=False, highlight=False, soft_wrap=True)


if __name__ == "__main__":
    main()
