"""Counts the words of a text in any script."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, NamedTuple

from wellread.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    import re

# Where scripts do not part words with spaces, a word is taken to be so many characters: two in Chinese and Japanese
# (the mean length of a Chinese word in running text is about 1.6, of a Japanese one about 2.5), five in Thai, Lao,
# Khmer and Burmese. Vowel signs and tone marks there are not \w, so the runs are matched by block.
_CJK = (
    "\u3005-\u3007 \u3040-\u30ff \u31f0-\u31ff \u3400-\u4dbf \u4e00-\u9fff \uf900-\ufaff \uff66-\uff9f "
    "\U00020000-\U0003134f"
)
_SOUTH_EAST = "\u0e00-\u0e7f \u0e80-\u0eff \u1000-\u109f \u1780-\u17ff \ua9e0-\ua9ff \uaa60-\uaa7f"


class _UnspacedScript(NamedTuple):
    """Scripts without spaces between words."""

    ranges: list[tuple[str, str]]
    """First and last characters."""
    runs: re.Pattern[str]
    word_chars: int
    """Characters of a word."""

    def writes(self, characters: set[str]) -> bool:
        """Tell whether some of the characters are of these scripts, in less time than compiling a pattern takes."""
        return any(first <= character <= last for first, last in self.ranges for character in characters)


def _script(ranges: str, word_chars: int) -> _UnspacedScript:
    pairs = [(part[0], part[-1]) for part in ranges.split()]
    return _UnspacedScript(pairs, lazy_pattern(f"[{ranges.replace(' ', '')}]+"), word_chars)


_SCRIPTS = (_script(_CJK, 2), _script(_SOUTH_EAST, 5))
_WORD = lazy_pattern(r"\w+")
_ASCII = bytes(range(0x80))
_SEPARATORS = bytes(byte for byte in _ASCII if not (chr(byte).isalnum() or chr(byte) == "_"))
_WORD_BYTES = bytes.maketrans(_SEPARATORS, b" " * len(_SEPARATORS))
"""Translates UTF-8: a space for each ASCII character that is no part of a word."""
_MAX_SIGNS = 60
"""Different signs outside ASCII that are replaced one by one; ordinary pages have about five."""
_ADDRESS = lazy_pattern(r"\]\((?:[^()\s]++|\([^()\s]*+\))*+\)")


def without_link_targets(markdown: str) -> str:
    """Return a text without the addresses of its links, which nobody reads."""
    if "](" in markdown:
        return _ADDRESS.sub("]", markdown)
    return markdown


def has_unspaced_words(text: str) -> bool:
    """Return whether a part of a text is in a script without spaces between words: others may count its characters."""
    characters = set(text)
    return any(script.writes(characters) for script in _SCRIPTS)


def count_words(text: str) -> int:
    r"""Count the words of a text: runs of `\w`, and in scripts without spaces two (or five) characters to a word."""
    if text.isascii():
        return len(text.encode().translate(_WORD_BYTES).split())
    characters = set(text.encode("utf-8", "surrogatepass").translate(None, _ASCII).decode("utf-8", "surrogatepass"))
    count = 0
    for script in _SCRIPTS:
        if script.writes(characters):
            count += sum(ceil(len(run) / script.word_chars) for run in script.runs.findall(text))
            text = script.runs.sub(" ", text)
    signs = [character for character in characters if not character.isalnum()]
    if len(signs) > _MAX_SIGNS:
        return count + len(_WORD.findall(text))
    for sign in signs:
        text = text.replace(sign, " ")
    return count + len(text.encode("utf-8", "surrogatepass").translate(_WORD_BYTES).split())
