"""The URLs that redirects and canonical URLs lead to: pages that were read, loops, or failures.

A page that names another URL as its canonical one is not read. If that URL has no page, or leads back to the first, the
text would be lost: then the first page is read itself. So is one with the text that another URL had in the last round,
if that URL has it no more. What a URL leads to is often not known yet, so that targets are stored, and looked at again
when nothing is left to ask.
"""

from __future__ import annotations

import json
from dataclasses import astuple, dataclass
from functools import partial
from typing import TYPE_CHECKING, Final, Literal

from wellread.crawl.traps import key_digest, spelling_key

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from wellread.crawl.frontier import CrawlStore, LeasedUrl
    from wellread.types import CrawlState

READ_STATES: Final[frozenset[CrawlState]] = frozenset({"new", "changed", "unchanged"})
"""States of a page that was read."""
_PREFIX: Final = "target of "
_MAX_HOPS: Final = 50
"""That are followed while a URL is worked on; at the end of a crawl, all are."""
_BATCH: Final = 500

TargetReason = Literal["redirect", "canonical", "text"]
ChainEnd = Literal["read", "open", "failed", "redirect loop"]
"""What a chain of targets ends in: a page that was read, a URL that waits, no page, or a loop of redirects alone. There
is no page where a URL failed or is not asked for by the crawl, and in a loop with a canonical URL in it."""


@dataclass(frozen=True, slots=True)
class UrlTarget:
    """The URL that another URL leads to."""

    url_id: int
    url_key: str
    """The id and the key of the URL that leads there."""
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

    def target(self, url: LeasedUrl, target_url: str, reason: TargetReason) -> UrlTarget:
        """Return the target of a URL, the second one if the URL is asked for again."""
        url_key = spelling_key(url.url)
        earlier = self.find(url_key)
        is_second = earlier is not None and earlier.is_second
        return UrlTarget(url.id, url_key, spelling_key(target_url), reason, is_second)

    def store(self, target: UrlTarget) -> None:
        """Store what a URL leads to."""
        fact = json.dumps([self._frontier.round_number(), *astuple(target)])
        self._frontier.set_fact(_fact_name(target.url_key), fact)

    def find(self, url_key: str) -> UrlTarget | None:
        """Return what the URL with `url_key` leads to, None where that is not known in this round."""
        fact = self._frontier.fact(_fact_name(url_key))
        if fact is None:
            return None
        round_number, *fields = json.loads(fact)
        if round_number != self._frontier.round_number():
            return None
        return UrlTarget(*fields)

    def end(self, target: UrlTarget) -> ChainEnd:
        """Return what a chain over `target` ends in, as far as is known now."""
        return chain_end(target, find_state=self._state, find_target=self.find, max_hops=_MAX_HOPS)

    def lost(self) -> list[UrlTarget]:
        """Return the targets without a text, whose URLs must be asked for again because of them.

        The URLs are pages whose canonical URL has no page, redirects within a loop that two workers followed at once,
        and pages that were compared with the text of another one in the last round. Each is asked for once more in a
        round.
        """
        targets = self._stored()
        states: dict[str, CrawlState | None] = {}
        keys = sorted({*targets, *(target.key for target in targets.values())})
        for start in range(0, len(keys), _BATCH):
            states |= self._frontier.known_states(keys[start : start + _BATCH])
        lost: list[UrlTarget] = []
        settled_keys = []
        for url_key, target in targets.items():
            state = _state_in(states, url_key)
            if state is None or target.is_second:
                continue
            end = chain_end(
                target,
                find_state=partial(_state_in, states),
                find_target=targets.get,
                max_hops=len(targets),
            )
            if state == "duplicate" and is_lost(target, end):
                lost.append(target)
            elif state != "duplicate" or end == "read":
                settled_keys.append(url_key)
        if not lost:  # what leads to one of those is not settled
            self._frontier.drop_facts([_fact_name(url_key) for url_key in settled_keys])
        return lost

    def _stored(self) -> dict[str, UrlTarget]:
        """Return the targets of this round by the keys of the URLs that lead there, and drop those of earlier ones."""
        number = self._frontier.round_number()
        targets = {}
        old_names = []
        for name, fact in self._frontier.facts(_PREFIX).items():
            round_number, *fields = json.loads(fact)
            if round_number == number:
                target = UrlTarget(*fields)
                targets[target.url_key] = target
            elif round_number < number:  # another worker may have begun the next round
                old_names.append(name)
        self._frontier.drop_facts(old_names)
        return targets

    def _state(self, key: str) -> CrawlState | None:
        return _state_in(self._frontier.known_states([key]), key)


def is_lost(target: UrlTarget, end: ChainEnd) -> bool:
    """Return whether a URL that leads to `target` must be read itself, or fail, because of what the chain ends in."""
    if target.reason == "redirect":
        return end == "redirect loop"
    if target.reason == "canonical":
        return end not in {"read", "open"}
    return end != "open"  # a page with another text may be there now


def chain_end(
    target: UrlTarget,
    *,
    find_state: Callable[[str], CrawlState | None],
    find_target: Callable[[str], UrlTarget | None],
    max_hops: int,
) -> ChainEnd:
    """Return what a chain that begins with `target` ends in; open, too, after `max_hops` of them."""
    passed_keys = {target.url_key}
    loop: ChainEnd = "redirect loop"
    for _ in range(max_hops + 1):
        if target.reason != "redirect":
            loop = "failed"
        if target.key in passed_keys:
            return loop
        passed_keys.add(target.key)
        state = find_state(target.key)
        if state is None:
            return "open"
        if state in READ_STATES:
            return "read"
        if state != "duplicate":
            return "failed"
        next_target = find_target(target.key)
        if next_target is None:  # another page has the same text
            return "read"
        target = next_target
    return "open"


def _state_in(states: Mapping[str, CrawlState | None], key: str) -> CrawlState | None:
    """Return the state of a URL, None where it is not done; a URL that the crawl does not ask for has no page."""
    return states.get(key, "failed")


def _fact_name(url_key: str) -> str:
    return _PREFIX + key_digest(url_key)
