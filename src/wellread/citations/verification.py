"""Citations: links that open at the passage, and the verification of passages."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from wellread.citations.support import unsupported_in
from wellread.errors import WellreadError
from wellread.index.plain_text import plain
from wellread.text.characters import on_one_line
from wellread.types import Claim, Passage, Verdict, snapshot_id

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from wellread.types import Snapshot

_EXACT_CHARS = 60
"""A passage of one line up to this length is linked whole; a longer one by its first and last words."""
_EDGE_WORDS = 6
_EDGE_CHARS = 40
_PAUSE = re.compile(r"[\u3001\u3002\uff0c\uff01\uff1a\uff1b\uff1f]+")
_MAX_CLAIM_CHARS = 200
"""Of a sentence in a reason."""
_DIRECTIVE = re.compile(r":~:.*", re.DOTALL)


def cited(passage: Passage) -> Passage:
    """Return the passage with its `fragment_url`."""
    return replace(passage, fragment_url=fragment_url(passage.url, passage.text))


def passage_of(row: dict[str, Any]) -> Passage:  # Any: JSON; the checks below are what verify relies on
    """Return the passage that JSON describes.

    Raises:
        TypeError: a field is missing, unknown or of another type.
    """
    passage = Passage(**{**row, "headings": tuple(row.get("headings", ()))})
    texts = (passage.text, passage.url, passage.snapshot_id)
    if not all(isinstance(text, str) for text in texts) or not all(
        type(offset) is int for offset in (passage.start, passage.end)
    ):
        raise TypeError("a passage has text, url and snapshot_id as strings, start and end as integers")
    return passage


def claim_of(row: dict[str, Any]) -> Claim:  # Any: JSON
    """Return the sentence with its passages that JSON describes.

    Raises:
        KeyError: a field is missing.
        TypeError: a field is of another type.
    """
    return Claim(
        text=str(row["text"]),
        passages=tuple(map(passage_of, row["passages"])),
        unsupported=tuple(map(str, row.get("unsupported", ()))),
    )


def fragment_url(url: str, text: str) -> str:
    """Return `url` with a text fragment that scrolls to `text` (markdown) and highlights it; `url` alone when wordless.

    An element's fragment stays in front of the directive, an older directive goes. Prefix and suffix are not used.
    Source: https://wicg.github.io/scroll-to-text-fragment/#syntax
    """
    base, _, fragment = url.partition("#")
    fragment = _DIRECTIVE.sub("", fragment)
    lines = [line for line in plain(text).split("\n") if any(char.isalnum() for char in line)]
    if not lines:
        if fragment:
            return f"{base}#{fragment}"
        return base
    if len(lines) == 1 and len(lines[0]) <= _EXACT_CHARS:
        directive = _encoded(lines[0])
    else:
        # Start and end must each lie within one block, so they are taken from the first and the last line.
        directive = f"{_encoded(_head(lines[0]))},{_encoded(_tail(lines[-1]))}"
    return f"{base}#{fragment}:~:text={directive}"


def _encoded(text: str) -> str:
    """Percent-encode; the dash, the comma and the ampersand are the directive's own signs."""
    return quote(text, safe="").replace("-", "%2D")


def _head(line: str) -> str:
    """Return the first words. A browser wants whole words, so where none are parted, it goes up to a pause."""
    words = " ".join(line.split()[:_EDGE_WORDS])
    if len(words) <= _EDGE_CHARS:
        return words
    ends = [pause.start() for pause in _PAUSE.finditer(words) if 0 < pause.start() <= _EDGE_CHARS]
    spaces = [at for at, char in enumerate(words[: _EDGE_CHARS + 1]) if char == " "]
    return words[: max(ends + spaces, default=_EDGE_CHARS)]


def _tail(line: str) -> str:
    words = " ".join(line.split()[-_EDGE_WORDS:])
    if len(words) <= _EDGE_CHARS:
        return words
    least = len(words) - _EDGE_CHARS
    starts = [pause.end() for pause in _PAUSE.finditer(words) if least <= pause.end() < len(words)]
    spaces = [at + 1 for at, char in enumerate(words) if char == " " and at + 1 >= least]
    return words[min(starts + spaces, default=least) :]


def verify(
    passages: Sequence[Passage], load_snapshot: Callable[[Passage], tuple[Snapshot, str] | None]
) -> tuple[Verdict, ...]:
    """Prove each passage against the snapshot it cites; `load_snapshot` returns it and its canonical text.

    Where `load_snapshot` fails, that one passage falls, and its verdict carries the error.
    """
    return tuple(
        Verdict(passage, not reason, reason or "stands")
        for passage in passages
        for reason in [_verdict_reason(passage, load_snapshot)]
    )


def with_support(verdicts: Sequence[Verdict], claims: Sequence[Claim]) -> tuple[Verdict, ...]:
    """Return the verdicts, with the passages refused that do not support a sentence which cites them."""
    reasons: dict[Passage, str] = {}
    for claim in claims:
        lacking = unsupported_in(claim)
        if lacking:
            sentence = on_one_line(claim.text)[:_MAX_CLAIM_CHARS]
            reason = f'unsupported: the cited text lacks {", ".join(lacking)} of "{sentence}"'
            for passage in claim.passages:
                reasons.setdefault(passage, reason)
    refused = {
        verdict: verdict._replace(ok=False, reason=reasons[verdict.passage])
        for verdict in verdicts
        if verdict.ok and verdict.passage in reasons
    }
    return tuple(refused.get(verdict, verdict) for verdict in verdicts)


def _verdict_reason(passage: Passage, load_snapshot: Callable[[Passage], tuple[Snapshot, str] | None]) -> str:
    try:
        return _flaw(passage, load_snapshot(passage))
    except WellreadError as error:
        return f"{error.code}: {error.message}"


def _flaw(passage: Passage, loaded: tuple[Snapshot, str] | None) -> str:
    """Return why the passage does not stand, or nothing."""
    if loaded is None:
        return "snapshot evicted"
    snapshot, canonical = loaded
    if not passage.snapshot_id == snapshot.id == snapshot_id(canonical):
        return "snapshot altered"
    if not 0 <= passage.start < passage.end <= len(canonical):
        return "offsets outside the document"
    if canonical[passage.start : passage.end] != passage.text:
        return "text differs"
    if passage.url not in {snapshot.url, snapshot.final_url}:
        return f"the snapshot is of another page: {snapshot.final_url}"
    return ""
