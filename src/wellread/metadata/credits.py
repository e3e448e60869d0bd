"""Reads credit lines in any language: authors, other contributors, the day of publication, the day of a revision.

A line is cut at its dates, at separators and at labels. What stands behind a word for the author are names;
what stands behind a word for other work (`Foto:`) names no author.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from wellread.lazy_pattern import lazy_pattern
from wellread.text.dates import DateSpan, spans
from wellread.text.dates.named_months import FILLERS, is_weekday, primary_language

if TYPE_CHECKING:
    from collections.abc import Iterator


MAX_LINE = 300
MAX_NAME = 60
MAX_NAME_WORDS = 6
MAX_UNSPACED_NAME = 14
MAX_BARE_UNSPACED = 5
MAX_STAMP = 150
MAX_STAMP_WORDS = 2
MAX_LEAD_WORDS = 3
"""Words that may lead from a name to a day: `Ana Gil el martes 3 de mayo`."""
MAX_LEAD = 60
"""Characters before a day in which its label is looked for."""

_SEPARATOR = lazy_pattern(
    r"\s*[\n|\u00b7\u2022\u25cf\uff5c\u4e28\u2502\u30fb;]\s*|\s+[-\u2013\u2014/]+\s+|\s*[\u2014\uff0f]\s*|\s\s+|\s*\s//\s"
)
_TIME = lazy_pattern(
    r"(?:\b(?:at|um|kl\.?|klo|alle|\u00e0|\u00e0s|a las|a les|saat|v|\u0432|\u043e|\u0443|om|pukul)\s+)?"
    r"\b\d{1,2}\s?[:.h\u6642\u65f6\uc2dc]\s?\d\d(?:[:.\u5206]\d\d)?\b(?:\s?(?:uhr|Uhr|[AaPp]\.?[Mm]\b\.?|[A-Z]{2,4}\b|\u0447\.?|\u0e19\.|\u0635|\u0645|h\b))?"
)
_COLON = lazy_pattern(r"\s*[:\uff1a\u055d\ufe55\u02d0\uff1d]\s*")
_COLON_OR_SLASH = lazy_pattern(r"\s*[:\uff1a\u055d/\uff0f|\uff1d]\s*")
_ALSO = lazy_pattern(
    r"\s*(?:[&+,/\u00b7\u30fb\u3001\uff06]|\b(?:und|et|y|e|og|och|ja|i|and|en|\u0438|\u0442\u0430|ve)\b)\s*"
)
"""Joins two labels: `Text und Fotos: Jo Doe`."""
_HANGUL_DOT = lazy_pattern("(?<=[\uac00-\ud7af])[\u00b7\u30fb](?=[\uac00-\ud7af])")
_MAIL = lazy_pattern(r"[^\s@]{1,60}@\S{1,60}")
_BRACKETS = lazy_pattern(r"(?<=\S)\s*[(\uff08][^()\uff08\uff09]{0,60}[)\uff09]")
_VERB = lazy_pattern(r"[^\W\d_]{2,20} (?P<by>[^\W\d_]{2,7}) (?=[^\W\d_])")
_UNKNOWN = "und"
"""BCP 47 for a language that is not known."""
_AFTER_VERB = frozenset({"par", "por", "door", "deur", "przez", "oleh", "b\u1edfi", "\u03b1\u03c0\u03cc"})
"""Prepositions that stand in no name: any word before one is a verb, as in `Post\u00e9 par`."""
_WORD_START = lazy_pattern(r"(?:^|(?<=[\s,\uff0c\u3001\u3002\u060c(\uff08\u3000]))(?=\w)")
_BETWEEN = lazy_pattern(r"\s*[,;\u3001\uff0c\u060c&\u061b]\s*|\s+[+/]\s+")
_SECTION = lazy_pattern(r"(?:^|[\s,])(?:in|em|dans|unter|under|filed under:?)\s+(?=[^\W\d_a-z])")
"""Leads from names to the section or the place of an article, as on theportugalnews.com: `By TPN, in News, Sport`."""
_EDGE = (
    ' \t\u00a0|\u2022\u25cf*\u00b7-\u2013\u2014/:;,&\u00bb\u203a"\u201c\u201d'
    "\uff1a\uff0f\uff0c\u3001()\uff08\uff09\u3010\u3011[]\u060c."
)
_BAD = lazy_pattern(r"[\d@$\u20ac\u00a3{}<>=_%#!?\u2026\u3002\u300c\u300d\u3001\uff0c\u0964]|\w\.\w+\.\w|https?:")
_PARTICLES = frozenset(
    [
        "a",
        "af",
        "al",
        "ap",
        "ab",
        "ben",
        "bin",
        "bint",
        "da",
        "dal",
        "dalla",
        "das",
        "de",
        "degli",
        "dei",
        "del",
        "della",
        "den",
        "der",
        "des",
        "di",
        "do",
        "dos",
        "du",
        "e",
        "el",
        "i",
        "ibn",
        "ja",
        "la",
        "las",
        "le",
        "lo",
        "los",
        "na",
        "ni",
        "ny",
        "ó",
        "san",
        "st",
        "ten",
        "ter",
        "thị",
        "till",
        "und",
        "van",
        "vander",
        "vom",
        "von",
        "y",
        "z",
        "zu",
        "zum",
        "zur",
        "och",
        "og",
        "de'",
        "d'",
        "mac",
        "mc",
        "nic",
        "uí",
        "abu",
    ]
)
_UNIVERSAL = frozenset(
    ["by", "von", "par", "por", "door", "di", "av", "af", "deur", "przez", "bởi", "від", "от", "του", "της"]
)
_KNOWN_EVERYWHERE = frozenset({"by", "von", "par", "por"})
"""Prepositions that lead to names on pages in other languages, too: in marked bylines, and in any line."""
_AGENCIES = frozenset(
    [
        "dpa",
        "afp",
        "apa",
        "sda",
        "kna",
        "epd",
        "efe",
        "ansa",
        "lusa",
        "anp",
        "belga",
        "ntb",
        "ritzau",
        "stt",
        "pap",
        "mti",
        "tass",
        "sid",
        "dpa-afx",
        "agenturen",
        "red",
        "reuters",
    ]
)
"""News agencies that sign in small letters."""
_NOBODY = frozenset(
    [
        "admin",
        "administrator",
        "author",
        "autor",
        "autorin",
        "auteur",
        "editor",
        "staff",
        "redaktion",
        "redaction",
        "redakcja",
        "redazione",
        "unknown",
        "anonymous",
        "guest",
        "user",
        "share",
        "follow",
        "home",
        "news",
        "video",
        "photo",
        "foto",
        "read",
        "more",
        "the",
        "this",
        "latest",
        "редакция",
    ]
)


@dataclass(slots=True)
class Credits:
    """The credits in a line."""

    authors: list[str] = field(default_factory=list)
    others: bool = False
    """It credits somebody for other work, as a photograph."""
    bare: list[str] = field(default_factory=list)
    """Parts without a label."""
    dated: bool = False
    labels: list[RoleLabel] = field(default_factory=list)


class DatedRole(NamedTuple):
    """A day in a text, its place, and the role that its label gives it."""

    stamp: str
    start: int
    role: Role | None


def read(text: str, language: str | None, *, marked: bool = False) -> Credits:
    """Return the credits in a line; `marked`: an element says that it is a byline."""
    return _read(text[:MAX_LINE], primary_language(language), marked)


def dated_roles(text: str, date_spans: list[DateSpan]) -> list[DatedRole]:
    """Return the days of a text with their labels: `Updated 3 March 2024; first published 28 February 2024`."""
    result = []
    free = 0
    next_starts = [*(span.start for span in date_spans[1:]), len(text)]
    for span, following in zip(date_spans, next_starts, strict=False):
        line_start = max(free, text.rfind("\n", 0, span.start) + 1, span.start - MAX_LEAD)
        role = lead_role(text[line_start : span.start]) or _label_above(text, free, line_start, span.start)
        free = span.end
        if role is None and (label := _label_behind(text, span.end, following)):
            role = label.role
            free += label.length + 1  # it is not the next day's
        result.append(DatedRole(span.stamp, span.start, role))
    return result


def is_stamp(text: str, language: str | None) -> bool:
    """Return whether a line holds no more than an author and a date."""
    credit = read(text, language)
    few = all(len(part.split()) <= MAX_STAMP_WORDS or is_person(part) for part in credit.bare)
    return (
        (credit.dated or bool(credit.labels)) and few and len(text) <= MAX_STAMP and not is_long_unspaced(credit.bare)
    )


def is_long_unspaced(parts: list[str]) -> bool:
    """Tell whether a part is too long for a name in a script that puts no spaces between words."""
    return any(len(part) > MAX_UNSPACED_NAME + 4 and is_unspaced(part[len(part) // 2]) for part in parts)


def is_person(name: str, *, full: bool = False) -> bool:
    """Tell whether a text looks like the name of somebody; `full` asks for more than one word where names have them."""
    words = name.split()
    if not 0 < len(words) <= MAX_NAME_WORDS or len(name) > MAX_NAME or _BAD.search(name):
        return False
    if name in _AGENCIES:
        return True
    plain = {word.casefold().strip(".") for word in words}
    if not plain.isdisjoint(_NOBODY) or (len(words) > 1 and is_weekday(name)):
        return False
    thai = "\u0e00" <= name[0] <= "\u0eff"
    if is_unspaced(name[0]) and not thai:
        return 2 <= len("".join(words)) <= MAX_UNSPACED_NAME
    ends_low = len(words) > 1 and _is_particle(words[-1]) and words[-1].islower()
    several = thai or len([word for word in words if not _is_particle(word)]) > 1
    return all(map(_is_name_word, words)) and not ends_low and (several or not full)


def _is_particle(word: str) -> bool:
    return word.casefold() in _PARTICLES


def _is_name_word(word: str) -> bool:
    first = next((character for character in word if character.isalpha()), "")
    if not first or first.upper() == first.lower() or "\u10a0" <= first <= "\u10ff":  # Georgian has no capitals
        return bool(first)  # scripts without capitals
    return (
        not first.islower()
        or word.casefold() in _PARTICLES
        or word[:2] in {"d'", "l'", "d\u2019", "l\u2019"}
        or "-" in word
    )


@lru_cache(maxsize=512)
def _read(text: str, language: str | None, marked: bool) -> Credits:  # noqa: FBT001  # lru_cache
    credit = Credits()
    if "\u00b7" in text or "\u30fb" in text:
        text = _HANGUL_DOT.sub(", ", text)
    text = _BRACKETS.sub("", _MAIL.sub(" ", text))
    pieces: list[str] = []
    end = 0
    for span in spans(text, language=language, month_first=False):
        pieces.append(_before_date(text[end : span.start], language))
        end = span.end
        credit.dated = True
    pieces.append(text[end:])
    for index, piece in enumerate(pieces):
        undated = piece
        if any(map(str.isdigit, piece)):
            undated = _TIME.sub("\n", piece)
        if index:
            undated = _without_fillers(undated)
        alone = _compound(undated)
        credit.others |= alone != undated
        for part in _segments(alone):
            _read_segment(credit, part, language, marked=marked)
    return credit


def _compound(text: str) -> str:
    """Return a text whose first label names the author alone: `Text: Jo Doe` of `Text und Fotos: Jo Doe`."""
    start = len(text) - len(text.lstrip())
    first = label_at(text, start)
    if first is None:
        return text
    also = _ALSO.match(text, start + first.length)
    if also is None:
        return text
    second = label_at(text, also.end())
    if second is None or "author" not in {first.role, second.role}:
        return text
    author = first if first.role == "author" else second
    after_label = text[also.end() + second.length :]
    if not _COLON.match(after_label):
        after_label = f":{after_label}"
    return f"{author.words}{after_label}"


def _segments(text: str) -> Iterator[str]:
    """Yield the parts of a text between separators; a label that stands alone leads to the part behind it."""
    alone = ""
    for segment in _SEPARATOR.split(text):
        part = segment.strip(" \t,")
        if not part:
            continue
        label = label_at(part)
        if label is not None and label.length == len(part) and label.role in {"author", "other"}:
            alone = part
            continue
        yield f"{alone}: {part}" if alone else part
        alone = ""


def _before_date(text: str, language: str | None) -> str:
    """Return the text before a date, without the words that lead to the date: `Ana Gil el 3 de mayo`."""
    words = text.split(" ")
    least = len(words) - MAX_LEAD_WORDS
    while len(words) > least and words and (not words[-1].strip(",.") or _is_lead(words[-1], language)):
        label = label_at(words[-1].strip(","))
        if len(words) == 1 or (label is not None and label.role != "by"):
            break
        words.pop()
    return " ".join(words)


def _is_lead(word: str, language: str | None) -> bool:
    core = word.strip(",.:()")
    return bool(core) and (is_weekday(core, language or "en") or (core.islower() and len(core) <= 5))


def _without_fillers(text: str) -> str:
    """Return the text after a date, without the abbreviations that end the date: `2020 г. Name`."""
    words = text.split(" ")
    while words and words[0].strip(",.").casefold() in FILLERS | {""} and not (words[0] and words[0][0].isupper()):
        if label_at(words[0]) is not None and words[0].strip(",") not in {"", "m.", "d.", "г.", "р."}:
            break
        words.pop(0)
    return " ".join(words)


def _read_segment(credit: Credits, segment: str, language: str | None, *, marked: bool) -> None:
    starts = list(_labels(segment, language, marked=marked))
    if not starts:
        _read_unlabelled(credit, segment, language)
        return
    if lead := segment[: starts[0][0]].strip(_EDGE):
        _read_unlabelled(credit, lead, language)
    stops = [*(start for start, *_ in starts[1:]), len(segment)]
    for (start, length, label), stop in zip(starts, stops, strict=True):
        after_label = segment[start + length : stop].strip(_EDGE)
        credit.labels.append(label)
        if label.role in {"by", "author"}:
            languages = label.languages
            if language in languages:
                languages = frozenset({language or _UNKNOWN})
            credit.authors.extend(name for name in _names(after_label, languages) if name not in credit.authors)
        elif label.role == "other":
            credit.others = True


def _read_unlabelled(credit: Credits, part: str, language: str | None) -> None:
    words = part.split()
    last = "".join(words[-1:]).strip(".,")
    if is_occupation(last.casefold()) and len(words) > 1:
        if is_photographer_word(last.casefold()):
            credit.others = True
        else:
            credit.authors.extend(_names(" ".join(words[:-1]), frozenset({language or _UNKNOWN})))
        return
    credit.bare.append(part)


def _labels(segment: str, language: str | None, *, marked: bool) -> Iterator[tuple[int, int, RoleLabel]]:
    """Yield where each label of a segment starts, its length with the colon, and the label."""
    behind = 0
    verb = _VERB.match(segment)
    if (
        verb
        and label_at(segment) is None
        and verb["by"] in _AFTER_VERB
        and is_person(_first_name(segment[verb.end() :], language))
    ):
        behind = verb.end()
        yield 0, behind, RoleLabel("author", frozenset({_UNKNOWN}), behind, verb[0].strip())
    for match in _WORD_START.finditer(segment):
        start = match.start()
        if start < behind:
            continue
        label = label_at(segment, start)
        if label is None:
            continue
        after_label = segment[start + label.length :]
        slashes = is_unspaced(label.words[-1])
        colon = (_COLON_OR_SLASH if slashes else _COLON).match(after_label.lstrip("."))
        length = label.length + len(after_label) - len(after_label.lstrip("."))
        if colon is not None:
            length += colon.end()
        if start and label.words in _UNIVERSAL and not segment[:start].rstrip().endswith(","):
            continue  # `Sort by: Price`
        if colon or _counts(label, segment, start, segment[start + length :], language, marked=marked):
            behind = start + length
            yield start, length, label


def _counts(
    label: RoleLabel, segment: str, start: int, after_label: str, language: str | None, *, marked: bool
) -> bool:
    """Tell whether a label without a colon is one here."""
    spoken = language in label.languages or " " in label.words
    if label.role in {"updated", "published"}:
        return spoken or "en" in label.languages
    if not after_label.strip() or (start and not _leads_within(label, segment[:start], spoken=spoken)):
        return False
    return _leads(label, after_label, language, marked=marked, alone=not start)


def _leads(label: RoleLabel, after_label: str, language: str | None, *, marked: bool, alone: bool) -> bool:
    """Tell whether a label without a colon leads to a name; `alone`: nothing stands before it in its segment."""
    spoken = language in label.languages or " " in label.words
    start = not alone
    if names_the_text(label.words):
        beside = spoken and language != "en" and not start and label.role == "author"
        return beside and is_person(_first_name(after_label, language), full=True)
    if label.role == "by" or label.words in prepositions_of(language) or (label.words in _UNIVERSAL and not spoken):
        return _leads_to_name(label, after_label, language, marked=marked)
    if label.role == "other":
        return (spoken or (marked and not start)) and is_person(_first_name(after_label, language), full=not spoken)
    if is_unspaced(label.words[-1]) and after_label[:1].isalpha():
        return language in label.languages and _is_short_name(after_label)
    return (spoken or marked) and is_person(_first_name(after_label, language), full=not (marked or spoken))


def _is_short_name(text: str) -> bool:
    """Tell whether a text without spaces begins with a name that something else ends: `林怡君／台北報導`."""
    short = re.split(r"[\s\uff0f/]", text, maxsplit=1)[0]
    return (is_person(short) and len(short) <= MAX_BARE_UNSPACED) or "\u0e00" <= text[0] <= "\u0eff"


def _leads_within(label: RoleLabel, before: str, *, spoken: bool) -> bool:
    """Tell whether a label may stand within a segment: a phrase behind a comma (`, escrito por`), or for other work."""
    if is_unspaced(label.words[0]):
        return True
    return " " in label.words and (before.rstrip().endswith(",") or (spoken and label.role == "other"))


def _leads_to_name(label: RoleLabel, after_label: str, language: str | None, *, marked: bool) -> bool:
    """Tell whether a preposition leads to a name, in the page's language or, in a byline, in one that all know."""
    is_native = label.words in prepositions_of(language)
    prepositions = _UNIVERSAL if marked else _KNOWN_EVERYWHERE
    if not is_native and label.words not in prepositions:
        return False
    if language not in label.languages:
        language = next(iter(sorted(label.languages)), None)
    first = _first_name(after_label, language)
    alone = is_native and marked  # a single name
    acronym = (is_native or marked) and first.isupper()
    return is_person(first, full=not (alone or acronym))


