"""Run work on the assistant's store for commands: open it, use it within one event loop, close it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, TypeVar

import click

from wellread.apps.commands.options import extra, guarded, settings_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy.orm import Session

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class CommandMoment:
    """The time and the time zone of a command."""

    now_ms: int
    zone: str


def here(context: click.Context, zone: str | None, *, json: bool) -> CommandMoment:
    """Return the current time, and the zone of the option, the settings, or the machine; a failure ends the command."""
    return guarded(partial(_here, context, zone), json=json)


def _here(context: click.Context, zone: str | None) -> CommandMoment:
    from wellread.apps.system_clock import SystemClock

    with extra("assistant"):
        import wellread.assistant.database  # noqa: F401 - needs all of the extra that a command can need
        from wellread.assistant.schedule import zones

    return CommandMoment(SystemClock().now_ms(), zones.home_zone(zone or settings_of(context)[0].schedule.timezone))


def in_store(context: click.Context, work: Callable[[Session], T], *, json: bool) -> T:
    """Run `work` in one transaction of the owner's part of the store; a failure ends the command."""
    return guarded(partial(_in_store, context, work), json=json)


def _in_store(context: click.Context, work: Callable[[Session], T]) -> T:
    import anyio

    from wellread.apps.assistant_database import owner_store

    with owner_store(settings_of(context)[0]) as store:
        return anyio.run(store.run, work)
