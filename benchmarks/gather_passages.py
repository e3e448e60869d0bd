"""The relevance cut-off of a gather, measured: passages given per simple question, and how many questions they answer.

    python benchmarks/gather_passages.py [--data DIR] [--shares 0 0.5 0.6]

Twenty questions are asked of the pages of the demo site. DIR holds `xquad/LANG.json` (SQuAD format, CC-BY-SA-4.0,
https://github.com/google-deepmind/xquad); twenty questions of each language are asked of the paragraphs of nine
articles, their own among them. A question is answered where a passage has the answer's words. The share 0 gives
passages as without a cut-off. `LANG pairs` are two questions of different articles, asked as one: both must be
answered.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
from pathlib import Path
from typing import NamedTuple

import anyio

from wellread import Settings, Web
from wellread.apps.commands.demo import HOME, SITE
from wellread.config import CacheSettings, SearchSettings
from wellread.errors import WellreadError
from wellread.rank.bm25 import score_bm25
from wellread.rank.diversify import PassageLimits
from wellread.rank.passages import passages
from wellread.rank.ranking import RELEVANT_SHARE, rank_passages
from wellread.types import Passage, Request

ARTICLES = 9
PLACES = PassageLimits(passages=8, pages=5)
DEMO_QUESTIONS = (
    ("Why was the lamp of the lighthouse changed?", "petrels"),
    ("When was the lamp changed?", "14 March 2019"),
    ("How many petrels were found in 2016?", "312"),
    ("How many storm petrels were found in autumn 2024?", "33"),
    ("How many steps does the tower have?", "forty-eight"),
    ("What does the walk up the tower cost?", "\u20ac7"),
    ("What does the walk to the Kettles cost?", "\u20ac9"),
    ("How high is the Lookout?", "38 metres"),
    ("How long is the headland of Sandle Point?", "700 metres"),
    ("Who is the warden of Sandle Point?", "Corrow"),
    ("Who wrote the report on the petrel count?", "Hanne Velde"),
    ("What lives on the splash zone?", "periwinkles"),
    ("What limits mussels on the middle shore?", "being eaten"),
    ("What do three blasts of a whistle mean?", "go at once"),
    ("How many minutes remain when water touches the paint?", "twelve minutes"),
    ("What was the range of the old lamp in miles?", "24"),
    ("How many people live in Tidewater?", "Four thousand three hundred"),
    ("Was kostete der Umbau des Leuchtturms?", "41.600 Euro"),
    ("Wie stimmte der Hafenrat ab?", "sieben zu zwei"),
    ("When did the last keeper hand over the keys?", "30 Sept"),
)


class Case(NamedTuple):
    """A question, the words of its answer, and the passages among which they stand."""

    question: str
    answers: tuple[str, ...]
    passages: list[Passage]


async def demo_cases() -> list[Case]:
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(cache=CacheSettings(dir=Path(folder)), search=SearchSettings(providers=("local",)))
        async with Web(settings, replay=SITE) as web:
            texts = []
            for url in web.recorded:
                try:
                    result = await web._reader.newest(Request(url=url))  # noqa: SLF001 - the text with its cuts, as a gather has it
                except WellreadError:
                    continue
                texts += passages(result.prints.canonical, result.snapshot, chars=settings.gather.passage_chars)
    assert any(passage.url.startswith(HOME) for passage in texts)
    return [Case(question, (answer,), texts) for question, answer in DEMO_QUESTIONS]


def xquad_cases(file: Path, count: int) -> list[Case]:
    articles = json.loads(file.read_text(encoding="utf-8"))["data"]
    chance = random.Random(7)
    cases = []
    for _ in range(count):
        chosen = chance.sample(articles, ARTICLES)
        row = chance.choice(chance.choice(chosen[0]["paragraphs"])["qas"])
        texts = [
            Passage(text=paragraph["context"], url=str(at), title=None, snapshot_id="", start=number, end=number)
            for at, article in enumerate(chosen)
            for number, paragraph in enumerate(article["paragraphs"])
        ]
        cases.append(Case(row["question"], tuple(answer["text"] for answer in row["answers"]), texts))
    return cases


def paired_cases(cases: list[Case]) -> list[Case]:
    """Return each two neighbouring cases as one, whose question has two parts."""
    return [
        Case(
            f"{first.question} {second.question}",
            (first.answers[0], second.answers[0]),
            list({passage.text: passage for passage in (*first.passages, *second.passages)}.values()),
        )
        for first, second in zip(cases[::2], cases[1::2], strict=False)
    ]


def measure(cases: list[Case], share: float, *, needs_all: bool = False) -> tuple[float, float, int]:
    """Return the mean number of passages, of characters, and the questions that are answered."""
    enough = all if needs_all else any
    given = chars = answered = 0
    for case in cases:
        scores = score_bm25(case.question, case.passages)
        best = rank_passages(case.passages, scores, PLACES, relevant_share=share).passages
        given += len(best)
        chars += sum(len(passage.text) for passage in best)
        answered += enough(any(answer.lower() in passage.text.lower() for passage in best) for answer in case.answers)
    return given / len(cases), chars / len(cases), answered


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path)
    parser.add_argument("--shares", type=float, nargs="*", default=[0.0, RELEVANT_SHARE])
    parser.add_argument("--count", type=int, default=20, help="questions of each language")
    arguments = parser.parse_args()
    groups = {"demo": anyio.run(demo_cases)}
    if arguments.data is not None:
        files = sorted((arguments.data / "xquad").glob("*.json"))
        groups |= {file.stem: xquad_cases(file, arguments.count) for file in files}
        groups |= {f"{file.stem} pairs": paired_cases(groups[file.stem]) for file in files}
    for name, cases in groups.items():
        for share in arguments.shares:
            given, chars, answered = measure(cases, share, needs_all=name.endswith("pairs"))
            print(f"{name}: share {share:.2f}: {given:.1f} passages, {chars:,.0f} characters, {answered}/{len(cases)}")


if __name__ == "__main__":
    main()
