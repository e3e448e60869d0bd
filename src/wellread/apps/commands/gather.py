"""The commands `gather` and `answer`: collect evidence, and answer a question with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import click

from wellread.apps import exit_codes
from wellread.apps.commands.options import (
    AllNotices,
    CookiesOption,
    Json,
    OutOption,
    ProfileOption,
    Provider,
    ProxyOption,
    Record,
    Replay,
    run,
)
from wellread.apps.commands.parameters import Argument, Option
from wellread.apps.commands.single_result import SingleResult
from wellread.apps.serialize import error_json, event, with_notices
from wellread.apps.terminal import gather_progress, say, say_json, show_answer, show_gathered
from wellread.errors import InvalidUsage, WellreadError
from wellread.reading.last_step import last_step
from wellread.types import Answer, Gathered

if TYPE_CHECKING:
    from collections.abc import Callable

    from wellread.apps.build import Web
    from wellread.reading.gather import GatherOptions
    from wellread.types import Step

GatherTop = Annotated[int | None, Option("--gather-top", help="Number of pages to read.", min=1)]
NumResults = Annotated[int | None, Option("--num-results", help="Number of search results to choose from.", min=1)]
Sites = Annotated[
    list[str] | None,
    Option(help="Take only pages on this host, subdomains included. Repeatable.", metavar="HOST"),
]
ExcludeSites = Annotated[list[str] | None, Option(help="Take no pages on this host. Repeatable.", metavar="HOST")]
PageUrls = Annotated[
    list[str] | None,
    Option(help="Take passages of this page instead of searching. Repeatable.", metavar="URL"),
]
Question = Annotated[str, Argument(help="Question, as you would ask a person.", metavar="QUESTION")]


def gather(
    context: click.Context,
    question: Question,
    *,
    gather_top: Annotated[int | None, Option("--gather-top", "--pages", help="Number of pages to read.", min=1)] = None,
    num_results: NumResults = None,
    provider: Provider = None,
    sites: Sites = None,
    exclude_sites: ExcludeSites = None,
    urls: PageUrls = None,
    order: Annotated[
        Literal["score", "page"],
        Option(help="score: best passage first; page: the passages of a page together, in its order."),
    ] = "score",
    cookies: CookiesOption = None,
    profile: ProfileOption = None,
    all_notices: AllNotices = False,
    json: Annotated[bool, Option("--json", help="Print JSON.")] = False,
    jsonl: Annotated[
        bool, Option("--jsonl", help="Print one JSON object per step when it ends, with the field `event`.")
    ] = False,
    wrapped: Annotated[
        bool,
        Option(
            "--wrapped",
            help="Print text for a model, with marks around the passages that keep them apart from instructions.",
        ),
    ] = False,
    out: OutOption = None,
    proxy: ProxyOption = None,
    record: Record = None,
    replay: Replay = None,
) -> None:
    """Search, read the best pages, and print the passages that answer a question.

    Each passage has a citation that `wellread verify` can check. The exit code is 5 if no search service answers or no
    page can be read.
    """
    if json + jsonl + wrapped > 1:
        raise InvalidUsage("--json, --jsonl and --wrapped exclude each other", hint="use one of them")
    if jsonl and out:
        raise InvalidUsage("--jsonl and --out exclude each other", hint="use one of them")
    result = SingleResult(question, out, json=json)
    options: GatherOptions = {
        "num_results": num_results,
        "gather_top": gather_top,
        "sites": sites,
        "exclude_sites": exclude_sites,
        "urls": urls,
        "order": order,
        "cookies": cookies,
        "profile": profile,
    }

    async def work(web: Web) -> Gathered:
        if jsonl:
            return await _gather_as_json_lines(web, question, options, all_notices=all_notices)
        with gather_progress(quiet=json) as count:
            return await _gather(web, question, options, count)

    result_of_gather = run(context, work, json=json, providers=provider, proxy=proxy, record=record, replay=replay)
    result_of_gather = with_notices(result_of_gather, all_notices=all_notices)
    if wrapped:
        from wellread.citations.evidence_prompt import wrapped as wrap

        result.show(result_of_gather, lambda: say(wrap(result_of_gather)), lambda: wrap(result_of_gather))
    elif not jsonl:
        result.show(result_of_gather, lambda: show_gathered(result_of_gather))
    raise click.exceptions.Exit(exit_codes.gather_exit_code(result_of_gather))


async def _gather(web: Web, question: str, options: GatherOptions, tell: Callable[[Step], None]) -> Gathered:
    """Pass each step to `tell` as it ends, and return the answer, which is the last."""
    async with web.gathering(question, **options) as steps:
        return await last_step(steps, Gathered, tell)


async def _gather_as_json_lines(web: Web, question: str, options: GatherOptions, *, all_notices: bool) -> Gathered:
    """Print a line of JSON for each step; a failure is the last line."""
    try:
        return await _gather(
            web, question, options, lambda step: say_json(event(step, all_notices=all_notices), indent=None)
        )
    except WellreadError as error:
        say_json({"event": "failure"} | error_json(error), indent=None)
        raise click.exceptions.Exit(exit_codes.STATUS_BY_CODE[error.code].exit_code) from error


def answer(
    context: click.Context,
    question: Question,
    *,
    gather_top: GatherTop = None,
    num_results: NumResults = None,
    provider: Provider = None,
    sites: Sites = None,
    exclude_sites: ExcludeSites = None,
    urls: PageUrls = None,
    cookies: CookiesOption = None,
    profile: ProfileOption = None,
    all_notices: AllNotices = False,
    json: Json = False,
    out: OutOption = None,
    proxy: ProxyOption = None,
    record: Record = None,
    replay: Replay = None,
) -> None:
    """Answer a question in a few sentences, of which each cites passages that were verified.

    With models.chat, a language model writes the sentences; those that their passages do not support are dropped.
    Without it, the best sentences, list items and table rows of the pages are printed. The exit code is 1 if nothing
    answers, and 5 if no search service answers or no page can be read.
    """
    result = SingleResult(question, out, json=json)
    options: GatherOptions = {
        "num_results": num_results,
        "gather_top": gather_top,
        "sites": sites,
        "exclude_sites": exclude_sites,
        "urls": urls,
        "cookies": cookies,
        "profile": profile,
    }

    async def work(web: Web) -> Answer:
        with gather_progress(quiet=json) as count:
            async with web.answering(question, **options) as steps:
                return await last_step(steps, Answer, count)

    result_of_answer = run(context, work, json=json, providers=provider, proxy=proxy, record=record, replay=replay)
    shown = with_notices(result_of_answer, all_notices=all_notices)
    result.show(shown, lambda: show_answer(shown))
    raise click.exceptions.Exit(
        exit_codes.gather_exit_code(result_of_answer.gathered) or int(not result_of_answer.claims)
    )
