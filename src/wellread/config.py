"""Settings: one frozen value, and the only reader of the environment.

Defaults < `wellread.toml` < `WELLREAD_<SECTION>_<KEY>` < flags. Read once, then handed down as values.
"""

from __future__ import annotations

import dataclasses
import difflib
import json
import os
import tomllib
import types
import typing
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wellread.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Mapping

PREFIX = "WELLREAD_"
FILE_NAME = "wellread.toml"


def default_data_dir() -> Path:
    """Return `$XDG_DATA_HOME/wellread`, or `~/.local/share/wellread` (XDG Base Directory Specification)."""
    base = os.environ.get("XDG_DATA_HOME")
    return (Path(base) if base else Path("~/.local/share").expanduser()) / "wellread"


@dataclass(frozen=True, slots=True, kw_only=True)
class NetSettings:
    """What may be reached, and how."""

    allow_hosts: tuple[str, ...] = ()
    """Private targets that may be reached, each exactly `host:port`."""
    allow_ports: tuple[int, ...] = ()
    """Ports besides 80, 443, 8080, 8443, 3000, 8000 and 8888. Ports that browsers refuse stay refused."""
    user_agent: str = "wellread/0.1 (+https://pypi.org/project/wellread/)"
    ca_file: Path | None = None
    """Certificates to trust instead of the system's store; the variable SSL_CERT_FILE sets it too."""
    robots: bool = True
    """Obey robots.txt on reads an agent initiates."""
    per_host: int = 2
    """Requests in flight to one host at a time."""
    min_interval_s: float = 0.0
    """Pause between the starts of two requests to one host, besides what robots.txt asks for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchSettings:
    """Limits on one fetch."""

    timeout_s: float = 15.0
    """One deadline over names, connections, redirects, robots.txt, body and parsing."""
    idle_s: float = 10.0
    """The longest silence between two pieces of an answer."""
    max_bytes: int = 10_000_000
    """On the wire and, separately, decoded."""
    max_header_bytes: int = 65_536
    max_redirects: int = 10
    attempts: int = 2
    """Tries for failures that a retry may mend."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CacheSettings:
    """The store of snapshots."""

    dir: Path = field(default_factory=default_data_dir)
    ttl_min: float = 60.0
    max_bytes: int = 100_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class GatherSettings:
    """How evidence is gathered."""

    concurrency: int = 3
    pages: int = 5
    results: int = 10
    page_timeout_s: float = 10.0
    passages: int = 8
    passage_chars: int = 500
    page_chars: int = 12_000
    """Most characters of a page in the answer; a cursor continues it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Every setting, in sections; `load()` builds it, `docs/settings.md` explains it."""

    net: NetSettings = field(default_factory=NetSettings)
    fetch: FetchSettings = field(default_factory=FetchSettings)
    cache: CacheSettings = field(default_factory=CacheSettings)
    gather: GatherSettings = field(default_factory=GatherSettings)


class Secret(str):
    """A string that prints as `***`; `reveal()` gives it up at the one edge that sends it."""

    __slots__ = ()

    def __repr__(self) -> str:
        """Hide the value."""
        return "'***'"

    __str__ = __repr__

    def __format__(self, spec: str) -> str:
        """Hide the value."""
        return format("***", spec)

    def reveal(self) -> str:
        """Return the real value."""
        return str.__str__(self)


