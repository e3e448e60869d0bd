"""Typed values from the text of files, variables and flags, secrets among them; knows no setting by name."""

from __future__ import annotations

import json
import math
import re
import types
import typing
from collections.abc import Mapping
from enum import Enum
from pathlib import Path
from typing import Annotated, Any, Final, TypeVar

from wellread.errors import without_password

T = TypeVar("T")


class Mark(Enum):
    """A rule for a setting, in the annotation of its field."""

    POSITIVE = "positive"
    NAMED_FILE_ONLY = "named file only"


Positive = Annotated[T, Mark.POSITIVE]
"""A number for which 0 would mean that nothing can ever happen."""
NamedFileOnly = Annotated[T, Mark.NAMED_FILE_ONLY]
"""A setting that allows access, says where something is sent or stored, or spends money (rule: docs/security.md).

A `wellread.toml` that merely lies in the working folder may have come with somebody else's files, so it may not give
it; a file that is named, or in the user's own place, may."""


class Secret:
    """Text that prints as `***`; `reveal()` returns it where it is sent.

    No `str`: whatever writes strings by their contents (json, join) would write this one out.
    """

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        """Take the value."""
        self._value = value

    def __repr__(self) -> str:
        """Return the masked value."""
        return repr(str(self))

    def __str__(self) -> str:
        """Return `***`."""
        return "***"

    def __eq__(self, other: object) -> bool:
        """Compare the values."""
        return isinstance(other, Secret) and other._value == self._value

    def __hash__(self) -> int:
        """Agree with `==`."""
        return hash(self._value)

    def __bool__(self) -> bool:
        """Tell whether there is a value."""
        return bool(self._value)

    def reveal(self) -> str:
        """Return the real value."""
        return self._value


_MASK: Final = "***"
_SHOWN_FIELDS: Final = frozenset({"sslmode", "schema", "api-version"})
"""Fields of a query whose values are no secrets, and are worth seeing where a connection fails."""
_AUTHORITY: Final = re.compile(r"\A(?:[A-Za-z][A-Za-z0-9+.-]*:)?//[^/]*")
_PAIR: Final = re.compile(r"([^=/;&\s]+)=[^/;&\s]*")
_LOGIN: Final = re.compile(r"[^/@\s]{1,500}@")
"""In a path: that of a URL with one slash too few."""
_PATH_TOKEN: Final = re.compile(r"(?<=/)(?=[^/]*[0-9])(?=[^/]*[A-Za-z])[^/\s]{20,}")
"""A long part of a path with letters and digits: several services have a token there (Slack, Telegram, Zapier)."""
_HTTP_URL: Final = re.compile(r"https?://[^\s\"'<>]+", re.IGNORECASE)


class Address(Secret):
    """A URL of a service that prints without its credentials; `reveal()` returns it whole.

    User name and password, the values of its query, its fragment, and long parts of an HTTP path with letters and
    digits are masked: which field of a service of the owner is a secret is not known.
    """

    __slots__ = ()

    def __str__(self) -> str:
        """Return the URL with the credentials masked."""
        return _masked_url(self.reveal())


class AddressOrCommand(Address):
    """The URL of a server, or the command line that starts one, which prints as its program alone."""

    __slots__ = ()

    @property
    def is_url(self) -> bool:
        """Return whether it is an http or https URL."""
        return self.reveal().startswith(("http://", "https://"))

    def __str__(self) -> str:
        """Return the masked URL, or the program."""
        if self.is_url:
            return super().__str__()
        program, space, _ = self.reveal().strip().partition(" ")
        return _masked_url(program) + f" {_MASK}" * bool(space)


def mask_urls(text: str) -> str:
    """Return `text`, such as the message of a library, with each URL in it as an `Address` prints it."""
    return _HTTP_URL.sub(lambda match: _masked_url(match[0]), text)


