"""The handler of `web_research`: a research within the caps of the owner."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from anyio import to_thread

from wellread.apps.operations.handlers import PIECE_BYTES
from wellread.apps.operations.step_events import last_step
from wellread.apps.serialize import as_json
from wellread.errors import InvalidInput
from wellread.reading.research_report import shortened
from wellread.types import Notice, Research, ResearchBudget

if TYPE_CHECKING:
    from wellread.apps.operations.arguments import ResearchArguments
    from wellread.apps.operations.handlers import HandlerContext
    from wellread.sections import ResearchSettings

TIME_S: Final = 60
PAGES: Final = 10
"""Of a call that names no number."""
_SENTENCE_COUNTS: Final = (6, 3, 2, 1)


async def research(context: HandlerContext, args: ResearchArguments) -> Research:
    """Research a question within the caps of the owner; a report that is too long for one answer is shortened.

    Raises:
        InvalidInput: a limit is above the cap of the owner.
    """
    budget = _budget(args, context.web.parts.settings.research)
    async with context.web.researching(args.question, budget=budget, provider=args.provider) as steps:
        result = await last_step(steps, Research, context.tell)
    return await to_thread.run_sync(fitting, result)


def _budget(args: ResearchArguments, caps: ResearchSettings) -> ResearchBudget:
    requested = {"time_s": args.time_s, "pages": args.pages, "tokens": args.tokens}
    limits = {"time_s": caps.max_time_s, "pages": caps.max_pages, "tokens": caps.max_tokens}
    for name, number in requested.items():
        if number is not None and number > limits[name]:
            hint = f"use at most {limits[name]:g}; the owner of the server sets it as research.max_{name}"
            raise InvalidInput(f"{name}: {number} is more than this server takes", hint=hint)
    return ResearchBudget(
        time_s=args.time_s or min(TIME_S, caps.max_time_s),
        pages=args.pages or min(PAGES, caps.max_pages),
        tokens=caps.max_tokens if args.tokens is None else args.tokens,
        max_usd=caps.max_usd,
    )


def fitting(result: Research) -> Research:
    """Return a research whose report and citations fit one answer, with a notice where sentences are left out."""
    if _size(result) <= PIECE_BYTES:
        return result
    for sentence_count in _SENTENCE_COUNTS:
        shorter = shortened(result, sentence_count)
        if _size(shorter) <= PIECE_BYTES:
            break
    detail = f"the report has at most {sentence_count} sentences of each search and as many contradictions"
    return replace(shorter, notices=(*shorter.notices, Notice("report_cut", detail)))


def _size(result: Research) -> int:
    return len(as_json([result.text, result.citations], indent=None).encode("utf-8", "replace"))
