"""Decides, in pure code, whether an action may be done, or needs the user's approval first; the model has no say in it.

What changes the world is always asked for. Once a turn has read words of the outside world, so is what changes the
assistant's own store, and so is an address that nobody has spelled out: in it the model could carry away what it knows.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wellread.assistant.tool_types import Effect

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from wellread.assistant.tool_types import Preview, Tool

CHANGES = "it changes something outside wellread"
TAINTED = "this turn has read text from others, which may have caused the request"
COMPOSED = "you did not give this address, and the request may send data out: {url}"
BAR = "| "
"""What a line of a longer value stands behind."""
_BLANK = re.compile(
    "[\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
"""Letters and marks that show nothing, though Unicode has them among what is printed."""
_URL = re.compile(r"https?://[^\s\"'<>]+", re.IGNORECASE)
_BARE = re.compile(r"[\w-]+(\.[\w-]+)+(/\S*)?", re.ASCII)


def approval_reason(
    tool: Tool, arguments: Mapping[str, object], *, tainted: bool, spelled: Iterable[str]
) -> str | None:
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
    for url in urls_in(arguments):
        if not any(_says(text, url) for text in texts):
            return COMPOSED.format(url=url[:200])
    return None


def preview_text(preview: Preview) -> str:
    """Return a preview in lines for the user; no value can begin a line as we do.

    Whatever has several lines stands below its name, each line behind a bar: a text cannot add a recipient.
    """
    lines = [_in_one_line(preview.deed)]
    for name, value in preview.parts:
        first, *further_lines = escape_invisible(value).split("\n")
        label = f"{_in_one_line(name)}:"
        if further_lines:
            lines += [label, *(f"{BAR}{line}" for line in (first, *further_lines))]
        else:
            lines.append(f"{label} {first or '(none)'}")
    return "\n".join(lines)


def _in_one_line(text: str) -> str:
    return escape_invisible(text).replace("\n", "\\u000a")


def escape_invisible(text: str) -> str:
    """Return `text` with every sign written out that shows nothing or turns the line: consent is for all of it."""
    return "".join(
        f"\\u{ord(character):04x}"
        if _BLANK.match(character) or not (character.isprintable() or character == "\n")
        else character
        for character in text
    )


def urls_in(arguments: Mapping[str, object]) -> Iterator[str]:
    """Yield every address in `arguments`, however deep: whatever begins like one, and whatever a `url` holds."""
    for name, value in arguments.items():
        yield from _within(value, named=name in {"url", "urls"})


def _within(value: object, *, named: bool) -> Iterator[str]:
    if isinstance(value, str):
        urls = _URL.findall(value)
        yield from urls
        if named and not urls and _BARE.fullmatch(value.strip()):
            yield value.strip()
    elif isinstance(value, dict):
        for name, part in value.items():
            yield from _within(part, named=named or name in {"url", "urls"})
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _within(part, named=named)


def _says(text: str, url: str) -> bool:
    """Tell whether `text` has exactly this address: one that continues after it is another."""
    address = url.rstrip("/")
    at = text.find(address)
    while at >= 0:
        following = text[at + len(address) :].removeprefix("/")
        # A full stop or a bracket after an address belongs to the sentence.
        if re.match(r"[\s\"'<>)\]}.,;:!?]*(\s|\Z|[\"'<>)\]}])", following):
            return True
        at = text.find(address, at + 1)
    return False
