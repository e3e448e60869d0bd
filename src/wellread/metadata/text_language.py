"""Weighs the languages that a page declares where they differ: their number, the script and the words of the text."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from wellread.lazy_pattern import lazy_pattern
from wellread.text.dates.named_months import primary_language

if TYPE_CHECKING:
    from collections.abc import Sequence

MIN_LETTERS = 40
MAX_SCRIPT_CHARS = 1_000
MAX_ASCII = 0.8
"""A text with a greater share of ASCII is in Latin letters."""
MIN_SHARE = 0.5
"""A script is that of a text when so many of its letters are of it."""
MIN_JUDGED_WORDS = 40
MIN_SPOKEN = 0.12
MAX_DECLARED = 0.5
"""A text of so many words, of which such a share are function words of another language, overrules what is declared
where it has at most this part of them in the declared one."""
MIN_WORDS = 0.02
"""Less than this share of a language's function words tells nothing."""

_SCRIPTS = {
    "Latn": "A-Za-z\u00c0-\u024f\u1e00-\u1eff",
    "Cyrl": "\u0400-\u052f",
    "Grek": "\u0370-\u03ff\u1f00-\u1fff",
    "Arab": "\u0600-\u06ff\u0750-\u077f\ufb50-\ufdff\ufe70-\ufeff",
    "Hebr": "\u0590-\u05ff",
    "Deva": "\u0900-\u097f",
    "Beng": "\u0980-\u09ff",
    "Guru": "\u0a00-\u0a7f",
    "Gujr": "\u0a80-\u0aff",
    "Taml": "\u0b80-\u0bff",
    "Telu": "\u0c00-\u0c7f",
    "Knda": "\u0c80-\u0cff",
    "Mlym": "\u0d00-\u0d7f",
    "Sinh": "\u0d80-\u0dff",
    "Thai": "\u0e00-\u0e7f",
    "Laoo": "\u0e80-\u0eff",
    "Mymr": "\u1000-\u109f",
    "Geor": "\u10a0-\u10ff",
    "Ethi": "\u1200-\u137f",
    "Khmr": "\u1780-\u17ff",
    "Armn": "\u0530-\u058f",
    "Kore": "\uac00-\ud7af",
    "Jpan": "\u3040-\u30ff",
    "Hani": "\u3400-\u9fff",
}
_LETTERS = {script: lazy_pattern(f"[{letters}]") for script, letters in _SCRIPTS.items()}
_WRITTEN = {
    "Cyrl": "ru uk be bg mk sr kk ky mn tg tt ba cv os uz az bs",
    "Arab": "ar fa ur ps ckb ku sd ug pa az",
    "Hebr": "he yi",
    "Deva": "hi mr ne sa kok mai",
    "Beng": "bn as",
    "Kore": "ko",
    "Jpan": "ja",
    "Hani": "zh ja yue wuu ko",
    "Ethi": "am ti",
    "Grek": "el",
    "Thai": "th",
    "Geor": "ka",
    "Armn": "hy",
    "Guru": "pa",
    "Gujr": "gu",
    "Taml": "ta",
    "Telu": "te",
    "Knda": "kn",
    "Mlym": "ml",
    "Sinh": "si",
    "Laoo": "lo",
    "Mymr": "my",
    "Khmr": "km",
}
_ALSO_LATIN = frozenset(["sr", "bs", "uz", "az", "kk", "ku", "tg", "tt", "pa"])
_OF_SCRIPT = {script: frozenset(languages.split()) for script, languages in _WRITTEN.items()}
_OTHER_SCRIPTS = frozenset().union(*_OF_SCRIPT.values()) - _ALSO_LATIN


def weighed(tags: Sequence[str], text: str) -> str | None:
    """Return the declared tag (BCP 47) that is most likely the page's; the first where they agree.

    `text` is some of the page's. Where the languages of `tags` differ, the function words of the text decide, then
    the number of declarations. Where the text is in a script that no declared language is written in, the language of
    that script is returned if there is only one.
    """
    if not tags:
        return None
    languages = [primary_language(tag) or "" for tag in tags]
    script = _script(text[:MAX_SCRIPT_CHARS])
    fitting = [tag for tag, language in zip(tags, languages, strict=True) if _fits(language, script)]
    if not fitting:
        return _of_script(script or "", text) or tags[0]
    if len({primary_language(tag) for tag in fitting}) == 1:
        return fitting[0]
    counts = Counter(primary_language(tag) or "" for tag in fitting)
    shares = _shares(text, counts)
    best = max(counts, key=lambda language: (shares.get(language, 0.0), counts[language]))
    return next(tag for tag in fitting if primary_language(tag) == best)


def spoken(tag: str | None, text: str) -> str | None:
    """Return the language of a text in quite other words than that of `tag` has, which a template left as it was.

    Otherwise return `tag`.
    """
    declared = primary_language(tag)
    if declared not in _function_words():
        return tag
    counts = Counter(word.strip(".,;:!?\"'()") for word in text.casefold().split())
    total = counts.total()
    if total < MIN_JUDGED_WORDS:
        return tag
    shares = {language: sum(counts[word] for word in words) / total for language, words in _function_words().items()}
    best = max(shares, key=lambda language: shares[language])
    is_other = shares[best] >= MIN_SPOKEN and shares[declared] <= shares[best] * MAX_DECLARED
    if is_other:
        return best
    return tag


@lru_cache(maxsize=1)
def _function_words() -> dict[str, frozenset[str]]:
    text = Path(__file__).with_name("function_words.txt").read_text("utf-8")
    rows = (line.split() for line in text.splitlines() if not line.startswith("#"))
    return {row[0]: frozenset(row[1:]) for row in rows}


def _script(text: str) -> str | None:
    """Return the script of most letters of a text; Japanese and Korean before the Chinese characters they hold."""
    if text.isascii() or sum(map(str.isascii, text)) > MAX_ASCII * len(text):
        if len(text) > MIN_LETTERS:
            return "Latn"
        return None
    counts = {script: len(letters.findall(text)) for script, letters in _LETTERS.items()}
    total = sum(counts.values())
    if total < MIN_LETTERS:
        return None
    for script in ("Jpan", "Kore"):
        if (
            counts[script]
            and counts[script] + counts["Hani"] >= MIN_SHARE * total
            and counts[script] * 8 >= counts["Hani"]
        ):
            return script
    script = max(counts, key=lambda name: counts[name])
    if counts[script] >= MIN_SHARE * total:
        return script
    return None


def _of_script(script: str, text: str) -> str | None:
    """Return the language of a text that its script and its words tell, if they do."""
    languages = sorted(_OF_SCRIPT.get(script, ()))
    if len(languages) < 2:
        return next(iter(languages), None)
    shares = _shares(text, Counter(languages))
    if not shares:
        if script == "Hani":
            return "zh"
        return None
    return max(languages, key=lambda language: shares[language])


def _fits(language: str, script: str | None) -> bool:
    if script is None:
        return True
    if script == "Latn":
        return language not in _OTHER_SCRIPTS
    return language in _OF_SCRIPT[script]


def _shares(text: str, languages: Counter[str]) -> dict[str, float]:
    """Return for each language which share of the words are function words of it, none where all tell little."""
    words = text.casefold().split()
    shares = {
        language: sum(word.strip(".,;:!?\"'") in _function_words().get(language, ()) for word in words)
        / (len(words) or 1)
        for language in languages
    }
    if max(shares.values()) >= MIN_WORDS:
        return shares
    return {}
