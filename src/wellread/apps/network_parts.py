"""Joins the parts of a `Web` that use the network: client, browser, downloads, profiles.

`wellread.apps.deferred_network` loads this module at the first use of one of them: a read of a stored page needs none.
"""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from wellread.apps.browsers import BrowserNetwork, pool, profile_folder
from wellread.apps.system_clock import SystemClock
from wellread.browser import profiles
from wellread.browser.launch import is_installed
from wellread.browser.render.renderer import BrowserRenderer
from wellread.browser.search_visits import SearchVisitor
from wellread.browser.storage_state import with_entries
from wellread.errors import InvalidInput
from wellread.net import cookie_files, downloads, guard
from wellread.net.client import Client
from wellread.net.dial import NetworkTransport
from wellread.net.profile_cookies import ProfileCookies
from wellread.net.rate_limit import RateLimiter
from wellread.net.recording import RecordingTransport, ReplayTransport, RollingRecording
from wellread.reading import snapshot_building
from wellread.reading.sign_in_options import ProfileSecrets

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from contextlib import ExitStack

    from wellread.apps.network_access import NetworkAccess
    from wellread.browser.browser_pool import BrowserPool
    from wellread.config import Settings
    from wellread.credentials import StoredCookie
    from wellread.net.downloads import Download, DownloadRequest
    from wellread.net.transport import Transport
    from wellread.ports import Clock, Renderer, SharedState, Trace
    from wellread.types import Response

MAX_WARC_BYTES = 1_000_000_000
"""Size of a recording of a crawl, beyond which the next file is begun; 1 GB is usual for WARC files."""


def open_transport(access: NetworkAccess) -> Transport:
    """Return the transport of all requests.

    Raises:
        ConfigError: a setting of the section `net` is wrong.
        InvalidInput: the recording cannot be read, or a replay is to be recorded.
    """
    if access.replay is not None and access.record is not None:
        raise InvalidInput("--record and --replay exclude each other", hint="use one of them")
    if access.replay is not None:
        return ReplayTransport(Path(access.replay))
    policy = guard.read_policy(access.settings.net)
    network = NetworkTransport(access.settings, policy=policy, resolver=access.resolver, dialler=access.dialler)
    if access.record is None:
        return network
    return RecordingTransport(network, Path(access.record), access.clock)


def http_client(access: NetworkAccess, transport: Transport, shared_state: SharedState, trace: Trace) -> Client:
    """Return the HTTP client of all reads."""
    return Client(
        access.settings,
        transport,
        clock=access.clock,
        trace=trace,
        rate_limiter=RateLimiter(access.settings.net, shared_state),
        profile_cookies=ProfileCookies(_CookieFiles(access.settings)),
    )


def crawl_client(client: Client, transport: Transport, folder: Path, access: NetworkAccess, trace: Trace) -> Client:
    """Return the client of a crawl: the same way to the network, recorded, and at the same pace as other reads."""
    if access.replay is None:
        transport = RollingRecording(transport, folder, access.clock, name="crawl", max_bytes=MAX_WARC_BYTES)
    return Client(access.settings, transport, clock=access.clock, trace=trace, rate_limiter=client.rate_limiter)


def browser_pool(access: NetworkAccess, client: Client) -> BrowserPool:
    """Return the pool of browsers; nothing is started yet.

    Raises:
        ConfigError: a setting of the section `browser` is wrong.
    """
    network = BrowserNetwork(
        settings=access.settings,
        resolver=access.resolver,
        dialler=access.dialler,
        clock=access.clock,
        is_live=access.replay is None and access.record is None,
    )
    return pool(network, client)


def page_renderer(access: NetworkAccess, browsers: BrowserPool, client: Client) -> Renderer:
    """Return the renderer of pages, which uses the browsers."""
    return BrowserRenderer(access.settings.render, browsers, permit=client.permit, clock=access.clock)


def search_visitor(settings: Settings, browsers: BrowserPool, client: Client) -> SearchVisitor | None:
    """Return the visitor of search pages; None where there is no browser, or rendering is disabled."""
    if not settings.render.enabled or not is_installed():
        return None
    return SearchVisitor(settings.render, browsers, permit=client.permit)


async def download(client: Client, clock: Clock, request: DownloadRequest) -> Download:
    """Save a file.

    Raises:
        WellreadError: as `wellread.net.downloads.download`.
    """
    return await downloads.download(client, request, refuse=partial(_refuse, clock))


def _refuse(clock: Clock, head: Response) -> None:
    snapshot_building.refuse_failures(head, now=clock.now())


def recording(settings: Settings, path: Path) -> tuple[Client, ReplayTransport]:
    """Open a WARC file; return a client that answers from it alone, and its transport, which lists its pages.

    Raises:
        InvalidInput: the file cannot be read, or is not a WARC file.
    """
    transport = ReplayTransport(path, newest=True)
    return Client(settings, transport, clock=SystemClock()), transport


def profile_secrets(settings: Settings, name: str) -> ProfileSecrets:
    """Return the parts of a profile that sign in over HTTP.

    Raises:
        InvalidInput: there is no such profile, or it cannot be read.
    """
    stored = profiles.load_profile(profiles.profile_path(profile_folder(settings), name))
    if stored is None:
        hint = "create it with `wellread login URL --profile NAME`"
        raise InvalidInput(f"there is no profile {name!r}", hint=hint)
    logins = tuple((row["origin"], row["username"], row["password"]) for row in stored.state.get("httpCredentials", []))
    return ProfileSecrets(cookie_files.cookies_of_state(stored.state.get("cookies", [])), logins, stored.id)


class _CookieFiles:
    """The cookies in the files of the profiles, for the HTTP client."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def load(self, profile: str, profile_id: str) -> tuple[StoredCookie, ...] | None:
        try:
            secrets = profile_secrets(self._settings, profile)
        except InvalidInput:
            return None
        if secrets.id != profile_id:
            return None
        return secrets.cookies

    def try_turn(self, profile: str, domain: str) -> ExitStack | None:
        return profiles.try_turn(profile_folder(self._settings), profile, domain)

    def save(self, profile: str, profile_id: str, rows: Sequence[Mapping[str, object]]) -> None:
        """Drop a cookie that a profile could not hold.

        The read has succeeded by then: a profile that cannot be written does not fail it.
        """
        path = profiles.profile_path(profile_folder(self._settings), profile)
        sendable: list[Mapping[str, object]] = []
        for row in rows:
            with suppress(InvalidInput):
                cookie_files.cookies_of_state([row])
                sendable.append(row)
        with suppress(InvalidInput):
            if sendable and path.exists():
                profiles.update(path, lambda stored: with_entries(stored, {"cookies": sendable}), profile_id=profile_id)
