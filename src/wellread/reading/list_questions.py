"""Recognises questions for several things, and the noun for these things; pure.

`Which breads are sold on Sunday?` and `List the ferries` ask for several things. `What causes tides?`, `Which Paris
hotel is old?` and `Welche Farbe haben die Türen?` ask for one fact. The head of the phrase that is asked for must be a
plural: a plural verb or a preposition comes after it, or nothing. A doubtful question counts as one for one fact.
"""

from __future__ import annotations

import re
from typing import Final

from wellread.css.words import word_set
from wellread.index.search_terms import fold, is_spaced

_MIN_STEM_CHARS: Final = 3
_ENDING: Final = re.compile(r"(?:ies|es|en|s|e|x|y)$")
_NO_PLURALS: Final = word_set(
    "does goes always perhaps sometimes means news series species headquarters lens odds physics mathematics economics "
    "politics athletics mars athens wales texas kansas christmas canvas atlas bias"
)
"""Words that end in `s` and are no plurals."""

# --------------------------------------------------------------------------------------------------------- English

_AFTER_NOUN: Final = (
    r"(?:of|in|on|at|for|from|with|without|by|near|to|that|which|who|between|during|under|over|about|available|there)"
)
"""Words after the head of a phrase."""
_PLURAL_VERB: Final = (
    r"(?:are|were|do|did|have|had|can|could|will|would|should|must|may|might|take|need|belong|come|go|leave|open|sell"
    r"|include|live|exist|apply|contain|require|begin|sail|serve|allow|get|give|fit|grow|contribute|accept|provide"
    r"|speak|depend|appear|happen|make|cost)"
)
_ADJECTIVE: Final = (
    rf"(?!(?:{_AFTER_NOUN}|{_PLURAL_VERB}|is|was|has|the|an?|this|these|your|our|its|their|my)\b)"
    r"(?:\w{1,30}[^\Ws]|\w{1,30}ss)"
)
"""A word before the head: none that ends in `s`, which would be a verb (`what causes`) or a name."""
_PLURAL: Final = r"(?P<noun>\w{2,30}[^\Wsui]s|people|children|women)"
_DETERMINERS: Final = r"(?: (?:all|some|of|the|these|your|our|its|their|my|different))"
_HEAD: Final = rf"{_DETERMINERS}{{0,3}}(?: (?:kinds|sorts|types|names) of(?: the)?)?(?: {_ADJECTIVE}){{0,2}} {_PLURAL}"
_ORDER: Final = (
    r"^(?:please )?(?:(?:can|could) you )?(?:please )?(?:list|name|enumerate|(?:give|show|tell) me)(?: me)?"
    r"(?: (?:a|the)(?: full| complete)? list of)?"
)
_IS_AFTER_NOUN: Final = rf"(?= {_AFTER_NOUN}\b|$)"
_ENGLISH: Final = tuple(
    map(
        re.compile,
        (
            rf"{_ORDER} (?:every|each)(?: {_ADJECTIVE})? (?P<noun>\w{{3,30}}){_IS_AFTER_NOUN}",
            rf"(?:{_ORDER}|^(?:a |the )?list of){_HEAD}{_IS_AFTER_NOUN}",
            # not `What are tides?`, nor `What are the hairs on the stem called?`
            (
                r"^(?!.*\b(?:called|named|made|causing)\b)(?:what|which|who) (?:are|were)"
                rf"(?={_DETERMINERS}){_HEAD}{_IS_AFTER_NOUN}"
            ),
            rf"^(?:{_AFTER_NOUN} )?(?:which|what)(?: {_ADJECTIVE}){{0,2}} {_PLURAL} {_PLURAL_VERB}\b",
            rf"^which(?: {_ADJECTIVE}){{0,2}} {_PLURAL} {_AFTER_NOUN} (?:\w{{1,30}} ){{1,5}}(?:are|were|have|do|can)\b",
            rf"^(?:which|what) (?:kinds|sorts|types) of(?: {_ADJECTIVE}){{0,2}} (?P<noun>\w{{3,30}}) {_PLURAL_VERB}\b",
        ),
    )
)

