"""Renews what a forked process cannot share with the other one: locks that its threads may hold, and its threads."""

from __future__ import annotations

import os
from typing import Final, Protocol
from weakref import WeakSet


class Renewable(Protocol):
    """An object with state of one process."""

    def renew(self) -> None:
        """Begin with new locks and no threads; called while the new process has one thread."""


_RENEWABLES: Final = WeakSet[Renewable]()


def renew_after_fork(renewable: Renewable) -> None:
    """Call `renewable.renew()` in each process that is forked from this one, as long as the object exists."""
    _RENEWABLES.add(renewable)


def _renew_all() -> None:
    for renewable in _RENEWABLES:
        renewable.renew()


if hasattr(os, "register_at_fork"):  # not on Windows, which has no fork
    os.register_at_fork(after_in_child=_renew_all)
