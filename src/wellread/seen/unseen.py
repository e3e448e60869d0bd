"""Counts what was left out because nobody sees it, and tells of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from wellread.lazy_pattern import lazy_pattern
from wellread.step_counter import CHARS_PER_STEP
from wellread.types import Notice

if TYPE_CHECKING:
    from collections.abc import Iterable

    from selectolax.lexbor import LexborNode

    from wellread.css.look import Look
    from wellread.step_counter import StepCounter

_SAMPLE: Final = 2_000
_MARKUP: Final = lazy_pattern(r"<[^>]*>")
_ARIA: Final = "aria-hidden"
_FEWEST_WORDS: Final = 4
_MANY: Final = 100
"""Words: fewer in one place are not counted."""
_IN_SHADOW: Final = Notice("shadow_text", "text in shadow trees was not read, except text in their slots")
_SENTENCE: Final = lazy_pattern(r"[^\W\d_]{2,}+(?:[\s,.;:!?'\"()-]++[\w$%&@/#*+=~]++){3,}+[\s,.;:!?'\"()-]*")
"""At least four words and nothing but words and punctuation."""


class Unseen:
    """What one walk over a page left out."""

    def __init__(self, counter: StepCounter) -> None:
        self._counter = counter
        self.invisible = 0
        """Invisible characters."""
        self.cut_short = False
        self.muted: Look | None = None
        self.shadows = 0
        """Shadow trees that say something: their styles are their own, and are not read."""
        self._reasons: dict[str, int] = {}
        self._words = 0
        """How many are in the elements that were left out."""

    def count(self, reason: str) -> None:
        """Count one place."""
        self._reasons[reason] = self._reasons.get(reason, 0) + 1

    def leave_out(self, node: LexborNode, reason: str) -> None:
        """Count an element that says something, and its words."""
        text = node.text(deep=True) or ""
        self._counter.spend(len(text) // CHARS_PER_STEP)
        words = len(text.split())
        if words:
            self.count(reason)
        if words >= _MANY and reason != _ARIA:
            self._words += words - sum(len((one.text(deep=True) or "").split()) for one in node.css("script, style"))

    def mute(self, text: str, look: Look) -> None:
        """Count text that is passed over, once for as long as it looks the same."""
        if self.muted is not look and not text.isspace():
            self.muted = look
            self.count(look.veil or "")

    def count_prose(self, where: str, text: str) -> None:
        """Count what reads like sentences; most comments and templates are machinery, and no news."""
        if _SENTENCE.fullmatch(text[:_SAMPLE].strip()):
            self.count(where)

    def count_template(self, html: str, *, shadow: bool) -> None:
        """Count what reads like sentences; of a shadow tree, whatever says more than a button does."""
        if shadow:
            first, *rest = html.split("<style")
            text = _MARKUP.sub(" ", "".join([first, *(one.partition("</style")[2] for one in rest)]))
            self.shadows += len(text.split()) >= _FEWEST_WORDS
        else:
            self.count_prose("template", _MARKUP.sub(" ", html[:_SAMPLE]))

    def notices(self, shown: Iterable[str]) -> list[Notice]:
        """Tell what was left out beside the texts that are shown, and how much if that is more."""
        told = []
        aria = self._reasons.pop(_ARIA, 0)
        if self._reasons:
            reasons = ", ".join(f"{reason} ({count})" for reason, count in sorted(self._reasons.items()))
            total = sum(self._reasons.values())
            told.append(Notice("hidden_text", f"text that readers cannot see was left out: {reasons}", total))
            if self._words > sum(len(text.split()) for text in shown if self._words):
                detail = f"some {self._words:,} words of the page are hidden, more than are shown"
                told.append(Notice("mostly_hidden", detail, self._words))
        if aria:
            told.append(Notice("aria_hidden", "text marked aria-hidden was left out", aria))
        if self.shadows:
            told.append(_IN_SHADOW._replace(count=self.shadows))
        if self.invisible:
            told.append(Notice("invisible_characters", "invisible characters were removed", self.invisible))
        if self.cut_short:
            told.append(Notice("cut_short", "only the beginning was read, because the page has too many lines"))
        return told
