"""The page's title: the headline where a declaration tells it too, else the wording that the page's address tells.

Plain rules, since weights trained on a few hundred pages knew those pages: by cross-validation the rules are right more
often than a softmax over 187 marks, and than boosted trees.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellread.lazy_pattern import lazy_pattern
from wellread.metadata.cleaning import key
from wellread.metadata.site_address import squeeze

if TYPE_CHECKING:
    import re
    from collections.abc import Mapping, Sequence

    from wellread.metadata.site_address import Site

_WIDE = "\u1100-\u11ff\u3000-\u30ff\u3400-\u9fff\uac00-\ud7af\uff01-\uff9f"
"""Letters and signs of Chinese, Japanese and Korean, which need no spaces around a mark."""
_SPACED_MARK = (
    r"\s+_\s+|\s+(?:[|\u2013\u2014\u00b7\u00bb\u2022\u203a\u00ab<~-]|::|//?)\s+|"
    r"\s*[\uff5c\u4e28|]\s*|:\s+|\s+:\s*|\s-(?=\S)|(?<=\S)-\s"
)
_MARK = lazy_pattern(_SPACED_MARK)
_WIDE_MARK = lazy_pattern(
    rf"\s*[\uff3f\uff1a\uff0d]\s*|(?<=[{_WIDE}])\s?[_:\u2013\u2014\u2015\u2500\xbb\xab-]{{1,2}}\s?(?=\S)|\s?[_]\s?(?=[{_WIDE}])|"
    + _SPACED_MARK
)
"""`_MARK`, and the marks without spaces beside characters of `_WIDE`: to compile it takes 7 ms, four times as long."""
_WIDE_LETTER = lazy_pattern(f"[{_WIDE}]")
_BRACKETED = lazy_pattern(
    r"(?:\s[\[(]|\s?[\u3010\uff08\u300c\uff3b])([^\[\]()\u3010\u3011\uff08\uff09]{1,60})[\])\u3011\uff09\u300d\uff3d]$"
)
"""`Welcome to LWN.net [LWN.net]`, and in the brackets of Chinese and Japanese."""
_CLOSING_BRACKETS = "])\u3011\uff09\u300d\uff3d"
MAX_CUTS = 4
MAX_MARKS = 8
SITE_WORDS = 5
"""A part that merely resembles the site's name is its name only when it is at most so long."""
GUESSED_WORDS = 4
"""What hangs on a title behind a dash, and is no longer than this, is taken for the name of a site that names itself
nowhere."""
LEAST_TITLE_WORDS = 2
LEAST_WIDE_CHARS = 5
LEAST_LINKED_WORDS = 4
ALIKE = 0.5
"""A heading that shares this part of its words with a declaration speaks of the same thing."""

Split = tuple[str, str, str]
"""The text before a mark, the mark, and the text after it."""


def choose(declared: Mapping[str, str | None], headings: Sequence[str], site: Site) -> str | None:
    """Return the title, chosen from the declared ones, the most trusted source first, and the page's headings."""
    shown = _shown(headings, site)
    texts = {source: text for source, text in declared.items() if text and key(text)}
    first, heading = next(iter(shown.items()), ("", ""))
    if not texts:
        return heading or None
    lead = next(iter(texts.values()))
    cut_titles = {source: _cut(text, shown, site) for source, text in texts.items() if source in {"og", "element"}}
    best = cut_titles.get("og") or _cut(lead, shown, site)
    linked, named, element = (
        key(text or "") for text in (texts.get("ld"), texts.get("name"), cut_titles.get("element"))
    )
    if "og" in cut_titles and linked == element != key(best) and len(linked.split()) >= LEAST_LINKED_WORDS:
        return texts["ld"]
    is_whole = _is_shown_whole(texts, shown, site)
    if is_whole or key(best) in shown:
        return texts["og"] if is_whole else _worded(best, shown[key(best)], linked, site)
    if part := _heading_part(lead, shown, site):
        return _trim(part, site)
    # What a heading has before the declared title is a label, or an invitation: `Thread: ...`, `Explore our ...`; but
    # a lone word tells too little to be the title of a page that says more: `All about crabs`.
    parts = map(key, _mark(heading).split(heading))
    labelled = first.endswith(f" {key(best)}") and (" " in key(best) or key(best) in parts)
    may_be_title = bool(first) and not _is_site(heading, site) and not labelled
    if may_be_title and (first in {linked, named, element} or _is_truer(first, best, (lead, element), site)):
        return _trim(heading, site)
    return best