def _first_name(text: str, language: str | None) -> str:
    """Return the first name in a text, up to the next label: `Jo Doe edited by Al Roe`."""
    for match in _WORD_START.finditer(text[:MAX_NAME]):
        if not match.start():
            continue
        label = label_at(text, match.start())
        if label is not None and " " in label.words and label.role != "by":
            text = text[: match.start()]
            break
    return next(iter(_split(text.strip(_EDGE), frozenset({language or _UNKNOWN}))), "")


def _names(text: str, languages: frozenset[str]) -> list[str]:
    """Return the names in a text up to its section or place: `Jo Doe in News, Sport`."""
    names: list[str] = []
    for part in _split(before_section(text), languages):
        name = _without_occupation(part)
        if not is_person(name):
            continue
        if names and _is_place_or_paper(name, names[0]):
            continue
        names.append(name)
    return names[:12]


def _is_place_or_paper(name: str, first_name: str) -> bool:
    """Tell whether what follows a full name is no name: `Jutta Brandt, Hamburg`, `David Straub, MDR THÜRINGEN`."""
    if " " not in first_name or name in _AGENCIES or name[0].upper() == name[0].lower():
        return False
    if " " in name:
        return name.isupper() and not first_name.isupper()
    return not name.isupper()


def before_section(text: str) -> str:
    """Return a text up to the section or the place that follows names."""
    return _SECTION.split(text, maxsplit=1)[0]


