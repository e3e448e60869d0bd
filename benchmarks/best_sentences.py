"""The answer without a language model, measured: how often its sentences have the words of the right answer.

    python benchmarks/best_sentences.py --data DIR [--count 150]

DIR holds `xquad/LANG.json` (SQuAD format, CC-BY-SA-4.0, https://github.com/google-deepmind/xquad). Each question is
asked of the paragraphs of nine articles, its own among them, and again without its own article, where the right answer
is none.
"""

from __future__ import annotations

import argparse
import json
import random
from pathlib import Path

from gather_passages import ARTICLES, PLACES

from wellread.rank.bm25 import score_bm25
from wellread.rank.ranking import RELEVANT_SHARE, rank_passages
from wellread.reading.best_sentences import best_claims
from wellread.types import Claim, Gathered, Passage


def claims(question: str, passages: list[Passage]) -> list[Claim]:
    """Answer as `Web.answer` does from these passages."""
    scores = score_bm25(question, passages)
    ranked = rank_passages(passages, scores, PLACES, relevant_share=RELEVANT_SHARE).passages
    gathered = Gathered(
        query=question,
        hits=(),
        pages=(),
        passages=tuple(ranked),
        missed=(),
        outcomes=(),
        search_time_ms=0,
        gather_time_ms=0,
    )
    return best_claims(gathered)


def measure(file: Path, count: int) -> None:
    """Print the shares of questions that the first sentence and any sentence answer, and of questions refused."""
    articles = json.loads(file.read_text(encoding="utf-8"))["data"]
    chance = random.Random(3)
    first_right = any_right = right = shown = refused = 0
    for _ in range(count):
        chosen = chance.sample(articles, ARTICLES)
        row = chance.choice(chance.choice(chosen[0]["paragraphs"])["qas"])
        answers = [answer["text"].lower() for answer in row["answers"]]
        passages = [
            Passage(text=paragraph["context"], url=str(at), title=None, snapshot_id="", start=number, end=number)
            for at, article in enumerate(chosen)
            for number, paragraph in enumerate(article["paragraphs"])
        ]
        hits = [any(answer in claim.text.lower() for answer in answers) for claim in claims(row["question"], passages)]
        first_right += bool(hits) and hits[0]
        any_right += any(hits)
        right += sum(hits)
        shown += len(hits)
        refused += not claims(row["question"], [passage for passage in passages if passage.url != "0"])
    print(
        f"{file.stem}: first sentence right {first_right / count:.2f}, any {any_right / count:.2f}, "
        f"{shown / count:.1f} sentences of which {right / max(1, shown):.2f} are right; "
        f"without its article refused {refused / count:.2f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--count", type=int, default=150, help="questions of each language")
    arguments = parser.parse_args()
    for file in sorted((arguments.data / "xquad").glob("*.json")):
        measure(file, arguments.count)


if __name__ == "__main__":
    main()
