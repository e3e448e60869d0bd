"""Two sets of articles and their own metrics, for `extraction.py`.

AEB is Zyte's article-extraction-benchmark (MIT): precision and recall over the multiset of four words in a row, each
averaged over pages, and the F1 of the two means. Trafilatura's evaluation set (Apache-2.0) names chunks that must be
there and chunks that must not: F1 over all of them, after white space is folded, case counting.
"""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter
from typing import TYPE_CHECKING

from wellread.printer import printed

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from wellread.types import Document, Mode

    Read = Callable[[str, bytes, str | None, Mode], Document]

_WORD = re.compile(r"\w+", re.UNICODE)
_GRAM = 4


def aeb(folder: Path, read: Read, mode: Mode) -> str:
    """Return one line of figures."""
    told = json.loads((folder / "ground-truth.json").read_text(encoding="utf-8"))
    precisions, recalls = [], []
    for name, truth in told.items():
        body = gzip.decompress((folder / "html" / f"{name}.html.gz").read_bytes())
        ours = _grams(printed(read(f"aeb/{name}", body, truth.get("url"), mode), "text").text)
        theirs = _grams(truth.get("articleBody") or "")
        shared = sum((ours & theirs).values())
        precisions.append(shared / max(1, sum(ours.values())))
        recalls.append(shared / max(1, sum(theirs.values())))
    precision, recall = sum(precisions) / len(told), sum(recalls) / len(told)
    f1 = 2 * precision * recall / (precision + recall)
    return f"AEB, {len(told)} pages, {mode}: precision {precision:.4f}, recall {recall:.4f}, F1 {f1:.4f}"


def _grams(text: str) -> Counter[tuple[str, ...]]:
    words = _WORD.findall(text)
    size = min(_GRAM, len(words))
    return Counter(tuple(words[at : at + size]) for at in range(len(words) - size + 1)) if size else Counter()


def trafeval(folder: Path, read: Read, mode: Mode) -> str:
    """Return one line of figures."""
    told = json.loads((folder / "evaldata.json").read_text(encoding="utf-8"))
    hits = misses = leaks = count = 0
    for url, truth in told.items():
        path = folder / "html" / f"{truth['file']}.gz"
        if not path.exists():
            continue
        count += 1
        document = read(f"trafeval/{truth['file']}", gzip.decompress(path.read_bytes()), url, mode)
        text = _folded(printed(document, "text").text)
        found = sum(_folded(chunk) in text for chunk in truth.get("with") or ())
        hits += found
        misses += len(truth.get("with") or ()) - found
        leaks += sum(_folded(chunk) in text for chunk in truth.get("without") or ())
    f1 = 2 * hits / max(1, 2 * hits + misses + leaks)
    return f"trafilatura's set, {count} pages, {mode}: found {hits}, missed {misses}, leaked {leaks}, F1 {f1:.4f}"


def _folded(text: str) -> str:
    return " ".join(text.split())
