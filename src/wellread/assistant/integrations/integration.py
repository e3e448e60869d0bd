"""The port of an integration, and the parts that it gets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    from wellread.assistant.integrations.oauth.flow import AuthorizationServer
    from wellread.assistant.integrations.oauth.grant import Grant
    from wellread.assistant.integrations.service_client import ServiceClient
    from wellread.assistant.tool_types import Tool
    from wellread.ports import Clock
    from wellread.values import Secret


@dataclass(frozen=True, slots=True, kw_only=True)
class IntegrationDependencies:
    """The parts that an integration gets."""

    keys: Mapping[str, Secret]
    """Those of its keys that are set, by name."""
    urls: Mapping[str, str]
    """All of its base URLs, by name, without a slash at their end."""
    client: ServiceClient
    clock: Clock
    zone: str
    """The user's IANA time zone."""
    read_html: Callable[[str], Awaitable[str]]
    """Returns what a person sees of an HTML text, as markdown; what is hidden is dropped."""


class Integration(Protocol):
    """A service that the assistant works with for the user (`wellread.integrations`)."""

    name: str
    """Its keys and its addresses are this, or begin with this and `_`."""
    needs: tuple[str, ...]
    """Keys without which it does not exist for the assistant."""
    steps: str
    """Where the steps to get these keys are told: a page of the docs, or an address."""
    urls: Mapping[str, str]
    """Its base URLs by name; `integrations.urls` goes before."""

    def authority(self, reach: IntegrationDependencies) -> AuthorizationServer | None:
        """Return the authorization server (OAuth 2.0); None where keys are enough."""

    def tools(self, reach: IntegrationDependencies, grant: Grant | None) -> Sequence[Tool]:
        """Return the tools; `grant` is there where there is an `authority`. Nothing is sent yet.

        What comes from the service is tainted; what changes something there is `Effect.WORLD`, and shows all of it.
        """
