"""Watches pages: checks those that are due, and stores and reports what has changed in their text."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Final, Literal

import anyio
from anyio import to_thread

from wellread.crawl import webhooks
from wellread.crawl.page_changes import text_change
from wellread.crawl.page_reader import FetchedPageReader
from wellread.crawl.selected_text import selected_text
from wellread.crawl.watch_store import DEFAULT_KEEP, MAX_UNSENT, Watch, WatchStore
from wellread.errors import InvalidInput, WellreadError
from wellread.extraction.selected_elements import check_selector
from wellread.net import https_first, schemeless_urls
from wellread.net.guard import trim_url
from wellread.reading.snapshot_building import refuse_failures
from wellread.types import Notice, Request, header

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wellread.crawl.watch_store import WatchVersion
    from wellread.net.client import Client
    from wellread.reading.pipeline import PipelineParts
    from wellread.types import Render, Response
    from wellread.values import Secret

WatchState = Literal["new", "unchanged", "changed", "failed"]

MIN_EVERY_S: Final = 60.0
DEFAULT_EVERY_S: Final = 3_600.0
_CONCURRENCY: Final = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchOutcome:
    """The outcome of one check."""

    id: int
    url: str
    state: WatchState
    diff: str = ""
    snapshot_id: str | None = None
    earlier_snapshot_id: str | None = None
    error: WellreadError | None = None
    webhook_error: WellreadError | None = None
    """The webhook was not received; it is sent again after the next check."""
    notices: tuple[Notice, ...] = ()


@dataclass(frozen=True, slots=True)
class _WatchedText:
    """The text of a page that is compared, and the page it is from."""

    text: str
    title: str | None
    snapshot_id: str


class Watcher:
    """Checks watched pages with the parts of a `Web`."""

    def __init__(self, parts: PipelineParts, client: Client, store: WatchStore, *, secret: Secret | None) -> None:
        """Take the parts; `secret` signs webhooks."""
        self._parts = parts
        self._client = client
        self._secret = secret
        self.store = store

    async def add(
        self,
        url: str,
        *,
        every_s: float = DEFAULT_EVERY_S,
        selector: str | None = None,
        find: str | None = None,
        webhook: str | None = None,
        keep: int = DEFAULT_KEEP,
        user_asked: bool = False,
    ) -> WatchOutcome:
        """Begin to watch a page: check it once, and store its text as the first version.

        Raises:
            InvalidInput: an option is out of range, the selector is none, or the page is watched already.
            ConfigError: there is a webhook, and no secret to sign it.
            WellreadError: the page cannot be read; it is not watched then.
        """
        if every_s < MIN_EVERY_S or keep < 1:
            message = f"a page is checked every {every_s:g} s, and keeps {keep} versions"
            raise InvalidInput(message, hint=f"check at most every {MIN_EVERY_S:g} s, and keep at least 1 version")
        if selector is not None and find is not None:
            raise InvalidInput("selector and find are both given", hint="give one of them")
        if selector is not None:
            check_selector(selector)
        if webhook is not None:
            webhooks.require_secret(self._secret)
        url = await self._reachable_url(trim_url(url), user_asked=user_asked)
        watch = await to_thread.run_sync(
            partial(
                self.store.add, url, every_s=every_s, selector=selector, find=find,
                webhook=webhook, keep=keep, user_asked=user_asked,
            )
        )  # fmt: skip
        is_watched = False
        try:
            outcome = await self.check(watch)
            is_watched = outcome.error is None
        finally:
            if not is_watched:
                with anyio.CancelScope(shield=True):
                    await to_thread.run_sync(self.store.remove, watch.id)
        if outcome.error is not None:
            raise outcome.error
        return outcome

    async def check_due(self, ids: Sequence[int] = (), *, all_callers: bool = True) -> list[WatchOutcome]:
        """Check the pages that are due, or those of `ids` whether they are due or not.

        The owner also checks the pages of all other callers that are due, unless `all_callers` is false. A caller with
        a name checks at most `MAX_DUE` that are due.

        Raises:
            InvalidInput: there is no watch with one of the numbers.
        """
        if ids:
            return await self._check_all([await to_thread.run_sync(self.store.watch, watch_id) for watch_id in ids])
        due_by = self._now()
        outcomes: list[WatchOutcome] = []
        claim = partial(self.store.claim_due, due_by=due_by, all_callers=all_callers)
        while watches := await to_thread.run_sync(claim, self._now()):
            outcomes += await self._check_all(watches)
            if self.store.caller:
                break
        return outcomes

    async def due_count(self) -> int:
        """Return how many pages of the caller are still due."""
        return await to_thread.run_sync(self.store.due_count, self._now())

    async def check(self, watch: Watch) -> WatchOutcome:
        """Check a page now, store a new version if its text has changed, and send the webhook."""
        response: Response | None = None
        try:
            response = await self._fetch(watch)
            outcome = await self._compared(watch, response)
        except WellreadError as error:
            outcome = WatchOutcome(id=watch.id, url=watch.url, state="failed", error=error)
        if response is not None and response.status != 304 and outcome.error is None:
            etag, last_modified = header(response.headers, "etag"), header(response.headers, "last-modified")
            store_validators = partial(self.store.store_validators, etag=etag, last_modified=last_modified)
            await to_thread.run_sync(store_validators, watch, outcome.snapshot_id)
        message: str | None = None
        if outcome.error is not None:
            message = f"{outcome.error.code}: {outcome.error.message}"
        await to_thread.run_sync(partial(self.store.note_check, watch, self._now(), error=message))
        webhook_error = await self._send_unsent(watch)
        if webhook_error is None:
            return outcome
        dropped = await to_thread.run_sync(self.store.drop_unsent, watch.id)
        return replace(outcome, webhook_error=webhook_error, notices=_drop_notices(dropped))

    # ------------------------------------------------------------------------------------------- one check

    async def _check_all(self, watches: Sequence[Watch]) -> list[WatchOutcome]:
        outcomes: dict[int, WatchOutcome] = {}
        limiter = anyio.CapacityLimiter(_CONCURRENCY)

        async def check(watch: Watch) -> None:
            async with limiter:
                outcomes[watch.id] = await self.check(watch)

        async with anyio.create_task_group() as tasks:
            for watch in watches:
                tasks.start_soon(check, watch)
        return [outcomes[watch.id] for watch in watches]

    async def _reachable_url(self, url: str, *, user_asked: bool) -> str:
        """Return a URL with its scheme: https, or http where https gives no answer."""
        if not schemeless_urls.has_no_scheme(url):
            return url
        for attempt in https_first.attempts(url):
            with attempt:
                await self._client.fetch(Request(url=attempt.url, user_asked=user_asked))
                return attempt.url
        raise AssertionError("the last attempt returns or raises")

    async def _fetch(self, watch: Watch) -> Response:
        fields = (("If-None-Match", watch.etag), ("If-Modified-Since", watch.last_modified))
        headers = tuple((name, text) for name, text in fields if text)
        response = await self._client.fetch(Request(url=watch.url, headers=headers, user_asked=watch.user_asked))
        if response.status != 304 or not headers:
            refuse_failures(response, now=self._parts.clock.now())
        return response

    async def _compared(self, watch: Watch, response: Response) -> WatchOutcome:
        """Compare the text of a page with its newest version, and store it if it has changed."""
        watched: _WatchedText | None = None
        if response.status != 304:
            watched = await self._watched_text(watch, response)
        while True:
            versions = await to_thread.run_sync(partial(self.store.versions, watch.id, limit=1))
            earlier = next(iter(versions), None)
            outcome = WatchOutcome(id=watch.id, url=watch.url, state="new")
            if earlier is not None:
                outcome = replace(
                    outcome,
                    state="unchanged",
                    snapshot_id=earlier.snapshot_id,
                    earlier_snapshot_id=earlier.earlier_snapshot_id,
                )
            if watched is None:
                return replace(outcome, state="unchanged")
            if earlier is not None:
                change = await to_thread.run_sync(text_change, earlier.text, watched.text)
                if change is None:
                    return outcome
                outcome = replace(outcome, state="changed", diff=change.diff)
            add = partial(
                self.store.add_version, watch, self._now(), earlier,
                snapshot_id=watched.snapshot_id, title=watched.title, text=watched.text, diff=outcome.diff,
            )  # fmt: skip
            version = await to_thread.run_sync(add)
            if version is not None:  # else another check has added one: compare with that one
                return replace(
                    outcome, snapshot_id=version.snapshot_id, earlier_snapshot_id=version.earlier_snapshot_id
                )

    async def _watched_text(self, watch: Watch, response: Response) -> _WatchedText:
        """Read a page, and return the part of its text that is watched."""
        reader = FetchedPageReader(self._parts, self._client, watch.user_asked)
        render: Render = "auto"
        if watch.selector is not None:
            render = "never"
        page = await reader.read(watch.url, response, render=render, format="markdown", index=False)
        text = page.text
        if watch.selector is not None:
            text = await to_thread.run_sync(selected_text, response, watch.selector)
        elif watch.find is not None:
            words = _folded(watch.find)
            text = "\n".join(line for line in text.splitlines() if words in _folded(line))
        return _WatchedText(text, page.title, page.snapshot_id)

    # ------------------------------------------------------------------------------------------- webhooks

    async def _send_unsent(self, watch: Watch) -> WellreadError | None:
        """Send the webhooks of all changes that were not received yet, oldest first; return why that failed."""
        if watch.webhook is None:
            return None
        for version in await to_thread.run_sync(self.store.unsent, watch.id):
            try:
                await webhooks.send_webhook(
                    self._client,
                    self._parts.clock,
                    watch.webhook,
                    _message(watch, version),
                    message_id=_message_id(watch, version),
                    secret=self._secret,
                )
            except WellreadError as error:
                return error
            await to_thread.run_sync(self.store.note_sent, version)
        return None

    def _now(self) -> float:
        return self._parts.clock.now().timestamp()


def _drop_notices(dropped: int) -> tuple[Notice, ...]:
    """Return the notice for `dropped` changes that are not sent any more."""
    if not dropped:
        return ()
    detail = f"changes that will not be sent: the webhook fails, and only the {MAX_UNSENT} newest wait for it"
    return (Notice("webhooks_dropped", detail, dropped),)


def _message_id(watch: Watch, version: WatchVersion) -> str:
    """Return the same identifier for each attempt to send a change, and another for any other change."""
    change = f"{watch.id} {watch.url} {version.id} {version.snapshot_id} {version.found_at}"
    return "msg_" + hashlib.sha256(change.encode()).hexdigest()[:32]


def _message(watch: Watch, version: WatchVersion) -> dict[str, object]:
    return {
        "event": "watch.changed",
        "id": watch.id,
        "url": watch.url,
        "title": version.title,
        "diff": version.diff,
        "snapshot_id": version.snapshot_id,
        "earlier_snapshot_id": version.earlier_snapshot_id,
        "found_at": version.found_at,
    }


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())
