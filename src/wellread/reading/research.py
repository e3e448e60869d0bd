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

from wellread.errors import Budget, InvalidInput, Timeout, UnavailableError
from wellread.reading import answer_notices, research_plan
from wellread.reading.best_sentences import best_claims
from wellread.reading.last_step import last_step
from wellread.reading.page_printing import estimated_tokens
from wellread.reading.pipeline import Pipeline
from wellread.reading.research_costs import Spending, research_prices
from wellread.reading.research_journal import ResearchJournal
from wellread.reading.research_report import built_research
from wellread.search.url_dedup import page_key
from wellread.text.counts import count_of
from wellread.types import Answer, Found, Gathered, Missed, Notice, Page, ResearchFinding, ResearchPlan

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
    from pathlib import Path

    from wellread.ports import Clock, TextModel
    from wellread.reading.pipeline import PipelineParts
    from wellread.reading.research_costs import ResearchPrices
    from wellread.types import AnswerStep, Claim, Research, ResearchBudget, ResearchStep

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
        self._prices = research_prices(
            parts.settings, has_model=parts.model is not None, is_budgeted=budget.max_usd is not None
        )
        self._parts = parts
        self._question = question.strip()
        self._budget = budget
        self._folder = journal
        self._provider = provider
        self._plan = ResearchPlan(())
        self._spending = Spending()
        """Of the plan and of all queries, those of the journal and those that failed included."""
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
            finished: dict[str, ResearchFinding] = {}
            if journal is not None:
                finished = dict(journal.findings)
            self._add_spending(finished, journal)
            queries_left = sum(query not in finished for query in self._plan.queries)
            failure: UnavailableError | None = None
            for query in self._plan.queries:
                finding = finished.get(query)
                if finding is None:
                    pages = research_plan.page_share(self._budget.pages - self._spending.pages, queries_left)
                    queries_left -= 1
                    if not self._fits(query, pages):
                        continue
                    try:
                        finding = await self._find(query, pages, journal)
                    except UnavailableError as error:
                        failure = error
                        self._left_out.append(f"{query}: {error.message}")
                        continue
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

    def _add_spending(self, finished: Mapping[str, ResearchFinding], journal: ResearchJournal | None) -> None:
        """Count the plan, and all that the journal has, before a query shares what is left."""
        self._spending = self._spending.plus_plan(self._plan)
        for finding in finished.values():
            self._spending = self._spending.plus(finding)
        if journal is not None:
            self._spending = self._spending.plus(journal.failed_spending)

    def _fits(self, query: str, pages: int) -> bool:
        """Return whether the budget has pages and time for a query; otherwise note the query as left out."""
        if pages < 1:
            self._left_out.append(f"{query}: the budget of {count_of(self._budget.pages, 'page')} was used up")
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
        return self._budget.max_usd - self._spending.cost_usd

    def _most_search_usd(self) -> float:
        """Return the most that one search costs."""
        if self._prices is None:
            return 0.0
        return self._prices.most_search_usd

    def _time_left_s(self) -> float:
        return self._budget.time_s - self._spending.elapsed_s

    def _metered(self, now: float) -> MeteredModel | None:
        """Return the model with the budget that is left."""
        if self._parts.model is None:
            return None
        ends = now + self._time_left_s()
        max_usd = None
        if self._budget.max_usd is not None:
            max_usd = self._usd_left() - self._most_search_usd()
        return MeteredModel(
            self._parts.model,
            tokens=self._budget.tokens - self._spending.tokens,
            ends=ends,
            clock=self._parts.clock,
            prices=self._prices,
            max_usd=max_usd,
        )

    async def _find(self, query: str, pages: int, journal: ResearchJournal | None) -> ResearchFinding:
        """Search, read at most so many pages, and answer one query with them; a failure is counted, too.

        Raises:
            UnavailableError: the search was not possible.
        """
        began = self._parts.clock.monotonic()
        model = self._metered(began)
        requests = _QueryRequests(self._prices)
        finding: ResearchFinding | None = None
        try:
            answer = await self._answer(query, pages, model, requests)
            finding = ResearchFinding(
                query=query,
                claims=answer.claims,
                quotations=tuple(await to_thread.run_sync(best_claims, answer.gathered)),
                sources=tuple((page.url, page.snapshot_id) for page in answer.gathered.pages),
                notices=_notices(answer),
            )
        finally:
            elapsed_s = self._parts.clock.monotonic() - began
            spending = Spending(pages=requests.page_count(), elapsed_s=elapsed_s, cost_usd=requests.cost_usd)
            if model is not None:
                spending = spending.plus(Spending(tokens=model.used, cost_usd=model.cost_usd))
            self._spending = self._spending.plus(spending)
            if finding is None and journal is not None:
                journal.write_failure(query, spending)
        finding = replace(finding, **spending._asdict())
        if journal is not None:
            journal.write_finding(finding)
        return finding

    async def _answer(self, query: str, pages: int, model: MeteredModel | None, requests: _QueryRequests) -> Answer:
        """Answer one query with at most so many pages, and count its requests.

        Raises:
            UnavailableError: the search was not possible.
        """
        limits = self._parts.settings.gather
        # No more hits are asked for than pages may be requested, so that no page beyond can be.
        limits = replace(limits, timeout_s=min(limits.timeout_s, self._time_left_s()), expanded_results=0)
        settings = replace(self._parts.settings, gather=limits)
        pipeline = Pipeline(replace(self._parts, settings=settings, model=model))
        # Pages that no link leads to are left for the next queries.
        linked_pages = int(pages * research_plan.LINKED_SHARE)
        hit_pages = pages - linked_pages
        async with pipeline.answering(
            query, num_results=hit_pages, gather_top=hit_pages, follow=linked_pages, provider=self._provider
        ) as steps:
            answer = await last_step(requests.counted(steps), Answer)
        gathered = answer.gathered
        if answer_notices.all_providers_failed(Found(query=query, hits=gathered.hits, outcomes=gathered.outcomes)):
            raise UnavailableError("no search service answered")
        return answer

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
        cost_usd = None
        if self._prices is not None:
            cost_usd = self._spending.cost_usd
        build = partial(built_research, cost_usd=cost_usd)
        return await to_thread.run_sync(build, self._question, self._plan, findings, self._left_out, self._notices)


