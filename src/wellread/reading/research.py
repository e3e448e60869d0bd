"""Researches a question: plan, then for each query search, read and answer, within a budget; at last a report.

The plan is made of the question alone. Each query is answered as `Web.answer` does it, with the claim checks of that.
Every citation is verified once more before the report is written, those of a journal included.
"""

from __future__ import annotations

import math
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

import anyio
from anyio import to_thread

from wellread.errors import Budget, ConfigError, InvalidInput, Timeout, UnavailableError
from wellread.reading import answer_notices, answering, research_plan
from wellread.reading.page_printing import estimated_tokens
from wellread.reading.pipeline import Pipeline
from wellread.reading.research_costs import research_prices
from wellread.reading.research_journal import ResearchJournal
from wellread.reading.research_report import built_research
from wellread.search.url_dedup import page_key
from wellread.types import Found, Notice, ResearchFinding, ResearchPlan

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Sequence
    from pathlib import Path

    from wellread.ports import Clock, TextModel
    from wellread.reading.pipeline import PipelineParts
    from wellread.reading.research_costs import ResearchPrices
    from wellread.types import Answer, Claim, Gathered, Research, ResearchBudget, ResearchStep

MAX_QUESTION_CHARS: Final = 1_000


class MeteredModel:
    """The language model within the budget of a research: it refuses what would exceed it."""

    def __init__(
        self,
        model: TextModel,
        *,
        tokens: int,
        ends: float,
        clock: Clock,
        prices: ResearchPrices | None = None,
        max_usd: float | None = None,
    ) -> None:
        """Take the tokens and dollars that are left, and the time by `clock.monotonic` at which the research ends."""
        self._model = model
        self._prices = prices
        self._max_usd = max_usd
        self.cost_usd = 0.0
        self._left = tokens
        self._ends = ends
        self._clock = clock
        self.used = 0

    async def answer(self, instructions: str, text: str, *, max_tokens: int = 1_000) -> str:
        """Return the model's answer.

        Raises:
            Budget: the tokens or the dollars that are left may not be enough.
            Timeout: the time of the research is over.
        """
        input_tokens = estimated_tokens(instructions) + estimated_tokens(text)
        tokens = input_tokens + max_tokens
        most_usd = 0.0
        if self._prices is not None:
            most_usd = self._prices.model_usd(input_tokens, max_tokens)
        if self._max_usd is not None and most_usd > self._max_usd - self.cost_usd:
            raise Budget(f"the ${self._max_usd - self.cost_usd:.4f} that are left are not enough for ${most_usd:.4f}")
        if tokens > self._left - self.used:
            raise Budget(f"the {self._left - self.used} tokens that are left are not enough for {tokens}")
        self.used += tokens
        self.cost_usd += most_usd
        with anyio.move_on_after(self._ends - self._clock.monotonic()):
            return await self._model.answer(instructions, text, max_tokens=max_tokens)
        raise Timeout("the time of the research is over")


