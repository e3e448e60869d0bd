"""Which services are asked, in which order, and with what: settings in, a searcher and an embedder out."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from wellread import plugins
from wellread.errors import ConfigError, PluginError, WellreadError
from wellread.ports import LOCAL, Access, Query, Visit
from wellread.web.rank.embedding import Embedding
from wellread.web.search.engine import Budget, SearchEngine, Source, Ways

if TYPE_CHECKING:
    from collections.abc import Callable

    from wellread.config import SearchSettings
    from wellread.ports import Clock, Embedder, EmbeddingService, Fetcher, Searcher, SearchProvider
    from wellread.sections import EmbedSettings
    from wellread.web.search.local import LocalSearch

AUTO = "auto"
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
    providers = chosen(settings, browser=ways.visitor is not None)
    sources = [Source(each, access(settings, each.name)) for each in providers]
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


def chosen(settings: SearchSettings, *, browser: bool) -> list[SearchProvider]:
    """Return the providers that are named, and those that `auto` stands for, each once.

    Raises:
        ConfigError, PluginError: a name that no provider has, or one whose provider cannot be loaded.
    """
    known = (*plugins.names("providers"), LOCAL, AUTO)
    found: dict[str, SearchProvider] = {}
    for name in settings.providers:
        if name not in known:
            hint = "known: " + ", ".join(sorted(known))
            raise ConfigError(f"search.providers names {name!r}, which is not installed", hint=hint)
        if name == AUTO:
            for each in _automatic(settings, browser=browser):
                found.setdefault(each.name, each)
        elif name != LOCAL:
            found.setdefault(name, plugins.load("providers", name)())
    return list(found.values())


def _automatic(settings: SearchSettings, *, browser: bool) -> list[SearchProvider]:
    """Return those that the user has a key or an address for, then those that need none, each by its place.

    One that cannot be loaded is left out, which `wellread doctor` says; who names it is told here.
    """
    found = []
    for name in plugins.names("providers"):
        with suppress(PluginError):
            found.append(plugins.load("providers", name)())
    given = {*settings.keys, *settings.urls}
    asked = [
        (each.name not in given, each.place or 0, each)
        for each in found
        if each.name in given or (each.keyless and each.place is not None and (browser or not _is_visit(each)))
    ]
    return [each for *_, each in sorted(asked, key=lambda row: row[:2])]


def _is_visit(provider: SearchProvider) -> bool:
    return isinstance(provider.request(Query(text="visit"), Access()), Visit)
