"""The check of sentences against the passages that they cite: how often it refuses true ones and accepts false ones.

    python benchmarks/sentence_support.py                # the rates
    python benchmarks/sentence_support.py --list         # and each sentence that is judged wrongly
    python benchmarks/sentence_support.py --data DIR     # and the sentences of real paragraphs, changed by rule

The sentences are those of `tests/planted_support.py`, which were written before the check. DIR holds
`xquad/LANG.json` (SQuAD format, CC-BY-SA-4.0, https://github.com/google-deepmind/xquad): each sentence is compared with
its paragraph as it is, and with one negation, unit or currency changed.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

sys.path[:0] = [str(Path(__file__).parents[1] / "tests")]

from planted_support import CASES, HELD_OUT  # noqa: E402 - the folder of the tests is on the path now
from wellread.citations.support import unsupported_in, unsupported_terms  # noqa: E402 - as above
from wellread.types import Claim, Passage  # noqa: E402 - as above

if TYPE_CHECKING:
    from collections.abc import Sequence

    from planted_support import SupportCase


def refusal(sentence: str, text: str) -> tuple[str, ...]:
    """Return what the check says that a passage lacks of a sentence."""
    passage = Passage(text=text, url="https://a.example/", title=None, snapshot_id="x", start=0, end=len(text))
    return unsupported_in(Claim(text=sentence, passages=(passage,)))


def measure(name: str, cases: Sequence[SupportCase], *, is_listing: bool) -> None:
    """Print the rates of a set of cases, and by language and kind of change the sentences judged wrongly."""
    counts: Counter[str] = Counter()
    wrong: Counter[str] = Counter()
    for case in cases:
        judged = [(f"faithful {case.language}", sentence, False) for sentence in case.faithful]
        judged += [(f"unfaithful {kind}", sentence, True) for kind, sentence in case.unfaithful]
        for group, sentence, is_refused in judged:
            groups = (group.split()[0], group)
            counts.update(groups)
            lacking = refusal(sentence, case.passage)
            if bool(lacking) is not is_refused:
                wrong.update(groups)
                if is_listing:
                    print(f"  {group}: {sentence} {lacking}")
    print(f"{name}: wrong of all")
    for group in sorted(counts):
        print(f"  {group:22} {wrong[group]:3} of {counts[group]:3}")


SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z\u00c4\u00d6\u00dc\"])|(?<=\u3002)")
MIN_CHARS = 20
CHANGES = {
    "en": (
        ("dropped negation", r" (?:not|never|no longer)\b|n't\b", ""),
        ("added negation", r"(?:(?<= is)|(?<= was)|(?<= are))(?= )(?!.*(?:\bno|n't))", " not"),
        ("unit", r"(?<=\d) (?:km|kilometres|miles|metres|feet)\b", " tonnes"),
        ("unit", r"(?<=\d)(?:%| percent)(?= )", " percentage points"),
        ("magnitude", r"(?<=\d) million\b", " billion"),
        ("currency", r"\$(?=\d)", "\u20ac"),
    ),
    "de": (
        ("dropped negation", r" nicht\b", ""),
        ("added negation", r"(?:(?<= ist)|(?<= war))(?= )(?!.*(?:\bnicht|\bkein))", " nicht"),
        ("unit", r"(?<=\d) (?:km|Kilometer|Meilen|Meter)\b", " Tonnen"),
        ("unit", r"(?<=\d) ?(?:%|Prozent)(?= )", " Prozentpunkte"),
        ("magnitude", r"(?<=\d) Millionen\b", " Milliarden"),
        ("currency", r"(?<=\d) (?:US-)?Dollar\b", " Euro"),
    ),
    "zh": (
        (
            "dropped negation",
            "\u4e0d(?![\u4ec5\u4f46\u8fc7\u540c\u65ad\u4e45\u5c11\u7ba1\u8bba\u5982])|\u6ca1\u6709",
            "",
        ),
        ("added negation", "(?=\u53ef\u4ee5|\u80fd)(?!.*[\u4e0d\u6ca1])", "\u4e0d"),
        ("unit", "(?<=\\d) ?(?:\u516c\u91cc|\u82f1\u91cc|\u7c73|\u82f1\u5c3a)", "\u5428"),
        ("unit", r"(?<=\d)[%\uff05]", "\u4e2a\u767e\u5206\u70b9"),
        ("magnitude", "(?<=\\d) ?\u4e07", "\u4ebf"),
        ("currency", "(?<=[\\d\u4e07\u4ebf]) ?\u7f8e\u5143", "\u6b27\u5143"),
    ),
}
"""What is changed once in each sentence of a language, as patterns with what they are replaced by."""


def measure_paragraphs(folder: Path, language: str, *, is_listing: bool) -> None:
    """Print how often true sentences of paragraphs are refused, and changed ones accepted."""
    counts: Counter[str] = Counter()
    wrong: Counter[str] = Counter()
    articles = json.loads((folder / "xquad" / f"{language}.json").read_text(encoding="utf-8"))["data"]
    for text in (paragraph["context"] for article in articles for paragraph in article["paragraphs"]):
        for sentence in map(str.strip, SENTENCE_END.split(text)):
            if len(sentence) < MIN_CHARS:
                continue
            counts.update(("true, as a quotation", "true, by its words"))
            wrong["true, as a quotation"] += bool(refusal(sentence, text))
            wrong["true, by its words"] += bool(unsupported_terms(sentence, text))
            for kind, pattern, replacement in CHANGES[language]:
                changed = re.sub(pattern, replacement, sentence, count=1)
                if changed == sentence:
                    continue
                counts[f"changed {kind}"] += 1
                if not refusal(changed, text):
                    wrong[f"changed {kind}"] += 1
                    if is_listing:
                        print(f"  {kind}: {changed}")
    print(f"paragraphs, {language}: wrong of all")
    for group in sorted(counts):
        print(f"  {group:26} {wrong[group]:4} of {counts[group]:4}")


def main() -> None:
    """Measure both sets, and real paragraphs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--list", action="store_true", help="print the sentences that are judged wrongly")
    parser.add_argument("--held-out", action="store_true", help="only the held-out cases")
    parser.add_argument("--data", type=Path, help="the folder with xquad/LANG.json")
    options = parser.parse_args()
    if not options.held_out:
        measure("cases", CASES, is_listing=options.list)
    measure("held out", HELD_OUT, is_listing=options.list and options.held_out)
    for language in CHANGES if options.data else ():
        measure_paragraphs(options.data, language, is_listing=options.list)


if __name__ == "__main__":
    main()