class ResearchRun:
    """One research, from its question to its report."""

    def __init__(
        self,
        parts: PipelineParts,
        question: str,
        budget: ResearchBudget,
        *,
        journal: Path | None = None,
        provider: str | None = None,
    ) -> None:
        """Take the parts of the pipeline; `journal` is the folder of a research that can be continued.

        Raises:
            InvalidInput: an empty or too long question, or a limit out of range.
            ConfigError: a budget in dollars without prices, or a model without one beside others that have one.
        """
        if not question.strip() or len(question) > MAX_QUESTION_CHARS:
            raise InvalidInput("the question is empty or too long", hint=f"at most {MAX_QUESTION_CHARS} characters")
        research_plan.check_budget(budget)
        self._prices = research_prices(parts.settings, has_model=parts.model is not None)
        if budget.max_usd is not None and self._prices is None:
            hint = "set models.input_usd and models.output_usd, or search.usd"
            raise ConfigError("a budget in dollars needs prices", hint=hint)
        self._parts = parts
        self._question = question.strip()
        self._budget = budget
        self._folder = journal
        self._provider = provider
        self._plan = ResearchPlan(())
        self._findings: list[ResearchFinding] = []
        self._left_out: list[str] = []
        self._notices: list[Notice] = []

    async def steps(self) -> AsyncGenerator[ResearchStep]:
        """Yield the plan, the finding of each query, and at last the research.

        Raises:
            InvalidInput: the journal cannot be written, or is about another question.
            UnavailableError: no search was possible.
        """
        with ExitStack() as stack:
            journal = None
            if self._folder is not None:
                opened = await to_thread.run_sync(ResearchJournal, self._folder, self._question)
                journal = stack.enter_context(opened)
            await self._make_plan(journal)
            yield self._plan
            failure: UnavailableError | None = None
            for place, query in enumerate(self._plan.queries):
                if journal is not None and query in journal.findings:
                    finding = journal.findings[query]
                else:
                    pages = research_plan.page_share(self._budget, self._findings, len(self._plan.queries) - place)
                    if not self._fits(query, pages):
                        continue
                    try:
                        finding = await self._find(query, pages)
                    except UnavailableError as error:
                        failure = error
                        self._left_out.append(f"{query}: {error.message}")
                        continue
                    if journal is not None:
                        journal.write_finding(finding)
                self._findings.append(finding)
                yield finding
            if failure is not None and not self._findings:
                raise failure
            yield await self._report()

    async def _make_plan(self, journal: ResearchJournal | None) -> None:
        """Plan by the language model, or by the terms of the question; a journal has its plan already."""
        if journal is not None and journal.plan is not None:
            self._plan = journal.plan
            return
        began = self._parts.clock.monotonic()
        self._plan = ResearchPlan(research_plan.terms_plan(self._question))
        model = self._metered(began)
        if model is not None:
            try:
                reply = await model.answer(
                    research_plan.INSTRUCTIONS, self._question, max_tokens=research_plan.MAX_PLAN_TOKENS
                )
            except (Budget, UnavailableError) as error:
                detail = f"the question was planned by its terms: {error.message[:200]}"
                self._notices.append(Notice("model_failed", detail))
            else:
                queries = research_plan.model_plan(self._question, reply)
                if len(queries) > 1:
                    self._plan = ResearchPlan(queries, is_by_model=True)
            elapsed_s = self._parts.clock.monotonic() - began
            self._plan = self._plan._replace(tokens=model.used, elapsed_s=elapsed_s, cost_usd=model.cost_usd)
        if journal is not None:
            journal.write_plan(self._plan)

    def _fits(self, query: str, pages: int) -> bool:
        """Return whether the budget has pages and time for a query; otherwise note the query as left out."""
        if pages < 1:
            self._left_out.append(f"{query}: the budget of {self._budget.pages} pages was used up")
        elif self._time_left_s() <= 0:
            self._left_out.append(f"{query}: the budget of {self._budget.time_s:g} s was used up")
        elif self._usd_left() < self._most_search_usd():
            self._left_out.append(f"{query}: the budget of ${self._budget.max_usd:g} was used up")
        else:
            return True
        return False

    def _usd_left(self) -> float:
        if self._budget.max_usd is None:
            return math.inf
        spent_usd = self._plan.cost_usd + sum(finding.cost_usd for finding in self._findings)
        return self._budget.max_usd - spent_usd

    def _most_search_usd(self) -> float:
        """Return the most that one search costs."""
        if self._prices is None:
            return 0.0
        return self._prices.most_search_usd

    def _time_left_s(self) -> float:
        spent_s = self._plan.elapsed_s + sum(finding.elapsed_s for finding in self._findings)
        return self._budget.time_s - spent_s

    def _metered(self, now: float) -> MeteredModel | None:
        """Return the model with the budget that is left."""
        if self._parts.model is None:
            return None
        spent = self._plan.tokens + sum(finding.tokens for finding in self._findings)
        ends = now + self._time_left_s()
        max_usd = None
        if self._budget.max_usd is not None:
            max_usd = self._usd_left() - self._most_search_usd()
        return MeteredModel(
            self._parts.model,
            tokens=self._budget.tokens - spent,
            ends=ends,
            clock=self._parts.clock,
            prices=self._prices,
            max_usd=max_usd,
        )

    async def _find(self, query: str, pages: int) -> ResearchFinding:
        """Search, read at most so many pages, and answer one query with them.

        Raises:
            UnavailableError: the search was not possible.
        """
        began = self._parts.clock.monotonic()
        model = self._metered(began)
        limits = self._parts.settings.gather
        # No more hits are asked for than pages may be requested, so that no page beyond can be.
        limits = replace(limits, timeout_s=min(limits.timeout_s, self._time_left_s()), expanded_results=0)
        settings = replace(self._parts.settings, gather=limits)
        pipeline = Pipeline(replace(self._parts, settings=settings, model=model))
        # Pages that no link leads to are left for the next queries.
        linked_pages = int(pages * research_plan.LINKED_SHARE)
        hit_pages = pages - linked_pages
        answer = await pipeline.answer(
            query, num_results=hit_pages, gather_top=hit_pages, follow=linked_pages, provider=self._provider
        )
        gathered = answer.gathered
        if answer_notices.all_providers_failed(Found(query=query, hits=gathered.hits, outcomes=gathered.outcomes)):
            raise UnavailableError("no search service answered")
        cost_usd = 0.0
        if self._prices is not None:
            cost_usd = self._prices.search_usd(gathered.outcomes)
        if model is not None:
            cost_usd += model.cost_usd
        quotations = await to_thread.run_sync(answering.best_claims, gathered)
        return ResearchFinding(
            query=query,
            claims=answer.claims,
            quotations=tuple(quotations),
            sources=tuple((page.url, page.snapshot_id) for page in gathered.pages),
            pages=_requested_pages(gathered),
            tokens=model.used if model is not None else 0,
            elapsed_s=self._parts.clock.monotonic() - began,
            cost_usd=cost_usd,
            notices=_notices(answer),
        )

    async def _report(self) -> Research:
        """Verify all citations, and write the report with the sentences whose citations are proved."""
        claims = [claim for finding in self._findings for claim in (*finding.claims, *finding.quotations)]
        passages = list(dict.fromkeys(passage for claim in claims for passage in claim.passages))
        verdicts = await Pipeline(self._parts).verify(passages)
        unproved = [verdict.passage for verdict in verdicts if not verdict.ok]
        findings = [
            replace(
                finding,
                claims=_proved(finding.claims, unproved),
                quotations=_proved(finding.quotations, unproved),
            )
            for finding in self._findings
        ]
        if unproved:
            detail = "citations are left out, because the snapshots that they cite are not stored or differ"
            self._notices.append(Notice("unsupported_sentences", detail, len(unproved)))
        build = partial(built_research, has_prices=self._prices is not None)
        return await to_thread.run_sync(build, self._question, self._plan, findings, self._left_out, self._notices)


def _requested_pages(gathered: Gathered) -> int:
    """Return the number of requested pages: those that were read, page by page, and those that failed."""
    read_keys = {page_key(page.url) for page in gathered.pages}
    read_keys |= {page_key(missed.url) for missed in gathered.missed if missed.code == "duplicate"}
    failures = [missed for missed in gathered.missed if missed.code not in {"duplicate", "not_reached"}]
    return len(read_keys) + len(failures)


def _proved(claims: Sequence[Claim], unproved: Sequence[object]) -> tuple[Claim, ...]:
    return tuple(claim for claim in claims if not any(passage in unproved for passage in claim.passages))


def _notices(answer: Answer) -> tuple[Notice, ...]:
    """Return the notices about the answer of a query, without those of its pages."""
    of_pages = set(answer.gathered.notices)
    return tuple(notice for notice in answer.notices if notice not in of_pages)