class Origin(typing.NamedTuple):
    """A setting as it stands, and where its value came from: default, the file, a variable, or a flag."""

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

    Without `file`, `./wellread.toml` is read where it exists, else `~/.config/wellread/wellread.toml`.

    Raises:
        ConfigError: an unknown name, a value of the wrong type, or a file that cannot be read.
    """
    return explain(file=file, environ=environ, flags=flags)[0]


def explain(
    *,
    file: Path | None = None,
    environ: Mapping[str, str] | None = None,
    flags: Mapping[str, object] | None = None,
) -> tuple[Settings, tuple[Origin, ...]]:
    """Like `load`, and also say for every setting where its value came from."""
    environ = os.environ if environ is None else environ
    chosen: dict[str, tuple[object, str]] = {}
    path = _find_file(file, environ)
    if path is not None:
        chosen.update({name: (value, str(path)) for name, value in _from_file(path).items()})
    if environ.get("SSL_CERT_FILE"):
        chosen["net.ca_file"] = (environ["SSL_CERT_FILE"], "SSL_CERT_FILE")
    chosen.update({name: (value, _variable(name)) for name, value in _from_environ(environ).items()})
    chosen.update({name: (value, "flag") for name, value in (flags or {}).items() if value is not None})
    return _build(chosen)


def field_names() -> dict[str, Any]:  # Any: type hints are arbitrary objects
    """Return `section.key` -> type for every setting."""
    sections = typing.get_type_hints(Settings)
    return {
        f"{section}.{key}": hint for section, cls in sections.items() for key, hint in typing.get_type_hints(cls).items()
    }


def _variable(name: str) -> str:
    return PREFIX + name.replace(".", "_").upper()


def _find_file(file: Path | None, environ: Mapping[str, str]) -> Path | None:
    if file is not None:
        return file
    config_home = Path(environ.get("XDG_CONFIG_HOME") or Path("~/.config").expanduser())
    return next((path for path in (Path(FILE_NAME), config_home / "wellread" / FILE_NAME) if path.is_file()), None)


def _from_file(path: Path) -> dict[str, object]:
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigError(f"cannot read {path}: {error}") from error
    flat: dict[str, object] = {}
    for section, values in data.items():
        if not isinstance(values, dict):
            raise _unknown(section, str(path))
        flat.update({f"{section}.{key}": value for key, value in values.items()})
    for name in flat:
        if name not in field_names():
            raise _unknown(name, str(path))
    return flat


def _from_environ(environ: Mapping[str, str]) -> dict[str, object]:
    known = {_variable(name): name for name in field_names()}
    given = {key: value for key, value in environ.items() if key.startswith(PREFIX)}
    for key in given:
        if key not in known:
            raise _unknown(key, "the environment", known)
    return {known[key]: value for key, value in given.items()}


def _unknown(name: str, source: str, known: Mapping[str, str] | None = None) -> ConfigError:
    names = list(known) if known is not None else list(field_names())
    near = difflib.get_close_matches(name, names, n=1, cutoff=0.4)
    hint = f"did you mean {near[0]}?" if near else None
    return ConfigError(f"unknown setting {name} in {source}", hint=hint)


def _build(chosen: Mapping[str, tuple[object, str]]) -> tuple[Settings, tuple[Origin, ...]]:
    hints = field_names()
    for name, (_, source) in chosen.items():
        if name not in hints:
            raise _unknown(name, source)
    values = {name: _coerce(name, value, hints[name], source) for name, (value, source) in chosen.items()}
    sections = {
        section: cls(**{name.partition(".")[2]: value for name, value in values.items() if name.startswith(section + ".")})
        for section, cls in typing.get_type_hints(Settings).items()
    }
    settings = Settings(**sections)
    origins = tuple(
        Origin(name, getattr(getattr(settings, name.partition(".")[0]), name.partition(".")[2]), chosen[name][1])
        if name in chosen
        else Origin(name, getattr(getattr(settings, name.partition(".")[0]), name.partition(".")[2]), "default")
        for name in hints
    )
    return settings, origins


def _coerce(name: str, value: object, hint: Any, source: str) -> object:  # Any: type hints are arbitrary objects
    try:
        return _convert(value, hint)
    except (TypeError, ValueError) as error:
        raise ConfigError(f"{name} in {source}: {error}") from error


def _convert(value: object, hint: Any) -> object:  # Any: type hints are arbitrary objects
    if isinstance(hint, types.UnionType):
        inner = next(arg for arg in typing.get_args(hint) if arg is not types.NoneType)
        return None if value in (None, "") else _convert(value, inner)
    if typing.get_origin(hint) is tuple:
        item = typing.get_args(hint)[0]
        return tuple(_convert(part, item) for part in _as_list(value))
    if hint is bool:
        return _as_bool(value)
    if hint in (int, float):
        return _as_number(value, hint)
    if not isinstance(value, str | Path):
        raise TypeError(f"expected text, got {value!r}")
    return Path(value).expanduser() if hint is Path else hint(value)


def _as_list(value: object) -> list[object]:
    """Take a list, or text: a JSON array or comma-separated."""
    if isinstance(value, str):
        text = value.strip()
        if not text.startswith("["):
            return [part.strip() for part in text.split(",") if part.strip()]
        value = json.loads(text)
    if not isinstance(value, list | tuple):
        raise TypeError(f"expected a list, got {value!r}")
    return list(value)


def _as_bool(value: object) -> bool:
    words = {"true": True, "1": True, "yes": True, "on": True, "false": False, "0": False, "no": False, "off": False}
    answer = value if isinstance(value, bool) else words.get(str(value).strip().lower())
    if answer is None:
        raise ValueError(f"expected true or false, got {value!r}")
    return answer


def _as_number(value: object, kind: type[int] | type[float]) -> int | float:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise TypeError(f"expected a number, got {value!r}")
    number = kind(value.replace("_", "") if isinstance(value, str) else value)
    if number != number or number in (float("inf"), float("-inf")) or number < 0:  # noqa: PLR0124 - NaN differs from itself
        raise ValueError(f"expected a number of at least 0, got {value!r}")
    return number
