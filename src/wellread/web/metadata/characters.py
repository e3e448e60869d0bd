"""Strips characters that no reader sees but a model does: tags, bidi controls, zero-width runs."""

from __future__ import annotations

import re

_SUSPECT = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufe00-"
    "\ufe0f\ufeff\uffa0\ufff9-\ufffc\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufff0-\ufff8\ufffe\uffff\ud800-\udfff]")
_SOFT = "\u00ad\u200b\u2060\ufeff"
"""Line-breaking aids: meaningless in text, so common that they are no news."""
_RUN = 8
"""This many aids in a row break no lines: they carry a message."""
# The flags of England, Scotland and Wales: a black flag, tag letters and a terminator (UTS 51, ED-14a). No other flag
# is in use that is written so, and what else is written so is a message.
_FLAG = re.compile(
    "\U0001f3f4\U000e0067\U000e0062(?:\U000e0065\U000e006e\U000e0067"
    "|\U000e0073\U000e0063\U000e0074|\U000e0077\U000e006c\U000e0073)\U000e007f"
)
# Mongolian; signs, arrows, mathematics, dingbats; East Asian; Phags-pa.
_VARIED = re.compile(
    "[\u1820-\u18af\u2030-\u2bff\u3000-\u9fff\ua840-\ua87f\uf900-\ufaff\uff00-\uffef\U0001f000-\U0001faff\U00020000-\U0003ffff]"
)
"""What has variants between which a selector chooses (Unicode: StandardizedVariants.txt, emoji-data.txt)."""
_PRESENTED = "#*0123456789\u00a9\u00ae"
"""ASCII and Latin signs that are emoji too."""
# Arabic, Syriac, N'Ko, Mandaic: ZWNJ and ZWJ choose letter forms; the scripts of India: they choose conjuncts; Myanmar;
# Khmer, Mongolian; emoji are joined to families and flags.
_JOINING = re.compile(
    "[\u0600-\u0dff\u1000-\u109f\u1780-\u18af\u2190-\u2bff\ufb50-\ufdff\ufe0f\ufe70-\ufeff\U0001f000-\U0001faff]"
)


def cleaned(text: str) -> tuple[str, int]:
    """Return `text` without invisible characters, and how many were worth telling of."""
    if text.isascii():
        return (text, 0) if text.isprintable() else (_CONTROLS.sub("", text), 0)
    if _SUSPECT.search(text) is None:
        return _CONTROLS.sub("", text), 0
    kept: list[str] = []
    told = soft = end = 0
    flags = {at for found in _FLAG.finditer(text) for at in range(*found.span())}
    for found in _SUSPECT.finditer(text):
        at = found.start()
        if _is_meant(text, at) or at in flags:
            continue
        soft = soft + 1 if at == end and end else 1
        told += 1 if text[at] not in _SOFT else soft == _RUN
        kept.append(text[end:at])
        end = at + 1
    kept.append(text[end:])
    return _CONTROLS.sub("", "".join(kept)), told


def _is_meant(text: str, at: int) -> bool:
    """Tell whether the character at `at` does visible work where it stands."""
    char = text[at]
    before = text[at - 1] if at else ""
    if char in "\u200c\u200d":
        after = text[at + 1 : at + 2]
        joined = bool(_JOINING.match(before) and _JOINING.match(after))
        return joined and (char == "\u200d" or not _is_emoji(before))
    if "\ufe00" <= char <= "\ufe0f":  # a variation selector chooses the look of what stands before it
        if char >= "\ufe0e" and before in _PRESENTED:
            return bool(before)
        return bool(_VARIED.match(before)) and (char >= "\ufe0e" or not _is_emoji(before))
    if char in "\u180b\u180c\u180d":
        return "\u1800" <= before <= "\u18af"
    return False


def _is_emoji(char: str) -> bool:
    return char >= "\U0001f000" and char <= "\U0001faff"
