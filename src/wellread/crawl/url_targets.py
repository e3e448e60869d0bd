"""The URLs that redirects and canonical URLs lead to: pages that were read, loops, or failures.

A page that names another URL as its canonical one is not read. If that URL has no page, or leads back to the first, the
text would be lost: then the first page is read itself. So is one with the text that another URL had in the last round,
if that URL has it no more. What a URL leads to is often not known yet, so that targets are stored, and looked at again
when nothing is left to ask.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING, Final, Literal

from wellread.crawl.traps import spelling_key

if TYPE_CHECKING:
    from collections.abc import Callable

    from wellread.crawl.frontier import CrawlStore, LeasedUrl
    from wellread.types import CrawlState

READ_STATES: Final[frozenset[CrawlState]] = frozenset({"new", "changed", "unchanged"})
"""States of a page that was read."""
_PREFIX: Final = "target of "
_MAX_HOPS: Final = 50
"""That are followed while a URL is worked on; at the end of a crawl, all are."""
_BATCH: Final = 500

TargetReason = Literal["redirect", "canonical", "text"]
ChainEnd = Literal["read", "open", "failed", "unknown", "redirect loop", "loop"]
"""What a chain of targets ends in: a page that was read, a URL that waits, one without a page, one that the crawl does
not ask for, a loop of redirects alone, or a loop with a canonical URL in it."""


@dataclass(frozen=True, slots=True)
class UrlTarget:
    """The URL that another URL leads to."""

    url_id: int
    """Of the URL that leads there."""
    key: str
    """Of the URL that it leads to."""
    reason: TargetReason
    is_second: bool = False
    """The URL that leads there was asked for again, since its first target has no text: it is not asked once more."""


class UrlTargets:
    """The targets of one round of a crawl. All methods block."""

    def __init__(self, frontier: CrawlStore) -> None:
        """Take the frontier, which stores them."""
        self._frontier = frontier

    def made(self, url: LeasedUrl, target_url: str, reason: TargetReason) -> UrlTarget:
        """Return the target of a URL, the second one if the URL is asked for again."""
        earlier = self.find(spelling_key(url.url))
        is_second = earlier is not None and earlier.is_second
        return UrlTarget(url.id, spelling_key(target_url), reason, is_second)

    def store(self, key: str, target: UrlTarget) -> None:
        """Store what the URL with `key` leads to."""
        fields = [self._frontier.round_number(), key, target.url_id, target.key, target.reason, target.is_second]
        self._frontier.set_fact(_fact_name(key), json.dumps(fields))

    def find(self, key: str) -> UrlTarget | None:
        """Return what the URL with `key` leads to, None where that is not known in this round."""
        fact = self._frontier.fact(_fact_name(key))
        if fact is None:
            return None
        round_number, _, *fields = json.loads(fact)
        if round_number != self._frontier.round_number():
            return None
        return UrlTarget(*fields)

    def end(self, key: str, target: UrlTarget) -> ChainEnd:
        """Return what a chain from the URL with `key` over `target` ends in, as far as is known now."""
        return chain_end(key, target, find_state=self._state, find_target=self.find, max_hops=_MAX_HOPS)

    def lost(self) -> dict[str, UrlTarget]:
        """Return the targets without a text, by the keys of the URLs that must be asked for again because of them.

        These are pages whose canonical URL has no page, redirects within a loop that two workers followed at once, and
        pages that were compared with the text of another one in the last round. Each is asked for once more in a round.
        """
        targets = self._stored()
        states: dict[str, CrawlState | None] = {}
        keys = sorted({*targets, *(target.key for target in targets.values())})
        for start in range(0, len(keys), _BATCH):
            states |= self._frontier.known_states(keys[start : start + _BATCH])
        lost: dict[str, UrlTarget] = {}
        settled_keys = []
        for key, target in targets.items():
            if _known(states, key) is None or target.is_second:
                continue
            end = chain_end(
                key,
                target,
                find_state=lambda key: _known(states, key),
                find_target=targets.get,
                max_hops=len(targets),
            )
            if _known(states, key) != "duplicate":
                settled_keys.append(key)
            elif is_lost(target, end):
                lost[key] = target
            elif end == "read":
                settled_keys.append(key)
        if not lost:  # what leads to one of those is not settled
            self._frontier.drop_facts([_fact_name(key) for key in settled_keys])
        return lost

    def _stored(self) -> dict[str, UrlTarget]:
        """Return the targets of this round by the keys of the URLs that lead there, and drop those of earlier ones."""
        number = self._frontier.round_number()
        targets = {}
        old_names = []
        for name, fact in self._frontier.facts(_PREFIX).items():
            round_number, key, *fields = json.loads(fact)
            if round_number == number:
                targets[key] = UrlTarget(*fields)
            elif round_number < number:  # another worker may have begun the next round
                old_names.append(name)
        self._frontier.drop_facts(old_names)
        return targets

    def _state(self, key: str) -> CrawlState | Literal["unknown"] | None:
        return _known(self._frontier.known_states([key]), key)


def is_lost(target: UrlTarget, end: ChainEnd) -> bool:
    """Return whether a URL that leads to `target` must be read itself, or fail, because of what the chain ends in."""
    if target.reason == "redirect":
        return end == "redirect loop"
    if target.reason == "canonical":
        return end not in {"read", "open"}
    return end != "open"  # a page with another text may be there now


def chain_end(
    key: str,
    target: UrlTarget,
    *,
    find_state: Callable[[str], CrawlState | Literal["unknown"] | None],
    find_target: Callable[[str], UrlTarget | None],
    max_hops: int,
) -> ChainEnd:
    """Return what a chain of targets from the URL with `key` ends in; open, too, after `max_hops` of them."""
    passed_keys = {key}
    loop: ChainEnd = "redirect loop"
    for _ in range(max_hops + 1):
        if target.reason != "redirect":
            loop = "loop"
        if target.key in passed_keys:
            return loop
        passed_keys.add(target.key)
        state = find_state(target.key)
        if state is None:
            return "open"
        if state != "duplicate":
            return _end_of_state(state)
        next_target = find_target(target.key)
        if next_target is None:  # another page has the same text
            return "read"
        target = next_target
    return "open"


def _end_of_state(state: CrawlState | Literal["unknown"]) -> ChainEnd:
    if state == "unknown":
        return "unknown"
    if state in READ_STATES:
        return "read"
    return "failed"


def _known(states: dict[str, CrawlState | None], key: str) -> CrawlState | Literal["unknown"] | None:
    """Return the state of a key, None for a URL that is not done."""
    return states.get(key, "unknown")


def _fact_name(key: str) -> str:
    return _PREFIX + blake2b(key.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
