"""No text of a page becomes a selector or a pattern, and no pattern takes exponential time.

A page that chooses the selector or the pattern that is run over it chooses how long that takes. So selectors given to
selectolax and patterns given to `re` and `regex` are literals, or constants of a module that are made of literals. A
pattern that is built from anything else, `re.escape` included, states on its line why its cost is bounded.

Patterns themselves must not nest quantifiers without an upper bound where both can match the same text, as in `(a+)+`:
on text that nearly matches, such a pattern takes exponential time. Atomic groups and possessive quantifiers do not
backtrack and are fine. What this does not see: quantifiers that follow each other, as in `\\s*\\s*$`, which take
quadratic or cubic time.
"""

from __future__ import annotations

import ast
import re
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from architecture.sources import modules

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from architecture.sources import Module

SELECTOR_METHODS = {"css", "css_first", "css_matches", "any_css_matches", "select"}
SELECTOR_KEYWORDS = {"query", "selector", "selectors"}
SELECTOR_CLASSES = {"LexborCSSSelector", "LexborSelector"}
"""Classes of selectolax that take selectors, too: nothing here needs them."""
PATTERN_FUNCTIONS = {
    "compile", "search", "match", "fullmatch", "sub", "subn", "split", "findall", "finditer", "template",
}  # fmt: skip
PATTERN_MODULES = {"re", "regex"}


class Exemption(NamedTuple):
    """A finding that is allowed: a part of the line it is on, and why."""

    path: str
    line: str
    reason: str


EXEMPTIONS = [
    Exemption("src/wellread/css/spaces.py", "{name}(?![", "names of colour channels, no repetition"),
    Exemption(
        "src/wellread/metadata/declared_metadata.py", "re.escape(number)", "a number between two fixed lookarounds"
    ),
    Exemption("src/wellread/extraction/html.py", "re.escape(post.author)", "a name between two fixed lookarounds"),
]
"""Findings that are allowed for good, each with its reason."""

# ------------------------------------------------------------------------------------------------- rules


def built_selectors(module: Module) -> list[str]:
    """A selector given to selectolax is a literal or a constant."""
    constants = _constants(module)
    return [
        _finding(module, node, f"the selector of .{node.func.attr}() is not a literal or a constant of the module")
        for node in _calls(module)
        if isinstance(node.func, ast.Attribute)
        and node.func.attr in SELECTOR_METHODS
        and (selector := _argument(node, SELECTOR_KEYWORDS)) is not None
        and not (node.func.attr == "select" and (len(node.args) > 1 or isinstance(selector, ast.Starred)))
        and not _is_constant(selector, constants)
        and not _is_exempt(module, node)
    ]


def uncalled_selectors(module: Module) -> list[str]:
    """A method that takes a selector is called where it is named: under another name its calls are not seen here."""
    called = {id(node.func) for node in _calls(module)}
    names = SELECTOR_METHODS - {"select"}
    return [
        f"{module.path}:{node.lineno} a method or class that takes a selector is not called in place"
        for node in module.nodes
        if (isinstance(node, ast.Attribute) and node.attr in names and id(node) not in called)
        or (isinstance(node, ast.Constant) and node.value in names and _is_in_getattr(module, node))
        or (isinstance(node, ast.alias) and node.name in SELECTOR_CLASSES)
        or (isinstance(node, ast.Attribute) and node.attr in SELECTOR_CLASSES)
    ]


def _is_in_getattr(module: Module, name: ast.Constant) -> bool:
    return any(
        isinstance(call.func, ast.Name) and call.func.id == "getattr" and any(name is each for each in call.args)
        for call in _calls(module)
    )


def built_patterns(module: Module) -> list[str]:
    """A pattern is a literal or a constant, or its line says why its cost is bounded."""
    constants = _constants(module)
    explained = {line for line, text in module.comments if not text.lstrip("# ").startswith(("noqa", "type:", "fmt:"))}
    at_import = _run_at_import(module)
    return [
        _finding(module, node, "the pattern is built, and no comment on its line says why its cost is bounded")
        for node, pattern in _pattern_calls(module)
        if id(node) not in at_import
        and not _is_constant(pattern, constants)
        and not explained & set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
        and not _is_exempt(module, node)
    ]


