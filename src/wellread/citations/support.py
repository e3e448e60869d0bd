"""Tells whether a statement is supported by text that it cites; pure.

Its numbers with their units and currencies, its dates and names must stand there, what it denies must be denied there,
and no part of it may be about something else.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from wellread.citations.negations import unsupported_negation
from wellread.citations.quantities import MAX_CHARS, KnownQuantities, quantities
from wellread.citations.unit_words import UNITS
from wellread.citations.word_terms import has_short_word, known_short_words, short_words, terms
from wellread.index.plain_text import plain
from wellread.text import dates
from wellread.text.characters import folded_words, on_one_line
from wellread.text.writing_systems import UNSPACED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wellread.types import Claim

_NUMBER_INSIDE: Final = re.compile(r"\d[.,'\u2019]\d")
_UNSPACED_CHAR: Final = re.compile(f"[{UNSPACED}]")
_QUOTE_MARGIN: Final = 60
"""Characters on both sides of a quoted sentence that its numbers and dates are compared with."""
_WORD: Final = re.compile(rf"[^\W\d_{UNSPACED}](?:(?:(?![{UNSPACED}])[\w'\u2019-]){{0,60}}(?![{UNSPACED}])\w)?")
_SENTENCE_END: Final = re.compile(r"[.!?:]\s*[\"'\u201c\u201d\u00bb)\]]*\s*$")
_OPENING_LIST: Final = """
a after all although an and another any as at because before between both but by during each every few for from he her
here his how however i if in it its later many most no not of on one only or other our over she since so some such
than that the their then there these they this those though through to today two under until we what when where which
while who with yes you your also according der die das ein eine im wenn wer wie bei auf mit nach seit von vom zum zur
aus am es gibt dort hier kein keine nicht alle jede jeder dieser diese dieses la le les un une el los las il lo gli os
um uma het een una uno unos unas en de del al hay por para con sin si como esta este sur dans pour avec sans des du au
aux ce cette ces on qui que
"""
_OPENING: Final = frozenset(_OPENING_LIST.split())
"""Words that open a sentence and are no names."""
_DETERMINERS_LIST: Final = "a an the it them its their his her your on to of at for"
_BEHIND_COMMON_WORDS: Final = frozenset(_DETERMINERS_LIST.split())
"""Words behind which an opening word is none: `Entry to the museum`; behind a name stands a verb or a name."""
_MIN_STEM: Final = 4
_LONG_CHARS: Final = 4
"""Letters of the words that tell what a statement is about."""
_MIN_LONG_WORDS: Final = 2
"""Longer words of a statement below which its short words are compared, too."""
_MIN_OVERLAP: Final = 0.5
"""Share of the longer words of a statement that the cited text must have, by their beginnings: they are inflected."""
_MIN_OVERLAP_WITH_FIGURES: Final = 0.3
"""The share where the cited text has a figure of the statement in its unit."""
_UNSPACED_SHARE: Final = 0.7
"""What these shares are multiplied by for neighbouring ideographs, of which a particle changes two."""
_MAX_FOREIGN_RUN: Final = 3
"""Longer words in a row that the cited text may lack: a part of a statement that is about something else has more."""
_MIN_OWN_WORDS: Final = 2
"""Longer words of each part of a statement that is put together of two passages."""


def unsupported_in(claim: Claim) -> tuple[str, ...]:
    """Return what its passages lack of a sentence: quantities, dates, names, negations, and `its words` for the rest.

    Where one of the passages has the sentence word for word, only its figures and negations are compared with this
    place. `its words in one passage` are lacking where it joins words of two passages that have none in common. A
    sentence is compared whole, with runs of blanks as one, or not at all.
    """
    texts = [plain(passage.text) for passage in claim.passages]
    statement = on_one_line(claim.text)
    if len(statement) > MAX_CHARS:
        return (f"its words, which are more than the {MAX_CHARS:,} characters that are compared",)
    for text in texts:
        if quote := _quote(statement, on_one_line(text)):
            return tuple(dict.fromkeys([*_unknown_figures(statement, quote), *_unknown_negations(statement, text)]))
    lacking = unsupported_terms(statement, "\n".join(texts))
    if not lacking and _is_spliced(claim, texts):
        return ("its words in one passage",)
    return lacking


def _quote(statement: str, text: str) -> str:
    """Return the part of `text` with `statement` and what stands beside it; empty where the text does not have it.

    `100 people` does not stand in `5,100 people`, nor `$1` in `$199`.
    """
    text = text[:MAX_CHARS]
    start = text.find(statement)
    while statement and start >= 0:
        end = start + len(statement)
        if is_border(text, start) and is_border(text, end):
            return text[max(0, start - _QUOTE_MARGIN) : end + _QUOTE_MARGIN]
        start = text.find(statement, start + 1)
    return ""


def is_border(text: str, at: int) -> bool:
    """Return whether no word and no number goes on across an offset; scripts without spaces have no such borders."""
    if _NUMBER_INSIDE.search(text[max(0, at - 2) : at + 2]):
        return False
    around = text[max(0, at - 1) : at + 1]
    return len(around) < 2 or not around.isalnum() or _UNSPACED_CHAR.search(around) is not None


def unsupported_terms(statement: str, evidence: str) -> tuple[str, ...]:
    """Return what the text `evidence` lacks of a statement: quantities, dates, names, negations, or `its words`.

    A statement of which less than half of the longer words stand in the evidence is about something else, and so is one
    with a long part of which none does. Where it has fewer than two longer words, its short ones count, too: all of
    them, or with a figure some of all its words. Function words alone state nothing that can be compared.
    """
    if len(statement) > MAX_CHARS:
        return ("its words",)
    unknown_negations = _unknown_negations(statement, evidence)
    evidence = evidence[:MAX_CHARS]
    known_words = set(folded_words(_UNSPACED_CHAR.sub(" ", evidence)).split())
    lacking = [*_unknown_figures(statement, evidence), *_unknown_names(statement, known_words)]
    lacking += unknown_negations
    if not lacking and not _is_about(statement, evidence):
        lacking.append("its words")
    return tuple(dict.fromkeys(lacking))


def _unknown_figures(statement: str, evidence: str) -> list[str]:
    return [*_unknown_dates(statement, evidence), *_unknown_quantities(statement, evidence)]


def _unknown_negations(statement: str, evidence: str) -> list[str]:
    """Return the negation in which they differ; of a longer text than is compared, the end may deny the beginning."""
    if len(evidence) > MAX_CHARS:
        return [f"its negations, which are in more than the {MAX_CHARS:,} characters that are compared"]
    return list(filter(None, [unsupported_negation(statement, evidence)]))


def _unknown_dates(statement: str, evidence: str) -> list[str]:
    days = {stamp[:10] for stamp, _ in dates.within(evidence)}
    return [span.stamp[:10] for span in dates.spans(statement) if span.stamp[:10] not in days]


def _unknown_quantities(statement: str, evidence: str) -> list[str]:
    """Return the numbers outside dates that do not stand in the evidence with their unit, as the statement has them."""
    undated = statement
    for span in reversed(dates.spans(undated)):
        undated = f"{undated[: span.start]} {undated[span.end :]}"
    quantities_stated = [quantity for quantity in quantities(undated) if not quantity.is_doubtful]
    if not quantities_stated:
        return []
    cited_quantities = KnownQuantities(evidence)
    return [
        undated[quantity.start : quantity.end].strip()
        for quantity in quantities_stated
        if not cited_quantities.has(quantity)
    ]


def _unknown_names(statement: str, known_words: set[str]) -> list[str]:
    """Return the capitalised words that the evidence lacks; units and common words that open a sentence are none."""
    lacking = []
    statement = _without_quantities(statement)
    for match in _WORD.finditer(statement):
        name = match[0]
        if not name[0].isupper() or name.lower() in UNITS or _is_common(match, statement):
            continue
        if not all(_is_known(part, known_words) for part in folded_words(name).split() if len(part) > 1):
            lacking.append(name)
    return lacking


def _without_quantities(statement: str) -> str:
    """Return a statement with blanks in the place of its quantities; the number of a name such as `CO2` stays."""
    for quantity in reversed(quantities(statement)):
        if re.match(r"[^\W\d_]", statement[max(0, quantity.start - 1) :]) and quantity.text[0].isdigit():
            continue
        blanks = " " * (quantity.end - quantity.start)
        statement = f"{statement[: quantity.start]}{blanks}{statement[quantity.end :]}"
    return statement


def _is_common(word: re.Match[str], statement: str) -> bool:
    """Return whether a word is capitalised only because it opens a sentence."""
    if word.start() and not _SENTENCE_END.search(statement[max(0, word.start() - 8) : word.start()]):
        return False
    following = folded_words(statement[word.end() : word.end() + 20]).split(" ")[0]
    return folded_words(word[0]).split()[0] in _OPENING or following in _BEHIND_COMMON_WORDS


def _is_known(word: str, known_words: set[str]) -> bool:
    """Return whether a word stands in a text, as it is or with another ending of two letters at most."""
    if word in known_words:
        return True
    stems = {word[:-cut] for cut in (1, 2) if len(word) - cut >= _MIN_STEM}
    return bool(stems & known_words) or any(f"{word}{ending}" in known_words for ending in ("s", "es", "n", "en"))


def _is_about(statement: str, evidence: str) -> bool:
    """Return whether a text has enough of the longer words of a statement, and some of each part of it."""
    words = terms(_without_quantities(statement), _LONG_CHARS)
    known_terms = set(terms(evidence))
    if len(words) < _MIN_LONG_WORDS and not _has_short_words(
        statement, evidence, [word in known_terms for word in words]
    ):
        return False
    if not words:
        return True
    in_evidence = [word in known_terms for word in words]
    is_unspaced = _UNSPACED_CHAR.match(words[0]) is not None
    min_overlap = _MIN_OVERLAP
    if quantities(statement):
        min_overlap = _MIN_OVERLAP_WITH_FIGURES
    if is_unspaced:
        min_overlap *= _UNSPACED_SHARE
    foreign_runs = "".join("x" if is_known else "_" for is_known in in_evidence).split("x")
    is_in_part_foreign = max(map(len, foreign_runs)) > _MAX_FOREIGN_RUN and not is_unspaced
    return sum(in_evidence) >= min_overlap * len(words) and not is_in_part_foreign


def _has_short_words(statement: str, evidence: str, has_long_words: Sequence[bool]) -> bool:
    """Return whether a text has the short words of a statement, or with a figure enough of all its words."""
    words = short_words(_without_quantities(statement))
    beginnings = known_short_words(evidence)
    in_evidence = [*has_long_words, *(has_short_word(word, beginnings) for word in words)]
    if _has_figure(statement):
        return sum(in_evidence) >= _MIN_OVERLAP_WITH_FIGURES * len(in_evidence)
    return bool(in_evidence) and all(in_evidence[len(has_long_words) :])


def _has_figure(statement: str) -> bool:
    return bool(dates.spans(statement)) or any(not quantity.is_doubtful for quantity in quantities(statement))


def _is_spliced(claim: Claim, texts: Sequence[str]) -> bool:
    """Return whether a sentence begins with words of one passage alone and goes on with words of another alone.

    Parts of one page, such as the names of columns and a row below them, may be read together.
    """
    if len({passage.snapshot_id for passage in claim.passages}) < len(texts) or len(texts) < 2:
        return False
    words = terms(_without_quantities(on_one_line(claim.text)), _LONG_CHARS)
    known_terms = [set(terms(text)) for text in texts]
    owners = [frozenset(at for at, stems in enumerate(known_terms) if word in stems) for word in words]
    owners = [passages for passages in owners if passages]
    changes = [at for at in range(1, len(owners)) if owners[at] != owners[at - 1]]
    if len(changes) != 1 or owners[0] & owners[-1]:
        return False
    return min(changes[0], len(owners) - changes[0]) >= _MIN_OWN_WORDS