class _QueryRequests:
    """The searches and page requests of one query, counted while it works: it may fail at every step."""

    def __init__(self, prices: ResearchPrices | None) -> None:
        self._prices = prices
        self.cost_usd = 0.0
        """Of the search, without the language model."""
        self._pages: tuple[Page, ...] = ()
        self._missed: tuple[Missed, ...] = ()

    async def counted(self, steps: AsyncIterator[AnswerStep]) -> AsyncGenerator[AnswerStep]:
        """Yield the steps of an answer, each after it was counted."""
        try:
            async for step in steps:
                self._count(step)
                yield step
        except Timeout:
            if self._prices is not None and not self.cost_usd:
                self.cost_usd = self._prices.most_search_usd  # which services were asked is not known
            raise

    def _count(self, step: AnswerStep) -> None:
        if isinstance(step, Found) and self._prices is not None:
            self.cost_usd = self._prices.search_usd(step.outcomes)
        elif isinstance(step, Page):
            self._pages = (*self._pages, step)
        elif isinstance(step, Missed):
            self._missed = (*self._missed, step)
        elif isinstance(step, Gathered):
            self._pages, self._missed = step.pages, step.missed

    def page_count(self) -> int:
        """Return the number of requested pages: those that were read, page by page, and those that failed."""
        read_keys = {page_key(page.url) for page in self._pages}
        read_keys |= {page_key(missed.url) for missed in self._missed if missed.code == "duplicate"}
        failures = [missed for missed in self._missed if missed.code not in {"duplicate", "not_reached"}]
        return len(read_keys) + len(failures)


def _proved(claims: Sequence[Claim], unproved: Sequence[object]) -> tuple[Claim, ...]:
    return tuple(claim for claim in claims if not any(passage in unproved for passage in claim.passages))


def _notices(answer: Answer) -> tuple[Notice, ...]:
    """Return the notices about the answer of a query, without those of its pages."""
    of_pages = set(answer.gathered.notices)
    return tuple(notice for notice in answer.notices if notice not in of_pages)
