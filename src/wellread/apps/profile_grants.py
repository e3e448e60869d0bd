"""Grants of profiles to callers, from the setting `browse.profiles` alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

from wellread.errors import ConfigError, InvalidInput

if TYPE_CHECKING:
    from collections.abc import Iterable

Interface = Literal["mcp", "http", "tools", "assistant"]
INTERFACES: tuple[str, ...] = get_args(Interface)


@dataclass(frozen=True, slots=True)
class Caller:
    """The interface of a call, and the name of its key, if any."""

    interface: Interface
    key: str | None = None


@dataclass(frozen=True, slots=True)
class ProfileGrants:
    """Pairs of a caller (`http`, or `http.alice` for one key) and the name of a profile."""

    pairs: frozenset[tuple[str, str]] = frozenset()

    def names(self, caller: Caller) -> tuple[str, ...]:
        """Return the profiles that `caller` may name, sorted."""
        callers = {caller.interface, f"{caller.interface}.{caller.key}"}
        return tuple(sorted({name for granted_caller, name in self.pairs if granted_caller in callers}))

    def check(self, name: str, caller: Caller) -> None:
        """Refuse a profile that `caller` may not name; a missing profile is refused in the same way.

        Raises:
            InvalidInput: it is not granted.
        """
        allowed = self.names(caller)
        if name in allowed:
            return
        hint = (
            f"one of {', '.join(allowed)}"
            if allowed
            else "leave out `profile`, or grant the profile with browse.profiles"
        )
        raise InvalidInput(f"the profile {name[:64]!r} is not allowed here", hint=hint)


def parsed(entries: Iterable[str]) -> ProfileGrants:
    """Parse the setting `browse.profiles`.

    Raises:
        ConfigError: an entry is neither `INTERFACE:NAME` nor `INTERFACE.KEY:NAME`.
    """
    pairs = set()
    for entry in entries:
        caller, colon, name = entry.rpartition(":")
        interface, _, key = caller.partition(".")
        if not colon or not name or interface not in INTERFACES or caller.endswith("."):
            hint = f"use mcp:shop, or http.alice:shop for one key; the interfaces are {', '.join(INTERFACES)}"
            raise ConfigError(f"browse.profiles: {entry[:100]!r} names no interface and profile", hint=hint)
        if key and interface not in {"mcp", "http"}:
            raise ConfigError(f"browse.profiles: {entry[:100]!r} has a key, but keys exist only for mcp and http")
        pairs.add((caller, name))
    return ProfileGrants(frozenset(pairs))
