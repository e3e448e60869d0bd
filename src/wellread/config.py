"""Settings: one frozen value, and the only reader of the environment.

Defaults < `wellread.toml` < `WELLREAD_<SECTION>_<KEY>` < flags. Read once, then handed down as values.
"""

from __future__ import annotations

import os
import re
import threading
import types
import typing
from collections.abc import Mapping  # noqa: TC003 - typing.get_type_hints looks it up
from contextlib import contextmanager
from dataclasses import field, fields
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from wellread.errors import ConfigError, reason_line
from wellread.frozen import frozen
from wellread.lazy_pattern import lazy_pattern
from wellread.sections import (
    AssistantSettings,
    BrowserSettings,
    BrowseSettings,
    ChannelSettings,
    CrawlSettings,
    EmbedSettings,
    IntegrationSettings,
    ModelSettings,
    ObjectSettings,
    RenderSettings,
    ResearchSettings,
    ScheduleSettings,
    ServerSettings,
    SharedSettings,
    StoreSettings,
)
from wellread.types import canonical_provider
from wellread.values import Address, Mark, NamedFileOnly, Positive, Secret, as_table, convert

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_T = typing.TypeVar("_T")

PREFIX = "WELLREAD_"
FILE_NAME = "wellread.toml"
_FILE_VARIABLE = PREFIX + "CONFIG"
_FILE_HINT = f"name a TOML file that you can read, with --config or {_FILE_VARIABLE}"
_MIN_WORKERS, _MAX_WORKERS = 2, 8
"""Worker processes where no setting names their number; each takes some 100 MB."""
_NAMED_HOST = lazy_pattern(r"[^:/\[\]]{0,253}[a-z][^:/\[\]]{0,253}(?::[0-9]{1,5})?", re.IGNORECASE)
"""An entry of NO_PROXY that is no address: it stands for its subdomains, too."""

CUSTOMARY_KEYS = {
    "BRAVE_SEARCH_API_KEY": "brave",
    "BRAVE_API_KEY": "brave",
    "TAVILY_API_KEY": "tavily",
    "EXA_API_KEY": "exa",
    "SERPER_API_KEY": "serper",
    "KAGI_API_KEY": "kagi",
    "JINA_API_KEY": "jina",
    "MOJEEK_API_KEY": "mojeek",
    "GOOGLE_CSE_API_KEY": "google_cse",
    "GOOGLE_CSE_ID": "google_cse_id",
}
"""Variables in which other tools keep these keys; what `search.keys` says goes before them."""

CUSTOMARY_URLS = {"SEARXNG_URL": "searxng"}
"""The same for addresses of one's own services, and `search.urls`."""

CUSTOMARY_MODEL_KEYS = {
    "ANTHROPIC_API_KEY": "anthropic",
    "OPENAI_API_KEY": "openai",
    "GEMINI_API_KEY": "google",
    "GOOGLE_API_KEY": "google",
    "OLLAMA_API_KEY": "ollama",
}
"""The same for keys of language models, and `models.keys`."""

CUSTOMARY_TOKENS = {"TELEGRAM_BOT_TOKEN": "telegram"}
"""The same for tokens of bots, and `channels.tokens`."""

CUSTOMARY = {
    "search.keys": CUSTOMARY_KEYS,
    "search.urls": CUSTOMARY_URLS,
    "models.keys": CUSTOMARY_MODEL_KEYS,
    "channels.tokens": CUSTOMARY_TOKENS,
    "integrations.keys": {"LINEAR_API_KEY": "linear"},
    "objects.keys": {
        "AWS_ACCESS_KEY_ID": "s3_key_id",
        "AWS_SECRET_ACCESS_KEY": "s3_secret",
        "AWS_SESSION_TOKEN": "s3_session_token",
        "HF_TOKEN": "hf",
    },
    "objects.urls": {"AWS_ENDPOINT_URL_S3": "s3", "HF_ENDPOINT": "hf"},
}
CUSTOMARY_REGIONS = ("AWS_REGION", "AWS_DEFAULT_REGION")
"""The same for `objects.region`; the first one that is set counts."""


def default_data_dir(environ: Mapping[str, str] | None = None) -> Path:
    """Return `$XDG_DATA_HOME/wellread`, or `~/.local/share/wellread` (XDG Base Directory Specification)."""
    return _xdg("XDG_DATA_HOME", "~/.local/share", os.environ if environ is None else environ) / "wellread"


def is_terminal_forced() -> bool:
    """Return whether styles are wanted without a terminal, too, by the variables that rich has for it."""
    return bool(os.environ.get("FORCE_COLOR") or os.environ.get("TTY_COMPATIBLE"))