def nested_quantifiers(module: Module) -> list[str]:
    """No quantifier without an upper bound holds another one that can match the same text."""
    constants = _constants(module)
    findings = []
    for node, argument in _pattern_calls(module):
        pattern = _text(argument, constants)
        if pattern is None or _is_exempt(module, node):
            continue
        verbose = any("VERBOSE" in ast.unparse(flags) or "re.X" in ast.unparse(flags) for flags in _flags(node))
        if why := exponential(pattern, verbose=verbose):
            findings.append(_finding(module, node, why))
    return findings


def unused_exemptions(source: Iterable[Module]) -> list[Exemption]:
    """Return the exemptions whose line is gone."""
    lines = {module.path: module.text for module in source}
    return [exemption for exemption in EXEMPTIONS if exemption.line not in lines.get(exemption.path, "")]


def _finding(module: Module, node: ast.Call, why: str) -> str:
    return f"{module.path}:{node.lineno} {why}: {ast.unparse(node)[:100]}"


def _is_exempt(module: Module, node: ast.Call) -> bool:
    text = "\n".join(module.lines[node.lineno - 1 : node.end_lineno])
    return any(exemption.path == module.path and exemption.line in text for exemption in EXEMPTIONS)


# ----------------------------------------------------------------------------------- calls and their text


def _calls(module: Module) -> Iterator[ast.Call]:
    return (node for node in module.nodes if isinstance(node, ast.Call))


def _argument(call: ast.Call, keywords: Collection[str]) -> ast.expr | None:
    """Return the first positional argument, or the one that is given by one of these keywords."""
    if call.args:
        return call.args[0]
    return next((keyword.value for keyword in call.keywords if keyword.arg in keywords), None)


def _pattern_calls(module: Module) -> Iterator[tuple[ast.Call, ast.expr]]:
    """Yield the calls of functions of `re` and `regex`, however they are imported, each with its pattern."""
    libraries: set[str] = set()
    functions: set[str] = set()
    for node in module.nodes:
        if isinstance(node, ast.Import):
            libraries |= {alias.asname or alias.name for alias in node.names if alias.name in PATTERN_MODULES}
        elif isinstance(node, ast.ImportFrom) and node.module in PATTERN_MODULES:
            functions |= {alias.asname or alias.name for alias in node.names if alias.name in PATTERN_FUNCTIONS}
    for call in _calls(module):
        match call.func:
            case ast.Attribute(value=ast.Name(id=name), attr=attribute) if name in libraries:
                is_pattern_call = attribute in PATTERN_FUNCTIONS
            case ast.Name(id=name):
                is_pattern_call = name in functions
            case _:
                is_pattern_call = False
        pattern = _argument(call, {"pattern"}) if is_pattern_call else None
        if pattern is not None:
            yield call, pattern


def _flags(node: ast.Call) -> list[ast.expr]:
    return [*node.args[1:], *(keyword.value for keyword in node.keywords)]


Constants = dict[str, ast.expr]


@cache
def _constants(module: Module) -> Constants:
    """Return what each name of the module's top level stands for; a name that is assigned twice is no constant."""
    values: Constants = {}
    assigned = list(_assignments(module))
    for node in module.tree.body:
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("wellread"):
            for alias in node.names:
                values |= _imported(node.module, alias.name, alias.asname or alias.name)
    values |= {name: value for name, value in assigned if value}
    return {name: value for name, value in values.items() if sum(name == other for other, _ in assigned) <= 1}


def _assignments(module: Module) -> Iterator[tuple[str, ast.expr | None]]:
    for node in module.tree.body:
        if isinstance(node, ast.Assign):
            yield from ((target.id, node.value) for target in node.targets if isinstance(target, ast.Name))
        elif isinstance(node, ast.AnnAssign | ast.AugAssign) and isinstance(node.target, ast.Name):
            yield node.target.id, node.value


