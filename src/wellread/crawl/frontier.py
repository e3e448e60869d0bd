"""The port of the frontier: which URLs of a crawl are known, which are to be asked, and which worker has which host.

The unit of work is the host. A host is leased to one worker at a time, with one URL, so that the pace of its requests
is exact however many workers there are. All that a call changes is changed at once or not at all.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Protocol, Self

from wellread.crawl.traps import TrapGroup

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wellread.types import CrawlState


class LeaseLost(Exception):
    """The lease has ended, and another worker may have the host: its work does not count."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FrontierUrl:
    """A URL that was found."""

    url: str
    key: str
    """Equal for spellings of one URL."""
    host: str
    depth: int = 0
    priority: float = 0.5
    parent: str | None = None
    """The page or site map that named it first."""
    trap: TrapGroup | None = None

    def to_json(self) -> str:
        """Return the fields as JSON."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Return the URL whose fields are `text`."""
        fields = json.loads(text)
        if fields["trap"] is not None:
            fields["trap"] = TrapGroup(*fields["trap"])
        return cls(**fields)


@dataclass(frozen=True, slots=True, kw_only=True)
class LeasedUrl:
    """The URL of a lease, with the validators and the state of the last round."""

    id: int
    url: str
    depth: int
    parent: str | None
    attempts: int
    """Requests for it in this round that failed."""
    state: CrawlState | None = None
    """Of the last round; None for a new one."""
    etag: str | None = None
    last_modified: str | None = None
    snapshot_id: str | None = None
    line: tuple[int, int] | None = None
    """Where its line begins and ends in the output of the last round."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HostLease:
    """The right to ask a host, for one URL."""

    token: str
    host: str
    url: LeasedUrl
    is_prepared: bool
    """Whether the host's robots.txt and site maps were read."""
    delay_s: float
    failures: int
    """Of the host, in a row."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UrlOutcome:
    """The outcome of a URL; `state` None: it is asked again later."""

    state: CrawlState | None
    was_asked: bool = True
    etag: str | None = None
    last_modified: str | None = None
    snapshot_id: str | None = None
    signature: bytes = b""
    line: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class UrlLine:
    """Where the line of a URL begins and ends."""

    url_id: int
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TrapCount:
    """How many URLs of a trap are crawled, and how many links to others were refused."""

    name: str
    group: str
    admitted: int
    refused: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FrontierCounts:
    """The number of URLs of a crawl."""

    waiting: int
    leased: int
    asked_count: int
    """Done in this round by at least one request."""
    hosts: int
    states: Mapping[CrawlState, int]
    """Of this round."""


class Frontier(Protocol):
    """The URLs of a crawl. Times are seconds since the epoch. Methods block, and are safe in several threads."""

    lease_s: float
    """How long a lease lasts that is not renewed."""

    def now(self) -> float:
        """Return the time by the one clock that all workers share."""

    def add(self, urls: Sequence[FrontierUrl]) -> int:
        """Add the URLs whose keys are new, and return their number; a known one gets an in-link and the lower depth."""

    def add_deep(self, urls: Sequence[FrontierUrl]) -> None:
        """Store URLs below the depth of the crawl, for a run with a larger depth."""

    def add_up_to_depth(self, max_depth: int) -> None:
        """Add the stored URLs whose depth is `max_depth` at most."""

    def deep_count(self) -> int:
        """Return how many URLs lie below the depth of the crawl and were not added."""

    def lease(self, now: float, *, until: float, limit: int | None = None) -> HostLease | None:
        """Lease the host whose turn it is, with its first URL; None where no host may be asked now.

        Hosts take turns. URLs of a host come by depth, then priority, then in-links. A lease that has ended at `now`
        is void, and its URL waits again; the host rests for its delay after the lease that is void. None, too, where
        `limit` URLs were asked for in this round or are leased.
        """

    def renew(self, leases: Sequence[HostLease], *, until: float) -> None:
        """Let the leases of hosts that are still being worked on end at `until`; those that were lost stay lost."""

    def prepare(self, lease: HostLease, *, delay_s: float, next_at: float) -> None:
        """Note that the host's robots.txt and site maps were read; should the lease end, it rests until `next_at`.

        Raises:
            LeaseLost: the lease has ended.
        """

    def finish(self, lease: HostLease, outcome: UrlOutcome, *, next_at: float, failures: int = 0) -> None:
        """Note the outcome and give the host back; it may be leased again at `next_at`.

        Raises:
            LeaseLost: the lease has ended.
        """

    def next_start(self) -> float | None:
        """Return when the next host may be leased; None where no URL waits at a host that is free."""

    def is_done(self) -> bool:
        """Return whether no URL waits and no host is leased, so that no URL can come."""

    def asked_count(self) -> int:
        """Return how many URLs were done in this round by at least one request."""

    def counts(self) -> FrontierCounts:
        """Return the number of URLs by status and state."""

    def known_states(self, keys: Sequence[str]) -> dict[str, CrawlState | None]:
        """Return the states of the known URLs among `keys`: None for a URL that is not done in this round."""

    def traps(self) -> Sequence[TrapCount]:
        """Return the traps with URLs that were refused, most refused first."""


class CrawlStore(Frontier, Protocol):
    """A frontier with all else that a crawl stores: where its lines are, what its texts are, and facts about it.

    A worker writes its lines into one file of its own. A line is known by its worker and its place in that file.
    """

    def close(self) -> None:
        """Release the store."""

    def end_leases(self) -> None:
        """Void the leases that this worker has left behind, when its only process begins."""

    def forget_failures(self) -> None:
        """Forget that hosts have failed: they are asked again."""

    def round_number(self) -> int:
        """Return the number of the round that this worker works for; the first one is 0."""

    def start_round(self, number: int) -> None:
        """Let all URLs wait again, with their validators and states; hosts are prepared anew."""

    def claim_text(self, url: str, text_id: str, signature: bytes) -> str:
        """Return the URL of an earlier page with the same text, or nearly; `url` itself where it is the first."""

    def release_text(self, url: str) -> None:
        """Forget the text of a URL, whose page is no more there to be the first."""

    def written_bytes(self) -> int:
        """Return where the last line of this worker in this round ends."""

    def forget_lines_after(self, size: int) -> None:
        """Let URLs wait again whose lines in the file of this worker end beyond `size`, as if they were new."""

    def failed_lines(self) -> Sequence[UrlLine]:
        """Return the lines of this worker in this round for URLs that failed or were skipped."""

    def lines(self, url_ids: Sequence[int]) -> Sequence[UrlLine]:
        """Return the lines of this worker in this round for some URLs."""

    def ask_again(self, url_ids: Sequence[int]) -> None:
        """Let URLs of this worker that are done wait again, without lines; their hosts are prepared anew if unread."""

    def fact(self, name: str) -> str | None:
        """Return a fact about the crawl, or None."""

    def facts(self, prefix: str) -> Mapping[str, str]:
        """Return the facts about the crawl whose names begin with `prefix`, by their names."""

    def drop_facts(self, names: Sequence[str]) -> None:
        """Forget facts about the crawl."""

    def set_fact(self, name: str, fact: str) -> None:
        """Keep a fact about the crawl."""

    def swap_fact(self, name: str, earlier: str | None, fact: str) -> bool:
        """Keep a fact if the stored one is still `earlier`, None for no fact; return whether it was."""