def disable_usage_reports() -> None:
    """Switch off the usage reports of Ray and of the Hugging Face libraries, where the user has not decided about them.

    Ray sends them from `ray.init()` on unless its variable says otherwise.
    """
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")


_LIBRARY_VARIABLES = lazy_pattern(r"(AWS_|GOOGLE_).*|(HTTP|HTTPS|ALL|NO)_PROXY|HOME", re.IGNORECASE)
"""HOME: in it lies the credentials file of gcloud."""
_environment_lock = threading.RLock()


@contextmanager
def without_library_variables() -> Iterator[None]:
    """Hide the variables from which clients of object storage take servers, proxies and keys besides their arguments.

    The environment is that of the whole process: keep the block short.
    """
    with _environment_lock:
        hidden = {name: text for name, text in os.environ.items() if _LIBRARY_VARIABLES.fullmatch(name)}
        for name in hidden:
            del os.environ[name]
        try:
            yield
        finally:
            os.environ.update(hidden)


def _xdg(variable: str, default: str, environ: Mapping[str, str]) -> Path:
    # The specification: a relative path in these variables is invalid and to be ignored.
    folder = Path(environ.get(variable, ""))
    try:
        return folder if folder.is_absolute() else Path(default).expanduser()
    except RuntimeError as error:
        raise ConfigError(f"{default} cannot be resolved: {error}", hint=f"set HOME or {variable}") from error


@frozen
class NetSettings:
    """Limits and rules of network access."""

    allow_hosts: NamedFileOnly[tuple[str, ...]] = ()
    """Private targets that may be reached, each exactly `host:port`."""
    allow_ports: NamedFileOnly[tuple[int, ...]] = ()
    """Ports besides 80, 443, 8080, 8443, 3000, 8000 and 8888. Ports that browsers refuse stay refused."""
    user_agent: NamedFileOnly[str] = "wellread/0.1"
    ca_file: NamedFileOnly[Path | None] = None
    """Certificates to trust instead of the system's store; the variable SSL_CERT_FILE sets it too."""
    proxy: NamedFileOnly[Address | None] = None
    """The proxy of all hosts, `scheme://user:password@host:port`; `environment` takes the usual variables."""
    proxies: NamedFileOnly[Mapping[str, Address]] = field(default_factory=lambda: types.MappingProxyType({}))
    """Pattern of hosts -> another proxy for them, or `direct`."""
    proxy_dns: NamedFileOnly[Literal["proxy", "local"]] = "proxy"
    """Who resolves names of hosts behind a proxy. local: wellread, which checks the addresses as without a proxy."""
    robots: NamedFileOnly[bool] = True
    """Obey robots.txt on reads an agent initiates."""
    per_host: Positive[int] = 2
    """Requests in flight to one host at a time."""
    min_interval_s: float = 0.0
    """Pause between the starts of two requests to one host, besides what robots.txt asks for."""
    webhook_secret: NamedFileOnly[Secret | None] = None
    """Signs the webhooks of watches and of crawls."""


@frozen
class FetchSettings:
    """Limits on one fetch."""

    timeout_s: Positive[float] = 15.0
    """One deadline over names, connections, redirects, robots.txt, body and parsing."""
    idle_s: Positive[float] = 10.0
    """The longest silence between two pieces of an answer."""
    max_bytes: Positive[int] = 10_000_000
    """On the wire and, separately, decoded."""
    download_max_bytes: int = 500_000_000
    """Most bytes of a file that is saved."""
    max_header_bytes: Positive[int] = 65_536
    max_redirects: int = 10
    attempts: Positive[int] = 2
    """Tries for failures that a retry may mend."""


def usable_processors() -> int:
    """Return how many processors this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)  # not on every system
    if affinity is not None:
        return len(affinity(0))
    return os.cpu_count() or 1


@frozen
class ExtractSettings:
    """Limits on reading one page."""

    processes: NamedFileOnly[int | None] = None
    """Child processes that read pages and documents, started when needed; 0 reads all in this process; None: one for
    each processor that this process may use, at least 2 and at most 8."""
    timeout_s: Positive[float] = 10.0
    """How long one page may take before its process is killed."""
    max_memory: Positive[int] = 1_000_000_000
    """Bytes of address space that such a process may take (RLIMIT_AS, where the system has it)."""
    max_rows: Positive[int] = 20_000
    """Rows of one delimited table that are read; the others are counted in a notice."""
    ocr: Literal["auto", "off"] = "auto"
    """Whether text in scans and pictures is recognised, where Tesseract is installed."""
    ocr_languages: tuple[str, ...] = ("eng",)
    """Names of Tesseract's language data, such as `deu`."""
    ocr_max_pages: Positive[int] = 20
    """Pages of one file whose text is recognised."""

    @property
    def process_count(self) -> int:
        """Return the number of worker processes: `processes`, or else one for each processor, 2 to 8."""
        if self.processes is not None:
            return self.processes
        return max(_MIN_WORKERS, min(usable_processors(), _MAX_WORKERS))


