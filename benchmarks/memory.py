"""How much of the evidence the memory puts into a prompt, by our rules and by those of the first design.

    python benchmarks/memory_set.py > made.json && python benchmarks/memory.py made.json

FILE is JSON, and any public set can be put so:

    {"about": "what it is, and whose",
     "memories": [{                                          one per person; none sees another's
        "turns": [{"id": "D1:3", "conversation": "session 1", "speaker": "user", "text": "...", "at_ms": 0}, ...],
        "facts": [{"text": "...", "category": "work", "turn": "D1:3"}, ...],     what a model drew of them; or []
        "questions": [{"text": "...", "evidence": ["D1:3"], "group": "en"}, ...]   group: optional, told apart
     }]}

Turns stand in the order in which they were said. Of LoCoMo (https://github.com/snap-research/locomo, CC-BY-NC-4.0), for
one, dialogs give turns, observations give facts, and qa gives questions. Questions without evidence are left out.

Recall is the mean, over questions, of the share of evidence turns that are in the prompt; a fact stands for the turn it
was drawn from. Tokens are as `wellread.assistant.token_count` counts them.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import tempfile
import time
from collections import defaultdict
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from wellread.assistant.database import Database
from wellread.assistant.fulltext import Bags, best_indices
from wellread.assistant.memory import memory_store, recall
from wellread.assistant.memory.fact import NEW_CONFIDENCE, Category, Fact, confidence
from wellread.assistant.memory.turns import MemoryTurn
from wellread.assistant.memory.user_memory import UserMemory
from wellread.assistant.schedule.zones import EPOCH
from wellread.assistant.token_count import count_tokens
from wellread.assistant.users import Users
from wellread.sections import AssistantSettings, ChannelSettings
from wellread.testing import FakeClock

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sqlalchemy.orm import Session

SLOTS = (5, 10, 20)
LAST = 20
SEED = "seed: top 15 facts, last 20 messages"
TOP = 15


class Shown(NamedTuple):
    """What a rule puts into the prompt: the turns it stands for, and its lines."""

    turns: set[str]
    lines: list[str]


class Person(NamedTuple):
    """One memory of a set."""

    turns: list[MemoryTurn]
    facts: list[Fact]
    questions: list[dict[str, Any]]  # Any: JSON


def person(row: dict[str, Any]) -> Person:  # Any: JSON
    turns = [MemoryTurn(**turn) for turn in row["turns"]]
    said = {turn.id: turn.at_ms for turn in turns}
    facts = [
        Fact(
            id=f"f{number}",
            text=fact["text"],
            category=Category(fact.get("category", "other")),
            confidence=NEW_CONFIDENCE,
            first_ms=said[fact["turn"]],
            seen_ms=said[fact["turn"]],
            sources=(fact["turn"],),
        )
        for number, fact in enumerate(row["facts"])
    ]
    return Person(turns, facts, [asked for asked in row["questions"] if asked["evidence"]])


class Rules:
    """Every rule, over one memory that is open."""

    def __init__(self, who: Person, session: Session, now_ms: int) -> None:
        self.turns = {turn.id: turn for turn in who.turns}
        self.order = who.turns
        self.facts = memory_store.facts(session)
        self.bags = memory_store.fact_bags(session)
        self.known = memory_store.bagged_turns(session)
        self.surest = sorted(self.facts, key=lambda fact: (-confidence(fact, now_ms), -fact.seen_ms))
        self.alone = Bags([made for _, _, made in self.known])

    def last_messages(self, _: str, count: int) -> Shown:
        return self._said([turn.id for turn in self.order[-count:]])

    def surest_facts(self, _: str, count: int) -> Shown:
        return self._facts(self.surest[:count])

    def relevant_facts(self, question: str, count: int) -> Shown:
        found = recall.matching_turns(question, self.known)
        return self._facts(recall.ranked_facts(question, self.facts, self.bags, found)[:count])

    def windows(self, question: str, count: int) -> Shown:
        return self._said([turn for spot in recall.matching_turns(question, self.known, count) for turn in spot.ids])

    def centres(self, question: str, count: int) -> Shown:
        return self._said([spot.centre for spot in recall.matching_turns(question, self.known, count)])

    def turns_alone(self, question: str, count: int) -> Shown:
        return self._said([self.known[at][0] for at in best_indices(self.alone.scores(question), count)])

    def _facts(self, facts: Sequence[Fact]) -> Shown:
        return Shown({turn for fact in facts for turn in fact.sources}, [fact.text for fact in facts])

    def _said(self, ids: Sequence[str]) -> Shown:
        once = list(dict.fromkeys(ids))
        return Shown(set(once), [f"{self.turns[turn].speaker}: {self.turns[turn].text}" for turn in once])


class Tally:
    """Recall and tokens of one rule, question by question."""

    def __init__(self) -> None:
        self.recall: defaultdict[str, list[float]] = defaultdict(list)
        self.tokens: list[int] = []

    def add(self, question: dict[str, Any], shown: Shown) -> None:  # Any: JSON
        evidence = set(question["evidence"])
        share = len(evidence & shown.turns) / len(evidence)
        for group in {"", question.get("group", "")}:
            self.recall[group].append(share)
        self.tokens.append(count_tokens("\n".join(shown.lines)))


async def measure(who: Person, tallies: dict[str, Tally], times: list[float]) -> None:
    """Ask every question of one memory by every rule."""
    with tempfile.TemporaryDirectory() as folder:
        database = Database.open(f"sqlite:///{Path(folder) / 'memory.db'}")
        now = max(turn.at_ms for turn in who.turns)
        opened = database.for_user(Users(AssistantSettings(), ChannelSettings()).owner)
        memory = UserMemory(opened, FakeClock(EPOCH + timedelta(milliseconds=now)))

        def fill(session: Session) -> Rules:
            for turn in who.turns:
                memory_store.keep_turns(session, [turn], ())
            for fact in who.facts:
                memory_store.write_fact(session, fact)
            return Rules(who, session, now)

        rules = await opened.run(fill)
        for question in who.questions:
            _by_slots(rules, question, tallies)
            spent = tallies[SEED].tokens[-1]
            for name, budget in (("ours: within what that took", spent), ("ours: within 1,000 tokens", 1_000)):
                began = time.perf_counter()
                told = await memory.recall(question["text"], budget_tokens=budget)
                times.append((time.perf_counter() - began) * 1000)
                turns = {turn.id for window in told.windows for turn in window.turns}
                turns |= {turn for fact in told.facts for turn in fact.sources}
                tallies[name].add(question, Shown(turns, [told.text]))
        database.close()


def _by_slots(rules: Rules, question: dict[str, Any], tallies: dict[str, Tally]) -> None:  # Any: JSON
    text = question["text"]
    ways: dict[str, Callable[[str, int], Shown]] = {
        "seed: last messages": rules.last_messages,
        "seed: facts, surest and newest": rules.surest_facts,
        "ours: facts by relevance": rules.relevant_facts,
        "     turns by their own words": rules.turns_alone,
        "     turns by words of their window": rules.centres,
        "ours: windows of three turns": rules.windows,
    }
    for name, way in ways.items():
        for slots in SLOTS:
            tallies[f"{name}@{slots}"].add(question, way(text, slots))
    both = [rules.surest_facts(text, TOP), rules.last_messages(text, LAST)]
    lines = [line for shown in both for line in shown.lines]
    tallies[SEED].add(question, Shown(both[0].turns | both[1].turns, lines))


def report(tallies: dict[str, Tally], times: list[float]) -> None:
    """Print a line per rule, then recall by group."""
    print(f"{'evidence recall at':38} {'5':>6} {'10':>6} {'20':>6}   tokens injected at 5, 10, 20")
    for name in dict.fromkeys(key.partition("@")[0] for key in tallies if "@" in key):
        some = [tallies[f"{name}@{slots}"] for slots in SLOTS]
        shares = " ".join(f"{statistics.mean(each.recall['']):6.3f}" for each in some)
        print(f"{name:38} {shares}   {', '.join(f'{statistics.mean(each.tokens):.0f}' for each in some)}")
    print(f"\n{'whole prompt':38} {'recall':>6}   tokens, mean and most")
    for name, tally in tallies.items():
        if "@" not in name:
            share = statistics.mean(tally.recall[""])
            print(f"{name:38} {share:6.3f}   {statistics.mean(tally.tokens):.0f}, {max(tally.tokens)}")
            groups = {group: statistics.mean(shares) for group, shares in sorted(tally.recall.items()) if group}
            print(f"{'':38} {'  '.join(f'{group} {share:.2f}' for group, share in groups.items())}")
    quick, slow = statistics.median(times), statistics.quantiles(times, n=20)[-1]
    print(f"\n{len(times)} recalls; each takes p50 {quick:.1f} ms, p95 {slow:.1f} ms")


def main() -> None:
    """Print the table of one set."""
    parser = argparse.ArgumentParser()
    parser.add_argument("file", type=Path)
    data = json.loads(parser.parse_args().file.read_text(encoding="utf-8"))
    people = [person(row) for row in data["memories"]]
    print(data["about"])
    print(f"{sum(len(who.turns) for who in people):,} turns, {sum(len(who.facts) for who in people):,} facts\n")
    tallies: defaultdict[str, Tally] = defaultdict(Tally)
    times: list[float] = []
    for who in people:
        asyncio.run(measure(who, tallies, times))
    report(tallies, times)


if __name__ == "__main__":
    main()
