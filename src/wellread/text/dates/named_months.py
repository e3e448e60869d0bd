"""Finds dates with the name of a month in any language: `23. března 2021`, `٥ سبتمبر ٢٠٢٠`, `2021 m. kovo 4 d.`.

The names come from CLDR (`names.txt`, written by `benchmarks/month_names.py`) and from `MORE_MONTHS`. A text is read
once, token by token: around each name of a month, at most `MAX_FILLERS` tokens away, stand the day and the year.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from wellread.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MAX_FILLERS = 3
FIRST_BUDDHIST_YEAR = 2400
BUDDHIST_YEARS = 543
"""What the calendar of Thailand counts more than the Gregorian one."""
MAX_NAME_WORDS = 2
MIN_STEM = 4
MIN_KNOWN = 3
MAX_ENDING = 4
MAX_SUFFIX = 5
"""Letters that may hang on a number: `2021eko`, `14th`, `2019-cu`."""

# Spellings that CLDR does not have: other names in use, cases in which a month stands in a date, transcriptions.
MORE_MONTHS = {
    "ar": "||اذار|ابريل|ايار|||اغسطس,آب,اب|ايلول|اكتوبر,تشرين الاول|تشرين الثاني|كانون الاول",
    "bn": "জানুয়ারী|ফেব্রুয়ারী||||||আগস্ট,অগাস্ট||||",
    "de": "jänner,jän|feber|mrz|||||||||",
    "en": "||||||||sept|||",
    "es": "||||||||set,setiembre|||",
    "eu": "urtarrilaren,urtarrilak|otsailaren,otsailak|martxoaren,martxoak|apirilaren,apirilak|maiatzaren,maiatzak"
    "|ekainaren,ekainak|uztailaren,uztailak|abuztuaren,abuztuak|irailaren,irailak|urriaren,urriak|azaroaren,azaroak"
    "|abenduaren,abenduak",
    "fa": "ژانویه|فوریه|||می,مه|ژوئن,جون|ژوئیه,جولای|اوت,آگوست|||نوامبر|دسامبر",
    "ga": "|||||||||||",
    "hi": "|||||||||||",
    "id": "|pebruari||||||agt,agustus||||",
    "it": "genn||||||||sett|||",
    "lt": "sausio|vasario|kovo|balandžio|gegužės|birželio|liepos|rugpjūčio|rugsėjo|spalio|lapkričio|gruodžio",
    "lv": "janvārī|februārī|martā|aprīlī|maijā|jūnijā|jūlijā|augustā|septembrī|oktobrī|novembrī|decembrī",
    "mk": "јан|фев|мар||||||септ|окт|ное|дек",
    "mr": "|||||||ऑगस्ट,आॅगस्ट||||",
    "nb": "||mar||||||sept|||",
    "ne": "||||||||सेप्टेम्बर|||",
    "pt": "||||||||set|||",
    "sq": "||||maj|||||||",
    "sv": "||||||||sept|||",
    "tr": "||||||||||ksm|",
    "uk": "||||||||вер|||",
    "ur": "||||||||ستمبر|||",
}
FILLERS = frozenset(
    [
        "a",
        "al",
        "an",
        "päivänä",
        "päivä",
        "թ",
        "թ.",
        "dna",
        "dňa",
        "ci",
        "cü",
        "cı",
        "cu",
        "d",
        "da",
        "de",
        "del",
        "den",
        "der",
        "di",
        "dia",
        "dne",
        "do",
        "e",
        "ə",
        "gada",
        "gads",
        "het",
        "i",
        "in",
        "ja",
        "ko",
        "eko",
        "kun",
        "la",
        "le",
        "lé",
        "m",
        "na",
        "nd",
        "o",
        "of",
        "os",
        "rd",
        "st",
        "t",
        "ta",
        "te",
        "th",
        "the",
        "tis",
        "y",
        "г",
        "г.",
        "год",
        "года",
        "гг",
        "гада",
        "дня",
        "й",
        "ші",
        "р",
        "року",
        "рік",
        "р.",
        "гад",
        "години",
        "жылғы",
        "жылы",
        "жыл",
        "წლის",
        "წელი",
        "თ",
        "թվականի",
        "թվականին",
        "հունի",
        "ին",
        "ի",
        "ը",
        "ي",
        "ה",
        "ב",
        "של",
        "की",
        "के",
        "को",
        "の",
    ]
)
_TOKEN = lazy_pattern(r"\d+|[^\W\d_][^\s\d.,;:|/\\()\[\]{}<>«»\"“”„•·–—\-_،、。，：；…!?'’`~*#@&+=]*|[^\s]|\n")
_SIGNS = frozenset(".,،-–/'’ºª°ʼ՝׳")
_YEAR = lazy_pattern(r"(?:1[9]|2[0-5])\d\d")
_OTHER_DIGITS = lazy_pattern(r"(?![0-9])\d")
_BEFORE_NUMBER = frozenset("/:.-")


class Worded(NamedTuple):
    """A date with the name of a month, and where it stands in the text."""

    start: int
    end: int
    year: int
    month: int
    day: int


class _DateToken(NamedTuple):
    text: str
    start: int
    end: int


def ascii_digits(text: str) -> str:
    """Return `text`, of the same length, with the decimal digits of all scripts as 0 to 9."""
    if text.isascii():
        return text
    return _OTHER_DIGITS.sub(lambda digit: str(unicodedata.decimal(digit[0])), text)


def worded(text: str, language: str | None = None) -> list[Worded]:
    """Return the dates in `text`, whose digits are ASCII; `language` (BCP 47) decides where a name means two months."""
    if _YEAR.search(text) is None:
        return []
    primary = primary_language(language)
    tokens = [_DateToken(match[0], *match.span()) for match in _TOKEN.finditer(text)]
    dates: list[Worded] = []
    index, free = 0, 0  # tokens before `free` belong to a date
    while index < len(tokens):
        month, width = _month_at(tokens, index, primary)
        date = _around(tokens, index, width, month, free, primary) if month else None
        if date is None:
            index += 1
            continue
        dates.append(date[0])
        index = free = date[1]
    return dates


def is_weekday(word: str, primary: str | None = None) -> bool:
    """Tell whether a word is a weekday's name in a language or in English, in any where `primary` is None."""
    languages = _weekdays().get(_folded(word), frozenset())
    if primary is None:
        return bool(languages)
    return not languages.isdisjoint({primary, "en"})