@frozen
class CacheSettings:
    """The store of snapshots."""

    dir: NamedFileOnly[Path] = field(default_factory=default_data_dir)
    ttl_min: float = 60.0
    max_bytes: int = 100_000_000


def _with_canonical_names(table: Mapping[str, _T]) -> Mapping[str, _T]:
    """Return `table` with the names of search services in place of their aliases, also in `ALIAS_id`."""
    renamed: dict[str, _T] = {}
    for name, entry in table.items():
        service, suffix = (name.removesuffix("_id"), "_id") if name.endswith("_id") else (name, "")
        renamed.setdefault(canonical_provider(service) + suffix, entry)
    return types.MappingProxyType({**renamed, **{name: entry for name, entry in table.items() if name in renamed}})


@frozen
class SearchSettings:
    """The search services, and limits on asking them."""

    providers: tuple[str, ...] = ("auto",)
    """In order of preference; `auto` stands for those that have a key or an address, then those that need none."""
    fan_out: NamedFileOnly[Positive[int]] = 1
    """How many are asked at once; their rankings are fused."""
    timeout_s: Positive[float] = 12.0
    provider_timeout_s: Positive[float] = 6.0
    keys: NamedFileOnly[Mapping[str, Secret]] = field(default_factory=lambda: types.MappingProxyType({}))
    """Provider -> key. A second credential follows its own name: `google_cse_id`."""
    urls: NamedFileOnly[Mapping[str, Address]] = field(default_factory=lambda: types.MappingProxyType({}))
    """Provider -> base URL, for services of one's own."""
    usd: NamedFileOnly[Mapping[str, float]] = field(default_factory=lambda: types.MappingProxyType({}))
    """Provider -> dollars of one search, for the costs of a research; one that is not named is free."""

    def __post_init__(self) -> None:
        """Replace aliases of services by their names; an entry under the name itself is preferred."""
        object.__setattr__(self, "providers", tuple(canonical_provider(name) for name in self.providers))
        object.__setattr__(self, "keys", _with_canonical_names(self.keys))
        object.__setattr__(self, "urls", _with_canonical_names(self.urls))
        object.__setattr__(self, "usd", _with_canonical_names(self.usd))


@frozen
class GatherSettings:
    """Limits of a gather."""

    concurrency: Positive[int] = 3
    pages: Positive[int] = 5
    results: Positive[int] = 10
    expanded_results: int = 12
    """Hits asked of a second search, once, where the best passage is weak."""
    timeout_s: Positive[float] = 30.0
    """One deadline over search, pages and ranking; what is done by then is the answer."""
    page_timeout_s: Positive[float] = 10.0
    passages: Positive[int] = 8
    passage_chars: Positive[int] = 500
    page_chars: Positive[int] = 12_000
    """Most characters of a page in the answer; a cursor continues it."""


@frozen
class Settings:
    """Every setting, in sections; `load()` builds it, `docs/settings.md` explains it."""

    net: NetSettings = field(default_factory=NetSettings)
    fetch: FetchSettings = field(default_factory=FetchSettings)
    extract: ExtractSettings = field(default_factory=ExtractSettings)
    cache: CacheSettings = field(default_factory=CacheSettings)
    search: SearchSettings = field(default_factory=SearchSettings)
    gather: GatherSettings = field(default_factory=GatherSettings)
    research: ResearchSettings = field(default_factory=ResearchSettings)
    embed: EmbedSettings = field(default_factory=EmbedSettings)
    browser: BrowserSettings = field(default_factory=BrowserSettings)
    render: RenderSettings = field(default_factory=RenderSettings)
    browse: BrowseSettings = field(default_factory=BrowseSettings)
    server: ServerSettings = field(default_factory=ServerSettings)
    shared: SharedSettings = field(default_factory=SharedSettings)
    crawl: CrawlSettings = field(default_factory=CrawlSettings)
    store: StoreSettings = field(default_factory=StoreSettings)
    schedule: ScheduleSettings = field(default_factory=ScheduleSettings)
    models: ModelSettings = field(default_factory=ModelSettings)
    assistant: AssistantSettings = field(default_factory=AssistantSettings)
    channels: ChannelSettings = field(default_factory=ChannelSettings)
    objects: ObjectSettings = field(default_factory=ObjectSettings)
    integrations: IntegrationSettings = field(default_factory=IntegrationSettings)


