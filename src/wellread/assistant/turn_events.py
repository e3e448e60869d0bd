"""Events of a turn for the interface that shows it, and the reply at its end."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wellread.assistant.conversations import Approval
    from wellread.assistant.models.model_usage import TokenUsage


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """A piece of the model's text."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Using:
    """The start of a tool call."""

    tool: str
    arguments: Mapping[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Used:
    """The end of a tool call."""

    tool: str
    receipts: tuple[str, ...] = ()
    failed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question that needs the user's approval."""

    approval: Approval


@dataclass(frozen=True, slots=True, kw_only=True)
class Noted:
    """A note of wellread, not the model's."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """The end of a turn, or the point where it waits for approvals."""

    conversation_id: str
    turn_id: str
    text: str
    receipts: tuple[str, ...]
    """What was changed, one line each."""
    notes: tuple[str, ...]
    asked: tuple[Approval, ...]
    """What waits for the user's word; the turn goes on once all of it is decided."""
    tainted: bool
    spent: TokenUsage


Event = Heard | Using | Used | Asked | Noted
Tell = Callable[[Event], Awaitable[None]]


async def ignore_event(_event: Event) -> None:
    """Ignore the event."""