def _imported(home: str, name: str, alias: str) -> Constants:
    """Return the constant `name` of the module `home`, or all constants of the module `home.name`, as literals."""
    if module := _module_named(f"{home}.{name}"):
        constants = _constants(module)
        return {f"{alias}.{key}": _literal(value, constants) for key, value in constants.items()}
    if (module := _module_named(home)) and name in _constants(module):
        return {alias: _literal(_constants(module)[name], _constants(module))}
    return {}


def _literal(value: ast.expr, constants: Constants) -> ast.expr:
    """Return a constant without the names in it: a text, a compiled pattern, a collection of texts, or else None."""
    pattern = _pattern(value, constants)
    if pattern is not None:
        return ast.Call(ast.Attribute(ast.Name("re"), "compile"), [ast.Constant(pattern)], [])
    text = _text(value, constants)
    if text is not None:
        return ast.Constant(text)
    strings = _strings(value, constants)
    return ast.Constant(None) if strings is None else ast.Tuple([ast.Constant(string) for string in strings])


def _module_named(dotted: str) -> Module | None:
    stem = "src/" + dotted.replace(".", "/")
    return _by_path().get(f"{stem}.py") or _by_path().get(f"{stem}/__init__.py")


@cache
def _by_path() -> dict[str, Module]:
    return {module.path: module for module in modules("src")}


def _is_constant(node: ast.expr, constants: Constants) -> bool:
    """Return whether an expression is made of literals and constants alone, even where its text is not known here."""
    match node:
        case ast.Name(id=name):
            return name in constants
        case ast.Attribute(value=ast.Name(id=home), attr=name):
            return f"{home}.{name}" in constants or (name == "pattern" and home in constants)
        case ast.JoinedStr(values=parts) | ast.Tuple(elts=parts) | ast.List(elts=parts):
            return all(_is_constant(part, constants) for part in parts)
        case ast.FormattedValue(value=value):
            return _is_constant(value, constants)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _is_constant(left, constants) and _is_constant(right, constants)
    return isinstance(node, ast.Constant) or _strings(node, constants) is not None


def _run_at_import(module: Module) -> set[int]:
    """Return the ids of the calls outside every function: they run at import, before there is a page."""
    inside = {
        id(inner)
        for node in module.nodes
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        for inner in ast.walk(node)
    }
    return {id(node) for node in _calls(module)} - inside


def _text(node: ast.expr, constants: Constants) -> str | None:
    """Return the text that an expression of literals and constants has; None for any other expression."""
    text: str | None = None
    match node:
        case ast.Constant(value=bytes(octets)):
            text = octets.decode("latin-1")
        case ast.Constant(value=str() | int() as literal):
            text = str(literal)
        case ast.Name(id=name) if name in constants:
            text = _text(constants[name], _without(name, constants))
        case ast.Attribute(value=ast.Name(id=name), attr="pattern") if name in constants:
            text = _pattern(constants[name], _without(name, constants))
        case ast.Attribute(value=ast.Name(id=home), attr=name) if f"{home}.{name}" in constants:
            text = _text(constants[f"{home}.{name}"], {})
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            text = _joined([left, right], constants)
        case ast.JoinedStr(values=parts):
            unwrapped = [part.value if isinstance(part, ast.FormattedValue) else part for part in parts]
            text = _joined(unwrapped, constants)
        case ast.Call(func=ast.Attribute(value=separator, attr="join"), args=[several]):
            strings, between = _strings(several, constants), _text(separator, constants)
            text = None if strings is None or between is None else between.join(strings)
        case ast.Call(func=ast.Attribute(value=template, attr="format"), args=arguments, keywords=[]):
            form, values = _text(template, constants), _strings(ast.Tuple(arguments), constants)
            text = None if form is None or values is None else form.format(*values)
    return text


def _pattern(node: ast.expr, constants: Constants) -> str | None:
    """Return the pattern of `re.compile(...)` or `lazy_pattern(...)`."""
    match node:
        case (
            ast.Call(func=ast.Attribute(value=ast.Name(id="re" | "regex"), attr="compile"), args=[pattern, *_])
            | ast.Call(func=ast.Name(id="lazy_pattern"), args=[pattern, *_])
        ):
            return _text(pattern, constants)
    return None


