"""What a channel is given, and what it must be able to do: a service in which people talk with the assistant."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Protocol

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from wellread.assistant.database import Store
    from wellread.assistant.outbox import Letter
    from wellread.assistant.user_assistant import UserAssistant
    from wellread.net.endpoints import EndpointClient
    from wellread.ports import Clock
    from wellread.values import Secret


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """The user's account at a service, and who may talk there."""

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
class House:
    """What a channel may use of the assistant."""

    of: Callable[[str], Awaitable[UserAssistant]]
    """Returns the assistant of an account: `name:ID` for the private chat with one person, `group:name:CHAT` for one
    in which several people read the answers (`wellread.assistant.users`)."""
    store: Store
    """For the inbox, which holds what all users have sent."""
    clock: Clock
    ring: Callable[[], None]
    """Say that there are letters."""


@dataclass(slots=True)
class State:
    """How a channel is doing, for whoever asks after its health."""

    working: bool = False
    """The last exchange with the service went well."""
    detail: str = "starting"
    counts: dict[str, int] = field(default_factory=dict)


class Channel(Protocol):
    """A service in which people talk with the assistant, made of an `Account` and the `House`.

    Conversations are entered under `name:CHAT`; letters to the channel carry the id of a conversation as their chat,
    and the account that it belongs to.
    """

    name: ClassVar[str]
    home: ClassVar[str]
    """The service's own base URL."""
    state: State

    def __init__(self, account: Account, house: House) -> None:
        """Take the parts; raises ConfigError for a token that cannot be one. Nothing is sent."""

    async def listen(self) -> None:
        """Hear people until cancelled; what breaks on the way mends by itself, or is told in `state`."""

    async def rest(self) -> None:
        """Take nothing up any more, and return when what was begun has come to its end."""

    async def send(self, letter: Letter) -> None:
        """Bring a letter to its chat, and ask there what waits for the user's word; raises as `outbox.Send` does."""

    def knows(self, headers: Mapping[str, str]) -> None:
        """See that a call comes from the service, before anything of it is read; headers in small letters.

        Raises:
            Auth: it does not.
        """

    async def called(self, body: bytes) -> None:
        """Take a call of the service; return once it is kept.

        Raises:
            InvalidInput: it is nothing that the service would send.
        """
