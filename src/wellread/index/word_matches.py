"""Tells texts that have a word of a query, or a similar one, from texts that share only pieces of words with it.

The index finds texts by pieces of words (`wellread.index.search_terms`), and a piece may come from an unrelated word:
`zebra` and `algebra` share `ebra`. A word is similar when a reader would take it for a form of the same word, or for a
typing error:

| similar                                                   | query             | text                    |
|-----------------------------------------------------------|-------------------|-------------------------|
| one contains the other, from four letters                 | `dampfschiff`     | `donaudampfschifffahrt` |
| they begin alike and differ in an ending of three letters | `changing`        | `changed`               |
| one letter differs, is missing, added or swapped          | `limpts`          | `limpets`               |
| long words share more than half of their pieces           | `lighthuosekeper` | `lighthousekeeper`      |

Where no spaces part words, a text answers when it has two characters in a row that the query has in a row (four in
scripts without ideographs). Words that stand in most of the texts, as `the` does, do not count beside rarer ones.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from wellread.index.search_terms import MAX_WORD_CHARS, WordRun, fold, runs, word_pieces

if TYPE_CHECKING:
    from collections.abc import Collection

MAX_COMPARED_WORDS = 32
"""Words of a query that are compared with other words letter by letter; of the others, only the same word counts."""
MAX_ENDING_CHARS = 3
MIN_MISTYPED_CHARS = 4
"""Shorter words that differ in a letter are other words: not, nor, now."""
MIN_LONG_WORD_CHARS = 10
"""From here on, one wrong letter in the middle spoils less than half of the pieces."""


def query_words(query: str) -> tuple[WordRun, ...]:
    """Return the words of `query`, once each.

    A single letter beside longer words does not count: the `s` of `zebra's` is on every page.
    """
    words = tuple(dict.fromkeys(runs(query)))
    longer = tuple(word for word in words if len(word.text) > 1 or not word.is_spaced)
    return longer or words


class WordMatcher:
    """The words of a query, looked for in texts."""

    def __init__(self, words: Collection[WordRun], common_terms: Collection[str] = ()) -> None:
        """Take the words of the query, and their terms that most texts have."""
        common = frozenset(common_terms)
        rare = [word for word in words if not common.issuperset(word.terms)]
        words = rare or words
        self._spaced = [word for word in words if word.is_spaced]
        self._exact = {word.text[:MAX_WORD_CHARS] for word in self._spaced}
        terms = [term for word in words if not word.is_spaced for term in word.terms]
        self._unspaced_terms = [term for term in terms if term not in common] or terms

    def matches(self, text: str) -> bool:
        """Return whether `text` has a word of the query, or one that is similar."""
        folded = fold(text)
        if any(term in folded for term in self._unspaced_terms):
            return True
        text_words = {run.text[:MAX_WORD_CHARS] for run in runs(text) if run.is_spaced}
        if self._exact & text_words:
            return True
        return any(
            is_similar(word.text[:MAX_WORD_CHARS], text_word, word.piece_chars)
            for word in self._spaced[:MAX_COMPARED_WORDS]
            for text_word in text_words
        )


@lru_cache(maxsize=50_000)
def is_similar(word: str, other: str, piece_chars: int = 4) -> bool:
    """Return whether two folded words are probably forms of one word, or one of them a typing error.

    `piece_chars` is what counts as a part of a word: four letters, two syllables in Hangul.
    """
    shorter, longer = sorted((word, other), key=len)
    if len(shorter) >= piece_chars and shorter in longer:
        return True
    beginning = _common_beginning(word, other)
    ending = len(longer) - beginning
    if beginning >= piece_chars and ending <= MAX_ENDING_CHARS:
        return True
    if ending == 1 and beginning == len(shorter) == piece_chars - 1:  # dog and dogs
        return True
    if len(shorter) >= MIN_MISTYPED_CHARS and _is_one_error(shorter, longer, beginning):
        return True
    return len(shorter) >= MIN_LONG_WORD_CHARS and _shares_most_pieces(shorter, longer, piece_chars)


def _common_beginning(word: str, other: str) -> int:
    for index, (character, other_character) in enumerate(zip(word, other, strict=False)):
        if character != other_character:
            return index
    return min(len(word), len(other))


def _is_one_error(shorter: str, longer: str, beginning: int) -> bool:
    """Return whether one letter differs, is missing, or is swapped with its neighbour (Damerau, 1964)."""
    rest_of_shorter, rest_of_longer = shorter[beginning:], longer[beginning:]
    if len(shorter) != len(longer):
        return rest_of_shorter == rest_of_longer[1:]
    if rest_of_shorter[1:] == rest_of_longer[1:]:
        return True
    return rest_of_shorter[:2] == rest_of_longer[1::-1] and rest_of_shorter[2:] == rest_of_longer[2:]


def _shares_most_pieces(shorter: str, longer: str, piece_chars: int) -> bool:
    pieces = word_pieces(longer, piece_chars)
    return 2 * len(pieces & word_pieces(shorter, piece_chars)) > len(pieces)
