"""Text to search terms, the same for texts and queries, in every language alike.

Folding: Unicode compatibility forms (NFKD), case, and accents go; what is neither letter, digit nor vowel sign parts
words. Then each run of a word is cut by how its script is written:

| written          | terms                                                       | `house`, `北京`, `แมว`        |
|------------------|-------------------------------------------------------------|------------------------------|
| with spaces      | the whole word between underscores, and its pieces of four  | `_house_ _hou hous ouse use_` |
| Hangul           | the same with pieces of two: a character is a syllable      | `_학교는_ 학교 교는`          |
| ideographs, kana | every two neighbours, and each character                    | `北京 北 京`                  |
| other, no spaces | every four neighbours, and every two                        | `แม มว`                      |

Pieces find the parts of compounds and inflected words without word lists or a stemmer per language. Measured on XQuAD
(MRR@10, question to its paragraph among 240): whole words alone .951 en, .897 de; stemmed (porter) .956, .909; words
and pieces .962, .958. For Chinese two and one .963, two alone .958. For scripts without spaces, measured on English and
German with the spaces taken out: two .69 and .73, four and two .949 and .934.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from wellread.text.writing_systems import HANGUL, IDEOGRAPHS, SOUTH_EAST_ASIAN

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

V = TypeVar("V")

RULES = f"1/{unicodedata.unidata_version}"
"""Names what this module makes of a text: raised with every change of the rules, and with Unicode's own tables."""

WHOLE_WEIGHT = 2.0
PIECE_WEIGHT = 1.0
"""What a term counts for when it is asked for; a flat optimum (1 to 4 were tried)."""

_RUNS = re.compile(
    f"(?P<ideographs>[{IDEOGRAPHS}]+)|(?P<unspaced>[{SOUTH_EAST_ASIAN}]+)|(?P<hangul>[{HANGUL}]+)"
    f"|[^{IDEOGRAPHS}{SOUTH_EAST_ASIAN}{HANGUL}]+"
)
_WORD = re.compile(r"[^\W_](?:[^\W_]|[\u0300-\u036f\u0900-\u0dff\u064b-\u0655])*")
_WITHOUT_SPACES = {"ideographs", "unspaced"}
MAX_WORD_CHARS = 64
"""Longer runs of letters with no space are data, not words: their head is enough to find them by."""


_LETTERS_OF_PIECE = 4
_SYLLABLES_OF_PIECE = 2
_UNSPACED_CHAR = re.compile(f"[{IDEOGRAPHS}{SOUTH_EAST_ASIAN}{HANGUL}]")


class _Folding(dict[int, str | None]):
    """The folded form of each decomposed character; filled as characters are met."""

    def __missing__(self, point: int) -> str | None:
        self[point] = folded = _folded(chr(point))
        return folded


def _folded(char: str) -> str | None:
    category = unicodedata.category(char)
    if category == "Mn":
        # Accents, Hebrew and Arabic points go (classes 10 to 36 and from 200); the marks of Indic scripts, Thai
        # and kana change the word and stay: https://www.unicode.org/reports/tr44/#Canonical_Combining_Class_Values
        kind = unicodedata.combining(char)
        if 10 <= kind <= 36 or kind >= 200:
            return None
        return char
    if char in "\u0640\u00ad" or (category == "Cf" and char != "\u200b"):
        return None  # Arabic stretching, soft hyphens, joiners; the zero-width space does part words
    if category[0] in "LM" or category == "Nd" or category in {"Nl", "No"}:
        return "i" if char == "\u0131" else char  # Turkish dotless i: capitals do not tell the two apart
    return " "


_FOLDING = _Folding()
_TYPOGRAPHIC_SIGNS = "\u2018\u2019\u201c\u201d\u2013\u2014\u2026\u00a0"


def fold(text: str) -> str:
    """Return `text` without case, accents and punctuation: words parted by spaces."""
    text = _without_typographic_signs(text)
    if text.isascii():  # ten times faster than a text of other characters
        return text.lower().translate(_FOLDING)
    decomposed = unicodedata.normalize("NFKD", text).casefold()
    return unicodedata.normalize("NFC", decomposed.translate(_FOLDING))


def folds_in_place(text: str) -> bool:
    """Return whether each character of `text` has its place in the folded text."""
    return _without_typographic_signs(text).isascii()


