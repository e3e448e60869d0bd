"""The commands `chat` and `assistant`."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from textwrap import shorten
from typing import TYPE_CHECKING, Annotated, Literal

import click

from wellread.apps.assistant_requirements import check_chat
from wellread.apps.commands.options import Json, extra, guarded, settings_of
from wellread.apps.commands.parameters import Argument, Option
from wellread.apps.console import escape, stderr_console
from wellread.apps.terminal import complain, say, say_findings, say_json, show_empty, without_controls
from wellread.errors import InvalidInput, WellreadError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from concurrent.futures import Future

    from wellread.assistant.conversation_list import ConversationSummary
    from wellread.assistant.conversations import Approval
    from wellread.assistant.outbox import OutboxMessage
    from wellread.assistant.turn_events import Event, Reply
    from wellread.assistant.user_assistant import UserAssistant
    from wellread.config import Settings

_ENDS = {"quit", "exit", "/quit", "/exit"}
_YES = {"y", "yes"}
_HANGING = "    "
_PROMPT = "[bold cyan]>[/] "
_RECAP_CHARS = 300
_LAST = "last"
"""Stands for the last conversation; no id can equal it."""


def chat(
    context: click.Context,
    message: Annotated[
        str | None,
        Argument(
            help="Send this message and exit after the answer. Without it, start a conversation.", metavar="MESSAGE"
        ),
    ] = None,
    *,
    list_: Annotated[bool, Option("--list", help="List the conversations, the most recent first.")] = False,
    last: Annotated[bool, Option("--continue", help="Continue the last conversation.")] = False,
    conversation: Annotated[str | None, Option(help="Continue the conversation with this id.", metavar="ID")] = None,
    json: Json = False,
) -> None:
    """Chat with the assistant, which reads the web and uses tools.

    It asks for approval before it changes anything outside wellread.
    """
    settings = guarded(lambda: settings_of(context)[0], json=json)
    guarded(partial(_refuse_conflicts, (message or conversation or last, list_), (conversation, last)), json=json)
    if list_:
        conversations = guarded(partial(_conversations, settings), json=json)
        if json:
            say_json({"conversations": conversations})
        else:
            guarded(partial(_show_conversations, conversations, settings), json=False)
        return
    earlier = conversation or (_LAST if last else None)
    guarded(partial(_chat, settings, message, earlier, json=json), json=json)


def assistant(
    context: click.Context,
    action: Annotated[Literal["doctor"], Argument(help="Action to run.")] = "doctor",
    *,
    json: Json = False,
) -> None:
    """Check the assistant's models, keys, database, tools and sandbox, without calling a model.

    The exit code is 1 if a check fails.
    """
    assert action == "doctor"
    from wellread.apps.assistant_doctor import checkup

    settings = guarded(lambda: settings_of(context)[0], json=json)
    findings = guarded(lambda: checkup(settings), json=json)
    say_findings(findings, json=json)
    if any(finding.ok is False for finding in findings):
        raise click.exceptions.Exit(1)


def _refuse_conflicts(*pairs: tuple[object, object]) -> None:
    """Refuse options that exclude each other.

    Raises:
        InvalidInput: two of a pair are given.
    """
    if any(option and rival for option, rival in pairs):
        raise InvalidInput("--list, --continue and --conversation exclude each other", hint="use one of them")


def _conversations(settings: Settings) -> Sequence[ConversationSummary]:
    import anyio

    with extra("assistant"):
        from wellread.apps import assistant_stores

    return anyio.run(assistant_stores.conversations, settings)


def _show_conversations(conversations: Sequence[ConversationSummary], settings: Settings) -> None:
    from wellread.assistant.schedule import zones

    timezone = zones.zone(zones.home_zone(settings.schedule.timezone))
    if not conversations:
        show_empty("there is no conversation", "wellread chat")
    for conversation in conversations:
        last = f"{zones.wall_at(conversation.last_ms, timezone):%Y-%m-%d %H:%M}"
        about = "; ".join(conversation.topics) or " ".join(conversation.opening.split())
        say(f"{conversation.id[:8]}\t{last}\t{conversation.messages} messages\t{conversation.channel}\t{about}")


def _chat(settings: Settings, message: str | None, earlier: str | None, *, json: bool) -> None:
    check_chat(settings)
    # The rest is loaded once the user has been asked: it takes longer than to type a question.
    first_message = None if message or earlier else _read_first_message()
    import anyio

    with extra("assistant"):
        from wellread.apps import build

    async def main() -> None:
        show = partial(_show_message, json=json)
        async with build.Web(settings) as web, build.assistant(settings, web, show=show) as runtime:
            await runtime.deliver()
            user_assistant = await runtime.owner()
            session = _ChatSession(
                user_assistant, await _conversation_id(user_assistant, earlier), first_message, json=json
            )
            if earlier and message is None:
                await session.recap()
            await session.settle(await user_assistant.parts.conversations.pending(session.conversation))
            if message is not None:
                await session.hear(message)
                return
            async with runtime.on_duty():
                await session.converse()

    with extra("assistant"):
        anyio.run(main)


def _read_first_message() -> Future[str | None]:
    """Read the first message of a new conversation, in a thread of its own."""
    stderr_console.print("[dim]\u2014 a new conversation; `exit` ends it[/]")
    reader = ThreadPoolExecutor(1)
    first = reader.submit(_typed_line, _PROMPT)
    reader.shutdown(wait=False)
    return first


async def _conversation_id(user_assistant: UserAssistant, earlier: str | None) -> str:
    if earlier is None:
        return await user_assistant.open("chat")
    if earlier != _LAST:
        return await user_assistant.parts.conversations.find(earlier)
    if last := await user_assistant.conversations("chat", count=1):
        return last[0].id
    raise InvalidInput("there is no conversation yet", hint="run `wellread chat` to start one")


class _ChatSession:
    """One conversation at the terminal."""

    def __init__(
        self, user_assistant: UserAssistant, conversation: str, first_message: Future[str | None] | None, *, json: bool
    ) -> None:
        self._assistant = user_assistant
        self.conversation = conversation
        self._first = first_message
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
        """Print the last messages of an earlier conversation."""
        stderr_console.print("[dim]\u2014 an earlier conversation; `exit` ends it[/]")
        for message in (await self._assistant.parts.conversations.said(self.conversation))[-2:]:
            recap = shorten(without_controls(message.text), _RECAP_CHARS, placeholder=" …")
            stderr_console.print(f"[dim]{message.role}: {escape(recap)}[/]")

    async def _next(self) -> str | None:
        if self._first is not None:
            first, self._first = self._first, None
            return await _in_thread(first.result)
        # Schedules may have asked.
        await self.settle(await self._assistant.parts.conversations.pending(self.conversation))
        return await _read_line(_PROMPT)

    async def hear(self, text: str) -> None:
        """Send a message, then ask the user about the actions that need approval."""
        reply = await self._assistant.hear(
            self.conversation, text, self._show_event, author=self._assistant.user.account
        )
        self._show_reply(reply)
        await self.settle(list(reply.asked))

    async def settle(self, approvals: list[Approval]) -> None:
        """Ask the user to approve each action; the turn goes on after the last."""
        while approvals:
            approval = approvals.pop(0)
            self._show_approval(approval)
            answer = await _read_line("[bold yellow]Do it? y/N[/] ")
            agreed = (answer or "").strip().lower() in _YES
            reply = await self._assistant.decide(
                approval.id, self._show_event, agreed=agreed, by=self._assistant.user.account
            )
            self._show_reply(reply)
            approvals += [further for further in reply.asked if further.id not in {pending.id for pending in approvals}]

    def _show_approval(self, approval: Approval) -> None:
        if self._json:
            say_json({"event": "asked", "approval": approval}, indent=None)
            return
        from wellread.assistant.policy import escape_invisible

        stderr_console.print(
            f"[bold yellow]? {escape(approval.tool)}[/] [dim]{escape(without_controls(approval.reason))}[/]"
        )
        for line in escape_invisible(approval.preview).split("\n"):
            _print_hanging(line)

    async def _show_event(self, event: Event) -> None:
        name = type(event).__name__.lower()
        if self._json:
            if name != "asked":
                say_json({"event": name, **_fields(event)}, indent=None)
            return
        text = getattr(event, "text", "")
        if name == "heard":
            sys.stdout.write(without_controls(text))
            sys.stdout.flush()
            self._midline = not text.endswith("\n")
        elif name == "using":
            self._break()
            stderr_console.print(f"[dim]· {escape(without_controls(getattr(event, 'tool', '')))}[/]")
        elif name == "noted":
            self._break()
            stderr_console.print(f"[yellow]! {escape(without_controls(text))}[/]")
        elif name == "used":
            for receipt in getattr(event, "receipts", ()):
                stderr_console.print(f"[green]✓ {escape(without_controls(receipt))}[/]")

    def _show_reply(self, reply: Reply) -> None:
        if self._json:
            say_json({"event": "reply", **_fields(reply)}, indent=None)
            return
        self._break()
        if not reply.receipts and not reply.asked:
            # Said after every such turn, in whatever language the model speaks: a claim in its words stands beside it.
            from wellread.assistant.channels.message_text import NOTHING

            stderr_console.print(f"[dim]{NOTHING}[/]")

    def _break(self) -> None:
        if self._midline:
            sys.stdout.write("\n")
            sys.stdout.flush()
            self._midline = False


def _print_hanging(line: str) -> None:
    """Print a line of a preview with its continuation lines indented, so that none can look like a line of ours."""
    from rich.text import Text

    terminal = stderr_console.rich
    first_line, *other_lines = Text(line).wrap(terminal, terminal.width - len(_HANGING)) or [Text()]
    for part in (first_line, *(Text(_HANGING) + folded for folded in other_lines)):
        terminal.print(part)


async def _show_message(message: OutboxMessage, *, json: bool) -> None:
    if json:
        say_json({"event": "letter", "conversation": message.chat, "text": message.text}, indent=None)
        return
    stderr_console.print(f"\n[bold magenta]\u2709[/] {escape(without_controls(message.text))}")


def _fields(value: object) -> dict[str, object]:
    from wellread.apps.serialize import as_plain

    fields: dict[str, object] = as_plain(value)
    return fields


async def _read_line(prompt: str) -> str | None:
    return await _in_thread(partial(_typed_line, prompt))


async def _in_thread(line: Callable[[], str | None]) -> str | None:
    from anyio import to_thread

    return await to_thread.run_sync(line, abandon_on_cancel=True)


def _typed_line(prompt: str) -> str | None:
    """Return the next line of standard input; None at its end."""
    if sys.stdin.isatty():
        stderr_console.print(prompt, end="")
    return sys.stdin.readline() or None
