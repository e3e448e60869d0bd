"""Answers a question with sentences and table rows of gathered passages, word for word; pure.

A sentence is scored by BM25 among all sentences of the passages and by the share of the question that it covers, and
takes part of the score of its passage. Measured on XQuAD (`benchmarks/best_sentences.py`, 150 questions each among the
paragraphs of nine articles): the first sentence has the answer for .85 of the English questions, .81 of the German and
.79 of the Chinese ones; counting the words of the question gave .81, .75 and .19.
"""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from wellread.citations import verification
from wellread.citations.negations import NEGATED_ENDINGS, NEGATIONS
from wellread.css.words import word_set
from wellread.index.plain_text import plain
from wellread.index.search_terms import QueryTerms, fold, is_spaced
from wellread.rank.bm25 import score_bm25
from wellread.text.characters import on_one_line
from wellread.text.dates import named_months
from wellread.types import Claim

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wellread.rank.bm25 import Bm25Scores
    from wellread.types import Gathered, Passage

BEST_SENTENCES: Final = 3
LEAST_SHARE: Final = 0.6
"""Of the score of the best sentence, what another one needs."""
MIN_COVERED: Final = 0.15
MIN_COVERED_UNSPACED: Final = 0.13
"""Shares of the question that the best sentence covers at least; below, there is no answer. Of right first sentences
.01 (English) and .02 (German, Chinese) cover less; of the best sentences of other articles .50, .45 and .85 do."""
_PASSAGE_SHARE: Final = 0.8
"""The part of a sentence's score that falls with the score of its passage; .5 and 0 were tried."""
_LEADING_SHARE: Final = 0.9
"""What the words of a question or a heading count for the sentence below it."""
_ANSWER_KIND_WEIGHT: Final = 1.3
"""What a sentence counts for that has a number, a date or a price, if the question asks for one."""
_MIN_CHARS: Final = 8
_MIN_STEM: Final = 4
_SHORT_CHARS: Final = 40
"""A sentence below a question that is shorter is given with the next one: `For two reasons.`"""

_SENTENCE: Final = re.compile(
    r"[^\s][^.!?\u3002\uff01\uff1f\n]{0,600}(?:[.!?\u3002\uff01\uff1f]+[\"')\]\u201d\u00bb]*|(?=\n|\Z))"
)
_ORDINAL: Final = re.compile(r"(?:^|\s)\d{1,2}\.$")
_ABBREVIATION: Final = re.compile(r"(?:^|\s)(?:[A-Z][a-z]{0,2}|[^\W\d]|etc|approx|vs)\.$|^\s*\d{1,3}\.$")
QUESTION_MARKS: Final = ("?", "\uff1f", "\u061f")
_LINE: Final = re.compile(r"[^\n]+")
_QUOTE_SIGNS: Final = " >\t"
TABLE_RULE: Final = re.compile(r"\|(?:\s*:?-+:?\s*\|)+")
FENCE: Final = "```"
_CELL_BORDER: Final = re.compile(r"(?<!\\)\|")