SECTIONS: dict[str, Any] = {  # Any: section classes have no common base
    section.name: section.default_factory for section in fields(Settings)
}
"""Section -> its class."""


def setting_names() -> list[str]:
    """Return `section.key` of every setting."""
    return [f"{section}.{setting.name}" for section, cls in SECTIONS.items() for setting in fields(cls)]


def setting_type(name: str) -> Any:  # Any: type hints are arbitrary objects
    """Return the type of the setting `name`."""
    hint = _hint(name)
    if hasattr(hint, "__metadata__"):
        return hint.__origin__
    return hint


def has_mark(name: str, mark: Mark) -> bool:
    """Tell whether the setting `name` has `mark` in its annotation."""
    return mark in getattr(_hint(name), "__metadata__", ())


def _hint(name: str) -> Any:  # Any: the same
    section, _, key = name.partition(".")
    return _section_hints(section)[key]


@cache
def _section_hints(section: str) -> dict[str, Any]:  # Any: the same
    """Return the annotations of a section: to evaluate those of all sections takes 25 ms."""
    return typing.get_type_hints(SECTIONS[section], include_extras=True)


class Origin(typing.NamedTuple):
    """A setting with its value, and the source of the value: default, the file, a variable, or a flag."""

    name: str
    value: object
    source: str


def load(
    *,
    file: Path | None = None,
    environ: Mapping[str, str] | None = None,
    flags: Mapping[str, object] | None = None,
) -> Settings:
    """Read all settings once. `flags` maps `section.key` to a value.

    Without `file`, the one that WELLREAD_CONFIG names is read, else `./wellread.toml` where it exists, else
    `~/.config/wellread/wellread.toml`.

    Raises:
        ConfigError: an unknown name, a value of the wrong type, a file that cannot be read, or one
            with `Mark.NAMED_FILE_ONLY` in a file that nobody named.
    """
    return explain(file=file, environ=environ, flags=flags)[0]


def explain(
    *,
    file: Path | None = None,
    environ: Mapping[str, str] | None = None,
    flags: Mapping[str, object] | None = None,
) -> tuple[Settings, tuple[Origin, ...]]:
    """Read all settings as `load` does, and return the source of each value."""
    environ = os.environ if environ is None else environ
    sourced: dict[str, tuple[object, str]] = {"cache.dir": (default_data_dir(environ), "default")}
    path, is_chosen_by_user = _find_file(file, environ)
    if path is not None:
        values = _from_file(path)
        if not is_chosen_by_user:
            _refuse_unnamed(values, path)
        sourced.update({name: (value, str(path)) for name, value in values.items()})
    for setting, variables in CUSTOMARY.items():
        if values := {name: environ[variable] for variable, name in variables.items() if environ.get(variable)}:
            table = _table_in(sourced, setting)
            if "s3_secret" in table:
                values.pop("s3_session_token", None)  # it belongs to the key of the environment alone
            sourced[setting] = ({**values, **table}, "customary variables")
    region = next((variable for variable in CUSTOMARY_REGIONS if environ.get(variable)), None)
    if region is not None:
        sourced.setdefault("objects.region", (environ[region], region))
    if environ.get("SSL_CERT_FILE"):
        sourced["net.ca_file"] = (environ["SSL_CERT_FILE"], "SSL_CERT_FILE")
    sourced.update({name: (value, _variable(name)) for name, value in _from_environ(environ).items()})
    sourced.update({name: (value, "flag") for name, value in (flags or {}).items() if value is not None})
    if str(sourced.get("net.proxy", ("",))[0]) == "environment":
        proxies = {**_environment_proxies(environ), **_table_in(sourced, "net.proxies")}
        sourced["net.proxies"] = (proxies, "proxy variables")
    return _build(sourced)


def _environment_proxies(environ: Mapping[str, str]) -> dict[str, str]:
    """Return `net.proxies` as the variables http_proxy, https_proxy, all_proxy and no_proxy have them.

    HTTP_PROXY in capitals does not count in a program that a web server runs (CGI): there it is a header of the client.
    """

    def variable(name: str) -> str:
        if environ.get(name) or (name == "http_proxy" and "REQUEST_METHOD" in environ):
            return environ.get(name, "")
        return environ.get(name.upper(), "")

    patterns = {"*": variable("all_proxy") or "direct"}
    patterns |= {f"{scheme}://*": variable(f"{scheme}_proxy") for scheme in ("http", "https")}
    for entry in variable("no_proxy").replace(",", " ").split():
        if entry == "*":
            return {"*": "direct"}
        host = entry.removeprefix("*").removeprefix(".")
        patterns[host] = "direct"
        if _NAMED_HOST.fullmatch(host):
            patterns[f"*.{host}"] = "direct"
    return {pattern: _with_scheme(text) for pattern, text in patterns.items() if text}


