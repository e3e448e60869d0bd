"""Choose the search and embedding services by the settings: return a searcher and an embedder."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from wellread import plugins
from wellread.errors import ConfigError, PluginError, WellreadError
from wellread.ports import LOCAL, Access, Query, Visit
from wellread.rank.embedding import Embedding
from wellread.search.engine import ProviderSource, ProviderTransports, SearchBudget, SearchEngine

if TYPE_CHECKING:
    from collections.abc import Callable

    from wellread.config import SearchSettings
    from wellread.ports import Clock, Embedder, EmbeddingService, Fetcher, Pace, Searcher, SearchProvider
    from wellread.search.local_search import LocalSearch
    from wellread.sections import EmbedSettings
    from wellread.values import Address, Secret

AUTO = "auto"
_NONE_RECORDED = "{0} has no recorded search, so the local index was searched; add pages with `wellread index {0}`"


class Recorded(NamedTuple):
    """A recording in place of the network: which URLs it has an answer for, and its file."""

    holds: Callable[[str], bool]
    path: str


def searcher(
    settings: SearchSettings,
    *,
    transports: ProviderTransports,
    clock: Clock,
    local: LocalSearch,
    pace: Pace,
    recorded: Recorded | None = None,
) -> Searcher:
    """Join the providers that the settings name; the local index is asked last, or alone.

    In a replay, `auto` means the providers with recorded answers.

    Raises:
        ConfigError: a name that no provider has.
        PluginError: a provider cannot be loaded.
    """
    providers = selected_providers(settings, browser=transports.visitor is not None)
    sources = [ProviderSource(provider, provider_access(settings, provider.name)) for provider in providers]
    if recorded is not None:
        sources = [
            source for source in sources if source.provider.name in settings.providers or _is_in(recorded, source)
        ]
    if not sources:
        if recorded is not None and set(settings.providers) != {LOCAL}:
            return local.instead(_NONE_RECORDED.format(recorded.path))
        return local
    budget = SearchBudget(total_s=settings.timeout_s, provider_s=settings.provider_timeout_s, fan_out=settings.fan_out)
    return SearchEngine(sources, transports=transports, clock=clock, budget=budget, last=local, pace=pace)


def provider_access(settings: SearchSettings, name: str) -> Access:
    """Return the user's credentials and address for provider `name`.

    Raises:
        ConfigError: the address is no URL.
    """
    key, extra_key = settings.keys.get(name), settings.keys.get(f"{name}_id")
    base_url = _base_url(f"search.urls.{name}", settings.urls.get(name))
    return Access(key=_revealed(key), extra=_revealed(extra_key), base_url=base_url)


def _base_url(setting: str, address: Address | None) -> str | None:
    """Return the address without a slash at its end.

    Raises:
        ConfigError: it is no http or https URL; the message masks it, as messages about requests to it would not.
    """
    if not address:
        return None
    url = address.reveal().rstrip("/")
    if not url.startswith(("http://", "https://")):
        raise ConfigError(f"{setting} is {address!r}", hint="use a full URL, such as https://search.example.com")
    return url


def embedder(settings: EmbedSettings, *, fetcher: Fetcher, clock: Clock) -> Embedder | None:
    """Join the embedding service that the settings name; None where they name none.

    Raises:
        ConfigError: a name that no service has.
        PluginError: the service cannot be loaded.
    """
    if not settings.service:
        return None
    names = plugins.names("embedders")
    if settings.service not in names:
        hint = "known: " + ", ".join(names)
        raise ConfigError(f"embed.service names {settings.service!r}, which is not installed", hint=hint)
    service: EmbeddingService = plugins.load("embedders", settings.service)()
    access = Access(key=_revealed(settings.key), base_url=_base_url("embed.url", settings.url))
    return Embedding(service, access, settings=settings, fetcher=fetcher, clock=clock)


def _revealed(secret: Secret | None) -> str | None:
    if not secret:
        return None
    return secret.reveal()


def _is_in(recorded: Recorded, source: ProviderSource) -> bool:
    """Return whether a recording has an answer of the service; True where its request cannot be built."""
    try:
        return recorded.holds(source.provider.request(Query(text="recorded"), source.access).url)
    except WellreadError:
        return True


def selected_providers(settings: SearchSettings, *, browser: bool) -> list[SearchProvider]:
    """Return the providers that are named, and the providers of `auto`, each once.

    Raises:
        ConfigError, PluginError: a name that no provider has, or one whose provider cannot be loaded.
    """
    names = (*plugins.names("providers"), LOCAL, AUTO)
    providers: dict[str, SearchProvider] = {}
    for name in settings.providers:
        if name not in names:
            hint = "known: " + ", ".join(sorted(names))
            raise ConfigError(f"search.providers names {name!r}, which is not installed", hint=hint)
        if name == AUTO:
            for provider in _automatic(settings, browser=browser):
                providers.setdefault(provider.name, provider)
        elif name != LOCAL:
            providers.setdefault(name, plugins.load("providers", name)())
    return list(providers.values())


def _automatic(settings: SearchSettings, *, browser: bool) -> list[SearchProvider]:
    """Return the providers with a key or an address, then the providers that need none, each by its `place`.

    A provider that cannot be loaded is left out: `wellread doctor` reports it, and naming it is an error.
    """
    loaded = []
    for name in plugins.names("providers"):
        with suppress(PluginError):
            loaded.append(plugins.load("providers", name)())
    configured = {*settings.keys, *settings.urls}
    ranked = [
        (provider.name not in configured, provider.place or 0, provider)
        for provider in loaded
        if provider.name in configured
        or (provider.keyless and provider.place is not None and (browser or not _is_visit(provider)))
    ]
    return [provider for *_, provider in sorted(ranked, key=lambda row: row[:2])]


def _is_visit(provider: SearchProvider) -> bool:
    return isinstance(provider.request(Query(text="visit"), Access()), Visit)