def _without_typographic_signs(text: str) -> str:
    """Return `text` with a space for each of the signs that part words in texts which are ASCII otherwise."""
    if not text.isascii():
        for sign in _TYPOGRAPHIC_SIGNS:
            text = text.replace(sign, " ")
    return text


def terms(text: str) -> list[str]:
    """Return every term of `text`, in order, repeated as often as it stands there."""
    return [term for word in fold(text).split() for term, _ in _terms(word)]


def joined_terms(text: str) -> str:
    """Return every term of `text` as `terms` does, parted by spaces."""
    return joined_terms_of_folded(fold(text))


def joined_terms_of_folded(folded: str) -> str:
    """Return every term of a folded text as `terms` does, parted by spaces."""
    return " ".join(map(_JOINED_TERMS.__getitem__, folded.split()))


def count_terms(folded_words: Sequence[str]) -> int:
    """Return how many terms folded words have, each as often as it stands there."""
    if is_parted_by_spaces("".join(folded_words)):
        return count_spaced_terms(list(map(len, folded_words)))
    return sum([len(_TERMS_ALONE[word]) for word in folded_words])


def count_spaced_terms(word_lengths: list[int]) -> int:
    """Return how many terms words of a script with spaces have: letters, or characters of their beginning."""
    # The whole word, and its pieces of four letters between underscores: of two letters, both are the same.
    if max(word_lengths, default=0) > MAX_WORD_CHARS:
        word_lengths = [min(length, MAX_WORD_CHARS) for length in word_lengths]
    return sum(word_lengths) - word_lengths.count(2)


def is_parted_by_spaces(folded: str) -> bool:
    """Return whether a folded text has no character of a script in which words and runs differ."""
    return folded.isascii() or _UNSPACED_CHAR.search(folded) is None


def tokens(text: str) -> list[str]:
    """Return the words of `text` as they stand, each once per place; single characters where no spaces part words."""
    return folded_tokens(fold(text))


def folded_tokens(folded: str) -> list[str]:
    """Return the words of a folded text, as `tokens` does."""
    words: list[str] = []
    for run in _RUNS.finditer(" ".join(folded.split())):
        words += run.group() if run.lastgroup in _WITHOUT_SPACES else run.group().split()
    return words


def spaced_words(folded: str) -> list[str]:
    """Return the words of a folded text that are written in scripts with spaces."""
    words: list[str] = []
    for run in _RUNS.finditer(folded):
        if run.lastgroup not in _WITHOUT_SPACES:
            words += run.group().split()
    return words


class _CachedByWord(dict[str, V]):
    """What is made of each word; filled as words are met, and emptied when they are many."""

    def __init__(self, make: Callable[[str], V]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, word: str) -> V:
        result = self._make(word)
        if len(word) <= MAX_WORD_CHARS:
            if len(self) >= MAX_CACHED_WORDS:
                self.clear()
            self[word] = result
        return result


MAX_CACHED_WORDS = 30_000
"""Some 10 MB of words with their terms."""
_TERMS_ALONE = _CachedByWord(lambda word: tuple(_terms_alone(word)))
_JOINED_TERMS = _CachedByWord(lambda word: " ".join(_terms_alone(word)))


class WordRun(NamedTuple):
    """A word, or a run of characters of a script that does not part words by spaces."""

    text: str
    """Folded."""
    terms: tuple[str, ...]
    """The terms that stand for it as it is written: the whole word; without spaces, neighbouring characters."""
    is_spaced: bool
    piece_chars: int
    """How many characters a piece of it has."""


def runs(text: str) -> Iterator[WordRun]:
    """Yield the words of `text` in order; where no spaces part words, the runs of its characters."""
    for word in fold(text).split():
        for match in _RUNS.finditer(word):
            run = match.group()
            weighted = tuple(_terms(run))
            exact = tuple(term for term, weight in weighted if weight == WHOLE_WEIGHT)
            all_terms = tuple(term for term, _ in weighted)
            yield WordRun(
                text=run,
                terms=exact or all_terms,
                is_spaced=match.lastgroup not in _WITHOUT_SPACES,
                piece_chars=_piece_chars(match),
            )


def word_pieces(word: str, piece_chars: int) -> frozenset[str]:
    """Return the terms of a folded word of a script with spaces, less the one of the whole word."""
    return frozenset(term for term, weight in _spaced(word, piece_chars) if weight == PIECE_WEIGHT)