def _split(text: str, languages: frozenset[str]) -> list[str]:
    if "zh" in languages and all(is_unspaced(part[0]) for part in text.split()):
        text = ", ".join(text.split())
    joiners = frozenset({"and", "&"}).union(*map(joiners_of, languages))
    pieces: list[str] = []
    for part in _BETWEEN.split(text):
        words: list[str] = []
        for word in part.split():
            if word.casefold() in joiners and words and is_person(" ".join(words)):
                pieces.append(" ".join(words))
                words = []
            else:
                words.append(word)
        pieces.append(" ".join(words))
    return [piece for joined in pieces if (piece := joined.strip(_EDGE))]


def _without_occupation(name: str) -> str:
    words = name.split()
    while len(words) > 1 and is_occupation(words[-1].strip(".,").casefold()):
        words.pop()
    for trade in ("記者", "报道", "報導", "기자"):
        if len(words) == 1 and words[0].endswith(trade) and len(words[0]) > len(trade) + 1:
            words[0] = words[0].removesuffix(trade)
    return " ".join(words)


def lead_role(lead: str) -> Role | None:
    """Return the role that the last label before a day gives it."""
    role: Role | None = None
    behind = 0
    for match in _WORD_START.finditer(lead):
        if match.start() < behind:
            continue
        label = label_at(lead, match.start())
        if label is not None and label.role in {"updated", "published"}:
            role = label.role
            behind = match.start() + label.length
    return role


