"""Compares what a statement denies with what a cited text denies; pure.

A statement is compared only with sentences that have most of its words, and only by the words that a negation denies:
those behind it in its clause, or before it where none follow (`fährt sie nicht`). English, German, French, Spanish and
Chinese.
"""

from __future__ import annotations

import re
from itertools import chain, islice
from typing import TYPE_CHECKING, Final, NamedTuple

from wellread.citations.word_terms import STEM_CHARS, terms, unaccented

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_NEGATION_LIST: Final = """
not no never cannot without nobody none nothing nowhere neither nor nicht nichts kein keine keinen keiner keinem keines
nie niemals niemand ohne pas jamais aucun aucune sans ne rien non nunca jamás sin nada nadie ningún ninguna ninguno
tampoco niet geen
"""
NEGATIONS: Final = frozenset(_NEGATION_LIST.split())
NEGATED_ENDINGS: Final = ("n't", "n\u2019t", "ません", "ない", "なかった")
"""Of words in English and Japanese."""
_CUES: Final = "|".join(
    sorted({unaccented(word) for word in NEGATIONS - {"without", "ohne", "sans", "sin"}}, key=len, reverse=True)
)
_CUE: Final = re.compile(
    rf"(?<![^\W_])(?:{_CUES})(?![^\W_])|(?<=[a-z])n['\u2019]t(?![^\W_])|(?<![^\W_])n['\u2019](?=[^\W\d_])"
    "|\u6ca1\u6709?|\u4e0d|\u65e0|\u672a|\u52ff"
)
_NOT_DENYING: Final = re.compile(
    r"\b(?:not (?:only|just|merely|least|to mention|(?:less|more|later|fewer|earlier) than)"
    r"|whether or not|if not|why not|no (?:fewer|less|more|later|sooner|earlier) than"
    r"|no (?:doubt|matter)|no\.? ?\d|nothing but|nicht (?:nur|zuletzt)"
    r"|nicht (?:mehr|weniger) als|non seulement|n['\u2019]importe"
    r"|n(?:e |['\u2019])(?:(?!\b(?:pas|plus|jamais)\b)[^,.;]){1,40}?\bque"
    r"|no (?:solo|solamente|obstante|mas de|menos de))\b"
    "|\u4e0d(?:\u4ec5|\u4f46|\u8fc7|\u540c|\u65ad|\u4e45|\u5c11|\u7ba1|\u8bba|\u5982|\u5f97\u4e0d|\u8db3|\u5230"
    "|\u8d85\u8fc7|\u4f4e\u4e8e|\u9ad8\u4e8e)"
    "|\u65e0(?:\u8bba|\u6570|\u7ebf)|\u672a\u6765"
)
"""Phrases with a negation that deny nothing: `not only`, `no later than`."""
_OTHERWISE_DENYING: Final = re.compile(
    r"\b(?:(?:forbid|forbad|prohib|bann|refus|deny|deni|lack|fail|unab|impossib|inaccess|illegal|avoid|except|stop|ceas"
    r"|clos|absen|missing|exclu|abolish|discontin|former|un(?!der|ter|ser|til|i[tvo]|cle|d)[a-z]{4}"
    r"|verb[oi]t|untersag|fehl|kostenlos|geschloss|ausgeschl|interdi|manqu|cess|gratuit|ferm|imposib|excep|cerrad"
    r"|dej[oa])[a-z]{0,12}"
    r"|(?:without|free|few|little|rarely|hardly|barely|seldom|instead|unless|used to|only|until|before"
    r"|ohne|au(?:ss|\u00df)er|kaum|statt|gratis|frei|nur|erst|bevor|sans|sauf|hormis|libre|seulement|avant"
    r"|sin|salvo|falta|solo|hasta|antes))\b"
    "|\u7981|\u62d2|\u7f3a|\u65e0\u6cd5|\u514d|\u9664|\u505c|\u53d6\u6d88|\u9632|\u53ea"
)
"""Words, without accents, that deny or limit in another way than a negation."""
_SENTENCE_END: Final = re.compile(r"(?<=[.!?])\s{1,3}(?!\d|[a-z])|[\u3002\uff01\uff1f\n]")
_CLAUSE_END: Final = re.compile(
    r"[,:](?!\d)|[;()\u2013\u2014\uff0c\uff1b\uff1a\u3001]"
    r"|\b(?:but|although|though|while|whereas|because|and|aber|sondern|obwohl|wahrend|weil|und|mais|tandis|et|pero|sino"
    r"|aunque|mientras)\b|\sy\s|[\u4f46\u800c\u5374]"
)
_MODAL_CHAR: Final = re.compile(
    "[\u80fd\u4f1a\u53ef\u5f97\u662f\u8981\u5e94\u5fc5\u987b\u8be5\u518d\u6709\u88ab\u51c6\u8bb8\u4ee5\u4efb\u4f55\u7684\u4e86\u5e76\u8fd8\u4e5f]"
)
"""Chinese characters of verbs such as `can` and `have`, and particles, which part what a negation denies from it."""
_SHORT_CHARS: Final = STEM_CHARS - 1
"""Letters of terms that are shorter than a stem: words in another form begin with them."""
_DENIED_COUNT: Final = 2
_MIN_COVERED: Final = 0.6
"""The share of the terms of a statement that a sentence has which is compared with it."""
_MIN_COVERED_BY_CLAUSE: Final = 0.5
MAX_PAIRS: Final = 40_000
"""Pairs of different clauses of a statement and its evidence that are compared: a page can be made of as many clauses
as it has words. A statement of one clause is compared with 40,000."""
_MAX_CUES: Final = 20
"""Negations of a clause that are looked at."""
_MAX_DENIED_CHARS: Final = 300
"""Characters beside a negation in which the words that it denies are searched."""