# ------------------------------------------------------------------------------------------------- other languages

_GERMAN_PLURAL_VERB: Final = (
    r"(?:sind|waren|haben|hatten|gibt es|gab es|werden|wurden|konnen|konnten|mussen|sollen|durfen|wollen|fahren|stehen"
    r"|liegen|kosten|gehoren|finden|kommen|gehen|enthalten|beginnen|bleiben|helfen|gelten)"
)
_GERMAN_AFTER_NOUN: Final = r"(?:der|des|von|vom|in|im|an|am|auf|fur|aus|bei|beim|mit|ohne|zu|zum|zur|nach|die|das|den)"
_GERMAN_NOUN: Final = (
    rf"(?!(?:{_GERMAN_AFTER_NOUN}|sind|waren|haben|hatten|werden|wurden|konnen|mussen|sollen)\b)\w{{3,30}}"
)
_IS_AFTER_GERMAN_NOUN: Final = rf"(?= {_GERMAN_AFTER_NOUN}\b|$)"
_GERMAN_PLURAL: Final = rf"{_GERMAN_NOUN}(?<=[er]n|ln)"
_ROMANCE_PREPOSITION: Final = r"(?:a|au|aux|en|em|de|dans|da|di|du|in|con|com|avec|per|par|por|para|pour|su|sur|sous)"
_DUTCH_AFTER_NOUN: Final = r"(?:van|in|op|aan|bij|voor|uit|met|zonder|naar|te|tot|die|dat)"
_IS_AFTER_DUTCH_NOUN: Final = rf"(?= {_DUTCH_AFTER_NOUN}\b|$)"
_DUTCH_PLURAL: Final = r"(?P<noun>\w{2,30}(?:en|[^\Wsui]s))"
_OTHER_LANGUAGES: Final = tuple(
    map(
        re.compile,
        (
            # German: `welche` and a noun that ends in -n ask for several; with another noun, the verb must be a plural
            # that no subject follows: `welche Farbe haben die Türen?`
            rf"^welche (?:\w{{2,30}}en )?(?P<noun>{_GERMAN_PLURAL}) (?:{_GERMAN_PLURAL_VERB}|hat|hatte|bietet)\b",
            (
                rf"^welche (?:\w{{2,30}}en )?(?P<noun>{_GERMAN_NOUN}) (?!haben|hatten){_GERMAN_PLURAL_VERB}\b"
                r"(?! (?:die|diese|alle|wir|sie|ihr)\b)"
            ),
            (
                rf"^(?:was|wer|welche|welches) (?:sind|waren) (?:alle )?die (?:\w{{2,30}}en )?"
                rf"(?P<noun>{_GERMAN_NOUN}){_IS_AFTER_GERMAN_NOUN}"
            ),
            (
                r"^(?:bitte )?(?:(?:liste|zahle|nenne?|zeige?|gib)(?: mir| uns| bitte){0,2}(?: die liste aller| alle)|"
                r"(?:liste|zahle)(?: mir| uns| bitte){0,2} die) (?:\w{2,30}en )?"
                rf"(?P<noun>{_GERMAN_NOUN}){_IS_AFTER_GERMAN_NOUN}"
            ),
            (
                rf"^(?:bitte )?(?:nenne?|zeige?)(?: mir| uns| bitte){{0,2}} die "
                rf"(?P<noun>{_GERMAN_PLURAL}){_IS_AFTER_GERMAN_NOUN}"
            ),
            # French
            (
                rf"^(?:{_ROMANCE_PREPOSITION} )?(?:quels|quelles)(?: sont| etaient)?(?: tous| toutes)?"
                r"(?: les| ces| vos| ses)?(?: principaux| principales| differents| differentes"
                r"| autres| grands| grandes)? (?P<noun>\w{2,30}[sx])\b"
            ),
            (
                r"^(?:qui (?:sont|etaient)|(?:liste|nomme|enumere|cite)[rz]?|(?:donne|montre|dis)z? moi)(?: moi)?"
                r"(?: la liste)?(?: tous| toutes)?(?: les| des| ces| vos) (?P<noun>\w{2,30}[sx])\b"
            ),
            # Spanish and Portuguese
            (
                rf"^(?:{_ROMANCE_PREPOSITION} )?(?:cuales|quais)(?: son| eran| sao| eram)?(?: todos| todas)?"
                r"(?: los| las| os| as| sus| seus| suas)?(?: principales| principais)? (?P<noun>\w{2,30}s)\b"
            ),
            (
                rf"^(?:{_ROMANCE_PREPOSITION} )?que (?P<noun>\w{{2,30}}[aeo]s) "
                r"(?:hay|son|estan|tienen|ha|sao|tem|estao|\w{3,30}[ae][nm])\b"
            ),
            (
                r"^(?:(?:quienes|quem) (?:son|sao|eran|eram)|enumera|enumere|nombra|nombre|nomeie|menciona|mencione"
                r"|lista|liste|cita|cite|diga|dime|dame|muestrame|mostre)(?: una lista de| uma lista de)?"
                r"(?: todos| todas)?(?: los| las| os| as) (?P<noun>\w{2,30}s)\b"
            ),
            # Italian
            (
                rf"^(?:{_ROMANCE_PREPOSITION} )?quali(?: sono| erano)?(?: tutti| tutte)?(?: i| gli| le)?"
                r"(?: principali)? (?!sono|erano)(?P<noun>\w{2,30}[ie])\b"
            ),
            (
                r"^(?:chi sono|elenca|elencami|nomina|enumera|dimmi|mostrami|dammi)(?: tutti| tutte)?(?: i| gli| le) "
                r"(?P<noun>\w{2,30}[ie])\b"
            ),
            # Dutch: `welke haven` is one harbour, so the verb must be a plural
            (
                rf"^welke (?:\w{{2,30}}e )?{_DUTCH_PLURAL} (?:zijn|waren|hebben|hadden|kunnen|worden|werden|moeten"
                r"|mogen|vertrekken|varen|komen|gaan|horen|staan|liggen|kosten|beginnen)\b"
            ),
            rf"^(?:wat|wie|welke) (?:zijn|waren) (?:alle|de) (?:\w{{2,30}}e )?{_DUTCH_PLURAL}{_IS_AFTER_DUTCH_NOUN}",
            (
                r"^(?:noem|geef|toon|som)(?: me| mij| ons)? (?:alle|de) (?:\w{2,30}e )?"
                rf"{_DUTCH_PLURAL}{_IS_AFTER_DUTCH_NOUN}"
            ),
            # Chinese and Japanese
            r"\u54ea\u4e9b(?P<noun>\w\w)|\u5217\u51fa(?:\u6240\u6709|\u5168\u90e8)?\u7684?(?P<listed>\w\w)",
            r"(?P<noun>\w\w)\u90fd?\u6709\u54ea\u4e9b",
            r"(?P<noun>\w\w)(?:\u306e\u4e00\u89a7|\u3092(?:\u3059\u3079\u3066|\u5168\u3066|\u5168\u90e8)?\u6319\u3052)",
        ),
    )
)
"""Of German, French, Spanish, Portuguese, Italian, Dutch, Chinese and Japanese, in folded text."""


def listed_stem(question: str) -> str:
    """Return the beginning of the noun for the things that a question asks for; empty if it asks for one fact."""
    folded = " ".join(fold(question).split())
    noun = _english_noun(question, folded) or _first_noun(_OTHER_LANGUAGES, folded)
    if not is_spaced(noun):
        return noun
    stem = _ENDING.sub("", noun)
    if len(stem) < _MIN_STEM_CHARS:
        return ""
    return stem


def _english_noun(question: str, folded: str) -> str:
    """Return the noun of an English question; no name: `Which United States ...`."""
    noun = _first_noun(_ENGLISH, folded)
    if any(word[0].isupper() and noun in fold(word).split() for word in question.split()):
        return ""
    return noun


def _first_noun(patterns: tuple[re.Pattern[str], ...], folded: str) -> str:
    matches = (pattern.search(folded) for pattern in patterns)
    nouns = (next(filter(None, match.groupdict().values()), "") for match in matches if match is not None)
    return next((noun for noun in nouns if noun not in _NO_PLURALS), "")