def _label_above(text: str, free: int, line_start: int, at: int) -> Role | None:
    """Return the role that a label on a line of its own gives to the day at the start of the next line."""
    if text[line_start:at].strip() or line_start - 1 <= free:
        return None
    above = text[text.rfind("\n", free, line_start - 1) + 1 : line_start].strip(f"{_EDGE}\n")
    label = label_at(above)
    is_whole = label is not None and label.length == len(above) and label.role in {"updated", "published"}
    if label is not None and is_whole:
        return label.role
    return None


def _label_behind(text: str, end: int, following: int) -> RoleLabel | None:
    """Return the label right behind a day: `2021年9月2日更新`."""
    start = end + (text[end : end + 1] == " ")
    label = label_at(text, start)
    if label is None or label.role not in {"updated", "published"} or not is_unspaced(label.words[0]):
        return None
    after_label = text[start + label.length : following]
    leads = _COLON.match(after_label) is not None or (not after_label and following < len(text))  # to the next day
    if leads:
        return None
    return label


# ------------------------------------------------------------------------------------------------------ words for roles
# The words for roles of people and of days on a page, in many languages.
#
# CLDR has no such words; this table is made by hand, after news sites and blogs of each language. A row holds, in this
# order: prepositions that lead to a name (`by`), words that name the author or the writing (`author`), words for other
# work (photo, translation, source), words for a revision, words for publication, and what joins two names.
#
# A preposition counts where the page is in its language, before a full name. A word for the author counts everywhere.

