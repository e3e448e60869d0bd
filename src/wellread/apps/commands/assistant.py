"""Commands of the assistant: chat, and its own doctor."""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING, Annotated, Literal

import typer
from rich.markup import escape

from wellread.apps.commands.options import Json, guarded, settings_of
from wellread.apps.terminal import complain, remarks, say_findings, say_json, tame
from wellread.errors import ConfigError, WellreadError

if TYPE_CHECKING:
    from wellread.assistant.conversations import Approval
    from wellread.assistant.events import Event, Reply
    from wellread.assistant.loop import Assistant
    from wellread.assistant.outbox import Letter
    from wellread.config import Settings

_ENDS = {"quit", "exit", "/quit", "/exit"}
_YES = {"y", "yes"}
_HANGING = "    "


def chat(
    context: typer.Context,
    message: Annotated[str | None, typer.Argument(help="Say this, and end with the answer.", metavar="MESSAGE")] = None,
    *,
    conversation: Annotated[str | None, typer.Option(help="Go on with this conversation.", metavar="ID")] = None,
    json: Json = False,
) -> None:
    """Talk with the assistant: it reads the web, uses tools, and asks before it changes anything outside."""
    settings = guarded(lambda: settings_of(context)[0], json=json)
    guarded(partial(_chat, settings, message, conversation, json=json), json=json)


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


def _chat(settings: Settings, message: str | None, conversation: str | None, *, json: bool) -> None:
    # Loaded here so that `wellread --help` does not wait for the HTTP library and the parsers.
    import anyio

    from wellread.apps import build

    async def main() -> None:
        show = partial(_show_letter, json=json)
        async with build.Web(settings) as web, build.assistant(settings, web, show=show) as ready:
            await ready.deliver()
            talk = _Talk(ready, conversation or await ready.open("chat"), json=json)
            await talk.settle(await ready.parts.book.pending(talk.conversation))
            if message is not None:
                await talk.hear(message)
                return
            async with ready.on_duty():
                await talk.converse()

    try:
        anyio.run(main)
    except ModuleNotFoundError as error:
        raise ConfigError(f"{error.name} is not installed", hint="pip install 'wellread[assistant]'") from error


class _Talk:
    """One conversation at the terminal."""

    def __init__(self, ready: Assistant, conversation: str, *, json: bool) -> None:
        self._ready = ready
        self.conversation = conversation
        self._json = json
        self._midline = False

    async def converse(self) -> None:
        """Read messages until there are no more. A turn that fails is told, and the next message read."""
        remarks.print(f"[dim]— conversation {self.conversation}; `exit` ends it[/]")
        while (line := await self._next()) is not None and line.strip().lower() not in _ENDS:
            if line.strip():
                try:
                    await self.hear(line.strip())
                except WellreadError as error:
                    complain(error, as_json_too=self._json)

    async def _next(self) -> str | None:
        await self.settle(await self._ready.parts.book.pending(self.conversation))  # schedules may have asked
        return await _line("[bold cyan]>[/] ")

    async def hear(self, text: str) -> None:
        """Say something, and settle what is asked on the way."""
        reply = await self._ready.hear(self.conversation, text, self._tell)
        self._end(reply)
        await self.settle(list(reply.asked))

    async def settle(self, asked: list[Approval]) -> None:
        """Ask the user about each action; the turn goes on after the last."""
        while asked:
            it = asked.pop(0)
            self._ask(it)
            word = await _line("[bold yellow]Do it? y/N[/] ")
            agreed = (word or "").strip().lower() in _YES
            reply = await self._ready.decide(it.id, self._tell, agreed=agreed)
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
    from anyio import to_thread

    if sys.stdin.isatty():
        remarks.print(prompt, end="")
    return await to_thread.run_sync(lambda: sys.stdin.readline() or None, abandon_on_cancel=True)
