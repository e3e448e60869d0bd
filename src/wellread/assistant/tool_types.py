"""Shared values of the assistant's packages: tools, and models that answer in text."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from enum import StrEnum

TURN_TAINTED: ContextVar[bool] = ContextVar("turn_tainted", default=False)
"""Set while a tool runs: the turn has read words of the outside world, so what the tool keeps is marked as such."""

CONVERSATION: ContextVar[str] = ContextVar("conversation", default="")
"""Set during a turn: where it is held, so that what a tool sets going later comes back there."""

AUTHOR: ContextVar[str] = ContextVar("author", default="")
"""Set during a turn: the account of whoever wrote, or scheduled, what it answers."""

TERMINAL = "terminal"
"""The channel of messages to users who have no other."""

MESSAGE_CHANNEL: ContextVar[str] = ContextVar("message_channel", default=TERMINAL)
"""Set during a turn: the channel of the messages about it."""


class Effect(StrEnum):
    """The kind of change that a tool makes."""

    NONE = "none"
    """Reads only."""
    OWN = "own"
    """Changes the assistant's own store (memory, tasks, schedules): told with a receipt, undone by the user."""
    WORLD = "world"
    """Changes something outside (sends, deletes, writes files, runs commands): needs the user's consent."""


@dataclass(frozen=True, slots=True)
class ToolResult:
    """A tool's answer to the model."""

    text: str
    tainted: bool = False
    """The text holds words of the outside world (a page, a mail, a document): data, never instructions."""
    receipts: tuple[str, ...] = ()
    """What was changed, one line each, as it will be shown to the user: `schedule created: standup, weekdays 09:00`."""


@dataclass(frozen=True, slots=True)
class Preview:
    """The exact action, in parts: `policy.worded` alone turns them into lines, for all tools."""

    deed: str
    """In one line: `send a mail`."""
    parts: Sequence[tuple[str, str]] = ()
    """What it is done with: names in our words, and values in anybody's."""


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool of the model."""

    name: str
    description: str
    parameters: Mapping[str, object]
    """The JSON schema of the arguments object (draft 2020-12, `additionalProperties: false`)."""
    run: Callable[[Mapping[str, object]], Awaitable[ToolResult]]
    """Called with arguments that fit `parameters`; raises a WellreadError for what cannot be done."""
    effect: Effect = Effect.NONE
    simple: bool = False
    """Its answer can go to the user as it is, with no second word of the model."""
    preview: Callable[[Mapping[str, object]], Preview] | None = field(default=None)
    """What exactly would happen, for the question of consent; needed when `effect` is `WORLD`."""
    async_preview: Callable[[Mapping[str, object]], Awaitable[Preview]] | None = field(default=None)
    """Instead of `preview`, where something must be looked up first: the receiver of a reply, the event to delete."""
    service: str = ""
    """What it belongs to, of which it is one of several: an integration or an MCP server (`offer`)."""
