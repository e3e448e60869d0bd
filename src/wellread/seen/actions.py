"""Tells links and elements that work as buttons from text: what asks the reader to print, save or share the page."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote

from wellread.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Mapping

_LONGEST: Final = 40
"""Characters of what a button says."""
_LONGEST_HREF: Final = 2_000
_MORE: Final = r"(?:\ \S+){0,3}"
_BEFORE: Final = r"(?:\S+\ ){0,3}"
_ACTION: Final = lazy_pattern(
    rf"""\W*(?:
    (?:print|pin|save|share|tweet|e-?mail|bookmark|rate|jump\ to|send){_MORE}
    | (?:imprimer|partager|enregistrer|sauvegarder|\u00e9pingler|imprimir|compartir|compartilhar|partilhar|guardar
    | salvar|stampa|salva|condividi|drukuj|wydrukuj|udost\u0119pnij|zapisz|skriv\ ut|spara|dela|gem|tulosta|jaa
    | yazd\u0131r|payla\u015f|kaydet){_MORE}
    | (?:\u043f\u0435\u0447\u0430\u0442\u044c|\u0440\u0430\u0441\u043f\u0435\u0447\u0430\u0442\u0430\u0442\u044c
    | \u043f\u043e\u0434\u0435\u043b\u0438\u0442\u044c\u0441\u044f
    | \u0441\u043e\u0445\u0440\u0430\u043d\u0438\u0442\u044c
    ){_MORE}
    | {_BEFORE}(?:drucken|merken|teilen|speichern|weiterleiten|afdrukken|printen|delen|opslaan|bewaren)
    | \S{{0,8}}(?:\u5370\u5237|\u4fdd\u5b58|\u5171\u6709|\u30b7\u30a7\u30a2|\u6253\u5370|\u5206\u4eab|\u6536\u85cf
    | \uc778\uc1c4|\uacf5\uc720|\uc800\uc7a5)\S{{0,6}}
    )\W*""",
    re.IGNORECASE | re.VERBOSE,
)
"""What buttons say that print, save or share a page, in the languages of most recipes: at the beginning or the end."""
_SHARER: Final = lazy_pattern(
    r"pinterest\.[a-z.]{2,6}/pin/create|facebook\.com/(?:sharer|dialog)|(?:twitter|x)\.com/(?:intent|share)|wa\.me/\?"
    r"|whatsapp\.com/send|t\.me/share|linkedin\.com/share|reddit\.com/submit|vk\.com/share|line\.me/R/",
    re.IGNORECASE,
)
_SHARING: Final = ("/pin/", "sharer", "/dialog", "/intent", "/share", "wa.me/", "/send", "/submit", "line.me/")
"""Each of these addresses has one of them: looking for words takes a third of the time."""
_PRINTS: Final = lazy_pattern(r"(?<![a-z])print(?:er|able|ing)?(?![a-z])", re.IGNORECASE)
_MULTIPLES: Final = lazy_pattern(r"(?:\d{1,2}(?:/\d)?\s?[x\u00d7]\s*){2,8}", re.IGNORECASE)
"""Buttons that multiply what a recipe is for."""


def is_action(text: str) -> bool:
    """Tell whether a text is what a button says that prints, saves or shares the page."""
    words = " ".join(text[: _LONGEST + 1].split())
    return len(words) <= _LONGEST and _ACTION.fullmatch(words) is not None


def leads_nowhere(attributes: Mapping[str, str | None]) -> bool:
    """Tell whether a link has no goal, and is none itself: scripts make a button of it."""
    href = (attributes.get("href") or "").strip().lower()
    is_goal = "name" in attributes or ("id" in attributes and not href)
    return not is_goal and (href in {"", "#", "#!"} or href.startswith("javascript:"))


def shares(href: str, url: str | None) -> bool:
    """Tell whether a link hands the address of its own page to another site, or to a mail."""
    if href[:9].lower() in {"mailto:?s", "mailto:?b"} or _is_sharer(href[:_LONGEST_HREF]):
        return True
    if url is None or "?" not in href or len(href) > _LONGEST_HREF:
        return False
    target, _, query = href.partition("?")
    page = url.partition("#")[0].partition("?")[0].rstrip("/")
    host = page.partition("://")[2].partition("/")[0]
    elsewhere = "://" in target and host not in target
    return elsewhere and page.count("/") > 2 and page in unquote(query)


def _is_sharer(href: str) -> bool:
    lower = href.lower()
    return any(word in lower for word in _SHARING) and _SHARER.search(href) is not None


def prints(href: str, text: str) -> bool:
    """Tell whether a link leads to a page to be printed, and says so."""
    return "print" in href.lower() and _PRINTS.search(href[:_LONGEST_HREF]) is not None and is_action(text)


def multiplies(text: str) -> bool:
    """Tell whether a line is the buttons that multiply what a recipe is for: `1x 2x 3x`."""
    return len(text) <= _LONGEST and text.lstrip()[:1].isdecimal() and _MULTIPLES.fullmatch(text.strip()) is not None
