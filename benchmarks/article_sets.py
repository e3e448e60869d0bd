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
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from wellread.printer import printed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from wellread.types import Document, Mode

    Read = Callable[[str, bytes, str | None, Mode], Document]

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
        ours = _grams(printed(read(f"aeb/{name}", body, truth.get("url"), mode), "text").text)
        theirs = _grams(truth.get("articleBody") or "")
        shared = sum((ours & theirs).values())
        pairs[is_english(body)].append((shared / max(1, sum(ours.values())), shared / max(1, sum(theirs.values()))))
    every = [pair for some in pairs.values() for pair in some]
    split = "; ".join(
        f"{len(pairs[which])} that declare {name}: F1 {_means(pairs[which])[2]:.4f}" for which, name in _DECLARED
    )
    precision, recall, f1 = _means(every)
    return f"AEB, {len(told)} pages, {mode}: precision {precision:.4f}, recall {recall:.4f}, F1 {f1:.4f} ({split})"


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
    found: dict[bool | None, _Chunks] = defaultdict(_Chunks)
    for url, truth in told.items():
        path = folder / "html" / f"{truth['file']}.gz"
        if not path.exists():
            continue
        body = gzip.decompress(path.read_bytes())
        text = _folded(printed(read(f"trafeval/{truth['file']}", body, url, mode), "text").text)
        wanted, unwanted = ([_folded(chunk) in text for chunk in truth.get(key) or ()] for key in ("with", "without"))
        found[is_english(body)].add(wanted, unwanted)
    every = _Chunks()
    for some in found.values():
        every.merge(some)
    split = "; ".join(
        f"{found[which].pages} that declare {name}: F1 {found[which].f1:.4f}" for which, name in _DECLARED
    )
    return (
        f"trafilatura's set, {every.pages} pages, {mode}: found {every.hits}, missed {every.misses}, "
        f"leaked {every.leaks}, F1 {every.f1:.4f} ({split})"
    )


@dataclass
class _Chunks:
    pages: int = 0
    hits: int = 0
    misses: int = 0
    leaks: int = 0

    def add(self, wanted: Sequence[bool], unwanted: Sequence[bool]) -> None:
        self.pages += 1
        self.hits += sum(wanted)
        self.misses += len(wanted) - sum(wanted)
        self.leaks += sum(unwanted)

    def merge(self, other: _Chunks) -> None:
        for name, value in asdict(other).items():
            setattr(self, name, getattr(self, name) + value)

    @property
    def f1(self) -> float:
        return 2 * self.hits / max(1, 2 * self.hits + self.misses + self.leaks)


def _folded(text: str) -> str:
    return " ".join(text.split())