class _Clause(NamedTuple):
    """A clause with its terms, and those that its negations deny."""

    terms: frozenset[str]
    denied: frozenset[str]
    negation: str
    """Its first negation; empty where it has none."""
    otherwise_denying: frozenset[str]
    """Stems of words that deny in another way."""


def unsupported_negation(statement: str, evidence: str) -> str:
    """Return the negation that a statement has and the evidence lacks, or that it lacks; empty where they agree.

    Where there are too many clauses to compare, a statement is not taken for supported.
    """
    clauses = _distinct([_clauses(statement)])
    if not _all_terms(clauses):
        return ""
    sentences = list(map(_clauses, _SENTENCE_END.split(evidence)))
    short_terms = _shared_short_terms(_all_terms(clauses), _all_terms(list(chain.from_iterable(sentences))))
    if short_terms:
        clauses = _shortened(clauses, short_terms)
        sentences = [_shortened(sentence, short_terms) for sentence in sentences]
    statement_terms = _all_terms(clauses)
    others = _distinct(
        sentence for sentence in sentences if _covered(statement_terms, _all_terms(sentence)) >= _MIN_COVERED
    )
    if not any(clause.negation for clause in (*clauses, *others)):
        return ""
    if len(clauses) * len(others) > MAX_PAIRS:
        return "its negations, which are among too many clauses to be compared"
    return _added(clauses, others) or _dropped(clauses, others)


def is_negated(text: str, start: int) -> bool:
    """Return whether a negation stands before an offset in the same clause, as before "suitable" in "not suitable"."""
    before = _SENTENCE_END.split(text[max(0, start - _MAX_DENIED_CHARS) : start])[-1]
    clause = _CLAUSE_END.split(_NOT_DENYING.sub(" ", unaccented(before)))[-1]
    return _CUE.search(clause) is not None


def _shared_short_terms(stated: frozenset[str], cited: frozenset[str]) -> frozenset[str]:
    """Return the terms of three letters on one side that begin terms of the other, as "eat" begins "eaten"."""
    return frozenset(
        short
        for terms_of_side, others in ((stated, cited), (cited, stated))
        for short in terms_of_side & {term[:_SHORT_CHARS] for term in others if len(term) > _SHORT_CHARS}
        if len(short) == _SHORT_CHARS
    )


