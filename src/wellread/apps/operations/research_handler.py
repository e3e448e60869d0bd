"""The handler of `web_research`: a research within the caps of the owner."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from anyio import to_thread

from wellread.apps.operations.handlers import PIECE_BYTES
from wellread.apps.operations.step_events import reported_result
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
        result = await reported_result(steps, Research, context.tell)
    return await to_thread.run_sync(fitting, result, frozenset(args.include))


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


def fitting(result: Research, include: frozenset[str] = frozenset()) -> Research:
    """Return a research that fits one answer with the lists of `include`; a notice names what is left out."""
    if _size(result, include) <= PIECE_BYTES:
        return result
    for sentence_count in _SENTENCE_COUNTS:
        shorter = shortened(result, sentence_count)
        if _size(shorter, include) <= PIECE_BYTES:
            break
    if shorter == result:
        return result
    detail = f"the answer has at most {sentence_count} sentences of each search and as many contradictions"
    return replace(shorter, notices=(*shorter.notices, Notice("report_cut", detail)))


def _size(result: Research, include: frozenset[str]) -> int:
    parts = [result.text, result.citations, *(getattr(result, name) for name in sorted(include))]
    return len(as_json(parts, indent=None).encode("utf-8", "replace"))
