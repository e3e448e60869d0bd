"""Makes conversation sets for `benchmarks/memory.py`: one of made-up small talk, or one of a SQuAD file.

    python benchmarks/memory_set.py > made.json                   # made up: templates, a fixed seed, six languages
    python benchmarks/memory_set.py --squad xquad/de.json > de.json

The made-up set is made: every sentence comes of the templates in `memory_talk.json`, so it shows how rules differ and
in which languages they work, not how well they do on what people write. A question hardly has the words of its
evidence; often only the turn before names what the evidence is about.

Of a SQuAD file (XQuAD: CC-BY-SA-4.0, https://github.com/google-deepmind/xquad) every sentence becomes a turn, every
paragraph a conversation, and a question's evidence is the sentence that holds its answer: questions by people, in text
that is no conversation.
"""

from __future__ import annotations

import argparse
import json
import random
import re
from itertools import pairwise, product
from pathlib import Path

SEED = 20_261_121
PER_LANGUAGE = 30
DAY_MS = 86_400_000
TALK = Path(__file__).parent / "memory_talk.json"
"""Templates by language, and values by subject: {you} and {me} stand for a person, {x} for a value."""
BEGAN_MS = 1_767_225_600_000  # 2026-01-01


def made_up() -> dict[str, object]:
    """Small talk in six languages: every conversation has one exchange that is asked for, among talk about nothing."""
    chance = random.Random(SEED)
    written = json.loads(TALK.read_text(encoding="utf-8"))
    talks = [
        (name, person, subject)
        for name in written["tongues"]
        for person, subject in chance.sample(list(product(range(6), range(5))), PER_LANGUAGE)
    ]
    chance.shuffle(talks)
    turns: list[dict[str, object]] = []
    facts: list[dict[str, object]] = []
    questions: list[dict[str, object]] = []
    for number, (name, person, subject) in enumerate(talks):
        tongue = written["tongues"][name]
        words = tongue["people"][person] | {"x": chance.choice(written["values"][subject])}
        said = {part: text.format(**words) for part, text in tongue["subjects"][subject].items()}
        before, after = chance.sample(tongue["chatter"], 2)
        spoken = [("user", before[0]), ("assistant", before[1]), ("assistant", said["lead"]), ("user", said["said"])]
        spoken += [("user", after[0]), ("assistant", after[1])]
        for place, (speaker, text) in enumerate(spoken):
            at = BEGAN_MS + number * DAY_MS // 2 + place * 60_000
            turn = {"id": f"{number}:{place}", "conversation": str(number), "speaker": speaker, "text": text}
            turns.append(turn | {"at_ms": at})
        facts.append({"text": said["fact"], "category": "other", "turn": f"{number}:3"})
        questions.append({"text": said["question"], "evidence": [f"{number}:3"], "group": name})
    about = "Made up by benchmarks/memory_set.py: templates, a fixed seed, six languages."
    return {"about": about, "memories": [{"turns": turns, "facts": facts, "questions": questions}]}


def of_squad(file: Path) -> dict[str, object]:
    """Sentences as turns, paragraphs as conversations, the sentence with the answer as evidence."""
    turns: list[dict[str, object]] = []
    questions: list[dict[str, object]] = []
    data = json.loads(file.read_text(encoding="utf-8"))["data"]
    for number, paragraph in enumerate(part for article in data for part in article["paragraphs"]):
        text = paragraph["context"]
        ends = [found.end() for found in re.finditer("[.!?]\\s+|[\u3002\uff01\uff1f]", text)]
        borders = sorted({0, *ends, len(text)})
        for place, (start, end) in enumerate(pairwise(borders)):
            turn = {"id": f"{number}:{place}", "conversation": str(number), "speaker": "user"}
            turns.append(turn | {"text": text[start:end].strip(), "at_ms": BEGAN_MS + number * DAY_MS + place * 60_000})
        for row in paragraph["qas"]:
            at = row["answers"][0]["answer_start"]
            place = max(index for index, start in enumerate(borders[:-1]) if start <= at)
            questions.append({"text": row["question"], "evidence": [f"{number}:{place}"], "group": file.stem})
    return {
        "about": f"Of {file.name}: sentences as turns; no conversation.",
        "memories": [{"turns": turns, "facts": [], "questions": questions}],
    }


def main() -> None:
    """Print a set."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--squad", type=Path, help="of this file, instead of made up")
    given = parser.parse_args()
    print(json.dumps(of_squad(given.squad) if given.squad else made_up(), ensure_ascii=False, indent=1))


if __name__ == "__main__":
    main()
