"""No text of a page becomes a selector or a pattern, and no pattern takes exponential time."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from architecture import matchers
from architecture.sources import Module, modules

Rule = Callable[[Module], list[str]]
RULES: list[Rule] = [
    matchers.built_selectors, matchers.uncalled_selectors, matchers.built_patterns, matchers.nested_quantifiers,
]  # fmt: skip


@pytest.mark.parametrize("rule", RULES)
def test_package_keeps_the_rule(rule: Rule) -> None:
    findings = [finding for module in modules("src") for finding in rule(module)]
    assert not findings, "\n".join(findings)


def test_every_exemption_is_used() -> None:
    assert matchers.unused_exemptions(modules("src")) == []


IN_FUNCTION = (
    "import re, regex\nfrom re import compile as program\nBOX = '.box'\nLETTERS = 'a+'\ndef f(tree, text, name):\n    "
)

BREACHES: list[tuple[Rule, str]] = [
    (matchers.built_selectors, "tree.css(name)"),
    (matchers.built_selectors, "tree.css_first(f'{BOX} {name}')"),
    (matchers.built_selectors, "tree.css_matches('.' + name)"),
    (matchers.built_selectors, "tree.any_css_matches((BOX, name))"),
    (matchers.built_selectors, "tree.select(name)"),
    (matchers.built_selectors, "tree.css(BOX if text else name)"),
    (matchers.built_selectors, "tree.css(query=name)"),
    (matchers.uncalled_selectors, "find = tree.css_first"),
    (matchers.uncalled_selectors, "list(map(tree.css, text))"),
    (matchers.uncalled_selectors, "getattr(tree, 'css')(name)"),
    (matchers.uncalled_selectors, "from selectolax.lexbor import LexborCSSSelector"),
    (matchers.built_patterns, "re.search(name, text)"),
    (matchers.built_patterns, "re.search(pattern=name, string=text)"),
    (matchers.built_patterns, "re.search(name, text)  # noqa: RUF100"),
    (matchers.built_patterns, "re.compile(re.escape(name))"),
    (matchers.built_patterns, "re.sub(f'a{name}', '', text)"),
    (matchers.built_patterns, "regex.findall('|'.join(name), text)"),
    (matchers.built_patterns, "program(name)"),
    (matchers.nested_quantifiers, "re.compile('(a+)+')"),
    (matchers.nested_quantifiers, "re.search(r'(?:\\w+\\s*)*x', text)"),
    (matchers.nested_quantifiers, "re.search(rf'(?:{LETTERS})+x', text)"),
]

KEEPERS: list[tuple[Rule, str]] = [
    (matchers.built_selectors, "tree.css('a, b')"),
    (matchers.built_selectors, "tree.css(f'{BOX} a')"),
    (matchers.built_selectors, "tree.any_css_matches((BOX, 'a'))"),
    (matchers.built_selectors, "tab.select(index, option)"),
    (matchers.uncalled_selectors, "tree.css('a')"),
    (matchers.uncalled_selectors, "style = 'css'"),
    (matchers.built_patterns, "re.search('a' + BOX, text)"),
    (matchers.built_patterns, "re.search(name, text)  # a key of RULES, on at most 200 characters"),
    (matchers.built_patterns, "text.split(name)"),
    (matchers.nested_quantifiers, "re.search('(?:a++)+', text)"),
]


@pytest.mark.parametrize(("rule", "line"), BREACHES)
def test_breach_is_refused(rule: Rule, line: str) -> None:
    assert rule(Module("src/wellread/planted.py", IN_FUNCTION + line + "\n"))


@pytest.mark.parametrize(("rule", "line"), KEEPERS)
def test_bounded_matcher_is_allowed(rule: Rule, line: str) -> None:
    assert rule(Module("src/wellread/planted.py", IN_FUNCTION + line + "\n")) == []


def test_pattern_built_at_import() -> None:
    source = "import re\nNAMES = tuple(sorted(WORDS))\nPATTERN = re.compile('|'.join(map(re.escape, NAMES)))\n"
    assert matchers.built_patterns(Module("src/wellread/planted.py", source)) == []


def test_constant_of_another_module() -> None:
    source = (
        "from wellread.metadata import declared_metadata as head\n"
        "def f(tree):\n    tree.css(f'{head.HEAD_ELEMENTS}, {head.MISSING}')\n"
    )
    module = Module("src/wellread/planted.py", source)
    assert matchers.built_selectors(module)
    assert matchers.built_selectors(Module(module.path, source.replace(", {head.MISSING}", ""))) == []


def test_every_rule_has_a_breach() -> None:
    assert {rule for rule, _ in BREACHES} == set(RULES)


@pytest.mark.parametrize(
    "pattern",
    [
        "(a+)+",
        "(a*)*b",
        "(?:a+|b)*c",
        "((?:a|b)*x*)*",
        r"(?:\w+\s*)*x",
        r"0(?:\s+(?:0*)?)*",
        "(?:(?:a+){1,9})*b",
        "(?>(a+)+b)",
        r"\p{Lu}(?:\w+)+",
        "(?P<broken",
    ],
)
def test_exponential_pattern(pattern: str) -> None:
    assert matchers.exponential(pattern)


@pytest.mark.parametrize(
    "pattern",
    [
        "a+b+",
        "(?:a|b)*x*",
        "(?:a++)+",
        "(?>a+)+",
        "(a+)++",
        r"(?:\w+\s+)*",
        r"(?:\s*,\s*\w+)*",
        '(?:"[^"]*"|x)*',
        r"(?:[^()]|\([^()]*\))*",
        r"[^()]*(?:\([^()]*\)[^()]*)*",
        "(?:a+b){1,9}",
    ],
)
def test_pattern_without_ambiguity(pattern: str) -> None:
    assert not matchers.exponential(pattern)


def test_verbose_pattern() -> None:
    assert not matchers.exponential("(?: a+ b )* # (x+)+", verbose=True)
