"""The port of a channel: a service in which people talk with the assistant."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Protocol

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from wellread.assistant.database import Store
    from wellread.assistant.outbox import OutboxMessage
    from wellread.assistant.user_assistant import UserAssistant
    from wellread.net.endpoint_client import EndpointClient
    from wellread.ports import Clock
    from wellread.values import Secret


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelAccount:
    """The user's account at a service, and the people allowed to talk there."""

    token: Secret
    users: frozenset[str]
    """Ids of the people who are heard, as the service writes them; nobody else is."""
    url: str
    """Base URL of the service, without a slash at its end."""
    hook: str | None = None
    """The public address at which the service shall call; without it the channel asks for news by itself."""
    max_bytes: int
    """Most bytes of one file that is taken in."""
    http: EndpointClient
    """Reaches the service, and nothing else; sends each request once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelContext:
    """The parts of the assistant that a channel may use."""

    of: Callable[[str], Awaitable[UserAssistant]]
    """Returns the assistant of an account: `name:ID` for the private chat with one person, `group:name:CHAT` for one
    in which several people read the answers (`wellread.assistant.users`)."""
    store: Store
    """For the inbox, which holds what all users have sent."""
    clock: Clock
    ring: Callable[[], None]
    """Wake the senders of messages."""


@dataclass(slots=True)
class ChannelHealth:
    """The health of a channel."""

    working: bool = False
    """The last exchange with the service went well."""
    detail: str = "starting"
    counts: dict[str, int] = field(default_factory=dict)


class Channel(Protocol):
    """A service in which people talk with the assistant, made of an `ChannelAccount` and the `ChannelContext`.

    Conversations are entered under `name:CHAT`; messages to the channel carry the id of a conversation as their chat,
    and the account that it belongs to.
    """

    name: ClassVar[str]
    home: ClassVar[str]
    """The service's own base URL."""
    state: ChannelHealth

    def __init__(self, account: ChannelAccount, context: ChannelContext) -> None:
        """Take the parts; raises ConfigError for a token that cannot be one. Nothing is sent."""

    async def listen(self) -> None:
        """Receive messages until cancelled; failures are retried, or reported in `state`."""

    async def rest(self) -> None:
        """Take up no more messages, and return when all messages in work have ended."""

    async def send(self, message: OutboxMessage) -> None:
        """Send a message to its chat, then the pending approvals of that chat; raises as `outbox.Send` does."""

    def knows(self, headers: Mapping[str, str]) -> None:
        """Check that a webhook call comes from the service, before its body is read; header names in lower case.

        Raises:
            Auth: it does not.
        """

    async def called(self, body: bytes) -> None:
        """Store the body of a webhook call; return once it is stored.

        Raises:
            InvalidInput: it is nothing that the service would send.
        """
