"""The command `research`: a report on a question, within a budget."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import click

from wellread.apps.commands.options import (
    AllNotices,
    Json,
    OutOption,
    Provider,
    ProxyOption,
    Record,
    Replay,
    run,
)
from wellread.apps.commands.parameters import Argument, Option
from wellread.apps.commands.single_result import SingleResult
from wellread.apps.serialize import with_notices
from wellread.apps.terminal import say, show_research_step
from wellread.reading.last_step import last_step
from wellread.types import Research, ResearchBudget

if TYPE_CHECKING:
    from wellread.apps.build import Web
    from wellread.types import ResearchStep

_DEFAULTS = ResearchBudget()


def research(
    context: click.Context,
    question: Annotated[str, Argument(help="Question, as you would ask a person.", metavar="QUESTION")],
    *,
    time_s: Annotated[
        float, Option("--time-s", help="Seconds that all runs may take together.", metavar="SECONDS")
    ] = _DEFAULTS.time_s,
    pages: Annotated[int, Option(help="Pages to request at most.", min=1)] = _DEFAULTS.pages,
    tokens: Annotated[
        int, Option(help="Tokens of the language model to use at most, by an upper estimate.", min=0)
    ] = _DEFAULTS.tokens,
    max_usd: Annotated[
        float | None,
        Option("--max-usd", help="Dollars to spend at most; needs prices in the settings.", min=0),
    ] = None,
    journal: Annotated[
        Path | None,
        Option(help="Store each finished query in this folder, and continue from it.", metavar="FOLDER"),
    ] = None,
    provider: Provider = None,
    all_notices: AllNotices = False,
    json: Json = False,
    out: OutOption = None,
    proxy: ProxyOption = None,
    record: Record = None,
    replay: Replay = None,
) -> None:
    """Research a question in several searches, and print a report in Markdown whose every sentence is cited.

    Without --json, steps are printed on stderr when they end. The exit code is 1 if nothing answers, and 5 if no
    search was possible.
    """
    result = SingleResult(question, out, json=json)
    budget = ResearchBudget(time_s=time_s, pages=pages, tokens=tokens, max_usd=max_usd)

    def show(step: ResearchStep) -> None:
        if not json:
            show_research_step(with_notices(step, all_notices=all_notices))

    async def work(web: Web) -> Research:
        async with web.researching(question, budget=budget, journal=journal) as steps:
            return await last_step(steps, Research, show)

    report = run(context, work, json=json, providers=provider, proxy=proxy, record=record, replay=replay)
    shown = with_notices(report, all_notices=all_notices)
    result.show(shown, lambda: say(shown.text), lambda: shown.text)
    raise click.exceptions.Exit(int(not report.citations))