_QUESTION_WORD_LIST: Final = """
what which who whom whose when where why how is are was were do does did can could should must i my you your
wer wie was wann wo warum welche welcher welches welchem welchen ist sind war hat wurde wurden kann darf muss ich man
que quel quelle quels quelles qui quand ou pourquoi comment est sont cual cuales quien cuando donde como es son
che chi quale quali quando dove perche come sono qual quem onde wie wat waar waarom hoe welk zijn
"""
_QUESTION_WORDS: Final = frozenset(_QUESTION_WORD_LIST.split())
"""Words that ask, in seven languages; a sentence with one of them answers no better."""
_NUMBER_QUESTION: Final = re.compile(
    r"\b(?:how (?:many|much|long|old|far|tall|high|often|fast|deep|large|big|heavy|wide|hot|cold)"
    r"|what (?:(?:is|are|was|were) the )?(?:\w{1,20} )?(?:percent\w*|temperature|number|amount|size|age|population"
    r"|share|proportion|capacity|weight|height|length|width|depth|area|speed|distance|duration)\b"
    r"|wie ?(?:viele?|lange|alt|weit|hoch|oft|gross|tief|breit|schwer)|welche temperatur"
    r"|combien|quelle (?:temperature|taille)|cuant[oa]s?|quant[oaie]s?|hoeveel)\b"
    r"|\u591a\u5c11|\u51e0|\u591a[\u957f\u5927\u4e45\u9ad8\u8fdc]"
    r"|\u3044\u304f\u3064|\u4f55[\u4eba\u56de\u500b]|\uba87|\uc5bc\ub9c8"
)
_DATE_QUESTION: Final = re.compile(
    r"\b(?:when|(?:what|which) (?:year|date|day)|wann|welchem jahr|quand|quelle annee|cuando|que ano|quando|che anno"
    r"|wanneer)\b|\u4ec0\u4e48\u65f6\u5019|\u4f55\u65f6|\u54ea\u4e00?\u5e74|\u3044\u3064|\u4f55\u5e74|\uc5b8\uc81c"
)
_PRICE_QUESTION: Final = re.compile(
    r"\b(?:costs?|prices?|expensive|kosten|kostete?|preise?|teuer|coute(?:nt)?|prix|cuestan?|precios?|costano?|prezz[oi]"
    r"|custam?|precos?|prijs)\b|\u591a\u5c11\u94b1|\u4ef7\u683c|\u3044\u304f\u3089|\u5024\u6bb5"
)
_CONTENTS_QUESTION: Final = re.compile(
    r"(?:what|which|was|que|qu est|quels?|quelles?|cosa|che|o que|wat)\b.{0,60}"
    r"\b(?:(?:included|contained|covered) (?:in|with|by|for)\b|(?:includes?|contains?|covers?)$"
    r"|enthalten|inbegriffen|inklusive|enthalt|beinhaltet|umfasst|compris|inclus|comprend|incluid[oa]|incluye|comprende"
    r"|inclus[oa]|compreso|inclui|inbegrepen)"
    r"|.{0,40}\u5305(?:\u542b|\u62ec).{0,10}(?:\u4ec0\u4e48|\u54ea\u4e9b)"
)
"""A question for what is in a price, which another price does not answer."""
_NUMBER: Final = re.compile(
    r"\d|[\u4e00\u4e8c\u4e09\u56db\u4e94\u516d\u4e03\u516b\u4e5d\u5341\u767e\u5343\u4e07]"
    r"|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundred|thousand"
    r"|zwei|drei|vier|funf|sechs|sieben|acht|neun|zehn|elf|zwolf|hundert|tausend|million\w*|milliard\w*|deux|trois"
    r"|quatre|cinq|dix|cent|mille|dos|tres|cuatro|cinco|diez|cien|mil)\b"
)
_DATE: Final = re.compile(r"\d")
_PRICE: Final = re.compile(
    r"[$\u20ac\u00a3\u00a5\u20b9\u20bd\uffe5\u5143\u5186]|\b(?:usd|eur|gbp|chf|jpy|euros?|dollars?|pounds?|francs?|free)\b"
)
_SELECTING_QUESTION: Final = re.compile(
    r"(?:\w{2,5} )?(?:which|what|who|whom|where|welche[mnrs]?|wer|wo|quel(?:le)?s?|qui|que|cual(?:es)?|quien(?:es)?"
    r"|donde|quali?|chi|dove)\b"
)
"""A question for what a statement holds true of, which a statement of the opposite does not answer."""
_NEGATION_REACH: Final = 3
"""Words after a negation of which one is what it denies."""
_DENYING_WEIGHT: Final = 0.4
"""A sentence that denies what the question asks for comes after every other that covers half as much of it.

Chosen with the two limits below on 55 questions over 10 made pages: the first sentence is right for 49, before for 45.
"""
_STATING_WEIGHT: Final = LEAST_SHARE
"""Of a sentence that states what a question denies: one that would be the best is still shown, below the others."""
_RULE_OR_CONDITION_LIST: Final = """
must should may might can could would mustn't shouldn't can't cannot couldn't if when unless
darf durfen durfte muss mussen soll sollen sollte kann konnen wenn falls sofern
doit doivent peut peuvent faut si quand debe deben puede pueden cuando deve devono devem puo possono pode podem
se mag mogen moet moeten kan kunnen als indien
"""
_RULE_OR_CONDITION: Final = frozenset(_RULE_OR_CONDITION_LIST.split())
"""With one of them, a negation in a question denies no property: `What happens if I do not pay?`."""
_PERMISSION_LIST: Final = """
may might can could cannot can't couldn't allowed permitted darf durfen durfte durften kann konnen konnte konnten
erlaubt gestattet zugelassen peut peuvent permis autorise autorises puede pueden permitido permitida permitidos puo
possono pode podem mag mogen kan kunnen
"""
_PERMISSION: Final = frozenset(_PERMISSION_LIST.split())
"""Words that permit; beside a negation, a question denies a permission: `Who may not enter?`."""
_ONLY: Final = frozenset(["only", "nur", "seulement", "uniquement", "solo", "s\u00f3lo", "solamente", "soltanto"])
"""`Only rowing boats may enter` says which boats may not."""
_PROHIBITION: Final = re.compile(
    r"\b(?:avoid|forbid|forbad|forbidden|prohibit|banned|danger|unsafe|except|refus|exclud|lack|free of"
    r"|verbot|vermeid|gefahrlich|untersag|interdi|evit|prohib|dangere|peligros|vietat|pericolos|proibid|verbod)"
)
"""Words, without marks on letters, that deny as a negation does."""
_YES_OR_NO: Final = re.compile(
    r"(?:yes|no|ja|nein|oui|non|s\u00ed|s\u00ec|sim|n\u00e3o|nee)[,.;:!\u2013\u2014]"
    r"|(?:\u662f\u7684|\u4e0d\u662f|\u4e0d\u53ef\u4ee5|\u53ef\u4ee5|\u306f\u3044|\u3044\u3044\u3048)[\uff0c,\u3001\u3002]"
)
"""The beginning of an answer to the question above it alone."""
_QUESTION_SHARE: Final = 0.6
"""Of what the question above a sentence covers that fits best, what that of another such answer covers at least.

Below it a question is another one; above it, it may ask the same in other words."""
_MIN_OWN_OF_YES_OR_NO: Final = 0.45
"""The share of the question that such an answer has in its own words, where the question above it is another one.

With nearly half of the question in it, a sentence answers without the question above it."""
_MIN_WORDS_OF_YES_OR_NO: Final = 0.6
"""The share of the words of the question that such an answer has with the question above it."""
_FUNCTION_WORDS: Final = word_set(
    "a an the in on at of to for with by from and or be been am if it its this that there here we us our me have has "
    "had get got take bring go come use able allowed possible permitted will would may might also any some "
    "der die das den dem des ein eine einen einem einer im am an auf mit von zu zum zur fur und oder es wir uns mein "
    "meine meinen haben hat gibt darf durfen konnen mussen soll mitbringen bringen mitnehmen nehmen erlaubt moglich "
    "le la les l un une des du de d au aux en dans sur avec pour et ou il y on je mon ma mes avoir peut puis dois "
    "el los las una unos del al con por para y o mi mis hay puedo se lo gli il i nel della di da posso c e"
)
"""Words that many questions have, and words for what may be done or brought, of which a page has its own."""
_ANSWER_KINDS: Final = ((_PRICE_QUESTION, _PRICE), (_DATE_QUESTION, _DATE), (_NUMBER_QUESTION, _NUMBER))


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A sentence or a table row that may answer."""

    claim: Claim
    passage: Passage
    words: str
    """Of a table row, those of its cells alone."""
    is_leading: bool = False
    """It is a question or a heading: no answer itself, but what follows it may be."""
    columns: Passage | None = None
    """Of a table row: the row with the names of the columns."""

    @property
    def text_alone(self) -> Passage:
        """Its words without title, headings and names of columns."""
        return replace(self.passage, text=self.words, title=None, headings=())

    @property
    def text(self) -> Passage:
        """Its words below the headings of its passage and the names of its columns, which count less."""
        headings = self.passage.headings
        if self.columns is not None:
            headings = (*headings, plain(self.columns.text))
        return replace(self.passage, text=self.words, headings=headings)


@dataclass(frozen=True, slots=True)
class _ScoredCandidate:
    """A candidate with its score, and the share of the question that it covers."""

    claim: Claim
    score: float
    covered: float


def best_claims(gathered: Gathered) -> list[Claim]:
    """Return at most three sentences or table rows of the passages that answer the question, the best first.

    The list is empty if even the best one covers too little of the question. A table row is given with the names of
    its columns, and cites both.
    """
    candidates = [candidate for passage in gathered.passages for candidate in _candidates(passage)]
    question = without_question_words(gathered.query)
    scored = score_bm25(question, [candidate.text for candidate in candidates])
    sentence_scores = score_bm25(question, [candidate.text_alone for candidate in candidates])
    answers = _scored(gathered, candidates, scored, sentence_scores)
    answers.sort(key=lambda answer: -answer.score)
    min_covered = _min_covered(gathered.query)
    claims: dict[str, Claim] = {}
    for answer in answers:
        if answer.score < LEAST_SHARE * answers[0].score:
            break
        if answer.covered >= min_covered:
            claims.setdefault(answer.claim.text, answer.claim)
    return [
        replace(claim, passages=tuple(map(verification.cited, claim.passages)))
        for claim in itertools.islice(claims.values(), BEST_SENTENCES)
    ]


def _min_covered(question: str) -> float:
    if is_spaced(question):
        return MIN_COVERED
    return MIN_COVERED_UNSPACED


def without_question_words(question: str) -> str:
    """Return a question without the words that ask."""
    words = [word for word in question.split() if fold(word).strip() not in _QUESTION_WORDS]
    return " ".join(words) or question


def _scored(
    gathered: Gathered, candidates: Sequence[_Candidate], scored: Bm25Scores, sentence_scores: Bm25Scores
) -> list[_ScoredCandidate]:
    """Return the candidates that have a term of the question, alone or with the question or heading above them.

    What the title, the headings and the names of columns cover counts only for a sentence of the kind that the question
    asks for: they are above all sentences of a page. `sentence_scores` are those of the candidates without them.
    """
    best_score = max(scored.scores, default=0.0) or 1.0
    top_score = max((passage.score for passage in gathered.passages), default=0.0) or 1.0
    answer_kind = _answer_kind(gathered.query)
    matched_tables = {
        candidate.columns
        for candidate, own_covered in zip(candidates, sentence_scores.covered, strict=True)
        if own_covered
    }
    opposite = _OppositeStatements(gathered.query)
    other_answers = _answers_of_other_questions(gathered.query, candidates, sentence_scores)
    answers = []
    leading_score = leading_covered = 0.0
    for at, (candidate, score, covered, own_covered) in enumerate(
        zip(candidates, scored.scores, scored.covered, sentence_scores.covered, strict=True)
    ):
        relevance = (score / best_score + covered) / 2
        if candidate.is_leading:
            leading_score, leading_covered = relevance * _LEADING_SHARE, covered
            continue
        relevance = max(relevance, leading_score)
        relevance *= 1 - _PASSAGE_SHARE * (1 - candidate.passage.score / top_score)
        counted = max(own_covered, leading_covered)
        is_other_row = candidate.columns is not None and not own_covered and candidate.columns in matched_tables
        if answer_kind is not None and answer_kind.search(candidate.claim.text.casefold()) and not is_other_row:
            relevance *= _ANSWER_KIND_WEIGHT
            counted = max(counted, covered)
        relevance *= opposite.weight(candidate.words)
        if relevance and at not in other_answers:
            answers.append(_ScoredCandidate(candidate.claim, relevance, counted))
        leading_score = leading_covered = 0.0
    return answers


def _answers_of_other_questions(query: str, candidates: Sequence[_Candidate], sentence_scores: Bm25Scores) -> set[int]:
    """Return the indexes of the sentences that say yes or no to a question above them, which is not that of `query`.

    It is another one where it and the sentence lack most words of `query`; where a question of the pages fits far
    better; or where neither it nor the sentence has enough of `query` beyond the title of the page.
    """
    covered_by_questions = [
        own_covered if candidate.words.endswith(QUESTION_MARKS) else 0.0
        for candidate, own_covered in zip(candidates, sentence_scores.covered, strict=True)
    ]
    min_covered = _QUESTION_SHARE * max(covered_by_questions, default=0.0)
    terms = QueryTerms(without_question_words(query))
    other_answers = set()
    for at in range(1, len(candidates)):
        candidate = candidates[at]
        question_above = candidates[at - 1].words
        if not question_above.endswith(QUESTION_MARKS) or not _YES_OR_NO.match(candidate.words[:20].casefold()):
            continue
        if not _has_most_words(f"{question_above} {candidate.words}", query, candidate.passage.title or ""):
            other_answers.add(at)
            continue
        if covered_by_questions[at - 1] >= min_covered > 0:
            continue
        own_terms = sentence_scores.terms[at] - terms.count(candidate.passage.title or "").frequencies.keys()
        share = sum(sentence_scores.term_shares[term] for term in own_terms)
        if share < _MIN_OWN_OF_YES_OR_NO:
            other_answers.add(at)
    return other_answers


def _has_most_words(text: str, query: str, title: str) -> bool:
    """Return whether a text has most words of a question, or words that begin like them; not those of the title."""
    words = set(fold(query).split()) - _QUESTION_WORDS - _FUNCTION_WORDS
    words = {word for word in words if not _begins_alike(word, title)}
    if not words or not is_spaced(query):
        return True
    return sum(_begins_alike(word, text) for word in words) >= _MIN_WORDS_OF_YES_OR_NO * len(words)


def _begins_alike(word: str, text: str) -> bool:
    return any(term.startswith("_") for term in QueryTerms(word).count(text).frequencies)


class _OppositeStatements:
    """The sentences that deny what a question asks for, or state what it denies: `Which beach has no lifeguards?`."""

    def __init__(self, question: str) -> None:
        words = _words(question)
        self._is_selecting = _SELECTING_QUESTION.match(fold(question).strip()) is not None
        self._is_negated = any(map(_is_negation, words))
        self._stems = {_stem(word) for word in words if word not in _QUESTION_WORDS and not _is_negation(word)}
        self._denied_stems: set[str] = set()
        self._denies_permission = _has_permission(words)
        rules = _RULE_OR_CONDITION & set(_words(fold(question)))
        if not rules or (self._denies_permission and rules <= _PERMISSION):
            self._denied_stems = {_stem(word) for word in _denied_words(words) if len(word) >= _MIN_STEM}

    def weight(self, sentence: str) -> float:
        """Return what a sentence counts for, 1 where it is none of them."""
        if not self._is_selecting:
            return 1
        words = _words(sentence)
        if not self._is_negated and any(_stem(word) in self._stems for word in _denied_words(words)):
            return _DENYING_WEIGHT
        has_denied_word = any(_stem(word) in self._denied_stems for word in words)
        if not has_denied_word or any(map(_is_negation, words)) or _PROHIBITION.search(fold(sentence)):
            return 1
        if not self._denies_permission:
            return _STATING_WEIGHT
        if _has_permission(words) and not _ONLY & set(words):
            return _DENYING_WEIGHT
        return 1


def _has_permission(words: Sequence[str]) -> bool:
    return any(_PERMISSION & set(fold(word).split()) for word in words)


def _denied_words(words: list[str]) -> Iterator[str]:
    """Yield the words that stand directly after a negation."""
    for at, word in enumerate(words):
        if _is_negation(word):
            yield from words[at + 1 : at + 1 + _NEGATION_REACH]


def _words(text: str) -> list[str]:
    return [word.strip(".,;:!?\"'()") for word in text.casefold().split()]


def _is_negation(word: str) -> bool:
    return word in NEGATIONS or word.endswith(NEGATED_ENDINGS)


def _stem(word: str) -> str:
    """Return the beginning of a word, which its forms share."""
    return word[: max(_MIN_STEM, len(word) - 2)]


def _answer_kind(query: str) -> re.Pattern[str] | None:
    """Return the pattern of the kind of text that a question asks for: a price, a date or a number.

    A question for what a price includes asks for no price.
    """
    question = " ".join(fold(query).split())
    is_for_contents = _CONTENTS_QUESTION.match(question) is not None
    return next(
        (
            sign
            for question_sign, sign in _ANSWER_KINDS
            if question_sign.search(question) and not (is_for_contents and sign is _PRICE)
        ),
        None,
    )


def _candidates(passage: Passage) -> Iterator[_Candidate]:
    """Yield the sentences and table rows of a passage; code is neither."""
    columns: Passage | None = None
    prose_start = 0
    lines = list(_LINE.finditer(passage.text))
    is_code = _begins_in_code(passage)
    for at, line in enumerate(lines):
        words = line[0].strip(_QUOTE_SIGNS)
        is_fence = words.startswith(FENCE)
        is_row = not is_code and words.startswith("|")
        if not is_row:
            columns = None
            if not is_fence and not is_code:
                continue
        if not is_code:
            yield from _sentences(passage, prose_start, line.start())
        prose_start = line.end()
        if is_fence:
            is_code = not is_code
        elif is_row and not TABLE_RULE.fullmatch(words):
            row = passage_part(passage, line.end() - len(line[0].lstrip(_QUOTE_SIGNS)), line.end())
            is_header = at + 1 < len(lines) and TABLE_RULE.fullmatch(lines[at + 1][0].strip(_QUOTE_SIGNS))
            if is_header:
                columns = row
            if not is_header or len(_cells(row)) <= 2:
                yield table_row(row, columns, passage)
    if not is_code:
        yield from _sentences(passage, prose_start, len(passage.text))


def _begins_in_code(passage: Passage) -> bool:
    """Return whether a passage starts in the middle of a code block: its first fence closes the block."""
    fences = [line[0] for line in _LINE.finditer(passage.text) if line[0].strip(_QUOTE_SIGNS).startswith(FENCE)]
    return passage.cut.startswith("start") and len(fences) % 2 == 1 and fences[0].strip(_QUOTE_SIGNS) == FENCE


def table_row(row: Passage, columns: Passage | None, passage: Passage) -> _Candidate:
    """Return a table row as a statement: each cell with the name of its column; of two cells, one names the other."""
    cells = _cells(row)
    if columns is None or len(cells) <= 2 or len(names := _cells(columns)) != len(cells):
        text = f"{': '.join(filter(None, cells))}."
        return _Candidate(Claim(text=text, passages=(row,)), passage, text)
    named_cells = (": ".join(filter(None, (name, cell))) for name, cell in zip(names, cells, strict=True) if cell)
    claim = Claim(text=f"{'; '.join(named_cells)}.", passages=(columns, row))
    return _Candidate(claim, passage, " ".join(cells), columns=columns)


def _cells(row: Passage) -> list[str]:
    """Return the words of the cells of a Markdown table row."""
    return [on_one_line(plain(cell.strip())) for cell in _CELL_BORDER.split(row.text.strip())[1:-1]]


def _sentences(passage: Passage, prose_start: int, prose_end: int) -> Iterator[_Candidate]:
    """Yield the sentences of a part of a passage that is neither table nor code."""
    start = -1
    question_start = -1
    for match in _SENTENCE.finditer(passage.text, prose_start, prose_end):
        if start < 0:
            start = match.start()
        end = match.end()
        if _goes_on(passage.text, start, end):
            continue
        if question_start >= 0 and end - start < _SHORT_CHARS and passage.text[end : end + 1] == " ":
            question_start = -1
            continue
        if question_start >= 0 and end - start < _MIN_CHARS:  # `No.` says nothing without its question
            start = question_start
            while passage.text[start] in "# ":
                start += 1
        question_start = -1
        for candidate in _sentence(passage, start, end):
            if candidate.words.endswith(QUESTION_MARKS):
                question_start = start
            yield candidate
        start = -1
    if 0 <= start < prose_end:
        yield from _sentence(passage, start, start + len(passage.text[start:prose_end].rstrip()))


def _sentence(passage: Passage, start: int, end: int) -> Iterator[_Candidate]:
    sentence = passage_part(passage, start, end)
    text = on_one_line(plain(sentence.text))
    is_leading = text.endswith((*QUESTION_MARKS, ":", "\uff1a")) or sentence.text.lstrip().startswith("#")
    if is_leading or len(text) >= _MIN_CHARS:
        yield _Candidate(Claim(text=text, passages=(sentence,)), passage, text, is_leading=is_leading)


def _goes_on(text: str, start: int, end: int) -> bool:
    """Return whether a sentence continues after its sign: of an abbreviation, or before a small letter or no blank."""
    following = text[end : end + 2]
    if not following or text[end - 1] in "\u3002\uff01\uff1f" or following[0] == "\n":
        return False
    if _ABBREVIATION.search(text[max(start, end - 12) : end]):
        return True
    return not following[0].isspace() or following[1:].islower() or _is_day_of_month(text, end)


def _is_day_of_month(text: str, end: int) -> bool:
    """Return whether the sign belongs to a day, as in `4. Juni`."""
    if not _ORDINAL.search(text[max(0, end - 4) : end]):
        return False
    word = next(iter(text[end : end + 20].split()), "").strip(".,;:!?)")
    return any(date.start == 0 for date in named_months.worded(f"1. {word} 2000"))


def passage_part(passage: Passage, start: int, end: int) -> Passage:
    """Return the part of a passage between two offsets in its text."""
    text = passage.text[start:end]
    return replace(passage, text=text, start=passage.start + start, end=passage.start + end, cut="")
