"""Remove invisible characters that a model would read, and repair text that was decoded with the wrong encoding."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from wellread.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    import re

_SUSPECT = lazy_pattern(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufe00-"
    "\ufe0f\ufeff\uffa0\ufff9-\ufffc\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_WORD = lazy_pattern(r"\w+")
_CONTROLS = lazy_pattern(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufff0-\ufff8\ufffe\uffff\ud800-\udfff]")
_SOFT = "\u00ad\u200b\u2060\ufeff"
"""Line-breaking aids: meaningless in text, so common that they are no news."""
_RUN = 8
"""This many aids in a row break no lines: they carry a message."""
# The flags of England, Scotland and Wales: a black flag, tag letters and a terminator (UTS 51, ED-14a). No other flag
# is in use that is written so, and what else is written so is a message.
_FLAG = lazy_pattern(
    "\U0001f3f4\U000e0067\U000e0062(?:\U000e0065\U000e006e\U000e0067"
    "|\U000e0073\U000e0063\U000e0074|\U000e0077\U000e006c\U000e0073)\U000e007f"
)
# Mongolian; signs, arrows, mathematics, dingbats; East Asian; Phags-pa.
_VARIED = lazy_pattern(
    "[\u1820-\u18af\u2030-\u2bff\u3000-\u9fff\ua840-\ua87f\uf900-\ufaff\uff00-\uffef\U0001f000-\U0001faff\U00020000-\U0003ffff]"
)
"""Characters that take variation selectors (Unicode: StandardizedVariants.txt, emoji-data.txt)."""
_PRESENTED = "#*0123456789\u00a9\u00ae"
"""ASCII and Latin signs that are emoji too."""
# Arabic, Syriac, N'Ko, Mandaic: ZWNJ and ZWJ choose letter forms; the scripts of India: they choose conjuncts; Myanmar;
# Khmer, Mongolian; emoji are joined to families and flags.
_JOINING = lazy_pattern(
    "[\u0600-\u0dff\u1000-\u109f\u1780-\u18af\u2190-\u2bff\ufb50-\ufdff\ufe0f\ufe70-\ufeff\U0001f000-\U0001faff]"
)

# A control of Latin-1 (C1) is no text: where one makes UTF-8 with what stands around it, it was that. So is a capital
# with a sign where no capital stands before it (but for quotation marks, which may stand there), and three characters
# that no language writes within or beside a word.
_MISREAD = lazy_pattern(
    r"[\xc2-\xdf][\x80-\x9f]|[\xe0-\xef](?:[\x80-\x9f][\x80-\xbf]|[\xa0-\xbf][\x80-\x9f])"
    r"|[\xf0-\xf4](?=.{0,2}[\x80-\x9f])[\x80-\xbf]{3}"
    r"|(?<![A-Z\xc0-\xde\u0100-\u024f\u1e00-\u1eff])[\xc2\xc3][\xa1-\xaa\xac-\xba\xbc-\xbf]|(?<=[a-z.,;:!?)])[\xc2\xc3]\xa0"
    r"|(?P<windows>\xe2\u20ac(?:\x9d|(?:(?<=[\w.,;:!?)]..)[\u2122\u0153\u201c\u201d\u02dc\xa6]"
    r"|[\u2122\u0153\u201c\u201d\u02dc\xa6](?=\w))))"
)

_ACCENTED = lazy_pattern(r"[\xc0-\xff]")
_LEADING = lazy_pattern(r"[\xc2-\xf4][\x80-\xbf\u20ac]")
"""How all of it starts: to look for this takes a tenth of the time."""


def repaired_encoding(text: str, *, exact: bool = False) -> str:
    """Return `text` with UTF-8 that was read as Latin-1 or windows-1252 decoded again; no character becomes ASCII.

    If `exact` (as in code), repair only text that holds control characters.
    """
    if text.isascii() or not _LEADING.search(text) or not _MISREAD.search(text) or exact > bool(_CONTROLS.search(text)):
        return text
    try:
        return text.encode("latin-1").decode()
    except UnicodeError:
        reread = partial(_reread, has_accents=_ACCENTED.search(_MISREAD.sub("", text)) is not None)
        return _MISREAD.sub(reread, text)


def _reread(match: re.Match[str], *, has_accents: bool) -> str:
    """Return the text decoded as UTF-8; in a text with correct accents, only where it holds control characters."""
    misread = match[0]
    if has_accents and not _CONTROLS.search(misread):
        return misread
    if match["windows"]:
        # The last byte of a closing quotation mark has no sign in windows-1252.
        raw = b"\xe2\x80" + (misread[2].encode("cp1252", "ignore") or b"\x9d")
    else:
        raw = misread.encode("latin-1")
    return raw.decode("utf-8", "ignore") or misread


def folded_words(text: str) -> str:
    """Return the words of `text` in lower case, joined by blanks, without the signs between them."""
    return " ".join(_WORD.findall(text.casefold()))


def on_one_line(text: str) -> str:
    """Return `text` without line breaks, runs of blanks, and invisible characters."""
    # Blanks first: some are controls, too. And again, where an invisible character stood between two.
    return " ".join(without_invisible(" ".join(text.split()))[0].split())


def without_invisible(text: str) -> tuple[str, int]:
    """Return `text` without invisible characters, and how many of them are worth a notice."""
    if text.isascii():
        return (text, 0) if text.isprintable() else (_CONTROLS.sub("", text), 0)
    if _SUSPECT.search(text) is None:
        return _CONTROLS.sub("", text), 0
    pieces: list[str] = []
    removed_count = soft_run = end = 0
    flags = {position for match in _FLAG.finditer(text) for position in range(*match.span())}
    for match in _SUSPECT.finditer(text):
        position = match.start()
        if _is_meant(text, position) or position in flags:
            continue
        soft_run = soft_run + 1 if position == end and end else 1
        removed_count += 1 if text[position] not in _SOFT else soft_run == _RUN
        pieces.append(text[end:position])
        end = position + 1
    pieces.append(text[end:])
    return _CONTROLS.sub("", "".join(pieces)), removed_count


def _is_meant(text: str, position: int) -> bool:
    """Return whether the character at `position` has a visible effect where it stands."""
    char = text[position]
    before = text[position - 1] if position else ""
    if char in "\u200c\u200d":
        after = text[position + 1 : position + 2]
        is_joining = bool(_JOINING.match(before) and _JOINING.match(after))
        return is_joining and (char == "\u200d" or not _is_emoji(before))
    if "\ufe00" <= char <= "\ufe0f":  # a variation selector chooses the look of what stands before it
        if char >= "\ufe0e" and before in _PRESENTED:
            return bool(before)
        return bool(_VARIED.match(before)) and (char >= "\ufe0e" or not _is_emoji(before))
    if char in "\u180b\u180c\u180d":
        return "\u1800" <= before <= "\u18af"
    return False


def _is_emoji(char: str) -> bool:
    return char >= "\U0001f000" and char <= "\U0001faff"