def is_spaced(text: str) -> bool:
    """Say whether most of `text` is written in a script that parts words by spaces."""
    runs = [(run.lastgroup in _WITHOUT_SPACES, len(run.group().strip())) for run in _RUNS.finditer(fold(text))]
    return sum(length for is_unspaced, length in runs if is_unspaced) * 2 <= sum(length for _, length in runs)


class TermCounts(NamedTuple):
    """The frequencies of a query's terms in a text, and the text's length."""

    frequencies: dict[str, float]
    """Term of the query -> how often it stands in the text."""
    length: int
    """All terms of the text, whether the query has them or not."""


class _MatchingWords(dict[str, bool]):
    """Whether a word, as it is written, shares at least half of its terms with the query."""

    def __init__(self, term_weights: Mapping[str, float]) -> None:
        super().__init__()
        self._term_weights = term_weights

    def __missing__(self, word: str) -> bool:
        # A word has no punctuation: to fold ASCII, its case is enough.
        parts = [word.lower()] if word.isascii() else fold(word).split()
        self[word] = is_match = self._shares_half(parts)
        return is_match

    def _shares_half(self, parts: list[str]) -> bool:
        is_disjoint = self._term_weights.keys().isdisjoint
        terms_of_parts = list(map(_TERMS_ALONE.__getitem__, parts))
        if all(map(is_disjoint, terms_of_parts)):
            return False
        if len(parts) == 1 and parts[0].isascii():
            whole_word, *word_pieces = terms_of_parts[0]
            shared_count = sum([piece in self._term_weights for piece in word_pieces])
            shared_weight = PIECE_WEIGHT * shared_count + WHOLE_WEIGHT * (whole_word in self._term_weights)
            return 2 * shared_weight >= PIECE_WEIGHT * len(word_pieces) + WHOLE_WEIGHT
        weighted_terms = [weighted_term for part in parts for weighted_term in _terms(part)]
        shared_weight = sum([weight for term, weight in weighted_terms if term in self._term_weights])
        return 2 * shared_weight >= sum([weight for _, weight in weighted_terms])


