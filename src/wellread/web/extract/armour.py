"""Blunts markup made to choke the parser, in linear time, before it is parsed.

lexbor is quadratic in the depth of the tree, in attributes per tag and in <option> elements (measured: 100,000 nested
lists took 94 s, 40,000 attributes 4 s, 40,000 options 22 s). No page read by people comes near the limits kept here.
"""

from __future__ import annotations

import re
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from wellread.web.extract.names import word_set

if TYPE_CHECKING:
    from collections.abc import Callable

DEEPEST: Final = 512
"""As in browsers: Chromium puts what is nested deeper side by side."""
MOST_ATTRIBUTES: Final = 500
MOST_OPTIONS: Final = 1_000
MOST_FORMATTING: Final = 8
"""Formatting elements open at once: the parser repeats all of them in every paragraph they run into."""
_SMALL = 10_000
_FEW_TAGS = 3_000
"""Below this even the worst page costs less than looking for it."""

_VOID = (
    "path use circle rect line polygon polyline ellipse stop "
    "area base br col embed hr img input link meta param source track wbr"
)
_OPTIONAL = (
    "p li dt dd option optgroup tr td th tbody thead tfoot colgroup rp rt rb rtc body html head caption a nobr button"
)
"""Closed by what follows them, so never nested by themselves."""
_FORMATTING = word_set("b big code em font i s small strike strong tt u")
_IGNORED = frozenset((*_VOID.split(), *_OPTIONAL.split()))
_TAG = re.compile(r"<(/?[a-zA-Z][a-zA-Z0-9]*)")
_TOKEN = re.compile(
    r"<!--.*?(?:-->|\Z)|<(?P<close>/?)(?P<name>[a-z][^\s/>]*)",
    re.IGNORECASE | re.DOTALL,
)
_RAW = {
    name: re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE)
    for name in ("script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes")
}
"""Elements whose content is text, whatever it looks like."""
_ATTRIBUTE_FORM = r"""[\s/]*+([^\s/>=][^\s/>=]*+)(?:\s*+=\s*+(?:"[^"]*+(?:"|\Z)|'[^']*+(?:'|\Z)|[^\s>]*+))?+"""
"""As the tokenizer reads it: quotes count only after the equals sign (HTML standard, 13.2.5.32 on)."""
_ATTRIBUTE = re.compile(_ATTRIBUTE_FORM)
_MANY_ATTRIBUTES = re.compile(rf"<[a-zA-Z][^\s/>]*+(?:{_ATTRIBUTE_FORM.replace('(', '(?:', 1)}){{{MOST_ATTRIBUTES}}}")


def blunted(html: str) -> str:
    """Return `html` as it is, or with absurd nesting, attributes and options cut off."""
    return _rewritten(html) if _is_absurd(html) else html


class _Steps(dict[str, int]):
    """Tag -> how it changes the depth, worked out once per tag."""

    def __init__(self, counted: Callable[[str], bool]) -> None:
        super().__init__()
        self._counted = counted

    def __missing__(self, tag: str) -> int:
        name = tag.lstrip("/").lower()
        step = (-1 if tag[0] == "/" else 1) if self._counted(name) else 0
        if len(self) < 10_000:
            self[tag] = step
        return step


_STEPS = _Steps(lambda name: name not in _IGNORED)
_FORMATTING_STEPS = _Steps(lambda name: name in _FORMATTING)


def _is_absurd(html: str) -> bool:
    if html.count("<") > _FEW_TAGS:
        tags = _TAG.findall(html)
        for steps, most in ((_STEPS, DEEPEST), (_FORMATTING_STEPS, MOST_FORMATTING)):
            if max(accumulate(map(steps.__getitem__, tags)), default=0) > most:
                return True
        if (
            html.count("<option") + html.count("<OPTION") > MOST_OPTIONS
            or html.count("<body") + html.count("<html") > 20
        ):
            return True
    return len(html) > _SMALL and _MANY_ATTRIBUTES.search(html) is not None


def _rewritten(html: str) -> str:
    """Copy `html` token by token, leaving out what goes beyond the limits."""
    kept: list[str] = []
    depth = _Depth()
    at = 0
    while found := _TOKEN.search(html, at):
        kept.append(html[at : found.start()])
        at = found.end()
        name = (found["name"] or "").lower()
        if not name:
            kept.append(found.group())
        elif found["close"]:
            end = html.find(">", at) + 1 or len(html)
            if depth.close(name):
                kept.append(f"</{name}>")
            at = end
        else:
            attributes, at = _attributes(html, at)
            if depth.open(name):
                kept.append(f"<{name}{attributes}>")
            if name in _RAW:
                closing = _RAW[name].search(html, at)
                kept.append(html[at : closing.start()] if closing else html[at:])
                at = closing.start() if closing else len(html)
    kept.append(html[at:])
    return "".join(kept)


def _attributes(html: str, at: int) -> tuple[str, int]:
    """Return the attributes of the tag whose name ends at `at`, and where the tag ends."""
    start = cut = at
    count = 0
    while found := _ATTRIBUTE.match(html, at):
        at = found.end()
        count += 1
        if count <= MOST_ATTRIBUTES:
            cut = at
    end = html.find(">", at)
    return html[start:cut], len(html) if end < 0 else end + 1


class _Depth:
    """Counts open elements, and says which tags still fit."""

    def __init__(self) -> None:
        self.open_boxes = self.left_out = self.formatting = self.formatting_left_out = 0
        self.seen = {"option": 0, "optgroup": 0, "body": 0, "html": 0}

    def open(self, name: str) -> bool:
        if name in self.seen:
            self.seen[name] += 1
            return self.seen[name] <= (MOST_OPTIONS if name.startswith("opt") else 1)
        if name in _IGNORED:
            return True
        if name in _FORMATTING:
            self.formatting += 1
            if self.formatting > MOST_FORMATTING:
                self.formatting_left_out += 1
                self.formatting -= 1
                return False
        elif self.open_boxes >= DEEPEST:
            self.left_out += 1
            return False
        else:
            self.open_boxes += 1
        return True

    def close(self, name: str) -> bool:
        if name in _IGNORED:
            return True
        if name in _FORMATTING:
            if self.formatting_left_out:
                self.formatting_left_out -= 1
                return False
            self.formatting = max(0, self.formatting - 1)
        elif self.left_out:
            self.left_out -= 1
            return False
        else:
            self.open_boxes = max(0, self.open_boxes - 1)
        return True