def _is_shown_whole(texts: Mapping[str, str], shown: Mapping[str, str], site: Site) -> bool:
    """Return whether a heading, and all that declares the title, have it with the same bar: `BUDGET | Taxes rise`.

    One word behind a bar is a section.
    """
    title = texts.get("og", "")
    if "|" not in title or key(title) not in shown or key(texts.get("ld", title)) != key(title):
        return False
    return all(
        len(key(after).split()) > 1 and not _is_site(before, site) and not _is_site(after, site)
        for before, _, after in _splits(title)
    )


def _shown(headings: Sequence[str], site: Site) -> dict[str, str]:
    """Return the headings by their comparison keys.

    The site's name is none of them where there are others: many sites put it in a heading on every page.
    """
    shown: dict[str, str] = {}
    for text in filter(key, headings):
        shown.setdefault(key(text), text.strip(" \u00b6#"))
    return {name: text for name, text in shown.items() if not _is_name(text, site)} or shown


def _worded(best: str, shown: str, linked: str, site: Site) -> str:
    """Return a title that is declared and shown as the page shows it, without a label that only style keeps apart."""
    if len(_splits(best)) > len(_splits(shown)):
        return next((after for _, _, after in _splits(best) if key(after) == linked), best)
    if _fold(best) == _fold(shown):
        return _trim(best, site)
    return _trim(shown, site)


def _is_truer(heading: str, best: str, others: Sequence[str], site: Site) -> bool:
    """Say of a heading in other words than the declared title whether it is the title.

    An address is mostly made of the first wording that a page had. Where it tells nothing, the heading that says all
    that is declared and more is the title.
    """
    heading_score, best_score = _slug_share(heading, site), _slug_share(best, site)
    words, title_words = set(heading.split()), set(key(best).split())
    if words > title_words and any(
        word.isdigit() for word in words - title_words
    ):  # a day or a count that stands beside the title
        return False
    alike = max(len(words.intersection(key(text).split())) / len(words) for text in others)
    if heading_score != best_score:
        return heading_score > best_score
    if heading_score:
        return alike >= ALIKE
    return words > title_words


def _heading_part(lead: str, shown: Mapping[str, str], site: Site) -> str | None:
    """Return the heading that is a part of the declared title, unless it is the name of a series of pages."""
    splits = _splits(lead)
    if not splits:
        return None
    heads = {key(before): before for before, _, _ in splits}
    others = {key(piece) for piece in _mark(lead).split(lead)}.union(key(after) for _, _, after in splits)
    for name, text in shown.items():
        if _is_site(text, site):
            continue
        if name in heads:
            return next(
                (after for _, _, after in splits if not _slug_share(text, site) and _slug_share(after, site) == 1), text
            )
        if name in others:
            truer = max(heads, key=lambda head: (_slug_share(head, site), -len(head)))
            if _slug_share(truer, site) > _slug_share(name, site):
                return heads[truer]
            return text
    return None


def _slug_share(text: str, site: Site) -> float:
    """Return which part of the words in the page's address a text holds."""
    if site.front or not site.slug:
        return 0.0
    return len(site.slug.intersection(key(text).split())) / len(site.slug)


