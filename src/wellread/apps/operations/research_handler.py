"""The handler of `web_research`: a research within the caps of the owner."""

from __future__ import annotations

import hashlib
import re
import shutil
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from anyio import to_thread

from wellread.apps.operations.handlers import PIECE_BYTES
from wellread.apps.operations.step_events import reported_result
from wellread.apps.serialize import as_json
from wellread.errors import ConfigError, InvalidInput
from wellread.reading.research_costs import research_prices
from wellread.reading.research_journal import JOURNAL, locked_journal
from wellread.reading.research_report import shortened
from wellread.types import Notice, Research, ResearchBudget

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wellread.apps.operations.arguments import ResearchArguments
    from wellread.apps.operations.handlers import HandlerContext
    from wellread.config import Settings
    from wellread.sections import ResearchSettings

TIME_S: Final = 60
PAGES: Final = 10
"""Of a call that names no number."""
FOLDER: Final = "research"
"""Below `cache.dir`: a folder for each caller, and in it one for each journal."""
MAX_JOURNALS: Final = 50
"""Of one caller; a new one deletes the one that was not used longest."""
_SENTENCE_COUNTS: Final = (6, 3, 2, 1)
_JOURNAL_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")


async def research(context: HandlerContext, args: ResearchArguments) -> Research:
    """Research a question within the caps of the owner; a report that is too long for one answer is shortened.

    Raises:
        InvalidInput: a limit is above the cap of the owner, `max_usd` is given and the server has no prices, or the
            journal is about another question, or in use.
    """
    parts = context.web.parts
    if args.max_usd is not None:
        _check_prices(parts.settings, has_model=parts.model is not None)
    budget = _budget(args, parts.settings.research)
    journal = None
    if args.journal is not None:
        journal = await to_thread.run_sync(
            _journal_folder, Path(parts.settings.cache.dir), context.caller, args.journal
        )
    steps_of_research = context.web.researching(args.question, budget=budget, journal=journal, provider=args.provider)
    with _journal_errors(journal):
        async with steps_of_research as steps:
            result = await reported_result(steps, Research, context.tell)
    return await to_thread.run_sync(fitting, result, frozenset(args.include))


def _journal_folder(cache_folder: Path, caller: str | None, name: str) -> Path:
    """Return the folder of a journal of a caller; a new one deletes the journals beyond the limit.

    Raises:
        InvalidInput: the name is not valid.
    """
    if not _JOURNAL_NAME.fullmatch(name):
        raise InvalidInput(f"{name!r} is not a name of a journal", hint="use letters, digits, - and _, at most 64")
    folder = cache_folder / FOLDER / hashlib.sha256((caller or "").encode()).hexdigest()[:32] / name
    if folder.parent.is_dir() and not folder.exists():
        _delete_surplus_journals(folder.parent)
    return folder


def _delete_surplus_journals(folder: Path) -> None:
    """Make room for one more journal in the folder of a caller; a journal that is in use stays."""
    journals = sorted(filter(Path.is_dir, folder.iterdir()), key=_last_used_at)
    surplus = max(0, len(journals) + 1 - MAX_JOURNALS)
    for journal in journals:
        if not surplus:
            break
        with suppress(InvalidInput, OSError), closing(locked_journal(journal)):
            shutil.rmtree(journal)
            surplus -= 1


def _last_used_at(journal: Path) -> float:
    """Return when a research last used a journal; a research that has just begun may not have its file yet."""
    file = journal / JOURNAL
    return (file if file.exists() else journal).stat().st_mtime


@contextmanager
def _journal_errors(folder: Path | None) -> Iterator[None]:
    """Name a journal in an error by its name: the folders of the server do not concern its callers."""
    try:
        yield
    except InvalidInput as error:
        if folder is not None:
            error.message = error.message.replace(str(folder), f"the journal {folder.name!r}")
            error.hint = (error.hint or "").replace("folder", "journal")
        raise


def _check_prices(settings: Settings, *, has_model: bool) -> None:
    """Check that a budget in dollars can be kept.

    Raises:
        InvalidInput: the settings of the server lack prices.
    """
    try:
        research_prices(settings, has_model=has_model, is_budgeted=True)
    except ConfigError as error:
        hint = "leave it out; the owner of the server sets models.input_usd, models.output_usd and search.usd"
        raise InvalidInput("max_usd: this server does not know the prices", hint=hint) from error


def _budget(args: ResearchArguments, caps: ResearchSettings) -> ResearchBudget:
    requested = {"time_s": args.time_s, "pages": args.pages, "tokens": args.tokens, "max_usd": args.max_usd}
    limits = {"time_s": caps.max_time_s, "pages": caps.max_pages, "tokens": caps.max_tokens, "max_usd": caps.max_usd}
    for name, number in requested.items():
        limit = limits[name]
        if number is not None and limit is not None and number > limit:
            setting = f"research.max_{name.removeprefix('max_')}"
            hint = f"use at most {limit:g}; the owner of the server sets it as {setting}"
            raise InvalidInput(f"{name}: {number} is more than this server takes", hint=hint)
    return ResearchBudget(
        time_s=args.time_s or min(TIME_S, caps.max_time_s),
        pages=args.pages or min(PAGES, caps.max_pages),
        tokens=caps.max_tokens if args.tokens is None else args.tokens,
        max_usd=caps.max_usd if args.max_usd is None else args.max_usd,
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
