"""Works out custom properties: declared, inherited, registered, put in with `var()` (CSS Variables 1, Properties 1)."""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING, Final, NamedTuple

from wellread.css import colours
from wellread.css.brackets import closing, is_deep
from wellread.css.lengths import length
from wellread.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Mapping

_MOST_PUT_IN: Final = 300
"""Uses of `var()` in one value: no more have room in the longest."""
_LONGEST: Final = 2_000
UNTOLD: Final = "\0"
"""What stands in a value of which more is asked than anybody works out: no page can write it."""
ASKED: Final = lazy_pattern(r"\bvar\(\s*(--(?:[\w-]|[^\x00-\x7f])+)\s*(,?)")
_INHERITED: Final = frozenset(["inherit", "unset", "revert", "revert-layer"])
_NUMBERS: Final = lazy_pattern(r"<(?:number|integer|length|percentage|length-percentage)>")


class Registered(NamedTuple):
    """What `@property` says of a custom property."""

    inherits: bool
    initial: str | None
    syntax: str


def registered(told: Mapping[str, str]) -> dict[str, Registered]:
    """Read the bodies of `@property` rules, by name."""
    found = {}
    for name, body in told.items():
        parts = dict(part.partition(":")[::2] for part in body.split(";"))
        said = {key.strip().lower(): value.strip() for key, value in parts.items()}
        syntax = said.get("syntax", "*").strip("\"'")
        found[name] = Registered(said.get("inherits") == "true", said.get("initial-value"), syntax)
    return found


class _CycleError(Exception):
    """A custom property is made of itself."""

    def __init__(self, scope: Scope, name: str) -> None:
        super().__init__(name)
        self.start = (scope, name)


_Work = Generator["_Work", str | None, str | None]
"""What waits for other work of its kind, one after the other, and returns a value."""


class Scope:
    """The custom properties at one element, and through its parent's those that it inherits."""

    __slots__ = ("_known", "_open", "_put_in", "_registered", "own", "parent")

    def __init__(self, own: Mapping[str, str], parent: Scope | None, registered: Mapping[str, Registered]) -> None:
        """Take what is declared for the element, as it is written."""
        self.own = own
        self.parent = parent
        self._registered = registered
        self._known: dict[str, str | None] = {}
        self._put_in: dict[str, str | None] = {}
        self._open: set[str] = set()

    def filled(self, value: str) -> str | None:
        """Put custom properties into a value; None when it is invalid then, and stands for `unset`."""
        if value not in self._put_in:
            try:
                self._put_in[value] = _worked_out(self._filled(value))
            except _CycleError:
                self._put_in[value] = None
        return self._put_in[value]

    def _get(self, name: str) -> _Work:
        """Return the value of a custom property at this element; None when it has none."""
        at: Scope | None = self
        said = self._registered.get(name)
        while at is not None:
            if name in at.own:
                found, inherits = _taken((yield at.resolved(name)), said)
                if not inherits:
                    return found if found is not None or said is None else said.initial
            if said is not None and not said.inherits:
                break
            at = at.parent
        return said.initial if said is not None else None

    def resolved(self, name: str) -> _Work:
        """Return the value that is declared here."""
        if name in self._open:
            raise _CycleError(self, name)
        if name not in self._known:
            self._open.add(name)
            self._known[name] = None
            try:
                self._known[name] = yield self._filled(self.own[name])
            except _CycleError as cycle:
                if cycle.start != (self, name):
                    raise
            finally:
                self._open.discard(name)
        return self._known[name]

    def _filled(self, value: str) -> _Work:
        for _ in range(_MOST_PUT_IN):
            found = ASKED.search(value) if "var(" in value else None
            if found is None:
                return UNTOLD if is_deep(value) else value
            end = closing(value, found.end())
            put_in = yield self._get(found[1])
            if put_in is None and found[2]:
                put_in = value[found.end() : end]
            if put_in is None:
                return None
            value = f"{value[: found.start()]}{put_in}{value[end + 1 :]}".strip()
            if len(value) > _LONGEST:
                if "var(" in value:
                    break
                value = value[:_LONGEST]
        return UNTOLD


def _worked_out(asked: _Work) -> str | None:
    """Do one piece of work after the other that it waits for: pages make chains longer than calls may be nested."""
    waiting: list[_Work] = [asked]
    told: str | None = None
    cycle: _CycleError | None = None
    while waiting:
        try:
            further = waiting[-1].send(told) if cycle is None else waiting[-1].throw(cycle)
        except StopIteration as done:
            waiting.pop()
            told, cycle = done.value, None
        except _CycleError as found:
            waiting.pop()
            cycle = found
        else:
            waiting.append(further)
            told = cycle = None
    if cycle is not None:
        raise cycle
    return told


def _taken(found: str | None, said: Registered | None) -> tuple[str | None, bool]:
    """Return a declared value, or that the property is inherited."""
    if found in _INHERITED:
        return None, True
    if found == "initial":
        return None, False
    if found is not None and said is not None and not _is_of(found, said.syntax):
        return None, said.inherits
    return found, False


def _is_of(value: str, syntax: str) -> bool:
    if _NUMBERS.fullmatch(syntax):
        return length(value) is not None
    return syntax != "<color>" or colours.colour(value) is not None