def _masked_url(url: str) -> str:
    without_login = without_password(url)
    end_of_path = re.search(r"[?#]", url)
    if without_login != url and end_of_path is not None and "@" in url[end_of_path.start() :]:
        # The password or the query holds the @: no part is certain to be neither.
        scheme, separator, _ = url.partition("://")
        if not separator:
            return _MASK
        return f"{scheme}{separator}{_MASK}"
    address, query_mark, query = without_login.partition("#")[0].partition("?")
    path_start = 0
    if authority_match := _AUTHORITY.match(address):
        path_start = authority_match.end()
    path = _PAIR.sub(rf"\1={_MASK}", _LOGIN.sub(f"{_MASK}@", address[path_start:]))
    if address.startswith(("http://", "https://")):
        path = _PATH_TOKEN.sub(_MASK, path)
    fragment = f"#{_MASK}" * ("#" in without_login)
    fields = "&".join(_masked_field(field) for field in re.split("[&;]", query) if query)
    return f"{address[:path_start]}{path}{query_mark}{fields}{fragment}"


def _masked_field(field: str) -> str:
    name, equals, _ = field.partition("=")
    if not equals:
        return _MASK
    if name.lower() in _SHOWN_FIELDS:
        return field
    return f"{name}={_MASK}"


def convert(value: object, hint: Any) -> object:  # Any: type hints are arbitrary objects
    """Return `value` as the type that `hint` names: optional, mapping, tuple, choice, bool, int, float, Path or text.

    Raises:
        TypeError, ValueError: `value` does not fit; the message never repeats text that may be a secret.
        RuntimeError: a path names the home of a user who has none.
    """
    if isinstance(hint, types.UnionType):
        inner = next(arg for arg in typing.get_args(hint) if arg is not types.NoneType)
        return None if value in (None, "") else convert(value, inner)
    if typing.get_origin(hint) is Mapping:
        item = typing.get_args(hint)[1]
        return types.MappingProxyType({name: convert(part, item) for name, part in as_table(value).items()})
    if typing.get_origin(hint) is tuple:
        item = typing.get_args(hint)[0]
        return tuple(convert(part, item) for part in _as_list(value))
    if typing.get_origin(hint) is typing.Literal:
        return _as_choice(value, typing.get_args(hint))
    return _as_one(value, hint)


def _as_one(value: object, hint: Any) -> object:  # Any: the same
    if hint is bool:
        return _as_bool(value)
    if hint in (int, float):
        return _as_number(value, hint)
    if not isinstance(value, str | Path):
        raise TypeError(f"expected text, got {type(value).__name__}")  # the value may be a secret
    return Path(value).expanduser() if hint is Path else hint(value)


def _as_list(value: object) -> list[object]:
    """Return a list from a list or from text: a JSON array or comma-separated."""
    if isinstance(value, str):
        text = value.strip()
        if not text.startswith("["):
            return [part.strip() for part in text.split(",") if part.strip()]
        value = json.loads(text)
    if not isinstance(value, list | tuple):
        raise TypeError(f"expected a list, got {value!r}")
    return list(value)


def as_table(value: object) -> dict[str, object]:
    """Return a table from a table or from text: a JSON object, or `name=value` separated by commas."""
    if isinstance(value, str):
        text = value.strip()
        if text.startswith("{"):
            value = json.loads(text)
        else:
            pairs = [part.partition("=") for part in text.split(",") if part.strip()]
            if not all(equals for _, equals, _ in pairs):
                raise ValueError("expected name=value, separated by commas")
            return {name.strip(): part.strip() for name, _, part in pairs}
    if not isinstance(value, dict):
        raise TypeError(f"expected a table, got {type(value).__name__}")
    return value


def _as_choice(value: object, choices: tuple[str, ...]) -> str:
    if value not in choices:
        raise ValueError(f"expected one of {', '.join(choices)}, got {value!r}")
    return str(value)


def _as_bool(value: object) -> bool:
    words = {"true": True, "1": True, "yes": True, "on": True, "false": False, "0": False, "no": False, "off": False}
    answer = value if isinstance(value, bool) else words.get(str(value).strip().lower())
    if answer is None:
        raise ValueError(f"expected true or false, got {value!r}")
    return answer


def _as_number(value: object, kind: type[int | float]) -> int | float:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise TypeError(f"expected a number, got {value!r}")
    try:
        number = kind(value.replace("_", "") if isinstance(value, str) else value)
    except (ValueError, OverflowError) as error:
        raise ValueError(f"expected a {'whole ' if kind is int else ''}number, got {value!r}") from error
    if kind is int and isinstance(value, float) and number != value:
        raise ValueError(f"expected a whole number, got {value!r}")
    if not 0 <= number < math.inf:  # NaN compares false
        raise ValueError(f"expected a number of at least 0, got {value!r}")
    return number