def primary_language(language: str | None) -> str | None:
    """Return the language of a BCP 47 tag as the tables call it: `sr` of sr-Latn-RS, `nb` of no."""
    primary = (language or "").replace("_", "-").partition("-")[0].casefold()
    return {"no": "nb", "iw": "he", "in": "id", "tl": "fil", "mo": "ro"}.get(primary, primary) or None


def _around(
    tokens: Sequence[_DateToken], index: int, width: int, month: int, free: int, primary: str | None
) -> tuple[Worded, int] | None:
    """Return the date around the month at `index`, and the token behind it."""
    after = index + width
    before = _number(tokens, range(index - 1, max(free - 1, index - 2 - MAX_FILLERS), -1), month, primary)
    behind = _number(tokens, range(after, min(len(tokens), after + MAX_FILLERS + 2)), month, primary)
    beyond = lead = None
    if behind is not None and _is_day(tokens, behind):
        beyond = _number(tokens, range(behind + 1, min(len(tokens), behind + 2 + MAX_FILLERS)), month, primary)
    if before is not None and _is_day(tokens, before):
        lead = _number(tokens, range(before - 1, max(free - 1, before - 2 - MAX_FILLERS), -1), month, primary)
    shapes = (  # day and year: `23 March 2021`, `2021 March 23`, `March 23, 2021`, `2021. gada 23. martā`
        (before, behind, before, behind),
        (behind, before, before, behind),
        (behind, beyond, index, beyond),
        (before, lead, lead, after - 1),
    )
    for day, year, start, last in shapes:
        if day is None or year is None or start is None or last is None:
            continue
        if _is_day(tokens, day) and _is_year(tokens[year]):
            return _dated(tokens, month, (day, year), (start, last), thai=_is_thai(tokens[index], primary))
    return None


def _is_thai(month: _DateToken, primary: str | None) -> bool:
    return primary == "th" or "\u0e00" <= month.text[0] <= "\u0e7f"


def _dated(
    tokens: Sequence[_DateToken], month: int, numbers: tuple[int, int], ends: tuple[int, int], *, thai: bool
) -> tuple[Worded, int] | None:
    """Return the date of which the day and the year are at `numbers`, with its suffixes."""
    day, year = (int(tokens[number].text) for number in numbers)
    start, stop = ends[0], ends[1] + 1
    while stop < len(tokens) and _is_suffix(tokens, stop):
        stop += 1
    if year > FIRST_BUDDHIST_YEAR:
        if not thai:
            return None
        year -= BUDDHIST_YEARS
    return Worded(tokens[start].start, tokens[stop - 1].end, year, month, day), stop


def _number(tokens: Sequence[_DateToken], indexes: range, month: int, primary: str | None) -> int | None:
    """Return the first of `indexes` that is a number, if nothing but fillers lies before it."""
    for index in indexes:
        token = tokens[index]
        if token.text[0].isdecimal():
            if len(token.text) > 4:
                return None
            return index
        if token.text in _SIGNS or token.text.casefold() in FILLERS or _is_suffix(tokens, index):
            continue
        if _month_at(tokens, index, primary)[0] != month:  # `أيار/مايو` names one month twice
            return None
    return None