Role = Literal["by", "author", "other", "updated", "published"]

_WORDS_FILE = Path(__file__).with_name("role_words.txt")
_ROLES: tuple[Role, ...] = ("by", "author", "other", "updated", "published")
MAX_LABEL_CHARS = 40


class RoleLabel(NamedTuple):
    """A label at the beginning of a text."""

    role: Role
    languages: frozenset[str]
    length: int
    """Characters up to its end."""
    words: str


def label_at(text: str, offset: int = 0) -> RoleLabel | None:
    """Return the longest label that begins at `offset`, None where there is none."""
    table = _roles_by_name()
    window = text[offset : offset + MAX_LABEL_CHARS].casefold()
    ends = [at for at in range(1, len(window) + 1) if _is_end(window, at)]
    for end in reversed(ends):
        name = window[:end].rstrip(".")
        spaced_name = " ".join(name.split()) if "  " in name else name
        if spaced_name in table:
            role, languages = _commonest_role(spaced_name)
            return RoleLabel(role, languages, end, name)
    return None


def joiners_of(language: str | None) -> frozenset[str]:
    """Return the words that join two names in a language."""
    return _joiners().get(language or "", frozenset())


def prepositions_of(language: str | None) -> frozenset[str]:
    """Return the prepositions that lead to a name in a language."""
    return _prepositions().get(language or "", frozenset())


