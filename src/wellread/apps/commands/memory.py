"""Commands about what the assistant keeps for its user: remember, memory, knowledge."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Annotated, Literal, TypeVar

import typer
from rich.markup import escape

from wellread.apps.commands.options import AllNotices, Json, Replay, extra, guarded, run, settings_of
from wellread.apps.shapes import with_notices
from wellread.apps.terminal import complain, console, remarks, say, say_json, show_notices, tame
from wellread.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from wellread.apps.build import Web
    from wellread.apps.recollection import Taken
    from wellread.assistant.knowledge.knowledge import Answers, Ingested, Knowledge
    from wellread.assistant.memory.facts import Fact
    from wellread.assistant.memory.memory import Memory
    from wellread.assistant.memory.turns import Topic, Window

    Found = tuple[tuple[Fact, ...], tuple[Window, ...]]

T = TypeVar("T")
Count = Annotated[int, typer.Option(help="Most results.", min=1)]
_TITLE_CHARS = 60


def remember(
    context: typer.Context,
    text: Annotated[str, typer.Argument(help="What to keep, word for word; - reads standard input.", metavar="TEXT")],
    *,
    title: Annotated[str, typer.Option(help="A name for it, if its first line is none.")] = "",
    json: Json = False,
) -> None:
    """Keep a text in the knowledge base, where `wellread knowledge search` and the assistant find it."""
    words = sys.stdin.read() if text == "-" else text
    kept = _known(context, lambda _, base: base.add_text(words, title=title), json=json)
    say_json(kept) if json else _show_ingested(kept)


def memory(
    context: typer.Context,
    action: Annotated[
        Literal["list", "search", "add", "correct", "forget"], typer.Argument(help="What to do.")
    ] = "list",
    words: Annotated[
        list[str] | None, typer.Argument(help="What to look for, the fact, or its id.", metavar="WORDS")
    ] = None,
    *,
    count: Count = 10,
    json: Json = False,
) -> None:
    """Show what the assistant knows of you, add to it, correct it, or have it forgotten for good."""
    given = words or []
    if action == "list":
        facts = _remembered(context, lambda minded: minded.facts(), json=json)
        say_json({"facts": facts}) if json else _show_facts(facts)
    elif action == "search":
        query = " ".join(_at_least(given, 1, "memory search WORDS", json=json))
        (facts, windows), topics = _remembered(context, partial(_search, query=query, count=count), json=json)
        told = {"facts": facts, "windows": windows, "topics": topics}
        say_json(told) if json else _show_found(facts, windows, topics)
    elif action == "forget":
        name = _at_least(given, 1, "memory forget ID", json=json)[0]
        gone = _remembered(context, lambda minded: minded.forget(name), json=json)
        say_json(gone) if json else console.print(f"forgotten {_safe(gone.fact.text)} ({len(gone.turns)} turns)")
        if not gone.wiped:
            remarks.print("[yellow]![/] another process still reads the database; forget anything again to wipe it")
    else:
        fact = _stated(context, action, given, json=json)
        say_json(fact) if json else _show_facts((fact,))


def knowledge(
    context: typer.Context,
    action: Annotated[Literal["list", "add", "search", "remove"], typer.Argument(help="What to do.")] = "list",
    words: Annotated[
        list[str] | None,
        typer.Argument(help="URLs, files and folders, a question, or what is listed.", metavar="WORDS"),
    ] = None,
    *,
    count: Count = 8,
    all_notices: AllNotices = False,
    json: Json = False,
    replay: Replay = None,
) -> None:
    """Keep documents in the knowledge base, find what they say with proof, and remove them.

    Exit code 1 when a document could not be taken in, or was not there to be removed.
    """
    given = words or []
    if action == "list":
        kept = _known(context, lambda _, base: base.documents(), json=json)
        if json:
            say_json({"documents": kept})
        for row in () if json else kept:
            say(f"{row.source}\t{row.chunks} pieces\t{row.title[:_TITLE_CHARS]}")
    elif action == "search":
        query = " ".join(_at_least(given, 1, "knowledge search QUESTION", json=json))
        found = _known(context, lambda _, base: base.search(query, count=count), json=json)
        say_json(found) if json else _show_answers(found)
    elif action == "add":
        sources = _at_least(given, 1, "knowledge add URL|FILE|FOLDER...", json=json)
        _add(context, sources, all_notices=all_notices, json=json, replay=replay)
    else:
        _remove(context, _at_least(given, 1, "knowledge remove SOURCE...", json=json), json=json)


def _add(context: typer.Context, sources: list[str], *, all_notices: bool, json: bool, replay: Replay) -> None:
    """Take in all sources; one that fails never ends the run."""

    async def work(web: Web, base: Knowledge) -> Taken:
        from wellread.apps.recollection import take_in

        return await take_in(web, base, sources)

    taken = _known(context, work, json=json, replay=replay)
    documents = tuple(with_notices(document, all_notices=all_notices) for document in taken.kept)
    if json:
        failed = [{"code": error.code, "message": error.message} for error in taken.failed]
        say_json({"kept": documents, "failed": failed, "passed_over": taken.passed_over})
    else:
        for kept in documents:
            _show_ingested(kept)
        for error in taken.failed:
            complain(error, as_json_too=False)
        if taken.passed_over:
            remarks.print(f"[yellow]![/] {len(taken.passed_over):,} files of other kinds were passed over")
    if taken.failed:
        raise typer.Exit(1)


def _remove(context: typer.Context, names: list[str], *, json: bool) -> None:
    async def work(_: Web, base: Knowledge) -> dict[str, str]:
        return {name: "removed" if await base.remove(name) else "not there" for name in names}

    told = _known(context, work, json=json)
    if json:
        say_json(told)
    for name, outcome in () if json else told.items():
        say(f"{outcome}\t{name}")
    if "not there" in told.values():
        raise typer.Exit(1)


def _stated(context: typer.Context, action: str, given: list[str], *, json: bool) -> Fact:
    if action == "add":
        text = " ".join(_at_least(given, 1, "memory add FACT", json=json))
        return _remembered(context, lambda minded: minded.add(text), json=json)
    name, *rest = _at_least(given, 2, "memory correct ID FACT", json=json)
    return _remembered(context, lambda minded: minded.correct(name, " ".join(rest)), json=json)


def _remembered(context: typer.Context, work: Callable[[Memory], Awaitable[T]], *, json: bool) -> T:
    """Open the memory, do `work`, close it."""

    def opened() -> T:
        import anyio

        with extra("assistant"):
            from wellread.apps import recollection

        async def main() -> T:
            with recollection.memory(settings_of(context)[0]) as minded:
                return await work(minded)

        return anyio.run(main)

    return guarded(opened, json=json)


def _known(
    context: typer.Context,
    work: Callable[[Web, Knowledge], Awaitable[T]],
    *,
    json: bool,
    replay: Replay = None,
) -> T:
    """Open the web and the knowledge base, do `work`, close both."""

    async def opened(web: Web) -> T:
        with extra("assistant"):
            from wellread.apps import recollection

        async with recollection.knowledge(web) as base:
            return await work(web, base)

    return run(context, opened, json=json, replay=replay)


def _at_least(given: list[str], count: int, usage: str, *, json: bool) -> list[str]:
    def checked() -> list[str]:
        if len(given) < count:
            raise InvalidInput(f"something is missing after `{usage.split(' ')[1]}`", hint=f"wellread {usage}")
        return given

    return guarded(checked, json=json)


def _safe(text: str) -> str:
    return escape(tame(text))


def _show_facts(facts: tuple[Fact, ...]) -> None:
    for fact in facts:
        doubt = " [yellow](read in outside text, not confirmed)[/]" if fact.tainted else ""
        console.print(f"[dim]{fact.id} {fact.confidence:.2f} {fact.category}[/] {_safe(fact.text)}{doubt}")


async def _search(minded: Memory, *, query: str, count: int) -> tuple[Found, tuple[Topic, ...]]:
    return await minded.search(query, count=count), await minded.topics(query, count=count)


def _show_found(facts: tuple[Fact, ...], windows: tuple[Window, ...], topics: tuple[Topic, ...]) -> None:
    _show_facts(facts)
    for topic in topics:
        console.print(f"[dim]{_day(topic.at_ms)} conversation {topic.conversation[:8]}:[/] {_safe(topic.text)}")
    for window in windows:
        console.print()
        for turn in window.turns:
            style = "bold" if turn.id == window.centre else "dim"
            console.print(f"[dim]{_day(turn.at_ms)}[/] [{style}]{_safe(turn.speaker)}: {_safe(turn.text)}[/]")


def _day(at_ms: int) -> str:
    return datetime.fromtimestamp(at_ms / 1000, UTC).date().isoformat()


def _show_ingested(kept: Ingested) -> None:
    say(f"{kept.outcome}\t{kept.source}\t{kept.chunks} pieces\t{kept.title[:_TITLE_CHARS]}")
    show_notices(kept.notices)


def _show_answers(found: Answers) -> None:
    for number, passage in enumerate(found.passages, 1):
        console.print(f"[bold]\\[{number}] {_safe(passage.title or '')}[/]")
        console.print(_safe(passage.text.strip()))
        where = _safe(passage.fragment_url or passage.url)
        console.print(f"[cyan]{where}[/] [dim]{passage.start}-{passage.end} {passage.snapshot_id[:19]}[/]\n")
    show_notices(found.notices)
    remarks.print(f"[dim]— {len(found.passages)} passages[/]")