class QueryTerms:
    """A query's terms, counted in many texts."""

    def __init__(self, query: str) -> None:
        """Take the query's terms and their weights, as `weights`."""
        self.weights = weights(query)
        self._matches = _MatchingWords(self.weights)
        self._bounded_terms = [(term, term.replace("_", " "), int(term[0] != "_")) for term in self.weights]
        """Each term, as it stands between the spaces of a folded text, and the characters before its word there."""

    def count(self, text: str) -> TermCounts:
        """Count the query's terms in `text`."""
        return self._count_folded(fold(text))

    def _count_folded(self, folded: str) -> TermCounts:
        length = 0
        frequencies: dict[str, float] = {}
        is_disjoint = self.weights.keys().isdisjoint
        for word_terms in map(_TERMS_ALONE.__getitem__, folded.split()):
            length += len(word_terms)
            if not is_disjoint(word_terms):
                for term in word_terms:
                    if term in self.weights:
                        frequencies[term] = frequencies.get(term, 0.0) + 1.0
        return TermCounts(frequencies, length)

    def frequencies_by_part(self, words: str, part_ends: Sequence[int]) -> list[dict[str, float]]:
        """Return how often each of the query's terms stands in each part of a folded text, as in `TermCounts`.

        The text is parted by single spaces; its parts end at `part_ends`, the last one with the text. In scripts with
        spaces, words are not cut at MAX_WORD_CHARS.
        """
        if not is_parted_by_spaces(words):
            return [self._count_folded(words[start:end]).frequencies for start, end in pairwise([0, *part_ends])]
        parts: list[dict[str, float]] = [{} for _ in part_ends]
        bounded_words = f" {words} "
        find = bounded_words.find
        for term, bounded_term, lead in self._bounded_terms:
            place = find(bounded_term)
            while place >= 0:
                frequencies = parts[bisect_right(part_ends, place - lead)]
                frequencies[term] = frequencies.get(term, 0.0) + 1.0
                place = find(bounded_term, place + 1)
        return parts

    def marks(self, text: str) -> Iterator[tuple[int, int]]:
        """Yield the ranges of words in `text` that share at least half of their terms with the query."""
        if folds_in_place(text):
            yield from self._marks_of_folded(text, fold(text))
            return
        is_spaced = is_parted_by_spaces(text)
        for word in _WORD.finditer(text):
            if is_spaced:
                if self._matches[word.group()]:
                    yield word.span()
                continue
            for run in _RUNS.finditer(word.group()):
                start = word.start() + run.start()
                if run.lastgroup in {"ideographs", "unspaced"}:
                    yield from self._neighbours(text, start, word.start() + run.end())
                elif self._matches[run.group()]:
                    yield start, word.start() + run.end()

    def _marks_of_folded(self, text: str, folded: str) -> Iterator[tuple[int, int]]:
        """Yield marks in a text of which each character has its place in `folded`."""
        bounded = f" {folded} "
        starts: set[int] = set()
        for _, bounded_term, _ in self._bounded_terms:
            place = bounded.find(bounded_term)
            while place >= 0:
                starts.add(bounded.rfind(" ", 0, place + 1))
                place = bounded.find(bounded_term, place + 1)
        for start in sorted(starts):
            end = bounded.index(" ", start + 1) - 1
            if self._matches[text[start:end]]:
                yield start, end

    def _neighbours(self, text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
        """Yield marks where no spaces part words: two characters that the query has together; marks that touch join."""
        mark_start = mark_end = -1
        for at in range(start, end - 1):
            if self._matches[text[at : at + 2]]:
                if at > mark_end:
                    if mark_end > 0:
                        yield mark_start, mark_end
                    mark_start = at
                mark_end = at + 2
        if mark_end > 0:
            yield mark_start, mark_end


def weights(query: str) -> dict[str, float]:
    """Return the distinct terms of `query` with their weights."""
    return {term: weight for word in fold(query).split() for term, weight in _terms(word)}


def _terms(word: str) -> tuple[tuple[str, float], ...]:
    if len(word) <= MAX_WORD_CHARS:
        return _terms_of_short(word)
    return tuple(_cut_runs(word))


@lru_cache(maxsize=20_000)
def _terms_of_short(word: str) -> tuple[tuple[str, float], ...]:
    return tuple(_cut_runs(word))


def _terms_alone(word: str) -> list[str]:
    """Return the terms of a folded word without their weights."""
    if not is_parted_by_spaces(word):
        return [term for term, _ in _terms(word)]
    bounded_word = f"_{word[:MAX_WORD_CHARS]}_"
    piece_count = len(bounded_word) - _LETTERS_OF_PIECE + 1
    if piece_count <= 1:
        return [bounded_word]
    return [bounded_word, *[bounded_word[at : at + _LETTERS_OF_PIECE] for at in range(piece_count)]]


def _cut_runs(word: str) -> Iterator[tuple[str, float]]:
    for run in _RUNS.finditer(word):
        text = run.group()
        if run.lastgroup == "ideographs":
            yield from _cut(text, 2, WHOLE_WEIGHT)
            if len(text) > 1:
                yield from _cut(text, 1, PIECE_WEIGHT)
        elif run.lastgroup == "unspaced":
            if len(text) > 3:
                yield from _cut(text, 4, WHOLE_WEIGHT)
            yield from _cut(text, 2, PIECE_WEIGHT)
        else:
            yield from _spaced(text[:MAX_WORD_CHARS], _piece_chars(run))


def _piece_chars(run: re.Match[str]) -> int:
    """Return how many characters a piece of a run has: a syllable of Hangul stands for two or three letters."""
    if run.lastgroup == "hangul":
        return _SYLLABLES_OF_PIECE
    return _LETTERS_OF_PIECE


def _spaced(word: str, size: int) -> tuple[tuple[str, float], ...]:
    bounded_word = f"_{word}_"
    body = word if size == _SYLLABLES_OF_PIECE else bounded_word
    whole_word = (bounded_word, WHOLE_WEIGHT)
    if len(body) > size or size == _SYLLABLES_OF_PIECE:
        return (whole_word, *_cut(body, size, PIECE_WEIGHT))
    return (whole_word,)


def _cut(text: str, size: int, weight: float) -> list[tuple[str, float]]:
    """Return all pieces of `size` characters, overlapping; the whole where it is shorter."""
    return [(text[at : at + size], weight) for at in range(max(1, len(text) - size + 1))]
