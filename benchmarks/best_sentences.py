"""The answer without a language model, measured: how often its sentences have the words of the right answer.

    python benchmarks/best_sentences.py --data DIR [--count 150]

DIR holds `xquad/LANG.json` (SQuAD format, CC-BY-SA-4.0, https://github.com/google-deepmind/xquad). Each question is
asked of the paragraphs of nine articles, its own among them, and again without its own article, where the right answer
is none. As in `Web.answer`, a list of a page answers first, then sentences.
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
from wellread.reading.list_answers import list_answer
from wellread.reading.list_questions import listed_stem
from wellread.types import Claim, Gathered, Page, Passage


def page_of(article: list[str], number: int) -> Page:
    """Return an article as a page; its paragraphs are parted by empty lines."""
    text = "\n\n".join(article)
    return Page(
        text=text,
        format="markdown",
        word_count=len(text.split()),
        truncated=False,
        cursor=None,
        url=str(number),
        final_url=str(number),
        title=None,
        byline=None,
        author=None,
        description=None,
        published_date=None,
        modified_date=None,
        canonical_url=None,
        language=None,
        site_name=None,
        primary_image=None,
        images=(),
        links=(),
        headings=(),
        confidence=1.0,
        extraction_method="none",
        page_type="article",
        snapshot_id=str(number),
        start=0,
        end=len(text),
        total_chars=len(text),
        rendered=False,
        cached=False,
        notices=(),
        fetch_time_ms=0,
        extraction_time_ms=0,
        total_time_ms=0,
        status=200,
        content_type="text/markdown",
    )


def passages_of(page: Page) -> list[Passage]:
    """Return the paragraphs of a page as passages."""
    passages: list[Passage] = []
    start = 0
    for paragraph in page.text.split("\n\n"):
        end = start + len(paragraph)
        passages.append(
            Passage(text=paragraph, url=page.url, title=None, snapshot_id=page.snapshot_id, start=start, end=end)
        )
        start = end + len("\n\n")
    return passages


def claims(question: str, pages: list[Page]) -> list[Claim]:
    """Answer as `Web.answer` does from these pages."""
    passages = [passage for page in pages for passage in passages_of(page)]
    scores = score_bm25(question, passages)
    ranked = rank_passages(passages, scores, PLACES, relevant_share=RELEVANT_SHARE).passages
    gathered = Gathered(
        query=question,
        hits=(),
        pages=tuple(pages),
        passages=tuple(ranked),
        missed=(),
        outcomes=(),
        search_time_ms=0,
        gather_time_ms=0,
    )
    return list_answer(gathered).claims or best_claims(gathered)


def measure(file: Path, count: int) -> None:
    """Print the shares of questions that the first sentence and any sentence answer, and of questions refused."""
    articles = json.loads(file.read_text(encoding="utf-8"))["data"]
    chance = random.Random(3)
    first_right = any_right = right = shown = refused = several = 0
    for _ in range(count):
        chosen = chance.sample(articles, ARTICLES)
        row = chance.choice(chance.choice(chosen[0]["paragraphs"])["qas"])
        answers = [answer["text"].lower() for answer in row["answers"]]
        pages = [
            page_of([paragraph["context"] for paragraph in article["paragraphs"]], number)
            for number, article in enumerate(chosen)
        ]
        hits = [any(answer in claim.text.lower() for answer in answers) for claim in claims(row["question"], pages)]
        first_right += bool(hits) and hits[0]
        any_right += any(hits)
        right += sum(hits)
        shown += len(hits)
        refused += not claims(row["question"], pages[1:])
        several += bool(listed_stem(row["question"]))
    print(
        f"{file.stem}: first sentence right {first_right / count:.2f}, any {any_right / count:.2f}, "
        f"{shown / count:.1f} sentences of which {right / max(1, shown):.2f} are right; "
        f"without its article refused {refused / count:.2f}; "
        f"questions for several things {several / count:.2f}"
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