def _is_suffix(tokens: Sequence[_DateToken], index: int) -> bool:
    """Tell whether a token hangs on a number: the letters of `14th`, `2021eko`, the hyphen of `5-ին`."""
    if not index:
        return False
    token, last = tokens[index], tokens[index - 1]
    if token.start != last.end or len(token.text) > MAX_SUFFIX:
        return False
    if token.text == "-":
        return last.text[0].isdecimal() and index + 1 < len(tokens) and tokens[index + 1].text[0].isalpha()
    hyphened = (
        last.text == "-" and index > 1 and tokens[index - 2].text[0].isdecimal() and last.start == tokens[index - 2].end
    )
    return token.text[0].isalpha() and (last.text[0].isdecimal() or hyphened)


def _is_day(tokens: Sequence[_DateToken], index: int) -> bool:
    token = tokens[index]
    if len(token.text) > 2 or not 0 < int(token.text) <= 31:
        return False
    before = tokens[index - 1] if index else None
    if before is None or before.end != token.start or before.text not in _BEFORE_NUMBER:
        return True
    return before.text == "-" and index > 1 and tokens[index - 2].text[0].isalpha()  # Hebrew: `ב-5 במאי`


def _is_year(token: _DateToken) -> bool:
    return len(token.text) == 4 and _YEAR.fullmatch(token.text) is not None


def _month_at(tokens: Sequence[_DateToken], index: int, primary: str | None) -> tuple[int, int]:
    """Return the month that is named at `index`, 0 for none, and how many tokens name it."""
    if not tokens[index].text[0].isalpha():
        return 0, 1
    for width, words in _phrases(tokens, index):
        if month := _month(words, primary):
            return month, width
    return 0, 1


def _phrases(tokens: Sequence[_DateToken], index: int) -> Iterator[tuple[int, str]]:
    """Yield the words from `index` on, the longest phrase first, with its number of tokens; dots are skipped."""
    phrases = [(1, tokens[index].text)]
    at = index + 1
    if at < len(tokens) and tokens[at].text == ".":
        at += 1
    if at < len(tokens) and tokens[at].text[0].isalpha():
        phrases.append((at + 1 - index, f"{tokens[index].text} {tokens[at].text}"))
    yield from reversed(phrases)


@lru_cache(maxsize=4_096)
def _month(words: str, primary: str | None) -> int:
    """Return the month of this name, 0 for none: in `primary` first, else where all languages agree."""
    name = _folded(words)
    by_language = _months().get(name)
    if by_language is None:
        if primary == "he" and name.startswith("ב"):
            return _month(name[1:], primary)
        return _inflected(name, primary)
    if primary in by_language:
        return by_language[primary]
    months = list(by_language.values())
    if "en" in by_language:
        return by_language["en"]
    most = max(set(months), key=lambda month: (months.count(month), -month))
    if 2 * months.count(most) <= len(months):
        return 0
    return most


def _inflected(name: str, primary: str | None) -> int:
    """Return the month of which `name` may be a case: all but the end is the same as in one name of the language."""
    if primary is None or len(name) < MIN_STEM or " " in name:
        return 0
    matches = set()
    for name_known, month in _forms(primary):
        stem = max(min(len(name_known), MIN_STEM), len(name_known) - 2)
        if (
            len(name_known) >= MIN_KNOWN
            and name[:stem] == name_known[:stem]
            and len(name) - len(name_known) <= MAX_ENDING
        ):
            matches.add(month)
    if len(matches) != 1:
        return 0
    return matches.pop()


@lru_cache(maxsize=64)
def _forms(primary: str) -> tuple[tuple[str, int], ...]:
    return tuple((name, months[primary]) for name, months in _months().items() if primary in months)


@lru_cache(maxsize=1)
def _months() -> dict[str, dict[str, int]]:
    """Return the month that a name means in each language that has it; names stand in the tables as `_folded`."""
    months: dict[str, dict[str, int]] = {}
    rows = [(language, cells) for language, kind, cells in _rows() if kind == "months"]
    for language, cells in [*rows, *((language, more.split("|")) for language, more in MORE_MONTHS.items())]:
        for number, cell in enumerate(cells, 1):
            for name in filter(None, cell.split(",")):
                months.setdefault(name, {}).setdefault(language, number)
    return months


@lru_cache(maxsize=1)
def _weekdays() -> dict[str, frozenset[str]]:
    """Return the languages in which a name is that of a weekday: Friday is `anna` in Turkmen."""
    languages: dict[str, set[str]] = {}
    for language, kind, cells in _rows():
        for name in (name for cell in cells if kind == "days" for name in cell.split(",")):
            languages.setdefault(name, set()).add(language)
    return {name: frozenset(spoken) for name, spoken in languages.items()}


@lru_cache(maxsize=1)
def _rows() -> list[tuple[str, str, list[str]]]:
    text = Path(__file__).with_name("names.txt").read_text("utf-8")
    rows = (line.split("\t") for line in text.splitlines() if not line.startswith("#"))
    return [(language, kind, cells) for language, kind, *cells in rows]


def _folded(name: str) -> str:
    """Return a name as the table has it: normalised, in lower case, without dots."""
    return " ".join(unicodedata.normalize("NFC", name).casefold().replace(".", " ").replace("’", "'").split())
