"""Which services are asked, in which order, and with what: settings in, a searcher and an embedder out."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from wellread import plugins
from wellread.errors import ConfigError, WellreadError
from wellread.ports import Access, Query
from wellread.web.rank.embedding import Embedding
from wellread.web.search.engine import Budget, SearchEngine, Source, Ways

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from wellread.config import SearchSettings
    from wellread.ports import Clock, Embedder, EmbeddingService, Fetcher, Searcher, SearchProvider
    from wellread.sections import EmbedSettings
    from wellread.web.search.local import LocalSearch

AUTO = "auto"
LOCAL = "local"
PREFERRED = ("brave", "tavily", "exa", "serper", "kagi", "searxng", "web_iq", "google_cse", "mojeek", "jina")
"""The order in which `auto` asks services that the user has a key or an address for; others follow by name."""
_NONE_RECORDED = (
    "{0} holds no answer of a search service, so only the local index was asked; `wellread index {0}` fills it"
)
KEYLESS = ("tavily", "keenable", "duckduckgo", "marginalia")
"""What `auto` asks when nothing is set."""
BY_BROWSER = ("duckduckgo_browser",)
"""What `auto` asks after these where a browser may be started. Google's page only ever by its name."""

_NONE_RECORDED = "{0} holds no answer of a search service; the local index was asked, which `wellread index {0}` fills"


class Recorded(NamedTuple):
    """A recording that stands in for the network: what it has an answer of, and the file that it is in."""

    holds: Callable[[str], bool]
    path: str


def searcher(
    settings: SearchSettings, *, ways: Ways, clock: Clock, local: LocalSearch, recorded: Recorded | None = None
) -> Searcher:
    """Join the providers that the settings name; the local index is asked last, or alone.

    In a replay, `auto` stands for those whose answers are recorded: no other has one to give.

    Raises:
        ConfigError: a name that no provider has.
        PluginError: a provider cannot be loaded.
    """
    names = list(dict.fromkeys(_names(settings, browser=ways.visitor is not None)))
    sources = [Source(_provider(name), access(settings, name)) for name in names if name != LOCAL]
    if recorded is not None:
        sources = [each for each in sources if each.provider.name in settings.providers or _is_in(recorded, each)]
    if not sources:
        asked_others = recorded is not None and set(settings.providers) != {LOCAL}
        return local.instead(_NONE_RECORDED.format(recorded.path)) if recorded and asked_others else local
    budget = Budget(total_s=settings.timeout_s, provider_s=settings.provider_timeout_s, fan_out=settings.fan_out)
    return SearchEngine(sources, ways=ways, clock=clock, budget=budget, last=local)


def access(settings: SearchSettings, name: str) -> Access:
    """Return the user's way to provider `name`."""
    key, second = settings.keys.get(name), settings.keys.get(f"{name}_id")
    address = settings.urls.get(name)
    return Access(
        key=key.reveal() if key else None,
        extra=second.reveal() if second else None,
        base_url=address.reveal().rstrip("/") or None if address else None,
    )


def embedder(settings: EmbedSettings, *, fetcher: Fetcher, clock: Clock) -> Embedder | None:
    """Join the embedding service that the settings name; None where they name none.

    Raises:
        ConfigError: a name that no service has.
        PluginError: the service cannot be loaded.
    """
    if not settings.service:
        return None
    known = plugins.names("embedders")
    if settings.service not in known:
        hint = "known: " + ", ".join(known)
        raise ConfigError(f"embed.service names {settings.service!r}, which is not installed", hint=hint)
    service: EmbeddingService = plugins.load("embedders", settings.service)()
    key, url = settings.key, settings.url
    reached = Access(key=key.reveal() if key else None, base_url=url.reveal().rstrip("/") if url else None)
    return Embedding(service, reached, settings=settings, fetcher=fetcher, clock=clock)


def _is_in(recorded: Recorded, source: Source) -> bool:
    """Say whether a recording has an answer of the service; one that cannot be asked says so itself."""
    try:
        return recorded.holds(source.provider.request(Query(text="recorded"), source.access).url)
    except WellreadError:
        return True


def _names(settings: SearchSettings, *, browser: bool) -> Iterator[str]:
    known = (*plugins.names("providers"), LOCAL, AUTO)
    for name in settings.providers:
        if name not in known:
            hint = "known: " + ", ".join(sorted(known))
            raise ConfigError(f"search.providers names {name!r}, which is not installed", hint=hint)
        yield from _automatic(settings, browser=browser) if name == AUTO else (name,)


def _automatic(settings: SearchSettings, *, browser: bool) -> Iterator[str]:
    given = {*settings.keys, *settings.urls}
    yield from (name for name in PREFERRED if name in given)
    yield from (name for name in plugins.names("providers") if name in given)
    yield from KEYLESS
    yield from BY_BROWSER if browser else ()


def _provider(name: str) -> SearchProvider:
    provider: SearchProvider = plugins.load("providers", name)()
    return provider
