"""Metaphors and archaic turns that documentation, help, hints and messages must not use, each with plain words.

The phrases are regular expressions over words; a space stands for any white space. They are phrases where a single word
has a technical meaning too: `letter-spacing`, `makes room`, `desk's width`. Code in documents (between backquotes, and
blocks with a language) is not looked at, for it names what exists; drawings in blocks without a language are.
"""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from architecture.sources import Module

PLAIN = {
    # Buildings.
    r"the house(?:'s)?": "wellread, the package, the project",
    r"the house tests": "the tests of the architecture",
    r"rooms": "packages",
    r"(?:a|the|each|every|one|new|other|another|no other|'s|\w+ing|web) room(?! for)": "package",
    r"rooms? of (?:its|their) own": "a package of its own",
    r"(?:one|each|every|the|a|which|this|that|same|server's) doors?": "the network client; an interface (CLI, HTTP)",
    r"doors for": "interfaces for",
    r"opens? (?:a )?doors?": "allows access",
    r"the (?:web|assistant) wing": "the web package, the assistant package",
    r"upstairs": "in a higher layer",
    r"downstairs": "in a lower layer",
    r"stairs": "layers",
    r"(?:wrong|each|drawings? of|new|same|lower|the) floors?(?: of values)?": "layer",
    r"neighbours (?:do not )?know": "packages of one layer import",
    r"(?:know|knows|known to) (?:each other|one another|nothing of)": "import",
    r"the household(?!\.)": "the assistant's parts",
    r"the desk(?!')": "the session registry, the dispatcher",
    r"(?:six|its|their) trades": "independent packages",
    r"the papers|^papers": "the documentation",
    # Stories, books and letters.
    r"(?:is|tells|tell|told) the (?:whole )?story": "shows the whole sequence",
    r"the (?:whole )?story(?: of|,)": "the sequence of steps of",
    r"the nouns": "the types",
    r"the book": "the conversation log",
    r"(?:a|the|each|sends|by|in|through) letters?(?= (?:to|says|that|in which|each|is|goes|leaves|waits?)|[:;,.])": (
        "a message, a result"
    ),
    r"letters that wait": "results that wait",
    r"letters? on (?:its|their) way": "results to be sent",
    # Deeds and persons.
    r"(?:a|each|every|the|its|of) deeds?": "an action",
    r"the judge": "the visibility check",
    r"lends": "provides",
    r"rubs? out": "deletes",
    r"lets? go of|letting go|let go": "removes",
    r"whoever": "the one who; the caller, the reader, the author",
    r"strangers?": "unknown authors",
    r"nobody there": "without a user",
    r"by hand": "interactively, step by step",
    r"hands? (?:it|them|this|that )?(?:over|on)": "passes, returns",
    r"handed (?:over|on|down|out)": "passed, returned",
    r"hand out": "give",
    # Speech.
    r"(?:is|are|was|were|be|been|it|what) told": "is reported; is asked to",
    r"told (?:as|apart|from|of|by|in|to|once|under|that)": "reported as; distinguished from; asked to",
    r"(?:tells?|told) (?:\w+ ){1,3}from (?!the server)": "distinguishes ... from",
    r"tells? of": "reports",
    r"says of itself": "declares",
    r"what [\w ]{1,30} says of": "the statements of ... about",
    # Archaic turns.
    r"as it were": "in effect",
    r"hence|thence|whence|hitherto|thereof|whereof|therein|wherein|herein|thereby": "so, therefore, in it, by it",
    r"unto|upon": "on",
    r"lest": "so that ... not",
    r"ere|ere long": "before, soon",
    r"none but": "only",
    r"save for": "except",
    r"nor is|nor are|nor does|nor do|nor was|nor can": "and ... not",
    r"shall": "must, will",
    r"anew|afresh": "again",
    r"(?<=,) for (?:it|they|nobody|servers|entry points|what is kept) (?:is|are|was|has|have|lies?|lacks?|knows)": (
        "because ..."
    ),
    r"of (?:its|their|one's) own accord": "by itself",
    r"hangs? in the air": "has no parent",
    r"(?:there|it) stands? (?:above|below)": "is above",
    r"what (?:becomes|became) of": "the result of",
    r"makes? up for": "compensates",
}
"""Phrase -> plain words."""

_SPACED = {phrase.replace(" ", r"\s+"): plain for phrase, plain in PLAIN.items()}
_COMPILED = [
    (re.compile(rf"(?<![\w-])(?:{phrase})(?![\w-])", re.IGNORECASE | re.MULTILINE), plain)
    for phrase, plain in _SPACED.items()
]
_NEWLINE = "\n"
_CODE = re.compile(r"^```\w[^`]*?^```|`[^`\n]+`", re.MULTILINE)
_HELP = ("src/wellread/apps/commands/", "src/wellread/apps/cli.py")


def findings(path: str, text: str, first_line: int = 1) -> list[str]:
    """Return a sentence for each phrase in `text` that is refused."""
    return [
        f"{path}:{first_line + text[: match.start()].count(_NEWLINE)} {' '.join(match[0].split())!r}: write {plain!r}"
        for pattern, plain in _COMPILED
        for match in pattern.finditer(text)
    ]


def in_document(document: Module) -> list[str]:
    """Return the refused phrases of a Markdown file, code left out."""
    text = _CODE.sub(lambda code: re.sub(r"[^\n]", " ", code[0]), document.text)
    return findings(document.path, text)


def in_messages(module: Module) -> list[str]:
    """Return the refused phrases of a module's strings, and of its docstrings where they are the help of commands."""
    return [finding for line, text in _messages(module) for finding in findings(module.path, text, first_line=line)]


def _messages(module: Module) -> Iterator[tuple[int, str]]:
    silent = set() if module.path.startswith(_HELP) else {id(node) for node in _docstrings(module)}
    for node in module.nodes:
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and " " in node.value
            and id(node) not in silent
        ):
            yield node.lineno, node.value


def _docstrings(module: Module) -> Iterator[ast.expr]:
    """Yield every string that is a statement: docstrings of modules, classes and functions, and of constants."""
    return (node.value for node in module.nodes if isinstance(node, ast.Expr))
