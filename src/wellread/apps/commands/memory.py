"""The commands `remember`, `memory` and `knowledge`: the data that the assistant keeps for its user."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Annotated, Literal, TypeVar

import click

from wellread.apps.commands.options import AllNotices, Json, Replay, extra, guarded, run, settings_of
from wellread.apps.commands.parameters import Argument, Option
from wellread.apps.console import console, escape, stderr_console
from wellread.apps.serialize import with_notices
from wellread.apps.terminal import complain, say, say_json, show_empty, show_notices, without_controls
from wellread.errors import InvalidInput
from wellread.text.counts import count_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from wellread.apps.assistant_stores import IngestResult
    from wellread.apps.build import Web
    from wellread.assistant.knowledge.knowledge_base import IngestedDocument, KnowledgeAnswers, KnowledgeBase
    from wellread.assistant.memory.fact import Fact
    from wellread.assistant.memory.turns import Topic, Window
    from wellread.assistant.memory.user_memory import UserMemory

    Found = tuple[tuple[Fact, ...], tuple[Window, ...]]

T = TypeVar("T")
Count = Annotated[int, Option(help="Maximum number of results.", min=1)]
_TITLE_CHARS = 60


def remember(
    context: click.Context,
    text: Annotated[str, Argument(help="Text to add; - reads standard input.", metavar="TEXT")],
    *,
    title: Annotated[str, Option(help="Title of the note; by default its first line.")] = "",
    json: Json = False,
) -> None:
    """Add a note to the knowledge base.

    The assistant and `wellread knowledge search` can find it there.
    """
    words = sys.stdin.read() if text == "-" else text
    ingested = _with_knowledge(context, lambda _, base: base.add_text(words, title=title), json=json)
    _show(ingested, lambda: _show_ingested(ingested), json=json)


def memory(
    context: click.Context,
    action: Annotated[Literal["list", "search", "add", "correct", "forget"], Argument(help="Action to run.")] = "list",
    words: Annotated[
        list[str] | None,
        Argument(
            help="Arguments of the action. search: words. add: FACT. correct: ID FACT. forget: ID.", metavar="WORDS"
        ),
    ] = None,
    *,
    count: Count = 10,
    json: Json = False,
) -> None:
    """List, search, add, correct and delete the facts that the assistant remembers about you.

    `forget` deletes a fact permanently, with the messages that it was learned from.
    """
    arguments = words or []
    if action == "list":
        facts = _with_memory(context, lambda store: store.facts(), json=json)
        _show({"facts": facts}, lambda: _show_facts(facts), json=json)
        if not facts and not json:
            show_empty("the assistant remembers no fact", "wellread memory add FACT")
    elif action == "search":
        query = " ".join(_require_words(arguments, 1, "memory search WORDS", json=json))
        (facts, windows), topics = _with_memory(context, partial(_search, query=query, count=count), json=json)
        results = {"facts": facts, "windows": windows, "topics": topics}
        _show(results, lambda: _show_memory_hits(facts, windows, topics), json=json)
    elif action == "forget":
        fact_id = _require_words(arguments, 1, "memory forget ID", json=json)[0]
        forgotten = _with_memory(context, lambda store: store.forget(fact_id), json=json)
        line = f"forgotten {_safe(forgotten.fact.text)} ({count_of(len(forgotten.turns), 'turn')})"
        _show(forgotten, lambda: console.print(line), json=json)
        if not forgotten.wiped:
            stderr_console.print(
                "[yellow]![/] another process still reads the database file; the next `wellread memory "
                "forget` erases the text from it"
            )
    else:
        fact = _add_or_correct(context, action, arguments, json=json)
        _show(fact, lambda: _show_facts((fact,)), json=json)


def knowledge(
    context: click.Context,
    action: Annotated[Literal["list", "add", "search", "remove"], Argument(help="Action to run.")] = "list",
    words: Annotated[
        list[str] | None,
        Argument(
            help="Arguments of the action. add: URLs, files and folders. search: a question. remove: "
            "names from the list.",
            metavar="WORDS",
        ),
    ] = None,
    *,
    count: Count = 8,
    all_notices: AllNotices = False,
    json: Json = False,
    replay: Replay = None,
) -> None:
    """Add documents to the knowledge base, search them with citations, list and remove them.

    The exit code is 1 if a document cannot be added, or if a document to remove is not in the list.
    """
    arguments = words or []
    if action == "list":
        documents = _with_knowledge(context, lambda _, base: base.documents(), json=json)
        if json:
            say_json({"documents": documents})
            return
        if not documents:
            show_empty("the knowledge base is empty", "wellread knowledge add FILE")
        for row in documents:
            say(f"{row.source}\t{count_of(row.chunks, 'piece')}\t{row.title[:_TITLE_CHARS]}")
    elif action == "search":
        query = " ".join(_require_words(arguments, 1, "knowledge search QUESTION", json=json))
        answers = _with_knowledge(context, lambda _, base: base.search(query, count=count), json=json)
        _show(answers, lambda: _show_answers(answers), json=json)
    elif action == "add":
        sources = _require_words(arguments, 1, "knowledge add URL|FILE|FOLDER...", json=json)
        _add(context, sources, all_notices=all_notices, json=json, replay=replay)
    else:
        _remove(context, _require_words(arguments, 1, "knowledge remove SOURCE...", json=json), json=json)


def _add(context: click.Context, sources: list[str], *, all_notices: bool, json: bool, replay: Replay) -> None:
    """Add all sources to the knowledge base; a source that fails does not end the run."""

    async def work(web: Web, base: KnowledgeBase) -> IngestResult:
        from wellread.apps.assistant_stores import add_sources

        return await add_sources(web, base, sources)

    taken = _with_knowledge(context, work, json=json, replay=replay)
    documents = tuple(with_notices(document, all_notices=all_notices) for document in taken.documents)
    if json:
        failed = [{"code": error.code, "message": error.message} for error in taken.failed]
        say_json({"kept": documents, "failed": failed, "passed_over": taken.passed_over})
    else:
        for document_kept in documents:
            _show_ingested(document_kept)
        for error in taken.failed:
            complain(error, as_json_too=False)
        if taken.passed_over:
            stderr_console.print(f"[yellow]![/] skipped {count_of(len(taken.passed_over), 'file')} of other kinds")
    if taken.failed:
        raise click.exceptions.Exit(1)


def _remove(context: click.Context, names: list[str], *, json: bool) -> None:
    async def work(_: Web, base: KnowledgeBase) -> dict[str, str]:
        return {name: "removed" if await base.remove(name) else "not there" for name in names}

    outcomes = _with_knowledge(context, work, json=json)
    if json:
        say_json(outcomes)
    else:
        for name, outcome in outcomes.items():
            say(f"{outcome}\t{name}")
    if "not there" in outcomes.values():
        raise click.exceptions.Exit(1)


def _add_or_correct(context: click.Context, action: str, arguments: list[str], *, json: bool) -> Fact:
    if action == "add":
        text = " ".join(_require_words(arguments, 1, "memory add FACT", json=json))
        return _with_memory(context, lambda store: store.add(text), json=json)
    fact_id, *words = _require_words(arguments, 2, "memory correct ID FACT", json=json)
    return _with_memory(context, lambda store: store.correct(fact_id, " ".join(words)), json=json)


def _with_memory(context: click.Context, work: Callable[[UserMemory], Awaitable[T]], *, json: bool) -> T:
    """Open the memory, run `work` with it, close it."""

    def opened() -> T:
        import anyio

        with extra("assistant"):
            from wellread.apps import assistant_stores

        async def main() -> T:
            with assistant_stores.memory(settings_of(context)[0]) as store:
                return await work(store)

        return anyio.run(main)

    return guarded(opened, json=json)


def _with_knowledge(
    context: click.Context,
    work: Callable[[Web, KnowledgeBase], Awaitable[T]],
    *,
    json: bool,
    replay: Replay = None,
) -> T:
    """Open the web and the knowledge base, run `work` with them, close both."""

    async def opened(web: Web) -> T:
        with extra("assistant"):
            from wellread.apps import assistant_stores

        async with assistant_stores.knowledge(web) as base:
            return await work(web, base)

    return run(context, opened, json=json, replay=replay)


def _require_words(arguments: list[str], count: int, usage: str, *, json: bool) -> list[str]:
    def checked() -> list[str]:
        if len(arguments) < count:
            raise InvalidInput(f"`{usage.split(' ')[1]}` needs an argument", hint=f"run `wellread {usage}`")
        return arguments

    return guarded(checked, json=json)


def _show(result: object, show: Callable[[], None], *, json: bool) -> None:
    """Print a result as JSON, or by `show`."""
    if json:
        say_json(result)
    else:
        show()


def _safe(text: str) -> str:
    return escape(without_controls(text))


def _show_facts(facts: tuple[Fact, ...]) -> None:
    for fact in facts:
        line = f"[dim]{fact.id} {fact.confidence:.2f} {fact.category}[/] {_safe(fact.text)}"
        if fact.tainted:
            line += " [yellow](from outside text, not confirmed)[/]"
        console.print(line)


async def _search(store: UserMemory, *, query: str, count: int) -> tuple[Found, tuple[Topic, ...]]:
    return await store.search(query, count=count), await store.topics(query, count=count)


def _show_memory_hits(facts: tuple[Fact, ...], windows: tuple[Window, ...], topics: tuple[Topic, ...]) -> None:
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


def _show_ingested(document: IngestedDocument) -> None:
    say(f"{document.outcome}\t{document.source}\t{count_of(document.chunks, 'piece')}\t{document.title[:_TITLE_CHARS]}")
    show_notices(document.notices)


def _show_answers(answers: KnowledgeAnswers) -> None:
    for number, passage in enumerate(answers.passages, 1):
        console.print(f"[bold]\\[{number}] {_safe(passage.title or '')}[/]")
        console.print(_safe(passage.text.strip()))
        link = _safe(passage.fragment_url or passage.url)
        console.print(f"[cyan]{link}[/] [dim]{passage.start}-{passage.end} {passage.snapshot_id[:19]}[/]\n")
    show_notices(answers.notices)
    stderr_console.print(f"[dim]— {count_of(len(answers.passages), 'passage')}[/]")