def _cut(text: str, shown: Mapping[str, str], site: Site) -> str:
    """Return a declared title without the site's name and the mark between the two."""
    if _is_name(text, site):
        return text
    ends = _is_name if site.front else _is_site
    bracketed = _bracketed(text)
    is_bracketed = bracketed and (ends(bracketed[1], site) or key(text[: bracketed.start()]) in shown)
    remaining = text[: bracketed.start()] if bracketed and is_bracketed else text
    for _ in range(MAX_CUTS):
        splits = _splits(remaining)
        if not splits or key(remaining) in shown:
            break
        before = next((before for before, mark, after in splits if not _is_colon(mark) and ends(after, site)), None)
        head, _, after = splits[0]
        if before is not None:
            remaining = before
        elif not site.front and _is_name(head, site):
            remaining = after
        else:
            break
    if site.front:
        if len(key(remaining).split()) >= LEAST_TITLE_WORDS:
            return remaining
        return text
    if key(remaining) in shown or (remaining != text and text.endswith(remaining)):
        return remaining
    if remaining != text:
        return _shortened(remaining)
    return _guessed(remaining)


def _bracketed(text: str) -> re.Match[str] | None:
    if any(bracket in text[-2:] for bracket in _CLOSING_BRACKETS):
        return _BRACKETED.search(text)
    return None


def _shortened(text: str, behind: str = "") -> str:
    """Return the first part of a title whose site has been cut off: the other parts are a section, or praise."""
    head = next((before for before, mark, _ in _splits(text) if behind in mark and not _is_colon(mark)), text)
    if _says_enough(head):
        return head
    return text


def _says_enough(head: str) -> bool:
    """Say whether a part is long enough for a title, in scripts without spaces by its characters."""
    name = key(head)
    return len(name.split()) >= LEAST_TITLE_WORDS or (
        len(name) >= LEAST_WIDE_CHARS and _WIDE_LETTER.match(name) is not None
    )


def _is_colon(mark: str) -> bool:
    return mark.strip() == ":"


def _guessed(text: str) -> str:
    """Return a title without its last part, where that may be the name of a site that is told nowhere."""
    splits = [split for split in _splits(text) if not _is_colon(split[1]) and "<" not in split[1]]
    before, mark, after = splits[-1] if splits else (text, "", "")
    if len(after) < len(before) and ("|" in mark or len(key(after).split()) <= GUESSED_WORDS):
        if "_" in mark:
            return _shortened(before, "_")
        return before
    if "|" in mark:
        return _shortened(text)
    return text


def _trim(heading: str, site: Site) -> str:
    """Return a heading without the site's name and all text after a bar, which no reader takes for a part of it."""
    if site.front:
        return heading
    heading = next((before for before, _, after in _splits(heading) if _is_name(after, site)), heading)
    return _shortened(heading, "|")


def _splits(text: str) -> list[Split]:
    """Return the places where a title may be cut."""
    cuts = ((text[: mark.start()].strip(), mark[0], text[mark.end() :].strip()) for mark in _mark(text).finditer(text))
    return [cut for cut in cuts if key(cut[0]) and key(cut[2])][-MAX_MARKS:]


def _mark(text: str) -> re.Pattern[str]:
    """Return the pattern of the marks that may stand in `text`."""
    if any("\u1100" <= character <= "\u11ff" or character >= "\u3000" for character in text):
        return _WIDE_MARK
    return _MARK


def _fold(text: str) -> str:
    return text.casefold().replace("\u2019", "'").replace("\u2018", "'").replace("\u201c", '"').replace("\u201d", '"')


def _is_name(part: str, site: Site) -> bool:
    return squeeze(part).removeprefix("the") in site.names


def _is_site(part: str, site: Site) -> bool:
    """Say whether a part is the site's name or a variant: `Huel US`, `Arch Linux Forums`, `WFA`, `FAU Business`."""
    if _is_name(part, site):
        return True
    words = key(part).split()
    if not words or len(words) > SITE_WORDS or _mark(part).search(part):
        return False
    squeezed = "".join(words)
    if len(site.label) >= 3 and site.label in {squeezed, words[0], words[-1], "".join(word[0] for word in words)}:
        return True
    if len(site.label) >= 5 and (site.label in squeezed or (len(squeezed) >= 5 and squeezed in site.label)):
        return True
    return any(
        len(name) >= 4 and len(squeezed) >= 4 and (squeezed.startswith(name) or name.startswith(squeezed))
        for name in site.names
    )