def _with_scheme(proxy: str) -> str:
    if "://" in proxy or proxy == "direct":
        return proxy
    return f"http://{proxy}"


def _table_in(sourced: Mapping[str, tuple[object, str]], name: str) -> dict[str, object]:
    return as_table(sourced[name][0]) if name in sourced else {}


def _variable(name: str) -> str:
    return PREFIX + name.replace(".", "_").upper()


def _find_file(file: Path | None, environ: Mapping[str, str]) -> tuple[Path | None, bool]:
    """Return the file to read, and whether the user chose it."""
    if file is None and environ.get(_FILE_VARIABLE):
        file = Path(environ[_FILE_VARIABLE])
    if file is not None:
        return file, True
    user_file = _xdg("XDG_CONFIG_HOME", "~/.config", environ) / "wellread" / FILE_NAME
    local_file = Path(FILE_NAME)
    if local_file.is_file():
        return local_file, user_file.is_file() and local_file.samefile(user_file)
    return (user_file if user_file.is_file() else None), True


def _refuse_unnamed(names: Iterable[str], path: Path) -> None:
    if refused := sorted(name for name in names if has_mark(name, Mark.NAMED_FILE_ONLY)):
        raise ConfigError(
            f"{path} in the working folder sets {', '.join(refused)}, which only a named file may set",
            hint=f"if you trust the file, use --config {path}, or set {_FILE_VARIABLE}={path}",
        )


def _from_file(path: Path) -> dict[str, object]:
    import tomllib  # here, because most starts find no file

    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigError(f"cannot read {path}: {reason_line(error)}", hint=_FILE_HINT) from error
    flat: dict[str, object] = {}
    for section, values in data.items():
        if not isinstance(values, dict):
            raise _unknown(section, str(path))
        if section not in SECTIONS:
            raise _unknown(f"[{section}]", str(path), [f"[{section_name}]" for section_name in SECTIONS])
        flat.update({f"{section}.{key}": value for key, value in values.items()})
    known_names = set(setting_names())
    for name in flat:
        if name not in known_names:
            raise _unknown(name, str(path))
    return flat


def _from_environ(environ: Mapping[str, str]) -> dict[str, object]:
    names = {_variable(name): name for name in setting_names()}
    variables = {key: value for key, value in environ.items() if key.startswith(PREFIX) and key != _FILE_VARIABLE}
    for key in variables:
        if key not in names:
            raise _unknown(key, "the environment", names)
    return {names[key]: value for key, value in variables.items()}


def _unknown(name: str, source: str, names: Iterable[str] | None = None) -> ConfigError:
    import difflib  # here, because few starts have a mistake

    matches = difflib.get_close_matches(name, list(setting_names() if names is None else names), n=1, cutoff=0.4)
    hint = f"did you mean {matches[0]}?" if matches else None
    return ConfigError(f"unknown setting {name} in {source}", hint=hint)


def _build(sourced: Mapping[str, tuple[object, str]]) -> tuple[Settings, tuple[Origin, ...]]:
    names = setting_names()
    sections: dict[str, dict[str, object]] = {section: {} for section in SECTIONS}
    for name, (value, source) in sourced.items():
        if name not in names:
            raise _unknown(name, source)
        section, _, key = name.partition(".")
        sections[section][key] = _coerce(name, value, source)
    settings = Settings(**{section: SECTIONS[section](**values) for section, values in sections.items()})
    sources = {name: source for name, (_, source) in sourced.items()}
    return settings, tuple(Origin(name, _value(settings, name), sources.get(name, "default")) for name in names)


def _value(settings: Settings, name: str) -> object:
    section, _, key = name.partition(".")
    return getattr(getattr(settings, section), key)


def _coerce(name: str, value: object, source: str) -> object:
    try:
        converted = convert(value, setting_type(name))
    except (TypeError, ValueError, RuntimeError) as error:  # RuntimeError: ~ of a user who has no home
        raise ConfigError(f"{name} in {source}: {error}") from error
    if has_mark(name, Mark.POSITIVE) and not converted:
        raise ConfigError(f"{name} in {source}: expected more than 0, got {value!r}")
    return converted
