"""Holds a lease while a block lasts, with beats that renew it: one holder among all replicas."""

from __future__ import annotations

import itertools
import math
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING, Final

import anyio

from wellread.errors import SharedStateFailed, Timeout
from wellread.net.background_tasks import run_beside

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from wellread.ports import Leases

LEASE_S: Final = 6.0
"""How long a lease outlives a holder that was killed."""
BEAT_S: Final = 1.5
_RELEASE_S: Final = 2.0
_NUMBERS: Final = itertools.count()
"""Names of holders in this process."""


@asynccontextmanager
async def held_lease(leases: Leases, name: str, *, wait_s: float) -> AsyncGenerator[bool, None]:
    """Hold the lease `name` while the block lasts; yield whether another holder had to be waited for.

    Raises:
        Timeout: another holder kept it for `wait_s`.
        SharedStateFailed: the server of the leases does not answer, or has lost this one; the block is cancelled then.
    """
    if not leases.outlives_holder:
        async with _held_in_memory(leases, name, wait_s) as has_waited:
            yield has_waited
        return
    import secrets  # here, because a lease in memory needs no name

    holder = secrets.token_hex(8)
    try:
        has_waited = await _acquired(leases, name, holder, LEASE_S, wait_s=wait_s)
        with anyio.CancelScope() as scope:
            async with run_beside(partial(_renew, leases, name, holder, scope)):
                yield has_waited
        if scope.cancelled_caught:
            raise SharedStateFailed("a lease at the server of shared.url was lost", hint="try again")
    finally:
        with anyio.move_on_after(_RELEASE_S, shield=True), suppress(SharedStateFailed):
            await leases.release(name, holder)


@asynccontextmanager
async def _held_in_memory(leases: Leases, name: str, wait_s: float) -> AsyncGenerator[bool, None]:
    """Hold a lease that ends with this process, so that no task renews it."""
    holder = str(next(_NUMBERS))
    try:
        yield await _acquired(leases, name, holder, math.inf, wait_s=wait_s)
    finally:
        await leases.release(name, holder)


async def _acquired(leases: Leases, name: str, holder: str, duration_s: float, *, wait_s: float) -> bool:
    """Wait for the lease; return whether that took more than one try."""
    has_waited = False
    with anyio.move_on_after(wait_s):
        while not await leases.acquire(name, holder, duration_s):
            has_waited = True
            await leases.wait_for_release(name, LEASE_S)
        return has_waited
    raise Timeout(f"another replica has had the same work for {wait_s:g} s", limit_s=wait_s)


async def _renew(leases: Leases, name: str, holder: str, scope: anyio.CancelScope) -> None:
    """Renew the lease until it is lost, then cancel `scope`; a server that is away for less time does no harm."""
    ends_at = anyio.current_time() + LEASE_S
    is_ours = True
    while is_ours:
        await anyio.sleep(BEAT_S)
        beat_at = anyio.current_time()
        try:
            # A server that restarted has lost it, and nobody else has taken it.
            is_ours = await leases.renew(name, holder, LEASE_S) or await leases.acquire(name, holder, LEASE_S)
            ends_at = beat_at + LEASE_S
        except SharedStateFailed:
            is_ours = anyio.current_time() < ends_at
    scope.cancel()
