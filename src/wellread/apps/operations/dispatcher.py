"""The dispatcher: runs an operation by name for every interface, and returns its answer as JSON and as text."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from wellread.apps import profile_grants
from wellread.apps.operations.admission import Admission
from wellread.apps.operations.browser_sessions import EvidenceStore, Sessions
from wellread.apps.operations.handlers import HINTS, PIECE_CHARS, HandlerContext
from wellread.apps.operations.operation import LEFT_OUT
from wellread.apps.operations.operation_schemas import parsed_arguments
from wellread.apps.operations.registry import BY_NAME
from wellread.apps.operations.workspace import workspace
from wellread.apps.serialize import SCALARS, as_plain, field_names, with_notices
from wellread.errors import Gone, InvalidInput, TooLarge, WellreadError
from wellread.output import print_document
from wellread.types import Page

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from wellread.apps.build import Web
    from wellread.apps.operations.operation import Operation
    from wellread.apps.operations.step_events import Event
    from wellread.apps.operations.workspace import DownloadWorkspace
    from wellread.apps.profile_grants import Interface, ProfileGrants
    from wellread.config import Settings
    from wellread.ports import Clock

    Observe = Callable[[str, str, float], None]
    Tell = Callable[[Event], Awaitable[None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationResult:
    """The result of an operation."""

    operation: Operation
    value: object
    include: frozenset[str]

    @property
    def is_short(self) -> bool:
        """Whether `data` takes less time than to have it done by a thread: a piece of a page, without its lists."""
        return isinstance(self.value, Page) and not self.include and len(self.value.text) <= PIECE_CHARS

    def data(self) -> dict[str, Any]:  # Any: JSON
        """Return the result as JSON, without the lists that were not requested."""
        fields = without_long_lists(self.value, self.include)
        assert isinstance(fields, dict)
        return fields

    def text(self) -> str:
        """Return the whole result as text for a model."""
        return self.operation.render_text(self.value, self.include)


class OperationDispatcher:
    """A dispatcher of operations, with one web, workspace and admission control, and its callers' browser sessions."""

    def __init__(
        self,
        web: Web,
        *,
        workspace: DownloadWorkspace,
        admission: Admission,
        sessions: Sessions,
        grants: ProfileGrants | None = None,
    ) -> None:
        """Take the dependencies of the handlers; without `grants`, no caller may name a profile."""
        self.web = web
        self.workspace = workspace
        self.admission = admission
        self.sessions = sessions
        self.grants = grants or profile_grants.ProfileGrants()
        self.hints: Mapping[str, str] = HINTS
        """Hints of errors for the callers: `HINTS`, or `OWNER_HINTS` where all callers work for the owner."""
        self.observe: Observe = _unobserved
        """Told of every operation that has ended: its name, `ok` or the code of its failure, and the seconds."""

    async def do(
        self,
        name: str,
        values: object,
        *,
        interface: Interface = "tools",
        caller: str | None = None,
        tell: Tell | None = None,
    ) -> OperationResult:
        """Run operation `name` with arguments as they came through `interface`, on behalf of `caller`.

        Raises:
            InvalidInput: the operation is unknown, or the arguments do not fit its schema.
            RateLimited: no place for it now.
            WellreadError: whatever the operation raises.
        """
        operation = BY_NAME.get(name)
        if operation is None:
            raise InvalidInput(f"unknown operation {name[:60]!r}", hint="one of " + ", ".join(BY_NAME))
        args: Any = parsed_arguments(operation.arguments, values, operation=name)  # Any: what the handler takes
        handler_context = HandlerContext(
            web=self.web,
            workspace=self.workspace,
            sessions=self.sessions,
            caller=caller,
            interface=interface,
            grants=self.grants,
            hints=self.hints,
            tell=tell or _silent,
        )
        started = self.admission.clock.monotonic()
        code = "cancelled"
        try:
            # The wait for a place belongs to it.
            with self.web.parts.trace(name):
                async with self.admission.place(caller):
                    value = await operation.handler(handler_context, args)
            code = "ok"
        except WellreadError as error:
            code = error.code
            error.hint = self.hints.get(code, error.hint)
            raise
        finally:
            self.observe(name, code, self.admission.clock.monotonic() - started)
        value = with_notices(value, all_notices=getattr(args, "all_notices", False))
        return OperationResult(operation=operation, value=value, include=frozenset(getattr(args, "include", ())))

    async def aclose(self) -> None:
        """Close the open browser sessions; the web stays open for its owner."""
        await self.sessions.aclose()

    def snapshot_text(self, snapshot_id: str, *, max_chars: int) -> tuple[str, str]:
        """Return URL and canonical text of a snapshot, whose address the guard must still allow.

        Raises:
            Gone: it is not stored, or no longer.
            TooLarge: it is longer than `max_chars`.
            RefusedError: its address is not allowed any more.
        """
        parts = self.web.parts
        snapshot = parts.store.by_id(snapshot_id)
        if snapshot is None:
            raise Gone(f"no page {snapshot_id[:80]!r} is stored", hint="read the page again with web_read")
        parts.cache_key(snapshot.final_url, "balanced")
        text = print_document(snapshot.extraction.document, "markdown").text
        if len(text) > max_chars:
            raise TooLarge(f"the page has {len(text):,} characters", hint="read it in pieces with web_read")
        return snapshot.final_url, text


def without_long_lists(value: object, include: frozenset[str]) -> object:
    """Return `value` as JSON, without bytes, and without the long lists that `include` does not name."""
    if isinstance(value, SCALARS):
        return value
    if dataclasses.is_dataclass(value):
        skipped = LEFT_OUT.get(type(value), frozenset()) - include
        parts = {name: getattr(value, name) for name in field_names(value) if name not in skipped}
        return {name: without_long_lists(part, include) for name, part in parts.items() if not isinstance(part, bytes)}
    if isinstance(value, tuple) and not hasattr(value, "_asdict"):
        return [without_long_lists(part, include) for part in value]
    return as_plain(value)


def open_dispatcher(settings: Settings, web: Web, clock: Clock) -> OperationDispatcher:
    """Build a dispatcher for `web` from the settings. Browser sessions share its workspace for uploads and downloads.

    Raises:
        ConfigError: browse.profiles or shared.replica is not valid.
    """
    download_folder = workspace(settings)
    grants = profile_grants.parsed(settings.browse.profiles)
    browse = settings.browse
    if browse.workspace is None:
        browse = dataclasses.replace(
            browse, workspace=download_folder.folder, workspace_max_bytes=settings.server.workspace_max_bytes
        )
    return OperationDispatcher(
        web,
        workspace=download_folder,
        admission=Admission(settings.server, clock=clock, pace=web.shared_state),
        sessions=Sessions(
            partial(web.browse, settings=browse, default_context=browse.default_context),
            settings.server,
            grants,
            evidence=EvidenceStore(browse.evidence, browse.evidence_max_bytes),
            replica=settings.shared.replica,
        ),
        grants=grants,
    )


def _unobserved(_operation: str, _code: str, _seconds: float) -> None:
    """Count nothing."""


async def _silent(_event: Event) -> None:
    """Ignore the event."""
