"""The words for roles of people and of days on a page, in many languages.

CLDR has no such words; this table is made by hand, after news sites and blogs of each language. A row holds, in this
order: prepositions that lead to a name (`by`), words that name the author or the writing (`author`), words for other
work (photo, translation, source), words for a revision, words for publication, and what joins two names.

A preposition counts where the page is in its language, before a full name. A word for the author counts everywhere.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from pathlib import Path
from typing import Literal, NamedTuple

Role = Literal["by", "author", "other", "updated", "published"]

_WORDS_FILE = Path(__file__).with_name("role_words.txt")
_ROLES: tuple[Role, ...] = ("by", "author", "other", "updated", "published")
MAX_LABEL_WORDS = 4
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
    table = _labels()
    window = text[offset : offset + MAX_LABEL_CHARS].casefold()
    ends = [at for at in range(1, len(window) + 1) if _is_end(window, at)]
    for end in reversed(ends):
        name = window[:end].rstrip(".")
        entry = table.get(" ".join(name.split()) if "  " in name else name)
        if entry is not None:
            return RoleLabel(entry[0], entry[1], end, name)
    return None


def joiners(language: str | None) -> frozenset[str]:
    """Return the words that join two names in a language."""
    return _joiners().get(language or "", frozenset())


def prepositions(language: str | None) -> frozenset[str]:
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
    lines = (line.split(";") for line in _WORDS_FILE.read_text("utf-8").splitlines() if not line.startswith("#"))
    return [(line[0].strip(), [_cell(cell) for cell in line[1:]]) for line in lines]


def _rows() -> list[tuple[str, list[list[str]]]]:
    return [line for line in _lines() if not line[0].startswith("@")]


@lru_cache(maxsize=8)
def _special(name: str) -> frozenset[str]:
    return frozenset(next(cells[0] for key, cells in _lines() if key == f"@{name}"))


def _cell(cell: str) -> list[str]:
    return [word for part in cell.split(",") if (word := part.strip().casefold())]


@lru_cache(maxsize=1)
def _labels() -> dict[str, tuple[Role, frozenset[str]]]:
    table: dict[str, dict[Role, set[str]]] = {}
    for language, cells in _rows():
        for role, words in zip(_ROLES, cells, strict=False):
            for word in words:
                table.setdefault(word, {}).setdefault(role, set()).add(language)
    labels: dict[str, tuple[Role, frozenset[str]]] = {}
    for word, roles in table.items():
        role = max(roles, key=lambda role: (len(roles[role]), role != "by"))
        if "author" in roles and role == "by":
            role = "author"
        labels[word] = (role, frozenset(roles[role]))
    return labels


@lru_cache(maxsize=1)
def _joiners() -> dict[str, frozenset[str]]:
    return {language: frozenset(cells[5]) for language, cells in _rows() if len(cells) > 5}


@lru_cache(maxsize=1)
def _prepositions() -> dict[str, frozenset[str]]:
    return {language: frozenset(cells[0]) for language, cells in _rows()}
