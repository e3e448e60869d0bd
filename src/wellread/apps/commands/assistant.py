"""Commands of the assistant: chat, and its own doctor."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from textwrap import shorten
from typing import TYPE_CHECKING, Annotated, Literal

import typer
from rich.markup import escape

from wellread.apps.commands.options import Json, extra, guarded, settings_of
from wellread.apps.requirements import check_chat
from wellread.apps.terminal import complain, remarks, say, say_findings, say_json, tame
from wellread.errors import InvalidInput, WellreadError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from concurrent.futures import Future

    from wellread.assistant.conversations import Approval
    from wellread.assistant.events import Event, Reply
    from wellread.assistant.listing import Conversation
    from wellread.assistant.outbox import Letter
    from wellread.assistant.user_assistant import UserAssistant
    from wellread.config import Settings

_ENDS = {"quit", "exit", "/quit", "/exit"}
_YES = {"y", "yes"}
_HANGING = "    "
_PROMPT = "[bold cyan]>[/] "
_RECAP_CHARS = 300
_LAST = "last"
"""Stands for the last conversation; ids are made of other letters."""


def chat(
    context: typer.Context,
    message: Annotated[str | None, typer.Argument(help="Say this, and end with the answer.", metavar="MESSAGE")] = None,
    *,
    list_: Annotated[
        bool, typer.Option("--list", help="Show the conversations that were held, the last first.")
    ] = False,
    last: Annotated[bool, typer.Option("--continue", help="Go on with the last conversation held here.")] = False,
    conversation: Annotated[str | None, typer.Option(help="Go on with this conversation.", metavar="ID")] = None,
    json: Json = False,
) -> None:
    """Talk with the assistant: it reads the web, uses tools, and asks before it changes anything outside."""
    settings = guarded(lambda: settings_of(context)[0], json=json)
    guarded(partial(_one_wish, (message or conversation or last, list_), (conversation, last)), json=json)
    if list_:
        kept = guarded(partial(_conversations, settings), json=json)
        if json:
            say_json({"conversations": kept})
        else:
            guarded(partial(_show_conversations, kept, settings), json=False)
        return
    earlier = conversation or (_LAST if last else None)
    guarded(partial(_chat, settings, message, earlier, json=json), json=json)


def assistant(
    context: typer.Context,
    action: Annotated[Literal["doctor"], typer.Argument(help="What to do.")] = "doctor",
    *,
    json: Json = False,
) -> None:
    """Check what the assistant needs, asking no model: models and keys, store, tools, sandbox. Exit code 1 if amiss."""
    assert action == "doctor"
    from wellread.apps.assistant_checkup import checkup

    settings = guarded(lambda: settings_of(context)[0], json=json)
    findings = guarded(lambda: checkup(settings), json=json)
    say_findings(findings, json=json)
    if any(finding.ok is False for finding in findings):
        raise typer.Exit(1)


def _one_wish(*rivals: tuple[object, object]) -> None:
    """Refuse wishes that shut each other out.

    Raises:
        InvalidInput: two of a pair are given.
    """
    if any(one and other for one, other in rivals):
        raise InvalidInput("--list, --continue and --conversation are three wishes", hint="one at a time")


def _conversations(settings: Settings) -> Sequence[Conversation]:
    import anyio

    with extra("assistant"):
        from wellread.apps import recollection

    return anyio.run(recollection.conversations, settings)


def _show_conversations(kept: Sequence[Conversation], settings: Settings) -> None:
    from wellread.assistant.schedule import zones

    where = zones.zone(zones.home(settings.schedule.timezone))
    for it in kept:
        last = f"{zones.wall_at(it.last_ms, where):%Y-%m-%d %H:%M}"
        about = "; ".join(it.topics) or " ".join(it.opening.split())
        say(f"{it.id[:8]}\t{last}\t{it.messages} messages\t{it.channel}\t{about}")


def _chat(settings: Settings, message: str | None, earlier: str | None, *, json: bool) -> None:
    check_chat(settings)
    # The rest is loaded once the user has been asked: it takes longer than to type a question.
    first = None if message or earlier else _ahead()
    import anyio

    with extra("assistant"):
        from wellread.apps import build

    async def main() -> None:
        show = partial(_show_letter, json=json)
        async with build.Web(settings) as web, build.assistant(settings, web, show=show) as home:
            await home.deliver()
            ready = await home.owner()
            talk = _Talk(ready, await _found(ready, earlier), first, json=json)
            if earlier and message is None:
                await talk.recap()
            await talk.settle(await ready.parts.book.pending(talk.conversation))
            if message is not None:
                await talk.hear(message)
                return
            async with home.on_duty():
                await talk.converse()

    with extra("assistant"):
        anyio.run(main)


def _ahead() -> Future[str | None]:
    """Ask for the first message of a new conversation, in a thread of its own."""
    remarks.print("[dim]\u2014 a new conversation; `exit` ends it[/]")
    reader = ThreadPoolExecutor(1)
    first = reader.submit(_typed, _PROMPT)
    reader.shutdown(wait=False)
    return first


async def _found(ready: UserAssistant, earlier: str | None) -> str:
    if earlier is None:
        return await ready.open("chat")
    if earlier != _LAST:
        return await ready.parts.book.find(earlier)
    if last := await ready.conversations("chat", count=1):
        return last[0].id
    raise InvalidInput("there is no conversation yet", hint="begin one: wellread chat")


class _Talk:
    """One conversation at the terminal."""

    def __init__(
        self, ready: UserAssistant, conversation: str, first: Future[str | None] | None, *, json: bool
    ) -> None:
        self._ready = ready
        self.conversation = conversation
        self._first = first
        self._json = json
        self._midline = False

    async def converse(self) -> None:
        """Read messages until there are no more. A turn that fails is reported, and the next message read."""
        while (line := await self._next()) is not None and line.strip().lower() not in _ENDS:
            if line.strip():
                try:
                    await self.hear(line.strip())
                except WellreadError as error:
                    complain(error, as_json_too=self._json)

    async def recap(self) -> None:
        """Show where an earlier conversation stands."""
        remarks.print("[dim]\u2014 an earlier conversation; `exit` ends it[/]")
        for it in (await self._ready.parts.book.said(self.conversation))[-2:]:
            remarks.print(f"[dim]{it.role}: {escape(shorten(tame(it.text), _RECAP_CHARS, placeholder=' …'))}[/]")

    async def _next(self) -> str | None:
        if self._first is not None:
            first, self._first = self._first, None
            return await _waited(first.result)
        await self.settle(await self._ready.parts.book.pending(self.conversation))  # schedules may have asked
        return await _line(_PROMPT)

    async def hear(self, text: str) -> None:
        """Say something, and settle what is asked on the way."""
        reply = await self._ready.hear(self.conversation, text, self._tell, author=self._ready.user.account)
        self._end(reply)
        await self.settle(list(reply.asked))

    async def settle(self, asked: list[Approval]) -> None:
        """Ask the user about each action; the turn goes on after the last."""
        while asked:
            it = asked.pop(0)
            self._ask(it)
            word = await _line("[bold yellow]Do it? y/N[/] ")
            agreed = (word or "").strip().lower() in _YES
            reply = await self._ready.decide(it.id, self._tell, agreed=agreed, by=self._ready.user.account)
            self._end(reply)
            asked += [more for more in reply.asked if more.id not in {known.id for known in asked}]

    def _ask(self, it: Approval) -> None:
        if self._json:
            say_json({"event": "asked", "approval": it}, indent=None)
            return
        from wellread.assistant.policy import visible

        remarks.print(f"[bold yellow]? {escape(it.tool)}[/] [dim]{escape(tame(it.reason))}[/]")
        for line in visible(it.preview).split("\n"):
            _print_hanging(line)

    async def _tell(self, event: Event) -> None:
        name = type(event).__name__.lower()
        if self._json:
            if name != "asked":
                say_json({"event": name, **_fields(event)}, indent=None)
            return
        text = getattr(event, "text", "")
        if name == "heard":
            sys.stdout.write(tame(text))
            sys.stdout.flush()
            self._midline = not text.endswith("\n")
        elif name == "using":
            self._break()
            remarks.print(f"[dim]· {escape(tame(getattr(event, 'tool', '')))}[/]")
        elif name == "noted":
            self._break()
            remarks.print(f"[yellow]! {escape(tame(text))}[/]")
        elif name == "used":
            for receipt in getattr(event, "receipts", ()):
                remarks.print(f"[green]✓ {escape(tame(receipt))}[/]")

    def _end(self, reply: Reply) -> None:
        if self._json:
            say_json({"event": "reply", **_fields(reply)}, indent=None)
            return
        self._break()
        if not reply.receipts and not reply.asked:
            # Said after every such turn, in whatever language the model speaks: a claim in its words stands beside it.
            from wellread.assistant.channels.letters import NOTHING

            remarks.print(f"[dim]{NOTHING}[/]")

    def _break(self) -> None:
        if self._midline:
            sys.stdout.write("\n")
            sys.stdout.flush()
            self._midline = False


def _print_hanging(line: str) -> None:
    """Print a line of a preview; what the terminal folds stands indented: no line of ours begins there."""
    from rich.text import Text

    first, *more = Text(line).wrap(remarks, remarks.width - len(_HANGING)) or [Text()]
    for part in (first, *(Text(_HANGING) + it for it in more)):
        remarks.print(part)


async def _show_letter(letter: Letter, *, json: bool) -> None:
    if json:
        say_json({"event": "letter", "conversation": letter.chat, "text": letter.text}, indent=None)
        return
    remarks.print(f"\n[bold magenta]\u2709[/] {escape(tame(letter.text))}")


def _fields(value: object) -> dict[str, object]:
    from wellread.apps.shapes import plain

    fields: dict[str, object] = plain(value)
    return fields


async def _line(prompt: str) -> str | None:
    return await _waited(partial(_typed, prompt))


async def _waited(line: Callable[[], str | None]) -> str | None:
    from anyio import to_thread

    return await to_thread.run_sync(line, abandon_on_cancel=True)


def _typed(prompt: str) -> str | None:
    """Return the next line, None at the end of what is typed."""
    if sys.stdin.isatty():
        remarks.print(prompt, end="")
    return sys.stdin.readline() or None
