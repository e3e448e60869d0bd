"""Plans a research from its question, and shares its budget among the searches; pure.

Only the question is planned from: no text of a page can add a search or change one.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from wellread.errors import InvalidInput
from wellread.metadata.declared_metadata import listed
from wellread.reading.proved_fields import json_object
from wellread.text.characters import folded_words, on_one_line

if TYPE_CHECKING:
    from collections.abc import Iterable

    from wellread.types import ResearchBudget

MAX_SUB_QUERIES: Final = 4
MAX_QUERY_CHARS: Final = 200
MAX_PAGES: Final = 200
MAX_PAGES_OF_QUERY: Final = 20
LINKED_SHARE: Final = 0.3
"""Of the pages of a query: those that are read by links, where the hits agree on a site."""
MAX_PLAN_TOKENS: Final = 500
INSTRUCTIONS: Final = f"""\
You plan the searches of a research. Answer with a JSON object and nothing else: {{"queries": ["...", "..."]}}
queries: at most {MAX_SUB_QUERIES} short questions in the language of the question. Together they cover its parts; \
each is complete without the others, and names what it is about.
"""
_MIN_PART_WORDS: Final = 2
_PART_END: Final = re.compile(r"[?;!\n]+|,\s|\s(?:and|or|und|oder|et|ou|y|o)\s")
_ENTITY: Final = re.compile(
    r"(?<=\s)(?:[A-Z\u00c0-\u00de][\w'\u2019-]{1,40}|\d{4})(?:\s[A-Z\u00c0-\u00de][\w'\u2019-]{1,40}){0,4}"
)
_FUNCTION_WORD_LIST: Final = """
a about all an and any are as at be been but by can could did do does for from had has have he her his how i if in is
it its me my of on or our she should so tell than that the their them there they this to was we were what when where
which who whom whose why will with would you your
der die das den dem ein eine ist sind war waren wie was wer wann wo warum welche und oder von zu mit auf im
le la les un une des est sont qui que quand comment pourquoi quel quelle el los las una es son quien cuando donde
"""
_FUNCTION_WORDS: Final = frozenset(_FUNCTION_WORD_LIST.split())


def terms_plan(question: str) -> tuple[str, ...]:
    """Return the question, then its parts: each with the names that the whole question is about."""
    question = on_one_line(question)
    entities = list(dict.fromkeys(match.group() for match in _ENTITY.finditer(question)))
    parts = [part.strip(" .,:") for part in _PART_END.split(question)]
    parts = [part for part in parts if len(folded_words(part).split()) >= _MIN_PART_WORDS and _terms(part)]
    queries: list[str] = []
    for part in parts if len(parts) > 1 else []:
        missing = [entity for entity in entities if entity not in part]
        queries.append(" ".join([part, *missing]))
    if not queries and len(entities) > 1:
        entity_words = set(folded_words(" ".join(entities)).split())
        subject = [term for term in _terms(question) if term not in entity_words]
        queries = [" ".join([entity, *subject]) for entity in entities]
    return _plan(question, queries or [" ".join(_terms(question))])


def model_plan(question: str, answer: str) -> tuple[str, ...]:
    """Return the question, then the queries in a model's answer; none where it has none."""
    queries = [query for query in listed(json_object(answer).get("queries")) if isinstance(query, str)]
    return _plan(on_one_line(question), queries)


def _plan(question: str, queries: Iterable[str]) -> tuple[str, ...]:
    """Return the question and the first queries that differ from it and from each other."""
    by_words = {folded_words(question): question}
    for query in queries:
        text = on_one_line(query[:MAX_QUERY_CHARS])
        if _terms(text):
            by_words.setdefault(folded_words(text), text)
    return tuple(by_words.values())[: MAX_SUB_QUERIES + 1]


def _terms(text: str) -> list[str]:
    """Return the words of a text that say what it is about."""
    return [word for word in folded_words(text).split() if word not in _FUNCTION_WORDS]


def check_budget(budget: ResearchBudget) -> None:
    """Check the limits of a research.

    Raises:
        InvalidInput: a limit is out of range.
    """
    if not 0 < budget.time_s <= 86_400:
        raise InvalidInput(f"a research cannot take {budget.time_s:g} s", hint="time_s: more than 0, at most 86400")
    if not 1 <= budget.pages <= MAX_PAGES:
        raise InvalidInput(f"a research cannot read {budget.pages} pages", hint=f"pages: 1 to {MAX_PAGES}")
    if budget.tokens < 0:
        raise InvalidInput(f"a research cannot use {budget.tokens} tokens", hint="tokens: at least 0")
    if budget.max_usd is not None and budget.max_usd < 0:
        raise InvalidInput(f"a research cannot cost {budget.max_usd:g} dollars", hint="max_usd: at least 0")


def page_share(pages_left: int, queries_left: int) -> int:
    """Return how many pages the next of so many queries may request: an equal share of what is left, rounded up."""
    return min(MAX_PAGES_OF_QUERY, -(-max(0, pages_left) // max(1, queries_left)))
