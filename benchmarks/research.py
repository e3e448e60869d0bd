"""Research over the recorded demo site with a scripted model: citations, budgets, and what a killed run does twice.

    python benchmarks/research.py

The model answers each query with a sentence of its first passage, one that adds a false year, and one without a
citation. A child process is killed by SIGKILL after each number of finished queries, and the research continues in
another one. Exits with 1 when a target is missed.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from wellread import Research, ResearchBudget, Settings, Web
from wellread.apps.commands.demo import HOME, SITE
from wellread.config import CacheSettings, SearchSettings
from wellread.reading.pipeline import Pipeline
from wellread.sections import ModelSettings, RenderSettings
from wellread.types import ResearchFinding

if TYPE_CHECKING:
    from wellread.ports import Query, Searcher
    from wellread.types import Found

QUESTIONS = (
    "When do the tide pools open, and what does a visit cost?",
    "Why was the lamp of the lighthouse changed and when?",
    "How many petrels were counted below the tower?",
)
PAGES = ("faq", "lamp", "reference", "hostile")
QUERIES = ("tide pools opening hours", "lighthouse lamp year", "petrels below the tower")
BUDGETS = (
    ResearchBudget(),
    ResearchBudget(pages=1),
    ResearchBudget(pages=3),
    ResearchBudget(tokens=0),
    ResearchBudget(tokens=6_000),
    ResearchBudget(max_usd=0.0),
    ResearchBudget(max_usd=0.05),
)
SEARCH_USD = 0.001


class ScriptedModel:
    """A model that quotes, invents, and counts its calls."""

    def __init__(self) -> None:
        self.calls: list[str] = []

    async def answer(self, instructions: str, text: str, *, max_tokens: int = 1_000) -> str:  # noqa: ARG002 - a port
        self.calls.append(text)
        if "You plan" in instructions:
            return json.dumps({"queries": QUERIES})
        quoted = re.findall(r"^> (\w[^.]{30,300}\.)", text, flags=re.MULTILINE)[:1]
        rows = [{"text": sentence, "passages": [1]} for sentence in quoted]
        rows += [{"text": f"In 1742, {sentence}", "passages": [1]} for sentence in quoted]
        return json.dumps({"sentences": [*rows, {"text": "Everyone knows it.", "passages": []}]})


class CountedSearcher:
    """A searcher that notes the queries."""

    def __init__(self, searcher: Searcher) -> None:
        self._searcher = searcher
        self.queries: list[str] = []

    async def search(self, query: Query) -> Found:
        self.queries.append(query.text)
        return await self._searcher.search(query)


async def researched(
    folder: Path, question: str, budget: ResearchBudget, *, journal: Path | None = None, kill_after: int | None = None
) -> tuple[Research, list[str], list[str], int]:
    """Return the report, the searched queries, the calls of the model, and the citations that do not verify."""
    settings = Settings(
        cache=CacheSettings(dir=folder),
        render=RenderSettings(enabled=False),
        search=SearchSettings(providers=("local",), usd={"local": SEARCH_USD}),
        models=ModelSettings(input_usd={"*": 3.0}, output_usd={"*": 15.0}),
    )
    model = ScriptedModel()
    async with Web(settings, replay=SITE, model=model) as web:
        for page in PAGES:
            await web.index(HOME + page)
        searcher = CountedSearcher(web.parts.searcher)
        Pipeline.__init__(web, replace(web.parts, searcher=searcher))
        finding_count = 0
        async with web.researching(question, budget=budget, journal=journal) as steps:
            async for step in steps:
                finding_count += isinstance(step, ResearchFinding)
                if kill_after is not None and finding_count == kill_after:
                    os.kill(os.getpid(), signal.SIGKILL)
                if isinstance(step, Research):
                    verdicts = await web.verify(step.citations)
                    return step, searcher.queries, model.calls, sum(not verdict.ok for verdict in verdicts)
    raise AssertionError("a research ends with its report or is raised")


def exceeded(research: Research, budget: ResearchBudget) -> list[str]:
    """Return the limits that a research did not keep."""
    findings = research.findings
    spent = {
        "pages": sum(finding.pages for finding in findings),
        "tokens": research.plan.tokens + sum(finding.tokens for finding in findings),
        "time_s": research.plan.elapsed_s + sum(finding.elapsed_s for finding in findings),
        "max_usd": research.cost_usd or 0.0,
    }
    limits = {name: getattr(budget, name) for name in spent}
    return [name for name, amount in spent.items() if limits[name] is not None and amount > limits[name]]


def main() -> int:
    """Print the figures; return 1 when a target is missed."""
    if len(sys.argv) > 1:
        folder, question, kill_after = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
        work = researched(folder, question, ResearchBudget(), journal=folder / "journal", kill_after=kill_after)
        asyncio.run(work)
        return 0
    citations = false_citations = runs = 0
    broken: list[str] = []
    with tempfile.TemporaryDirectory() as temporary:
        for question in QUESTIONS:
            for budget in BUDGETS:
                research, _, _, unproved = asyncio.run(researched(Path(temporary), question, budget))
                runs += 1
                citations += len(research.citations)
                false_citations += unproved + research.text.count("1742")
                broken += exceeded(research, budget)
    print(f"{runs} runs: {citations} citations, {false_citations} not verified; limits not kept: {len(broken)}")
    repeated = 0
    for kill_after in range(1, 4):
        with tempfile.TemporaryDirectory() as temporary:
            command = [sys.executable, __file__, temporary, QUESTIONS[0], str(kill_after)]
            child = subprocess.run(command, check=False, capture_output=True)
            if child.returncode != -signal.SIGKILL:
                raise SystemExit(f"the child was not killed: {child.stderr.decode()[-500:]}")
            work = researched(Path(temporary), QUESTIONS[0], ResearchBudget(), journal=Path(temporary) / "journal")
            research, queries, calls, _ = asyncio.run(work)
            finished = research.plan.queries[:kill_after]
            repeated += sum(query in finished for query in queries)
            repeated += max(0, len(calls) - len(queries))  # the plan is not asked for again
    print(f"3 killed runs: {repeated} searches or calls of the model were repeated")
    return int(bool(false_citations or broken or repeated or not citations))


if __name__ == "__main__":
    raise SystemExit(main())