def _shortened(clauses: Sequence[_Clause], short_terms: frozenset[str]) -> list[_Clause]:
    """Return clauses with short terms in the place of the terms that they begin."""
    return [
        clause._replace(terms=_cut(clause.terms, short_terms), denied=_cut(clause.denied, short_terms))
        for clause in clauses
    ]


def _cut(long_terms: frozenset[str], short_terms: frozenset[str]) -> frozenset[str]:
    shortened_terms = {term for term in long_terms if term[:_SHORT_CHARS] in short_terms}
    return (long_terms - shortened_terms) | {term[:_SHORT_CHARS] for term in shortened_terms}


def _distinct(sentences: Iterable[Sequence[_Clause]]) -> list[_Clause]:
    """Return the different clauses of sentences."""
    return list(dict.fromkeys(clause for sentence in sentences for clause in sentence))


def _all_terms(clauses: Sequence[_Clause]) -> frozenset[str]:
    return frozenset[str]().union(*(clause.terms for clause in clauses))


def _covered(terms_of_statement: frozenset[str], other: frozenset[str]) -> float:
    return len(terms_of_statement & other) / (len(terms_of_statement) or 1)


def _added(clauses: Sequence[_Clause], others: Sequence[_Clause]) -> str:
    """Return a negation of a statement whose denied words only stand in clauses that deny nothing."""
    denying = _otherwise_denying(clauses)
    for clause in clauses:
        naming = [other for other in others if clause.denied & other.terms]
        if naming and not any(other.negation or other.otherwise_denying - denying for other in naming):
            return clause.negation
    return ""


def _dropped(clauses: Sequence[_Clause], others: Sequence[_Clause]) -> str:
    """Return a negation of the evidence for words that the statement only has in clauses that deny nothing."""
    denying = _otherwise_denying(others)
    stated_terms = {clause: _stated_terms(clause, others) for clause in clauses}
    for other in others:
        naming = [clause for clause in clauses if other.denied & clause.terms]
        if any(clause.negation or clause.otherwise_denying - denying for clause in naming):
            continue
        if any(not other.denied & stated_terms[clause] for clause in naming):
            return f"the negation {other.negation!r}"
    return ""


def _otherwise_denying(clauses: Sequence[_Clause]) -> frozenset[str]:
    return frozenset[str]().union(*(clause.otherwise_denying for clause in clauses))


def _stated_terms(clause: _Clause, others: Sequence[_Clause]) -> frozenset[str]:
    """Return the terms of a clause that another one without a negation has, together with most of the clause."""
    stating = (other.terms for other in others if not other.negation)
    shared = (clause.terms & other_terms for other_terms in stating)
    return frozenset[str]().union(
        *(terms_of_both for terms_of_both in shared if _covered(clause.terms, terms_of_both) >= _MIN_COVERED_BY_CLAUSE)
    )


def _clauses(sentence: str) -> list[_Clause]:
    text = _NOT_DENYING.sub(" ", unaccented(sentence))
    return [clause for part in _CLAUSE_END.split(text) for clause in _clause(part)]


def _clause(text: str) -> Iterator[_Clause]:
    cues = list(islice(_CUE.finditer(text), _MAX_CUES))
    clause_terms = frozenset(_terms(text))
    if not clause_terms and not cues:
        return
    denied = frozenset(term for cue in cues for term in _denied(text, cue))
    denying = frozenset(match[0][:STEM_CHARS] for match in _OTHERWISE_DENYING.finditer(text))
    negation = next((cue[0] for cue in cues), "")
    yield _Clause(clause_terms | denied, denied, negation, denying)


def _denied(text: str, cue: re.Match[str]) -> list[str]:
    """Return the first terms behind a negation, or the last before it where none follow."""
    behind = text[cue.end() : cue.end() + _MAX_DENIED_CHARS]
    before = text[max(0, cue.start() - _MAX_DENIED_CHARS) : cue.start()]
    return _terms(behind)[:_DENIED_COUNT] or _terms(before)[-_DENIED_COUNT:]


def _terms(text: str) -> list[str]:
    return terms(_MODAL_CHAR.sub(" ", _CUE.sub(" ", text)))
