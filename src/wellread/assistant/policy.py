"""Decides, in pure code, whether an action may be done, or must be asked for first; the model has no say in it.

What changes the world is always asked for. Once a turn has read words of the outside world, so is what changes the
assistant's own store, and so is an address that nobody has spelled out: in it the model could carry away what it knows.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wellread.assistant.ports import Effect

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from wellread.assistant.ports import Preview, Tool

CHANGES = "it changes something outside"
TAINTED = "this turn has read words of others, which may have asked for it"
COMPOSED = "nobody has spelled out this address, and it may carry something away: {url}"
BAR = "| "
"""What a line of a longer value stands behind."""
_BLANK = re.compile(
    "[\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
"""Letters and marks that show nothing, though Unicode has them among what is printed."""
_URL = re.compile(r"https?://[^\s\"'<>]+", re.IGNORECASE)
_BARE = re.compile(r"[\w-]+(\.[\w-]+)+(/\S*)?", re.ASCII)


def must_ask(tool: Tool, arguments: Mapping[str, object], *, tainted: bool, spelled: Iterable[str]) -> str | None:
    """Return why `tool` may not simply be called with `arguments`; None when it may.

    `spelled` are the texts in which an address counts as spelled out: the user's words, and what was read.
    """
    if tool.effect is Effect.WORLD:
        return CHANGES
    if not tainted:
        return None
    if tool.effect is Effect.OWN:
        return TAINTED
    texts = list(spelled)
    for url in addresses(arguments):
        if not any(_says(text, url) for text in texts):
            return COMPOSED.format(url=url[:200])
    return None


def worded(preview: Preview) -> str:
    """Return a preview in lines, as the user reads it; no value can begin a line as we do.

    Whatever has several lines stands below its name, each line behind a bar: a text cannot add a recipient.
    """
    lines = [_in_one_line(preview.deed)]
    for name, value in preview.parts:
        first, *more = visible(value).split("\n")
        told = f"{_in_one_line(name)}:"
        lines += [told, *(f"{BAR}{it}" for it in (first, *more))] if more else [f"{told} {first or '(none)'}"]
    return "\n".join(lines)


def _in_one_line(text: str) -> str:
    return visible(text).replace("\n", "\\u000a")


def visible(text: str) -> str:
    """Return `text` with every sign written out that shows nothing or turns the line: consent is for all of it."""
    return "".join(
        f"\\u{ord(it):04x}" if _BLANK.match(it) or not (it.isprintable() or it == "\n") else it for it in text
    )


def addresses(arguments: Mapping[str, object]) -> Iterator[str]:
    """Yield every address in `arguments`, however deep: whatever begins like one, and whatever a `url` holds."""
    for name, value in arguments.items():
        yield from _within(value, named=name in {"url", "urls"})


def _within(value: object, *, named: bool) -> Iterator[str]:
    if isinstance(value, str):
        found = _URL.findall(value)
        yield from found
        if named and not found and _BARE.fullmatch(value.strip()):
            yield value.strip()
    elif isinstance(value, dict):
        for name, part in value.items():
            yield from _within(part, named=named or name in {"url", "urls"})
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _within(part, named=named)


def _says(text: str, url: str) -> bool:
    """Tell whether `text` has exactly this address: one that goes on after it is another."""
    wanted = url.rstrip("/")
    at = text.find(wanted)
    while at >= 0:
        rest = text[at + len(wanted) :].removeprefix("/")
        # A full stop or a bracket after an address belongs to the sentence.
        if re.match(r"[\s\"'<>)\]}.,;:!?]*(\s|\Z|[\"'<>)\]}])", rest):
            return True
        at = text.find(wanted, at + 1)
    return False