def is_occupation(word: str) -> bool:
    """Return whether a word follows a name and gives the person's occupation: `기자`."""
    return word in _special("after name")


def is_photographer_word(word: str) -> bool:
    """Return whether a word follows the name of a photographer: `nuotr`."""
    return word in _special("photo after name")


def names_the_text(word: str) -> bool:
    """Tell whether a label is a word for the text itself, which needs a colon behind it."""
    return word in _special("colon only")


def _is_end(window: str, at: int) -> bool:
    """Tell whether a label may end here: at the border of a word, or anywhere in scripts without spaces."""
    last = window[at - 1]
    if not (last.isalnum() or last in "'’" or not last.isascii()):
        return False
    if at == len(window):
        return True
    following = window[at]
    if is_unspaced(last):
        return True
    return not (following.isalnum() or (not following.isascii() and _is_mark(following)))


def is_unspaced(character: str) -> bool:
    """Tell whether a character is of a script that puts no spaces between words."""
    return "\u3040" <= character <= "\u30ff" or "\u3400" <= character <= "\u9fff" or "\u0e00" <= character <= "\u0eff"


def _is_mark(character: str) -> bool:
    """Tell whether a character belongs to the letter before it."""
    return unicodedata.category(character).startswith("M")


@lru_cache(maxsize=1)
def _lines() -> list[tuple[str, list[list[str]]]]:
    text = _WORDS_FILE.read_text("utf-8").casefold()
    lines = (line.split(";") for line in text.splitlines() if not line.startswith("#"))
    return [(line[0].strip(), [_cell(cell) for cell in line[1:]]) for line in lines]