def _without(name: str, constants: Constants) -> Constants:
    """Return the constants but `name`, which its own value cannot use: this ends every recursion."""
    return {key: value for key, value in constants.items() if key != name}


def _joined(parts: Sequence[ast.expr], constants: Constants) -> str | None:
    texts = [text for part in parts if (text := _text(part, constants)) is not None]
    return "".join(texts) if len(texts) == len(parts) else None


def _strings(node: ast.expr, constants: Constants) -> list[str] | None:
    """Return the texts of a literal or constant, or of a collection of them; None for any other expression."""
    match node:
        case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Set(elts=parts):
            texts = [_text(part, constants) for part in parts]
            return None if None in texts else [text for text in texts if text is not None]
        case ast.Dict(keys=keys):
            texts = [_text(key, constants) for key in keys if key]
            return None if None in texts else [text for text in texts if text is not None]
        case ast.Name(id=name) if name in constants:
            return _strings(constants[name], _without(name, constants))
        case ast.Call(func=ast.Name(id="frozenset" | "sorted" | "set" | "tuple"), args=[collection], keywords=[]):
            return _strings(collection, constants)
        case ast.Call(func=ast.Attribute(attr="split", value=words), args=[], keywords=[]):
            text = _text(words, constants)
            return None if text is None else text.split()
    text = _text(node, constants)
    return None if text is None else [text]


# ------------------------------------------------------------------------------------ nested quantifiers

_parser: Any = re._parser  # type: ignore[attr-defined]  # Any: the standard library's parser is not typed
_Item = tuple[Any, Any]  # Any: the operator and the arguments of one node of that parser's tree
_REPEATS = (_parser.MAX_REPEAT, _parser.MIN_REPEAT)
_ALPHABET = [chr(code) for code in range(0x180)] + list("\u0416\u05d0\u3042\u4e2d\u2003\u200b\u2028\U0001f600")
"""Characters with which sets are compared: Latin, and a letter, a space and a mark of other kinds."""
_REGEX_ONLY = [(re.compile(r"\\p\{\w++\}|\\[Xh]"), "\\\\w"), (re.compile(r"\\P\{\w++\}"), "\\\\W")]


def exponential(pattern: str, *, verbose: bool = False) -> str:
    """Return why a pattern can take exponential time, or nothing."""
    for only_in_regex, similar in _REGEX_ONLY:
        pattern = only_in_regex.sub(similar, pattern)
    try:
        tree = _parser.parse(pattern, re.VERBOSE if verbose else 0)
    except (re.error, OverflowError) as error:
        return f"the pattern cannot be analysed ({error})"
    return "a quantifier without upper bound repeats another one over the same text" if _nested(tree) else ""


def _nested(sequence: Iterable[_Item]) -> bool:
    for operator, arguments in sequence:
        if operator in _REPEATS and arguments[1] == _parser.MAXREPEAT and _ambiguous(list(arguments[2])):
            return True
        if any(_nested(inner) for inner in _inside(operator, arguments)):
            return True
    return False


def _inside(operator: Any, arguments: Any) -> list[list[_Item]]:  # Any: see _Item
    """Return the sequences that a node holds: one, or the alternatives."""
    inside: list[Any] = []  # Any: see _Item
    if operator in (*_REPEATS, _parser.POSSESSIVE_REPEAT):
        inside = [arguments[2]]
    elif operator is _parser.SUBPATTERN:
        inside = [arguments[3]]
    elif operator is _parser.BRANCH:
        inside = arguments[1]
    elif operator is _parser.ATOMIC_GROUP:
        inside = [arguments]
    elif operator in (_parser.ASSERT, _parser.ASSERT_NOT):
        inside = [arguments[1]]
    elif operator is _parser.GROUPREF_EXISTS:
        inside = [branch for branch in arguments[1:] if branch is not None]
    return [list(sequence) for sequence in inside]


def _ambiguous(body: list[_Item]) -> bool:
    """Return whether the body of a repeat holds a repeat whose end the next character does not decide."""
    return _undecided(body, beside=(), after=_first(body)[0])


