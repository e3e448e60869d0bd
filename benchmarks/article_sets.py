"""Two sets of articles and their own metrics, for `extraction.py`.

AEB is Zyte's article-extraction-benchmark (MIT): precision and recall over the multiset of four words in a row, each
averaged over pages, and the F1 of the two means. Trafilatura's evaluation set (Apache-2.0) names chunks that must be
there and chunks that must not: F1 over all of them, after white space is folded, case counting.
"""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, TypeVar

from wellread.output import print_document

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from wellread.types import Document, Mode

    _Chunks = tuple[int, int, int]
    """Of a page: chunks that are found, missed, leaked."""
    Read = Callable[[str, bytes, str | None, Mode], Document]

_Row = TypeVar("_Row")
_WORD = re.compile(r"\w+", re.UNICODE)
_GRAM = 4
_DECLARED = ((True, "English"), (False, "another language"))
_LANGUAGE = re.compile(rb"<html\b[^>]*\blang\s*=\s*[\"']?([a-z]{2})", re.IGNORECASE)


def is_english(body: bytes) -> bool | None:
    """Tell whether a page declares that it is in English; None where it declares no language."""
    declared = _LANGUAGE.search(body)
    return declared[1].lower() == b"en" if declared else None


def aeb(folder: Path, read: Read, mode: Mode) -> str:
    """Return one line of figures."""
    told = json.loads((folder / "ground-truth.json").read_text(encoding="utf-8"))
    pairs: dict[bool | None, list[tuple[float, float]]] = defaultdict(list)
    for name, truth in told.items():
        body = gzip.decompress((folder / "html" / f"{name}.html.gz").read_bytes())
        ours = _grams(print_document(read(f"aeb/{name}", body, truth.get("url"), mode), "text").text)
        theirs = _grams(truth.get("articleBody") or "")
        shared = sum((ours & theirs).values())
        pairs[is_english(body)].append((shared / max(1, sum(ours.values())), shared / max(1, sum(theirs.values()))))
    precision, recall, f1 = _means([pair for some in pairs.values() for pair in some])
    split = _split(pairs, lambda some: _means(some)[2])
    return f"AEB, {len(told)} pages, {mode}: precision {precision:.4f}, recall {recall:.4f}, F1 {f1:.4f} ({split})"


def _split(rows: Mapping[bool | None, Sequence[_Row]], f1: Callable[[Sequence[_Row]], float]) -> str:
    """Return the figures of the pages that declare English, and of those that declare another language."""
    told = [(name, rows[which]) for which, name in _DECLARED if which in rows]
    return "; ".join(f"{len(some)} that declare {name}: F1 {f1(some):.4f}" for name, some in told)


def _means(pairs: Sequence[tuple[float, float]]) -> tuple[float, float, float]:
    """Return mean precision, mean recall, and the F1 of the two."""
    precision, recall = (sum(values) / max(1, len(pairs)) for values in zip(*pairs, strict=True))
    return precision, recall, 2 * precision * recall / max(1e-9, precision + recall)


def _grams(text: str) -> Counter[tuple[str, ...]]:
    words = _WORD.findall(text)
    size = min(_GRAM, len(words))
    return Counter(tuple(words[at : at + size]) for at in range(len(words) - size + 1)) if size else Counter()


def trafeval(folder: Path, read: Read, mode: Mode) -> str:
    """Return one line of figures."""
    told = json.loads((folder / "evaldata.json").read_text(encoding="utf-8"))
    rows: dict[bool | None, list[_Chunks]] = defaultdict(list)
    for url, truth in told.items():
        path = folder / "html" / f"{truth['file']}.gz"
        if not path.exists():
            continue
        body = gzip.decompress(path.read_bytes())
        text = _folded(print_document(read(f"trafeval/{truth['file']}", body, url, mode), "text").text)
        wanted, unwanted = ([_folded(chunk) in text for chunk in truth.get(key) or ()] for key in ("with", "without"))
        rows[is_english(body)].append((sum(wanted), len(wanted) - sum(wanted), sum(unwanted)))
    every = [row for some in rows.values() for row in some]
    hits, misses, leaks = _sums(every)
    return (
        f"trafilatura's set, {len(every)} pages, {mode}: found {hits}, missed {misses}, leaked {leaks}, "
        f"F1 {_chunked(every):.4f} ({_split(rows, _chunked)})"
    )


def _sums(rows: Sequence[_Chunks]) -> tuple[int, ...]:
    return tuple(map(sum, zip(*rows, strict=True)))


def _chunked(rows: Sequence[_Chunks]) -> float:
    """Return the F1 over the chunks of all these pages."""
    hits, misses, leaks = _sums(rows)
    return 2 * hits / max(1, 2 * hits + misses + leaks)


def _folded(text: str) -> str:
    return " ".join(text.split())