def _rows() -> list[tuple[str, list[list[str]]]]:
    return [line for line in _lines() if not line[0].startswith("@")]


@lru_cache(maxsize=8)
def _special(name: str) -> frozenset[str]:
    return frozenset(next(cells[0] for key, cells in _lines() if key == f"@{name}"))


def _cell(cell: str) -> list[str]:
    return [word for part in cell.split(",") if (word := part.strip())]


@lru_cache(maxsize=1)
def _roles_by_name() -> dict[str, list[tuple[Role, str]]]:
    """Return the roles of each word, with the languages in which it has them."""
    roles: dict[str, list[tuple[Role, str]]] = {}
    for language, cells in _rows():
        for role, words in zip(_ROLES, cells, strict=False):
            for word in words:
                roles.setdefault(word, []).append((role, language))
    return roles


@lru_cache(maxsize=512)
def _commonest_role(name: str) -> tuple[Role, frozenset[str]]:
    """Return the role that a word has in most languages, and these; a page needs few of all words."""
    languages: dict[Role, set[str]] = {}
    for role, language in _roles_by_name()[name]:
        languages.setdefault(role, set()).add(language)
    commonest = max(languages, key=lambda role: (len(languages[role]), role != "by"))
    if "author" in languages and commonest == "by":
        commonest = "author"
    return commonest, frozenset(languages[commonest])


@lru_cache(maxsize=1)
def _joiners() -> dict[str, frozenset[str]]:
    return {language: frozenset(cells[5]) for language, cells in _rows() if len(cells) > 5}


@lru_cache(maxsize=1)
def _prepositions() -> dict[str, frozenset[str]]:
    return {language: frozenset(cells[0]) for language, cells in _rows()}