def _undecided(sequence: list[_Item], beside: tuple[_Item, ...], after: frozenset[str]) -> bool:
    """Look for a repeat that can go on where what follows it can begin, and that nothing else in the body separates.

    `beside` is what every iteration of the outer repeat matches besides `sequence`, `after` the characters with which
    the text after `sequence` can begin, the next iteration among it.
    """
    for position, (operator, arguments) in enumerate(sequence):
        others = (*beside, *sequence[:position], *sequence[position + 1 :])
        begins, may_be_empty = _first(sequence[position + 1 :])
        follows = begins | after if may_be_empty else begins
        if operator in _REPEATS and arguments[1] == _parser.MAXREPEAT:
            characters = _characters(arguments[2])
            decided = not _first(arguments[2])[0] & follows
            if not decided and not any(_separates(item, characters) for item in others):
                return True
        if operator in _REPEATS:
            follows |= _first(arguments[2])[0]
        if operator in (*_REPEATS, _parser.SUBPATTERN, _parser.BRANCH):
            for inner in _inside(operator, arguments):
                if _undecided(inner, others, follows):
                    return True
    return False


def _first(sequence: Iterable[_Item]) -> tuple[frozenset[str], bool]:
    """Return with which characters a match can begin, and whether it can be empty."""
    characters: frozenset[str] = frozenset()
    for item in sequence:
        operator, arguments = item
        if operator in (_parser.AT, _parser.ASSERT, _parser.ASSERT_NOT):
            continue
        inside = [_first(inner) for inner in _inside(operator, arguments)]
        if operator in (_parser.GROUPREF, _parser.GROUPREF_EXISTS):
            return frozenset(_ALPHABET), True
        characters |= _characters([item]) if not inside else frozenset().union(*(begins for begins, _ in inside))
        optional = operator in (*_REPEATS, _parser.POSSESSIVE_REPEAT) and arguments[0] == 0
        if not optional and not any(empty for _, empty in inside):
            return characters, False
    return characters, True


def _separates(item: _Item, characters: frozenset[str]) -> bool:
    """Return whether every match of `item` holds a character that is not one of `characters`."""
    operator, arguments = item
    if operator in (*_REPEATS, _parser.POSSESSIVE_REPEAT) and arguments[0] == 0:
        return False
    if operator in (_parser.ASSERT, _parser.ASSERT_NOT):
        return False
    if inside := _inside(operator, arguments):
        return all(any(_separates(each, characters) for each in inner) for inner in inside)
    matched = _characters([item])
    return bool(matched) and not matched & characters


def _characters(sequence: Iterable[_Item]) -> frozenset[str]:
    """Return the characters of the alphabet that can be part of a match."""
    found: set[str] = set()
    for operator, arguments in sequence:
        if operator is _parser.LITERAL:
            found |= {chr(arguments)}
        elif operator is _parser.NOT_LITERAL:
            found |= {character for character in _ALPHABET if ord(character) != arguments}
        elif operator is _parser.ANY:
            found |= set(_ALPHABET) - {"\n"}
        elif operator is _parser.IN:
            found |= {character for character in _ALPHABET if _in(arguments, character)}
        else:
            for inner in _inside(operator, arguments):
                found |= _characters(inner)
    return frozenset(found)


_CATEGORIES: dict[str, Callable[[str], bool]] = {
    "digit": str.isdecimal,
    "space": str.isspace,
    "word": lambda character: character.isalnum() or character == "_",
}


def _in(members: list[_Item], character: str) -> bool:
    negated = members[0][0] is _parser.NEGATE
    return negated != any(_member(operator, argument, character) for operator, argument in members)


def _member(operator: Any, argument: Any, character: str) -> bool:  # Any: see _Item
    if operator is _parser.LITERAL:
        return bool(ord(character) == argument)
    if operator is _parser.RANGE:
        return bool(argument[0] <= ord(character) <= argument[1])
    if operator is _parser.CATEGORY:
        name = str(argument).lower().removeprefix("category_")
        return bool(name.startswith("not_") != _CATEGORIES[name.removeprefix("not_")](character))
    return False
