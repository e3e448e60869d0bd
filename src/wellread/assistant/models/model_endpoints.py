"""Makes a model of Pydantic AI out of `provider:name`: four dialects, one HTTP client that is handed in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from wellread.errors import ConfigError
from wellread.values import Address

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pydantic_ai.models import Model
    from pydantic_ai.providers import Provider

    from wellread.net.endpoint_client import EndpointClient
    from wellread.sections import ModelSettings

OWN_URLS = {
    "anthropic": "https://api.anthropic.com",
    "google": "https://generativelanguage.googleapis.com",
    "openai": "https://api.openai.com/v1",
    "ollama": "http://localhost:11434/v1",
}
"""Provider -> its own base URL, as its SDK has it."""
KEYLESS = frozenset({"ollama"})
"""Providers that need no key at their own URL."""
_DIALECTS = {"openai": "openai-chat"}
"""What Pydantic AI calls a dialect where that is not the provider: all that is like OpenAI speaks its older one."""
NO_KEY = "no-key"
"""What an SDK that insists on a key is given where a server wants none."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A model and where it is asked."""

    provider: str
    model: str
    url: str
    key: str | None

    def __repr__(self) -> str:
        """Leave the key out."""
        return f"Endpoint({self})"

    def __str__(self) -> str:
        """Return the model and the masked address, for messages."""
        return f"{self.name} at {Address(self.url)}"

    @property
    def name(self) -> str:
        """As the settings write it."""
        return f"{self.provider}:{self.model}"


def parse_endpoint(name: str, settings: ModelSettings) -> Endpoint:
    """Read `provider:name`.

    Raises:
        ConfigError: no such provider, no model, or no key for it.
    """
    provider, _, model = name.partition(":")
    if provider not in OWN_URLS or not model:
        examples = ", ".join(f"{provider_name}:MODEL" for provider_name in OWN_URLS)
        raise ConfigError(
            f"{name!r} is not a model",
            hint=f"one of {examples}; set models.urls.openai for other servers with the OpenAI API",
        )
    url, key = settings.urls.get(provider), settings.keys.get(provider)
    if not key and not url and provider not in KEYLESS:
        variable = f"{'GEMINI' if provider == 'google' else provider.upper()}_API_KEY"
        raise ConfigError(f"there is no key for {name}", hint=f"set {variable}, or models.keys.{provider}")
    base_url = OWN_URLS[provider] if url is None else url.reveal().rstrip("/")
    return Endpoint(provider, model, base_url, key.reveal() if key else None)


def endpoint_urls(endpoints: Iterable[Endpoint], settings: ModelSettings) -> tuple[list[str], list[str]]:
    """Return the base URLs of `endpoints` that must be public, and those that the user named.

    Ollama's own is on this machine: to choose the provider is to name it.
    """
    named_urls = {server.url for server in endpoints if server.provider in settings.urls or server.provider == "ollama"}
    return [server.url for server in endpoints if server.url not in named_urls], sorted(named_urls)


def build_model(at: Endpoint, client: EndpointClient) -> Model:
    """Return the model, which sends all requests through `client`; its SDK is loaded by the first that needs it."""
    from pydantic_ai.models import infer_model
    from pydantic_ai.providers import infer_provider_class

    def provider(dialect: str) -> Provider[object]:
        kind: Callable[..., Provider[object]] = infer_provider_class(dialect)
        return kind(api_key=at.key or NO_KEY, base_url=at.url, http_client=client)

    return infer_model(f"{_DIALECTS.get(at.provider, at.provider)}:{at.model}", provider)
