"""The check of sentences against the passages that they cite: how often it refuses true ones and accepts false ones.

    python benchmarks/sentence_support.py                # the rates
    python benchmarks/sentence_support.py --list         # and each sentence that is judged wrongly

The sentences are those of `tests/planted_support.py`, which were written before the check.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

sys.path[:0] = [str(Path(__file__).parents[1] / "tests")]

from planted_support import CASES, HELD_OUT  # noqa: E402 - the folder of the tests is on the path now
from wellread.citations.support import unsupported_in  # noqa: E402 - as above
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


def main() -> None:
    """Measure both sets."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--list", action="store_true", help="print the sentences that are judged wrongly")
    parser.add_argument("--held-out", action="store_true", help="only the held-out cases")
    options = parser.parse_args()
    if not options.held_out:
        measure("cases", CASES, is_listing=options.list)
    measure("held out", HELD_OUT, is_listing=options.list and options.held_out)


if __name__ == "__main__":
    main()
